"""Levels of printed matrices, by brute force: all corners of the set of matrices that agree with the printed one.

rounded_rows.py BINARY [--specs N] [--seed S]: for random small matrices and tolerances, `verify --row-tolerance` gives
the largest level over the corners as at_most. at_least is the largest of the smallest quotients, and no corner and no
random matrix of the set has a level below it. Verdicts are right for all of these matrices. The deltas of all matrices
are between the bounds of delta.
"""
import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

INFINITE = "infinite"


def corners(printed, tolerance, exact_zeros):
    """The vertices of a row: all entries but one are at a bound."""
    bounds = []
    for p in printed:
        bounds.append((Fraction(0),) if exact_zeros and p == 0 else (max(Fraction(0), p - tolerance), min(Fraction(1), p + tolerance)))
    if any(bound[0] > bound[-1] for bound in bounds):
        return []
    found = set()
    for free in range(len(printed)):
        for others in itertools.product(*(bounds[:free] + bounds[free + 1:])):
            rest = 1 - sum(others)
            if bounds[free][0] <= rest <= bounds[free][-1]:
                found.add(others[:free] + (rest,) + others[free:])
    return sorted(found)


def quotient(p, q):
    """None: the output is impossible on both sides."""
    if p == 0:
        return None if q == 0 else Fraction(0)
    return INFINITE if q == 0 else p / q


def larger(a, b):
    if a is None or b is None:
        return b if a is None else a
    return INFINITE if INFINITE in (a, b) else max(a, b)


def smaller(a, b):
    if a == INFINITE or b == INFINITE:
        return b if a == INFINITE else a
    return min(a, b)


def of(weights, column):
    return sum(w * p for w, p in zip(weights, column))


def odds(matrix, sides):
    """e^level of one matrix of probabilities."""
    found = Fraction(1)
    for first, second in sides:
        for column in zip(*matrix):
            found = larger(found, quotient(of(first, column), of(second, column)))
    return found


def excess(matrix, sides, factor):
    """The delta of one matrix at e^epsilon = factor."""
    return max((sum(max(Fraction(0), of(first, column) - factor * of(second, column)) for column in zip(*matrix)) for first, second in sides),
               default=Fraction(0))


def check_delta(claim, sides, found, matrices, where):
    low, high = (Fraction(found["actual"][end] if end in found["actual"] else found["actual"]["delta"]) for end in ("at_least", "at_most"))
    factor = Fraction(claim["epsilon"][4:-1])
    deltas = [excess(matrix, sides, factor) for matrix in matrices]
    assert low <= min(deltas) and max(deltas) <= high, (where, claim, low, high, min(deltas), max(deltas))
    claimed = Fraction(claim["delta"])
    assert found["verdict"] == ("holds" if high <= claimed else "refuted" if low > claimed else "undecided"), (where, claim)
    return high == max(deltas)


def least_bound(all_rows, sides):
    """The largest over pairs and outputs of the smallest quotient over the corners; at least 1."""
    found = Fraction(1)
    outputs = len(all_rows[0][0])
    for first, second in sides:
        for y in range(outputs):
            least = INFINITE
            entries = [sorted({row[y] for row in rows}) for rows in all_rows]
            for column in itertools.product(*entries):
                least = smaller(least, quotient(of(first, column), of(second, column)) or Fraction(0))
            found = larger(found, least)
    return found


def inside(all_rows, rng):
    """A random matrix of the set: mixtures of corners."""
    matrix = []
    for rows in all_rows:
        weights = [Fraction(rng.randint(0, 5)) for _ in rows]
        if sum(weights) == 0:
            weights[0] = Fraction(1)
        matrix.append(tuple(sum(w * row[y] for w, row in zip(weights, rows)) / sum(weights) for y in range(len(rows[0]))))
    return matrix


def unit(inputs, x):
    return [Fraction(int(z == x)) for z in range(inputs)]


def given(prior, members):
    mass = sum(prior[x] for x in members)
    return [prior[x] / mass if x in members else Fraction(0) for x in range(len(prior))] if mass else None


def pairs_of(sides):
    known = [side for side in sides if side is not None]
    return [pair for pair in itertools.permutations(known, 2)]


