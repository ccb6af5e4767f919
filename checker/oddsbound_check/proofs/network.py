"""A certificate of bounds along a network: sets of rays, which are the likelihoods of outputs as functions of some
coordinates, by joint value, up to a factor (docs/certificates.md, "Networks").

Tables, parts and outputs are derived from the spec. The certificate provides only the order of sums, the kept rays, and
the combinations for the others.

Invariant: every possible ray L of a set has a nonnegative combination c of the kept rays with c <= L <= F c in every
place (so L is 0 where c is); F is the set's `excess`. Products, and sums over a coordinate, of nonnegative rays keep
the invariant, with the product of the F. Numbers are integers over a power of two; F includes all rounding.
"""
from fractions import Fraction
from itertools import product
from math import lcm, prod

from ..certificate import fields, items, nats, place_in, whole
from ..domain import line
from ..intervals import Enclosures, scaled
from ..report import ACCEPTED, Line, Rejected, require, require_feasible
from .search import NotShown, claims_of, with_enough_bits, without_proof

PRECISIONS = (128, 2048)  # bits; more are tried if fewer do not show a bound
FAR = 1 + Fraction(1, 1 << 60)  # a gap that more bits would not close
MOST_CELLS = 1 << 22  # cells of a sum
MOST_RAYS = 1 << 20  # of a product of sets


