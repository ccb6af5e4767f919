"""Claims: the fields of each notion, and their conditions (docs/spec-format.md, claims). The proofs work from the
validated JSON."""
from __future__ import annotations

from typing import Any, Callable, Container, Optional, Sequence

from .domain import Domain
from .mechanism import Mechanism
from .numbers import Numbers, read_all_levels, read_levels
from .prior_sets import Sets
from .reading import Known, array, boolean, distinct, every, is_text, mapping, one_of, require, text, type_of, within

SCOPE = ("known", "from", "to")
NEIGHBORS = ("neighbors", "records", "differ")

# By notion: required and optional fields, besides those of every claim
OF_NOTION: Known = {
    "ldp": (("epsilon",), ()), "bdp": (("epsilon",), ("for_all",)), "cdp": (("epsilon",), ()), "bcdp": (("epsilon",), ("for_all", *SCOPE)),
    "secret": (("secret", "epsilon"), ("for_all", *SCOPE)), "context_ldp": (("epsilon",), ()), "block_ldp": (("blocks", "epsilon"), ()),
    "high_low_ldp": (("sensitive", "epsilon"), ()), "partial_dp": (("epsilon",), ("records",)),
    "approximate_dp": (("epsilon", "delta"), NEIGHBORS), "approximate_bcdp": (("coordinate", "epsilon", "delta"), SCOPE),
    "zcdp": (("rho",), NEIGHBORS), "bayes_leakage": (("epsilon",), ("coordinate",)), "information": (("epsilon",), ("coordinate",)),
    "post_processing_of": (("of",), ()),
}
NOTIONS: Known = {notion: (needed, ("name", "expect", "tight", *optional)) for notion, (needed, optional) in OF_NOTION.items()}
NEEDS_PRIOR = ("bdp", "bcdp", "secret", "approximate_bcdp", "bayes_leakage", "information")
BY_COORDINATE = ("cdp", "bcdp")
WITHOUT_ROOTS = ("context_ldp", "approximate_dp", "approximate_bcdp")


class Labels(Container[object]):
    """The labels of a secret made of coordinates: tuples of their values."""

    def __init__(self, domain: Domain):
        self.domain = domain

    def __contains__(self, party: object) -> bool:
        return isinstance(party, tuple) and len(party) == len(self.domain.names) and all(value in own for value, own in zip(party, self.domain.values))


