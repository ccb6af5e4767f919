"""Exact numbers of the checker: quotients of finite sums of c * exp(r), c and r rational.

Written independently of the tool: no common factors of polynomials; equality by cross multiplication and comparison of
coefficients; signs by decimal evaluation at growing precision with an explicit error bound.
"""
from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any, Callable, Collection, Iterable, Optional, Sequence, Union

from .sums import Sum, wide_context

INFINITE: Any = "inf"
Powers = dict[Sum, int]
QUICK = wide_context(60)
CERTAIN = Decimal("1e-30")


def quick(value: Any) -> Any:
    """A decimal within relative error 1e-35 of the value; None if cancellation prevents that."""
    if not isinstance(value, Exact):
        return QUICK.divide(Decimal(value.numerator), Decimal(value.denominator))
    return value.decimal


def certainly_differ(a: Optional[Decimal], b: Optional[Decimal]) -> int:
    """-1 or 1 if decimals decide the order, otherwise 0."""
    if a is None or b is None or QUICK.subtract(a, b).copy_abs() <= QUICK.multiply(CERTAIN, max(a.copy_abs(), b.copy_abs())):
        return 0
    return -1 if a < b else 1


def is_surd(value: Any) -> bool:
    return hasattr(value, "radicand")


def compare(a: Any, b: Any) -> int:
    """The sign of a - b: by decimals if they are far enough apart, otherwise exactly."""
    if is_surd(b):
        return -b.compare(a)
    order = certainly_differ(quick(a), quick(b))
    return order or (Exact.of(a) - b).sign()


def _merged(a: Powers, b: Powers, choose: Callable[[int, int], int]) -> Powers:
    powers = {factor: choose(a.get(factor, 0), b.get(factor, 0)) for factor in {**a, **b}}
    return {factor: power for factor, power in powers.items() if power > 0}


def _times_missing(top: Sum, bottom: Powers, wanted: Powers) -> Sum:
    """The top of a quotient whose bottom becomes the wanted one."""
    for factor, power in wanted.items():
        for _ in range(power - bottom.get(factor, 0)):
            top = top * factor
    return top


