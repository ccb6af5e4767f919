"""Checks a certificate of a spec's verdicts (docs/certificates.md, docs/trust.md).

Every claim and every probability is taken from the spec by this folder's own reader, and the statements of the
certificate are recomputed. Shares no code with the tool.

claim_certificates.py SPEC CERTIFICATE [--ranges N] [--seed S] [--claim N]
  A line per claim. --claim: this claim alone. --ranges: only N random ranges of each level, which proves nothing if
  ranges are left out. Exit status:
  0  every claim of the spec is proved, and its verdict is the one that the spec expects
  1  a proof is rejected, or a verdict that is proved is not the expected one
  2  the spec or the certificate cannot be read
  3  a claim is not proved (missing, in `without`, undecided, or by solvers' answers only), or the spec has no claims
  If several apply: 2 over 1 over 3 over 0.
"""
import argparse
import hashlib
import os
import random
import sys
from fractions import Fraction

from . import claim_blocks
from . import claim_large
from . import claim_symbols
from . import strict_spec
from .claim_proofs import PROOFS
from .outcomes import ACCEPTED, NOT_PROVED, NotProved, Rejected, require, say, status_of, status_of_lines
from .parts import Parts
from .reference import Spec, load, path_beside
from .set_certificates import as_expected, called, unexpected
from .strict_json import fields, items, read
from .tables import domain_of

FORMAT = 1
MOST_INPUTS = 10**6
MOST_CELLS = 2**22


def is_large(path):
    """Too many inputs to enumerate."""
    inputs = 1
    for _, values in domain_of(load(path), lambda name: path_beside(path, name)):
        inputs *= len(values)
    return inputs > MOST_INPUTS


def has_many_cells(path):
    """Independent parts with more inputs x outputs than fit in memory."""
    try:
        inputs, outputs = claim_large.sizes_of(Parts(path))
    except (AssertionError, LookupError, AttributeError, TypeError, ValueError):
        return False
    return inputs * outputs > MOST_CELLS


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Recorded:
    """A reader of specs that remembers which files it opened."""
    opened = ()

    def beside(self, name):
        path = super().beside(name)
        self.opened = {*self.opened, path}
        return path


class RecordedSpec(Recorded, Spec):
    pass


class RecordedParts(Recorded, Parts):
    pass


class RecordedBlocks(Recorded, claim_blocks.Blocks):
    pass


class RecordedFunctions(Recorded, claim_symbols.SymbolicSpec):
    pass


READERS = {"full": RecordedSpec, "parts": RecordedParts, "blocks": RecordedBlocks}


def is_of_large_set(entry):
    """True for a claim about a set of priors that is proved without enumerating inputs and outputs."""
    ways = {level.get("proof") for level in items(entry["levels"], "levels", dict)} if "for_all" in entry and "levels" in entry else set()
    return bool(ways & {"parts", "search"}) and ways <= {"parts", "search", "recompute"}


