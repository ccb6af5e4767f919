"""Priors and sets of priors, as strictly as in the spec format (docs/spec-format.md, prior and prior_sets)."""
import itertools
import math
from fractions import Fraction

from .polytopes import has_point
from .strict_numbers import is_below, require_one, total_of
from .strict_reading import array, every, fields, is_text, mapping, published, require, type_of, within
from .strict_tables import CsvTable, Draft

MOST_LISTED = 1 << 20  # inputs of a prior that are enumerated here
MOST_ASSIGNMENTS = 1 << 32
MOST_DRAWS = 10**12

PRIORS = ("uniform", "probabilities", "counts", "csv", "product", "mixture", "diagonal", "network")
SETS = ("all", "product", "correlation", "contaminated", "total_variation", "weights", "intervals", "marginals", "sample", "network",
        "any_of", "mixtures_of", "side_knowledge")


class Prior:
    """weights(): {input: weight} of those with mass, or of all; only on demand."""

    def __init__(self, domain, weights):
        self.domain, self.weights = domain, weights

    def marginal(self, places):
        """{values of these coordinates: probability}"""
        weights = self.weights()
        total, found = total_of(weights.values()), {}
        for x, weight in weights.items():
            found.setdefault(tuple(x[i] for i in places), []).append(weight)
        return {key: total_of(own) / total for key, own in found.items()}


def every_input(domain):
    require(domain.inputs <= MOST_LISTED, f"a prior of more than {MOST_LISTED} inputs, which this checker does not go through")
    return itertools.product(*(range(len(values)) for values in domain.values))


def read_nodes(nodes, domain):
    """[(node, coordinate, parents, rows)], one for every coordinate, without cycles."""
    found = [within(k, read_node, node, domain) for k, node in enumerate(array(nodes, "nodes"))]
    for k, (_, i, *_) in enumerate(found):
        require(all(i != other for _, other, *_ in found[:k]), "two nodes for one coordinate", k)
    for i, name in enumerate(domain.names):
        require(any(i == own for _, own, *_ in found), f"there is no node for coordinate {name[:60]!r}")
    placed = set()
    for _ in found:
        placed |= {i for _, i, parents, _ in found if placed.issuperset(parents)}
    require(len(placed) == len(found), "a coordinate depends on itself through its parents")
    return found


def read_node(node, domain):
    fields(node, "a node of a network", ("coordinate", "table"), ("parents",))
    i, parents, rows = within("coordinate", domain.coordinate, node["coordinate"]), [], 1
    for k, name in enumerate(within("parents", array, node.get("parents", []), "coordinates")):
        parents.append(within(("parents", k), domain.coordinate, name))
        require(parents[-1] != i, "a coordinate cannot be its own parent", "parents", k)
        require(parents[-1] not in parents[:-1], "a parent is listed twice", "parents", k)
        rows *= len(domain.values[parents[-1]])
        require(rows <= MOST_ASSIGNMENTS, "the parents have more than 2^32 assignments", "parents", k)
    table = within("table", array, node["table"], "rows")
    require(len(table) == rows, f"found {len(table)} rows, expected one for each of the {rows} assignments of the parents", "table")
    return node, i, parents, table


