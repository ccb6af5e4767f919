"""Numerical statements of the three papers: the program's answers against plain loops (loops.py), and against the printed values.

statements.py BINARY [--json]; prints every statement with its three values, and the statements that do not hold. --json: the
statements alone.
"""
import json
import math
import os
import re
import sys
from fractions import Fraction
from itertools import combinations, product

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import loops  # noqa: E402
import program  # noqa: E402
from program import ROOT, run, run_on  # noqa: E402
from program import middle as value  # noqa: E402

CLAIMS, GALLERY, RELEASES = "specs/claims-of-the-papers", "specs/gallery", "specs/releases"
PAPERS = {"B": "BCDP", "C": "Context-aware", "G": "Partial DP"}
lines, failures = [], []


def analysis(spec):
    found = run("analyze", spec) if isinstance(spec, str) else run_on(spec, "analyze", None)
    return found["specs"][0]["analysis"], found["specs"][0].get("notes", [])


def number(text):
    """A number that the program rounded up, or a fraction."""
    return math.inf if text == "inf" else float(Fraction(text))


def level(stated):
    """The value of a level's text: a number, or log(number)."""
    inside = re.fullmatch(r"log\((.*)\)", stated)
    return math.log(Fraction(inside.group(1))) if inside else number(stated)


def text(found):
    return "yes" if found is True else "no" if found is False else f"{found:.10g}" if isinstance(found, (int, float)) else str(found)


def states(item, what, ours, program, published=None, up_to=1e-9, digits=None):
    """ours and program are equal up to the relative error up_to. published: as printed; digits: decimals to which it is rounded."""
    lines.append([PAPERS[item[0]], item, what, "" if published is None else str(published), text(ours), text(program)])
    if not (ours == program or math.isclose(ours, program, rel_tol=up_to, abs_tol=up_to)):
        failures.append(f"{item}: {what}: the program has {text(program)}, loops have {text(ours)}")
    relative, absolute = (1e-6, 0) if digits is None else (0, 0.5000001 * 10**-digits)
    if isinstance(published, (int, float)) and not math.isclose(ours, published, rel_tol=relative, abs_tol=absolute):
        failures.append(f"{item}: {what}: {text(ours)} is not {published}{'' if digits is None else f' to {digits} decimals'}")


def printed(item, what, ours, published, digits=None):
    """ours is the printed value, up to rounding; the program has no such number."""
    lines.append([PAPERS[item[0]], item, what, text(published), text(ours), ""])
    if not math.isclose(ours, published, rel_tol=1e-6, abs_tol=0 if digits is None else 0.5000001 * 10**-digits):
        failures.append(f"{item}: {what}: loops have {text(ours)}, printed is {text(published)}")


def bounds(item, what, ours, program, bound="<="):
    """The program's value is at most (or at least) ours."""
    lines.append([PAPERS[item[0]], item, what, "", f"{bound} {text(ours)}", text(program)])
    if not (program <= ours * (1 + 1e-9) if bound == "<=" else program >= ours * (1 - 1e-9)):
        failures.append(f"{item}: {what}: the program has {text(program)}, which is not {bound} {text(ours)}")


def spec_of(domain, rows, prior=None, **rest):
    """rows: masses as texts."""
    spec = {"oddsbound": 1, "name": "made", "domain": [{"name": name, "values": own} for name, own in domain.items()],
            "mechanism": {"type": "matrix", "outputs": [f"y{y}" for y in range(len(rows[0]))], "rows": rows}, **rest}
    return spec if prior is None else {**spec, "prior": prior}


def level_between(spec, a, b):
    """The largest log(P(y | a) / P(y | b)), from a claim that bounds nothing else."""
    size = len(spec["domain"][0]["values"])
    matrix = [["0" if i == j else "50" if (i, j) == (a, b) else "inf" for j in range(size)] for i in range(size)]
    found = run_on({**spec, "claims": [{"notion": "context_ldp", "epsilon": matrix}]}, "verify", None)
    return value(found["specs"][0]["claims"][0]["actual"])


BITS = {"x1": ["0", "1"], "x2": ["0", "1"]}


# BCDP

def bcdp_example_1():
    inputs = list(product((0, 1), repeat=2))
    for a, b, c in (("1/2", "1/2", "1/2"), ("1/3", "3/4", "1/5"), ("9/10", "1/10", "1/2")):
        shown = {(0, 0): Fraction(a), (1, 0): Fraction(b), (0, 1): Fraction(0), (1, 1): Fraction(c)}
        rows = [[1 - shown[x], shown[x]] for x in inputs]
        found, _ = analysis(spec_of(BITS, [[str(p) for p in row] for row in rows], {"type": "uniform"}))
        for i, name in enumerate(BITS):
            published = {"published": 0.693147, "digits": 6} if a == b == c else {}
            states("B-E1", f"level of {name} for a, b, c = {a}, {b}, {c}", loops.bcdp(inputs, [1 / 4] * 4, rows, i), value(found["bcdp"][name]), **published)
        states("B-E1", f"LDP level for a, b, c = {a}, {b}, {c}", loops.ldp(rows), value(found["ldp"]), "infinite")


