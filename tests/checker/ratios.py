"""Bounded range and probabilistic DP by their definitions: every pair of neighbors, every pair of outputs.

Written independently of the tool: no loss distributions, no parts, no filter."""
from oddsbound_check.exact import INFINITE, at_most


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
