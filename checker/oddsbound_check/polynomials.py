"""Polynomials in symbols, and proofs that one is nonnegative, or positive, in a box.

After the substitution x = a + u, or x = (a + b u)/(1 + u), with u >= 0, all coefficients are nonnegative (Bernstein's
criterion), in the box or in each half of it. It is positive if also some coefficient is above 0 at every corner that
belongs to the box: at u = 0 that of u^0, at u = infinity that of the highest power. If the box is open and has no such
corner, any coefficient above 0 suffices."""
from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, Optional, Sequence, Union

MOST_TERMS = 4000
MOST_SPLITS = 200
MOST_CORNERS = 1 << 10


class Polynomial:
    """{powers of all symbols: nonzero coefficient}."""

    def __init__(self, terms: dict[tuple[Any, ...], Any]):
        self.terms = {powers: c for powers, c in terms.items() if c}
        if len(self.terms) > MOST_TERMS:
            raise ArithmeticError("a polynomial of too many terms")

    @staticmethod
    def constant(value: Union[int, Fraction], symbols: int) -> Polynomial:
        return Polynomial({(0,) * symbols: Fraction(value)})

    def __add__(self, other: Polynomial) -> Polynomial:
        terms = dict(self.terms)
        for powers, c in other.terms.items():
            terms[powers] = terms.get(powers, 0) + c
        return Polynomial(terms)

    def scaled(self, factor: Union[int, Fraction]) -> Polynomial:
        return Polynomial({powers: c * factor for powers, c in self.terms.items()})

    def __mul__(self, other: Polynomial) -> Polynomial:
        terms: dict[tuple[Any, ...], Any] = {}
        for a, c in self.terms.items():
            for b, d in other.terms.items():
                powers = tuple(x + y for x, y in zip(a, b))
                terms[powers] = terms.get(powers, 0) + c * d
        return Polynomial(terms)

    def __pow__(self, n: int) -> Polynomial:
        result = Polynomial.constant(1, len(next(iter(self.terms), ())))
        for _ in range(n):
            result = result * self
        return result

    def key(self) -> frozenset[Any]:
        return frozenset(self.terms.items())

    def coefficients_of(self, k: int) -> dict[Any, Polynomial]:
        """The polynomial in symbol k: its coefficients by power, with that symbol's power set to 0."""
        found: dict[Any, dict[tuple[Any, ...], Any]] = {}
        for powers, c in self.terms.items():
            rest = powers[:k] + (0,) + powers[k + 1:]
            own = found.setdefault(powers[k], {})
            own[rest] = own.get(rest, 0) + c
        return {power: Polynomial(terms) for power, terms in found.items()}

    def substituted(self, k: int, low: Fraction, high: Optional[Fraction]) -> Polynomial:
        """x_k = low + u, or (low + high u) / (1 + u), times (1 + u)^degree."""
        symbols = len(next(iter(self.terms), ()))
        unit = tuple(int(i == k) for i in range(symbols))
        one, u = (0,) * symbols, unit
        top = Polynomial({one: low, u: Fraction(1) if high is None else high})
        bottom = Polynomial({one: Fraction(1)} if high is None else {one: Fraction(1), u: Fraction(1)})
        parts = self.coefficients_of(k)
        degree, total = max(parts, default=0), Polynomial({})
        for power, rest in parts.items():
            total = total + rest * top ** power * bottom ** (degree - power)
        return total


class Range(NamedTuple):
    """The range of a symbol; an end may be None. has_low, has_high: whether the ends belong to it."""
    low: Any
    high: Any
    has_low: bool
    has_high: bool

    def halves(self) -> tuple[Range, Range]:
        middle = self.low + 1 + abs(self.low) if self.high is None else (self.low + self.high) / 2
        return Range(self.low, middle, self.has_low, True), Range(middle, self.high, True, self.has_high)

    def contains(self, value: Fraction) -> bool:
        above = self.low is None or value > self.low or (self.has_low and value == self.low)
        return above and (self.high is None or value < self.high or (self.has_high and value == self.high))

    def ends(self) -> list[Fraction]:
        """The ends that belong to it."""
        return [self.low] * self.has_low + [self.high] * self.has_high

    def inside(self) -> Range:
        return Range(self.low, self.high, False, False)

    @property
    def width(self) -> tuple[bool, Fraction]:
        return (True, Fraction(0)) if self.high is None else (False, self.high - self.low)


def is_positive_at_corners(moved: Polynomial, degrees: Sequence[int], box: Sequence[Range]) -> bool:
    """moved: in u, with nonnegative coefficients."""
    anywhere: list[Any] = [None]
    powers: list[list[Any]] = [[0] * own.has_low + [degree] * own.has_high or anywhere for own, degree in zip(box, degrees)]
    corners = 1
    for own in powers:
        corners *= len(own)
    return corners <= MOST_CORNERS and all(
        any(all(wanted in (None, power) for wanted, power in zip(corner, term)) for term in moved.terms)
        for corner in product(*powers))


def never_negative(polynomial: Polynomial, box: Sequence[Range], positive: bool = False) -> bool:
    """True if nonnegativity is shown; positive: if positivity is shown. box: the Range of every symbol."""
    if positive and not polynomial.terms:
        return False
    left, open_boxes = MOST_SPLITS, [tuple(box)]
    degrees = [max((powers[k] for powers in polynomial.terms), default=0) for k in range(len(box))]
    while open_boxes:
        own = open_boxes.pop()
        moved = polynomial
        for k, (low, high, *_) in enumerate(own):
            moved = moved.substituted(k, low, high) if moved.terms else moved
        at_low = moved.terms.get((0,) * len(own), 0)
        if all(c >= 0 for c in moved.terms.values()):
            if not positive or is_positive_at_corners(moved, degrees, own):
                continue
            if at_low == 0 and all(one.has_low for one in own):
                return False
        if left == 0 or at_low < 0:
            return False
        left -= 1
        widest = max(range(len(own)), key=lambda k: own[k].width)
        for half in own[widest].halves():
            open_boxes.append(own[:widest] + (half,) + own[widest + 1:])
    return True


