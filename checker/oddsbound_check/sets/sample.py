"""Decides whether a sample rejects all larger quotients, with the bets of a certificate, and whether it allows the
prior of a witness. Integers and fractions are rounded to the safe side. 

Among the n draws with label `from`, the column of an output has values f; among the m draws with label `to`, values g.
Let A = shift - slope f and B = n + m - shift + slope L g, neither negative for any value. If the quotient is above L,
the means of A and B sum to at most n + m. So prod (A / n) prod (B / m) is at most the wealth of the best bettor on the
two means, which exceeds r(n) r(m) / alpha, r(n) = 4^n / C(2n, n), with probability at most alpha.

For a prior with probabilities q of the values of f, and draws with frequencies p, no bettor has more than prod (p /
q)^(draws of the value): sum p log(bet) <= sum p log(p / q) + log(sum q bet), and the mean of a bet under the prior's
own mean is at most 1.
"""
from fractions import Fraction
from functools import lru_cache
from math import comb

from ..exact import Exact
from ..intervals import Enclosures
from ..report import require, require_feasible

BITS = 320
MOST_DRAWS = 10**6
QUICK_CELLS = 2**20  # inputs x outputs, up to which limits may decide


# Positive numbers as mantissa * 2^exponent, rounded up or down.

def cut(mantissa, exponent, up):
    excess = mantissa.bit_length() - BITS
    if excess <= 0:
        return mantissa, exponent
    return (-(-mantissa >> excess) if up else mantissa >> excess), exponent + excess


