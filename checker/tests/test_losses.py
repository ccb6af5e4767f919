"""Loss distributions of parts against sums over all outputs."""
import json
import pathlib
import random
import tempfile
import unittest
from fractions import Fraction
from itertools import product
from math import prod
from unittest import mock

from oddsbound_check import loss_bounds, losses
from oddsbound_check.decimals import Arithmetic
from oddsbound_check.exact import Exact
from oddsbound_check.losses import Losses, powered
from oddsbound_check.notions import compared_by
from oddsbound_check.proofs import by_losses, divergences
from oddsbound_check.proofs.brute_force import Measure, excess
from oddsbound_check.proofs.divergences import Cumulant
from oddsbound_check.outputs import row_of
from oddsbound_check.report import NotProved, Rejected
from oddsbound_check.spec import read_spec

EXP = Exact.exp(1)


def random_row(r, outputs, zeros):
    weights = [0 if r.random() < zeros else r.randint(1, 6) for _ in range(outputs)]
    weights[r.randrange(outputs)] += 1
    return [Fraction(w, sum(weights)) for w in weights]


def random_pairs(r, zeros=0.25):
    """Up to three pairs of rows with how often each occurs, such that outputs can be enumerated."""
    pairs = []
    for _ in range(r.randint(1, 3)):
        outputs = r.randint(1, 3)
        pairs.append((random_row(r, outputs, zeros), random_row(r, outputs, zeros), r.randint(1, 2)))
    return pairs


def enumerated(pairs):
    """(P(y), Q(y)) of all outputs of all parts."""
    parts = [list(zip(p, q)) for p, q, count in pairs for _ in range(count)]
    return [(prod(p for p, _ in y), prod(q for _, q in y)) for y in product(*parts)]


def delta(pairs, factor):
    return sum((max(Fraction(0), p - factor * q) for p, q in enumerated(pairs)), Fraction(0))


def composed(pairs):
    whole = Losses({(1, 1): (Fraction(1), 1)}, Fraction(0))
    for p, q, count in pairs:
        whole = whole.times(powered(Losses.of(p, q), count, Losses.times))
    return whole


class Deltas(unittest.TestCase):
    def test_composed_losses_are_those_of_all_outputs(self):
        r = random.Random(1)
        for _ in range(200):
            pairs = random_pairs(r)
            for factor in (Fraction(0), Fraction(1), Fraction(r.randint(1, 9), r.randint(1, 4))):
                self.assertEqual(composed(pairs).excess(factor), delta(pairs, factor), pairs)

    def test_exponentials(self):
        p, q = [EXP / (EXP + 1), 1 / (EXP + 1)], [1 / (EXP + 1), EXP / (EXP + 1)]
        self.assertTrue(composed([(p, q, 2)]).excess(EXP) == (EXP * EXP - EXP) / ((EXP + 1) * (EXP + 1)))
        self.assertTrue(composed([(p, q, 3)]).excess(EXP * EXP * EXP) == 0)
        self.assertEqual(len(composed([(p, q, 40)]).atoms), 41)

    def test_bounds_enclose_the_sum(self):
        r, near = random.Random(2), 0
        for _ in range(120):
            pairs, factor = random_pairs(r), Fraction(r.randint(2, 9), r.randint(1, 3))
            parts, true = [(Losses.of(p, q), count) for p, q, count in pairs], delta(pairs, factor)
            for bits, fineness, most, tail in ((60, 3, 2, 1 << 50), (80, 6, 40, 0)):
                low, high = loss_bounds.at_least(parts, factor, bits, most), loss_bounds.at_most(parts, factor, bits, fineness, tail)
                self.assertTrue(low <= true <= high, f"{pairs}, {factor}: {float(low)} {float(true)} {float(high)}")
            near += high - low < Fraction(1, 50)
        self.assertGreater(near, 100)

    def test_bounds_of_a_power_that_is_known(self):
        """Randomized response, P(keep) = 21/40: 1,000 runs at epsilon 18."""
        keep, lie = Fraction(21, 40), Fraction(19, 40)
        one = Losses.of([keep, lie], [lie, keep])
        true = composed([([keep, lie], [lie, keep], 100)]).excess(Fraction(27, 10))
        self.assertAlmostEqual(float(true), 0.1274850431407157, 15)
        for parts, factor, value in (([(one, 100)], Fraction(27, 10), true), ([(one, 1000)], Exact.exp(18), Fraction("7.605553477e-6")),
                                     ([(one, 1000)], Exact.exp(30), Fraction("1.958351484e-16"))):
            low, high = loss_bounds.at_least(parts, factor, 160, 1100), loss_bounds.at_most(parts, factor, 160, 1, 0)
            for bound in (low, high):
                self.assertLess(abs(bound / value - 1), Fraction(1, 10**8))
            self.assertLessEqual(low, high)

    def test_bounds_decide_nothing_that_is_false(self):
        """More ratios than the coarse bounds keep."""
        r = random.Random(6)
        for _ in range(3):
            rows = [(random_row(r, 3, 0), random_row(r, 3, 0)) for _ in range(2)]
            parts, factor = [(Losses.of(p, q), 12) for p, q in rows], Fraction(r.randint(2, 5), 2)
            true = composed([(p, q, 12) for p, q in rows]).excess(factor)
            if true != 0:
                for step in (Fraction(1, 30), Fraction(1, 1000)):
                    self.assertEqual(by_losses.by_bounds(parts, factor, true * (1 - step)), 1)
                    self.assertEqual(by_losses.by_bounds(parts, factor, true * (1 + step)), -1)

    def test_products_of_long_lists(self):
        r = random.Random(3)
        a, b = ([r.randrange(1 << 70) for _ in range(count)] for count in (90, 150))
        found = loss_bounds.convolved(a, b)
        for k in range(len(a) + len(b) - 1):
            self.assertEqual(found[k], sum(a[i] * b[k - i] for i in range(len(a)) if 0 <= k - i < len(b)))

    def test_domination_is_that_of_all_factors(self):
        r, orders = random.Random(4), set()
        for _ in range(300):
            first, second = (Losses.of(random_row(r, 3, 0.1), random_row(r, 3, 0.1)) for _ in range(2))
            factors = [Fraction(k, 20) for k in range(200)] + [Fraction(10**6)]
            everywhere = all(first.excess(factor) >= second.excess(factor) for factor in factors)
            self.assertTrue(everywhere or not first.dominates(second))
            orders.add(first.dominates(second))
        self.assertEqual(orders, {True, False})

    def test_too_many_ratios(self):
        rows = [Fraction(p, 78) for p in range(1, 13)], [Fraction(1, 12)] * 12
        with self.assertRaises(NotProved):
            composed([(*rows, 12)])