class Claims:
    """part: reads the mechanism of a claim."""

    def __init__(self, numbers: Numbers, domain: Domain, has_prior: bool, sets: Sets, part: Callable[[Any, Domain], Mechanism]):
        self.numbers, self.domain, self.has_prior, self.sets, self.part = numbers, domain, has_prior, sets, part

    def read_all(self, claims: Any) -> None:
        every(array(claims, "claims"), self.read)

    def read(self, claim: Any) -> None:
        notion = type_of(claim, "a claim", NOTIONS, "notion")
        within("name", text, claim.get("name", ""), "the name of a claim")
        one_of(claim, "expect", ("holds", "refuted"))
        tight = within("tight", boolean, claim.get("tight", False), "whether the level is the least")
        require(not tight or notion != "zcdp", "a claim about zcdp cannot be tight", "tight")
        self.of_notion(notion, claim)
        require(self.has_prior or notion not in NEEDS_PRIOR or "for_all" in claim, f"a claim about {notion} needs a prior, and the spec has none", "notion")

    def of_notion(self, notion: str, claim: dict[str, Any]) -> None:
        about = self.levels(notion, claim)
        labels: Container[object] = ()
        if notion == "secret":
            labels, about = within("secret", self.secret, claim["secret"])
        if "coordinate" in claim:
            about = [within("coordinate", self.domain.coordinate, claim["coordinate"])]
        for key, read in (("delta", self.numbers.probability), ("blocks", self.domain.partition), ("sensitive", self.domain.given_inputs),
                          ("records", self.records), ("differ", self.domain.coordinates), ("of", lambda value: self.part(value, self.domain))):
            if key in claim:
                within(key, read, claim[key])
        require("sensitive" not in claim or self.domain.listed(), "no inputs")
        self.neighbors(notion, claim)
        self.scope(notion, claim, about, labels)
        if "for_all" in claim:
            complaint = within("for_all", self.sets.for_all, claim["for_all"])
            require("known" not in claim, "what is known is part of a prior, and the claim is over a set of priors", "known")
            concerned: list[Optional[int]] = [*about] if notion == "bcdp" else [None]
            for why in map(complaint, concerned):
                require(why is None, why or "", "for_all")

    def levels(self, notion: str, claim: dict[str, Any]) -> list[int]:
        """The coordinates with a claimed level, by coordinate."""
        key = "rho" if notion == "zcdp" else "epsilon"
        level = claim.get(key)
        if level is None and key not in claim:
            return []
        if notion == "context_ldp":
            within(key, self.level_matrix, level)
        elif notion == "partial_dp":
            within(key, read_all_levels, self.numbers, self.domain, level, True)
        elif notion in BY_COORDINATE or (notion == "zcdp" and isinstance(level, dict)):
            left_out = () if isinstance(level, dict) else self.no_secrets(claim)
            about = [i for i in within(key, read_levels, self.numbers, self.domain, level, True) if i not in left_out]
            require(about, "every coordinate is public or known: the claim is about none", key)
            return about
        else:
            within(key, self.numbers.level, level, notion not in WITHOUT_ROOTS)
        return []

    def no_secrets(self, claim: dict[str, Any]) -> set[int]:
        """The coordinates that a single level for all does not concern."""
        known = claim.get("known", [])
        named = [name for name in (known if isinstance(known, list) else []) if is_text(name) and name in self.domain.places]
        return {self.domain.places[name] for name in (*named, *self.domain.public)}

    def neighbors(self, notion: str, claim: dict[str, Any]) -> None:
        kind = one_of(claim, "neighbors", ("all", "coordinate", "record"))
        if notion == "zcdp" and isinstance(claim["rho"], dict):
            require("neighbors" not in claim or kind == "coordinate", "levels by coordinate are about neighbors that differ in that coordinate", "neighbors")
            require("differ" not in claim, "levels by coordinate already state which coordinate differs", "differ")
        require("records" not in claim or kind == "record" or notion == "partial_dp", "'records' needs \"neighbors\": \"record\"", "records")

    def scope(self, notion: str, claim: dict[str, Any], about: Sequence[int], labels: Container[object]) -> None:
        for i in within("known", self.domain.coordinates, claim["known"]) if "known" in claim else []:
            require(i not in about, f"{self.domain.names[i][:60]!r} is known, and the claim is about it", "known")
        for side in ("from", "to"):
            if side not in claim:
                continue
            parties = distinct(within(side, every, within(side, array, claim[side], "values, or labels of the secret"), self.party), "it")
            require(parties, "found none, expected at least one", side)
            require(notion == "secret" or len(about) == 1, "values are named, and levels are claimed for several coordinates", side)
            there: Container[Any] = labels if notion == "secret" else self.domain.values[about[0]]
            require(all(party in there for party in parties), "not one of the values, or of the secret's labels", side)

    @staticmethod
    def party(value: Any) -> Any:
        if isinstance(value, list):
            return tuple(every(value, text, "a value"))
        return text(value, "a value, or a label of the secret")

    def secret(self, value: Any) -> tuple[Container[object], list[int]]:
        """The labels, and the coordinates of the secret, if it is made of coordinates."""
        if isinstance(value, list):
            places = self.domain.coordinates(value)
            own = self.domain.restricted(places)
            own.listed()
            return Labels(own), places
        self.domain.cover(list(every(mapping(value, "label to inputs, or a list of coordinates"), self.domain.given_inputs).values()), "label's list")
        return set(value), []

    def records(self, value: Any) -> None:
        records = every(array(value, "records, each a list of coordinates"), lambda own: every(array(own, "coordinates"), self.domain.coordinate))
        places = distinct([i for record in records for i in record], "a coordinate")
        require(len(places) == len(self.domain.names), "a coordinate is in no record")

    def level_matrix(self, value: Any) -> None:
        inputs = self.domain.listed()
        require(len(array(value, "rows of levels")) == inputs, f"found {len(value)} rows, expected one for each of the {inputs} inputs")
        for k, row in enumerate(value):
            require(len(within(k, array, row, "levels")) == inputs, f"found {len(row)} levels, expected one for each of the {inputs} inputs", k)
            within(k, every, row, self.numbers.level)