def rounded(value, up):
    shift = max(0, BITS + value.denominator.bit_length() - value.numerator.bit_length())
    scaled = value.numerator << shift
    return cut(-(-scaled // value.denominator) if up else scaled // value.denominator, -shift, up)


def times(a, b, up):
    return cut(a[0] * b[0], a[1] + b[1], up)


def power(a, n, up):
    result = (1, 0)
    while n:
        if n & 1:
            result = times(result, a, up)
        a, n = times(a, a, up), n >> 1
    return result


def as_fraction(a):
    return a[0] * Fraction(2) ** a[1]


def below(number):
    """A fraction not above a positive number, nor much below."""
    if isinstance(number, Fraction):
        return number
    if isinstance(number, Exact):
        return Enclosures(BITS).of(number)[0]
    low, high = Fraction(0), Fraction(1)
    while number >= high:
        low, high = high, 2 * high
    for _ in range(BITS // 2):
        middle = (low + high) / 2
        low, high = (middle, high) if number >= middle else (low, middle)
    return low


@lru_cache(maxsize=None)
def regret(draws):
    require_feasible(draws <= MOST_DRAWS, f"{draws} draws, which are more than this checker counts")
    return Fraction(4**draws, comb(2 * draws, draws))


def tail(n, c, p, up):
    """A bound of P(Bin(n, p) >= c) from above (up) or from below."""
    require_feasible(n <= MOST_DRAWS, f"{n} draws, which are more than this checker counts")
    if c == 0 or p in (0, 1):
        return Fraction(c == 0 or p == 1)
    term = times(rounded(Fraction(comb(n, c)), up), times(power(rounded(p, up), c, up), power(rounded(1 - p, up), n - c, up), up), up)
    sums = Fraction(0)
    for k in range(c, n + 1):
        last, ratio = as_fraction(term), p / (1 - p) * (n - k) / (k + 1)
        sums = as_fraction(rounded(sums + last, up))
        if last * 2**120 <= sums and (ratio <= Fraction(1, 2) or not up):
            return sums + last if up else sums  # later ratios are smaller still
        term = times(term, rounded(ratio, up), up)
    return sums


class Draws:
    """The evidence of the sample about a level. labels: their number; at_once: how many levels are claimed together."""

    def __init__(self, spec, stated, labels, at_once):
        self.spec, self.counts = spec, {x: int(count) for x, count in spec.own_prior.rows().items()}
        require(0 < stated.number < 1, "no confidence")
        may_fail = (1 - stated.number) / (spec.output_count * at_once)
        self.per_limit, self.per_pair = may_fail / (2 * labels), may_fail / (labels * max(1, labels - 1))
        self.is_small = spec.input_count * spec.output_count <= QUICK_CELLS

    def tally(self, question, label, y):
        """[value of the column, draws] of a label."""
        found = Tally()
        for x, p in zip(question.groups[label], question.column(label, y)):
            found.add(p, self.counts.get(question.inputs[x], 0))
        return found.entries

    def by_limits(self, question, y):
        """True: limits; False: bets. The choice depends only on the column and the numbers of inputs and outputs."""
        return self.is_small and all(len(self.tally(question, label, y)) <= 2 for label in range(len(question.groups)))

    def mean(self, tally, upper, other):
        """A bound (upper or lower) of P(output given label) if the value on the other side has at least the stated
        probability."""
        tally = sorted(tally, key=lambda entry: entry[0], reverse=not upper)
        require(0 <= other < 1, "a limit that is no probability")
        if len(tally) == 1:
            require(other == 0, "a limit of a value that is not there")
            return tally[0][0]
        (far, count), (near, _) = tally
        draws = sum(entry[1] for entry in tally)
        if other != 0:
            require(count > 0 and tail(draws, count, other, True) <= self.per_limit, "a limit that the draws do not show")
        return other * far + (1 - other) * near

    def limits_hold(self, question, limits, y, a, b):
        most, least = (self.mean(self.tally(question, label, y), upper, limit) for label, upper, limit in ((a, True, limits[0]), (b, False, limits[1])))
        return most <= question.bound * least

    def bets_hold(self, question, y, a, b, slope, shift):
        first, second = self.tally(question, a, y), self.tally(question, b, y)
        n, m = (sum(count for _, count in tally) for tally in (first, second))
        require(slope >= 0, "a slope below 0")
        rise = slope * below(question.bound)
        won = (1, 0)
        for tally, draws, bet in ((first, n, lambda f: shift - slope * f), (second, m, lambda g: n + m - shift + rise * g)):
            for value, count in tally:
                stake = bet(value)
                require(stake >= 0, "a bet that may lose more than there is")
                if count:
                    require(stake > 0, "a bet that lost everything")
                    won = times(won, power(rounded(below(stake) / draws, False), count, False), False)
        return as_fraction(won) >= regret(n) * regret(m) / self.per_pair

    def allow(self, sides, probability, by_limits):
        """True if the draws do not reject a prior. sides: of both labels {input: weight}, with all inputs that have draws
        or mass; probability(x): of the witness's output."""
        won, least = (1, 0), 1 / self.per_pair  # won: no bettor has more
        for weights in sides:
            draws, masses = Tally(), Tally()
            for x, w in weights.items():
                p = probability(x)
                draws.add(p, self.counts.get(x, 0))
                masses.add(p, w)
            mass = sum(own for _, own in masses.entries)
            seen = [(count, own / mass) for (_, count), (_, own) in zip(draws.entries, masses.entries)]
            total = sum(count for count, _ in seen)
            if by_limits and len(seen) == 2 and not all(tail(total, count, share, False) > self.per_limit for count, share in seen):
                return False
            if not by_limits:
                if any(count and share == 0 for count, share in seen):
                    return False
                least *= regret(total)
                for count, share in seen:
                    if count:
                        won = times(won, power(rounded(Fraction(count, total) / share, True), count, True), True)
        return by_limits or as_fraction(won) < least


class Tally:
    """[value, sum], of equal values together."""

    def __init__(self):
        self.entries, self.known = [], {}

    def add(self, value, count):
        if id(value) not in self.known:
            own = next((entry for entry in self.entries if entry[0] == value), None)
            if own is None:
                self.entries.append(own := [value, 0])
            self.known[id(value)] = own, value
        self.known[id(value)][0][1] += count
