"""Levels of pairs of inputs: irrational levels against numbers, distances, levels per input, and tables."""
import json
import os
import tempfile
import unittest
from fractions import Fraction

from oddsbound_check.exact import Exact
from oddsbound_check.pair_levels import Scaled, scaled
from oddsbound_check.proofs.brute_force import Measure
from oddsbound_check.reading import Refused
from oddsbound_check.spec import read_spec

E = Exact.exp(1)


class Roots(unittest.TestCase):
    def test_powers_that_are_numbers(self):
        self.assertEqual(scaled(E, Fraction(4)), Exact.exp(2))
        self.assertEqual(scaled(Fraction(8), Fraction(4, 9)), 4)
        self.assertEqual(scaled(E, Fraction(0)), 1)
        self.assertEqual(scaled(Fraction(1), Fraction(2)), 1)
        self.assertIsInstance(scaled(E, Fraction(2)), Scaled)
        self.assertIsInstance(scaled(Fraction(2), Fraction(1, 4)), Scaled)

    def test_order(self):
        root = scaled(E, Fraction(2))  # exp(sqrt(2)) = 4.11325...
        self.assertTrue(root > Fraction("4.11325"))
        self.assertTrue(root < Fraction("4.11326"))
        self.assertTrue(Fraction("4.11325") < root)
        self.assertTrue(Exact.exp(Fraction(141421356, 10**8)) < root)
        self.assertTrue(Exact.exp(Fraction(141421357, 10**8)) > root)
        self.assertTrue(root != 1)
        # 2^sqrt(2) = 2.6651441426902251886502972498731398484...
        power = scaled(Fraction(2), Fraction(2))
        self.assertTrue(power > Fraction("2.66514414269022518865029724987313984"))
        self.assertTrue(power < Fraction("2.66514414269022518865029724987313985"))
        self.assertTrue(power * Fraction(1, 2) < Fraction("1.34"))
        self.assertTrue(power * Exact.exp(5) > Exact.exp(5) * Fraction("2.665"))

    def test_rational_powers_are_compared_exactly(self):
        half = scaled((1 + E) * (1 + E), Fraction(1, 4))
        self.assertIsInstance(half, Scaled)
        self.assertEqual(half, 1 + E)
        self.assertTrue(half < 1 + E + Fraction(1, 10**80))


class Claims(unittest.TestCase):
    def obeys(self, epsilon, mechanism=None, tight=False, domain=None, files=None):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in (files or {}).items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(content)
            path = os.path.join(folder, "s.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"oddsbound": 1, "name": "s", "domain": domain or [{"name": "x", "size": 4}],
                           "mechanism": mechanism or {"type": "truncated_geometric", "epsilon": "1"},
                           "claims": [{"notion": "context_ldp", "epsilon": epsilon, "tight": tight}]}, file)
            spec = read_spec(path)
            return Measure(spec).obeys(spec.claims[0])

    def test_distances(self):
        for metric in ("absolute", "l1", "l2", "linf"):
            self.assertTrue(self.obeys({"metric": metric, "epsilon": "1"}, tight=True))
            self.assertFalse(self.obeys({"metric": metric, "epsilon": "1 + 10^-30"}, tight=True))
            self.assertFalse(self.obeys({"metric": metric, "epsilon": "1 - 10^-30"}))
        self.assertTrue(self.obeys({"metric": "hamming", "epsilon": "3"}, tight=True))
        self.assertFalse(self.obeys({"metric": "hamming", "epsilon": "2"}))

    def test_values_in_any_order(self):
        domain = [{"name": "x", "values": ["2", "0", "3.0", "2/2"]}]
        self.assertFalse(self.obeys({"metric": "absolute", "epsilon": "1"}, domain=domain))  # noise by place, not by value
        self.assertTrue(self.obeys({"metric": "absolute", "epsilon": "3"}, domain=domain, tight=True))  # 1 and 2 are three places apart

    def test_levels_of_inputs(self):
        randomized = {"type": "k_randomized_response", "epsilon": "log(3)"}
        self.assertTrue(self.obeys({"min_of": ["log(3)"] * 4}, randomized, True))
        self.assertTrue(self.obeys({"min_of": {"0": "2", "1": "log(3)", "2": "2", "3": "2"}}, randomized, True))
        self.assertFalse(self.obeys({"min_of": ["2"] * 4}, randomized, True))
        self.assertFalse(self.obeys({"min_of": ["log(2)", "2", "2", "2"]}, randomized))

    def test_tables(self):
        two = {"domain": [{"name": "x", "values": ["a", "b"]}], "mechanism": {"type": "k_randomized_response", "epsilon": "log(3)"}}
        for content, expected in ((",a,b\na,0,log(3)\nb,sqrt(2),0\n", True), (";b;a\nb;0;log(3)\na;1;0\n", False), (",a,b\nb,1,0\na,0,2\n", False)):
            self.assertEqual(self.obeys({"file": "t.csv"}, files={"t.csv": content}, **two), expected)
        for content in ("", ",a\na,0\n", ",a,b\na,0,1\n", ",a,b\na,0,1\na,1,0\n", ",a,c\na,0,1\nc,1,0\n", ",a,b\na,0,1\nb,1\n", ",a,b\na,0,-1\nb,1,0\n"):
            with self.assertRaises(Refused):
                self.obeys({"file": "t.csv"}, files={"t.csv": content}, **two)

    def test_what_is_no_claim(self):
        for epsilon in ({}, {"metric": "absolute"}, {"metric": "absolute", "epsilon": "sqrt(2)"}, {"metric": "absolute", "epsilon": "inf"}, {"metric": "l3", "epsilon": "1"},
                        {"metric": "absolute", "epsilon": "-1"}, {"min_of": ["1"]}, {"min_of": {"0": "1"}}, {"min_of": ["1"] * 4, "epsilon": "1"}, {"metric": "l2", "epsilon": "1", "at_most": "1"},
                        [["0", "1 + sqrt(2)", "0", "0"]] * 4, [["0", "-sqrt(2)", "0", "0"]] * 4):
            with self.assertRaises(Refused):
                self.obeys(epsilon)


if __name__ == "__main__":
    unittest.main()
