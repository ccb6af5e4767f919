"""Exact numbers of the checker: quotients of finite sums of c * exp(r), c and r rational.

Written independently of the tool: no reduction to a canonical form, equality by cross multiplication and comparison of
coefficients, signs by decimal evaluation at growing precision with an explicit error bound.
"""
from decimal import Context, Decimal
from fractions import Fraction


INFINITE = "inf"


def _clean(terms):
    return {r: c for r, c in terms.items() if c != 0}


def _add(a, b, sign=1):
    result = dict(a)
    for r, c in b.items():
        result[r] = result.get(r, Fraction(0)) + sign * c
    return _clean(result)


def _mul(a, b):
    result = {}
    for r, c in a.items():
        for s, d in b.items():
            result[r + s] = result.get(r + s, Fraction(0)) + c * d
    return _clean(result)


def _evaluate(terms, context):
    """The sum and a bound on its error."""
    total = Decimal(0)
    size = Decimal(0)
    for r, c in terms.items():
        exponent = context.divide(Decimal(r.numerator), Decimal(r.denominator))
        # The rounded exponent is off by 10^-(prec-1) |r|, which moves exp(r) by that much relatively.
        value = context.multiply(context.exp(exponent), context.divide(Decimal(c.numerator), Decimal(c.denominator)))
        total = context.add(total, value)
        size = context.add(size, context.multiply(abs(value), Decimal(10 + abs(int(r)))))
    return total, context.multiply(size, Decimal(10) ** (4 - context.prec) * (len(terms) + 1))


def _sign(terms):
    if not terms:
        return 0
    if list(terms) == [0]:
        return 1 if terms[0] > 0 else -1
    precision = 40
    while True:
        total, error = _evaluate(terms, Context(prec=precision, Emax=10**9, Emin=-10**9))
        if abs(total) > error:
            return 1 if total > 0 else -1
        precision *= 2


QUICK = Context(prec=60, Emax=10**9, Emin=-10**9)
CERTAIN = Decimal("1e-30")


def quick(value):
    """A decimal within 1e-35 of the value, relatively; None if cancellation does not allow that."""
    if not isinstance(value, Exact):
        return QUICK.divide(Decimal(value.numerator), Decimal(value.denominator))
    if value.decimal is None:
        top, top_error = _evaluate(value.top, QUICK)
        bottom, bottom_error = _evaluate(value.bottom, QUICK)
        fine = top_error < abs(top) * Decimal("1e-36") and bottom_error < abs(bottom) * Decimal("1e-36")
        value.decimal = QUICK.divide(top, bottom) if fine else False
    return None if value.decimal is False else value.decimal


def certainly_differ(a, b):
    """-1 or 1 if decimals decide the order, else 0."""
    if a is None or b is None or abs(QUICK.subtract(a, b)) <= QUICK.multiply(CERTAIN, max(abs(a), abs(b))):
        return 0
    return -1 if a < b else 1


def compare(a, b):
    """The sign of a - b: by decimals where they are far enough apart, else exactly."""
    order = certainly_differ(quick(a), quick(b))
    return order or (Exact.of(a) - b).sign()


class Exact:
    """top / bottom, each {exponent: coefficient}."""

    def __init__(self, top, bottom=None):
        self.decimal = None
        self.top = _clean(top)
        self.bottom = {Fraction(0): Fraction(1)} if bottom is None else bottom
        if len(self.bottom) == 1:
            ((r, c),) = self.bottom.items()
            self.top = {s - r: d / c for s, d in self.top.items()}
            self.bottom = {Fraction(0): Fraction(1)}

    @staticmethod
    def of(value):
        return value if isinstance(value, Exact) else Exact({Fraction(0): Fraction(value)})

    @staticmethod
    def exp(r):
        return Exact({Fraction(r): Fraction(1)})

    def rational(self):
        """The value if it is visibly rational, else None."""
        if len(self.bottom) == 1 and all(r == 0 for r in self.top):
            return self.top.get(Fraction(0), Fraction(0))
        return None

    def __add__(self, other):
        other = Exact.of(other)
        if self.bottom == other.bottom:
            return Exact(_add(self.top, other.top), self.bottom)
        return Exact(_add(_mul(self.top, other.bottom), _mul(other.top, self.bottom)), _mul(self.bottom, other.bottom))

    def __neg__(self):
        return Exact({r: -c for r, c in self.top.items()}, self.bottom)

    def __sub__(self, other):
        return self + (-Exact.of(other))

    def __mul__(self, other):
        other = Exact.of(other)
        return Exact(_mul(self.top, other.top), _mul(self.bottom, other.bottom))

    def __truediv__(self, other):
        other = Exact.of(other)
        if not other.top:
            raise ZeroDivisionError
        return Exact(_mul(self.top, other.bottom), _mul(self.bottom, other.top))

    def __pow__(self, n):
        base = self if n >= 0 else Exact.of(1) / self
        result = Exact.of(1)
        for _ in range(abs(n)):
            result = result * base
        return result

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return Exact.of(other) - self

    def __rtruediv__(self, other):
        return Exact.of(other) / self

    def sign(self):
        return _sign(self.top) * _sign(self.bottom)

    def __eq__(self, other):
        if other is INFINITE:
            return False
        if not isinstance(other, Exact) and other == 0:
            return not self.top
        if certainly_differ(quick(self), quick(other)):
            return False
        other = Exact.of(other)
        return not _add(_mul(self.top, other.bottom), _mul(other.top, self.bottom), -1)

    def simplest(self):
        """A Fraction where the value is visibly rational: those are faster."""
        value = self.rational()
        return self if value is None else value

    def __lt__(self, other):
        return compare(self, other) < 0

    def __le__(self, other):
        return compare(self, other) <= 0

    def __gt__(self, other):
        return compare(self, other) > 0

    def __ge__(self, other):
        return compare(self, other) >= 0

    def __repr__(self):
        return f"{self.top}/{self.bottom}"


class Worst:
    """The largest loss over offered pairs p against q, as its exponential; at least 1."""

    def __init__(self):
        self.p, self.q, self.seen = Fraction(1), Fraction(1), set()

    def offer(self, p, q):
        # Entries are shared objects where a spec repeats them, so most pairs were seen before.
        if self.q == 0 or (id(p), id(q)) in self.seen:
            return
        self.seen.add((id(p), id(q)))
        if p == 0:
            return
        if q == 0 or self.exceeds(p, q):
            self.p, self.q = p, q

    def exceeds(self, p, q):
        decimals = [quick(value) for value in (p, self.q, self.p, q)]
        if None not in decimals:
            a, b, c, d = decimals
            order = certainly_differ(QUICK.multiply(a, b), QUICK.multiply(c, d))
            if order:
                return order > 0
        return p * self.q > self.p * q

    def value(self):
        return INFINITE if self.q == 0 else self.p / self.q


def larger(a, b):
    if a is INFINITE or b is INFINITE:
        return INFINITE
    return a if a >= b else b


def at_most(a, b):
    """a <= b for exponentials of levels."""
    if b is INFINITE:
        return True
    return a is not INFINITE and a <= b
