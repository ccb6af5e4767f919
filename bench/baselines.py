#!/usr/bin/env python3
"""Other tools on the same questions: baselines.py ODDSBOUND [numpy | auditor | libqif]...

numpy: what a data scientist would write. auditor: the method of LDP-Auditor (Arcolezi, Gambs 2024), written anew in numpy.
libqif: its Python module `qif`. Each row is measured in one run, by processor time: the whole program with its start and
its files, against the other tool on arrays that are already in memory. The script computes each exact value in another way
and ends with an error if the program's bounds do not contain it. A tool that is not installed has no rows; standard error
says so."""
import argparse
import csv
import decimal
import math
import os
import random
import sys
import tempfile
import time
from decimal import Decimal
from fractions import Fraction

import growth
import questions

try:
    import numpy
except ImportError:
    numpy = None
try:
    import qif
except ImportError:
    qif = None

TINY = bool(os.environ.get("ODDSBOUND_BENCH_TINY"))
TIMES = 1 if TINY else 3
SEED = "7"  # of the audits: one level in a hundred may be exceeded, so another seed can end the script with an error
WIDEST = Decimal("2e-12")  # between the program's bounds, relative to the exact value
decimal.getcontext().prec = 50


def of_size(whole, tiny):
    return tiny if TINY else whole


def decimal_of(number):
    return Decimal(number.numerator) / Decimal(number.denominator) if isinstance(number, Fraction) else Decimal(number)


def best_of(*works):
    """The result and the least processor time of each work; the works alternate. A work returns both."""
    found = [[work() for work in works] for _ in range(TIMES)]
    return [(column[-1][0], min(seconds for _, seconds in column)) for column in zip(*found)]


def timed(work):
    def run():
        start = time.process_time()
        result = work()
        return result, time.process_time() - start
    return run


def printed_time(seconds):
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds * 1e3:.1f} ms"


def printed_error(found, exact):
    """The relative error of a double."""
    error = (Decimal(float(found)) - exact) / exact
    return f"{error:+.1%}" if abs(error) >= Decimal("0.001") else f"{error:+.1e}" if error else "0"


def header(*cells):
    print(f"| {' | '.join(cells)} |\n|{' --- |' * len(cells)}")


def compare(question, ask, work, exact):
    """A row: the program's two bounds against a double."""
    (ours, our_time), (theirs, their_time) = best_of(ask, timed(work))
    lower, upper = (Decimal(ours[end]) for end in ("lower", "upper"))
    exact = decimal_of(exact)
    if not lower <= exact <= upper or upper - lower > WIDEST * exact:
        raise SystemExit(f"error: {question}: the exact value is {exact:.25}, and the program has {lower} to {upper}")
    print(f"| {question} | {float((lower + upper) / 2):.10g} | {printed_time(our_time)} | {float(theirs):.10g} | {printed_time(their_time)} | "
          f"{our_time / their_time:.2f} | {printed_error(theirs, exact)} |", flush=True)


# Questions to the program.

def verify(program, folder, specs):
    """Returns the JSON result of each spec, and a function that takes the time of a run. The timed run prints text,
    because with JSON the program would also compute levels that no claim is about."""
    found = questions.run(program, folder, "verify", specs, "--threads", "1")[0]["specs"]
    paths = [os.path.join(folder, f"{i}.json") for i in range(len(specs))]  # as questions.run names them
    return found, lambda: growth.processor_seconds([program, "verify", "--threads", "1", *paths])


def claim(program, folder, one, notion, coordinate=None):
    """The level that a claim is about, with the time of the program."""
    levels = {"epsilon": {coordinate: "99"}} if notion == "bcdp" else {"epsilon": "0", **({"coordinate": coordinate} if coordinate else {})}
    found, seconds = verify(program, folder, [dict(one, claims=[{"notion": notion, **levels}])])
    actual = found[0]["claims"][0]["actual"]
    return lambda: (actual[coordinate] if notion == "bcdp" else actual, seconds())


def compose(program, folder, level, times, epsilon):
    def ask():
        answers = [questions.spec(questions.response(level))]
        found, seconds, _ = questions.run(program, folder, "compose", answers, "--times", str(times), "--epsilon", epsilon)
        return found["delta_at_epsilon"], seconds
    return ask


# A matrix of rationals.

def matrix_of(one):
    return [[Fraction(entry) for entry in row] for row in one["mechanism"]["rows"]]


def doubles_of(one):
    return numpy.array([[int(above) / int(below) for above, below in (entry.split("/") for entry in row)] for row in one["mechanism"]["rows"]])


def ldp_in_doubles(matrix):
    return numpy.log(matrix.max(axis=0) / matrix.min(axis=0)).max()


