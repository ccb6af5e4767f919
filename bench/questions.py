#!/usr/bin/env python3
"""Questions that sum over outputs: questions.py ODDSBOUND.

Each row is one run of the program: its answer, processor time and peak memory. The answer is compared with a value that
this script computes in another way (`expected`); a wrong one ends the script with an error. If Google's dp_accounting can
be imported, the last columns have the two ends that it computes in doubles, and its time."""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
TINY = bool(os.environ.get("ODDSBOUND_BENCH_TINY"))
try:
    from dp_accounting.pld import privacy_loss_distribution as accounting
except ImportError:
    accounting = None


# Starts a program from a small process, because Linux counts the memory of the process that forks.
WRAPPER = """
import json, os, sys
_, status, used = os.wait4(os.spawnv(os.P_NOWAIT, sys.argv[2], sys.argv[2:]), 0)
json.dump([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024], open(sys.argv[1], "w"))
sys.exit(os.waitstatus_to_exitcode(status))
"""


def spec(mechanism, size=2, **more):
    return {"oddsbound": 1, "name": "question", "domain": [{"name": "x", "size": size}], "mechanism": mechanism, **more}


def run(program, folder, command, specs, *options):
    """The JSON that the program prints, its processor seconds and its peak memory in MB."""
    paths = []
    for i, one in enumerate(specs):
        paths.append(one if isinstance(one, str) else os.path.join(folder, f"{i}.json"))
        if not isinstance(one, str):
            with open(paths[-1], "w", encoding="utf-8") as file:
                json.dump(one, file)
    use = os.path.join(folder, "use")
    done = subprocess.run([sys.executable, "-c", WRAPPER, use, program, command, *paths, *options, "--format", "json"],
                          stdout=subprocess.PIPE, check=False)
    if done.returncode > 1:
        raise SystemExit(f"{command} {options}: exit status {done.returncode}")
    with open(use, encoding="utf-8") as file:
        return json.loads(done.stdout), *json.load(file)


def bounds(found):
    """The two ends of a value in the JSON."""
    return float(found["lower"]), float(found["upper"])


def compose(specs, times, epsilon):
    def ask(program, folder):
        found, seconds, memory = run(program, folder, "compose", specs, "--times", times, "--epsilon", epsilon)
        return bounds(found["delta_at_epsilon"]), seconds, memory
    return ask


def claim(one, notion, **levels):
    def ask(program, folder):
        asked = dict(one, claims=[{"notion": notion, **levels}])
        found, seconds, memory = run(program, folder, "verify", [asked])
        return bounds(found["specs"][0]["claims"][0]["actual"]), seconds, memory
    return ask


def estimate(one, samples):
    def ask(program, folder):
        found, seconds, memory = run(program, folder, "estimate", [one], "--samples", str(samples))
        error = found["mean_squared_error"]
        return bounds(error), seconds, memory
    return ask


def delta_of_answers(odds, times, threshold):
    """Delta of randomized response: odds are e^epsilon of one answer, threshold e^epsilon of the question. Exact if both are
    fractions."""
    keep = odds / (odds + 1)
    total = 0
    a, b = keep.numerator, keep.denominator - keep.numerator
    for heads in range(times + 1):
        p = a**heads * b**(times - heads)
        q = b**heads * a**(times - heads)
        if p > threshold * q:
            total += math.comb(times, heads) * (p - threshold * q)
    return total / keep.denominator**times


def accountant_of(parts, epsilon):
    """parts: (probability of the truth, times). The ends of delta in dp_accounting, and its seconds."""
    if accounting is None:
        return "", ""
    start, ends = time.process_time(), []
    for pessimistic in (False, True):
        composed = None
        for keep, times in parts:
            one = accounting.from_randomized_response(2 * (1 - keep), 2, pessimistic_estimate=pessimistic)
            one = one.self_compose(times)
            composed = one if composed is None else composed.compose(one)
        ends.append(composed.get_delta_for_epsilon(epsilon))
    return f"{ends[0]:.6g} to {ends[1]:.6g}", f"{time.process_time() - start:.1f} s"


def response(level, **more):
    return {"type": "k_randomized_response", "epsilon": level, **more}


def bloom_filter(bits, values):
    """RAPPOR (f = 1/2, p = 1/2, q = 3/4), two bits for each value, another pair for every value."""
    pairs = sorted(random.Random(bits).sample([(a, b) for a in range(bits) for b in range(a)], values))
    parts = [{"type": "cases", "outputs": ["0", "1"], "cases": [
        {"when": {"x": [str(v) for v, pair in enumerate(pairs) if bit in pair]}, "then": {"1": "11/16", "0": "5/16"}},
        {"when": {}, "then": {"1": "9/16", "0": "7/16"}}]} for bit in range(bits)]
    return spec({"type": "compose", "mechanisms": parts}, values)


def longitudinal_unary(values):
    """L-OSUE (Arcolezi et al., 2022): a unary encoding at epsilon 3 whose bits are answered again; one report has 1."""
    return spec({"type": "memoized", "times": 1, "permanent": {"type": "unary_encoding", "epsilon": "3"},
                 "report": {"type": "per_coordinate", "mechanisms": {"*": {
                     "type": "matrix", "outputs": ["0", "1"], "rows": [["t", "1-t"], ["1-t", "t"]]}}}},
                values, parameters={"e": "exp(3)", "a": "exp(1)", "t": "(1-a*e)/(a-e-a*e+1)"})


