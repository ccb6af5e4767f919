"""Numbers with one square root, plain + coefficient * sqrt(radicand), as allowed in the logarithm of a level.

Written independently of the tool: squares are not factored out of a root, roots of different radicands combine if
their quotient is a square, and order is decided by squaring.
"""
from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any, Optional

from .exact import Exact, Number


def sign_of(value: Any) -> int:
    return (value > 0) - (value < 0)


def rational_root(value: Any) -> Optional[Fraction]:
    """The root of a number if it is visibly rational, otherwise None."""
    value = value.rational() if isinstance(value, Exact) else Fraction(value)
    if value is None or value < 0:
        return None
    root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    return root if root * root == value else None


class Surd(Number):
    def __init__(self, plain: Any, coefficient: Any = 0, radicand: Any = 1):
        self.plain, self.coefficient, self.radicand = Exact.of(plain), Exact.of(coefficient), Exact.of(radicand)
        root = rational_root(self.radicand)
        if root is not None:
            self.plain, self.coefficient, self.radicand = self.plain + self.coefficient * root, Exact.of(0), Exact.of(1)

    @staticmethod
    def of(value: Any) -> Surd:
        return value if isinstance(value, Surd) else Surd(value)

    def lifted(self, value: Any) -> Surd:
        return Surd.of(value)

    @staticmethod
    def root_of(value: Any) -> Surd:
        if sign_of(value) < 0:
            raise ValueError("the square root of a negative number")
        return Surd(0, 1, value)

    def number(self) -> Optional[Exact]:
        """The value if it is visibly without a root, otherwise None."""
        return self.plain if self.coefficient == 0 else None

    def beside(self, other: Surd) -> tuple[Surd, Surd]:
        """Both numbers over the same radicand."""
        if other.coefficient == 0:
            return self, Surd.over(other.plain, 0, self.radicand)
        if self.coefficient == 0:
            return Surd.over(self.plain, 0, other.radicand), other
        if self.radicand == other.radicand:
            return self, other
        factor = rational_root(other.radicand / self.radicand)
        if factor is None:
            raise ValueError("different square roots in one number")
        return self, Surd.over(other.plain, other.coefficient * factor, self.radicand)

    @staticmethod
    def over(plain: Any, coefficient: Any, radicand: Exact) -> Surd:
        made = Surd(plain)
        made.coefficient, made.radicand = Exact.of(coefficient), radicand
        return made

    def __add__(self, other: Any) -> Surd:
        a, b = self.beside(Surd.of(other))
        return Surd(a.plain + b.plain, a.coefficient + b.coefficient, a.radicand)

    def __neg__(self) -> Surd:
        return Surd(-self.plain, -self.coefficient, self.radicand)

    def __mul__(self, other: Any) -> Surd:
        a, b = self.beside(Surd.of(other))
        return Surd(a.plain * b.plain + a.coefficient * b.coefficient * a.radicand,
                    a.plain * b.coefficient + a.coefficient * b.plain, a.radicand)

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Any) -> Surd:
        other = Surd.of(other)
        if other.coefficient == 0:
            return Surd(self.plain / other.plain, self.coefficient / other.plain, self.radicand)
        norm = other.plain * other.plain - other.coefficient * other.coefficient * other.radicand
        return self * Surd(other.plain / norm, -other.coefficient / norm, other.radicand)

    def sign(self) -> int:
        a, b = sign_of(self.plain), sign_of(self.coefficient)
        if a * b >= 0:
            return a or b
        return a * sign_of(self.plain * self.plain - self.coefficient * self.coefficient * self.radicand)

    def compare(self, other: Any) -> int:
        """The sign of self - other: two of three terms against the third, by squares."""
        other = Surd.of(other)
        rest = Surd(self.plain - other.plain, self.coefficient, self.radicand)
        third = sign_of(other.coefficient)
        if rest.sign() * third <= 0:
            return rest.sign() or -third
        return third * (rest * rest - other.coefficient * other.coefficient * other.radicand).sign()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (int, Fraction, Exact, Surd)) and self.compare(other) == 0

    def __str__(self) -> str:
        return f"({self.plain} + {self.coefficient}*sqrt({self.radicand}))"
