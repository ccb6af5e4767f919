"""mu of Gaussian DP, in doubles: the largest difference of quantiles over all events of largest ratios.

Written independently of the tool: outputs are sorted by their quotient, pair by pair, and the standard library has the
quantiles. MARGIN is the assumed maximum error of doubles; claims closer than that are not tested."""
import math
from functools import cmp_to_key
from statistics import NormalDist

import concentrated
from averages import near
from oddsbound_check.exact import compare

MARGIN = 1e-9
NORMAL = NormalDist()


def quantile(mass, rest):
    """Of a probability; rest: 1 minus it, so that neither tail loses digits."""
    return NORMAL.inv_cdf(float(near(mass))) if mass < rest else -NORMAL.inv_cdf(float(near(rest)))


def by_ratio(one, other):
    return compare(other[0] * one[1], one[0] * other[1])


def mu_of(p, q):
    if any(a != 0 and b == 0 for a, b in zip(p, q)):
        return math.inf
    both = sorted(((a, b) for a, b in zip(p, q) if b != 0), key=cmp_to_key(by_ratio))
    best, a, b = 0.0, 0, 0
    for own, other in both[:-1]:
        a, b = a + own, b + other
        if 0 < a < 1 and 0 < b < 1 and compare(a, b) != 0:
            best = max(best, quantile(a, 1 - a) - quantile(b, 1 - b))
    return best


def mu(spec, pairs):
    return max((mu_of(spec.rows[a], spec.rows[b]) for a, b in pairs), default=0.0)


def problems(spec, found, true, pairs):
    """The faults in the statements about one level."""
    witness = found["witness"]
    x, z = (spec.inputs.index(tuple(witness[side])) for side in ("from", "to"))
    if not ((x, z) in pairs or (x == z and true == 0)):
        return ["the witness's inputs are not compared"]
    if math.inf in (true, float(found["lower"])):
        y = spec.outputs.index(witness["output"])
        shown = spec.rows[x][y] != 0 and spec.rows[z][y] == 0
        return [] if true == math.inf and found["epsilon"] == "inf" and shown else [f"infinite: {found}, expected {true}"]
    wrong, lower, upper = [], float(found["lower"]), float(found["upper"])
    if not lower - MARGIN <= true <= upper + MARGIN or upper - lower > 1e-12 * max(upper, 1e-3):
        wrong.append(f"{lower} .. {upper}, expected {true}")
    if abs(mu_of(spec.rows[x], spec.rows[z]) - true) > MARGIN:
        wrong.append("the witness's inputs do not show it")
    return wrong


class Gaussian(concentrated.InDoubles):
    """gaussian_dp."""

    key, margin, least_drawn = "mu", MARGIN, 1e-6

    def true(self, spec, pairs, claim):
        return mu(spec, pairs)

    def scale(self, true, most):
        return self.margin * max(1, true)

    def problems(self, checker, claim, found, true, pairs, what):
        return problems(checker.spec, found, true, pairs)