def rows_of_example_2():
    def row(x):
        answers_of_x = [(x[0] ^ x[1], x[2]), (x[1], x[0] ^ x[2])]
        return [Fraction(answers_of_x.count(y), 2) for y in product((0, 1), repeat=2)]
    inputs = list(product((0, 1), repeat=3))
    return inputs, [row(x) for x in inputs]


def bcdp_example_2():
    inputs, once = rows_of_example_2()
    for name, rows, published in (("once", once, "0"), ("twice", [loops.powers([row, row]) for row in once], "infinite")):
        found, _ = analysis(f"{CLAIMS}/bcdp-example-2-{name}.json")
        for i in range(3):
            states("B-E2", f"level of x{i + 1}, {name}", loops.bcdp(inputs, [1 / 8] * 8, rows, i), value(found["bcdp"][f"x{i + 1}"]), published if i == 0 else None)
    coin = [loops.powers([[Fraction(1, 2), Fraction(1, 2)] if x == 0 else [Fraction(y == 0), Fraction(y == 1)]] * 2) for x, y in product((0, 1), repeat=2)]
    found, _ = analysis(f"{CLAIMS}/bcdp-example-2-smallest-twice.json")
    states("B-E2", "level of x1, two runs of the smallest example", loops.bcdp(list(product((0, 1), repeat=2)), [1 / 4] * 4, coin, 0), value(found["bcdp"]["x1"]), "infinite")


def least_of_tests(p, q, level):
    """The smallest e^level alpha + beta over all rejection regions."""
    return min(math.exp(level) * float(a) + float(b) for a, b in loops.errors_of_tests(p, q))


def bcdp_tests():
    # bcdp-theorem-1: randomized response with odds 3 and 2 on two bits that agree with probability 3/4.
    inputs, prior = list(product((0, 1), repeat=2)), [3 / 8, 1 / 8, 1 / 8, 3 / 8]
    rows = [loops.powers([[3 / 4, 1 / 4] if x == 0 else [1 / 4, 3 / 4], [2 / 3, 1 / 3] if y == 0 else [1 / 3, 2 / 3]]) for x, y in inputs]
    found, _ = analysis(f"{CLAIMS}/bcdp-theorem-1.json")
    p, q = loops.given(inputs, prior, rows, 0).values()
    states("B-T1", "least e^level alpha + beta over all tests of x1, at the program's level", min(least_of_tests(p, q, value(found["bcdp"]["x1"])), least_of_tests(q, p, value(found["bcdp"]["x1"]))), 1.0, 1)
    pairs = list(product(range(4), repeat=2))
    states("B-P2", "the same over all tests of inputs, at the LDP level", min(least_of_tests(rows[a], rows[b], value(found["ldp"])) for a, b in pairs), 1.0, 1)
    for i, name in enumerate(BITS):
        states("B-D4", f"BCDP level of {name}, two copies that agree with probability 3/4", loops.bcdp(inputs, prior, rows, i), value(found["bcdp"][name]))
        states("B-D3", f"CDP level of {name}", loops.cdp(inputs, rows, i), value(found["cdp"][name]))
        states("B-A1", f"correlation of {name}", loops.correlation(inputs, prior, i), number(found["correlation"][name]), 0.5)
        bounds("B-P3", f"BCDP level of {name} within the LDP level", loops.ldp(rows), value(found["bcdp"][name]))
        q_i = loops.correlation(inputs, prior, i)
        part_2 = min(loops.cdp(inputs, rows, i) + math.log(1 + q_i * math.exp(loops.ldp(rows)) - q_i), loops.ldp(rows))
        bounds("B-P4", f"BCDP level of {name} within part 2", part_2, value(found["bcdp"][name]))


def bcdp_post_processing():
    inputs = list(product((0, 1), repeat=2))
    rows = [[Fraction(a, 12), Fraction(b, 12), Fraction(12 - a - b, 12)] for a, b in ((3, 4), (6, 1), (2, 2), (5, 5))]
    merged = [[row[0] + row[1], row[2]] for row in rows]
    after = analysis(spec_of(BITS, [[str(p) for p in row] for row in merged], {"type": "uniform"}))[0]["bcdp"]
    for i, name in enumerate(BITS):
        states("B-P5", f"level of {name} after two outputs are merged", loops.bcdp(inputs, [1 / 4] * 4, merged, i), value(after[name]))
        bounds("B-P5", f"which is at most that of {name} before", loops.bcdp(inputs, [1 / 4] * 4, rows, i), value(after[name]))


