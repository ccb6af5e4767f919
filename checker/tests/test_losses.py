"""Loss distributions of parts against sums over all outputs."""
import random
import unittest
from fractions import Fraction
from itertools import product
from math import prod

from oddsbound_check import loss_bounds
from oddsbound_check.decimals import Arithmetic
from oddsbound_check.exact import Exact
from oddsbound_check.losses import Losses, powered
from oddsbound_check.proofs.divergences import Cumulant
from oddsbound_check.report import NotProved

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


def losses_of(cumulant):
    return [term for own in cumulant.choices for pair in own for _, losses in pair for term in losses.terms]


if __name__ == "__main__":
    unittest.main()
