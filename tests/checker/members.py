"""Membership of a prior in a set of priors, by the set's definition. Weights are normalized, by input, and nonzero."""
from fractions import Fraction

from strict_json import require


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


class Members:
    """Membership in the sets of a spec, for a claim about a coordinate, or about none by name.

    The spec's reader provides center() and prior(stated): weights; conditionals(w): by label, the conditional weights
    of inputs, by their other coordinates; known(stated, x): the side knowledge about an input."""

    def __init__(self, spec, coordinate):
        self.spec, self.coordinate = spec, coordinate

    def at_most(self, stated):
        bound = stated["at_most"]
        return self.spec.number(bound[self.coordinate] if isinstance(bound, dict) else bound)

    def has(self, stated, w):
        kind = stated["type"]
        if kind == "all":
            return True
        if kind in ("product", "correlation"):
            most, rows = Fraction(0) if kind == "product" else self.at_most(stated), self.conditionals(w)
            return all(distance(a, b) <= most for a in rows for b in rows)
        if kind in ("any_of", "mixtures_of"):
            priors = [self.prior(own) for own in stated["priors"]]
            return w in priors or (kind == "mixtures_of" and any(between(w, a, b) for a in priors for b in priors))
        center = self.center()
        if kind == "contaminated":
            kept, within = 1 - self.spec.number(stated["share"]), stated.get("support") == "prior"
            return all(w.get(x, 0) >= kept * center.get(x, 0) for x in {*w, *center}) and (not within or set(w) <= set(center))
        if kind == "total_variation":
            return distance(w, center) <= self.spec.number(stated["radius"])
        if kind == "weights":
            quotients = [w.get(x, 0) / mass for x, mass in center.items()]
            return set(w) == set(center) and max(quotients) <= min(quotients) * self.spec.number(stated["factor"]) ** 2
        require(kind == "side_knowledge", f"members of sets of type {kind} are not told here")
        learned = {}
        return set(w) <= set(center) and all(
            learned.setdefault(self.known(stated, x), w.get(x, 0) / mass) == w.get(x, 0) / mass for x, mass in center.items())