class Priors:
    """numbers: reads numbers; path_of: from a file's name in the spec to its path."""

    def __init__(self, numbers, path_of):
        self.numbers, self.path_of = numbers, path_of

    def read(self, value, domain):
        kind = type_of(value, "a prior", PRIORS)
        return getattr(self, "p_" + kind)(value, domain)

    def p_uniform(self, value, domain):
        fields(value, "a uniform prior", ("type",))
        return Prior(domain, lambda: dict.fromkeys(every_input(domain), Fraction(1)))

    def listed(self, domain, weights):
        require(any(weight != 0 for weight in weights), "the prior has no mass: all entries are 0")
        return Prior(domain, lambda: dict(zip(every_input(domain), weights)))

    def p_probabilities(self, value, domain):
        fields(value, "a prior of probabilities", ("type", "probabilities"))
        return self.listed(domain, within("probabilities", self.numbers.distribution, value["probabilities"], domain.listed(), "inputs"))

    def count(self, value):
        number = self.numbers.number(value)
        require(isinstance(number, Fraction) and number.denominator == 1 and number >= 0, f"found {value[:60]}, expected a count")
        return number

    def p_counts(self, value, domain):
        fields(value, "a prior of counts", ("type", "counts"), ("published",))
        published(value)
        counts = within("counts", every, within("counts", array, value["counts"], "counts"), self.count)
        require(len(counts) == domain.listed(), f"found {len(counts)} entries, expected one for each of the {domain.inputs} inputs", "counts")
        return self.listed(domain, counts)

    def p_csv(self, value, domain):
        _, rows = CsvTable(value, Draft(domain.names, domain.values, domain.public), self.path_of).read()
        return self.of_rows(domain, rows)

    @staticmethod
    def of_rows(domain, rows):
        require(any(rows.values()), "the prior has no mass", "file")
        return Prior(domain, lambda: {x: Fraction(weight) for x, weight in rows.items()})

    def p_product(self, value, domain):
        fields(value, "a product prior", ("type", "marginals"))
        marginals = [None] * len(domain.names)
        for name, own in within("marginals", mapping, value["marginals"], "coordinate to numbers").items():
            i = within(("marginals", name), domain.coordinate, name)
            marginals[i] = within(("marginals", name), self.numbers.distribution, own, len(domain.values[i]), "values")
        for name, own in zip(domain.names, marginals):
            require(own is not None, f"there is no marginal for coordinate {name[:60]!r}", "marginals")
        return Prior(domain, lambda: {x: math.prod((own[v] for own, v in zip(marginals, x)), start=Fraction(1)) for x in every_input(domain)})

    def p_mixture(self, value, domain):
        fields(value, "a mixture prior", ("type", "weights", "components"))
        components = within("components", array, value["components"], "priors")
        require(components, "a mixture needs at least one component", "components")
        shares = within("weights", self.numbers.distribution, value["weights"], len(components), "components")
        priors = within("components", every, components, self.read, domain)

        def weights():
            found = {}
            for share, prior in zip(shares, priors):
                for x, p in prior.marginal(range(len(domain.names))).items():
                    found[x] = share * p + found[x] if x in found else share * p
            return found
        return Prior(domain, weights)

    def p_diagonal(self, value, domain):
        fields(value, "a diagonal prior", ("type", "marginal"))
        sizes = {len(values) for values in domain.values}
        require(len(sizes) == 1, "a diagonal prior needs coordinates of equal size")
        marginal = within("marginal", self.numbers.distribution, value["marginal"], *sizes, "values")
        return Prior(domain, lambda: {(v,) * len(domain.names): weight for v, weight in enumerate(marginal)})

    def p_network(self, value, domain):
        fields(value, "a network prior", ("type", "nodes"))
        nodes = within("nodes", read_nodes, value["nodes"], domain)
        tables = [(i, parents, [within(("nodes", k, "table", r), self.numbers.distribution, row, len(domain.values[i]), "values") for r, row in enumerate(rows)])
                  for k, (_, i, parents, rows) in enumerate(nodes)]

        def probability(x):
            p = Fraction(1)
            for i, parents, rows in tables:
                row = 0
                for j in parents:
                    row = row * len(domain.values[j]) + x[j]
                p = rows[row][x[i]] * p
            return p
        return Prior(domain, lambda: {x: probability(x) for x in every_input(domain)})