def comparisons(claim, tuples, prior):
    """{coordinate or None: pairs of sides}"""
    inputs = len(tuples)
    notion = claim["notion"]
    units = [unit(inputs, x) for x in range(inputs)]
    if notion in ("ldp", "approximate_dp"):
        return {None: pairs_of(units)}
    if notion == "bdp":
        return {None: pairs_of([units[x] for x in range(inputs) if prior[x]])}
    if notion in ("cdp", "partial_dp"):
        found = {}
        for i in range(len(tuples[0])):
            if "x%d" % i not in claim["epsilon"]:
                continue
            found["x%d" % i] = [(units[a], units[b]) for a, b in itertools.permutations(range(inputs), 2)
                                if all((tuples[a][j] != tuples[b][j]) == (i == j) for j in range(len(tuples[0])))]
        return found
    if notion == "bcdp":
        found = {}
        for name in claim["epsilon"]:
            i = int(name[1:])
            others = [j for j in range(len(tuples[0])) if j != i and "x%d" % j in claim.get("known", [])]
            pairs = []
            for known in {tuple(t[j] for j in others) for t in tuples}:
                sides = [given(prior, [x for x in range(inputs) if tuples[x][i] == v and tuple(tuples[x][j] for j in others) == known])
                         for v in sorted({t[i] for t in tuples})]
                pairs += pairs_of(sides)
            found[name] = pairs
        return found
    if notion == "block_ldp":
        blocks = [[tuples.index(tuple(x)) for x in block] for block in claim["blocks"]]
        return {None: [pair for block in blocks for pair in pairs_of([units[x] for x in block])]}
    if notion == "high_low_ldp":
        sensitive = [tuples.index(tuple(x)) for x in claim["sensitive"]]
        return {None: [(units[a], units[b]) for a in sensitive for b in range(inputs) if a != b]}
    everyone = given(prior, range(inputs))
    if "coordinate" in claim:
        i = int(claim["coordinate"][1:])
        labels = [given(prior, [x for x in range(inputs) if tuples[x][i] == v]) for v in sorted({t[i] for t in tuples})]
    else:
        labels = [units[x] for x in range(inputs) if prior[x]]
    labels = [label for label in labels if label is not None]
    if notion == "approximate_bcdp":
        return {None: pairs_of(labels)}
    upper, lower = [(label, everyone) for label in labels], [(everyone, label) for label in labels]
    return {None: {"pointwise_maximal_leakage": upper, "lower_lift": lower, "local_information_privacy": upper + lower}[notion]}


def random_claim(rng, names, tuples):
    notion = rng.choice(["ldp", "ldp", "bdp", "cdp", "bcdp", "bcdp", "partial_dp", "block_ldp", "high_low_ldp", "pointwise_maximal_leakage",
                         "lower_lift", "local_information_privacy", "approximate_dp", "approximate_bcdp"])
    level = lambda: "log(%s)" % Fraction(rng.randint(20, 80), 20) if rng.random() < 0.8 else "log(%d)" % rng.randint(4, 400)
    claim = {"notion": notion, "epsilon": level()}
    if notion in ("cdp", "bcdp", "partial_dp"):
        some = names if notion == "partial_dp" else rng.sample(names, rng.randint(1, len(names)))
        claim["epsilon"] = {name: level() for name in sorted(some)}
        if notion == "bcdp" and len(names) > 1 and len(some) == 1 and rng.random() < 0.5:
            claim["known"] = [name for name in names if name not in some]
    if notion == "block_ldp":
        cut = rng.randint(1, len(tuples) - 1)
        claim["blocks"] = [[list(t) for t in tuples[:cut]], [list(t) for t in tuples[cut:]]]
    if notion == "high_low_ldp":
        claim["sensitive"] = [list(t) for t in rng.sample(tuples, rng.randint(1, len(tuples)))]
    if notion in ("pointwise_maximal_leakage", "lower_lift", "local_information_privacy") and rng.random() < 0.5:
        claim["coordinate"] = rng.choice(names)
    if notion in ("approximate_dp", "approximate_bcdp"):
        claim["delta"] = str(Fraction(rng.randint(0, 100), 100))
    if notion == "approximate_bcdp":
        claim["coordinate"] = rng.choice(names)
    if rng.random() < 0.2:
        claim["expect"] = "refuted"
    return claim


def printed_rows(rng, inputs, outputs, digits):
    rows = []
    for _ in range(inputs):
        weights = [rng.choice([0, 0, 1, 2, 5, 20]) if rng.random() < 0.3 else rng.randint(1, 1000) for _ in range(outputs)]
        if sum(weights) == 0:
            weights[0] = 1
        rows.append([Fraction(round(Fraction(w, sum(weights)) * 10**digits), 10**digits) for w in weights])
    if rng.random() < 0.15:
        rows[-1][0] += Fraction(rng.randint(1, 9), 10**digits)
    return rows


def text_of(value):
    return "inf" if value == INFINITE else value


