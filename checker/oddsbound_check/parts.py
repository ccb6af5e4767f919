"""A spec as the parts of its mechanism and the rows of its prior, read from the format without enumerating inputs or
outputs of the whole; shares no code with the tool.
"""
from functools import cached_property
from itertools import product
from math import prod

from .reference import ONE, Spec, ZERO, by_coordinate, load
from .strict_json import require
from .tables import Table, domain_of


MOST_INPUTS = 10**5  # of a part


class Part:
    """An independent part of a mechanism: the places of its coordinates, its outputs, its rows (the last place
    fastest)."""

    def __init__(self, places, labels, rows):
        self.places, self.labels, self.rows = tuple(places), list(labels), rows

    def moved(self, places):
        return Part([places[i] for i in self.places], self.labels, self.rows)

    def is_like(self, other):
        return self.places == other.places and (self.rows is other.rows or (self.labels == other.labels and self.rows == other.rows))


class Tuple:
    """Parts whose outputs are written one after the other, for a mechanism that has no other outputs."""

    def __init__(self, inner, begin="(", between=",", end=")"):
        self.inner, self.begin, self.between, self.end = list(inner), begin, between, end

    def moved(self, places):
        return Tuple([one.moved(places) for one in self.inner], self.begin, self.between, self.end)


def flat(tree):
    return [tree] if isinstance(tree, Part) else [part for one in tree.inner for part in flat(one)]


def readings(tree, label):
    """The readings of a label that begins with an output of these parts: (the outputs of all parts by number, the
    rest)."""
    if isinstance(tree, Part):
        return [((y,), label[len(own):]) for y, own in enumerate(tree.labels) if label.startswith(own)]
    found = [((), label[len(tree.begin):])] if label.startswith(tree.begin) else []
    for k, one in enumerate(tree.inner):
        after = tree.end if k + 1 == len(tree.inner) else tree.between
        found = [(done, own, rest) for done, before in found for own, rest in readings(one, before)]
        found = [(done + own, rest[len(after):]) for done, own, rest in found if rest.startswith(after)]
        require(len(found) < 1000, "an output that may be read in many ways")
    return found


