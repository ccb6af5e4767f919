"""Decides whether a sample rejects all larger quotients, with the bets of a certificate, and whether it allows the
prior of a witness. Integers and fractions are rounded to the safe side. Shares no code with the tool.

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

from .exact import Exact
from .intervals import Enclosures
from .strict_json import require

BITS = 320
MOST_DRAWS = 10**6


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
    require(draws <= MOST_DRAWS, f"{draws} draws, which are more than this checker counts")
    return Fraction(4**draws, comb(2 * draws, draws))


def tail_at_most(n, c, p):
    """An upper bound of P(Bin(n, p) >= c), for c > 0 and 0 < p < 1."""
    require(n <= MOST_DRAWS, f"{n} draws, which are more than this checker counts")
    odds = p / (1 - p)
    term = times(rounded(Fraction(comb(n, c)), True), times(power(rounded(p, True), c, True), power(rounded(1 - p, True), n - c, True), True), True)
    sums = Fraction(0)
    for k in range(c, n + 1):
        last = as_fraction(term)
        sums = as_fraction(rounded(sums + last, True))
        ratio = odds * (n - k) / (k + 1)
        if ratio <= Fraction(1, 2) and last * 2**120 <= sums:  # later ratios are smaller still
            return sums + last
        term = times(term, rounded(ratio, True), True)
    return sums


def tail_is_above(n, c, p, enough):
    """True if P(Bin(n, p) >= c) is certainly above `enough`."""
    require(n <= MOST_DRAWS, f"{n} draws, which are more than this checker counts")
    if c == 0 or p == 1:
        return enough < 1
    if p == 0:
        return False
    term = times(rounded(Fraction(comb(n, c)), False), times(power(rounded(p, False), c, False), power(rounded(1 - p, False), n - c, False), False), False)
    sums = Fraction(0)
    for k in range(c, n + 1):
        last = as_fraction(term)
        sums = as_fraction(rounded(sums + last, False)) if sums + last else Fraction(0)
        if sums > enough:
            return True
        if k == n or last * 2**120 <= sums:
            return False
        term = times(term, rounded(p / (1 - p) * (n - k) / (k + 1), False), False)
    return False


class Allowed:
    """An upper bound of the wealth of bettors against a prior, over the draws of two labels."""

    def __init__(self, per_pair):
        self.won, self.least = (1, 0), 1 / per_pair

    def add(self, seen):
        """Adds a label: for each value its number of draws and its prior probability. False: the prior excludes a
        drawn value."""
        draws = sum(count for count, _ in seen)
        self.least *= regret(draws)
        for count, share in seen:
            if count and share == 0:
                return False
            if count:
                self.won = times(self.won, power(rounded(Fraction(count, draws) / share, True), count, True), True)
        return True

    def holds(self):
        return as_fraction(self.won) < self.least


class Draws:
    """The evidence of the sample about a level. groups: the inputs by label."""

    def __init__(self, q):
        self.q, self.counts = q, [int(count) for count in q.spec.weights(q.spec.json["prior"])]
        confidence = q.number("confidence")
        require(0 < confidence < 1, "no confidence")
        labels = len(q.groups)
        may_fail = (1 - Fraction(confidence)) / (len(q.spec.outputs) * q.at_once)
        self.per_limit, self.per_pair = may_fail / (2 * labels), may_fail / (labels * max(1, labels - 1))

    def tally(self, label, y):
        """[value of the column, draws]."""
        tally = []
        for x in self.q.groups[label]:
            value = self.q.spec.rows[x][y]
            own = next((entry for entry in tally if entry[0] == value), None)
            if own is None:
                tally.append(own := [value, 0])
            own[1] += self.counts[x]
        return tally

    def by_limits(self, y):
        """True: limits; False: bets. The choice depends only on the column and the numbers of inputs and outputs."""
        few = len(self.counts) * len(self.q.spec.outputs) <= 2**20
        return few and all(len(self.tally(label, y)) <= 2 for label in range(len(self.q.groups)))

    def mean(self, label, y, upper, other):
        """A bound (upper or lower) of P(output given label) if the value on the other side has at least the stated
        probability."""
        tally = sorted(self.tally(label, y), key=lambda entry: entry[0], reverse=not upper)
        require(0 <= other < 1, "a limit that is no probability")
        if len(tally) == 1:
            require(other == 0, "a limit of a value that is not there")
            return tally[0][0]
        (far, count), (near, _) = tally
        draws = sum(entry[1] for entry in tally)
        if other != 0:
            require(count > 0 and tail_at_most(draws, count, other) <= self.per_limit, "a limit that the draws do not show")
        return other * far + (1 - other) * near

    def limits_hold(self, limits, y, a, b):
        return self.mean(a, y, True, limits[0]) <= self.q.bound * self.mean(b, y, False, limits[1])

    def allows(self, weights, y, a, b):
        """True if the draws do not reject a prior at an output, between two labels."""
        allowed = Allowed(self.per_pair)
        for label in (a, b):
            tally, mass = self.tally(label, y), sum(weights[x] for x in self.q.groups[label])
            shares = [sum(weights[x] for x in self.q.groups[label] if self.q.spec.rows[x][y] == value) / mass for value, _ in tally]
            counts = [count for _, count in tally]
            if self.by_limits(y):
                if len(tally) == 2 and not all(tail_is_above(sum(counts), count, share, self.per_limit) for count, share in zip(counts, shares)):
                    return False
            elif not allowed.add(list(zip(counts, shares))):
                return False
        return self.by_limits(y) or allowed.holds()

    def bets_hold(self, slope, shift, y, a, b):
        first, second = self.tally(a, y), self.tally(b, y)
        n, m = (sum(count for _, count in tally) for tally in (first, second))
        require(slope >= 0, "a slope below 0")
        rise = slope * below(self.q.bound)
        won = (1, 0)
        for tally, draws, bet in ((first, n, lambda f: shift - slope * f), (second, m, lambda g: n + m - shift + rise * g)):
            for value, count in tally:
                stake = bet(value)
                require(stake >= 0, "a bet that may lose more than there is")
                if count:
                    require(stake > 0, "a bet that lost everything")
                    won = times(won, power(rounded(below(stake) / draws, False), count, False), False)
        return as_fraction(won) >= regret(n) * regret(m) / self.per_pair