def bcdp_propositions_4_and_6():
    def part_1(c, q, i):
        return c[i] + math.log(1 + q[i] * math.exp(sum(c) - c[i]) - q[i])
    c, q = [0.5, 1.0, 0.25], [0.1, 0.2, 0.5]
    found = run("split", "--cdp", "a=1/2", "b=1", "c=1/4", "--correlation", "a=1/10", "b=1/5", "c=1/2")["splits"][0]
    states("B-P4", "LDP level of CDP levels 1/2, 1, 1/4", sum(c), number(found["ldp"]), 1.75)
    for i, level in enumerate(found["levels"]):
        ldp = sum(c)
        expected = min(part_1(c, q, i), c[i] + math.log(1 + q[i] * math.exp(ldp) - q[i]), ldp)
        states("B-P4", f"bound of {level['coordinate']}: the smaller of both parts", expected, float(level["bcdp_nats"]))
    copies = run("split", "--cdp", "a=1/2", "b=1", "--correlation", "1")["splits"][0]
    for i, level in enumerate(copies["levels"]):
        states("B-P4c", f"bound of {level['coordinate']} for copies: all levels add up", 1.5, float(level["bcdp_nats"]), 1.5)

    delta, q = [0.5, 1.0, 1.5], [0.2] * 3
    rows = [[1 / d if i == j else 1 / math.log(1 + (math.exp(d) - 1) / q[i]) for j in range(3)] for i, d in enumerate(delta)]
    for split in run("split", "--delta", "a=1/2", "b=1", "c=3/2", "--correlation", "1/5")["splits"]:
        c = [float(level["cdp_nats"]) for level in split["levels"]]
        holds = all(sum(a * b for a, b in zip(row, c)) <= 1 for row in rows)
        states("B-P6", f"A c <= 1 for the levels by {split['by']}", holds, split["proposition_6"] == "holds")
        for i, level in enumerate(split["levels"]):
            if split["by"] == "proposition 6":
                bounds("B-P6", f"which keep delta of {level['coordinate']}", delta[i], part_1(c, q, i))


def bcdp_theorem_2():
    settings = [("B-T2p", "three levels", [0.5, 0.75, 1.0], ["1/2", "3/4", "1"], 1.0, "1", 0.4, "2/5", 0.75, "3/4"),
                ("B-C1", "first case: q below (e^(delta/2) - 1)/(e^epsilon - 1) = 2/99", [math.log(9), math.log(9), math.log(100)],
                 ["log(9)", "log(9)", "log(100)"], math.log(100), "log(100)", 0.01, "1/100", 0.5, "1/2"),
                ("B-C1", "second case: q = 1/9", [math.log(9), math.log(9), math.log(100)], ["log(9)", "log(9)", "log(100)"], math.log(100),
                 "log(100)", 1 / 9, "1/9", 0.5, "1/2"),
                ("B-R1", "delta unbounded, zeta = 1: c = epsilon", [1.0, 1.0, 1.0], ["1", "1", "1"], 1.0, "1", 0.4, "2/5", 1.0, "1")]
    for item, what, delta, delta_text, epsilon, epsilon_text, q, q_text, zeta, zeta_text in settings:
        names = ["a", "b", "c"]
        spec = {"oddsbound": 1, "name": "made", "domain": [{"name": name, "values": ["-1", "1"]} for name in names],
                "prior": {"type": "mixture", "weights": [str(1 - Fraction(q_text)), q_text],
                          "components": [{"type": "uniform"}, {"type": "diagonal", "marginal": ["1/2", "1/2"]}]},
                "mechanism": {"type": "bcdp_mean", "delta": dict(zip(names, delta_text)), "epsilon": epsilon_text, "q": q_text, "zeta": zeta_text}}
        found, notes = analysis(spec)
        c = loops.theorem_2(delta, epsilon, q, zeta)
        rows, error = loops.mechanism_1(c)
        inputs = loops.signs(3)
        prior = [(1 - q) / 8 + q / 2 * (len(set(x)) == 1) for x in inputs]
        noted = dict(re.findall(r"\b([abc]) ([0-9a-z./()]+)", notes[0].split("):")[1].split(";")[0]))
        for i, name in enumerate(names):
            states(item, f"{what}: constant c of {name}, in the note", c[i], level(noted[name]), up_to=1e-5)
            states(item, f"{what}: CDP level of {name}", loops.cdp(inputs, rows, i), value(found["cdp"][name]))
            states(item, f"{what}: BCDP level of {name} under the prior of B.3", loops.bcdp(inputs, prior, rows, i), value(found["bcdp"][name]))
            bounds(item, f"{what}: BCDP level of {name} within delta", min(delta[i], epsilon), value(found["bcdp"][name]))
            states("B-(57,58)", f"correlation of {name} if a fraction {q_text} is copied", loops.correlation(inputs, prior, i), number(found["correlation"][name]), q_text)
        states(item, f"{what}: LDP level is c_d", c[-1], value(found["ldp"]))
        estimate = run_on(spec, "estimate", None, "--samples", "1000")["mean_squared_error"]
        states("B-T2e", f"{what}: exact error of 1000 answers of drawn people, with d/n for the draw", (error + 3) / 1000, value(estimate))
    printed("B-R1", "c_1 = (1 - zeta) delta_1 where the first term decides", loops.theorem_2([0.5, 0.75, 1.0], 1.0, 0.4, 0.75)[0], (1 - 0.75) * 0.5)
    printed("B-C1", "second case: c_1 = delta/2", loops.theorem_2(settings[2][2], math.log(100), 1 / 9, 0.5)[0], math.log(9) / 2)
    printed("B-C1", "c_d at the threshold of q is epsilon", loops.theorem_2(settings[2][2], math.log(100), 2 / 99, 0.5)[-1], math.log(100))
    printed("B-C1", "c_d at q = 1 is delta/2", loops.theorem_2(settings[2][2], math.log(100), 1, 0.5)[-1], math.log(9) / 2)


