"""The averaged bound of certificates of searches: random steps and weights against all outputs, and each inequality that it
is made of against exact fractions."""
import random
import unittest
from fractions import Fraction
from itertools import product
from math import prod
from types import SimpleNamespace

from oddsbound_check.intervals import NotShown
from oddsbound_check.proofs.averaged import ONE, Averages, Factors, power, read_averaged
from oddsbound_check.proofs.packed import packed, slot_bits, sums_by_output, unpacked
from oddsbound_check.proofs.search import Tree
from oddsbound_check.report import NotProved, Rejected

BITS = 96


def step(columns, scale=1 << BITS - 10):
    """columns: [output][class], integers."""
    return SimpleNamespace(entries=[None] * len(columns[0]), outputs=list(range(len(columns))),
                           columns=[[(entry * scale, entry * scale) for entry in column] for column in columns])


def layers_of(kinds, steps):
    """kinds: the classes of each kind, all different. As the layers of a tree."""
    layers, here = [], sorted(kinds)
    for _ in steps:
        after = sorted({kind[1:] for kind in here})
        layers.append([(kind[0], after.index(kind[1:])) for kind in here])
        here = after
    return layers, sorted(kinds)


def ratios(kinds, columns, u, v):
    for output in product(*(range(len(own)) for own in columns)):
        likelihood = [prod(own[y][c] for own, y, c in zip(columns, output, kind)) for kind in kinds]
        above, below = (sum(w * f for w, f in zip(weights, likelihood)) for weights in (u, v))
        yield Fraction(above, below) if below else None


def units(value):
    """Rounded down."""
    return int(value * (1 << BITS))


class Bound:
    def __init__(self, kinds, columns, block, base, scale=1 << BITS - 10):
        self.steps = [step(own, scale) for own in columns]
        layers, self.kinds = layers_of(kinds, self.steps)
        self.averages = Averages(self.steps, layers, 0, len(columns) - block, int(base * ONE), BITS)

    def shows(self, u, v, most, powers=None):
        try:
            self.averages.check(u, v, units(most), powers or list(range(self.averages.most_power + 1)))
        except NotShown:
            return False
        return True


