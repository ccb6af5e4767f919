"""Exact numbers: order and signs where decimals are extreme."""
import unittest
from decimal import ROUND_DOWN, localcontext
from fractions import Fraction

from oddsbound_check.exact import Exact, compare
from oddsbound_check.expression import number
from oddsbound_check.sums import Sum


class ExtremeNumbersTest(unittest.TestCase):
    def test_signs_of_sums_far_below_and_above_the_default_exponents(self):
        for far in (-3_000_000, 3_000_000, -2_302_585_230, 2_302_585_230):  # exp(2302585230) is about 10^(10^9)
            small = Exact.exp(far)
            self.assertEqual((small * Exact.exp(Fraction(1, 10**9)) - small).sign(), 1)
            self.assertEqual((small - small * Exact.exp(Fraction(1, 10**9))).sign(), -1)
            # exp(1/10) is above 11/10, and exp(1/11) is below.
            self.assertEqual(compare(small * Exact.exp(Fraction(1, 10)) * 1000, small * 1100), 1)
            self.assertEqual(compare(small * Exact.exp(Fraction(1, 11)) * 1000, small * 1100), -1)

    def test_the_default_context_decides_nothing(self):
        a, b = number("exp(1)+exp(-1)"), number("exp(1)+exp(-1)+1/10^40")
        for digits in (1, 28):
            with localcontext() as context:
                context.prec, context.rounding = digits, ROUND_DOWN
                self.assertEqual(compare(a, b), -1)
                self.assertEqual(compare(b, a), 1)
                self.assertEqual(Sum({0: -271828, 1: 10**5}).sign(), 1)
                self.assertEqual(Sum({0: -271829, 1: 10**5}).sign(), -1)

    def test_a_product_of_too_many_terms_is_refused(self):
        with self.assertRaises(ArithmeticError):
            number("*".join(f"(1+exp(1/{2 * k + 3}))" for k in range(40)))


if __name__ == "__main__":
    unittest.main()