class Checker:
    """One spec's certificate. chosen(n): which of n ranges are checked. memory: what was read of the same spec
    before."""

    def __init__(self, path, document, chosen=range, only=None, memory=None):
        self.memory = {} if memory is None else memory
        if "strict" not in self.memory:
            self.memory["strict"] = strict_spec.check(path)
        self.path, self.json, self.chosen, self.only = path, load(path), chosen, only
        self.claims = self.json.get("claims", [])
        head, kind, version, _, _, self.files, name, self.without, self.undecided, self.entries, self.bounds, confidential = fields(
            document, "the certificate", "oddsbound", "certificate", "format", "tool", "file", "files", "spec", "without", "undecided",
            "claims", optional=("bounds", "confidential"))
        require(head == 1 and kind == "claims", "no certificate of verdicts")
        require(version == FORMAT, f"a format that is not known: {version}")
        require(confidential in (None, True), "'confidential' is true, or left out")
        require(name == self.json["name"], f"a certificate of {name}")
        self.way = self.way_of(self.entries[0]) if items(self.entries, "claims", dict) else self.way_of_most
        self.bind()

    def bind(self):
        """The certificate must be of the current files: of the spec, and of all other files that its reader opens."""
        listed = []
        for entry in items(self.files, "files", dict):
            _, own = fields(entry, "a file", "file", "sha256")
            listed.append(own)
        require(listed and listed[0] == digest(self.path), "it is a certificate of another spec: the spec's SHA-256 is not the one it names")
        readers = [self.functions] if "symbols" in self.json else [self.spec, *(self.memory[way] for way in READERS if way in self.memory)]
        for path in sorted({path for reader in readers for path in reader.opened}):
            require(digest(path) in listed, f"it was made with another {os.path.basename(path)}: its SHA-256 is not among those it names")

    @property
    def functions(self):
        """The spec with functions of symbols; for a spec with unreadable numbers, the files opened so far."""
        if "functions" not in self.memory:
            reader = RecordedFunctions.__new__(RecordedFunctions)
            try:
                reader.__init__(self.path)
            except ArithmeticError:
                pass
            self.memory["functions"] = reader
        return self.memory["functions"]

    @property
    def spec(self):
        """The spec as it is read for the current claim."""
        if self.way not in self.memory:
            self.memory[self.way] = READERS[self.way](self.path)
        return self.memory[self.way]

    def way_of(self, entry):
        """How the spec is read for a claim: in full; by parts or by blocks if inputs and outputs are too many or the
        proof needs no more."""
        if "symbols" in self.json:
            return "full"
        if entry.get("proof") in ("parts", "bounds") or is_of_large_set(entry):
            return "parts"
        return "blocks" if entry.get("proof") == "cases" else self.way_of_most

    @property
    def way_of_most(self):
        if "most" not in self.memory:
            parts = is_large(self.path) or (self.needs_parts_alone() and has_many_cells(self.path))
            blocks = claim_blocks.has_blocks(self.path, MOST_CELLS)
            self.memory["most"] = "blocks" if blocks else "parts" if parts else "full"
        return self.memory["most"]

    def needs_parts_alone(self):
        """True if no proof enumerates inputs and outputs."""
        return "symbols" not in self.json and bool(self.entries) and all(
            entry.get("notion") in ("ldp", "bdp", "cdp", "bcdp") and (
                entry.get("proof") in ("witness", "parts", "bounds") or is_of_large_set(entry))
            for entry in items(self.entries, "claims", dict))

    def known(self, index):
        require(isinstance(index, Fraction) and index in range(len(self.claims)), f"there is no claim {index}")
        return int(index)

    def lines(self):
        """Yields (status, line); every claim of the spec is in at least one line. Raises Rejected."""
        if self.only is not None and self.only not in range(len(self.claims)):
            raise LookupError(f"the spec has no claim {self.only}")
        missing = {}
        for what, told in (("", self.without), ("undecided: ", self.undecided)):
            for entry in items(told, "what is not proved", dict):
                index, _, reason = fields(entry, "what is not proved", "claim", "name", "reason")
                missing.setdefault(self.known(index), []).append(f"{what}{reason}")
        seen = set()
        for entry in items(self.entries, "claims", dict):
            index = self.known(entry.get("claim"))
            require(index not in seen, f"claim {index} is there twice")
            seen.add(index)
            if self.only in (None, index):
                yield self.checked(index, entry)
        self.bind()  # with the files read meanwhile
        for index, claim in enumerate(self.claims):
            if self.only in (None, index):
                for reason in missing.get(index, [] if index in seen else ["it is not in the certificate"]):
                    yield NOT_PROVED, f"not proved: {called(index, claim)}: {reason}"
        if not self.claims:
            yield NOT_PROVED, "not proved: the spec has no claims"

    def checked(self, index, entry):
        claim = self.claims[index]
        try:
            why = self.check(claim, entry)
        except Rejected as error:
            raise Rejected(f"claim {index}: {error}") from error
        except NotProved as error:
            return NOT_PROVED, f"not proved: {called(index, claim)}: {claim['notion']} {entry['verdict']}, {error}"
        if not as_expected(claim, entry["verdict"]):
            return unexpected(index, claim, entry["verdict"])
        return ACCEPTED, f"accepted: {called(index, claim)}: {claim['notion']} {entry['verdict']}, {why}"

    def check(self, claim, entry):
        """A description of the proof. Raises Rejected and NotProved."""
        require(entry.get("notion") == claim["notion"] and entry.get("name") == claim.get("name", ""), "it is about another claim")
        verdict, proof = entry.get("verdict"), entry.get("proof", "for_all")
        require(proof in PROOFS, f"a proof that is not known: {proof}")
        require(verdict == "refuted" or verdict == self.holding(claim), f"a verdict that is not known: {verdict}")
        self.way = self.way_of(entry)
        if "queries" in entry:
            claim_symbols.asked(entry["queries"])
        return PROOFS[proof](self, claim, entry, verdict == "refuted")

    def holding(self, claim):
        """The words for "holds": over a sample's priors only with a confidence."""
        stated = claim.get("for_all")
        stated = self.json["prior_sets"][stated] if isinstance(stated, str) else stated
        return "holds" if stated is None or stated["type"] != "sample" else "holds with confidence"


class AtRandom:
    """Some random ranges of each level. left_out: whether there are others."""

    def __init__(self, number, seed):
        self.number, self.source, self.left_out = number, random.Random(seed), False

    def __call__(self, count):
        self.left_out = self.left_out or self.number < count
        return sorted(self.source.sample(range(count), min(count, self.number)))


def verdict(path, certificate, chosen=range, only=None, tell=say, memory=None):
    """Reports what is proved, and returns the exit status."""
    def lines():
        yield from Checker(path, read(certificate), chosen, only, memory).lines()
    return status_of_lines(lines(), tell)


def main(given=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("spec")
    parser.add_argument("certificate")
    parser.add_argument("--ranges", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--claim", type=int)
    arguments = parser.parse_args(given)
    chosen = range if arguments.ranges is None else AtRandom(arguments.ranges, arguments.seed)
    return verdict(arguments.spec, arguments.certificate, chosen, arguments.claim)


if __name__ == "__main__":
    sys.exit(status_of(main))
