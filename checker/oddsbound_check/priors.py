"""Priors (docs/spec-format.md, prior): each kind as a plain loop over the inputs with mass."""
from __future__ import annotations

from fractions import Fraction
from typing import Any, Callable, Optional, Sequence

from .domain import MOST_INPUTS, Domain, Draft, Row, line
from .numbers import Numbers, total_of
from .reading import Files, Known, array, every, fields, items, mapping, require, type_of, within
from .tables import CSV_FIELDS, CsvTable, published

MOST_LISTED = 1 << 20  # inputs of a prior that are enumerated while the spec is read
MOST_ASSIGNMENTS = 1 << 32
ONE = Fraction(1)

# By type: required and optional fields
PRIORS: Known = {
    "uniform": ((), ()), "probabilities": (("probabilities",), ()), "counts": (("counts",), ("published",)), "csv": CSV_FIELDS,
    "product": (("marginals",), ()), "mixture": (("weights", "components"), ()), "diagonal": (("marginal",), ()), "network": (("nodes",), ()),
}

Weights = dict[Row, Any]
Node = tuple[int, list[int], list[Any]]  # coordinate, parents, rows of the table


class Prior:
    """weights: {input: weight} of those with mass, or of all, not normalised; enumerated on demand. marginals: of
    each coordinate, if the coordinates are visibly independent. nodes: of a network, parents first. is_listed: the spec,
    or a file, has each input with mass."""

    def __init__(self, domain: Domain, weights: Callable[[], Weights], marginals: Optional[list[list[Any]]] = None,
                 nodes: Sequence[Node] = (), is_listed: bool = False):
        self.domain, self.compute, self.marginals, self.nodes, self.is_listed = domain, weights, marginals, nodes, is_listed
        self.known: Optional[Weights] = None
        self.is_uniform = marginals is not None and all(own == marginal[0] for marginal in marginals for own in marginal)

    @property
    def weights(self) -> Weights:
        if self.known is None:
            self.known = self.compute()
        return self.known

    def marginal(self, places: Sequence[int]) -> Weights:
        """{values of these coordinates: probability}, while the spec is read."""
        require(self.known is not None or self.domain.inputs <= MOST_LISTED, f"a prior of more than {MOST_LISTED} inputs is too large here")
        weights = self.weights
        total = total_of(weights.values())
        return {key: own / total for key, own in summed(weights, places).items()}

    def rows(self) -> Weights:
        """The weights of the inputs with mass."""
        return {x: weight for x, weight in self.weights.items() if weight != 0}

    def over(self, places: Sequence[int]) -> Weights:
        """Rows of these coordinates: all of them in any order, or any if coordinates are independent."""
        if self.marginals is not None:
            return product_rows([self.marginals[i] for i in places])
        require(sorted(places) == list(range(len(self.domain.names))), "coordinates that are not known to be independent")
        return {tuple(x[i] for i in places): weight for x, weight in self.rows().items()}

    def dense(self) -> list[Any]:
        """The probabilities of all inputs, in the order of the domain."""
        weights = [self.weights.get(x, Fraction(0)) for x in self.domain.rows()]
        total = total_of(weights)
        return weights if total == 1 else [weight / total for weight in weights]


def summed(weights: Weights, places: Sequence[int]) -> Weights:
    found: dict[Row, list[Any]] = {}
    for x, weight in weights.items():
        found.setdefault(tuple(x[i] for i in places), []).append(weight)
    return {key: total_of(own) for key, own in found.items()}


def product_rows(marginals: Sequence[Sequence[Any]]) -> Weights:
    """{row: product of the marginals}, of rows with mass."""
    rows: Weights = {(): ONE}
    for own in marginals:
        rows = {(*row, k): p * w for row, p in rows.items() for k, w in enumerate(own) if w != 0}
    return rows


def read_nodes(nodes: Any, domain: Domain, read_row: Callable[[Any, int], Any]) -> list[Node]:
    """One node for every coordinate, parents first. read_row: reads a row of a table."""
    found = [within(k, read_node, node, domain, read_row) for k, node in enumerate(array(nodes, "nodes"))]
    for k, (i, *_) in enumerate(found):
        require(all(i != other for other, *_ in found[:k]), "two nodes for one coordinate", k)
    for i, name in enumerate(domain.names):
        require(any(i == own for own, *_ in found), f"there is no node for coordinate {name[:60]!r}")
    sorted_: list[Node] = []
    placed: set[int] = set()
    while len(sorted_) < len(found):
        ready = [node for node in found if node[0] not in placed and placed.issuperset(node[1])]
        require(ready, "a coordinate depends on itself through its parents")
        sorted_ += ready
        placed |= {i for i, _, _ in ready}
    return sorted_


def read_node(node: Any, domain: Domain, read_row: Callable[[Any, int], Any]) -> Node:
    fields(node, "a node of a network", ("coordinate", "table"), ("parents",))
    i, rows = within("coordinate", domain.coordinate, node["coordinate"]), 1
    parents: list[int] = []
    for k, name in enumerate(within("parents", array, node.get("parents", []), "coordinates")):
        parents.append(within(("parents", k), domain.coordinate, name))
        require(parents[-1] != i, "a coordinate cannot be its own parent", "parents", k)
        require(parents[-1] not in parents[:-1], "a parent is listed twice", "parents", k)
        rows *= domain.sizes[parents[-1]]
        require(rows <= MOST_ASSIGNMENTS, "the parents have more than 2^32 assignments", "parents", k)
    table = items(node, "table", "rows")
    require(len(table) == rows, f"found {len(table)} rows, expected one for each of the {rows} assignments of the parents", "table")
    return i, parents, within("table", every, table, read_row, domain.sizes[i])


