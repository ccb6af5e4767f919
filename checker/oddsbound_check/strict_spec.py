"""Specs, read as strictly as by oddsbound: everything that the program rejects is rejected here, so that no
certificate is accepted for a file that is no spec. Shares no code with the tool, and computes no mechanism.
strict_spec.py FILE... prints the reason for each rejected file; exit status 2 if there is one.

Not checked: limits of time and memory, and the distribution of a release on small tables. Signs of functions of
symbols must be proved by strict_symbols.py: others are rejected, even if they hold.
"""
import os
import sys
from contextlib import suppress

from .reference import Spec
from .strict_claims import Claims
from .strict_mechanisms import Mechanisms
from .strict_numbers import Numbers
from .strict_priors import Priors, Sets
from .strict_reading import (MOST_INPUTS, Literal, Names, Refused, Size, array, boolean, distinct, document, either, every, fields,
                            integer, is_text, require, text, text_of, type_of, within)
from .strict_releases import read_release_mechanism
from .strict_tables import CsvTable, Draft

KEYS = ("parameters", "symbols", "prior", "prior_sets", "claims", "description", "source")
MOST_FILES = 16
MOST_GONE_THROUGH = 1 << 20  # inputs x outputs
MOST_RECURSION = 20_000


def version_1(value, what):
    require(isinstance(value, Literal) and value == "1", f"expected 1: the version of {what}")


def coordinate(value):
    fields(value, "a coordinate", ("name",), ("values", "size", "public"))
    name = within("name", text, value["name"], "the name of a coordinate")
    require(name, "a coordinate needs a name that is not empty", "name")
    public = within("public", boolean, value.get("public", False), "whether everybody knows it")
    either(value, "a coordinate", "values", "size")
    if "size" in value:
        return name, Size(within("size", integer, value["size"], "the number of values", 1, MOST_INPUTS)), public
    if is_text(value["values"]):
        require(value["values"] == "from prior", 'expected an array of values, or "from prior"', "values")
        return name, None, public
    values = distinct(within("values", every, within("values", array, value["values"], "values"), text, "a value"), "a value")
    require(values, "a coordinate needs at least one value", "values")
    return name, Names(values), public


def draft_of(value):
    found = every(array(value, "coordinates"), coordinate)
    distinct([name for name, _, _ in found], "a coordinate's name")
    require(found, "a domain needs at least one coordinate")
    return Draft([name for name, _, _ in found], [values for _, values, _ in found], [name for name, _, public in found if public])


def listed_domain(value):
    """The domain of a release: all values are written out."""
    draft = draft_of(value)
    require(not draft.is_open(), "the values have to be listed here: there is no prior")
    return draft.domain()


