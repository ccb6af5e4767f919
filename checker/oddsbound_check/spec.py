"""Specs, read as strictly as by oddsbound: no certificate is accepted for a file that the program rejects. The same walk
builds the model: domain, prior, mechanism and its independent parts. Rows are computed on demand.

Not checked: limits of time and memory, and the distribution of a release on small tables. Signs of functions of symbols
must be shown by functions.py: others are rejected, even if they hold."""
from __future__ import annotations

import os
import sys
from copy import copy
from functools import cached_property
from typing import Any, Callable, Optional, Sequence

from .claims import Claim, Claims
from .combinators import Mechanisms
from .domain import Domain, read_draft
from .exact import shared
from .mechanism import Mechanism, Part, flat, units
from .numbers import Numbers
from .prior_sets import Sets
from .priors import Prior, Priors
from .reading import Files, Refused, fields, require, text, type_of, version_1, within
from .releases import read_release_mechanism
from .tables import CSV_FIELDS, CsvTable

KEYS = ("$schema", "parameters", "symbols", "prior", "prior_sets", "claims", "description", "source", "oddsbound", "name", "domain", "mechanism")
MOST_FILES = 16
MOST_RECURSION = 20_000


class Reader:
    """One file. trail: the specs that led here; opened: {path: SHA-256} of all files that were read."""

    def __init__(self, path: str, trail: Sequence[str], opened: dict[str, str], values: Optional[dict[str, str]] = None):
        self.path, self.trail = path, (*trail, os.path.realpath(path))
        self.files = Files(path, opened)
        self.json = fields(self.files.document(path), "a spec", (), KEYS)
        self.needed("oddsbound")
        version_1(self.json, "oddsbound")
        symbols = self.json.get("symbols")
        require(not trail or "symbols" not in self.json, "a spec with symbols cannot be the mechanism of another one")
        require("symbols" not in self.json or symbols is not None, "expected an object: symbol to range", "symbols")
        self.numbers = Numbers(self.json.get("parameters", {}), symbols, values, needs_all=not trail)
        self.priors = Priors(self.numbers, self.files)
        self.mechanisms = Mechanisms(self.numbers, self.files, self.of_file, read_release_mechanism)

    def needed(self, key: str) -> Any:
        require(key in self.json, f"a spec needs the key '{key}'")
        return self.json[key]

    def domain_and_prior(self, prior_wanted: bool = True) -> tuple[Domain, Optional[Prior]]:
        draft = within("domain", read_draft, self.needed("domain"))
        if not draft.is_open():
            domain: Domain = draft.domain()
            read = "prior" in self.json and prior_wanted
            return domain, within("prior", self.priors.read, self.json["prior"], domain) if read else None
        require("prior" in self.json, '"from prior" needs a prior of type \'csv\', and the spec has none', "domain")
        value = self.json["prior"]
        within("prior", type_of, value, "a prior", {"csv": CSV_FIELDS})
        domain, rows = within("prior", lambda: CsvTable(value, draft, self.files).read())
        return domain, within("prior", self.priors.of_rows, domain, rows)

    def of_file(self, path: str, domain: Domain) -> Mechanism:
        """The mechanism of another spec."""
        require(os.path.realpath(path) not in self.trail, "spec files refer to one another in a cycle")
        require(len(self.trail) < MOST_FILES, f"spec files refer to one another through more than {MOST_FILES} steps")
        other = Reader(path, self.trail, self.files.opened)
        theirs, _ = other.domain_and_prior(prior_wanted=False)
        require(len(theirs.names) == len(domain.names), f"its domain has {len(theirs.names)} coordinates, expected {len(domain.names)}")
        require(len(domain.names) == 1 or theirs.names == domain.names, "its domain has other coordinates")
        require(theirs.values == domain.values, "its domain has other values")
        return within("mechanism", other.mechanisms.read, other.needed("mechanism"), theirs)

    def read(self) -> Spec:
        within("name", text, self.needed("name"), "'name'")
        for key in ("description", "source", "$schema"):
            within(key, text, self.json.get(key, ""), f"'{key}'")
        domain, prior = self.domain_and_prior()
        channel = within("mechanism", self.mechanisms.read, self.needed("mechanism"), domain)
        spec = Spec(self, domain, prior, channel)
        sets = Sets(self.priors, domain, prior, prior is not None and self.json["prior"]["type"] in ("counts", "csv"))
        if "prior_sets" in self.json:
            within("prior_sets", sets.read_named, self.json["prior_sets"])
        claims = Claims(self.numbers, domain, prior is not None, sets, self.mechanisms.part, self.files, channel)
        spec.claims, spec.claim_of = within("claims", claims.read_all, self.json.get("claims", [])), claims.read
        if self.numbers.ring is not None:
            self.numbers.ring.strict = False
        self.files.opened.pop(self.path, None)
        return spec


