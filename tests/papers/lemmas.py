"""Definition 4 and Lemmas 7 and 22 to 25 of the partial-DP paper, on random small cases, by plain loops.

lemmas.py BINARY [--seed S]; prints what does not hold. The program decides Definition 4 and Lemma 7 for random levels on random graphs of
records. Lemmas 22 to 25 are about learning with public labels: nothing of the program runs, except that its spec for halfspaces rests on them.
"""
import math
import os
import random
import sys
from fractions import Fraction
from itertools import product

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import loops  # noqa: E402
import program  # noqa: E402

failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)


# Definition 4 and Lemma 7

def verdicts(spec):
    return [claim["verdict"] for claim in program.run_on(spec, "verify", None)["specs"][0]["claims"]]


def log_text(odds):
    return "inf" if odds == math.inf else f"log({odds})"


def graph_of_records(source):
    """Random rows, a random connected graph on four records, and as the weight of an edge the largest loss between its ends."""
    rows = []
    for _ in range(4):
        parts = [source.randint(1, 6) for _ in range(3)]
        rows.append([Fraction(part, sum(parts)) for part in parts])
    edges = {(i, source.randrange(i)) for i in range(1, 4)} | {(3, source.randrange(3))}
    odds = [[Fraction(1) if i == j else math.inf for j in range(4)] for i in range(4)]
    for a, b in edges:
        odds[a][b] = odds[b][a] = max(max(p / q, q / p) for p, q in zip(rows[a], rows[b]))
    products = [list(row) for row in odds]  # lengths of paths, as products of odds
    for k, i, j in product(range(4), repeat=3):
        if math.inf not in (products[i][k], products[k][j]):
            products[i][j] = min(products[i][j], products[i][k] * products[k][j])
    distances = [[math.log(o) for o in row] for row in products]
    true = [[max(p / q for p, q in zip(rows[i], rows[j])) for j in range(4)] for i in range(4)]
    expect(all(loops.level_of_pairs(rows, [(i, j)]) <= distances[i][j] + 1e-12 for i in range(4) for j in range(4)), "Lemma 7: a pair has more than its distance")
    spec = {"oddsbound": 1, "name": "graph", "domain": [{"name": "record", "values": list("abcd")}],
            "mechanism": {"type": "matrix", "outputs": 3, "rows": [[str(p) for p in row] for row in rows]}}
    levels = {"edges": odds, "distances": products, "true levels": true}
    claims = [{"name": name, "notion": "context_ldp", "epsilon": [[log_text(o) if i != j else "0" for j, o in enumerate(row)] for i, row in enumerate(own)]}
              for name, own in levels.items()]
    worst = max(((i, j) for i, j in product(range(4), repeat=2) if i != j), key=lambda pair: true[pair[0]][pair[1]])
    less = [list(row) for row in true]
    less[worst[0]][worst[1]] *= Fraction(999, 1000)
    claims.append({"name": "less for one pair", "notion": "context_ldp", "epsilon": [[log_text(o) if i != j else "0" for j, o in enumerate(row)] for i, row in enumerate(less)]})
    # Two records: an answer about each, and a table's level is that of the record that differs.
    two = {**spec, "domain": [{"name": f"{r}.record", "values": list("abcd")} for r in (1, 2)],
           "mechanism": {"type": "per_coordinate", "mechanisms": {f"{r}.record": spec["mechanism"] for r in (1, 2)}}}
    tables = list(product(range(4), repeat=2))

    def on_tables(own):
        def of(x, y):
            changed = [k for k in (0, 1) if x[k] != y[k]]
            return "0" if not changed else "inf" if len(changed) == 2 else log_text(own[x[changed[0]]][y[changed[0]]])
        return {"notion": "context_ldp", "epsilon": [[of(x, y) for y in tables] for x in tables]}

    def of_record(own, r):
        matrix = [[log_text(o) if i != j else "0" for j, o in enumerate(row)] for i, row in enumerate(own)]
        return {"notion": "context_ldp", "epsilon": {"matrix": matrix, "of": [f"{r}.record"]}}
    expect(verdicts({**spec, "claims": claims}) == ["holds"] * 3 + ["refuted"], f"Lemma 7 on one record: {[[str(p) for p in row] for row in rows]}")
    expect(verdicts({**two, "claims": [on_tables(own) for own in (odds, products, less)]}) == ["holds", "holds", "refuted"], "Definition 4 on two records")
    by_record = [of_record(own, r) for own in (odds, products, less) for r in (1, 2)]
    expect(verdicts({**two, "claims": by_record}) == ["holds"] * 4 + ["refuted"] * 2, "Definition 4 on two records, record by record")


# Lemmas 22 to 25. A halfspace is the list of its labels of all points; labels are -1 and 1.

def labels_of(weights, points):
    return tuple(1 if sum(w * x for w, x in zip(weights, point)) >= 0 else -1 for point in points)


