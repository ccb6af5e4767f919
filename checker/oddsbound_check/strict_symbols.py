"""Numbers of a spec with symbols, and conditions that must hold for all values in range.

A number is a quotient of polynomials in the symbols and exp(1/n), whose denominator is positive everywhere in range. A
sign is proved by Bernstein's criterion (polynomials.py), over a box with an end for every symbol and a rational
interval around each power of e. Unproved conditions are rejected, even if they hold.
"""
import itertools
from fractions import Fraction
from math import gcd, lcm

from .exact import Exact
from .expression import BadExpression
from .polynomials import Polynomial, Range, never_negative

MOST_TERMS = 1000
MOST_PRODUCTS = 200_000
BITS = 80  # of the interval around a power of e
UNIT = Range(Fraction(0), Fraction(1), True, True)  # of symbols that do not occur


class Ring:
    """symbols: {name: Range}; an end may be None on either side."""

    def __init__(self, symbols):
        self.names, self.ranges, self.known = list(symbols), list(symbols.values()), {}

    def symbol(self, k):
        return Function(self, self.power(k), self.constant(1))

    def power(self, k):
        return Polynomial({tuple(int(i == k) for i in range(len(self.names))) + (Fraction(0),): Fraction(1)})

    def constant(self, value):
        return Polynomial.constant(value, len(self.names) + 1)

    def of_sum(self, own):
        """A sum of powers of e."""
        zeros = (0,) * len(self.names)
        return Polynomial({zeros + (Fraction(k, own.step),): Fraction(c, own.over) for k, c in own.terms.items()})

    def of(self, value):
        if isinstance(value, Function):
            return value
        if not isinstance(value, Exact):
            return Function(self, self.constant(Fraction(value)), self.constant(1))
        under = self.constant(1)
        for part, power in value.bottom.items():
            for _ in range(power):
                under = under * self.of_sum(part)
        return Function(self, self.of_sum(value.top), self.constant(1)) / Function(self, under, self.constant(1))

    def never_negative(self, polynomial, strictly=False):
        """True if nonnegativity is proved, for a polynomial in symbols and powers of e."""
        key = polynomial.key(), strictly
        if key not in self.known:
            self.known[key] = all(never_negative(moved, box, strictly) for moved, box in self.boxes(polynomial))
        return self.known[key]

    def boxes(self, polynomial):
        """(polynomial, box with a low end for every symbol): without a low end, substitutes x = -x', or splits into
        two halves."""
        moved, box = with_one_power_of_e(polynomial)
        ranges = []
        for k, own in enumerate(self.ranges):
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
            yield Polynomial({powers: c * (-1) ** sum(powers[k] for k in signs) for powers, c in moved.terms.items()}), \
                [own for own, _ in choice] + [box]


def with_one_power_of_e(polynomial):
    """The polynomial with natural powers of exp(step) in the last place, and the range of that. Divides by a power of
    e, which keeps signs."""
    exponents = {powers[-1] for powers in polynomial.terms}
    least = min(exponents, default=Fraction(0))
    shifted = {e - least for e in exponents} - {0}
    if not shifted:
        return Polynomial({powers[:-1] + (0,): c for powers, c in polynomial.terms.items()}), UNIT
    below = lcm(*(e.denominator for e in shifted))
    step = Fraction(gcd(*(int(e * below) for e in shifted)), below)
    moved = Polynomial({powers[:-1] + (int((powers[-1] - least) / step),): c for powers, c in polynomial.terms.items()})
    return moved, Range(*around_exp(step), True, True)


def around_exp(step):
    """low <= exp(step) <= high, by the series of exp at step / 2^k, squared k times."""
    halvings = max(0, step.numerator.bit_length() - step.denominator.bit_length() + 3)
    x, unit = step / 2 ** halvings, Fraction(1, 2 ** (BITS + 40 + halvings))
    total, term, n = Fraction(0), Fraction(1), 0
    while term > unit:
        total, n = total + term, n + 1
        term = term * x / n
    low, high = total, total + 2 * term
    for _ in range(halvings):
        low, high = (Fraction(int(end * end / unit) + more, unit.denominator) for end, more in ((low, 0), (high, 1)))
    return low, high


class Function(Exact):
    """over / under, with under positive everywhere in range."""

    def __init__(self, ring, over, under):
        super().__init__(None)
        if max(len(over.terms), len(under.terms)) > MOST_TERMS:
            raise BadExpression(f"a number of more than {MOST_TERMS} terms in its symbols")
        self.ring, self.over, self.under = ring, over, under
        self.top, self.bottom = (over.key(), under.key()), {}

    def simplest(self):
        """A Fraction if it is visibly free of symbols."""
        if not self.over.terms:
            return Fraction(0)
        if all(not any(powers) for part in (self.over, self.under) for powers in part.terms):
            return sum(self.over.terms.values()) / sum(self.under.terms.values())
        return self

    def rational(self):
        value = self.simplest()
        return None if value is self else value

    def times(self, a, b):
        if len(a.terms) * len(b.terms) > MOST_PRODUCTS:
            raise BadExpression(f"a product of more than {MOST_PRODUCTS} terms in its symbols")
        return a * b

    def __add__(self, other):
        other = self.ring.of(other)
        if self.under.key() == other.under.key():
            return Function(self.ring, self.over + other.over, self.under)
        return Function(self.ring, self.times(self.over, other.under) + self.times(other.over, self.under), self.times(self.under, other.under))

    def __neg__(self):
        return Function(self.ring, self.over.scaled(-1), self.under)

    def __sub__(self, other):
        return self + -self.ring.of(other)

    def __rsub__(self, other):
        return self.ring.of(other) - self

    def __mul__(self, other):
        other = self.ring.of(other)
        if self.over.key() == other.under.key():
            return Function(self.ring, other.over, self.under)
        if other.over.key() == self.under.key():
            return Function(self.ring, self.over, other.under)
        return Function(self.ring, self.times(self.over, other.over), self.times(self.under, other.under))

    def inverse(self):
        if self.ring.never_negative(self.over, strictly=True):
            return Function(self.ring, self.under, self.over)
        if self.ring.never_negative(self.over.scaled(-1), strictly=True):
            return Function(self.ring, self.under.scaled(-1), self.over.scaled(-1))
        raise BadExpression("division by what is 0 for some values of the symbols, or is not shown to be nowhere 0")

    def __truediv__(self, other):
        other = self.ring.of(other)
        if self.under.key() == other.under.key() and self.over.key() == other.over.key():
            other.inverse()
            return self.ring.of(1)
        return self * other.inverse()

    def __rtruediv__(self, other):
        return self.ring.of(other) / self

    def __pow__(self, n):
        base, result = self if n >= 0 else self.inverse(), self.ring.of(1)
        for _ in range(abs(n)):
            result = result * base
        return result

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other):
        """Identity: powers of e are linearly independent over the rationals, and so over the symbols."""
        if not isinstance(other, (int, Fraction, Exact)):
            return False
        return not (self - other).over.terms

    def is_never_negative(self):
        return self.ring.never_negative(self.over)

    def order(self, *_):
        raise BadExpression("which of two functions is larger depends on symbols")

    __lt__ = __le__ = __gt__ = __ge__ = sign = order
