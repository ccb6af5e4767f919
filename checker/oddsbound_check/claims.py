"""Claims: the fields of each notion, and their conditions (docs/spec-format.md, claims)."""
from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any, Callable, Optional, Sequence

from .domain import Domain, Row
from .mechanism import Mechanism, readings
from .numbers import Level, Numbers, read_all_levels, read_levels
from .pair_levels import PairLevels, read_distance
from .pair_levels import Reader as PairReader
from .prior_sets import PriorSet, Sets
from .reading import Files, Known, array, boolean, distinct, every, fields, integer, mapping, one_of, require, text, type_of, within

SCOPE = ("known", "from", "to")
NEIGHBORS = ("neighbors", "records", "differ")
LIFTS = ("pointwise_maximal_leakage", "lower_lift", "local_information_privacy")

# By notion: required and optional fields, besides those of every claim
OF_NOTION: Known = {
    "ldp": (("epsilon",), ()), "bdp": (("epsilon",), ("for_all",)), "cdp": (("epsilon",), ()), "bcdp": (("epsilon",), ("for_all", *SCOPE)),
    "secret": (("secret", "epsilon"), ("for_all", *SCOPE)), "context_ldp": (("epsilon",), ()), "block_ldp": (("blocks", "epsilon"), ()),
    "high_low_ldp": (("sensitive", "epsilon"), ()), "utility_optimized_ldp": (("sensitive", "epsilon"), ("protected",)), "partial_dp": (("epsilon",), ("records",)),
    "approximate_dp": (("epsilon", "delta"), NEIGHBORS), "approximate_bcdp": (("coordinate", "epsilon", "delta"), SCOPE),
    "zcdp": (("rho",), NEIGHBORS), "renyi_dp": (("order", "epsilon"), NEIGHBORS), "gaussian_dp": (("mu",), NEIGHBORS),
    "bounded_range": (("epsilon",), NEIGHBORS), "kl_dp": (("epsilon",), NEIGHBORS), "probabilistic_dp": (("epsilon", "delta"), NEIGHBORS),
    "f_dp": (("f",), ("delta", *NEIGHBORS)), "approximate_zcdp": (("rho", "delta"), NEIGHBORS),
    "renyi_bcdp": (("order", "epsilon"), ("coordinate", "secret", *SCOPE)),
    "bayes_leakage": (("epsilon",), ("coordinate",)), "information": (("epsilon",), ("coordinate",)),
    "maximal_leakage": (("epsilon",), ("coordinate",)), **{notion: (("epsilon",), ("coordinate", "secret")) for notion in LIFTS},
    "posterior": (("at_most", "values"), ("coordinate", "secret")), "post_processing_of": (("of",), ()),
}
OF_NOTION["pointwise_maximal_leakage"] = (("epsilon",), ("coordinate", "secret", "delta"))
NOTIONS: Known = {notion: (needed, ("name", "expect", "tight", *optional)) for notion, (needed, optional) in OF_NOTION.items()}
NEEDS_PRIOR = ("bdp", "bcdp", "secret", "approximate_bcdp", "renyi_bcdp", "bayes_leakage", "information", "maximal_leakage", "posterior", *LIFTS)
BY_COORDINATE = ("cdp", "bcdp")
DIVERGENCES = {"zcdp": "rho", "approximate_zcdp": "rho", "renyi_dp": "epsilon", "gaussian_dp": "mu", "bounded_range": "epsilon", "kl_dp": "epsilon"}  # fields with one level, or levels by coordinate
WITHOUT_ROOTS = ("context_ldp", "utility_optimized_ldp", "approximate_dp", "approximate_bcdp", "renyi_dp", "renyi_bcdp", "bounded_range", "probabilistic_dp", "kl_dp", *LIFTS)
MOST_LISTED = 2**16  # outputs of a mechanism whose labels are looked up in a list
ORDERS = (2, 1000)  # the least and the greatest order of renyi_dp and renyi_bcdp


