"""Renyi divergences of an order against their definition, and forged witnesses.

python3 -m unittest discover -s checker/tests -t checker
"""
import json
import pathlib
import random
import tempfile
import unittest
from fractions import Fraction
from itertools import product

from oddsbound_check.exact import INFINITE, Exact
from oddsbound_check.proofs import renyi
from oddsbound_check.reading import Refused, document
from oddsbound_check.report import Rejected
from oddsbound_check.spec import read_spec

KEEP, LIE = Fraction(3, 4), Fraction(1, 4)


def made(rows, sizes, claims=()):
    """A spec of a matrix with these rows of fractions."""
    domain = [{"name": f"x{i}", "values": [str(v) for v in range(size)]} for i, size in enumerate(sizes)]
    mechanism = {"type": "matrix", "outputs": len(rows[0]), "rows": [[str(p) for p in row] for row in rows]}
    spec = {"oddsbound": 1, "name": "made", "domain": domain, "mechanism": mechanism, "claims": list(claims)}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "made.json")
        path.write_text(json.dumps(spec), encoding="utf-8")
        return read_spec(str(path))


def claim_of(spec, stated):
    return spec.claim_of(document(json.dumps(stated)))


def power_sum(p_row, q_row, order):
    """The sum of P^a Q^(1 - a); None if it is infinite."""
    if any(p != 0 and q == 0 for p, q in zip(p_row, q_row)):
        return None
    return sum((p ** order / q ** (order - 1) for p, q in zip(p_row, q_row) if p != 0), Fraction(0))


class Sums(unittest.TestCase):
    def test_by_hand(self):
        """Of randomized response that keeps an answer with probability 3/4: S = 7/3 at order 2, and 61/9 at order 3."""
        pairs = [(KEEP / LIE, KEEP), (LIE / KEEP, LIE)]
        self.assertEqual(renyi.compared(pairs, 2, Fraction(7, 3)), 0)
        for order, root in ((2, Fraction(7, 3)), (3, Fraction("2.60341655863555146470990757858636713785610171221618776672574"))):
            tiny = Fraction(1, 10**50)
            self.assertEqual(renyi.compared(pairs, order, root + tiny), -1)
            self.assertEqual(renyi.compared(pairs, order, root - tiny), 1)

    def test_exact_numbers(self):
        """Two equal answers at order 3: the root of S^2 is S, a quotient in e."""
        e = Exact.exp(1)
        keep, lie = e / (e + 1), 1 / (e + 1)
        pairs = [(p / q, p) for p, q in ((a * c, b * d) for (a, b), (c, d) in product([(keep, lie), (lie, keep)], repeat=2))]
        root = (e ** 3 + 1 / e ** 2) / (e + 1)
        self.assertEqual(renyi.compared(pairs, 3, root), 0)
        self.assertEqual(renyi.compared(pairs, 3, root + Fraction(1, 10**200)), -1)
        self.assertEqual(renyi.compared(pairs, 3, root - Fraction(1, 10**200)), 1)