def error_of_bits(values, samples):
    """The summed error of the usual estimates of longitudinal_unary, one from each bit, for equally likely values."""
    e, a = math.exp(3), math.exp(1)
    truth = (1 - a * e) / (a - e - a * e + 1)
    own, other = 1 / 2, (truth + e * (1 - truth)) / (1 + e)
    mean = (own + (values - 1) * other) / values
    return values * mean * (1 - mean) / (own - other)**2 / samples


def house_votes():
    folder = os.path.join(HERE, "../specs/gallery")
    with open(os.path.join(folder, "house-votes.json"), encoding="utf-8") as file:
        votes = json.load(file)
    votes["prior"]["file"] = os.path.abspath(os.path.join(folder, votes["prior"]["file"]))
    return votes


def questions():
    """(question, ask, expected, parts and epsilon for dp_accounting): the small ones first. A callable `expected` is
    called with both ends."""
    answers = [spec(response("log(3)"))]
    for times, power in ((100, 67), (1000, 554), (10000, 5173)):
        yield (f"{times:,} answers at log(3): delta at {power} log(3)", compose(answers, str(times), f"{power}*log(3)"),
               float(delta_of_answers(Fraction(3), times, Fraction(3)**power)), ([(0.75, times)], power * math.log(3)))
        if TINY:
            break
    e14, e = math.exp(14), math.exp(1)
    report = spec(response("14"), 2925, prior={"type": "uniform"})
    yield ("k-randomized response, 2,925 values at 14: delta at 1", claim(report, "approximate_dp", epsilon="1", delta="0"),
           (e14 - e) / (2924 + e14), None)
    own, other = e14 / (2924 + e14), 1 / (2924 + e14)
    yield ("the same: information in nats", claim(report, "information", epsilon="0"),
           math.log(2925) + own * math.log(own) + 2924 * other * math.log(other), None)
    yield ("k-randomized response, 4,294,967,295 values at 1: delta at 1/2",
           claim(spec(response("1"), 4294967295), "approximate_dp", epsilon="1/2", delta="0"),
           (e - math.exp(0.5)) / (4294967294 + e), None)
    yield ("unary encoding of 1,028 values at 2: ldp",
           claim(spec({"type": "unary_encoding", "epsilon": "2"}, 1028), "ldp", epsilon="2"), 2, None)
    yield ("local hashing of 2,000 values at 2: ldp",
           claim(spec({"type": "optimized_local_hashing", "epsilon": "2"}, 2000), "ldp", epsilon="2"), 2, None)
    usual = error_of_bits(16, 1000)
    yield ("two unary encodings in a row, 16 values: error of 1,000 reports", estimate(longitudinal_unary(16), 1000),
           lambda lower, upper: 0.9 * usual < lower and upper < usual, None)
    if TINY:
        return
    yield ("1,000 answers at log(21/19): delta at 30", compose([spec(response("log(21/19)"))], "1000", "30"),
           1.9583514844058823e-16, ([(21 / 40, 1000)], 30))
    different = [spec(response(f"log(1+{k}/100)")) for k in range(1, 101)]
    parts = [((1 + k / 100) / (2 + k / 100), 1) for k in range(1, 101)]
    yield ("a hundred answers at log(1.01) to log(2): delta at 10", compose(different, ",".join(["1"] * 100), "10"),
           lambda lower, upper: (upper - lower) / upper < 1e-3, (parts, 10))
    noise = {"type": "discrete_gaussian_truncated", "variance": "100", "least": -40, "greatest": 41}
    yield ("10,000 counts with discrete Gaussian noise of variance 100: delta at 30", compose([spec(noise)], "10000", "30"),
           lambda lower, upper: (upper - lower) / upper < 1e-6, None)
    yield ("House votes, 43 million outputs: delta of the party at 1",
           claim(house_votes(), "approximate_bcdp", coordinate="party", epsilon="1", delta="0"), 0.428627644320, None)
    yield ("House votes: information about the party in nats",
           claim(house_votes(), "information", coordinate="party", epsilon="0"), 0.257424462701, None)
    for bits, values in ((16, 60), (32, 100)):
        yield (f"a Bloom filter of {bits} bits, {values} values: error of 1,000 reports",
               estimate(bloom_filter(bits, values), 1000), None, None)


def main():
    program = os.path.abspath(sys.argv[1])
    print("| question | answer | time | memory | dp_accounting | its time |\n| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for question, ask, expected, compared in questions():
            (lower, upper), seconds, memory = ask(program, folder)
            if callable(expected):
                right = lower <= upper and expected(lower, upper)
            else:  # `expected` is a double: its last digits are rounded
                right = expected is None or lower <= expected * (1 + 1e-10) and expected * (1 - 1e-10) <= upper
            if not right:
                raise SystemExit(f"{question}: {lower} to {upper}, expected {expected}")
            answer = f"{lower:.10g}" if f"{lower:.10g}" == f"{upper:.10g}" else f"{lower:.8g} to {upper:.8g}"
            ends, theirs = accountant_of(*compared) if compared else ("", "")
            print(f"| {question} | {answer} | {seconds:.2f} s | {memory:.0f} MB | {ends} | {theirs} |", flush=True)


if __name__ == "__main__":
    main()