class Parts(Spec):
    def __init__(self, path):
        self.path, self.json = path, load(path)
        self.numbers, self.memory = {}, {}
        self.names = self.parameters(self.json.get("parameters", {}))
        self.domain = domain_of(self.json, self.beside)
        self.coordinates = [name for name, _ in self.domain]
        self.index = [{v: k for k, v in enumerate(values)} for _, values in self.domain]
        self.prior = self.json.get("prior")

    @cached_property
    def tree(self):
        return self.tree_of(self.json["mechanism"], range(len(self.domain)))

    @cached_property
    def parts(self):
        """The parts in the order of the spec."""
        return flat(self.tree)

    def tree_of(self, m, places):
        places, kind = list(places), m["type"]
        domain = [self.domain[i] for i in places]
        names = [name for name, _ in domain]
        if kind == "per_coordinate":
            return Tuple(self.tree_of(inner, [places[k]]) for k, inner in by_coordinate(m["mechanisms"], names))
        if kind == "on":
            return self.tree_of(m["mechanism"], [places[names.index(c)] for c in m["coordinates"]])
        if kind == "compose":
            return Tuple(self.tree_of(inner, places) for inner in m["mechanisms"])
        if kind == "repeat":
            return Tuple([self.tree_of(m["mechanism"], places)] * int(m["times"]))
        if kind == "file":
            return Parts(self.beside(m["file"])).tree.moved(places)
        if kind == "bcdp_mean":
            steps = self.bcdp_mean_parts(m, domain)
            if steps:
                return Tuple(Part([places[i] for i in seen], labels, rows) for labels, rows, seen in steps)
        if kind == "memoized":
            parts = [Part([places[i] for i in seen], labels, rows) for labels, rows, seen in self.memoized_parts(m, domain)]
            return parts[0] if len(parts) == 1 else Tuple(parts)
        if kind in ("unary_encoding", "rappor"):
            bits = [Part(places, labels, rows) for labels, rows in self.single_bits(m, domain)]
            return Tuple(bits, *(("(", ",", ")") if int(m.get("times", 1)) > 1 else ("", "", "")))
        if prod(len(values) for _, values in domain) > MOST_INPUTS:
            raise ValueError("a part of too many inputs")
        return Part(places, *self.mechanism(m, domain))

    def line(self, part, row):
        """The number of the row of a part for an input."""
        number = 0
        for i in part.places:
            number = number * len(self.domain[i][1]) + row[i]
        return number

    # Rows: {indices of values: weight}, not normalized.

    def independent(self):
        """True if the prior is visibly a product of its coordinates."""
        kind = self.prior["type"]
        return kind in ("uniform", "product") or (kind == "network" and not any(node.get("parents") for node in self.prior["nodes"]))

    def weighted_rows(self, places):
        """Rows of these coordinates: all of them in any order, or any that are independent of the others."""
        if self.independent():
            rows = {(): ONE}
            for place in places:
                weights = self.marginal(place)
                rows = {(*row, k): p * w for row, p in rows.items() for k, w in enumerate(weights) if w != 0}
            return rows
        assert sorted(places) == list(range(len(self.domain)))
        return {tuple(row[i] for i in places): w for row, w in self.rows_of(self.prior).items()}

    def marginal(self, place):
        """The marginal of an independent prior."""
        name, values = self.domain[place]
        if self.prior["type"] == "uniform":
            return [ONE] * len(values)
        if self.prior["type"] == "product":
            return [self.number(t) for t in self.prior["marginals"][name]]
        return next([self.number(t) for t in node["table"][0]] for node in self.prior["nodes"] if node["coordinate"] == name)

    def rows_of(self, prior):
        rows = {}
        for row, weight in getattr(self, "rows_" + prior["type"])(prior):
            if weight != 0:
                rows[row] = rows.get(row, ZERO) + weight
        return rows

    def all_rows(self):
        return product(*(range(len(values)) for _, values in self.domain))

    def rows_uniform(self, _):
        return ((row, ONE) for row in self.all_rows())

    def rows_probabilities(self, prior):
        return zip(self.all_rows(), (self.number(t) for t in prior["probabilities"]))

    def rows_counts(self, prior):
        return zip(self.all_rows(), (self.number(t) for t in prior["counts"]))

    def rows_product(self, prior):
        rows = {(): ONE}
        for name in self.coordinates:
            weights = [self.number(t) for t in prior["marginals"][name]]
            rows = {(*row, k): p * w for row, p in rows.items() for k, w in enumerate(weights) if w != 0}
        return rows.items()

    def rows_diagonal(self, prior):
        return (((k,) * len(self.domain), self.number(t)) for k, t in enumerate(prior["marginal"]))

    def rows_mixture(self, prior):
        for text, component in zip(prior["weights"], prior["components"]):
            share = self.number(text)
            if share != 0:
                rows = self.rows_of(component)
                total = sum(rows.values(), ZERO)
                yield from ((row, share * weight / total) for row, weight in rows.items())

    def rows_network(self, prior):
        nodes = {node["coordinate"]: node for node in prior["nodes"]}
        rows, done = [({}, ONE)], set()
        while len(done) < len(nodes):
            name = next(n for n, node in nodes.items() if n not in done and done.issuperset(node.get("parents", [])))
            parents = [self.coordinates.index(p) for p in nodes[name].get("parents", [])]
            place, longer = self.coordinates.index(name), []
            for row, weight in rows:
                line = 0
                for i in parents:
                    line = line * len(self.domain[i][1]) + row[i]
                for k, text in enumerate(nodes[name]["table"][line]):
                    if self.number(text) != 0:
                        longer.append(({**row, place: k}, weight * self.number(text)))
            rows, done = longer, done | {name}
        return ((tuple(row[i] for i in range(len(self.domain))), weight) for row, weight in rows)

    def rows_csv(self, prior):
        for row, count in Table(prior, self.json["domain"], self.beside(prior["file"]), "").rows:
            yield tuple(index[value] for index, value in zip(self.index, row)), count