class Spec:
    """A valid spec. json: the document, with numbers as texts. opened: {path: SHA-256} of all other files that were
    read; none is opened later."""

    def __init__(self, reader: Reader, domain: Domain, prior: Optional[Prior], channel: Mechanism):
        self.path, self.json, self.opened, self.digest = reader.path, reader.json, reader.files.opened, reader.files.opened[reader.path]
        self.name: str = self.json["name"]
        self.claims: list[Claim] = []
        self.claim_of: Callable[[Any], Claim]  # reads a claim
        self.reader, self.own_domain, self.channel, numbers = reader, domain, channel, reader.numbers
        self.own_prior: Prior = prior  # type: ignore[assignment]  # None if there is none
        self.coordinates, self.places, self.public, self.sizes = domain.names, domain.places, domain.public, domain.sizes
        self.domain, self.input_count = list(zip(domain.names, domain.values)), domain.inputs
        # The ranges of all symbols; those with and without a fixed value.
        self.ranges, self.fixed, self.ring = numbers.ranges, numbers.fixed, numbers.ring
        self.free, self.box = (self.ring.names, self.ring.ranges) if self.ring else ([], [])
        self.given = domain.input  # as a tuple of places of values
        self.output_count, self.blocks = channel.outputs, channel.blocks
        self.shuffled = channel.shuffled

    @cached_property
    def local(self) -> Spec:
        """The spec of one person's report, if the mechanism shuffles reports."""
        assert self.shuffled is not None
        own = copy(self)
        for name in ("outputs", "rows", "parts", "units"):
            own.__dict__.pop(name, None)
        own.channel, own.shuffled = self.shuffled[0], None
        own.output_count, own.blocks = own.channel.outputs, own.channel.blocks
        return own

    @cached_property
    def outputs(self) -> list[str]:
        return self.channel.labels

    @cached_property
    def rows(self) -> list[list[Any]]:
        """Entries that are written alike are one object."""
        found: list[list[Any]] = shared(self.channel.rows)
        return found

    @cached_property
    def parts(self) -> list[Part]:
        return flat(self.channel.tree)

    @cached_property
    def units(self) -> list[Part]:
        return units(self.channel.tree)

    @cached_property
    def prior(self) -> Optional[list[Any]]:
        """The probabilities of all inputs."""
        return self.own_prior.dense() if self.own_prior else None


def read_spec(path: str, values: Optional[dict[str, str]] = None) -> Spec:
    """values: of some or all symbols, as texts. Raises Refused, a ValueError, unless oddsbound reads this file as a
    spec."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), MOST_RECURSION))
    try:
        return Reader(path, (), {}, values).read()
    except Refused:
        raise
    except RecursionError as error:
        raise Refused("nested too deep") from error
    except (ArithmeticError, AssertionError, AttributeError, LookupError, OSError, TypeError, ValueError, MemoryError) as error:
        raise Refused(f"{type(error).__name__}: {error}") from error
