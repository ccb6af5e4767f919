"""Levels over the priors that a sample allows, checked by the definition. The witness is compatible with the draws at
the stated confidence. For every output and pair of labels, a test martingale (betting) has large wealth if the
quotient were above the stated one. Floats, with margins that the tool's own proofs exceed many times. Shares no code
with the tool.
"""
import math
from fractions import Fraction

SLACK = 1e-7


def log_regret(n):
    return 0.5 * math.log(math.pi) + math.lgamma(n + 1) - math.lgamma(n + 0.5)


def tail(n, c, p):
    """P(Bin(n, p) >= c)."""
    if c <= 0:
        return 1.0
    if p <= 0 or p >= 1:
        return float(p >= 1)
    logs = [math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(p) + (n - k) * math.log1p(-p) for k in range(c, n + 1)]
    most = max(logs)
    return math.exp(most) * math.fsum(math.exp(x - most) for x in logs)


def peak(function, low, high):
    """The maximum of a concave function on an interval that it need not have."""
    ratio = (math.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    fa, fb = function(a), function(b)
    for _ in range(70):
        if fa >= fb:
            high, b, fb = b, a, fa
            a = high - ratio * (high - low)
            fa = function(a)
        else:
            low, a, fa = a, b, fb
            b = low + ratio * (high - low)
            fb = function(b)
    return max(fa, fb)


class Sample:
    """counts: draws by input. groups: the inputs by label."""

    def __init__(self, spec, groups, confidence, at_once):
        self.spec, self.groups, self.counts = spec, groups, spec.counts
        self.may_fail = float(1 - confidence) / len(spec.outputs) / at_once

    def tally(self, label, y):
        """{value of the column: draws}."""
        tally = {}
        for x in self.groups[label]:
            value = self.spec.rows[x][y]
            tally[value] = tally.get(value, 0) + self.counts[x]
        return tally

    def by_limits(self, y):
        few = len(self.counts) * len(self.spec.outputs) <= 2**20
        return few and all(len(self.tally(label, y)) <= 2 for label in range(len(self.groups)))

    def fortune(self, a, b):
        labels = len(self.groups)
        return log_regret(sum(a.values())) + log_regret(sum(b.values())) - math.log(self.may_fail / (labels * (labels - 1)))

    def allows(self, weights, y, pair):
        """True if the draws do not reject a prior at an output, between two labels."""
        spent = 0.0
        for label, upper in zip(pair, (True, False)):
            tally = self.tally(label, y)
            mass = sum(weights[x] for x in self.groups[label])
            given = {value: sum(weights[x] for x in self.groups[label] if self.spec.rows[x][y] == value) / mass for value in tally}
            draws = sum(tally.values())
            if not self.by_limits(y):
                for value, count in tally.items():
                    if count and not given[value]:
                        return False
                    spent += count * math.log(Fraction(count, draws) / given[value]) if count else 0
            elif len(tally) == 2:
                side = max(tally) if upper else min(tally)
                limit = self.may_fail / (2 * len(self.groups))
                if tail(draws, draws - tally[side], float(1 - given[side])) < limit * (1 - SLACK):
                    return False
        return self.by_limits(y) or spent <= self.fortune(*(self.tally(label, y) for label in pair)) * (1 + SLACK)

    def excludes_above(self, ratio, y, pair):
        """True if no larger quotient is allowed at an output, between two labels."""
        a, b = (self.tally(label, y) for label in pair)
        most, least = float(max(a)), float(min(b))
        ratio = float(ratio) * (1 + SLACK)
        if most <= ratio * least:
            return True
        if self.by_limits(y):
            return self.limit(pair[0], y, True) <= ratio * self.limit(pair[1], y, False)
        draws = [sum(tally.values()) for tally in (a, b)]

        def bets(slope, shift):
            total = 0.0
            for tally, n, bet in ((a, draws[0], lambda f: shift - slope * f), (b, draws[1], lambda g: sum(draws) - shift + slope * ratio * g)):
                for value, count in tally.items():
                    if count:
                        worth = bet(float(value))
                        total += count * math.log(worth / n) if worth > 0 else -math.inf
            return total

        def best(slope):
            return peak(lambda shift: bets(slope, shift), slope * most, sum(draws) + slope * ratio * least)

        return peak(best, 0, sum(draws) / (most - ratio * least)) >= self.fortune(a, b) * (1 - SLACK)

    def limit(self, label, y, upper):
        """P(output given label) at the Clopper-Pearson limit."""
        tally = self.tally(label, y)
        side, other = (max(tally), min(tally)) if upper else (min(tally), max(tally))
        draws, low, high = sum(tally.values()), tally[side] / max(1, sum(tally.values())), 1.0
        for _ in range(60):
            middle = (low + high) / 2
            if tail(draws, draws - tally[side], 1 - middle) > self.may_fail / (2 * len(self.groups)):
                low = middle
            else:
                high = middle
        return float(other) + high * float(side - other)
