"""Exact values: Fraction where they are rational, Number and Level otherwise."""
from __future__ import annotations

import decimal
import math
import re
from fractions import Fraction
from typing import Any, Callable, Optional, Union

from ._errors import NumberError
from ._oddsbound import Level, Number, Root, exact

Exact = Union[Fraction, Number]
ExactLike = Union[int, str, decimal.Decimal, Exact]
Exponential = Union[Exact, Root, float]
"""e^level: a float only if the level is infinite."""
LevelLike = Union[int, str, decimal.Decimal, Exact, Level]
Comparable = Union[int, float, decimal.Decimal, Exact, Level]

Number.__doc__ = """An exact number that consists of rationals and exponentials of rationals.

Arithmetic with ints, Fractions and Numbers is exact, and returns a Fraction if the result is rational. Comparisons
are exact, also with floats, which count as their exact value. The text of ``str()`` can be read back. ``round(number,
3)`` and ``f"{number:.3f}"`` are the nearest decimals.

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

``round(level, 2)`` (a Decimal) and ``f"{level:.2f}"`` round up, so that the decimal is a bound of the level.
``float(level)`` is rounded to nearest, and may be below the level.

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
>>> level = ob.Level("log(15/8)")
>>> level.nats, round(level, 2), f"{level:.3f}", level <= round(level, 2)
(0.6286086594223741, Decimal('0.63'), '0.629', True)
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


# Rounding. A decimal has so many digits after the point, or so many significant ones.

def _context(digits: int, rounding: str) -> decimal.Context:
    return decimal.Context(prec=digits, rounding=rounding, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)


def _after_point(value: decimal.Decimal, digits: int, rounding: str) -> decimal.Decimal:
    context = _context(max(1, value.adjusted() + digits + 3), rounding)
    return value.quantize(decimal.Decimal(1).scaleb(-digits), context=context)


def _significant(value: decimal.Decimal, digits: int, rounding: str) -> decimal.Decimal:
    return _context(digits, rounding).plus(value)


_Rounded = Callable[[decimal.Decimal, int, str], decimal.Decimal]


def level_up(level: Level, digits: int, rounded: _Rounded = _after_point) -> decimal.Decimal:
    """The least decimal of so many digits that is not below the level, decided exactly. (Beyond the digits that are
    known of a level with a square root: one that is not below it.)"""
    if level.is_infinite:
        return decimal.Decimal("Infinity")
    lower, upper = level.interval()
    try:
        lower, upper = level.interval(max(17, upper.adjusted() + abs(digits) + 3))
    except NumberError:  # 17 digits are known of a level with a square root
        pass
    least = rounded(lower, digits, decimal.ROUND_CEILING)
    return least if level <= Fraction(least) else rounded(upper, digits, decimal.ROUND_CEILING)


def nearest(value: Union[Number, Root], digits: int, rounded: _Rounded = _after_point) -> decimal.Decimal:
    """The nearest decimal of so many digits; of two, the even one."""
    precision = 17
    while True:
        lower, upper = (rounded(end, digits, decimal.ROUND_HALF_EVEN) for end in value.interval(precision))
        if lower == upper:
            return lower
        precision *= 2


def format_decimal(spec: str, text: str, rounded: Callable[[int, _Rounded], decimal.Decimal]) -> str:
    """What an f-string shows: the text if no digits are asked for, else the decimal that is rounded to them."""
    asked = re.fullmatch(r"(?:.?[<>=^])?[-+ ]?#?0?[0-9]*[,_]?(?:\.([0-9]+))?([a-zA-Z%]?)", spec, re.DOTALL)
    if asked is None or asked[2] not in "eEfFgG%s" or (asked[2] == "s" and asked[1]):
        raise ValueError(f"the format '{spec}' is none of an exact value: use .3f, .3g, .3e, or no digits")
    if asked[2] in ("", "s") and asked[1] is None:
        return format(text, spec)
    digits = 6 if asked[1] is None else int(asked[1])
    if asked[2] in ("f", "F", "%"):
        value = rounded(digits + (2 if asked[2] == "%" else 0), _after_point)
    else:
        value = rounded(digits + 1 if asked[2] in ("e", "E") else max(1, digits), _significant)
    return format(value if value.is_finite() else float(value), spec)


def round_decimal(digits: Optional[int],
                  rounded: Callable[[int, _Rounded], decimal.Decimal]) -> Union[int, decimal.Decimal]:
    """What ``round`` returns: an int without a number of digits."""
    return int(rounded(0, _after_point)) if digits is None else rounded(digits, _after_point)


def _round_level(self: Level, ndigits: Optional[int] = None) -> Union[int, decimal.Decimal]:
    return round_decimal(ndigits, lambda digits, how: level_up(self, digits, how))


def _format_level(self: Level, spec: str) -> str:
    return format_decimal(spec, str(self), lambda digits, how: level_up(self, digits, how))


def _round_number(self: Union[Number, Root], ndigits: Optional[int] = None) -> Union[int, decimal.Decimal]:
    return round_decimal(ndigits, lambda digits, how: nearest(self, digits, how))


def _format_number(self: Union[Number, Root], spec: str) -> str:
    return format_decimal(spec, str(self), lambda digits, how: nearest(self, digits, how))


# The module's types get these here: they are decided by their intervals and comparisons.
setattr(Level, "__round__", _round_level)
setattr(Level, "__format__", _format_level)
for _type in (Number, Root):
    setattr(_type, "__round__", _round_number)
    setattr(_type, "__format__", _format_number)

__all__ = ["Comparable", "Exact", "ExactLike", "Exponential", "Level", "LevelLike", "Number", "Root", "exact"]
