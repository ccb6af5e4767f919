"""Sets of priors (docs/spec-format.md, prior_sets), and their conditions."""
from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Callable, Optional, Sequence

from .domain import Domain, Row
from .numbers import is_below, never_negative, require_one, total_of
from .polytopes import has_point
from .priors import MOST_LISTED, Node, Prior, Priors, Weights, read_nodes, summed
from .reading import Known, array, every, fields, is_text, items, mapping, one_of, require, type_of, within

MOST_DRAWS = 10**12
# By type: required and optional fields
SETS: Known = {
    "all": ((), ()), "product": ((), ()), "correlation": (("at_most",), ()), "contaminated": (("share",), ("support",)),
    "total_variation": (("radius",), ()), "weights": (("factor",), ()), "intervals": (("lower", "upper"), ()),
    "marginals": ((), ("sets", "tables")), "sample": (("confidence",), ()), "network": (("nodes",), ()),
    "any_of": (("priors",), ()), "mixtures_of": (("priors",), ()), "side_knowledge": (("about",), ()),
}

# From the coordinate of a claim (None: of none) to the reason why the claim cannot be about this set, or None.
Complaint = Callable[[Optional[int]], Optional[str]]
Bounds = tuple[dict[Row, Any], Any]  # {input: number} of those that are listed, and the number of all others (None: there are none)


def anything(_about: Optional[int]) -> None:
    return None


@dataclass
class PriorSet:
    """A valid set of priors. Only some fields belong to its kind."""
    complaint: Complaint = anything
    number: Any = None  # the share, radius, factor or confidence
    at_most: Optional[dict[int, Any]] = None  # by coordinate, how much its values correlate with the others
    within_support: bool = False
    bounds: tuple[Bounds, Bounds] = (({}, 0), ({}, 0))  # the lower and the upper ones
    tables: Sequence[tuple[list[int], Optional[Weights]]] = ()  # coordinates and their marginal; None: that of the spec's prior
    nodes: Sequence[Node] = ()  # with (lower ends, upper ends) as rows
    priors: Sequence[Prior] = ()
    about: Sequence[int] = ()  # coordinates that an adversary learns
    kind: str = ""


