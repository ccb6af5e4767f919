"""Quantiles of the normal distribution as intervals, Gaussian DP, posterior probabilities, and neighbors by a distance."""
import unittest
from decimal import Decimal
from fractions import Fraction

from oddsbound_check.decimals import Arithmetic
from oddsbound_check.losses import Losses
from oddsbound_check.proofs import gaussian

# Phi(1) and Phi(-8), from tables of the error function.
PHI_OF_1 = Decimal("0.841344746068542948585232545632037922477912966726604390987394450")
PHI_OF_MINUS_8 = Decimal("6.220960574271784123515995E-16")


class NormalDistribution(unittest.TestCase):
    def enclosed(self, t: str, digits: int) -> tuple[Decimal, Decimal]:
        found: tuple[Decimal, Decimal] = gaussian.cumulative(Arithmetic(digits), (Decimal(t), Decimal(t)))
        return found

    def test_encloses_known_values(self) -> None:
        for digits in (40, 120):
            low, high = self.enclosed("-8", digits)
            self.assertLessEqual(low, PHI_OF_MINUS_8 * (1 + Decimal("1e-20")))
            self.assertGreaterEqual(high, PHI_OF_MINUS_8 * (1 - Decimal("1e-20")))
            self.assertLess(high - low, Decimal(10) ** (3 - digits))
            low, high = self.enclosed("0", digits)
            self.assertTrue(low <= Decimal("0.5") <= high)

        low, high = self.enclosed("1", 40)
        self.assertTrue(low <= PHI_OF_1 <= high)

    def test_two_precisions_agree(self) -> None:
        for t in ("-20", "-3.7", "-0.001", "0.3", "1", "6", "37"):
            wide, narrow = self.enclosed(t, 40), self.enclosed(t, 400)
            self.assertLessEqual(wide[0], narrow[0])
            self.assertGreaterEqual(wide[1], narrow[1])

    def test_pi_is_enclosed(self) -> None:
        low, high = gaussian.root_of_two_pi(Arithmetic(50))
        known = Decimal("2.50662827463100050241576528481104525300698674060993831662992357634229")
        self.assertTrue(low <= known <= high)
        self.assertLess(high - low, Decimal("1e-47"))


class Events(unittest.TestCase):
    def test_events_are_sorted_by_their_ratios(self) -> None:
        losses = Losses.of([Fraction(1, 4), Fraction(3, 8), Fraction(3, 8)], [Fraction(1, 2), Fraction(3, 8), Fraction(1, 8)])
        self.assertEqual(gaussian.events(losses), [(Fraction(3, 8), Fraction(1, 8)), (Fraction(3, 4), Fraction(1, 2))])

    def test_a_limit_on_both_sides_of_the_true_one(self) -> None:
        p, q = Fraction(3, 4), Fraction(1, 4)  # mu = 1.3489795003921634, so exp(mu) = 3.8534906
        self.assertTrue(gaussian.is_within(p, q, Fraction(38535, 10000)))
        self.assertFalse(gaussian.is_within(p, q, Fraction(38534, 10000)))
        self.assertTrue(gaussian.is_within(q, q, 1))
        self.assertFalse(gaussian.is_within(p, q, 1))


if __name__ == "__main__":
    unittest.main()
