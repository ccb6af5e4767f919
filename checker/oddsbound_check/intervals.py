"""Exact numbers as intervals of integers over a power of two, rounded outward; no floats are used."""
from fractions import Fraction
from math import isqrt
from typing import Any, Callable, Sequence, TypeVar

from .exact import Exact
from .report import Rejected
from .sums import Sum

Interval = tuple[Fraction, Fraction]
Whole = Sequence[tuple[int, int]]  # intervals of integers
T = TypeVar("T")


class NotShown(Rejected):
    """An inequality that does not hold within the precision."""


def with_enough_bits(precisions: Sequence[int], check_at: Callable[[int], T]) -> T:
    """check_at(bits), with the first precision that suffices."""
    for bits in precisions:
        try:
            return check_at(bits)
        except (NotShown, ArithmeticError) as error:
            why = str(error)
    raise Rejected(why)


def times(a: Interval, b: Interval) -> Interval:
    """The product of two intervals of fractions."""
    products = [x * y for x in a for y in b]
    return min(products), max(products)


def exp_within(exponent: Fraction, bits: int) -> Interval:
    """(low, high) around exp(exponent), as fractions: the Taylor sum of a small part, squared repeatedly."""
    if exponent < 0:
        low, high = exp_within(-exponent, bits)
        return 1 / high, 1 / low
    # The more often the argument is halved, the fewer terms are needed.
    halvings = max(0, exponent.numerator.bit_length() - exponent.denominator.bit_length() + 2) + isqrt(bits) // 2
    size = bits + 2 * halvings + int(exponent * 3 // 2) + 16
    one = 1 << size
    small = (exponent.numerator << size) // (exponent.denominator << halvings)  # error < 1; below one / 2
    term = total = one
    count = 0
    while term:
        count += 1
        term = (term * small >> size) // count
        total += term
    # Since the small part is below 1/2, every term has an error below 3 units, and the omitted ones sum to less
    # than 4.
    bottom, top = total, total + (count + 4) ** 2
    for _ in range(halvings):
        bottom, top = bottom * bottom >> size, -(-top * top >> size)
    return Fraction(bottom, one), Fraction(top, one)


class Enclosures:
    """Fractions around exact numbers, with intervals as narrow as `bits` bits allow."""

    def __init__(self, bits: int) -> None:
        self.bits, self.exps, self.sums = bits, dict[Any, Interval](), dict[Sum, Interval]()

    def exp(self, exponent: Any) -> Interval:
        if exponent not in self.exps:
            self.exps[exponent] = exp_within(Fraction(exponent), self.bits)
        return self.exps[exponent]

    def of(self, value: Any) -> Interval:
        """A nonnegative number; (0, 0) for 0 only."""
        if value == 0:
            return Fraction(0), Fraction(0)
        if not isinstance(value, Exact):
            return Fraction(value), Fraction(value)
        found = self.of_sum(value.top)
        for part, power in value.bottom.items():
            low, high = self.of_sum(part)
            if low <= 0 <= high:
                raise ArithmeticError("more bits are needed")
            for _ in range(power):
                found = times(found, (1 / high, 1 / low))
        return max(found[0], Fraction(0)), found[1]

    def of_sum(self, total: Sum) -> Interval:
        if total not in self.sums:
            low = high = Fraction(0)
            for k, c in total.terms.items():
                ends = times((Fraction(c, total.over),) * 2, self.exp(Fraction(k, total.step)))
                low, high = low + ends[0], high + ends[1]
            self.sums[total] = low, high
        return self.sums[total]


def scaled(intervals: Sequence[Interval], bits: int) -> Whole:
    """Intervals of fractions as integers, all multiplied by the same power of two: the largest has about `bits`
    bits."""
    most = max((high for _, high in intervals), default=Fraction(0))
    if most == 0:
        return [(0, 0) for _ in intervals]
    shift = bits - most.numerator.bit_length() + most.denominator.bit_length()
    up, down = 1 << max(shift, 0), 1 << max(-shift, 0)
    return [(low.numerator * up // (low.denominator * down), -(-high.numerator * up // (high.denominator * down))) for low, high in intervals]


def shifted(intervals: Whole, bits: int) -> Whole:
    """The same for integers that have become too long."""
    excess = max((high for _, high in intervals), default=0).bit_length() - bits
    if excess <= 0:
        return intervals
    return [(low >> excess, -(-high >> excess)) for low, high in intervals]
