"""Numbers that depend on symbols, and conditions that must hold for all values in range.

A number is a quotient of polynomials in the symbols and powers of e. Bernstein's criterion (polynomials.py) shows signs,
over a box with a range for every symbol and a rational interval around each power of e. A condition that is not shown
counts as violated, even if it holds.
"""
from __future__ import annotations

import itertools
from fractions import Fraction
from math import gcd, lcm
from typing import Any, Iterator, Optional, Sequence, Union

from .exact import Exact
from .expression import BadExpression
from .intervals import exp_within
from .polynomials import Polynomial, Range, never_negative

MOST_TERMS = 1000
MOST_PRODUCTS = 200_000
BITS = 80  # of the interval around a power of e
UNIT = Range(Fraction(0), Fraction(1), True, True)  # of symbols that do not occur
Box = Sequence[Range]


class Ring:
    """symbols: {name: Range}; an end of a range may be None on either side. While the spec is read (strict), every
    divisor must be shown to be nowhere 0; later, a divisor may vanish for some values, and nothing is stated there."""

    def __init__(self, symbols: dict[str, Range]):
        self.names, self.ranges, self.strict = list(symbols), list(symbols.values()), True
        self.known: dict[Any, bool] = {}

    def symbol(self, k: int) -> Function:
        unit = tuple(int(i == k) for i in range(len(self.names))) + (Fraction(0),)
        return Function(self, Polynomial({unit: Fraction(1)}), self.constant(1))

    def constant(self, value: Union[int, Fraction]) -> Polynomial:
        return Polynomial.constant(value, len(self.names) + 1)

    def of_sum(self, own: Any) -> Polynomial:
        """A sum of powers of e."""
        zeros = (0,) * len(self.names)
        return Polynomial({zeros + (Fraction(k, own.step),): Fraction(c, own.over) for k, c in own.terms.items()})

    def of(self, value: Any) -> Function:
        if isinstance(value, Function):
            return value
        if not isinstance(value, Exact):
            return Function(self, self.constant(Fraction(value)), self.constant(1))
        under = self.constant(1)
        for part, power in value.bottom.items():
            under = under * self.of_sum(part) ** power
        return Function(self, self.of_sum(value.top), self.constant(1)) / Function(self, under, self.constant(1))

    def never_negative(self, polynomial: Polynomial, strictly: bool = False, box: Optional[Box] = None) -> bool:
        """True if nonnegativity is shown; strictly: positivity. box: other ranges of the symbols."""
        key = polynomial.key(), strictly, None if box is None else tuple(box)
        if key not in self.known:
            ranges = self.ranges if box is None else box
            self.known[key] = all(never_negative(moved, own, strictly) for moved, own in boxes(polynomial, ranges))
        return self.known[key]


def boxes(polynomial: Polynomial, box: Box) -> Iterator[tuple[Polynomial, list[Range]]]:
    """(polynomial, box with a low end for every symbol). A symbol without a low end is replaced by its negative, or
    split into two halves if it has no end at all."""
    moved, of_power = with_one_power_of_e(polynomial)
    ranges = []
    for k, own in enumerate(box):
        if not any(powers[k] for powers in moved.terms):
            ranges.append([(UNIT, False)])
        elif own.low is not None:
            ranges.append([(own, False)])
        elif own.high is not None:
            ranges.append([(Range(-own.high, None, own.has_high, False), True)])
        else:
            ranges.append([(Range(Fraction(0), None, True, False), mirrored) for mirrored in (False, True)])
    for choice in itertools.product(*ranges):
        signs = [k for k, (_, mirrored) in enumerate(choice) if mirrored]
        yield (Polynomial({powers: c * (-1) ** sum(powers[k] for k in signs) for powers, c in moved.terms.items()}),
               [own for own, _ in choice] + [of_power])


def with_one_power_of_e(polynomial: Polynomial) -> tuple[Polynomial, Range]:
    """The polynomial with natural powers of exp(step) in the last place, and the range of exp(step). Divides by a power
    of e, which keeps signs."""
    exponents = {powers[-1] for powers in polynomial.terms}
    least = min(exponents, default=Fraction(0))
    shifted = {e - least for e in exponents} - {0}
    if not shifted:
        return Polynomial({powers[:-1] + (0,): c for powers, c in polynomial.terms.items()}), UNIT
    below = lcm(*(e.denominator for e in shifted))
    step = Fraction(gcd(*(int(e * below) for e in shifted)), below)
    moved = Polynomial({powers[:-1] + (int((powers[-1] - least) / step),): c for powers, c in polynomial.terms.items()})
    return moved, Range(*exp_within(step, BITS), True, True)


