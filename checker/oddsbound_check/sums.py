"""Finite sums of c * exp(r), c and r rational, stored as integers: all exponents over one denominator, all
coefficients over another. Dictionaries of fractions took nine tenths of the checker's time for hashes and common
divisors.
"""
from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, DivisionByZero, InvalidOperation, Overflow, Subnormal, Underflow
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Any

MOST_DIGITS = 1 << 17  # for a sign
MOST_TERMS = 100_000  # of a product: a short text may stand for a product of any size


@lru_cache(maxsize=1 << 16)
def _exp(top: int, bottom: int, precision: int) -> Decimal:
    context = _context(precision)
    return context.exp(context.divide(Decimal(top), Decimal(bottom)))


@lru_cache(maxsize=None)
def _context(precision: int) -> Context:
    return wide_context(precision)


def wide_context(precision: int) -> Context:
    """A context in which every result has full precision, or raises ArithmeticError. Built-in operators and abs() must
    not be used beside it: they round in the default context, to 28 digits and far fewer exponents."""
    return Context(prec=precision, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[InvalidOperation, DivisionByZero, Overflow, Underflow, Subnormal])


class Sum:
    """The sum of c * exp(k / step) / over, as {k: c}. Two sums of equal value have equal parts."""

    __slots__ = ("terms", "step", "over", "known_sign", "known_hash", "evaluated")

    def __init__(self, terms: dict[int, int], step: int = 1, over: int = 1):
        if 0 in terms.values():
            terms = {k: c for k, c in terms.items() if c}
        common = gcd(over, *terms.values())
        if common != 1:
            terms, over = {k: c // common for k, c in terms.items()}, over // common
        common = gcd(step, *terms)
        if common != 1:
            terms, step = {k // common: c for k, c in terms.items()}, step // common
        self.terms, self.step, self.over = terms, step, over
        self.known_sign: Any = None
        self.known_hash: Any = None
        self.evaluated: Any = None

    @staticmethod
    def of(coefficient: Fraction, exponent: Fraction) -> Sum:
        """A single term, from two fractions."""
        return Sum({exponent.numerator: coefficient.numerator}, exponent.denominator, coefficient.denominator)

    def __eq__(self, other: Any) -> bool:
        return self is other or (self.over == other.over and self.step == other.step and self.terms == other.terms)

    def __hash__(self) -> int:
        if self.known_hash is None:
            self.known_hash = hash((self.over, self.step, frozenset(self.terms.items())))
        return self.known_hash

    def _spread(self, step: int) -> dict[int, int]:
        factor = step // self.step
        return self.terms if factor == 1 else {k * factor: c for k, c in self.terms.items()}

    def __add__(self, other: Sum) -> Sum:
        step, over = lcm(self.step, other.step), lcm(self.over, other.over)
        mine, theirs = over // self.over, over // other.over
        result = {k: c * mine for k, c in self._spread(step).items()}
        for k, c in other._spread(step).items():
            result[k] = result.get(k, 0) + c * theirs
        return Sum(result, step, over)

    def __neg__(self) -> Sum:
        return Sum({k: -c for k, c in self.terms.items()}, self.step, self.over)

    def __mul__(self, other: Sum) -> Sum:
        step = lcm(self.step, other.step)
        result: dict[int, int] = {}
        theirs = list(other._spread(step).items())
        for k, c in self._spread(step).items():
            for m, d in theirs:
                result[k + m] = result.get(k + m, 0) + c * d
            if len(result) > MOST_TERMS:
                raise ArithmeticError("a number of too many terms")
        return Sum(result, step, self.over * other.over)

    def inverse(self) -> Sum:
        """The inverse of a single term."""
        ((k, c),) = self.terms.items()
        return Sum({-k: self.over if c > 0 else -self.over}, self.step, abs(c))

    def lead(self) -> Sum:
        """The single term to factor out so that the rest has coprime integer coefficients, the first positive, and
        smallest exponent 0."""
        first = min(self.terms)
        common = gcd(*self.terms.values())
        return Sum({first: common if self.terms[first] > 0 else -common}, self.step, self.over)

    def evaluate(self, precision: int) -> tuple[Decimal, Decimal]:
        """The sum as a decimal, and a bound on its error."""
        if self.evaluated is not None and self.evaluated[0] == precision:
            return self.evaluated[1:]
        context, total, size = _context(precision), Decimal(0), Decimal(0)
        for k, c in self.terms.items():
            # The rounded exponent has error 10^-(prec-1) |r|, which is the relative error of exp(r).
            value = context.multiply(_exp(k, self.step, precision), context.divide(Decimal(c), Decimal(self.over)))
            total = context.add(total, value)
            size = context.add(size, context.multiply(value.copy_abs(), Decimal(10 + abs(k) // self.step)))
        error = context.multiply(context.scaleb(size, 4 - precision), Decimal(len(self.terms) + 1))
        self.evaluated = precision, total, error
        return total, error

    def sign(self) -> int:
        if self.known_sign is None:
            self.known_sign = self._sign()
        return self.known_sign

    def _sign(self) -> int:
        if len(self.terms) < 2:
            return sum(1 if c > 0 else -1 for c in self.terms.values())
        precision = 60
        while precision <= MOST_DIGITS:
            total, error = self.evaluate(precision)
            if total.copy_abs() > error:
                return 1 if total > 0 else -1
            precision *= 2
        raise ArithmeticError(f"{MOST_DIGITS} digits do not give the sign of a number")

    def __str__(self) -> str:
        return "+".join(f"({c}/{self.over})*exp({k}/{self.step})" for k, c in self.terms.items()) or "0"