def exact_ldp(one):
    columns = zip(*matrix_of(one))
    return decimal_of(max(max(column) / min(column) for column in columns)).ln()


# The survey: the first votes of the House.

def survey(votes):
    """The spec of the party and of the first votes."""
    one = questions.house_votes()
    one["domain"] = one["domain"][:votes + 1]
    names = [coordinate["name"] for coordinate in one["domain"]]
    one["prior"]["columns"] = {name: one["prior"]["columns"][name] for name in names}
    one["mechanism"]["mechanisms"] = {name: one["mechanism"]["mechanisms"][name] for name in names[1:]}
    return one


def people(one):
    """A row of codes for each member: the party, then the votes."""
    with open(one["prior"]["file"], encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = [(one["prior"]["columns"][coordinate["name"]], coordinate["values"]) for coordinate in one["domain"]]
    return [[values.index(row[column]) for column, values in columns] for row in rows]


def reported(rows, odds, kind):
    """P(party, reported votes): an axis for the party and one for each vote."""
    table = numpy.zeros((2,) + (3,) * (len(rows[0]) - 1), kind)
    for row in rows:
        table[tuple(row)] += 1
    for axis in range(1, table.ndim):  # each vote is kept with odds : 1 : 1
        table = ((odds - 1) * table + table.sum(axis=axis, keepdims=True)) / (odds + 2)
    return table / len(rows)


def losses(rows):
    """|log| of P(votes | democrat) / P(votes | republican), for each output."""
    table = reported(rows, math.e, float)
    sums = table.sum(axis=tuple(range(1, table.ndim)))
    return numpy.abs(numpy.log(table[0] / sums[0] / (table[1] / sums[1])))


def exact_bcdp(rows):
    """The level of the party: the doubles select outputs, decimals compare these."""
    found = losses(rows)
    e, levels = Decimal(1).exp(), []
    for output in numpy.argwhere(found > found.max() - 1e-9):
        sums, counts = [Decimal(0)] * 2, [0, 0]
        for party, *votes in rows:
            sums[party] += e ** sum(int(vote == out) for vote, out in zip(votes, output))
            counts[party] += 1
        levels.append(abs((sums[0] / counts[0] / (sums[1] / counts[1])).ln()))
    return max(levels)


def information(rows):
    table = reported(rows, math.e, float)
    outputs, parties = table.sum(axis=0), table.reshape(2, -1).sum(axis=1)
    return sum((table[party] * numpy.log(table[party] / outputs / parties[party])).sum() for party in (0, 1))


def exact_information(rows):
    table = reported(rows, Decimal(1).exp(), object).reshape(2, -1)
    outputs, parties = table.sum(axis=0), table.sum(axis=1)
    return sum(p * (p / outputs[y] / parties[party]).ln() for party in (0, 1) for y, p in enumerate(table[party]))


# Answers in a row. The loss of one answer is -level or level, so the losses of all lie on a grid.

def delta_in_doubles(loss, times, epsilon, by_fft):
    keep = math.exp(loss) / (1 + math.exp(loss))
    one = numpy.array([1 - keep, 0, keep])
    if by_fft:
        masses = numpy.fft.irfft(numpy.fft.rfft(one, 2 * times + 1)**times, 2 * times + 1)
    else:
        masses = one
        for _ in range(times - 1):
            masses = numpy.convolve(masses, one)
    grid = loss * numpy.arange(-times, times + 1)
    return (masses * numpy.maximum(0, 1 - numpy.exp(epsilon - grid))).sum()


# Claims that hold with equality.

def refuted_in_doubles(sizes):
    refuted = 0
    for size in sizes:
        matrix = numpy.ones((size, size))
        numpy.fill_diagonal(matrix, math.exp(0.5))
        refuted += not ldp_in_doubles(matrix / (math.exp(0.5) + size - 1)) <= 0.5
    return refuted


def tight_claims(program, folder):
    sizes = range(2, of_size(500, 10))
    specs = [dict(questions.spec(questions.response("1/2"), size), claims=[{"notion": "ldp", "epsilon": "1/2"}]) for size in sizes]
    found, seconds = verify(program, folder, specs)
    failed = sum(one["claims"][0]["verdict"] != "holds" for one in found)
    (ours, our_time), (theirs, their_time) = best_of(lambda: (failed, seconds()), timed(lambda: refuted_in_doubles(sizes)))
    if ours:
        raise SystemExit(f"error: {ours} true claims do not hold")
    print(f"| `ldp <= 1/2` of k-randomized response at 1/2, 498 sizes: claims refuted | {ours} | {printed_time(our_time)} | {theirs} | "
          f"{printed_time(their_time)} | {our_time / their_time:.2f} | |", flush=True)


def against_numpy(program, folder):
    header("question", "oddsbound", "its time", "numpy", "its time", "ratio", "relative error of numpy")
    dense = growth.dense_rationals(of_size(1024, 16), random.Random(1))
    matrix = doubles_of(dense)
    compare("`ldp` of a matrix of 1,024 x 1,024 rationals", claim(program, folder, dense, "ldp"), lambda: ldp_in_doubles(matrix), exact_ldp(dense))
    for votes in (8, 12, 16):
        one = survey(of_size(votes, 2))
        rows = people(one)
        compare(f"`bcdp` of the party, House votes, {votes} of them", claim(program, folder, one, "bcdp", "party"),
                lambda rows=rows: losses(rows).max(), exact_bcdp(rows))
    one = survey(of_size(8, 2))
    rows = people(one)
    compare("`information` about the party, 8 votes", claim(program, folder, one, "information", "party"),
            lambda: information(rows), exact_information(rows))
    compare("100 answers at log(3): delta at 67 log(3), by convolution", compose(program, folder, "log(3)", 100, "67*log(3)"),
            lambda: delta_in_doubles(math.log(3), 100, 67 * math.log(3), False), questions.delta_of_answers(Fraction(3), 100, Fraction(3)**67))
    tail = questions.delta_of_answers(Fraction(21, 19), 1000, Decimal(30).exp())
    for by_fft, how in ((False, "convolution"), (True, "FFT")):
        compare(f"1,000 answers at log(21/19): delta at 30, by {how}", compose(program, folder, "log(21/19)", 1000, "30"),
                lambda by_fft=by_fft: delta_in_doubles(math.log(21 / 19), 1000, 30, by_fft), tail)
    tight_claims(program, folder)


# LDP-Auditor: the attacker guesses the input from the output. TP counts the guesses of input 0 in runs with input 0,
# FP those in runs with the last input. The level is at least log(lower limit of TP / upper limit of FP).

def at_least_as_many(count, runs, p):
    """P(a binomial variable >= count), for p <= count / runs: terms further than 20 standard deviations are left out."""
    first = (math.lgamma(runs + 1) - math.lgamma(count + 1) - math.lgamma(runs - count + 1) +
             count * math.log(p) + (runs - count) * math.log1p(-p))
    k = numpy.arange(count, min(runs, count + 10 * math.isqrt(runs)))
    return math.exp(first) * (1 + numpy.exp(numpy.cumsum(numpy.log((runs - k) / (k + 1) * (p / (1 - p))))).sum())


def lower_limit(count, runs, tail):
    """The Clopper-Pearson lower limit: where so many successes have the probability `tail`."""
    least, most = 0.0, count / runs
    while count and most - least > 1e-12 * most:
        middle = (least + most) / 2
        least, most = (middle, most) if at_least_as_many(count, runs, middle) < tail else (least, middle)
    return least


def audited_level(guesses_of_first, size, runs, seed):
    """guesses_of_first(rng, value, runs): how often input 0 is guessed. Two intervals, each with error 0.005, as published."""
    rng = numpy.random.default_rng(seed)
    true, false = (sum(guesses_of_first(rng, value, part) for part in parts_of(runs)) for value in (0, size - 1))
    return math.log(lower_limit(true, runs, 0.0025) / (1 - lower_limit(runs - false, runs, 0.0025)))


def parts_of(runs):
    """Runs that are in memory at once."""
    return [min(50_000, runs - begun) for begun in range(0, runs, 50_000)]


def randomized_response(size):
    """The guess is the output."""
    def guesses(rng, value, runs):
        kept = rng.random(runs) < math.e / (math.e + size - 1)
        return int((numpy.where(kept, value, (value + rng.integers(1, size, runs)) % size) == 0).sum())
    return guesses


def unary_encoding(size):
    """The guess is one of the bits that are set, at random; if none is, any value."""
    def guesses(rng, value, runs):
        chance = numpy.full(size, 1 / (math.e + 1))
        chance[value] = 1 / 2
        bits = rng.random((runs, size)) < chance
        count = bits.sum(axis=1)
        in_question = numpy.where(count > 0, bits[:, 0], True)
        return int((in_question & (rng.random(runs) * numpy.where(count > 0, count, size) < 1)).sum())
    return guesses


def subset_selection(size, chosen):
    """The guess is a member of the set, at random."""
    def guesses(rng, value, runs):
        keep = chosen * math.e / (chosen * math.e + size - chosen)
        kept = rng.random(runs) < keep
        keys = rng.random((runs, size))  # the set has the least keys; the input's comes first or last
        keys[:, value] = numpy.where(kept, -1, 2)
        members = numpy.argpartition(keys, chosen - 1, axis=1)[:, :chosen]
        return int((members[numpy.arange(runs), rng.integers(0, chosen, runs)] == 0).sum())
    return guesses


def against_auditor(program, folder):
    header("sampler, level 1", "`oddsbound audit`: at least", "its time", "LDP-Auditor's method: at least", "its time", "ratio")
    runs = of_size(1_000_000, 2_000)
    cases = [(f"k-randomized response, {size} values", size, questions.response("1"), randomized_response(size)) for size in (2, 10, 100)]
    cases += [(f"optimized unary encoding, {size} values", size, {"type": "unary_encoding", "epsilon": "1"}, unary_encoding(size)) for size in (2, 10, 100)]
    cases.append(("subset selection, 5 of 20 values", 20, {"type": "subset_selection", "epsilon": "1", "size": 5}, subset_selection(20, 5)))
    for what, size, mechanism, guesses in cases:
        one = dict(questions.spec(mechanism, size), claims=[{"notion": "ldp", "epsilon": "1"}])

        def ask():
            found, seconds, _ = questions.run(program, folder, "audit", [one], "--samples", str(2 * runs), "--seed", SEED)
            return found["audits"][0]["levels"][0], seconds
        (ours, our_time), (theirs, their_time) = best_of(ask, timed(lambda: audited_level(guesses, size, runs, int(SEED))))
        if ours["at_least"] > 1:
            raise SystemExit(f"error: {what}: at least {ours['at_least']}, but the level is 1")
        print(f"| {what} | {ours['at_least']:.3f} | {printed_time(our_time)} | {max(0, theirs):.3f} | {printed_time(their_time)} | "
              f"{our_time / their_time:.2f} |", flush=True)


# libqif

def exact_information_of(rows):
    """Of a matrix under the uniform prior, in nats."""
    rows = [[decimal_of(entry) for entry in row] for row in rows]
    means = [sum(column) / len(rows) for column in zip(*rows)]
    return sum(p * (p / mean).ln() for row in rows for p, mean in zip(row, means)) / len(rows)


def against_libqif(program, folder):
    header("question", "oddsbound", "its time", "libqif", "its time", "ratio", "relative error of libqif")
    size = of_size(256, 8)
    dense = dict(growth.dense_rationals(size, random.Random(2)), prior={"type": "uniform"})
    matrix, rows = doubles_of(dense), matrix_of(dense)
    uniform = numpy.full(size, 1 / size)
    name = "of a matrix of 256 x 256 rationals"
    exact = sum(max(column) for column in zip(*rows))
    compare(f"`ldp` {name}", claim(program, folder, dense, "ldp"),
            lambda: qif.measure.d_privacy.smallest_epsilon(matrix, qif.metric.discrete()), exact_ldp(dense))
    compare(f"`bayes_leakage` {name}", claim(program, folder, dense, "bayes_leakage"),
            lambda: qif.measure.bayes_vuln.min_entropy_leakage(uniform, matrix) * math.log(2), decimal_of(exact).ln())
    compare(f"`information` {name}", claim(program, folder, dense, "information"),
            lambda: qif.measure.shannon.add_leakage(uniform, matrix) * math.log(2), exact_information_of(rows))
    keep = 1 / (1 + math.exp(-5e-8))
    answer = numpy.array([[keep, 1 - keep], [1 - keep, keep]])
    compare("`ldp` of randomized response at 1/20,000,000", claim(program, folder, questions.spec(questions.response("1/20000000")), "ldp"),
            lambda: qif.measure.d_privacy.smallest_epsilon(answer, qif.metric.discrete()), Decimal("5e-8"))


PARTS = {"numpy": against_numpy, "auditor": against_auditor, "libqif": against_libqif}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("parts", nargs="*", metavar="numpy | auditor | libqif")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    if not os.access(program, os.X_OK):
        parser.error(f"{options.program} is no program")
    unknown = [name for name in options.parts if name not in PARTS]
    if unknown:
        parser.error(f"found '{unknown[0]}', expected {', '.join(PARTS)}")
    first = True
    for name in options.parts or PARTS:
        missing = [module for module, found in (("numpy", numpy), ("qif", qif)) if found is None and (module == "numpy" or name == "libqif")]
        if missing:
            print(f"baselines.py: {name}: no rows, because the Python module {missing[0]} is not installed", file=sys.stderr)
            continue
        if not first:
            print()
        first = False
        with tempfile.TemporaryDirectory() as folder:
            PARTS[name](program, folder)


if __name__ == "__main__":
    main()
