"""Whether a prior is a member of a set of priors, by the set's definition. Priors are {input: weight}, normalized, without
zeros."""
from fractions import Fraction
from itertools import product

from ..notions import all_inputs, prior_rows
from ..report import require, require_feasible

CONVEX = ("contaminated", "total_variation", "intervals", "mixtures_of", "side_knowledge")
MOST_INPUTS = 10**6


def normalized(weights):
    total = sum(weights.values(), Fraction(0))
    require(total > 0, "the prior has no mass")
    return {x: weight / total for x, weight in weights.items() if weight != 0}


def distance(a, b):
    """Total variation distance."""
    return sum((abs(a.get(x, 0) - b.get(x, 0)) for x in {*a, *b}), Fraction(0)) / 2


def between(w, a, b):
    """True if w lies on the segment from a to b."""
    place = next((x for x in {*a, *b} if a.get(x, 0) != b.get(x, 0)), None)
    if place is None:
        return w == a
    share = (w.get(place, 0) - a.get(place, 0)) / (b.get(place, 0) - a.get(place, 0))
    return 0 <= share <= 1 and all(w.get(x, 0) == (1 - share) * a.get(x, 0) + share * b.get(x, 0) for x in {*w, *a, *b})


def marginal(places, w):
    """{values of some coordinates: mass}."""
    cells: dict = {}
    for x, mass in w.items():
        at = tuple(x[i] for i in places)
        cells[at] = cells.get(at, 0) + mass
    return cells


class Members:
    """coordinate: that of the claim; None for labels of several coordinates."""

    def __init__(self, spec, coordinate):
        self.spec, self.coordinate = spec, coordinate

    def has(self, stated, w):
        kind, spec = stated.kind, self.spec
        if kind == "all":
            return True
        if kind in ("product", "correlation"):
            most, rows = stated.at_most[spec.places[self.coordinate]], self.conditionals(w)
            return all(distance(a, b) <= most for a in rows for b in rows)
        if kind in ("any_of", "mixtures_of"):
            priors = [normalized(own.rows()) for own in stated.priors]
            return w in priors or (kind == "mixtures_of" and any(between(w, a, b) for a in priors for b in priors))
        if kind in ("intervals", "network", "marginals"):
            require_feasible(spec.input_count <= MOST_INPUTS, f"members of a set of type {kind} over too many inputs")
            return {"intervals": self.in_intervals, "network": self.in_network, "marginals": self.in_marginals}[kind](stated, w)
        center = normalized(prior_rows(spec))
        if kind == "contaminated":
            kept = 1 - stated.number
            return all(w.get(x, 0) >= kept * center.get(x, 0) for x in {*w, *center}) and (not stated.within_support or set(w) <= set(center))
        if kind == "total_variation":
            return distance(w, center) <= stated.number
        if kind == "weights":
            quotients = [w.get(x, 0) / mass for x, mass in center.items()]
            return set(w) == set(center) and max(quotients) <= min(quotients) * stated.number ** 2
        require(kind == "side_knowledge", f"members of sets of type {kind} are not known here")
        learned: dict = {}
        return set(w) <= set(center) and all(
            learned.setdefault(tuple(x[i] for i in stated.about), w.get(x, 0) / mass) == w.get(x, 0) / mass for x, mass in center.items())

    def conditionals(self, w):
        """By value of the coordinate: the distribution of all others."""
        found, place = dict[int, dict](), self.spec.places[self.coordinate]
        for x, weight in w.items():
            found.setdefault(x[place], {})[x[:place] + x[place + 1:]] = weight
        return [normalized(rows) for rows in found.values()]

    def in_intervals(self, stated, w):
        (lower, low), (upper, high) = stated.bounds
        return all(lower.get(x, low) <= w.get(x, 0) <= upper.get(x, high) for x in all_inputs(self.spec))

    def in_marginals(self, stated, w):
        center = normalized(prior_rows(self.spec)) if any(table is None for _, table in stated.tables) else {}
        tables = [(places, marginal(places, center) if table is None else {x: mass for x, mass in table.items() if mass != 0}) for places, table in stated.tables]
        return all(marginal(places, w) == table for places, table in tables)

    def in_network(self, stated, w):
        """The prior is the product of its conditionals, and these lie between the ends."""
        spec, expected = self.spec, dict.fromkeys(all_inputs(self.spec), Fraction(1))
        for i, parents, rows in stated.nodes:
            joint, above = marginal([*parents, i], w), marginal(parents, w)
            for given, row in zip(product(*(range(spec.sizes[k]) for k in parents)), rows):
                for value, (least, most) in enumerate(zip(*row)):
                    if not least * above.get(given, 0) <= joint.get((*given, value), 0) <= most * above.get(given, 0):
                        return False
            for x in expected:
                given = tuple(x[k] for k in parents)
                expected[x] *= joint.get((*given, x[i]), 0) / above[given] if given in above else 0
        return all(w.get(x, 0) == mass for x, mass in expected.items())