class Divergences(unittest.TestCase):
    def test_independent_parts_add_up(self):
        r, at = random.Random(5), Arithmetic(60)
        for _ in range(30):
            pairs = random_pairs(r, 0)
            together = [Losses.of(*zip(*enumerated(pairs))).pairs()]
            whole, sums = Cumulant(at, [[[(1, own) for own in together]]]), Cumulant(at, [[[(count, Losses.of(p, q).pairs())]] for p, q, count in pairs])
            for t in (Fraction(1, 3), Fraction(2)):
                self.overlap(whole.cumulant(t), sums.cumulant(t))
            self.overlap(whole.mean(), sums.mean())
            # The largest curvature of a sum is at most the sum of the largest ones; both are upper bounds of K''(0).
            variance = sum(float(p) * (float(loss[0]) - float(whole.mean()[0])) ** 2 for (p, _), loss in losses_of(whole))
            for one in (whole, sums):
                self.assertGreaterEqual(float(one.most_curved(Fraction(1, 100))), variance * (1 - 1e-9))

    def overlap(self, a, b):
        self.assertTrue(a[0] <= b[1] and b[0] <= a[1], f"{a} {b}")
        self.assertLess(a[1] - a[0], Fraction(1, 10**40))

    def test_the_largest_of_several_pairs(self):
        at = Arithmetic(60)
        weak, strong = (Losses.of([1 - e, e], [e, 1 - e]).pairs() for e in (Fraction(2, 5), Fraction(1, 5)))
        both, alone = Cumulant(at, [[[(3, weak)], [(1, strong)]]]), [Cumulant(at, [[[own]]]) for own in ((3, weak), (1, strong))]
        for t in (Fraction(1, 100), Fraction(1), Fraction(50)):
            self.overlap(both.cumulant(t), max(one.cumulant(t) for one in alone))
        self.assertEqual(both.largest, max(one.largest for one in alone))