class Ordered:
    """Compared by `compare` alone."""

    def compare(self, other: Any) -> int:
        """The sign of self - other."""
        raise NotImplementedError

    def __lt__(self, other: Any) -> bool:
        return self.compare(other) < 0

    def __le__(self, other: Any) -> bool:
        return self.compare(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self.compare(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self.compare(other) >= 0


class Number(Ordered):
    """A number with the operators that follow from its own ones."""

    def lifted(self, value: Any) -> Any:
        """The value as a number of this kind."""
        raise NotImplementedError

    def __sub__(self, other: Any) -> Any:
        return self + -self.lifted(other)

    def __rsub__(self, other: Any) -> Any:
        return self.lifted(other) - self

    def __rtruediv__(self, other: Any) -> Any:
        return self.lifted(other) / self

    def __pow__(self, n: int) -> Any:
        return prod([self if n >= 0 else 1 / self] * abs(n), start=self.lifted(1))

    def __repr__(self) -> str:
        return str(self)


class Exact(Number):
    """top / bottom, a sum and {sum: power}. Bottoms stay products, since the same factors recur and must not
    accumulate."""

    def __init__(self, top: Any, bottom: Optional[Powers] = None):
        self.top = top
        self.bottom = bottom if bottom and top.terms else {}

    @cached_property
    def decimal(self) -> Any:
        """See quick()."""
        result: Any = None
        for part, power in [(self.top, 1), *self.bottom.items()]:
            total, error = part.evaluate(QUICK.prec)
            # Far below 1e-35, since the errors of all factors add up.
            if error >= QUICK.multiply(total.copy_abs(), Decimal("1e-40")):
                return None
            result = total if result is None else QUICK.divide(result, QUICK.power(total, power))
        return result

    @staticmethod
    def of(value: Any) -> Exact:
        return value if isinstance(value, Exact) else Exact(Sum.of(Fraction(value), Fraction(0)))

    def lifted(self, value: Any) -> Exact:
        return Exact.of(value)

    @staticmethod
    def exp(r: Union[int, Fraction]) -> Exact:
        return Exact(Sum.of(Fraction(1), Fraction(r)))

    def rational(self) -> Optional[Fraction]:
        """The value if it is visibly rational, otherwise None."""
        if not self.bottom and all(k == 0 for k in self.top.terms):
            return Fraction(self.top.terms.get(0, 0), self.top.over)
        return None

    def __add__(self, other: Any) -> Exact:
        other = Exact.of(other)
        if self.bottom == other.bottom:
            return Exact(self.top + other.top, self.bottom)
        bottom = _merged(self.bottom, other.bottom, max)
        return Exact(_times_missing(self.top, self.bottom, bottom) + _times_missing(other.top, other.bottom, bottom), bottom)

    def __neg__(self) -> Exact:
        return Exact(-self.top, self.bottom)

    def __mul__(self, other: Any) -> Exact:
        other = Exact.of(other)
        return Exact(self.top * other.top, _merged(self.bottom, other.bottom, lambda m, n: m + n))

    def __truediv__(self, other: Any) -> Exact:
        other = Exact.of(other)
        if not other.top.terms:
            raise ZeroDivisionError
        # Common divisors would only be multiplied to both sides.
        left = _merged(self.bottom, other.bottom, lambda m, n: m - n)
        return Exact(self.top, left) * Exact(other.top, _merged(other.bottom, self.bottom, lambda m, n: m - n)).inverse()

    def inverse(self) -> Exact:
        unit = self.top.lead().inverse()
        top = _times_missing(unit, {}, self.bottom)
        return Exact(top, {} if len(self.top.terms) == 1 else {self.top * unit: 1})

    __radd__ = __add__
    __rmul__ = __mul__

    def compare(self, other: Any) -> int:
        return compare(self, other)

    def sign(self) -> int:
        result = self.top.sign()
        for factor, power in self.bottom.items():
            result *= factor.sign() ** power
        return result

    def __eq__(self, other: object) -> Any:
        if other is INFINITE:
            return False
        if is_surd(other):
            return NotImplemented
        if not isinstance(other, Exact) and other == 0:
            return not self.top.terms
        if certainly_differ(quick(self), quick(other)):
            return False
        return not (self - other).top.terms

    def __str__(self) -> str:
        """In the grammar of specs."""
        factors = (f"({factor})^{power}" for factor, power in self.bottom.items())
        return f"({self.top})" + "".join(f"/{factor}" for factor in factors)


def written(value: Any) -> Any:
    """A key that numbers have in common if they are written alike. Equal quotients of sums may be written differently."""
    return (value.top, frozenset(value.bottom.items())) if isinstance(value, Exact) else (value.numerator, value.denominator)


class Shared:
    """Numbers that are written alike become one object: whoever compares two of them compares each pair once."""

    def __init__(self) -> None:
        self.seen: dict[Any, Any] = {}
        self.own: dict[int, Any] = {}
        self.products: dict[tuple[int, int], Any] = {}

    def one(self, value: Any) -> Any:
        if id(value) in self.own:
            return value
        found = self.seen.setdefault(written(value), value)
        self.own[id(found)] = found  # which keeps the object, and its id
        return found

    def times(self, a: Any, b: Any) -> Any:
        """The product of two shared numbers."""
        key = id(a), id(b)
        if key not in self.products:
            self.products[key] = self.one(a * b)
        return self.products[key]


def shared(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """The rows with equally written entries as one object."""
    one = Shared().one
    return [[one(value) for value in row] for row in rows]


class Worst:
    """The largest loss over offered pairs p against q, as its exponential; at least 1."""

    def __init__(self) -> None:
        self.p, self.q, self.seen = Fraction(1), Fraction(1), set[tuple[int, int]]()

    def offer(self, p: Any, q: Any) -> None:
        # Entries are shared objects, so most pairs have been seen before.
        if self.q == 0 or (id(p), id(q)) in self.seen:
            return
        self.seen.add((id(p), id(q)))
        if p == 0:
            return
        if q == 0 or self.exceeds(p, q):
            self.p, self.q = p, q

    def offer_rows(self, first: Collection[Sequence[Any]], second: Collection[Sequence[Any]]) -> None:
        """Offers every row of one list against every row of the other."""
        for above, below in zip(zip(*first), zip(*second)):
            self.offer(max({id(p): p for p in above}.values()), min({id(q): q for q in below}.values()))

    def exceeds(self, p: Any, q: Any) -> bool:
        decimals = [quick(value) for value in (p, self.q, self.p, q)]
        if None not in decimals:
            a, b, c, d = decimals
            order = certainly_differ(QUICK.multiply(a, b), QUICK.multiply(c, d))
            if order:
                return order > 0
        return p * self.q > self.p * q

    def value(self) -> Any:
        return INFINITE if self.q == 0 else self.p / self.q


def at_most(a: Any, b: Any) -> bool:
    """a <= b for exponentials of levels."""
    if b is INFINITE:
        return True
    return a is not INFINITE and a <= b
