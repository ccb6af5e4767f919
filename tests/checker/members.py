"""Membership of a prior in a set of priors, by the set's definition. Weights are normalized, by input, and nonzero."""
import itertools
from fractions import Fraction

from oddsbound_check.report import require


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


def stated_of(spec, claim):
    """The set of priors of a claim."""
    stated = claim["for_all"]
    return spec.json["prior_sets"][stated] if isinstance(stated, str) else stated


def scaled_to_one(weights):
    total = sum(weights)
    return [w / total for w in weights]


class Enumerated(Members):
    """Members of the sets of a spec whose inputs are enumerated. groups: the inputs by label."""

    def __init__(self, spec, groups, coordinate):
        super().__init__(spec, coordinate)
        self.groups = groups

    def conditionals(self, w):
        given = [{k: w.get(self.spec.inputs[x], 0) for k, x in enumerate(group)} for group in self.groups]
        return [normalized(weights) for weights in given if any(weights.values())]

    def cells(self, stated):
        if isinstance(stated, list):
            return [self.spec.number(text) for text in stated]
        cells = {x: self.spec.number(stated["default"]) for x in self.spec.inputs}
        cells.update({tuple(x): self.spec.number(text) for x, text in stated["rows"]})
        return [cells[x] for x in self.spec.inputs]

    def contains(self, s, w):
        """w: by input, in their order."""
        if s["type"] == "intervals":
            return all(low <= x <= high for low, x, high in zip(self.cells(s["lower"]), w, self.cells(s["upper"])))
        if s["type"] == "marginals":
            return all(self.table(of, w) == table for of, table in self.tables(s))
        return self.within(s, w) if s["type"] == "network" else self.has(s, self.by_input(w))

    def by_input(self, w):
        return {x: mass for x, mass in zip(self.spec.inputs, w) if mass != 0}

    def center(self):
        return self.by_input(self.spec.prior)

    def prior(self, stated):
        return self.by_input(self.spec.read_prior(stated))

    def rows(self, s):
        """By node: its place, and {values of its parents: ends of every entry}."""
        names, values = [name for name, _ in self.spec.domain], dict(self.spec.domain)
        for node in s["nodes"]:
            of = node.get("parents", [])
            ends = [[tuple(map(self.spec.number, e)) if isinstance(e, list) else (self.spec.number(e),) * 2 for e in row] for row in node["table"]]
            given = itertools.product(*(values[name] for name in of))
            yield names.index(node["coordinate"]), [names.index(name) for name in of], dict(zip(given, ends))

    def within(self, s, w):
        """True if a prior is the product of its conditionals, and these lie between the ends."""
        product = [Fraction(1)] * len(w)
        for i, of, rows in self.rows(s):
            cells, masses = {}, {}
            for x, mass in zip(self.spec.inputs, w):
                given = tuple(x[k] for k in of)
                cells[given, x[i]] = cells.get((given, x[i]), 0) + mass
                masses[given] = masses.get(given, 0) + mass
            for (given, value), cell in cells.items():
                least, most = rows[given][self.spec.domain[i][1].index(value)]
                if not least * masses[given] <= cell <= most * masses[given]:
                    return False
            for k, x in enumerate(self.spec.inputs):
                given = tuple(x[j] for j in of)
                product[k] *= cells[given, x[i]] / masses[given] if masses[given] != 0 else 0
        return product == w

    def table(self, of, w):
        """The marginal of a prior on some coordinates: by their values, without zeros."""
        names = [name for name, _ in self.spec.domain]
        cells = {}
        for x, mass in zip(self.spec.inputs, w):
            if mass != 0:
                at = tuple(x[names.index(name)] for name in of)
                cells[at] = cells.get(at, 0) + mass
        return cells

    def tables(self, s):
        tables = [(of, self.table(of, self.spec.prior)) for of in s.get("sets", [])]
        values = dict(self.spec.domain)
        for stated in s.get("tables", []):
            assert stated["prior"]["type"] == "probabilities"
            cells = [self.spec.number(text) for text in stated["prior"]["probabilities"]]
            inputs = itertools.product(*(values[name] for name in stated["of"]))
            tables.append((stated["of"], {x: cell for x, cell in zip(inputs, cells) if cell != 0}))
        return tables

    def known(self, s, x):
        names = [name for name, _ in self.spec.domain]
        return tuple(x[names.index(name)] for name in s["about"])
