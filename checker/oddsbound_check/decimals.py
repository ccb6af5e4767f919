"""Logarithms and exponentials as intervals of decimals. Python's decimal rounds both correctly (half to even), so the
next decimals on either side enclose them; all other operations are rounded down or up by the context. No floats."""
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any, Callable, Optional

from .exact import Exact
from .expression import monomial
from .intervals import Enclosures
from .report import NotProved, Rejected, require
from .surds import Surd

PRECISIONS = (40, 120, 400, 1200)  # digits
Interval = tuple[Decimal, Decimal]


class Arithmetic:
    """Intervals (low, high) of decimals with `digits` digits."""

    def __init__(self, digits: int) -> None:
        self.down, self.up = (Context(prec=digits, rounding=rounding, Emax=10**9, Emin=-10**9) for rounding in (ROUND_FLOOR, ROUND_CEILING))
        self.enclosures = Enclosures(4 * digits)

    def of(self, value: Any) -> Interval:
        """The interval of a fraction or a nonnegative exact number, with or without a square root."""
        if isinstance(value, Surd):
            inside = self.of(value.radicand)
            root = self.down.next_minus(self.down.sqrt(inside[0])), self.up.next_plus(self.up.sqrt(inside[1]))
            return self.add(self.signed(value.plain), self.times(self.signed(value.coefficient), root))
        low, high = self.enclosures.of(value) if isinstance(value, Exact) else (Fraction(value),) * 2
        return self.down.divide(Decimal(low.numerator), Decimal(low.denominator)), self.up.divide(Decimal(high.numerator), Decimal(high.denominator))

    def signed(self, value: Any) -> Interval:
        low, high = self.of(value if value >= 0 else -value)
        return (low, high) if value >= 0 else (high.copy_negate(), low.copy_negate())  # "-high" would round

    def add(self, a: Interval, b: Interval) -> Interval:
        return self.down.add(a[0], b[0]), self.up.add(a[1], b[1])

    def times(self, a: Interval, b: Interval) -> Interval:
        return (min(self.down.multiply(x, y) for x in a for y in b), max(self.up.multiply(x, y) for x in a for y in b))

    def over(self, a: Interval, b: Interval) -> Interval:
        """b must be positive."""
        require(b[0] > 0, "more digits are needed")
        return (min(self.down.divide(x, y) for x in a for y in b), max(self.up.divide(x, y) for x in a for y in b))

    def ln(self, a: Interval) -> Interval:
        require(a[0] > 0, "more digits are needed")
        return self.down.next_minus(self.down.ln(a[0])), self.up.next_plus(self.up.ln(a[1]))

    def exp(self, a: Interval) -> Interval:
        return self.down.next_minus(self.down.exp(a[0])), self.up.next_plus(self.up.exp(a[1]))

    def nats(self, level: Any) -> Interval:
        """A finite level, given by its exponential."""
        factor, exponent = monomial(level) or (level, Fraction(0))  # factor exp(exponent)
        return self.signed(exponent) if factor == 1 else self.add(self.signed(exponent), self.ln(self.of(factor)))


def decided(question: Callable[[Arithmetic], Optional[bool]]) -> bool:
    """question(arithmetic): True, False, or None if more digits are needed. Raises NotProved if none suffice."""
    for digits in PRECISIONS:
        try:
            answer = question(Arithmetic(digits))
        except Rejected:
            continue
        if answer is not None:
            return answer
    raise NotProved(f"{PRECISIONS[-1]} digits do not decide it")
