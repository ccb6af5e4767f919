"""Bounded range and probabilistic DP by their definitions: every pair of neighbors, every pair of outputs.

Written independently of the tool: no loss distributions, no parts, no filter."""
from fractions import Fraction
from functools import cmp_to_key

from divergence import Exactly
from oddsbound_check.exact import INFINITE, at_most, compare


def widest(spec, pairs):
    """e^range: for two outputs y and w, P(y) Q(w) against Q(y) P(w)."""
    most = 1
    for a, b in pairs:
        own = spec.worst([(a, b)]), spec.worst([(b, a)])
        found = INFINITE if INFINITE in own else own[0] * own[1]
        if not at_most(found, most):
            most = found
    return most


def by_outputs(spec, pairs):
    """The same with two loops over outputs."""
    most = 1
    for a, b in pairs:
        both = list(zip(spec.rows[a], spec.rows[b]))
        for p, q in both:
            for low_p, low_q in both:
                if q * low_p == 0:
                    if p * low_q != 0:
                        return INFINITE
                elif not p * low_q <= most * (q * low_p):
                    most = p * low_q / (q * low_p)
    return most


def tail(spec, claim):
    """The largest probability that the loss exceeds epsilon."""
    bound, most = spec.level(claim["epsilon"]), 0
    for a, b in spec.neighbor_pairs(claim) if bound is not INFINITE else ():
        mass = sum(p for p, q in zip(spec.rows[a], spec.rows[b]) if p > bound * q)
        most = mass if mass > most else most
    return most


def curve(spec, claim):
    return [(spec.number(x), spec.number(y)) for x, y in claim["f"]]


def shortfall(spec, claim):
    """The largest amount by which a test is below f, over the tests that take the outputs with the smallest ratios. Between two
    of these f is convex and the errors lie on a line."""
    points, most, seen = curve(spec, claim), 0, set()
    for a, b in spec.neighbor_pairs(claim):
        both = list(zip(spec.rows[a], spec.rows[b]))
        key = tuple((id(p), id(q)) for p, q in both)
        if key in seen:
            continue
        seen.add(key)
        x, y = 0, 1
        for p, q in sorted((own for own in both if own[0] != 0 or own[1] != 0), key=cmp_to_key(by_ratio)):
            x, y = x + p, y - q
            gap = value_at(points, x) - y
            most = gap if gap > most else most
        gap = points[0][1] - 1
        most = gap if gap > most else most
    return most


def by_ratio(one, other):
    return compare(one[0] * other[1], other[0] * one[1])


def value_at(points, x):
    """A convex curve is the largest of its chords, extended."""
    best = 0
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        line = y0 + (y1 - y0) * (x - x0) / (x1 - x0)
        best = line if line > best else best
    return best


def level_near(value, random):
    """The text of a level, given by its exponential: sometimes just above, or just below it."""
    factor = random.choice([None, None, None, "1001/1000", "999/1000"])
    if value is INFINITE:
        return "inf"
    if value == 1 or factor is None or (factor == "999/1000" and compare(value, Fraction(1000, 999)) < 0):  # no level is below 0
        return f"log({value})"
    return f"log({value}*{factor})"


class Range(Exactly):
    """bounded_range."""

    def near_true(self, spec, claim, random):
        """Sometimes just above the true level, or just below it."""
        return level_near(self.measured(spec, claim)[None], random)

    def true(self, spec, pairs, claim):
        return widest(spec, pairs)

    def bound(self, spec, claim, text):
        return spec.level(text)

    def problems(self, checker, claim, found, true, pairs, what):
        spec = checker.spec
        if len(pairs) * len(spec.outputs) ** 2 < 1000:
            again = by_outputs(spec, pairs)
            if true is not again and true != again:
                return ["the reference contradicts itself"]
        checker.level(found, true, what)
        witness = found["witness"]
        a, b = (spec.inputs.index(tuple(witness[side])) for side in ("from", "to"))
        if (a, b) not in pairs and not (a == b and true == 1):
            return ["not neighbors"]
        shown = [witness] if true is INFINITE else [witness, witness["lowest"]]
        places = [spec.outputs.index(one["output"]) for one in shown]
        masses = [(spec.rows[a][y], spec.rows[b][y]) for y in places]
        if any((spec.number(one["p_from"]), spec.number(one["p_to"])) != own for one, own in zip(shown, masses)):
            return ["p_from, p_to"]
        p, q = masses[0]
        if true is INFINITE:
            return [] if p != 0 and q == 0 else ["the output is no infinite loss"]
        low_p, low_q = masses[1]
        return [] if p * low_q == true * (q * low_p) else ["the outputs do not show the range"]
