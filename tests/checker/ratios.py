"""Bounded range and probabilistic DP by their definitions: every pair of neighbors, every pair of outputs.

Written independently of the tool: no loss distributions, no parts, no filter."""
from functools import cmp_to_key

from oddsbound_check.exact import INFINITE, at_most, compare


def compared(spec, claim):
    """For every claimed level (None: the only one): its pairs."""
    names = [name for name, _ in spec.domain]
    if isinstance(claim["epsilon"], dict):
        return {name: spec.differing([names.index(name)]) for name in claim["epsilon"]}
    return {None: spec.neighbor_pairs(claim)}


def claimed(spec, claim):
    epsilon = claim["epsilon"]
    return {name: spec.level(text) for name, text in epsilon.items()} if isinstance(epsilon, dict) else {None: spec.level(epsilon)}


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


def holds_range(spec, claim, least=False):
    bounds = claimed(spec, claim)
    found = {name: widest(spec, pairs) for name, pairs in compared(spec, claim).items()}
    return all(at_most(own, bounds[name]) and (not least or at_most(bounds[name], own)) for name, own in found.items())


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
