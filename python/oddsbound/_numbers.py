"""Exact values: Fraction where they are rational, Number and Level otherwise."""
from __future__ import annotations

import decimal
from fractions import Fraction
from typing import Union

from ._oddsbound import Level, Number, exact

Exact = Union[Fraction, Number]

Number.__doc__ = """A number that is made of rationals and exponentials of rationals, exactly.

Arithmetic with ints, Fractions and Numbers is exact, and gives a Fraction where the result is rational. Comparisons
are decided, also with floats, which stand for exactly their value. ``str()`` writes what can be read back.

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
Level.__doc__ = """A privacy level in nats, exactly: a text as ``"log(3)"``, ``"1/2"``, ``"inf"``, or a rational number.

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


__all__ = ["Exact", "Level", "Number", "exact"]