def bcdp_mechanism_3():
    """The mean of the output along the input, by an integral over the half sphere: twice the input with the printed B."""
    level_3 = 1.0
    for d in (2, 3, 5):
        steps = 20000
        angles = [(k + 0.5) * math.pi / 2 / steps for k in range(steps)]
        mean = sum(math.cos(t) * math.sin(t)**(d - 2) for t in angles) / sum(math.sin(t)**(d - 2) for t in angles)
        radius = math.sqrt(math.pi) * d * (math.e + 1) / (math.e - 1) * math.gamma((d + 1) / 2) / math.gamma(d / 2 + 1)
        printed("B-M3", f"mean of the output with half of the printed B, d = {d}, over the input", radius / 2 * mean * math.tanh(level_3 / 2), 1.0)


# Context-aware

def context_binary():
    for e12, e21, item, what in ((Fraction(3), Fraction(2), "C-T2", "(9) for levels log 3 and log 2"), (Fraction(4), Fraction(4), "C-T2", "(10), Warner, level log 4"),
                                 (None, Fraction(5, 2), "C-T2", "(11), Mangat, p = 2/5")):
        back = 0 if e12 is None else 1 / e12
        rows = [[(e21 - 1) / (e21 - back), (1 - back) / (e21 - back)], [back * (e21 - 1) / (e21 - back), e21 * (1 - back) / (e21 - back)]]
        spec = {"oddsbound": 1, "name": "made", "domain": [{"name": "x", "values": ["1", "2"]}], "prior": {"type": "probabilities", "probabilities": ["1/3", "2/3"]}, "mechanism": {
            "type": "optimal_binary", "epsilon_12": "inf" if e12 is None else f"log({e12})", "epsilon_21": f"log({e21})"}}
        for a, b, odds in ((0, 1, e12), (1, 0, e21)):
            states(item, f"{what}: level from {a + 1} to {b + 1}", loops.level_of_pairs(rows, [(a, b)]), level_between(spec, a, b),
                   f"log({odds})" if odds else "infinite")
        weights = [[(rows[1][1] if y == 0 else -rows[1][0]) / (rows[0][0] - rows[1][0]) for y in range(2)]]
        weights.append([1 - w for w in weights[0]])
        error = loops.squared_error(rows, weights, [Fraction(1, 3), Fraction(2, 3)]) / 100
        states(item, f"{what}: error of 100 answers, a third is 1", error, value(run_on(spec, "estimate", None, "--samples", "100")["mean_squared_error"]))


def context_tests():
    rows = [[Fraction(3, 5), Fraction(2, 5)], [Fraction(1, 5), Fraction(4, 5)]]
    found = run("analyze", "--tradeoff", f"{CLAIMS}/context-theorem-1.json")["specs"][0]["analysis"]["tradeoff"]["ldp"]["vertices"]
    errors = loops.errors_of_tests(rows[0], rows[1])
    states("C-F1", "the third vertex is among the errors of all tests", True, (Fraction(2, 5), Fraction(1, 5)) in errors)
    states("C-F1", "the third vertex is in the program's curve", True, ["2/5", "1/5"] in found)
    states("C-T1", "(7): least P_FA + e^eps21 P_MD over all tests", min(float(a + 3 * b) for a, b in errors), float(Fraction(found[1][0]) + 3 * Fraction(found[1][1])), 1)
    states("C-T1", "(8): least e^eps12 P_FA + P_MD over all tests", min(float(2 * a + b) for a, b in errors), float(2 * Fraction(found[1][0]) + Fraction(found[1][1])), 1)
    for eps12, eps21 in ((3, 2), (5, 7)):
        t12, t21 = Fraction(eps12), Fraction(eps21)
        corner = (t21 - 1) / (t12 * t21 - 1), (t12 - 1) / (t12 * t21 - 1)
        printed("C-F1", f"(23) corrected, levels log {eps12} and log {eps21}: on the first line", float(corner[0] * t12 + corner[1]), 1.0)
        printed("C-F1", f"(23) corrected, levels log {eps12} and log {eps21}: on the second line", float(corner[0] + corner[1] * t21), 1.0)