class Cube:
    def __init__(self, d):
        self.d, self.points = d, list(product((-1, 1), repeat=d))
        self.at = {point: k for k, point in enumerate(self.points)}
        self.known = {}

    def distance(self, k, y, h):
        """The least number of flips after which h does not answer y; d + 1 if it always does."""
        if (k, y, h) not in self.known:
            x = self.points[k]
            self.known[k, y, h] = min([sum(a != b for a, b in zip(x, z)) for z, label in zip(self.points, h) if label != y], default=self.d + 1)
        return self.known[k, y, h]

    def robust_error(self, h, sample, flips):
        """The fraction of the weights of (point, label) that `flips` flips may put on the wrong side."""
        return Fraction(sum(w for (k, y), w in sample.items() if self.distance(k, y, h) <= flips), sum(sample.values()))

    def loss(self, h, k, y, outer, inner):
        return min(max(Fraction(outer - self.distance(k, y, h), outer - inner), Fraction(0)), Fraction(1))


def random_sample(cube, size, source):
    sample = {}
    for _ in range(size):
        one = (source.randrange(len(cube.points)), source.choice((-1, 1)))
        sample[one] = sample.get(one, 0) + 1
    return sample


def chosen(cube, planes, sample, outer, inner, epsilon):
    """The exponential mechanism of Lemma 22: masses of the planes, and the summed loss of each. outer = gamma d, inner = gamma' d."""
    sums = [float(sum(n * cube.loss(h, k, y, outer, inner) for (k, y), n in sample.items())) for h in planes]
    weights = [math.exp(-epsilon * (outer - inner) / 2 * (s - min(sums))) for s in sums]
    return [w / sum(weights) for w in weights], sums


def lemma_22(source):
    d = 4
    cube = Cube(d)
    planes = sorted({labels_of([source.randint(-3, 3) for _ in range(d)], cube.points) for _ in range(12)})
    for inner, outer in ((0, 1), (0, 2), (1, 3), (2, 4)):
        for h, x, y in product(planes, cube.points, (-1, 1)):
            for i in range(d):
                other = x[:i] + (-x[i],) + x[i + 1:]
                apart = cube.loss(h, cube.at[x], y, outer, inner) - cube.loss(h, cube.at[other], y, outer, inner)
                expect(abs(apart) <= Fraction(1, outer - inner), "Lemma 22: a flip changes the loss by more than 1/((gamma - gamma') d)")
        sample = random_sample(cube, 5, source)
        epsilon = source.choice((0.5, 1.0, 3.0))
        for h in planes:
            mean = sum(n * cube.loss(h, k, y, outer, inner) for (k, y), n in sample.items()) / 5
            expect(cube.robust_error(h, sample, inner) <= mean <= cube.robust_error(h, sample, outer), "Lemma 22: the loss is not between the two robust errors")
        masses, sums = chosen(cube, planes, sample, outer, inner, epsilon)
        excess = sum(p * s for p, s in zip(masses, sums)) - min(sums)
        expect(excess <= 2 * math.log(len(planes)) / (epsilon * (outer - inner)) + 1e-9, "Lemma 22: the excess is above 2 log|H|/(epsilon (gamma - gamma') d)")
        best = min(cube.robust_error(h, sample, outer) for h in planes)
        mean_error = sum(p * cube.robust_error(h, sample, inner) for p, h in zip(masses, planes))
        expect(mean_error <= best + 2 * math.log(len(planes)) / (epsilon * (outer - inner) * 5) + 1e-9, "Lemma 22: the bound on the robust error")
        for (k, y), i in product(list(sample), range(d)):
            x = cube.points[k]
            moved = dict(sample)
            moved[k, y] -= 1
            to = (cube.at[x[:i] + (-x[i],) + x[i + 1:]], y)
            moved[to] = moved.get(to, 0) + 1
            others, _ = chosen(cube, planes, {one: n for one, n in moved.items() if n}, outer, inner, epsilon)
            expect(loops.ldp([masses, others]) <= epsilon + 1e-9, "Lemma 22: a flip of one attribute costs more than epsilon")


WHOLE = 27720  # vectors of length 1 as integers: weights whose absolute values sum to at most 12