class Sets:
    """center: the spec's prior, or None; counted: it is a table of counts."""

    def __init__(self, priors: Priors, domain: Domain, center: Optional[Prior], counted: bool):
        self.priors, self.numbers, self.domain, self.center, self.counted = priors, priors.numbers, domain, center, counted
        self.named: dict[str, PriorSet] = {}

    def read(self, value: Any) -> PriorSet:
        kind = type_of(value, "a set of priors", SETS)
        found: PriorSet = getattr(self, "s_" + kind)(value)
        found.kind = kind
        return found

    def read_named(self, value: Any) -> None:
        for name, own in mapping(value, "name to set of priors").items():
            self.named[name] = within(name, self.read, own)

    def for_all(self, value: Any) -> PriorSet:
        require(not is_text(value) or value in self.named, f"unknown set of priors {str(value)[:60]!r}")
        return self.named[value] if is_text(value) else self.read(value)

    def around(self, value: Any) -> Prior:
        """The spec's prior, to which the set refers."""
        require(self.center is not None, f"a set of type '{value['type']}' refers to the spec's prior, and the spec has none")
        assert self.center is not None
        return self.center

    def s_all(self, value: Any) -> PriorSet:
        return PriorSet()

    def s_product(self, value: Any) -> PriorSet:
        return PriorSet(lambda about: None if about is not None else "independence is that of coordinates, and the claim is not about one",
                        at_most=dict.fromkeys(range(len(self.domain.names)), Fraction(0)))

    def s_correlation(self, value: Any) -> PriorSet:
        stated, at_most = value["at_most"], dict[int, Any]()
        if isinstance(stated, dict):
            require(stated, "found no coordinate, expected at least one", "at_most")
            for name, own in stated.items():
                at_most[within(("at_most", name), self.domain.coordinate, name)] = within(("at_most", name), self.numbers.probability, own)
        else:
            at_most = dict.fromkeys(range(len(self.domain.names)), within("at_most", self.numbers.probability, stated))
        return PriorSet(lambda about: None if about in at_most else "it bounds no correlation of the coordinate that the claim is about", at_most=at_most)

    def s_contaminated(self, value: Any) -> PriorSet:
        self.around(value)
        within_support = one_of(value, "support", ("domain", "prior")) == "prior"
        return PriorSet(number=within("share", self.numbers.probability, value["share"]), within_support=within_support)

    def s_total_variation(self, value: Any) -> PriorSet:
        self.around(value)
        return PriorSet(number=within("radius", self.numbers.probability, value["radius"]))

    def s_weights(self, value: Any) -> PriorSet:
        self.around(value)
        factor = within("factor", self.numbers.number, value["factor"])
        require(never_negative(factor - 1), "expected a factor of at least 1", "factor")
        return PriorSet(number=factor)

    def by_input(self, value: Any) -> Bounds:
        if isinstance(value, list):
            require(len(value) == self.domain.listed(), f"found {len(value)} numbers, expected one for each of the {self.domain.inputs} inputs")
            return dict(zip(self.domain.rows(), every(value, self.numbers.probability))), None
        fields(value, "numbers by input", ("rows", "default"))
        others, rows = within("default", self.numbers.probability, value["default"]), dict[Row, Any]()
        for k, row in enumerate(items(value, "rows", "rows")):
            require(isinstance(row, list) and len(row) == 2, "expected an input and a number", "rows", k)
            x = within(("rows", k, 0), self.domain.input, row[0])
            require(x not in rows, "the input is listed twice", "rows", k, 0)
            rows[x] = within(("rows", k, 1), self.numbers.probability, row[1])
        return rows, others

    def s_intervals(self, value: Any) -> PriorSet:
        (lower, low), (upper, high) = (within(side, self.by_input, value[side]) for side in ("lower", "upper"))
        listed = {**lower, **upper}
        ends = [(upper.get(x, high), lower.get(x, low)) for x in listed] + [(high, low)] * (len(listed) < self.domain.inputs)
        require(not any(is_below(*pair) for pair in ends), "the lower bound of an input is above its upper bound")
        for side, rows, others, sign in (("lower", lower, low, 1), ("upper", upper, high, -1)):
            rest = self.domain.inputs - len(rows)
            total = total_of(rows.values()) + (others * Fraction(rest) if others is not None else Fraction(0))
            require(never_negative((1 - total) * Fraction(sign)), f"no prior meets the {side} bounds", side)
        return PriorSet(bounds=((lower, low), (upper, high)))

    def s_marginals(self, value: Any) -> PriorSet:
        of_center: list[tuple[list[int], Optional[Weights]]] = []
        if "sets" in value:
            self.around(value)
            of_center = [(own, None) for own in within("sets", every, items(value, "sets", "lists of coordinates"), self.domain.coordinates)]
        tables = within("tables", every, items(value, "tables", "tables"), self.table) if "tables" in value else []
        require(of_center or tables, "found no table, expected 'sets' of coordinates or 'tables'")
        of_both = [(own, self.around(value).marginal(own)) for own, _ in of_center] + tables if "tables" in value else []
        if tables:
            self.require_possible(of_both, len(of_center))
        covered = {i for places, _ in of_center + tables for i in places}
        return PriorSet(lambda about: None if about is None or about in covered else "none of its tables has the coordinate that the claim is about",
                        tables=of_center + tables)

    def table(self, value: Any) -> tuple[list[int], Weights]:
        fields(value, "a table", ("of", "prior"))
        places = within("of", self.domain.coordinates, value["of"])
        prior = within("prior", self.priors.read, value["prior"], self.domain.restricted(places))
        return places, prior.marginal(range(len(places)))

    def require_possible(self, tables: list[tuple[list[int], Weights]], of_center: int) -> None:
        """Some prior has all these tables."""
        for k, (places, cells) in enumerate(tables):
            for other_places, other in tables[:k] if k >= of_center else ():
                shared = [i for i in places if i in other_places]
                mine, theirs = (summed(own, [there.index(i) for i in shared]) for own, there in ((cells, places), (other, other_places)))
                require(all(mine.get(key, 0) == theirs.get(key, 0) for key in {**mine, **theirs}), "it contradicts another table", "tables", k - of_center)
        if is_a_tree([set(places) for places, _ in tables]):
            return  # pairwise agreement then implies a common prior
        used = sorted({i for places, _ in tables for i in places})
        require(math.prod(self.domain.sizes[i] for i in used) <= MOST_LISTED, "tables of too many inputs to find out whether a prior has them all")
        equations: dict[tuple[int, Row], list[int]] = {}
        for column, x in enumerate(itertools.product(*(range(self.domain.sizes[i]) for i in used))):
            values = dict(zip(used, x))
            for k, (places, _) in enumerate(tables):
                equations.setdefault((k, tuple(values[i] for i in places)), []).append(column)
        rows = [(columns, tables[k][1].get(key, Fraction(0))) for (k, key), columns in equations.items()]
        require(has_point(rows), "no prior has all these tables, though no two of them contradict each other")

    def s_sample(self, value: Any) -> PriorSet:
        center = self.around(value)
        require(self.counted, "a set of type 'sample' takes the spec's prior for a table of draws: it must be of counts")
        confidence = within("confidence", self.numbers.rational, value["confidence"])
        require(0 < confidence < 1, "expected a confidence: a rational above 0 and below 1", "confidence")
        require(total_of(center.weights.values()) <= MOST_DRAWS, "expected 10^12 draws at most")
        return PriorSet(number=confidence)

    def s_network(self, value: Any) -> PriorSet:
        return PriorSet(nodes=within("nodes", read_nodes, value["nodes"], self.domain, self.row))

    def row(self, value: Any, count: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The lower ends, and the upper ones."""
        require(len(array(value, "numbers and intervals")) == count, f"found {len(value)} entries, expected one for each of the {count} values")
        lower, upper = zip(*every(value, self.ends))
        if lower == upper:
            require_one(lower)
        require(never_negative(1 - total_of(lower)), "the lower ends sum to more than 1")
        require(never_negative(total_of(upper) - 1), "the upper ends sum to less than 1")
        return lower, upper

    def ends(self, value: Any) -> tuple[Any, Any]:
        if not isinstance(value, list):
            return (self.numbers.probability(value),) * 2
        require(len(value) == 2, "expected the two ends of an interval")
        low, high = every(value, self.numbers.probability)
        require(not is_below(high, low), "expected the smaller end first")
        return low, high

    def s_any_of(self, value: Any) -> PriorSet:
        priors = within("priors", every, items(value, "priors", "priors"), self.priors.read, self.domain)
        require(priors, "found no prior, expected at least one", "priors")
        return PriorSet(priors=priors)

    s_mixtures_of = s_any_of

    def s_side_knowledge(self, value: Any) -> PriorSet:
        self.around(value)
        learned = within("about", self.domain.coordinates, value["about"])
        return PriorSet(lambda about: "an adversary learns the coordinate that the claim is about" if about in learned else None, about=learned)


def is_a_tree(sets: list[set[int]]) -> bool:
    """True if the sets reduce to nothing by removing elements of only one set and sets within another (Graham)."""
    while sets:
        kept = [{i for i in own if sum(i in other for other in sets) > 1} for own in sets]
        kept = [own for k, own in enumerate(kept) if own and not any(own < other or (own == other and j < k) for j, other in enumerate(kept))]
        if kept == sets:
            return False
        sets = kept
    return True