class Rounding:
    """Rays as integers, up to a factor; an excess as an integer over 2^bits, rounded up."""

    def __init__(self, bits):
        self.bits, self.one, self.enclosures = bits, 1 << bits, Enclosures(2 * bits)

    def times(self, *excesses):
        total = self.one
        for excess in excesses:
            total = -(-total * excess >> self.bits)
        return total

    def down(self, numbers):
        """Numbers of the spec, rounded down, and the largest factor by which they exceed that."""
        ends, excess = scaled([self.enclosures.of(number) for number in numbers], self.bits), self.one
        for low, high in ends:
            if low == 0 and high > 0:
                raise NotShown("numbers of the spec are too far apart")
            if low > 0:
                excess = max(excess, -(-(high << self.bits) // low))
        return [low for low, _ in ends], excess

    def of_sum_one(self, ray):
        total = sum(ray)
        return [(entry << self.bits) // total for entry in ray]

    def spread(self, ray, by, where):
        """The smallest F with c <= ray <= F c for a multiple c of `by`, rounded up."""
        most: tuple = ()
        least: tuple = ()
        for entry, other in zip(ray, by):
            if (entry == 0) != (other == 0):
                raise NotShown(f"{where}: what it is made of is 0 elsewhere")
            if entry:
                if not most or entry * most[1] > most[0] * other:
                    most = entry, other
                if not least or entry * least[1] < least[0] * other:
                    least = entry, other
        return -(-(most[0] * least[1] << self.bits) // (most[1] * least[0]))


class Set:
    """A set over some places of coordinates, the last one fastest. holds: the tables and parts in its product; gone:
    the places that were summed out; candidates: rays that generate all others; some are kept."""

    def __init__(self, where, over, holds, gone, excess):
        self.where, self.over, self.holds, self.gone, self.excess = where, tuple(over), frozenset(holds), frozenset(gone), excess
        self.rays = []

    def keep(self, rounding, candidates, kept, others):
        """kept: the numbers of the rays that stay; others: for every other possible ray, its weights of those. All
        stay if both are None."""
        stays, most = dict[int, list](), rounding.one
        if kept is None:
            kept, others = [Fraction(n) for n, ray in enumerate(candidates) if any(ray)], {}
        for n in items(kept, f"{self.where}: kept", Fraction):
            require(n.denominator == 1 and n < len(candidates) and n not in stays, f"{self.where}: no ray is number {n}, or it is kept twice")
            require(any(candidates[int(n)]), f"{self.where}: ray {n} is impossible")
            stays[int(n)] = rounding.of_sum_one(candidates[int(n)])
        require(isinstance(others, dict), f"{self.where}: 'others' is no object")
        left, by_name = set(others), {str(n): ray for n, ray in stays.items()}
        for n, ray in enumerate(candidates):
            where = f"{self.where}, ray {n}"
            if n not in stays and any(ray):
                require(str(n) in left, f"{where}: it is neither kept nor made of others")
                left.remove(str(n))
                most = max(most, rounding.spread(ray, combination(where, others[str(n)], by_name), where))
            elif n in stays:
                most = max(most, rounding.spread(ray, stays[n], where))
        require(not left, f"{self.where}: there is no ray {next(iter(left), '')[:40]!r} to be made of others")
        self.rays, self.excess = list(stays.values()), rounding.times(self.excess, most)


def combination(where, weights, rays):
    """A combination of kept rays by their names; any nonnegative weights are valid."""
    require(isinstance(weights, dict) and weights, f"{where}: it is made of nothing")
    for name, weight in weights.items():
        require(name in rays, f"{where}: {name[:40]!r} is not kept")
        require(isinstance(weight, Fraction) and weight >= 0, f"{where}: a weight is no number that is 0 or more")
    over = lcm(*(weight.denominator for weight in weights.values()))
    whole = [(int(weight * over), rays[name]) for name, weight in weights.items()]
    return [sum(weight * entry for (weight, _), entry in zip(whole, entries)) for entries in zip(*(ray for _, ray in whole))]


class Outputs(Set):
    """A part of the mechanism: one ray for each output."""

    def __init__(self, where, number, part, rounding):
        rounded = [rounding.down([row[label] for row in part.rows]) for label in range(len(part.labels))]
        super().__init__(where, part.places, [("part", number)], [], max(excess for _, excess in rounded))
        self.number, self.columns, self.of_columns, self.sets = number, [column for column, _ in rounded], self.excess, []

    def candidates(self):
        return self.columns

    def said(self, rounding, labels, _):
        """The ray of one output, or of none (all inputs equal) if labels is None; and its excess."""
        if labels is None:
            return [1] * len(self.columns[0]), rounding.one
        return self.columns[labels[self.number]], self.of_columns


class Product(Set):
    """The product of tables and of one ray of each of some sets, summed over some places. cells: (place in the sum,
    product of the tables, place in each set); excess: of the tables."""

    def __init__(self, where, over, holds, gone, rounding, excess, sets, cells):
        super().__init__(where, over, holds, gone, rounding.times(excess, *(s.excess for s in sets)))
        self.of_tables, self.sets, self.cells = excess, sets, cells
        self.states = 1 + max(cell[0] for cell in cells)

    def ray(self, rays):
        sums = [0] * self.states
        for state, weight, places in self.cells:
            for ray, place in zip(rays, places):
                weight *= ray[place]
            sums[state] += weight
        return sums

    def candidates(self):
        require_feasible(prod(len(s.rays) for s in self.sets) <= MOST_RAYS, f"{self.where}: it has too many rays")
        return [self.ray(choice) for choice in product(*(s.rays for s in self.sets))]

    def said(self, rounding, _, known):
        exact = self.ray([known[s][0] for s in self.sets])
        if not any(exact):
            return exact, rounding.one
        ray = rounding.of_sum_one(exact)
        return ray, rounding.times(self.of_tables, *(known[s][1] for s in self.sets), rounding.spread(exact, ray, self.where))


class Network:
    """The spec's tables and parts, and the sets of a certificate."""

    def __init__(self, spec, bits):
        self.spec, self.rounding = spec, Rounding(bits)
        self.sizes = [len(values) for _, values in spec.domain]
        self.tables = [self.table(place) for place in range(len(self.sizes))]
        self.seen_by = [set[tuple[str, int]]() for _ in self.sizes]  # the tables and parts that depend on a place
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
        prior = self.spec.own_prior
        require(prior.nodes or prior.marginals, "the prior is no network")
        over, rows = next((([*parents, place], rows) for i, parents, rows in prior.nodes if i == place), None) or ([place], [prior.marginals[place]])
        require(len(rows) == prod(self.sizes[i] for i in over[:-1]), f"the spec's table of {self.spec.coordinates[place]} has other rows")
        require(all(len(row) == self.sizes[place] for row in rows), f"the spec's table of {self.spec.coordinates[place]} has other columns")
        return over, *self.rounding.down([entry for row in rows for entry in row])

    def add(self, entry):
        where = f"set {len(self.sets)}"
        part, tables, sets, over, kept, others = fields(entry, where, optional=("part", "tables", "sets", "over", "kept", "others"))
        if part is not None:
            require(tables is None and sets is None and over is None, f"{where}: a part has no tables, sets or coordinates")
            number = whole(part, len(self.spec.parts), "part")
            made = Outputs(where, number, self.spec.parts[number], self.rounding)
        else:
            made = self.combined(where, self.places(tables, f"{where}: tables"), self.listed(sets, f"{where}: sets"), self.places(over, f"{where}: over"))
        require((kept is None) == (others is None), f"{where}: 'kept' and 'others' come together")
        made.keep(self.rounding, made.candidates(), kept, others)
        self.sets.append(made)

    def places(self, names, where):
        return [place_in(self.spec.coordinates, name, where) for name in items(names, where, str)]

    def listed(self, numbers, where):
        return [self.sets[whole(n, len(self.sets), "set yet")] for n in items(numbers, where, Fraction)]

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
        require_feasible(prod(sizes) <= MOST_CELLS, f"{where}: it has too many cells")
        state_of, in_set = self.reader(seen, over), [self.reader(seen, s.over) for s in sets]
        entry_of = [(self.reader(seen, self.tables[i][0]), self.tables[i][1]) for i in tables]
        return [(state_of(values), prod(entries[place(values)] for place, entries in entry_of), [place(values) for place in in_set])
                for values in product(*map(range, sizes))]

    def reader(self, seen, over):
        """A function from values of the seen places to the joint value of some of them."""
        places, sizes = [seen.index(i) for i in over], [self.sizes[i] for i in over]
        return lambda values: line(sizes, [values[k] for k in places])

    def said(self, sets, labels):
        """The rays of these outputs (by part), or of the prior alone if labels is None: by set, with the sets they are
        made of."""
        wanted, waiting, known = set[Set](), list(sets), dict[Set, tuple]()
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
        require(all(any(said[s][0]) for s in self.sets), "the witness's output is impossible", NotShown)
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
        shown = said[a] > 0 and said[a] * self.masses[b] >= least * said[b] * self.masses[a]
        require(shown or self.lower <= 0, "the witness does not show the lower end", NotShown)


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
    """Yields a line per coordinate; raises Rejected."""
    coordinates, reasons, sets = claims_of(spec, document, "network", only, "sets")
    claims = [Claim(spec, entry) for entry in coordinates if only in (None, entry["coordinate"])]
    with_enough_bits(PRECISIONS, lambda bits: check_at(spec, sets, claims, bits))
    for claim in claims:
        yield Line(ACCEPTED, "", claim.text)
    yield from without_proof(reasons, only)