class Claim:
    """A valid claim; json: as it is written. Only some fields belong to its notion."""

    def __init__(self, json: dict[str, Any], notion: str):
        self.json, self.notion, self.name, self.refuted = json, notion, json.get("name", ""), json.get("expect") == "refuted"
        self.tight: bool = json.get("tight", False)
        self.for_all: Optional[PriorSet] = None
        self.levels: dict[Optional[int], Level] = {}  # by coordinate, or that of None if it is of no coordinate
        self.pair_levels: Optional[PairLevels] = None  # of context_ldp
        self.delta: Any = None
        self.curve: list[tuple[Any, Any]] = []  # the points of f
        self.at_most: Any = None  # the largest probability that these values may have after an output
        self.values: list[Any] = []
        self.order: int = 0
        self.coordinate: Optional[int] = None
        self.known: list[int] = []
        self.any_known = False  # in place of `known`: every set of other coordinates
        self.secret_places: list[int] = []  # the coordinates of the secret, if it is made of coordinates
        self.may: list[Optional[set[Any]]] = [None, None]  # the labels `from`, and `to`, if not all are meant
        self.labels_of: Callable[[Row], Sequence[Any]]  # the labels that an input has, if they are not the values of a coordinate
        self.scopes: list[list[int]] = []  # the coordinates in which neighbors may differ together
        self.blocks: Callable[[], list[list[Row]]] = list
        self.sensitive: list[Row] = []
        self.protected: Optional[list[str]] = None  # labels of outputs
        self.pairs: Optional[frozenset[frozenset[Row]]] = None  # of inputs, if neighbors are given by pairs
        self.of: Optional[Mechanism] = None

    @property
    def of_tail(self) -> bool:
        """It bounds the probability of the outputs with a large lift, and compares no two sides."""
        return self.notion in LIFTS and self.delta is not None