class AgainstAllOutputs(unittest.TestCase):
    def random_bound(self, r):
        columns, base = [], Fraction(r.choice([3, 5, 9]), 2)
        randomized = r.random() < 0.5
        for _ in range(r.randint(2, 4)):
            classes, outputs = r.randint(2, 3), r.randint(2, 3)
            if randomized:  # F is 1 or E
                columns.append([[int(2 * base) if y == c else 2 for c in range(classes)] for y in range(outputs)])
            else:
                columns.append([[r.randint(1, 40) for _ in range(classes)] for _ in range(outputs)])
        everything = list(product(*(range(len(own[0])) for own in columns)))
        kinds = r.sample(everything, r.randint(2, min(8, len(everything))))
        block = r.randrange(len(columns))
        return columns, Bound(kinds, columns, block, base if randomized else 1 + Fraction(1, 2**20)), randomized

    def test_random_bounds(self):
        r, shown, refused = random.Random(1), 0, 0
        for _ in range(1500):
            columns, bound, randomized = self.random_bound(r)
            u, v = ([r.randint(0, 9) * r.randint(0, 1) << 60 for _ in bound.kinds] for _ in range(2))
            v[r.randrange(len(v))] += 1 << 60
            largest = max(ratios(bound.kinds, columns, u, v))
            top = bound.averages.most_power
            powers = None if randomized else [top * k // 12 for k in range(13)]
            for factor in (Fraction(999999, 10**6), Fraction(8, 10)):
                if largest > 0:
                    self.assertFalse(bound.shows(u, v, largest * factor, powers))
            for factor in (Fraction(1000001, 10**6), Fraction(12, 10), 2, 8):
                if bound.shows(u, v, largest * factor, powers):
                    shown += 1
                else:
                    refused += 1
        self.assertGreater(shown, 3000)
        self.assertGreater(refused, 100)

    def test_bounds_that_are_attained(self):
        """u and v on one kind each: both inequalities are equalities at the output with the largest ratio."""
        for base, block in product((2, Fraction(7, 4)), range(3)):
            columns = [[[4 * base, 4], [4, 4 * base]] for _ in range(3)]
            columns = [[[int(entry) for entry in column] for column in own] for own in columns]
            bound = Bound([(0, 0, 0), (1, 1, 1)], columns, block, base)
            u, v = [1 << 60, 0], [0, 1 << 60]
            self.assertTrue(bound.shows(u, v, base**3 * (1 + Fraction(1, 10**9))))
            self.assertFalse(bound.shows(u, v, base**3 * (1 - Fraction(1, 10**9))))

    def test_a_power_that_is_tried_later(self):
        columns = [[[8, 4], [4, 8]] for _ in range(3)]
        bound = Bound([(0, 0, 0), (1, 1, 1)], columns, 1, 2)
        u, v, most = [1 << 60, 0], [0, 1 << 60], 8 + Fraction(1, 10**6)
        self.assertTrue(bound.shows(u, v, most, [2, 1, 0]))
        self.assertFalse(bound.shows(u, v, most, [2]))
        self.assertFalse(bound.shows(u, v, most, [3]))

    # Each of these sums is above 0, but what is above 0 in it is below the last bit that is kept.

    def test_small_p_is_rounded_up(self):
        """The kind with a large m has probability 0 of the block's output."""
        bound = Bound([(0, 0), (1, 1)], [[[8, 4], [4, 8]], [[1, 0]]], 1, 2)
        self.assertFalse(bound.shows([2**60 + 1, 0], [2**60, 2**180], 1))

    def test_small_m_is_rounded_down(self):
        bound = Bound([(0, 0), (1, 1), (1, 2)], [[[8, 8]], [[1, 8, 0]]], 1, 2)
        self.assertFalse(bound.shows([2**10, 0, 0], [0, 1, 2**104], 1))

    def test_small_entries_of_p_are_rounded_up(self):
        bound = Bound([(0, 0), (1, 1), (1, 2)], [[[8, 8]], [[2**36, 2**30, 2**95]]], 1, 2, 1)
        self.assertFalse(bound.shows([2**60, 0, 0], [0, 2**61, 0], 1))

    def test_small_entries_of_m_are_rounded_down(self):
        bound = Bound([(0, 0), (1, 1), (1, 2)], [[[8, 8]], [[2**48, 2**36, 2**95]]], 1, 2, 1)
        self.assertFalse(bound.shows([2**60, 0, 0], [0, 2**61, 0], 1))


class Inequalities(unittest.TestCase):
    def test_powers_are_below_the_quotients(self):
        r = random.Random(2)
        for _ in range(200):
            base = 1 + Fraction(r.randint(1, 2**10), 2**r.choice([8, 20, 40]))
            columns = [[r.randint(1, 500) for _ in range(3)] for _ in range(2)]
            factors = Factors(step(columns), int(base * ONE), BITS, 48)
            exact = Fraction(int(base * ONE), ONE)
            for own, powers, above in zip(columns, factors.powers, factors.above):
                for entry, n, gain in zip(own, powers, above):
                    quotient = Fraction(entry, min(own))
                    if n < 2000:
                        self.assertTrue(exact**n <= quotient < exact**(n + 1) * (1 + Fraction(1, 2**60)))
                    self.assertTrue(quotient - 1 <= Fraction(gain, 2**48) < quotient - 1 + Fraction(1, 2**40))
                    self.assertLessEqual(quotient, Fraction(factors.largest, 2**BITS))

    def test_minorants(self):
        """e (1 + (E - 1) (n - j)) <= E^n for all n, and nearly attained at n = j."""
        for base, j in product((Fraction(3, 2), 1 + Fraction(1, 2**8), Fraction(41, 4)), range(0, 30, 3)):
            averages = Bound([(0, 0), (1, 1)], [[[8, 4], [4, 8]]] * 2, 1, base).averages
            of_all, of_power = averages.minorant(j)
            scale = 1 << 64 + BITS + averages.entry_bits
            for n in range(60):
                value = Fraction(of_all + of_power * n, scale)
                self.assertLessEqual(value, base**n)
                if n in (j, j + 1):
                    self.assertGreater(value, base**n * (1 - Fraction(1, 2**80)))

    def test_powers_are_rounded_down(self):
        for base, exponent in product((Fraction(3, 2), Fraction(9, 8)), (0, 1, 2, 7, 40)):
            found = power(int(base * ONE), exponent, BITS)
            self.assertTrue(base**exponent * (1 - Fraction(1, 2**80)) <= Fraction(found, 2**BITS) <= base**exponent)

    def test_scales_bound_the_products_of_earlier_factors(self):
        r = random.Random(4)
        for _ in range(100):
            columns = [[[r.randint(1, 30) for _ in range(2)] for _ in range(2)] for _ in range(4)]
            averages = Bound([(0, 0, 0, 0), (1, 1, 1, 0)], columns, 1, 2).averages
            largest = [max(Fraction(max(own), min(own)) for own in step) for step in columns]
            gains = r.sample(range(3), 3)
            scales, before = averages.scales_for(gains), Fraction(1)
            for i in sorted(range(3), key=lambda i: -gains[i]):
                self.assertTrue(before <= Fraction(scales[i], 2**(64 + BITS)) < before * (1 + Fraction(1, 2**60)))
                before *= largest[i]


class Sums(unittest.TestCase):
    def test_against_plain_sums(self):
        r = random.Random(3)
        for _ in range(100):
            columns = [[[r.randint(0, 2**30) for _ in range(classes)] for _ in range(r.randint(1, 4))]
                       for classes in (r.randint(1, 4) for _ in range(r.randint(0, 4)))]
            cells = list(product(*(range(len(own[0])) for own in columns)))
            numbers = [[r.choice([0, r.getrandbits(90)]) for _ in cells] for _ in range(3)]
            bits = slot_bits(max(map(sum, numbers)), columns)
            table = {k: packed(own, bits) for k, own in enumerate(zip(*numbers)) if any(own)}
            found = [unpacked(data, bits) for data in sums_by_output(table, 3, bits, columns)]
            expected = [[sum(number * prod(own[y][c] for own, y, c in zip(columns, output, cell)) for number, cell in zip(lane, cells))
                         for lane in numbers] for output in product(*(range(len(own)) for own in columns))]
            self.assertEqual(found, expected)

    def test_the_largest_sums_stay_in_their_slots(self):
        columns = [[[255, 255]]] * 3
        full = (1 << 64) - 1
        bits = slot_bits(full * 8, columns)
        found, = sums_by_output({k: packed([full] * 3, bits) for k in range(8)}, 3, bits, columns)
        self.assertEqual(unpacked(found, bits), [full * 8 * 255**3] * 3)

    def test_tables_beyond_the_limit(self):
        with self.assertRaises(NotProved):
            sums_by_output({0: 1}, 1, 64, [[[1] * 1000]] * 3)


class Enumerated(unittest.TestCase):
    def tree(self, columns, kinds, most):
        tree = Tree.__new__(Tree)
        tree.bits, tree.steps, tree.cells = BITS, [step(own) for own in columns], {len(columns): [0]}
        for own in tree.steps:
            own.outputs, own.part = [((y, 1),) for y in own.outputs], SimpleNamespace(labels="abcd")
        tree.layers, kinds = layers_of(kinds, columns)
        tree.most = units(most)
        tree.above = tree.most + 1
        return tree, kinds

    def shows(self, tree, groups, pairs):
        try:
            tree.check({"enumerate": True}, 0, {value: [(w, w) for w in own] for value, own in groups.items()}, pairs, [])
        except Rejected as error:
            return str(error)
        return ""

    def test_against_all_ratios(self):
        """By one transform, and output by output, where the kinds are few of all joint classes."""
        r, sparse = random.Random(6), 0
        for _ in range(300):
            columns = [[[r.choice([0, 1, 2, 5, 9]) for _ in range(r_classes)] for _ in range(r.randint(1, 3))]
                       for r_classes in (r.randint(1, 4) for _ in range(r.randint(1, 5)))]
            everything = list(product(*(range(len(own[0])) for own in columns)))
            kinds = r.sample(everything, min(len(everything), r.choice([2, 3, 40])))
            sparse += len(everything) > 4 * len(kinds) + 64
            groups = {value: [r.randint(0, 5) << 60 for _ in kinds] for value in "pqr"}
            pairs = r.sample([(a, b) for a in groups for b in groups if a != b], r.randint(1, 6))
            sums = [pair for a, b in pairs for pair in self.sums(sorted(kinds), columns, groups[a], groups[b])]
            largest = max((Fraction(above, below) for above, below in sums if below), default=Fraction(0))
            for most in (largest * (1 - Fraction(1, 10**9)), largest * (1 + Fraction(1, 10**9))):
                if most > 0:
                    tree, _ = self.tree(columns, kinds, most)
                    self.assertEqual(self.shows(tree, groups, set(pairs)) == "", all(above <= most * below for above, below in sums))
        self.assertGreater(sparse, 10)

    def sums(self, kinds, columns, u, v):
        for output in product(*(range(len(own)) for own in columns)):
            likelihood = [prod(own[y][c] for own, y, c in zip(columns, output, kind)) for kind in kinds]
            yield tuple(sum(w * f for w, f in zip(weights, likelihood)) for weights in (u, v))

    def test_the_output_is_named(self):
        columns = [[[1, 1], [1, 1]], [[1, 1], [1, 1], [1, 3]]]
        tree, _ = self.tree(columns, [(0, 0), (0, 1), (1, 0), (1, 1)], 2)
        groups = {"p": [0, 0, 0, 1 << 60], "q": [1 << 60, 0, 0, 0]}
        self.assertEqual(self.shows(tree, groups, {("q", "p")}), "")
        self.assertIn("at ['a', 'c'], p against q", self.shows(tree, groups, {("q", "p"), ("p", "q")}))

    def test_the_upper_end_of_one_value_and_the_lower_end_of_the_other(self):
        """Every ratio between the ends must be below the bound."""
        columns = [[[8, 4], [4, 8]], [[8, 4], [4, 8]]]
        averaged = {"from": "p", "to": "q", "averaged": {"block": Fraction(1), "base": Fraction(2), "powers": [Fraction(0), Fraction(1)]}}
        wide, narrow = (9 << 60, 10 << 60), (10 << 60, 10 << 60)
        for node in ({"enumerate": True}, {"closed": [averaged]}):
            for p, q, most, fine in ((narrow, narrow, Fraction(401, 100), True), (wide, narrow, Fraction(395, 100), False), (narrow, wide, Fraction(401, 100), False),
                                     (narrow, wide, Fraction(445, 100), True)):
                tree, _ = self.tree(columns, [(0, 0), (1, 1)], most)
                tree.averages = {}
                try:
                    tree.check(node, 0, {"p": [p, (0, 0)], "q": [(0, 0), q]}, {("p", "q")}, [])
                    self.assertTrue(fine, f"{node}, {p}, {q}")
                except NotShown:
                    self.assertFalse(fine, f"{node}, {p}, {q}")

    def test_pairs_that_are_closed_are_not_compared(self):
        tree, _ = self.tree([[[1, 3], [3, 1]]], [(0,), (1,)], 1)
        groups = {"p": [0, 1 << 60], "q": [1 << 60, 0]}
        weights = {value: [(w, w) for w in own] for value, own in groups.items()}
        closing = {"from": "p", "to": "q", "credit": Fraction(10)}
        tree.check_credit = lambda *_: None
        tree.check({"closed": [closing], "enumerate": True}, 0, weights, {("p", "q")}, [])
        with self.assertRaisesRegex(Rejected, "q against p"):
            tree.check({"closed": [closing], "enumerate": True}, 0, weights, {("p", "q"), ("q", "p")}, [])
        for node in ({"enumerate": True, "next": []}, {"enumerate": False}, {"enumerate": 1}):
            with self.assertRaisesRegex(Rejected, "nothing below"):
                tree.check(node, 0, weights, {("p", "q")}, [])


class Entries(unittest.TestCase):
    def test_what_is_read(self):
        self.assertEqual(read_averaged({"block": Fraction(2), "base": Fraction(3, 2), "powers": [Fraction(1), Fraction(0)]}, 3, ""),
                         (2, 3 * ONE // 2, [1, 0]))

    def test_faults(self):
        right = {"block": Fraction(2), "base": Fraction(3, 2), "powers": [Fraction(1)]}
        faults = [{"block": Fraction(3)}, {"block": Fraction(-1)}, {"block": Fraction(1, 2)}, {"block": "2"}, {"block": []},
                  {"base": Fraction(1)}, {"base": Fraction(0)}, {"base": "2"}, {"base": None}, {"base": Fraction(10**30)}, {"base": 1 + Fraction(1, 10**30)},
                  {"powers": []}, {"powers": Fraction(1)}, {"powers": [Fraction(1, 2)]}, {"powers": [Fraction(-1)]}, {"powers": ["1"]},
                  {"powers": [Fraction(10**40)]}, {"powers": [Fraction(1)] * 1000}, {"order": []}]
        for fault in faults:
            with self.subTest(fault=fault), self.assertRaises(Rejected):
                read_averaged({**right, **fault}, 3, "at []")
        for entry in ([], None, {}, {"block": Fraction(2)}):
            with self.subTest(entry=entry), self.assertRaises(Rejected):
                read_averaged(entry, 3, "at []")

    def test_a_power_above_all_products(self):
        """Its power of the base would be a number of any size."""
        bound = Bound([(0, 0), (1, 1)], [[[8, 4], [4, 8]]] * 2, 1, 2)
        self.assertFalse(bound.shows([1 << 60, 0], [0, 1 << 60], 99, [1 << 79]))

    def test_outputs_that_are_not_possible_for_all_rows(self):
        with self.assertRaises(NotShown):
            Bound([(0, 0), (1, 1)], [[[8, 0], [4, 8]]] * 2, 1, 2)


if __name__ == "__main__":
    unittest.main()