class Function(Exact):
    """over / under. is_plain: `under` is positive for all values in range."""

    def __init__(self, ring: Ring, over: Polynomial, under: Polynomial, is_plain: bool = True):
        super().__init__(None)
        if max(len(over.terms), len(under.terms)) > MOST_TERMS:
            raise BadExpression(f"a number of more than {MOST_TERMS} terms in its symbols")
        self.ring, self.over, self.under, self.is_plain = ring, over, under, is_plain
        self.top, self.bottom = (over.key(), under.key()), {}

    def rational(self) -> Optional[Fraction]:
        """The value if it is visibly free of symbols."""
        if not self.over.terms:
            return Fraction(0)
        if all(not any(powers) for part in (self.over, self.under) for powers in part.terms):
            return Fraction(sum(self.over.terms.values()) / sum(self.under.terms.values()))
        return None

    def lifted(self, value: Any) -> Function:
        return self.ring.of(value)

    def over_same(self, over: Polynomial, under: Polynomial, other: Function) -> Function:
        return Function(self.ring, over, under, self.is_plain and other.is_plain)

    def __add__(self, other: Any) -> Function:
        other = self.ring.of(other)
        if self.under.key() == other.under.key():
            return self.over_same(self.over + other.over, self.under, other)
        return self.over_same(times(self.over, other.under) + times(other.over, self.under), times(self.under, other.under), other)

    def __neg__(self) -> Function:
        return Function(self.ring, self.over.scaled(-1), self.under, self.is_plain)

    def __rsub__(self, other: Any) -> Function:
        return self.ring.of(other) - self

    def __mul__(self, other: Any) -> Function:
        other = self.ring.of(other)
        if self.over.key() == other.under.key():
            return self.over_same(other.over, self.under, other)
        if other.over.key() == self.under.key():
            return self.over_same(self.over, other.under, other)
        return self.over_same(times(self.over, other.over), times(self.under, other.under), other)

    def inverse(self) -> Function:
        if not self.over.terms:
            raise ZeroDivisionError
        for sign in (1, -1):
            if self.is_plain and self.ring.never_negative(self.over.scaled(sign), strictly=True):
                return Function(self.ring, self.under.scaled(sign), self.over.scaled(sign))
        if self.ring.strict:
            raise BadExpression("division by a number that is 0 for some values of the symbols, or is not shown to be nowhere 0")
        return Function(self.ring, self.under, self.over, False)

    def __truediv__(self, other: Any) -> Function:
        other = self.ring.of(other)
        if self.under.key() == other.under.key() and self.over.key() == other.over.key():
            other.inverse()
            return self.ring.of(1)
        return self * other.inverse()

    def __rtruediv__(self, other: Any) -> Function:
        return self.ring.of(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        """Identity: powers of e are linearly independent over the rationals, and so over the symbols."""
        if not isinstance(other, (int, Fraction, Exact)):
            return False
        return not (self - other).over.terms

    def is_never_negative(self, box: Optional[Box] = None, positive: bool = False) -> bool:
        """Shown to be nonnegative (positive) for all values in range at which it is defined. over = value * under, so
        by continuity a zero of `under` does no harm, and over > 0 only if both factors are."""
        shown = self.ring.never_negative
        if self.is_plain:
            return shown(self.over, positive, box)
        return any(shown(self.under.scaled(sign), False, box) and shown(self.over.scaled(sign), positive, box) for sign in (1, -1))

    def is_positive(self, box: Optional[Box] = None) -> bool:
        return self.is_never_negative(box, True)

    def compare(self, *_: Any) -> int:
        raise BadExpression("which of two functions is larger depends on symbols")

    sign = compare


def times(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a.terms) * len(b.terms) > MOST_PRODUCTS:
        raise BadExpression(f"a product of more than {MOST_PRODUCTS} terms in its symbols")
    return a * b