def context_composition():
    first, second = [[3 / 4, 1 / 4], [1 / 3, 2 / 3]], [[1 / 2, 1 / 2], [1 / 5, 4 / 5]]
    rows = [loops.powers([a, b]) for a, b in zip(first, second)]
    spec = spec_of({"x": ["1", "2"]}, [[str(Fraction(p).limit_denominator(60)) for p in row] for row in rows])
    found, _ = analysis(spec)
    states("C-P1..P3", "level of two answers about the same input", loops.ldp(rows), value(found["ldp"]))
    bounds("C-P1..P3", "Proposition 2: at most the sum of both levels", loops.ldp(first) + loops.ldp(second), value(found["ldp"]))
    for prior in ((1 / 2, 1 / 2), (1 / 10, 9 / 10)):
        worst = max(math.log(rows[0][y] * prior[0] / (rows[1][y] * prior[1])) - math.log(prior[0] / prior[1]) for y in range(4))
        states("C-P1..P3", f"Proposition 3: largest change of log odds, prior {prior[0]}", worst, level_between(spec, 0, 1))


def context_hadamard():
    for size in (4, 8, 16):
        matrix = loops.sylvester(size)
        sets = [{y for y, s in enumerate(row) if s == 1} for row in matrix[1:]]
        printed("C-H", f"|S_i| for m = {size}", *{len(s) for s in sets}, size // 2)
        printed("C-H", f"|S_i and S_j| for m = {size}", *{len(a & b) for a, b in combinations(sets, 2)}, size // 4)


def context_family(item, file, rows, weights, published, sizes):
    prior = [1 / len(rows)] * len(rows)
    found = run("estimate", f"{GALLERY}/{file}.json", "--samples", "1000")
    states(item, f"{file}: summed squared error of unbiased estimates, 1000 people", loops.squared_error(rows, weights, prior) / 1000, value(found["mean_squared_error"]))
    distance = loops.total_variation(rows, weights, prior, 1000)
    bounds(item, f"{file}: lower bound of the expected total variation", distance, found["total_variation"]["lower"])
    bounds(item, f"{file}: upper bound of the expected total variation", distance, found["total_variation"]["upper"], ">=")
    people = run("estimate", f"{GALLERY}/{file}.json", "--people-for", "1/20")["people_for"]
    states(item, f"{file}: {people['enough']} people reach 1/20", loops.total_variation(rows, weights, prior, people["enough"]) <= 1 / 20, True)
    states(item, f"{file}: {people['too_few']} people do not", loops.total_variation(rows, weights, prior, people["too_few"]) > 1 / 20, True)
    if published:
        enough = math.ceil(published(sizes) * (1 - 1e-12))
        states(item, f"{file}: people by the printed bound, corrected", enough, people["enough_by_bound"], up_to=1e-5)


def context_families():
    gain = (math.e + 1) / (math.e - 1)
    rows, weights = loops.block_rows([5], math.e)
    states("C-H", "hadamard-response: LDP level", loops.ldp(rows), value(analysis(f"{GALLERY}/hadamard-response.json")[0]["ldp"]), 1)
    context_family("C-(2),(3)", "hadamard-response", rows, weights, None, None)
    rows, weights = loops.block_rows([3, 3], math.e)
    context_family("C-T4u/P5", "block-hadamard-response", rows, weights, lambda sizes: (2 * gain)**2 * 3 * sum(k * k for k in sizes) * 400, (3, 3))
    rows, weights = loops.high_low_rows(2, 5, math.e)
    states("C-D3", "high-low-hadamard-response: level from sensitive symbols", loops.level_of_pairs(rows, [(a, b) for a in range(2) for b in range(5)]), 1.0, 1)
    context_family("C-T3u/P4", "high-low-hadamard-response", rows, weights,
                   lambda sizes: ((math.sqrt(3 * sizes[0]**2) * gain + math.sqrt(gain * sizes[1])) * 20)**2, (2, 5))


def context_section_7():
    printed("C-Tab1,F3", "places: 25 degrees of latitude and 70 of longitude, rounded to 0.2", round(25 / 0.2) * round(70 / 0.2), 43750)
    with open(os.path.join(ROOT, "docs", "figures", "locations.csv"), encoding="utf-8") as file:
        blocks = [line.split(",")[1] for line in file]
    for a, b in ((5, 7), (25, 35), (25, 70)):
        states("C-Tab1,F3", f"the experiment has ({a}, {b}), {a * b} blocks", True, str(a * b) in blocks)


# Partial DP

def ledger(document):
    found = run("release", document, "--account") if isinstance(document, str) else run_on(document, "release", None, "--account", ending=".release.json")
    return {line["of"]: line for line in found["ledger"]}


def release_of(bits, *steps):
    return {"oddsbound_release": 1, "name": "made", "attributes": [{"name": f"a{i}", "values": ["0", "1"]} for i in range(bits)], "steps": list(steps)}


def partial_introduction():
    accuracy = 1 / (1 + math.exp(-10))
    spec = {"oddsbound": 1, "name": "made", "domain": [{"name": "x", "values": ["0", "1"]}], "mechanism": {"type": "k_randomized_response", "epsilon": "10"}}
    found, _ = analysis(spec)
    states("G-intro", "accuracy of the best guess of a fair bit at level 10, in percent", 100 * accuracy, 100 / (1 + math.exp(-value(found["ldp"]))), 99.995, digits=3)
    printed("G-intro", "P(|Lap(1/10)| >= 1/2), by an integral", sum(math.exp(-10 * (0.5 + (k + 0.5) / 1e4)) * 10 / 1e4 for k in range(40000)), math.exp(-5))
    variance = figures(release_of(1, {"type": "counts", "of": [["a0"]], "noise": {"laplace": "1/10"}}))["mean squared error of a number, at most"]
    bounds("G-intro", "variance of this noise", sum(k * k * p for k, p in loops.laplace(1 / 10).items()), variance, ">=")


def workload_levels(queries, people):
    """(squared Delta, squared Delta_0): largest squared distances of answers of all people, and of people that differ in one bit."""
    answers = {x: [q(x) for q in queries] for x in people}
    def apart(x, y):
        return sum((a - b)**2 for a, b in zip(answers[x], answers[y]))
    return (max(apart(x, y) for x, y in product(people, repeat=2)),
            max(apart(x, y) for x, y in product(people, repeat=2) if sum(a != b for a, b in zip(x, y)) == 1))


def partial_section_4():
    for d, k in ((4, 2), (4, 3), (5, 2)):
        people = list(product((0, 1), repeat=d))
        sets = list(combinations(range(d), k))
        whole, one = workload_levels([lambda x, s=s: int(all(x[i] for i in s)) for s in sets], people)
        found = ledger(release_of(d, {"type": "counts", "where": [{"is": {f"a{i}": "1" for i in s}} for s in sets], "noise": {"gaussian": "4"}}))
        states("G-4.1", f"rho of a person, all conjunctions of {k} of {d} bits, variance 4", whole / 8, number(found["a person"]["rho"]))
        states("G-4.1", f"rho of a bit, all conjunctions of {k} of {d} bits", one / 8, number(found["a0"]["rho"]))
        printed("G-4.1", f"squared Delta for {d}, {k}", whole, math.comb(d, k))
        printed("G-4.1", f"squared Delta_0 for {d}, {k}", one, math.comb(d - 1, k - 1))
        states("G-4.1", f"epsilon/epsilon_0 for {d}, {k}", math.sqrt(whole / one), math.sqrt(number(found["a person"]["rho"]) / number(found["a0"]["rho"])), f"sqrt({d}/{k})")
    for d, k, stated in ((3, 2, "3: false"), (4, 3, 4), (8, 2, "28: false")):
        people = list(product((0, 1), repeat=d))
        sets = list(combinations(range(d), k))
        pairs = [(people[0], x) for x in people]  # parities are linear: only the difference counts
        whole = max(sum((sum(x[i] for i in s) - sum(y[i] for i in s)) % 2 for s in sets) for x, y in pairs)
        found = ledger(release_of(d, {"type": "counts", "parities": {"ways": k}, "noise": {"gaussian": "4"}}))
        states("G-4.1", f"squared Delta, all parities of {k} of {d} bits", whole, 8 * number(found["a person"]["rho"]), stated)


def figures(document, *arguments):
    return {figure["what"]: figure["value"] for figure in run_on(document, "release", None, "--plan", *arguments, ending=".release.json")["steps"][0]["plan"]}


def partial_theorem_11():
    d, variance = 6, 10
    marginals = release_of(d, {"type": "counts", "of": {"ways": 2}, "noise": {"gaussian": "10"}, "consistent": True})
    cells, changed = 4 * math.comb(d, 2), 2 * math.comb(d, 2)
    for people in (5, 100, 100000):
        sigma, delta = math.sqrt(variance) / people, math.sqrt(changed)
        expected = min(sigma**2, sigma * delta * math.sqrt(2 * d * math.log(2)) / cells)
        found = figures(marginals, "--people", str(people))["mean squared error of a consistent count, at most"]
        states("G-(2)", f"(2) for two-way tables of {d} bits, {people} people, in squared counts", expected * people**2, found, up_to=1e-6)
    found = figures(marginals, "--error", "1/20")["people for consistent counts with that error"]
    slope = math.sqrt(variance) * math.sqrt(changed) * math.sqrt(2 * d * math.log(2)) / cells
    states("G-Tab1", "first line with constants: people for error 1/20", math.ceil(min(math.sqrt(variance) * 20, slope * 400)), found)
    rho = number(ledger(marginals)["a0"]["rho"])
    states("G-T11p", "rho of a bit of these tables", 2 * (d - 1) / (2 * variance), rho)


def partial_theorem_12():
    rounds, epsilon, people = 1000, 0.5, 100000
    step = {"type": "mwem", "of": {"ways": 2}, "rounds": rounds, "epsilon_0": "1/2", "fit": "round"}
    found = figures(release_of(3, step), "--people", str(people))["expected largest error of a fitted count, as a fraction of all people, at most"]
    queries, records = 12, 8
    inequality = (math.sqrt(2 * rounds / (people * epsilon)**2 + 4 * math.log(records) / rounds) + math.sqrt(2 * rounds) / (epsilon * people) * math.log(queries))
    states("G-(3), T", "right side of (3), one query in a round", inequality, found, up_to=1e-4)
    bounds("G-(3), T", "which the program's bound includes", inequality, found, ">=")
    for together in (1, 2):
        lines_of = ledger(release_of(4, {**step, "of": {"ways": 1}, "together": together, "rounds": 10}))
        states("G-T12p", f"rho of a bit, {together} queries in a round: epsilon_0^2/2", epsilon**2 / 2, number(lines_of["a0"]["rho"]), 0.125, up_to=1e-3)
        states("G-T12p", f"rho of a person, {together} queries in a round: epsilon_0^2 (l^2 + l)/4", epsilon**2 * (together**2 + together) / 4, number(lines_of["a person"]["rho"]),
               f"at most {(together * epsilon)**2 / 2}", up_to=1e-3)


def partial_heavy_hitters():
    share, epsilon, attributes = 0.1, 1.0, 4
    step = {"type": "heavy_hitters", "attributes": [f"a{i}" for i in range(attributes)], "epsilon": "1", "share": "1/10"}
    found = run_on(release_of(attributes, step), "release", None, "--plan", ending=".release.json")
    scale = float(re.search(r"tests with Laplace noise of scale ([0-9.]+)", found["steps"][0]["what"]).group(1))
    margin = math.ceil(scale * math.log(16 / share))
    eta = 0.05
    people = (16 * margin * math.log(attributes) + 16 * scale * math.log(attributes / (eta * share))) / share
    plan = {figure["what"]: figure["value"] for figure in found["steps"][0]["plan"]}
    states("G-L30,T15", "people by Lemma 30, with the program's noise", math.ceil(people), plan["people who are enough to list every such combination with probability 0.975"])
    scales = [Fraction(20), Fraction(7, 2)]
    for one, size in ((scales[0], 150), (scales[1], 6)):
        tests = {**step, "scale": str(one), "margin": size, "threshold": 5}
        del tests["epsilon"], tests["share"]
        loss = number(ledger(release_of(attributes, tests))["a0"]["pure"])
        b = float(one)
        bounds("G-L28,29", f"loss of a bit, scale {one}, margin {size}: within Lemma 28", 2 / b * (1 + 1 / (1 - math.exp(-size / b))), loss)
        bounds("G-L28,29", f"loss of a bit, scale {one}, margin {size}: within (2 + 1/(1 - e^(-mu/lambda)))/lambda", (2 + 1 / (1 - math.exp(-size / b))) / b, loss)
    bounds("G-L28,29", "loss of a bit at epsilon 1", epsilon, number(ledger(release_of(attributes, step))["a0"]["pure_at_most"]))
    printed_noise = ledger(f"{RELEASES}/hitters-as-printed.release.json")["a"]
    states("G-T15p", "loss with the printed noise for epsilon = 1: at most 5/3", 5 / 3, number(printed_noise["pure"]), "at most 1")
    factor = 2 / 3 * (1 + 1 / (1 - 0.1 / 16))
    printed("G-T15p", "2/lambda (1 + 1/(1 - e^(-mu/lambda))) for lambda = 3, nu = 1/10; printed as at most 1/2", factor, 1.3375, 4)


def partial_section_7():
    for file, wanted in (("census-2020-persons", {"a person": (2.56, ((1e-10, 17.14, 2),)), "race, ethnicity": (1.02, ((1e-6, None, None),))}),
                         ("census-2020", {"a person": (2.63, ((1e-6, 13.8, 1),)), "occupied": (0.07, ((1e-10, 2.47, 2),))})):
        with open(os.path.join(ROOT, RELEASES, f"{file}.release.json"), encoding="utf-8") as release:
            steps = json.load(release)["steps"]
        found = ledger(f"{RELEASES}/{file}.release.json")
        for who, (rho, at) in wanted.items():
            def reads(step, who=who):
                return who == "a person" or set(step["attributes"]) & set(who.split(", "))
            ours = float(sum(eval_rho(step["rho"]) for step in steps if reads(step)))
            states("G-S7", f"{file}: rho of {who}", ours, number(found[who]["rho"]), rho, digits=2)
            for delta, epsilon, digits in at:
                program = next(one["epsilon"] for one in found[who]["at"] if number(one["delta"]) == delta)
                published = {} if epsilon is None else {"published": epsilon, "digits": digits}
                states("G-S7", f"{file}: epsilon of {who} at delta {delta}", loops.epsilon_of(ours, delta), number(program), up_to=2e-5, **published)
    declared = release_of(1, {"type": "declared", "name": "x", "attributes": ["a0"], "rho": "1.02"})
    states("G-S7", "epsilon for the rounded rho = 1.02 at delta 1e-6", loops.epsilon_of(1.02, 1e-6), number(ledger(declared)["a0"]["at"][0]["epsilon"]), "7.85: not attained", up_to=1e-5)
    printed("G-S7", "17.14 and 2.47 compose to", 17.14 + 2.47, 19.61)


def eval_rho(stated):
    square = re.fullmatch(r"\((\d+)/(\d+)\)\^2", stated)
    return Fraction(int(square.group(1)), int(square.group(2)))**2 if square else Fraction(stated)


def partial_properties():
    bits, scale = 3, 4
    found = ledger(release_of(bits, *[{"type": "counts", "of": [[f"a{i}"]], "noise": {"laplace": str(scale)}} for i in range(bits)]))
    loss = 2 / scale
    for i in range(bits):
        states("G-L9, L10", f"loss of a{i}, a table for each bit", loss, number(found[f"a{i}"]["pure"]))
    states("G-P8", "loss of a person: d epsilon_0", bits * loss, number(found["a person"]["pure"]), "at most 1.5")
    rho = number(found["a person"]["rho"])
    epsilon = next(number(one["epsilon"]) for one in found["a person"]["at"])
    bounds("G-P8", "epsilon at delta 1e-6 within the printed conversion", rho + 2 * math.sqrt(rho * math.log(1e6)), epsilon)
    noise = loops.laplace(scale)
    reach = range(-300, 301)
    p, q = [noise.get(k, 0) for k in reach], [noise.get(k - 1, 0) for k in reach]
    orders = [1.0001, 1.5, 2, 3, 10]
    bounds("G-D2,3", "divergence over the order, of a count that changes by 1, within the ledger's rho of a count", number(found["a0"]["rho"]) / 2,
           max(loops.renyi(p, q, a) / a for a in orders))
    response = [1 / (1 + math.exp(-1 / scale)), 1 / (1 + math.exp(1 / scale))]
    states("G-D2,3", "rho of a loss of 1/4: the limit at order 1, for two outputs", sum(a * math.log(a / b) for a, b in zip(response, response[::-1])), number(found["a0"]["rho"]) / 2)
    belief = max(p * r / (p * r + 1 - p) - p for p in (k / 2000 for k in range(1, 2000)) for r in (math.exp(2 * loss),))
    bounds("G-P26", "largest move of a belief if odds change by e^(2 loss)", number(found["a0"]["belief_moves_at_most"]), belief)
    states("G-P26", "which is tanh(loss/2)", math.tanh(loss / 2), number(found["a0"]["belief_moves_at_most"]), up_to=1e-5)
    states("G-P27", "bits of a0: rho/log 2", number(found["a0"]["rho"]) / math.log(2), number(found["a0"]["bits_at_most"]), up_to=1e-5)
    rows = [[noise[y - x] for y in range(-200, 202)] for x in (0, 1)]
    mean = [(a + b) / 2 for a, b in zip(*rows)]
    information = sum(row[y] / 2 * math.log2(row[y] / mean[y]) for row in rows for y in range(len(mean)) if row[y] > 0)
    bounds("G-P27", "information of one noisy count about a bit, within its ledger's bits", number(found["a0"]["bits_at_most"]), information)


STATEMENTS = [bcdp_example_1, bcdp_example_2, bcdp_tests, bcdp_post_processing, bcdp_propositions_4_and_6, bcdp_theorem_2, bcdp_mechanism_3, context_binary, context_tests,
              context_composition, context_hadamard, context_families, context_section_7, partial_introduction, partial_section_4, partial_theorem_11,
              partial_theorem_12, partial_heavy_hitters, partial_section_7, partial_properties]


def main():
    program.use(sys.argv[1])
    for one in STATEMENTS:
        one()
    if sys.argv[2:] == ["--json"]:
        print(json.dumps(lines))
        return 1 if failures else 0
    widths = [max(len(line[i]) for line in lines) for i in range(6)]
    for line in [["paper", "item", "statement", "printed", "loops", "program"]] + lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    print(f"{len(lines)} statements, {len({line[1] for line in lines})} items")
    print("\n".join(failures), end="\n" if failures else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
