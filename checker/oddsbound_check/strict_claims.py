"""Claims: the fields of each notion, and their conditions (docs/spec-format.md, claims)."""
from .strict_claim_fields import Fields
from .strict_reading import array, boolean, fields, is_text, mapping, require, text, within

SCOPE = ("known", "from", "to")
NEIGHBORS = ("neighbors", "records", "differ")

# notion: (required, optional)
NOTIONS = {
    "ldp": (("epsilon",), ()),
    "bdp": (("epsilon",), ("for_all",)),
    "cdp": (("epsilon",), ()),
    "bcdp": (("epsilon",), ("for_all", *SCOPE)),
    "secret": (("secret", "epsilon"), ("for_all", *SCOPE)),
    "context_ldp": (("epsilon",), ()),
    "block_ldp": (("blocks", "epsilon"), ()),
    "high_low_ldp": (("sensitive", "epsilon"), ()),
    "partial_dp": (("epsilon",), ("records",)),
    "approximate_dp": (("epsilon", "delta"), NEIGHBORS),
    "approximate_bcdp": (("coordinate", "epsilon", "delta"), SCOPE),
    "zcdp": (("rho",), NEIGHBORS),
    "bayes_leakage": (("epsilon",), ("coordinate",)),
    "information": (("epsilon",), ("coordinate",)),
    "post_processing_of": (("of",), ()),
}
NEEDS_PRIOR = ("bdp", "bcdp", "secret", "approximate_bcdp", "bayes_leakage", "information")
BY_COORDINATE = ("cdp", "bcdp")
WITHOUT_ROOTS = ("context_ldp", "approximate_dp", "approximate_bcdp")


class Claims:
    """sets: reads sets of priors; mechanisms: reads mechanisms."""

    def __init__(self, numbers, domain, has_prior, sets, mechanisms):
        self.numbers, self.domain, self.has_prior, self.sets, self.mechanisms = numbers, domain, has_prior, sets, mechanisms
        self.fields = Fields(numbers, domain)

    def read(self, claim):
        require("notion" in mapping(claim, "a claim"), "a claim needs the key 'notion'")
        notion = within("notion", text, claim["notion"], "the name of a notion")
        require(notion in NOTIONS, f"unknown notion {notion[:60]!r}", "notion")
        needed, optional = NOTIONS[notion]
        fields(claim, f"a claim about {notion}", ("notion", *needed), ("name", "expect", "tight", *optional))
        within("name", text, claim.get("name", ""), "the name of a claim")
        require(is_text(claim.get("expect", "holds")) and claim.get("expect", "holds") in ("holds", "refuted"), "expected 'holds' or 'refuted'", "expect")
        tight = within("tight", boolean, claim.get("tight", False), "whether the level is the least")
        require(not tight or notion != "zcdp", "a claim about zcdp cannot be tight", "tight")
        self.of_notion(notion, claim)
        require(self.has_prior or notion not in NEEDS_PRIOR or "for_all" in claim, f"a claim about {notion} needs a prior, and the spec has none", "notion")

    def of_notion(self, notion, claim):
        about, labels, own = self.levels(notion, claim), None, self.fields
        if notion == "secret":
            labels, places = within("secret", own.secret, claim["secret"])
            about = places or []
        if "delta" in claim:
            within("delta", self.numbers.probability, claim["delta"])
        if "coordinate" in claim:
            about = [within("coordinate", self.domain.coordinate, claim["coordinate"])]
        if "blocks" in claim:
            within("blocks", own.partition, claim["blocks"])
        if "sensitive" in claim:
            self.domain.listed()
            within("sensitive", self.domain.given_inputs, claim["sensitive"])
        if "records" in claim:
            within("records", own.records, claim["records"])
        if "differ" in claim:
            within("differ", self.domain.coordinates, claim["differ"])
        self.neighbors(notion, claim)
        if "of" in claim:
            within("of", self.mechanisms.part, claim["of"], self.domain)
        self.scope(notion, claim, about, labels)
        if "for_all" in claim:
            self.over_set(notion, claim, about)

    def levels(self, notion, claim):
        """The coordinates with a claimed level, by coordinate."""
        key = "rho" if notion == "zcdp" else "epsilon"
        if key not in claim:
            return []
        level = claim[key]
        if notion == "context_ldp":
            within(key, self.fields.level_matrix, level)
        elif notion == "partial_dp":
            within(key, self.fields.levels_of_all, level, True)
        elif notion in BY_COORDINATE or (notion == "zcdp" and isinstance(level, dict)):
            return within(key, self.fields.levels, level, self.no_secrets(claim))
        else:
            within(key, self.numbers.level, level, notion not in WITHOUT_ROOTS)
        return []

    def no_secrets(self, claim):
        known = claim.get("known", [])
        named = {self.domain.places[name] for name in (known if isinstance(known, list) else []) if is_text(name) and name in self.domain.places}
        return named | {self.domain.places[name] for name in self.domain.public}

    def neighbors(self, notion, claim):
        kind = claim.get("neighbors", "all")
        require(is_text(kind) and kind in ("all", "coordinate", "record"), "expected all, coordinate or record", "neighbors")
        if notion == "partial_dp":
            return
        if notion == "zcdp" and isinstance(claim["rho"], dict):
            require("neighbors" not in claim or kind == "coordinate", "levels by coordinate are about neighbors that differ in that coordinate", "neighbors")
            require("differ" not in claim, "levels by coordinate say what differs", "differ")
        require("records" not in claim or kind == "record", "'records' needs \"neighbors\": \"record\"", "records")

    def scope(self, notion, claim, about, labels):
        if not any(key in claim for key in SCOPE):
            return
        known = within("known", self.domain.coordinates, claim["known"]) if "known" in claim else []
        for i in known:
            require(i not in about, f"{self.domain.names[i][:60]!r} is known, and the claim is about it", "known")
        for side in ("from", "to"):
            if side not in claim:
                continue
            named = within(side, self.fields.parties, claim[side])
            require(notion == "secret" or len(about) == 1, "values are named, and levels are claimed for several coordinates", side)
            there = labels if notion == "secret" else self.domain.values[about[0]]
            for party in named:
                require((notion == "secret" or isinstance(party, str)) and party in there, "not one of the values, or of the secret's labels", side)

    def over_set(self, notion, claim, about):
        complaint = within("for_all", self.sets.for_all, claim["for_all"])
        require("known" not in claim, "what is known is part of a prior, and the claim is over a set of priors", "known")
        for i in about if notion == "bcdp" else [None]:
            why = complaint(i)
            require(why is None, why, "for_all")

    def read_all(self, claims):
        for k, claim in enumerate(array(claims, "claims")):
            within(k, self.read, claim)
