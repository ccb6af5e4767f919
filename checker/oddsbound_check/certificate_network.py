"""Checks a certificate of bounds along a network (docs/certificates.md) against the spec alone.

Tables, parts and outputs are derived from the spec. The certificate provides only the order of sums, the kept rays,
and the combinations for the others (ray_sets.py).

certificate_network.py SPEC CERTIFICATE [--coordinate NAME]: exit status as of certificate_search.py.
"""
import os
import sys
from fractions import Fraction
from itertools import product
from math import prod

from .certificate_search import NotShown, claims_of, main, without_proof
from .outcomes import ACCEPTED, Rejected, require, status_of
from .ray_sets import Outputs, Product, Rounding
from .strict_json import fields, items, nats, place_in

PRECISIONS = (128, 2048)  # bits; more are tried if fewer do not show a bound
FAR = 1 + Fraction(1, 1 << 60)  # a gap that more bits would not close
MOST_CELLS = 1 << 22  # cells of a sum


class Network:
    """The spec's tables and parts, and the sets of a certificate."""

    def __init__(self, spec, bits):
        self.spec, self.rounding = spec, Rounding(bits)
        self.sizes = [len(values) for _, values in spec.domain]
        self.tables = [self.table(place) for place in range(len(self.sizes))]
        self.seen_by = [set() for _ in self.sizes]  # the tables and parts that depend on a place
        for kind, scopes in (("table", [over for over, *_ in self.tables]), ("part", [part.places for part in spec.parts])):
            for n, places in enumerate(scopes):
                require(len(set(places)) == len(places), f"the spec's {kind} {n} names a coordinate twice")
                for place in places:
                    self.seen_by[place].add((kind, n))
        self.everything = {("table", i) for i in range(len(self.tables))} | {("part", n) for n in range(len(spec.parts))}
        self.sets = []

    def table(self, place):
        """A table of the prior: places, the last one fastest; entries rounded down; the largest factor by which true
        ones exceed them."""
        kind, name = self.spec.prior["type"], self.spec.coordinates[place]
        if kind == "network":
            nodes = [node for node in self.spec.prior["nodes"] if node["coordinate"] == name]
            require(len(nodes) == 1, f"the spec has not one table of {name}")
            over = [self.spec.coordinates.index(parent) for parent in nodes[0].get("parents", [])] + [place]
            rows = [[self.spec.number(text) for text in row] for row in nodes[0]["table"]]
        else:
            require(kind in ("product", "uniform"), "the prior is no network")
            over, rows = [place], [self.spec.marginal(place)]
        require(len(rows) == prod(self.sizes[i] for i in over[:-1]), f"the spec's table of {name} has other rows")
        require(all(len(row) == self.sizes[place] for row in rows), f"the spec's table of {name} has other columns")
        return over, *self.rounding.down([entry for row in rows for entry in row])

    def add(self, entry):
        where = f"set {len(self.sets)}"
        part, tables, sets, over, kept, others = fields(entry, where, optional=("part", "tables", "sets", "over", "kept", "others"))
        if part is not None:
            require(tables is None and sets is None and over is None, f"{where}: a part has no tables, sets or coordinates")
            require(isinstance(part, Fraction) and part.denominator == 1 and part < len(self.spec.parts), f"{where}: there is no such part")
            made = Outputs(where, int(part), self.spec.parts[int(part)], self.rounding)
        else:
            made = self.combined(where, self.places(tables, f"{where}: tables"), self.listed(sets, f"{where}: sets"), self.places(over, f"{where}: over"))
        require((kept is None) == (others is None), f"{where}: 'kept' and 'others' come together")
        made.keep(self.rounding, kept, others)
        self.sets.append(made)

    def places(self, names, where):
        return [place_in(self.spec.coordinates, name, where) for name in items(names, where, str)]

    def listed(self, numbers, where):
        require(all(n.denominator == 1 and n < len(self.sets) for n in items(numbers, where, Fraction)), f"{where}: there is no such set yet")
        return [self.sets[int(n)] for n in numbers]

    def combined(self, where, tables, sets, over):
        """A sum over a coordinate factors out what does not depend on it: it is valid if everything that depends on it
        is in the set."""
        require(len(set(over)) == len(over), f"{where}: a coordinate is named twice")
        listed = [("table", i) for i in tables] + [own for s in sets for own in s.holds]
        holds, gone = set(listed), {place for s in sets for place in s.gone}
        require(len(holds) == len(listed), f"{where}: a table or a part is used twice")
        seen = set(over).union(*(self.tables[i][0] for i in tables), *(s.over for s in sets))
        require(not seen & gone, f"{where}: what was summed out is there again")
        summed = sorted(seen - set(over))
        for place in summed:
            require(self.seen_by[place] <= holds, f"{where}: {self.spec.coordinates[place]} is summed out too early")
        excess = self.rounding.times(*(self.tables[i][2] for i in tables))
        cells = self.cells(where, over, summed, tables, sets)
        return Product(where, over, holds, gone | set(summed), self.rounding, excess, sets, cells)

    def cells(self, where, over, summed, tables, sets):
        seen = over + summed
        sizes = [self.sizes[i] for i in seen]
        require(prod(sizes) <= MOST_CELLS, f"{where}: it has too many cells")
        state_of, in_set = self.reader(seen, over), [self.reader(seen, s.over) for s in sets]
        entry_of = [(self.reader(seen, self.tables[i][0]), self.tables[i][1]) for i in tables]
        return [(state_of(values), prod(entries[place(values)] for place, entries in entry_of), [place(values) for place in in_set])
                for values in product(*map(range, sizes))]

    def reader(self, seen, over):
        """A function from values of the seen places to the joint value of some of them."""
        places = [(seen.index(i), self.sizes[i]) for i in over]

        def read(values):
            index = 0
            for k, size in places:
                index = index * size + values[k]
            return index
        return read

    def said(self, sets, labels):
        """The rays of these outputs (by part), or of the prior alone if labels is None: by set, with the sets they are
        made of."""
        wanted, waiting, known = set(), list(sets), {}
        while waiting:
            s = waiting.pop()
            if s not in wanted:
                wanted.add(s)
                waiting += s.sets
        for s in self.sets:
            if s in wanted:
                known[s] = s.said(self.rounding, labels, known)
        return known