class Reader:
    """One file. opened: the paths of the specs that led here."""

    def __init__(self, path, opened=()):
        self.path, self.opened = path, (*opened, os.path.realpath(path))
        self.json = document(text_of(path))
        fields(self.json, "a spec", (), (*KEYS, "oddsbound", "name", "domain", "mechanism"))
        require("oddsbound" in self.json, "a spec needs the key 'oddsbound'")
        within("oddsbound", version_1, self.json["oddsbound"], "the spec format")

    def needed(self, key):
        require(key in self.json, f"a spec needs the key '{key}'")
        return self.json[key]

    def path_of(self, name):
        text(name, "a file name")
        require(name and "\0" not in name, "this is not a file name")
        return os.path.normpath(os.path.join(os.path.dirname(self.path), name))

    def read(self):
        within("name", text, self.needed("name"), "'name'")
        for key in ("description", "source"):
            within(key, text, self.json.get(key, ""), f"'{key}'")
        require(self.json.get("symbols", {}) is not None, "expected an object: symbol to range", "symbols")
        self.numbers = Numbers(self.json.get("parameters", {}), self.json.get("symbols"))
        self.numbers.evaluate_all()
        priors = Priors(self.numbers, self.path_of)
        domain, prior = self.domain_and_prior(priors)
        mechanisms = Mechanisms(self.numbers, self.path_of, self)
        within("mechanism", mechanisms.read, self.needed("mechanism"), domain)
        counted = prior is not None and self.json["prior"]["type"] in ("counts", "csv")
        sets = Sets(priors, domain, prior, counted)
        if "prior_sets" in self.json:
            within("prior_sets", sets.read_named, self.json["prior_sets"])
        if "claims" in self.json:
            within("claims", Claims(self.numbers, domain, prior is not None, sets, mechanisms).read_all, self.json["claims"])

    def domain_and_prior(self, priors, prior_wanted=True):
        draft = within("domain", draft_of, self.needed("domain"))
        if not draft.is_open():
            domain = draft.domain()
            read = "prior" in self.json and prior_wanted
            return domain, within("prior", priors.read, self.json["prior"], domain) if read else None
        require("prior" in self.json, '"from prior" needs a prior of type \'csv\', and the spec has none', "domain")
        within("prior", type_of, self.json["prior"], "a prior", ("csv",))
        domain, rows = within("prior", CsvTable(self.json["prior"], draft, self.path_of).read)
        return domain, within("prior", priors.of_rows, domain, rows)

    # Other files.

    def mechanism(self, path, domain):
        """The mechanism of another spec."""
        require(os.path.realpath(path) not in self.opened, "spec files refer to one another in a cycle")
        require(len(self.opened) < MOST_FILES, f"spec files refer to one another through more than {MOST_FILES} steps")
        other = Reader(path, self.opened)
        require("symbols" not in other.json, "a spec with symbols cannot be the mechanism of another one")
        other.numbers = Numbers(other.json.get("parameters", {}))
        theirs, _ = other.domain_and_prior(Priors(other.numbers, other.path_of), prior_wanted=False)
        require(len(theirs.names) == len(domain.names), f"its domain has {len(theirs.names)} coordinates, expected {len(domain.names)}")
        require(len(domain.names) == 1 or theirs.names == domain.names, "its domain has other coordinates")
        require(theirs.is_like(domain), "its domain has other values")
        return within("mechanism", Mechanisms(other.numbers, other.path_of, other).read, other.needed("mechanism"), theirs)

    def release(self, value, domain):
        return read_release_mechanism(value, domain, self.path_of, version_1, listed_domain)

    def is_all_possible(self, value, domain):
        """True if every output of a mechanism is possible for every input, judged from its outputs alone."""
        spec = Spec.__new__(Spec)
        spec.path, spec.json, spec.memory, spec.numbers, spec.names = self.path, self.json, {}, {}, self.numbers.names
        for part, places in parts_of(value, domain):
            own = domain.restricted(places)
            shape = Mechanisms(self.numbers, self.path_of, self).read(part, own)
            require(own.inputs * shape.outputs <= MOST_GONE_THROUGH, "it is too large for this checker to tell whether all its outputs are possible")
            _, rows = spec.mechanism(plain(part), [(name, list(values)) for name, values in zip(own.names, own.values)])
            if any(p == 0 for row in rows for p in row):
                return False
        return True


def parts_of(value, domain):
    """[(mechanism, coordinates)] of a mechanism made of independent parts."""
    kind = value["type"]
    if kind == "per_coordinate":
        named = {name: own for name, own in value["mechanisms"].items() if name in domain.places}
        others = value["mechanisms"].get("*", "not released") if "*" not in domain.places else "not released"
        return [(own, [i]) for i, own in enumerate(named.get(name, others) for name in domain.names) if own != "not released"]
    if kind == "on":
        return [(value["mechanism"], [domain.places[name] for name in value["coordinates"]])]
    if kind in ("compose", "repeat"):
        return [part for own in (value["mechanisms"] if kind == "compose" else [value["mechanism"]]) for part in parts_of(own, domain)]
    return [(value, list(range(len(domain.names))))]


def plain(value):
    """The value with plain strings instead of Literals."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else str(value) if isinstance(value, str) else value


def check(path):
    """Raises Refused, a ValueError, unless oddsbound reads this file as a spec."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), MOST_RECURSION))
    try:
        Reader(path).read()
    except Refused:
        raise
    except RecursionError as error:
        raise Refused("nested too deep") from error
    except (ArithmeticError, AssertionError, AttributeError, LookupError, OSError, TypeError, ValueError, MemoryError) as error:
        raise Refused(f"{type(error).__name__}: {error}") from error


def checked(path, reader):
    """The reader's result for a valid spec."""
    check(path)
    return reader(path)


def main():
    status = 0
    for path in sys.argv[1:]:
        try:
            check(path)
        except Refused as error:
            status = 2
            with suppress(BrokenPipeError):
                print(f"{path}: {error}")
    return status


if __name__ == "__main__":
    sys.exit(main())