class Claims:
    """part: reads the mechanism of a claim. channel: that of the spec, whose outputs claims may name."""

    def __init__(self, numbers: Numbers, domain: Domain, has_prior: bool, sets: Sets, part: Callable[[Any, Domain], Mechanism], files: Optional[Files] = None,
                 channel: Optional[Mechanism] = None):
        self.numbers, self.domain, self.has_prior, self.sets, self.part, self.files, self.channel = numbers, domain, has_prior, sets, part, files, channel

    def read_all(self, claims: Any) -> list[Claim]:
        found: list[Claim] = every(array(claims, "claims"), self.read)
        return found

    def read(self, value: Any) -> Claim:
        notion = type_of(value, "a claim", NOTIONS, "notion")
        within("name", text, value.get("name", ""), "the name of a claim")
        one_of(value, "expect", ("holds", "refuted"))
        tight = within("tight", boolean, value.get("tight", False), "whether the level is the least")
        require(not tight or notion not in ("zcdp", "approximate_zcdp", "gaussian_dp"), f"a claim about {notion} cannot be tight", "tight")
        claim = Claim(value, notion)
        self.of_notion(claim, value)
        require(self.has_prior or notion not in NEEDS_PRIOR or "for_all" in value, f"a claim about {notion} needs a prior, and the spec has none", "notion")
        return claim

    def of_notion(self, claim: Claim, value: dict[str, Any]) -> None:
        domain = self.domain
        claim.labels_of = self.joint_value(range(len(domain.names)))
        readers: dict[str, Callable[[Any], Any]] = {
            "known": lambda own: self.known(claim, own), "coordinate": domain.coordinate, "delta": self.numbers.probability, "at_most": self.numbers.probability,
            "blocks": lambda own: domain.partition(own)[1], "sensitive": domain.chosen_inputs, "protected": self.outputs, "of": lambda own: self.part(own, domain),
            "order": lambda own: integer(own, "an order", *ORDERS)}
        for key, read in readers.items():
            if key in value:
                setattr(claim, key, within(key, read, value[key]))
        if claim.notion == "f_dp":
            claim.curve, claim.levels = within("f", self.points, value["f"]), {None: 1}
            claim.delta = Fraction(0) if claim.delta is None else claim.delta
        require("sensitive" not in value or domain.listed(), "no inputs")
        self.levels(claim, value)
        about = [i for i in claim.levels if i is not None]
        is_label: Callable[[Any], bool] = domain.values[about[0]].__contains__ if about else lambda party: False
        require("secret" not in value or "coordinate" not in value, "it is about a coordinate or about a secret", "secret")
        if "secret" in value:
            claim.labels_of, is_label, about = within("secret", self.secret, value["secret"])
            claim.secret_places = about
        if claim.notion == "renyi_bcdp":
            require("secret" in value or "coordinate" in value, "it is about a coordinate or about a secret")
        if claim.notion == "posterior":
            require("secret" in value or "coordinate" in value, "values of neither a coordinate nor a secret", "values")
            of_coordinate = self.domain.values[claim.coordinate].__contains__ if claim.coordinate is not None else is_label
            claim.values = within("values", self.listed_parties, value["values"], of_coordinate)
        claim.scopes = self.scopes(claim.notion, value)
        if isinstance(value.get("neighbors"), dict):
            claim.pairs = within("neighbors", self.neighbor_pairs, value["neighbors"])
        for i in claim.known:
            require(i not in about, f"{domain.names[i][:60]!r} is known, and the claim is about it", "known")
        for k, side in enumerate(("from", "to")):
            if side in value:
                require("secret" in value or len(about) == 1, "values are named, and levels are claimed for several coordinates", side)
                claim.may[k] = within(side, self.parties, value[side], is_label)
        if "for_all" in value:
            claim.for_all = within("for_all", self.sets.for_all, value["for_all"])
            require("known" not in value, "what is known is part of a prior, and the claim is over a set of priors", "known")
            concerned: list[Optional[int]] = [*about] if claim.notion == "bcdp" else [None]
            for why in map(claim.for_all.complaint, concerned):
                require(why is None, why or "", "for_all")

    def levels(self, claim: Claim, value: dict[str, Any]) -> None:
        notion, key = claim.notion, DIVERGENCES.get(claim.notion, "epsilon")
        if key not in value:
            return
        level = value[key]
        if notion == "context_ldp":
            claim.pair_levels = within(key, PairReader(self.numbers, self.domain, self.files).read, level)
        elif notion == "partial_dp":
            claim.levels = dict(enumerate(within(key, read_all_levels, self.numbers, self.domain, level, True)))
        elif notion in BY_COORDINATE or (notion in DIVERGENCES and isinstance(level, dict)):
            # A single level is about all coordinates that are neither public nor known.
            left_out = () if isinstance(level, dict) else {*claim.known, *(self.domain.places[name] for name in self.domain.public)}
            levels = within(key, read_levels, self.numbers, self.domain, level, notion not in WITHOUT_ROOTS)
            claim.levels = {i: own for i, own in levels.items() if i not in left_out}
            require(claim.levels, "every coordinate is public or known: the claim is about none", key)
        else:
            claim.levels = {claim.coordinate: within(key, self.numbers.level, level, notion not in WITHOUT_ROOTS)}

    def points(self, value: Any) -> list[tuple[Any, Any]]:
        """Of a convex curve from (0, f(0)) to (1, 0)."""
        found: list[tuple[Any, Any]] = []
        for k, point in enumerate(array(value, "points, each a pair of numbers")):
            require(len(array(point, "two numbers")) == 2, "a point has two numbers", k)
            found.append((self.numbers.number(point[0]), self.numbers.number(point[1])))
        require(len(found) >= 2 and found[0][0] == 0 and found[-1][0] == 1 and found[-1][1] == 0, "the curve does not begin at 0, or not end at [1, 0]")
        require(all(0 <= own[1] and own[1] <= 1 for own in found), "a point that is not between 0 and 1")
        require(all(a[0] < b[0] for a, b in zip(found, found[1:])), "a point that is not to the right of the one before")
        for a, b, c in zip(found, found[1:], found[2:]):
            require((b[1] - a[1]) * (c[0] - b[0]) <= (c[1] - b[1]) * (b[0] - a[0]), "the curve is not convex")
        return found

    def outputs(self, value: Any) -> list[str]:
        found = distinct(every(array(value, "outputs"), text, "an output"), "the output")
        require(found, "found no output, expected at least one")
        require(self.channel is not None, "the mechanism has no list of outputs")
        assert self.channel is not None
        few = set(self.channel.distinct_labels()) if self.channel.outputs <= MOST_LISTED else None
        for k, label in enumerate(found):
            is_one = label in few if few is not None else [rest for _, rest in readings(self.channel.tree, label)].count("") == 1
            require(is_one, f"there is no output {label[:40]!r}, or several", k)
        return found

    def known(self, claim: Claim, value: Any) -> list[int]:
        if value != "any" or claim.notion in ("approximate_bcdp", "renyi_bcdp"):
            places: list[int] = self.domain.coordinates(value)
            return places
        claim.any_known = True
        return []

    def scopes(self, notion: str, value: dict[str, Any]) -> list[list[int]]:
        if isinstance(value.get("neighbors"), dict):
            require("records" not in value, "'records' needs \"neighbors\": \"record\"", "records")
            require("differ" not in value, "the pairs of inputs in 'neighbors' already say what differs", "differ")
            require(notion not in DIVERGENCES or not isinstance(value[DIVERGENCES[notion]], dict), "levels by coordinate are about neighbors that differ in that coordinate", "neighbors")
            return []
        kind = one_of(value, "neighbors", ("all", "coordinate", "record"))
        if notion in DIVERGENCES and isinstance(value[DIVERGENCES[notion]], dict):
            require("neighbors" not in value or kind == "coordinate", "levels by coordinate are about neighbors that differ in that coordinate", "neighbors")
            require("differ" not in value, "levels by coordinate already state which coordinate differs", "differ")
        require("records" not in value or kind == "record" or notion == "partial_dp", "'records' needs \"neighbors\": \"record\"", "records")
        everything = list(range(len(self.domain.names)))
        scopes = within("records", self.records, value["records"]) if "records" in value else [everything]
        scopes = [[i] for i in everything] if kind == "coordinate" else scopes
        may = within("differ", self.domain.coordinates, value["differ"]) if "differ" in value else everything
        return [[i for i in scope if i in may] for scope in scopes]

    def parties(self, value: Any, is_label: Callable[[Any], bool]) -> set[Any]:
        return set(self.listed_parties(value, is_label))

    def listed_parties(self, value: Any, is_label: Callable[[Any], bool]) -> list[Any]:
        parties: list[Any] = distinct(every(array(value, "values, or labels of the secret"), self.party), "it")
        require(parties, "found none, expected at least one")
        require(all(map(is_label, parties)), "not one of the values, or of the secret's labels")
        return parties

    @staticmethod
    def party(value: Any) -> Any:
        if isinstance(value, list):
            return tuple(every(value, text, "a value"))
        return text(value, "a value, or a label of the secret")

    def joint_value(self, places: Sequence[int]) -> Callable[[Row], Sequence[Any]]:
        return lambda x: (tuple(self.domain.values[i][x[i]] for i in places),)

    def secret(self, value: Any) -> tuple[Callable[[Row], Sequence[Any]], Callable[[Any], bool], list[int]]:
        """The labels of an input; whether there is a label; and the coordinates of the secret, if it is made of
        coordinates."""
        if isinstance(value, list):
            places = self.domain.coordinates(value)
            own = self.domain.restricted(places)
            own.listed()
            return self.joint_value(places), own.has, places
        groups = every(mapping(value, "label to inputs, or a list of coordinates"), self.domain.given_inputs)
        self.domain.cover(list(groups.values()), "label's list")
        label_of = {x: (label,) for label, inputs in groups.items() for x in inputs}
        return label_of.__getitem__, groups.__contains__, []

    def neighbor_pairs(self, value: Any) -> frozenset[frozenset[Row]]:
        """Pairs of inputs: listed, or those that differ in some coordinates only, by a limited distance."""
        self.domain.listed()
        fields(value, "a relation of neighbors", (), ("pairs", "metric", "of", "at_most"))
        if "pairs" in value:
            require(len(value) == 1, "'pairs' is alone")
            pairs = [frozenset(within(k, self.domain.given_inputs, pair)) for k, pair in enumerate(array(value["pairs"], "pairs of inputs"))]
            require(pairs and all(len(pair) == 2 for pair in pairs), "each pair has two different inputs")
            return frozenset(distinct(pairs, "the pair"))
        require("metric" in value and "at_most" in value, "a metric needs 'at_most'")
        _, of, square = read_distance(self.domain, value)
        limit = within("at_most", self.numbers.number, value["at_most"])
        require(limit > 0, "a distance above 0", "at_most")
        lines: dict[Row, list[Row]] = {}
        for x in product(*map(range, map(len, self.domain.values))):
            lines.setdefault(tuple(v for i, v in enumerate(x) if i not in of), []).append(x)
        return frozenset(frozenset(pair) for line in lines.values() for pair in combinations(line, 2) if square(*pair) <= limit**2)

    def records(self, value: Any) -> list[list[int]]:
        records: list[list[int]] = every(array(value, "records, each a list of coordinates"), lambda own: every(array(own, "coordinates"), self.domain.coordinate))
        places = distinct([i for record in records for i in record], "a coordinate")
        require(len(places) == len(self.domain.names), "a coordinate is in no record")
        return records