class Claim:
    """One coordinate of a certificate."""

    def __init__(self, spec, document):
        self.name, lower, upper, self.witness, self.numbers = fields(document, "a coordinate", "coordinate", "lower", "upper", "witness", "sets")
        self.place = spec.coordinates.index(self.name)
        self.values = spec.domain[self.place][1]
        self.lower, self.upper, self.text = nats(lower, "lower"), nats(upper, "upper"), f"{self.name} <= {upper}, and >= {lower}"
        require(self.lower <= self.upper, "the lower end is above the upper one")

    def check(self, network):
        self.sets = network.listed(self.numbers, "sets")
        for s in self.sets:
            require(set(s.over) <= {self.place}, f"{s.where} is not over this coordinate")
            require(self.place not in s.gone, f"{s.where}: this coordinate is summed out")
        holds = [own for s in self.sets for own in s.holds]
        require(len(set(holds)) == len(holds), "a table or a part is used twice")
        missing = sorted(network.everything - set(holds))
        require(not missing, f"{missing[:3]} are not used")
        self.masses, self.doubt = self.together(network, network.said(self.sets, None))
        self.check_upper(network)
        self.check_witness(network)

    def together(self, network, said):
        """The product by value, rounded down, up to a factor; and the largest factor by which the true numbers exceed
        it. A set over no coordinate gives the same for all values."""
        if not all(any(said[s][0]) for s in self.sets):
            raise NotShown("the witness's output is impossible")
        sets = [s for s in self.sets if s.over]
        return [prod(said[s][0][v] for s in sets) for v in range(len(self.values))], network.rounding.times(*(said[s][1] for s in sets))

    def check_upper(self, network):
        """With masses m: P(y|a)/P(y|b) = (L(a)/m(a)) / (L(b)/m(b)), and L(a)/L(b) <= F c(a)/c(b), at most that of some
        kept ray."""
        excess = network.rounding.times(self.doubt, *(s.excess for s in self.sets if s.over))
        most = network.rounding.enclosures.exp(self.upper)[0] * network.rounding.one / excess
        values = [v for v, mass in enumerate(self.masses) if mass > 0]
        for a, b in ((a, b) for a in values for b in values if a != b):
            ratio = Fraction(self.masses[b], self.masses[a])
            for s in self.sets:
                if s.over:
                    require(all(ray[b] or not ray[a] for ray in s.rays), f"{s.where}: some ratio is infinite")
                    ratio *= max((Fraction(ray[a], ray[b]) for ray in s.rays if ray[b]), default=Fraction(0))
            if ratio > most:
                certain = ratio > network.rounding.enclosures.exp(self.upper)[1] * FAR
                raise (Rejected if certain else NotShown)(f"{self.values[a]} against {self.values[b]}: the rays do not show the upper end")

    def check_witness(self, network):
        source, target, output = fields(self.witness, "the witness", "from", "to", "output")
        a, b = (place_in(self.values, value, "the witness") for value in (source, target))
        require(self.masses[a] > 0 and self.masses[b] > 0, "the witness: a value has no mass")
        parts = network.spec.parts
        require(len(items(output, "the witness's output", str)) == len(parts), "the witness's output is not one label per part")
        labels = [place_in(part.labels, label, "the witness's output") for part, label in zip(parts, output)]
        said, doubt = self.together(network, network.said(self.sets, labels))
        least = network.rounding.enclosures.exp(self.lower)[1] * network.rounding.times(doubt, self.doubt) / network.rounding.one
        # Levels are at least 0.
        if self.lower > 0 and (said[a] == 0 or said[a] * self.masses[b] < least * said[b] * self.masses[a]):
            raise NotShown("the witness does not show the lower end")


def check_at(spec, sets, claims, bits):
    network = Network(spec, bits)
    for entry in items(sets, "sets", dict):
        network.add(entry)
    for claim in claims:
        try:
            claim.check(network)
        except Rejected as error:
            raise type(error)(f"{claim.name}: {error}") from error


def check(spec, document, only=None):
    """Yields (status, line) per coordinate; raises Rejected."""
    coordinates, reasons, sets = claims_of(spec, document, "network", only, "sets")
    claims = [Claim(spec, entry) for entry in coordinates if only in (None, entry["coordinate"])]
    for bits in PRECISIONS:
        try:
            check_at(spec, sets, claims, bits)
            break
        except (NotShown, ArithmeticError) as error:
            if bits == PRECISIONS[-1]:
                raise Rejected(str(error)) from error
    for claim in claims:
        yield ACCEPTED, f"accepted: {claim.text}"
    yield from without_proof(reasons, only)


if __name__ == "__main__":
    sys.exit(status_of(lambda: main(check)))