class Sets:
    """Sets of priors. center: the spec's prior, or None; counted: whether it is a table of counts."""

    def __init__(self, priors, domain, center, counted):
        self.priors, self.numbers, self.domain, self.center, self.counted = priors, priors.numbers, domain, center, counted
        self.named = {}

    def read(self, value):
        """A function from the coordinate of a claim (None: of none) to a complaint, or None."""
        kind = type_of(value, "a set of priors", SETS)
        return getattr(self, "s_" + kind)(value)

    def for_all(self, value):
        if not is_text(value):
            return self.read(value)
        require(value in self.named, f"unknown set of priors {value[:60]!r}")
        return self.named[value]

    def needs_center(self, kind):
        require(self.center is not None, f"a set of type '{kind}' refers to the spec's prior, and the spec has none")
        return self.center

    def s_all(self, value):
        fields(value, "a set of all priors", ("type",))
        return lambda about: None

    def s_product(self, value):
        fields(value, "a set of product priors", ("type",))
        return lambda about: None if about is not None else "independence is that of coordinates, and the claim is not about one"

    def s_correlation(self, value):
        fields(value, "a set of priors by their correlation", ("type", "at_most"))
        stated, bounded = value["at_most"], set(range(len(self.domain.names)))
        if isinstance(stated, dict):
            require(stated, "found no coordinate, expected at least one", "at_most")
            bounded = {within(("at_most", name), self.domain.coordinate, name) for name in stated}
            within("at_most", every, stated, self.numbers.probability)
        else:
            within("at_most", self.numbers.probability, stated)
        return lambda about: None if about in bounded else "it says nothing of the correlation of what the claim is about"

    def s_contaminated(self, value):
        fields(value, "a set of contaminated priors", ("type", "share"), ("support",))
        require(value.get("support", "domain") in ("domain", "prior"), "expected 'domain' or 'prior'", "support")
        self.needs_center("contaminated")
        within("share", self.numbers.probability, value["share"])
        return lambda about: None

    def s_total_variation(self, value):
        fields(value, "a ball of priors", ("type", "radius"))
        self.needs_center("total_variation")
        within("radius", self.numbers.probability, value["radius"])
        return lambda about: None

    def s_weights(self, value):
        fields(value, "a set of reweighted priors", ("type", "factor"))
        factor = within("factor", self.numbers.number, value["factor"])
        require(self.numbers.never_negative(factor - 1), "expected a factor of at least 1", "factor")
        self.needs_center("weights")
        return lambda about: None

    def by_input(self, value):
        """{input: number} of those that are listed, and the number of all others (None: there are none)."""
        if isinstance(value, list):
            require(len(value) == self.domain.listed(), f"found {len(value)} numbers, expected one for each of the {self.domain.inputs} inputs")
            return dict(zip(every_input(self.domain), every(value, self.numbers.probability))), None
        fields(value, "numbers by input", ("rows", "default"))
        others, rows = within("default", self.numbers.probability, value["default"]), {}
        for k, row in enumerate(within("rows", array, value["rows"], "rows")):
            require(isinstance(row, list) and len(row) == 2, "expected an input and a number", "rows", k)
            x = within(("rows", k, 0), self.domain.input, row[0])
            require(x not in rows, "the input is listed twice", "rows", k, 0)
            rows[x] = within(("rows", k, 1), self.numbers.probability, row[1])
        return rows, others

    def s_intervals(self, value):
        fields(value, "a set of priors by intervals", ("type", "lower", "upper"))
        (lower, low), (upper, high) = (within(side, self.by_input, value[side]) for side in ("lower", "upper"))
        for x in {**lower, **upper}:
            require(not is_below(upper.get(x, high), lower.get(x, low)), f"the interval of input {x}: its lower bound is above its upper bound")
        if len({**lower, **upper}) < self.domain.inputs:
            require(not is_below(high, low), "every other input: its lower bound is above its upper bound")
        for side, rows, others, sign in (("lower", lower, low, 1), ("upper", upper, high, -1)):
            rest = self.domain.inputs - len(rows)
            total = total_of(rows.values()) + (others * Fraction(rest) if others is not None else Fraction(0))
            require(self.numbers.never_negative((1 - total) * Fraction(sign)), f"no prior meets the {side} bounds", side)
        return lambda about: None

    def s_marginals(self, value):
        fields(value, "a set of priors by their marginals", ("type",), ("sets", "tables"))
        tables = []
        if "sets" in value:
            center = self.needs_center("marginals")
            for k, names in enumerate(within("sets", array, value["sets"], "lists of coordinates")):
                places = within(("sets", k), self.domain.coordinates, names)
                tables.append((places, center))
        of_center = len(tables)
        if "tables" in value:
            for k, table in enumerate(within("tables", array, value["tables"], "tables")):
                tables.append(within(("tables", k), self.table, table))
        require(tables, "found no table, expected 'sets' of coordinates or 'tables'")
        if len(tables) > of_center:
            self.require_possible([(places, self.cells(places, prior)) for places, prior in tables], of_center)
        covered = {i for places, _ in tables for i in places}
        return lambda about: None if about is None or about in covered else "none of its tables has what the claim is about"

    def cells(self, places, prior):
        """The cells of the spec's prior, or of a stated table with these coordinates."""
        if prior is self.center:
            return prior.marginal(places)
        return prior.marginal(range(len(places)))

    def table(self, value):
        fields(value, "a table", ("of", "prior"))
        places = within("of", self.domain.coordinates, value["of"])
        return places, within("prior", self.priors.read, value["prior"], self.domain.restricted(places))

    def require_possible(self, tables, of_center):
        for k, (places, cells) in enumerate(tables):
            for other_places, other in tables[:k] if k >= of_center else ():
                shared = [i for i in places if i in other_places]
                mine, theirs = (summed(cells_, places_, shared) for cells_, places_ in ((cells, places), (other, other_places)))
                require(all(mine.get(key, 0) == theirs.get(key, 0) for key in {**mine, **theirs}), "it contradicts another table", "tables", k - of_center)
        if is_a_tree([set(places) for places, _ in tables]):
            return  # pairwise agreement then implies a common prior
        sizes = [len(values) for values in self.domain.values]
        used = sorted({i for places, _ in tables for i in places})
        require(math.prod(sizes[i] for i in used) <= MOST_LISTED, "tables of too many inputs to tell whether a prior has them all")
        equations = {}
        for column, x in enumerate(itertools.product(*(range(sizes[i]) for i in used))):
            values = dict(zip(used, x))
            for k, (places, _) in enumerate(tables):
                equations.setdefault((k, tuple(values[i] for i in places)), []).append(column)
        rows = [(columns, tables[k][1].get(key, Fraction(0))) for (k, key), columns in equations.items()]
        require(has_point(rows), "no prior has all these tables, though no two of them contradict each other")

    def s_sample(self, value):
        fields(value, "a set of priors by a sample", ("type", "confidence"))
        require(self.center is not None and self.counted, "a set of type 'sample' takes the spec's prior for a table of draws, and the spec has none")
        confidence = within("confidence", self.numbers.rational, value["confidence"])
        require(0 < confidence < 1, "expected a confidence: a rational above 0 and below 1", "confidence")
        require(total_of(self.center.weights().values()) <= MOST_DRAWS, "expected 10^12 draws at most")
        return lambda about: None

    def s_network(self, value):
        fields(value, "a set of priors by a network", ("type", "nodes"))
        for k, (_, i, _, rows) in enumerate(within("nodes", read_nodes, value["nodes"], self.domain)):
            for r, row in enumerate(rows):
                within(("nodes", k, "table", r), self.row, row, len(self.domain.values[i]))
        return lambda about: None

    def row(self, value, count):
        require(len(array(value, "numbers and intervals")) == count, f"found {len(value)} entries, expected one for each of the {count} values")
        ends = every(value, self.ends)
        lower, upper = [low for low, _ in ends], [high for _, high in ends]
        if all(low == high for low, high in ends):
            require_one(lower)
        require(self.numbers.never_negative(1 - total_of(lower)), "the lower ends sum to more than 1")
        require(self.numbers.never_negative(total_of(upper) - 1), "the upper ends sum to less than 1")

    def ends(self, value):
        if not isinstance(value, list):
            return (self.numbers.probability(value),) * 2
        require(len(value) == 2, "expected the two ends of an interval")
        low, high = every(value, self.numbers.probability)
        require(not is_below(high, low), "expected the smaller end first")
        return low, high

    def list_of(self, value, what):
        fields(value, what, ("type", "priors"))
        within("priors", every, within("priors", array, value["priors"], "priors"), self.priors.read, self.domain)
        require(value["priors"], "found no prior, expected at least one", "priors")
        return lambda about: None

    def s_any_of(self, value):
        return self.list_of(value, "a list of priors")

    def s_mixtures_of(self, value):
        return self.list_of(value, "a list of priors")

    def s_side_knowledge(self, value):
        fields(value, "a set of priors by what is learned", ("type", "about"))
        learned = within("about", self.domain.coordinates, value["about"])
        self.needs_center("side_knowledge")
        return lambda about: "it is what somebody learned about that, and the claim is about it" if about in learned else None

    def read_named(self, value):
        for name, own in mapping(value, "name to set of priors").items():
            self.named[name] = within(name, self.read, own)


def summed(cells, places, shared):
    found = {}
    for key, p in cells.items():
        found.setdefault(tuple(key[places.index(i)] for i in shared), []).append(p)
    return {key: total_of(own) for key, own in found.items()}


def is_a_tree(sets):
    """True if the sets reduce to nothing by removing elements of only one set and sets within another (Graham)."""
    sets = [set(own) for own in sets]
    while True:
        before = [set(own) for own in sets]
        for own in sets:
            for i in list(own):
                if sum(i in other for other in sets) == 1:
                    own.discard(i)
        sets = [own for k, own in enumerate(sets) if own and not any(own < other or (own == other and j < k) for j, other in enumerate(sets))]
        if not sets:
            return True
        if sets == before:
            return False
