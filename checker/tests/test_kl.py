"""Mean losses: exact comparisons of sums of logarithms, and claims of kl_dp that are computed by hand."""
import math
import random
import unittest
from fractions import Fraction

from oddsbound_check.proofs.averages import coprime_base, mean_is
from oddsbound_check.proofs.kl import compared

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


class SumsOfLogarithms(unittest.TestCase):
    def test_base_has_no_common_factors(self) -> None:
        for numbers in ([12, 18], [1], [], [8, 2, 4], [30, 42, 70, 105], [2**40, 6**20, 3]):
            base = coprime_base(numbers)
            for k, one in enumerate(base):
                self.assertGreater(one, 1)
                self.assertTrue(all(math.gcd(one, other) == 1 for other in base[:k]))
            for number in numbers:
                for one in base:
                    while number % one == 0:
                        number //= one
                self.assertEqual(number, 1)

    def test_equal_sums_are_those_that_doubles_do_not_distinguish(self) -> None:
        r = random.Random(1)
        found = {True: 0, False: 0}
        for _ in range(2000):
            terms = [(Fraction(r.randint(-3, 3), r.choice([1, 2, 4])), Fraction(r.randint(1, 30), r.randint(1, 30))) for _ in range(r.randint(0, 4))]
            nats = sum(float(p) * math.log(odds) for p, odds in terms)
            power = Fraction(math.exp(nats)).limit_denominator(2000)
            if power > 0:
                equal = abs(math.log(power) - nats) < 1e-12
                self.assertEqual(mean_is(terms, power), equal, (terms, power))
                found[equal] += 1
        self.assertGreater(min(found.values()), 300)


class MeanLosses(unittest.TestCase):
    def test_by_hand(self) -> None:
        both = [HALF, QUARTER, QUARTER], [QUARTER, QUARTER, HALF]  # 1/4 log 2
        self.assertEqual(compared(*both, Fraction(119, 100)), -1)
        self.assertEqual(compared(*both, Fraction(118, 100)), 1)
        kept = [Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]  # 1/3 log 2
        self.assertEqual(compared(*kept, Fraction(126, 100)), -1)
        uneven = [Fraction(4, 5), Fraction(1, 5)], [Fraction(1, 5), Fraction(4, 5)]  # 3/5 log 4 = log 2 * 6/5
        self.assertEqual(compared(*uneven, Fraction(2)), 1)
        quarters = [Fraction(3, 4), QUARTER], [QUARTER, Fraction(3, 4)]  # 1/2 log 3
        self.assertEqual(compared(*quarters, Fraction(173, 100)), 1)
        self.assertEqual(compared(*quarters, Fraction(174, 100)), -1)

    def test_equality_is_found(self) -> None:
        def product(row: list[Fraction]) -> list[Fraction]:
            return [p * q for p in row for q in row]
        p, q = product([Fraction(3, 4), QUARTER]), product([QUARTER, Fraction(3, 4)])  # log 3
        self.assertEqual(compared(p, q, Fraction(3)), 0)
        self.assertEqual(compared(p, q, 3 + Fraction(1, 10**50)), -1)


if __name__ == "__main__":
    unittest.main()