def unit(weights):
    length = sum(abs(w) for w in weights)
    return tuple(w * WHOLE // length for w in weights)


def apart(a, b):
    return sum(abs(x - y) for x, y in zip(a, b))


def net_of(vectors, nu):
    """Some of the vectors, so that each has one of these within nu; no two of these are within nu of each other."""
    net = []
    for vector in vectors:
        if all(apart(vector, one) > nu * WHOLE for one in net):
            net.append(vector)
    return net


def lemma_23(source):
    """(4): the best of a net at radius gamma_0 is as good as the best halfspace at gamma_0 + 2 nu, if 2 nu d >= 1."""
    d = 4
    cube = Cube(d)
    vectors = source.sample(sorted({unit(w) for w in product(range(-3, 4), repeat=d) if any(w)}), 250)
    for nu in (Fraction(1, 8), Fraction(1, 4), Fraction(3, 8)):
        net = net_of(vectors, nu)
        expect(len(net) <= (1 + 2 / nu)**d, "Lemma 24: a separated net has more than (1 + 2/nu)^d points")
        tables = {v: labels_of(v, cube.points) for v in vectors}
        for _ in range(40):
            w = source.choice(vectors)
            near = min(net, key=lambda one, w=w: apart(one, w))
            k, y, flips = source.randrange(len(cube.points)), source.choice((-1, 1)), source.choice((0, 1, 2))
            if cube.distance(k, y, tables[w]) > flips + math.floor(2 * nu * d):
                expect(cube.distance(k, y, tables[near]) > flips, "Lemma 23: a point that is robust for w is not for the nearest one of the net")
        sample = random_sample(cube, 6, source)
        best = min(cube.robust_error(h, sample, math.floor(2 * nu * d)) for h in set(tables.values()))
        expect(min(cube.robust_error(tables[one], sample, 0) for one in net) <= best, "Lemma 23, (4)")


def lemma_23_needs_a_flip():
    """With 2 nu d < 1 no flip is available, and the step of the proof fails: d = 2, nu = 1/10."""
    cube, w, near = Cube(2), (Fraction(49, 100), Fraction(51, 100)), (Fraction(51, 100), Fraction(49, 100))
    nu, x = Fraction(1, 10), cube.at[(-1, 1)]
    expect(apart(w, near) <= nu and 2 * nu * 2 < 1, "the example's distance")
    expect(cube.distance(x, 1, labels_of(w, cube.points)) > 0 + math.floor(2 * nu * 2), "the example is robust for w")
    expect(cube.distance(x, 1, labels_of(near, cube.points)) == 0, "the example is on the wrong side of the vector nearby")


def lemma_24_as_printed():
    """max |R_(gamma'+nu)(h; S) - R_(gamma'+2nu)(h; S)|, both on S, is 1 however large S is, if all are two flips from the boundary."""
    cube = Cube(4)
    h = labels_of((1, 1, 1, 1), cube.points)
    sample = {(cube.at[(1, 1, 1, -1)], 1): 1}  # the errors are means: the number of equal people cancels
    expect(cube.robust_error(h, sample, 1) == 0 and cube.robust_error(h, sample, 2) == 1, "the printed difference is not 1")


def lemmas_24_and_25(source):
    """The corrected chain: gamma' on the distribution, gamma' + nu and gamma' + 2 nu on the sample. A fixed halfspace has the same
    mean error on a sample as on the distribution, so the last step needs no margin.

    In place of the paper's generalization bound, which has no constant: the mean of the largest deviation of N averages of n draws
    is at most sqrt(log(N)/(2 n)).
    """
    d, inner, size, epsilon = 5, 0, 60, 1.0
    cube = Cube(d)
    vectors = source.sample(sorted({unit(w) for w in product(range(-2, 3), repeat=d) if any(w)}), 150)
    nu = Fraction(1, d)  # one flip
    planes = sorted({labels_of(v, cube.points) for v in net_of(vectors, nu)})
    everything = sorted({labels_of(v, cube.points) for v in vectors})
    population = random_sample(cube, 30, source)
    labels = source.choice(everything)
    for k in sorted({k for k, _ in population}):  # most people have the label of this halfspace
        population[k, labels[k]] = population.get((k, labels[k]), 0) + 3
    people = [one for one, n in population.items() for _ in range(n)]
    total, deviations, runs = 0.0, 0.0, 12
    true = {h: float(cube.robust_error(h, population, inner)) for h in planes}
    for _ in range(runs):
        sample = {}
        for one in source.choices(people, k=size):
            sample[one] = sample.get(one, 0) + 1
        masses, _ = chosen(cube, planes, sample, inner + 2, inner + 1, epsilon)
        total += sum(p * true[h] for p, h in zip(masses, planes)) / runs
        deviations += max(true[h] - float(cube.robust_error(h, sample, inner + 1)) for h in planes) / runs
    bound = math.sqrt(math.log(len(planes)) / (2 * size))
    expect(deviations <= bound, "Lemma 24: the sample's error at gamma' + nu is too far below the distribution's at gamma'")
    choice = 2 * math.log(len(planes)) / (epsilon * size)
    expect(total <= min(float(cube.robust_error(h, population, inner + 2)) for h in planes) + bound + choice, "Lemma 24, with the corrected proof")
    expect(total <= min(float(cube.robust_error(h, population, inner + 4)) for h in everything) + bound + choice, "Lemma 25, for nu = (gamma - gamma')/4")


def main():
    program.use(sys.argv[1])
    source = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    for _ in range(12):
        graph_of_records(source)
    for _ in range(3):
        lemma_22(source)
        lemma_23(source)
    lemma_23_needs_a_flip()
    lemma_24_as_printed()
    lemmas_24_and_25(source)
    print("\n".join(sorted(set(failures))))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