class Priors:
    def __init__(self, numbers: Numbers, files: Files):
        self.numbers, self.files = numbers, files

    def read(self, value: Any, domain: Domain) -> Prior:
        found: Prior = getattr(self, "p_" + type_of(value, "a prior", PRIORS))(value, domain)
        return found

    def p_uniform(self, value: Any, domain: Domain) -> Prior:
        def weights() -> Weights:
            domain.listed()
            return dict.fromkeys(domain.rows(), ONE)
        prior = Prior(domain, weights, [[ONE] * size for size in domain.sizes] if max(domain.sizes) <= MOST_INPUTS else None)
        prior.is_uniform = True
        return prior

    @staticmethod
    def listed(domain: Domain, weights: list[Any]) -> Prior:
        require(any(weight != 0 for weight in weights), "the prior has no mass: all entries are 0")
        return Prior(domain, lambda: dict(zip(domain.rows(), weights)), is_listed=True)

    def p_probabilities(self, value: Any, domain: Domain) -> Prior:
        return self.listed(domain, within("probabilities", self.numbers.distribution, value["probabilities"], domain.listed(), "inputs"))

    def p_counts(self, value: Any, domain: Domain) -> Prior:
        published(value)
        counts = within("counts", every, items(value, "counts", "counts"), self.numbers.count)
        require(len(counts) == domain.listed(), f"found {len(counts)} entries, expected one for each of the {domain.inputs} inputs", "counts")
        return self.listed(domain, counts)

    def p_csv(self, value: Any, domain: Domain) -> Prior:
        return self.of_rows(domain, CsvTable(value, Draft(domain.names, domain.values, list(domain.public)), self.files).read()[1])

    @staticmethod
    def of_rows(domain: Domain, rows: dict[Row, int]) -> Prior:
        require(any(rows.values()), "the prior has no mass", "file")
        weights = {x: Fraction(weight) for x, weight in rows.items()}
        prior = Prior(domain, lambda: weights, is_listed=True)
        prior.known = weights
        return prior

    def p_product(self, value: Any, domain: Domain) -> Prior:
        marginals: dict[int, list[Any]] = {}
        for name, own in within("marginals", mapping, value["marginals"], "coordinate to numbers").items():
            i = within(("marginals", name), domain.coordinate, name)
            marginals[i] = within(("marginals", name), self.numbers.distribution, own, domain.sizes[i], "values")
        for i, name in enumerate(domain.names):
            require(i in marginals, f"there is no marginal for coordinate {name[:60]!r}", "marginals")
        ordered = [marginals[i] for i in range(len(domain.names))]
        return Prior(domain, lambda: product_rows(ordered), ordered)

    def p_mixture(self, value: Any, domain: Domain) -> Prior:
        components = items(value, "components", "priors")
        require(components, "a mixture needs at least one component", "components")
        shares = within("weights", self.numbers.distribution, value["weights"], len(components), "components")
        priors: list[Prior] = within("components", every, components, self.read, domain)

        def weights() -> Weights:
            found: Weights = {}
            for share, prior in zip(shares, priors):
                total = total_of(prior.weights.values())
                for x, weight in prior.weights.items() if share != 0 else ():
                    found[x] = found.get(x, Fraction(0)) + share * weight / total
            return found
        return Prior(domain, weights, is_listed=all(prior.is_listed for prior in priors))

    def p_diagonal(self, value: Any, domain: Domain) -> Prior:
        require(len(set(domain.sizes)) == 1, "a diagonal prior needs coordinates of equal size")
        marginal = within("marginal", self.numbers.distribution, value["marginal"], domain.sizes[0], "values")
        return Prior(domain, lambda: {(v,) * len(domain.names): weight for v, weight in enumerate(marginal)}, is_listed=True)

    def p_network(self, value: Any, domain: Domain) -> Prior:
        nodes = within("nodes", read_nodes, value["nodes"], domain, lambda row, count: self.numbers.distribution(row, count, "values"))
        if not any(parents for _, parents, _ in nodes):
            marginals = [rows[0] for _, _, rows in sorted(nodes, key=lambda node: int(node[0]))]
            return Prior(domain, lambda: product_rows(marginals), marginals, nodes)
        return Prior(domain, lambda: network_rows(nodes, domain), None, nodes)


def network_rows(nodes: list[Node], domain: Domain) -> Weights:
    """The coordinates are added in the order of the nodes, parents first."""
    rows: list[tuple[dict[int, int], Any]] = [({}, ONE)]
    for i, parents, table in nodes:
        sizes = [domain.sizes[j] for j in parents]
        rows = [({**row, i: k}, weight * p) for row, weight in rows for k, p in enumerate(table[line(sizes, [row[j] for j in parents])]) if p != 0]
    return {tuple(row[i] for i in range(len(domain.names))): weight for row, weight in rows}
