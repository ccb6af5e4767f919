"""Exact values: Fraction where they are rational, Number and Level otherwise."""
from __future__ import annotations

import decimal
import math
from fractions import Fraction
from typing import Any, Union

from ._oddsbound import Level, Number, Root, exact

Exact = Union[Fraction, Number]

Number.__doc__ = """An exact number that consists of rationals and exponentials of rationals.

Arithmetic with ints, Fractions and Numbers is exact, and returns a Fraction if the result is rational. Comparisons
are exact, also with floats, which count as their exact value. The text of ``str()`` can be read back.

Examples
--------
>>> from fractions import Fraction
>>> import oddsbound as ob
>>> e = ob.Number("exp(1)")
>>> e > Fraction(271828, 100000)
True
>>> e / e
Fraction(1, 1)
>>> str(1 / (1 + e))
'1/(1 + exp(1))'
"""
Root.__doc__ = """An exact number with one square root: ``plain + coefficient * sqrt(radicand)``.

e^level may be such a number for a level over a set of priors. Supports arithmetic with ints, Fractions, Numbers and Roots
of the same radicand, and comparisons with all of these and with floats.

Attributes
----------
plain, coefficient, radicand : Fraction or Number

Examples
--------
>>> import oddsbound as ob
>>> ob.Level("log(1 + sqrt(2))").exp
Root('1 + sqrt(2)')
>>> ob.Root("sqrt(2)") ** 2
Fraction(2, 1)
>>> ob.Root("1 + sqrt(2)") > ob.Root("sqrt(5)")
True
>>> ob.Root("sqrt(2)").interval(20)
(Decimal('1.4142135623730950488'), Decimal('1.4142135623730950489'))
"""
Level.__doc__ = """An exact privacy level in nats: a string such as ``"log(3)"`` or ``"inf"``, or a rational number.

Examples
--------
>>> import oddsbound as ob
>>> ob.Level("log(3)") > 1
True
>>> ob.Level("log(3)").exp
Fraction(3, 1)
>>> ob.Level("log(3)").interval(30)
(Decimal('1.09861228866810969139524523692'), Decimal('1.09861228866810969139524523693'))
>>> ob.Level("log(3)") + ob.Level("log(2)")
Level('log(6)')
"""


def _integer(digits: str) -> int:
    """Of any length: int() refuses long texts, for its way of reading them takes quadratic time."""
    return int(decimal.Decimal(digits))


def _digits(integer: int) -> str:
    return str(decimal.Decimal(integer))


def _fraction(text: str) -> Fraction:
    """Of "a/b" or "a"."""
    numerator, _, denominator = text.partition("/")
    return Fraction(_integer(numerator), _integer(denominator or "1"))


def _outward(lower: Fraction, upper: Fraction, digits: int) -> tuple[decimal.Decimal, decimal.Decimal]:
    """The decimals of so many digits around two rationals: each end is rounded once, by a division."""
    ends = []
    for value, rounding in ((lower, decimal.ROUND_FLOOR), (upper, decimal.ROUND_CEILING)):
        context = decimal.Context(prec=digits, rounding=rounding)
        ends.append(context.divide(decimal.Decimal(value.numerator), decimal.Decimal(value.denominator)))
    return ends[0], ends[1]


def _root_bounds(root: Any, bits: int) -> tuple[Fraction, Fraction]:
    """Rationals around a Root, apart by some 2^-bits of its parts."""
    sides = []
    for part in (root.plain, root.coefficient, root.radicand):
        lower, upper = (part, part) if isinstance(part, Fraction) else map(Fraction, part.interval(bits // 3))
        sides.append((lower, upper))
    (plain, plain_up), (times, times_up), (square, square_up) = sides
    root_down = Fraction(math.isqrt(math.floor(square * 4**bits)), 2**bits)
    root_up = Fraction(math.isqrt(math.ceil(square_up * 4**bits)) + 1, 2**bits)
    products = [a * b for a in (times, times_up) for b in (root_down, root_up)]
    return plain + min(products), plain_up + max(products)


def _root_interval(root: Any, digits: int) -> tuple[decimal.Decimal, decimal.Decimal]:
    if digits < 1:
        raise ValueError("an interval has at least one digit")
    if root == 0:
        return decimal.Decimal(0), decimal.Decimal(0)
    bits = 4 * digits + 32
    while True:
        lower, upper = _root_bounds(root, bits)
        if (lower > 0 or upper < 0) and (upper - lower) * 10**digits <= min(abs(lower), abs(upper)):
            return _outward(lower, upper, digits)
        bits *= 2


__all__ = ["Exact", "Level", "Number", "Root", "exact"]