def bound_of(level, end):
    found = level[end] if end in level else level
    return Fraction(found["exp"]) if found.get("exp", "inf") != "inf" else INFINITE


def check(binary, folder, rng, number, attained):
    sizes = rng.choice([[2], [3], [2, 2], [2, 2]])
    outputs = rng.choice([2, 3]) if len(sizes) > 1 else rng.choice([2, 3, 4])
    tuples = list(itertools.product(*[[str(v) for v in range(size)] for size in sizes]))
    names = ["x%d" % i for i in range(len(sizes))]
    digits = rng.choice([1, 2, 3])
    tolerance = Fraction(1, 10**digits) / rng.choice([1, 2, 3])
    exact_zeros = rng.random() < 0.5
    printed = printed_rows(rng, len(tuples), outputs, digits)
    all_rows = [corners(row, tolerance, exact_zeros) for row in printed]
    counts = [rng.choice([0, 1, 2, 3, 10]) for _ in tuples]
    if sum(counts) == 0:
        counts[0] = 1
    prior = [Fraction(count, sum(counts)) for count in counts]
    claims = [random_claim(rng, names, tuples) for _ in range(4)]
    spec = {"oddsbound": 1, "name": "printed", "domain": [{"name": n, "size": s} for n, s in zip(names, sizes)],
            "prior": {"type": "counts", "counts": counts, "published": True},
            "mechanism": {"type": "matrix", "outputs": outputs, "rows": [[str(p) for p in row] for row in printed]}, "claims": claims}
    path = os.path.join(folder, "spec.json")
    with open(path, "w") as file:
        json.dump(spec, file)
    command = [binary, "verify", path, "--format", "json", "--row-tolerance", str(tolerance)] + ["--exact-zeros"] * exact_zeros
    run = subprocess.run(command, capture_output=True, text=True)
    document = json.loads(run.stdout)
    where = "spec %d: %s" % (number, json.dumps(spec))
    if not all(all_rows):
        assert run.returncode == 2 and ("rows with sum 1 need" in run.stderr or "leaves no row" in run.stderr), where
        return 0
    assert not document.get("errors"), (where, document.get("errors"))
    result = document["specs"][0]
    assert result["row_tolerance"] == {"tolerance": str(tolerance), "exact_zeros": exact_zeros}, where
    matrices = list(itertools.product(*all_rows)) if len(all_rows) * len(all_rows[0]) < 64 else None
    if matrices is None or len(matrices) > 4000:
        matrices = [[rng.choice(rows) for rows in all_rows] for _ in range(1500)]
        complete = False
    else:
        complete = True
    others = [inside(all_rows, rng) for _ in range(20)]
    for claim, found in zip(claims, result["claims"]):
        if "delta" in claim:
            attained.append(check_delta(claim, comparisons(claim, tuples, prior)[None], found, matrices + others, where))
            continue
        sides_of = comparisons(claim, tuples, prior)
        holds, refuted = True, False
        for coordinate, sides in sides_of.items():
            level = found["actual"] if coordinate is None else found["actual"][coordinate]
            low, high = bound_of(level, "at_least"), bound_of(level, "at_most")
            most = Fraction(1)
            for matrix in matrices:
                own = odds(matrix, sides)
                most = larger(most, own)
                assert larger(low, own) == own, (where, claim, own, low)
            for matrix in others:
                own = odds(matrix, sides)
                assert larger(low, own) == own and larger(high, own) == high, (where, claim, own, low, high)
            assert larger(high, most) == high and (not complete or high == most), (where, claim, high, most)
            assert low == least_bound(all_rows, sides), (where, claim, low, least_bound(all_rows, sides))
            claimed = Fraction((claim["epsilon"] if coordinate is None else claim["epsilon"][coordinate])[4:-1])
            holds = holds and larger(high, claimed) == claimed
            refuted = refuted or larger(low, claimed) != claimed
            witness = level["witness"]
            if low != 1:
                assert quotient(Fraction(witness["p_from"]), Fraction(witness["p_to"])) == low, (where, claim, witness)
        assert found["verdict"] == ("holds" if holds else "refuted" if refuted else "undecided"), (where, claim, found["verdict"])
    return 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--specs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    attained = []
    with tempfile.TemporaryDirectory() as folder:
        checked = sum(check(arguments.binary, folder, rng, number, attained) for number in range(arguments.specs))
    print("%d of %d printed matrices: every level and verdict as over all corners; the others were refused. %d of %d largest deltas are attained"
          % (checked, arguments.specs, sum(attained), len(attained)))
    assert checked > arguments.specs // 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