class Claims(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(49)

    def row(self, size):
        weights = [self.random.choice([0, 1, 1, 2, 3, 5]) for _ in range(size)]
        weights[self.random.randrange(size)] += 1
        return [Fraction(w, sum(weights)) for w in weights]

    def test_random_claims(self):
        seen = set()
        for _ in range(60):
            r = self.random
            sizes = [r.randint(1, 3) for _ in range(r.randint(1, 2))]
            inputs = list(product(*map(range, sizes)))
            rows = [self.row(3) if r.random() < 0.5 else r.choice([[Fraction(1, 3)] * 3, [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]]) for _ in inputs]
            spec, order, by_coordinate = made(rows, sizes), r.choice([2, 3, 7]), r.random() < 0.5
            sums = [power_sum(rows[a], rows[b], order) for a, x in enumerate(inputs) for b, z in enumerate(inputs)
                    if not by_coordinate or sum(u != v for u, v in zip(x, z)) == 1]
            most = None if None in sums else max([Fraction(1), *sums])
            stated = {"notion": "renyi_dp", "order": order, "neighbors": "coordinate" if by_coordinate else "all"}
            levels = ["0", "log(5/4)", "1/3", "2", "inf"] + [f"log({most})"] * (order == 2 and most is not None)
            for level, tight in product(levels, (False, True)):
                claim = claim_of(spec, {**stated, "epsilon": level, "tight": tight})
                bound = claim.levels[None]
                if bound is INFINITE:
                    expected = most is None or not tight
                elif most is None:
                    expected = False
                else:
                    power = bound ** (order - 1)
                    expected = most == power if tight else most <= power
                self.assertEqual(renyi.obeys(spec, claim), expected, f"{rows}, {claim.json}: {most}")
                seen.add((tight, bound is INFINITE, most is None, expected))
        self.assertEqual(len(seen), 10, seen)

    def test_levels_by_coordinate(self):
        answers = [[KEEP, LIE], [LIE, KEEP]]
        rows = [[p / 2 for p in answers[a] for _ in (0, 1)] for a in (0, 1) for b in (0, 1)]
        spec = made(rows, [2, 2])
        for epsilon, tight, expected in (({"x0": "log(7/3)", "x1": "0"}, True, True), ({"x0": "log(7/3)", "x1": "1"}, True, False),
                                         ({"x0": "log(7/3)", "x1": "1"}, False, True), ({"x0": "0.8"}, False, False), ({"x1": "0"}, True, True)):
            claim = claim_of(spec, {"notion": "renyi_dp", "order": 2, "epsilon": epsilon, "tight": tight})
            self.assertEqual(renyi.obeys(spec, claim), expected, epsilon)

    def test_claims_that_are_none(self):
        spec, good = made([[KEEP, LIE], [LIE, KEEP]], [2]), {"notion": "renyi_dp", "order": 2, "epsilon": "1"}
        claim_of(spec, good)
        for changed in ({"order": 1}, {"order": 1001}, {"order": 2.5}, {"order": "2"}, {"order": None}, {"epsilon": "log(sqrt(2))"},
                        {"epsilon": {"x0": "log(sqrt(2))"}}, {"epsilon": {"x0": "1"}, "differ": ["x0"]}, {"epsilon": {"x0": "1"}, "neighbors": "all"},
                        {"records": [["x0"]]}, {"rho": "1"}, {"delta": "0"}):
            with self.assertRaises(Refused, msg=str(changed)):
                made([[KEEP, LIE], [LIE, KEEP]], [2], [{**good, **changed}])
        with self.assertRaises(Refused):
            made([[KEEP, LIE], [LIE, KEEP]], [2], [{"notion": "renyi_dp", "epsilon": "1"}])


class Witnesses(unittest.TestCase):
    def shown(self, spec, claim, witness):
        try:
            renyi.check_witness(spec, claim, witness)
            return True
        except Rejected:
            return False

    def test_orders(self):
        spec = made([[KEEP, LIE], [LIE, KEEP], [Fraction(1, 2)] * 2], [3])
        claim = claim_of(spec, {"notion": "renyi_dp", "order": 2, "epsilon": "0.84"})
        good = {"from": ["0"], "to": ["1"], "order": "2"}
        self.assertTrue(self.shown(spec, claim, good))
        for changed in ({"order": "3"}, {"order": "1"}, {"order": "200/100"}, {"order": "x"}, {"order": None}, {"to": ["0"]}, {"to": ["2"]}, {"to": ["3"]},
                        {"coordinate": "x0"}, {"output": "0", "p_from": "3/4", "p_to": "0"}, {"output": "0", "p_from": "3/4", "p_to": "1/4"}):
            self.assertEqual(self.shown(spec, claim, {**good, **changed}), changed == {"order": "200/100"}, changed)
        for epsilon, expected in (("log(7/3)", False), ("log(7/3 - 10^-60)", True), ("inf", False), ("0", True)):
            there = claim_of(spec, {"notion": "renyi_dp", "order": 2, "epsilon": epsilon})
            self.assertEqual(self.shown(spec, there, good), expected, epsilon)
        self.assertFalse(self.shown(spec, claim_of(spec, {"notion": "renyi_dp", "order": 2, "epsilon": "0"}), {**good, "to": ["0"]}))

    def test_impossible_outputs(self):
        spec = made([[Fraction(1, 2)] * 2, [Fraction(1), Fraction(0)]], [2])
        claim = claim_of(spec, {"notion": "renyi_dp", "order": 5, "epsilon": "1000"})
        good = {"from": ["0"], "to": ["1"], "output": "1", "p_from": "1/2", "p_to": "0"}
        self.assertTrue(self.shown(spec, claim, good))
        for changed in ({"output": "0", "p_to": "1"}, {"p_from": "1"}, {"from": ["1"], "to": ["0"]}, {"output": "2"}):
            self.assertFalse(self.shown(spec, claim, {**good, **changed}), changed)
        self.assertFalse(self.shown(spec, claim, {"from": ["0"], "to": ["1"], "order": "5"}))
        self.assertFalse(self.shown(spec, claim, {"from": ["1"], "to": ["0"], "order": "5"}))


if __name__ == "__main__":
    unittest.main()