class RandomProduct:
    """A spec whose outputs can be enumerated: zeros, equal rows, repeated and shared parts, a coordinate of one value."""

    def __init__(self, r):
        self.r = r
        self.sizes = [r.choice([1, 2, 2, 3]) for _ in range(r.randint(1, 3))]
        self.names = [f"x{i}" for i in range(len(self.sizes))]
        self.exp = r.random() < 0.15
        parts, outputs = [], 1
        for _ in range(r.randint(1, 4)):
            seen = r.sample(range(len(self.sizes)), min(len(self.sizes), r.choice([1, 1, 2])))
            part, count = self.part(prod(self.sizes[i] for i in seen))
            times = r.choice([1, 1, 2, 3])
            if outputs * count ** times <= 300:
                outputs *= count ** times
                parts.append({"type": "on", "coordinates": [self.names[i] for i in seen],
                              "mechanism": {"type": "repeat", "times": times, "mechanism": part} if times > 1 else part})
        self.json = {"oddsbound": 1, "name": "product", "domain": [{"name": name, "size": size} for name, size in zip(self.names, self.sizes)],
                     "mechanism": {"type": "compose", "mechanisms": parts or [{"type": "on", "coordinates": [self.names[0]], "mechanism": {"type": "matrix", "outputs": 1, "rows": [["1"]] * self.sizes[0]}}]}}

    def part(self, inputs):
        r = self.r
        if inputs > 1 and r.random() < 0.3:
            return {"type": "k_randomized_response", "epsilon": "1/2" if self.exp else r.choice(["log(2)", "log(3)", "log(3/2)"])}, inputs
        outputs, zeros, rows = r.randint(1, 3), r.choice([0, 0, 0.2]), []
        for _ in range(inputs):
            rows.append(rows[0] if rows and r.random() < 0.2 else [str(p) for p in random_row(r, outputs, zeros)])
        return {"type": "matrix", "outputs": outputs, "rows": rows}, outputs

    def neighbors(self):
        r = self.r
        found = r.choice([{}, {"neighbors": "coordinate"}, {"neighbors": "record"}])
        if found.get("neighbors") == "record":
            mixed = r.sample(self.names, len(self.names))
            cut = r.randint(0, len(mixed))
            found["records"] = [part for part in (mixed[:cut], mixed[cut:]) if part]
        return {**found, "differ": r.sample(self.names, r.randint(1, len(self.names)))} if r.random() < 0.4 else found

    def read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "product.json")
            path.write_text(json.dumps(self.json), encoding="utf-8")
            return read_spec(str(path))


class Claims(unittest.TestCase):
    """The verdict from the parts is that of a sum over all outputs, for all neighbors."""

    SPECS = 40

    def setUp(self):
        self.random = random.Random(9)

    def outcome(self, spec, claim, witness, refuted):
        try:
            by_losses.check(spec, claim, witness, refuted)
            return True
        except Rejected:
            return False

    def compare(self, seed, count):
        r, seen = random.Random(seed), set()
        for _ in range(count):
            made = RandomProduct(r)
            spec, bound, neighbors = made.read(), r.choice(["0", "log(2)", "log(7/2)", "1", "inf"]), made.neighbors()
            stated = {"notion": "approximate_dp", "epsilon": bound, "delta": "1/2", **neighbors}
            one, = compared_by(spec, spec.claim_of(stated))
            true = Measure(spec).excess(one)
            for delta in {str(true), str(true * Fraction(999999, 1000000)), str((true + 1) / 2), "0"}:
                for tight in (False, True):
                    claim = spec.claim_of({**stated, "delta": delta, "tight": tight})
                    where = f"{made.json}, {claim.json}, {true}"
                    holds = true == claim.delta if tight else true <= claim.delta
                    self.assertEqual(self.outcome(spec, claim, None, False), holds, where)
                    self.assertEqual(self.outcome(spec, claim, None, True), tight and true < claim.delta, where)
                    seen.add((tight, holds))
                    for _ in range(3):
                        self.two_inputs(spec, claim, one, where)
            levels = ["0", "1/10", "1/3", "1", "3"]
            for stated in ({"rho": r.choice(levels), **neighbors}, {"rho": {name: r.choice(levels) for name in made.names}}):
                claim = spec.claim_of({"notion": "zcdp", **stated})
                obeys = divergences.obeys(spec, claim)
                self.assertEqual(self.outcome(spec, claim, None, False), obeys, f"{made.json}, {claim.json}")
                self.assertFalse(self.outcome(spec, claim, None, True))
                seen.add(("zcdp", obeys))
                self.orders(spec, claim, *([made.names[0]] if isinstance(stated["rho"], dict) else []))
        self.assertEqual(len(seen), 6)

    def sides(self, spec):
        return [[self.random.choice(values) for _, values in spec.domain] for _ in range(2)]

    def two_inputs(self, spec, claim, one, where):
        source, target = self.sides(spec)
        sides = one.find(tuple(source), tuple(target), {})
        shown = sides is not None and claim.levels[None] != "inf" and excess(*(row_of(spec, side) for side in sides), claim.levels[None]) > claim.delta
        self.assertEqual(self.outcome(spec, claim, {"from": source, "to": target}, True), shown, f"{where}: {source} {target}")
        self.assertFalse(self.outcome(spec, claim, {"from": source, "to": target}, False))

    def orders(self, spec, claim, *about):
        for order in ("1", "3/2", "4"):
            source, target = self.sides(spec)
            witness = {"from": source, "to": target, "order": order, **{"coordinate": name for name in about}}
            try:
                divergences.check_witness(spec, claim, witness)
                shown = True
            except Rejected:
                shown = False
            self.assertEqual(self.outcome(spec, claim, witness, True), shown)

    def test_exactly(self):
        self.compare(7, self.SPECS)

    def test_by_bounds(self):
        """Whatever is listed otherwise."""
        with mock.patch.object(losses, "MOST_QUICKLY", 0):
            self.compare(8, self.SPECS // 4)


def losses_of(cumulant):
    return [term for own in cumulant.choices for pair in own for _, losses in pair for term in losses.terms]


if __name__ == "__main__":
    unittest.main()
