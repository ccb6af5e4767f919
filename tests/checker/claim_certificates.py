"""Checks a certificate of a spec's verdicts (docs/certificates.md, docs/trust.md): every claim and every probability is taken from the
spec, by this folder's own reader, and what the certificate says of them is recomputed. Shares no code with the tool.

claim_certificates.py SPEC CERTIFICATE [--ranges N] [--seed S] [--claim N]
  A line per claim. --ranges: of each level only so many ranges, at random. Exit status 0 accepted, 1 rejected, 2 the spec or the
  certificate cannot be read.
"""
import argparse
import hashlib
import os
import random
import sys
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import claim_blocks  # noqa: E402
import claim_large  # noqa: E402
import claim_symbols  # noqa: E402
from claim_proofs import PROOFS  # noqa: E402
from parts import Parts  # noqa: E402
from reference import Spec, load  # noqa: E402
from set_certificates import called, printable  # noqa: E402
from strict_json import Rejected, fields, items, read, require, status_of  # noqa: E402
from tables import domain_of  # noqa: E402

FORMAT = 1
MOST_INPUTS = 10**6
MOST_CELLS = 2**22


def is_large(path):
    """Too many inputs to be gone through."""
    inputs = 1
    for _, values in domain_of(load(path), lambda name: os.path.join(os.path.dirname(path), name)):
        inputs *= len(values)
    return inputs > MOST_INPUTS


def has_many_cells(path):
    """Inputs x outputs of independent parts that nobody should hold at once."""
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


READERS = {"full": RecordedSpec, "parts": RecordedParts, "blocks": RecordedBlocks}


def is_of_large_set(entry):
    """Whether it is about a set of priors, of which inputs and outputs were not gone through."""
    ways = {level.get("proof") for level in items(entry["levels"], "levels", dict)} if "for_all" in entry and "levels" in entry else set()
    return bool(ways & {"parts", "search"}) and ways <= {"parts", "search", "recompute"}


class Checker:
    """One spec's certificate. chosen(n): which of n ranges are looked at. memory: what was read of the same spec before."""

    def __init__(self, path, document, chosen=range, only=None, memory=None):
        self.path, self.json, self.chosen, self.only = path, load(path), chosen, only
        self.memory = {} if memory is None else memory
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
        """The certificate is of the files as they are: of the spec, and of all that its reader opens besides."""
        listed = []
        for entry in items(self.files, "files", dict):
            _, own = fields(entry, "a file", "file", "sha256")
            listed.append(own)
        require(listed and listed[0] == digest(self.path), "it is a certificate of another spec: the spec's SHA-256 is not the one it names")
        if "symbols" in self.json:
            return
        readers = [self.spec, *(self.memory[way] for way in READERS if way in self.memory)]
        for path in sorted({path for reader in readers for path in reader.opened}):
            require(digest(path) in listed, f"it was made with another {os.path.basename(path)}: its SHA-256 is not among those it names")

    @property
    def spec(self):
        """As it is read for the claim that is looked at."""
        if self.way not in self.memory:
            self.memory[self.way] = READERS[self.way](self.path)
        return self.memory[self.way]

    def way_of(self, entry):
        """How the spec is read for a claim: in full, by parts, or by blocks, where inputs and outputs are too many, or the proof needs no more."""
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
        """Nothing that is proved goes through inputs and outputs."""
        return "symbols" not in self.json and bool(self.entries) and all(
            entry.get("notion") in ("ldp", "bdp", "cdp", "bcdp") and (
                entry.get("proof") in ("witness", "parts", "bounds") or is_of_large_set(entry))
            for entry in items(self.entries, "claims", dict))

    def known(self, index):
        require(isinstance(index, Fraction) and index in range(len(self.claims)), f"there is no claim {index}")
        return int(index)

    def lines(self):
        """What is proved and what is not; every claim of the spec is in one of them. Throws Rejected."""
        told = {}
        for what, missing in (("no proof", self.without), ("undecided", self.undecided)):
            for entry in items(missing, "what is not proved", dict):
                index, _, reason = fields(entry, "what is not proved", "claim", "name", "reason")
                told.setdefault(self.known(index), []).append(f"{what}: {called(self.known(index), self.claims[int(index)])}: {printable(reason)}")
        seen = set()
        for entry in items(self.entries, "claims", dict):
            index = self.known(entry.get("claim"))
            require(index not in seen, f"claim {index} is there twice")
            seen.add(index)
            if self.only in (None, index):
                yield self.checked(index, entry)
        self.bind()  # with what was read meanwhile
        for index, lines in told.items():
            yield from lines
        for index in range(len(self.claims)):
            if index not in seen and index not in told:
                yield f"not in the certificate: {called(index, self.claims[index])}"

    def checked(self, index, entry):
        claim = self.claims[index]
        try:
            why = self.check(claim, entry)
        except Rejected as error:
            raise Rejected(f"claim {index}: {error}") from error
        return f"accepted: {called(index, claim)}: {claim['notion']} {entry['verdict']}, {why}"

    def check(self, claim, entry):
        """In words, what was done."""
        require(entry.get("notion") == claim["notion"] and entry.get("name") == claim.get("name", ""), "it is about another claim")
        verdict, proof = entry.get("verdict"), entry.get("proof", "for_all")
        require(proof in PROOFS, f"a proof that is not known: {proof}")
        require(verdict == "refuted" or verdict == self.holding(claim), f"a verdict that is not known: {verdict}")
        self.way = self.way_of(entry)
        if "queries" in entry:
            claim_symbols.answers(entry["queries"])
        return PROOFS[proof](self, claim, entry, verdict == "refuted")

    def holding(self, claim):
        """What is called that it holds: over a sample's priors only with a confidence."""
        stated = claim.get("for_all")
        stated = self.json["prior_sets"][stated] if isinstance(stated, str) else stated
        return "holds" if stated is None or stated["type"] != "sample" else "holds with confidence"


def at_random(number, seed):
    source = random.Random(seed)
    return lambda count: sorted(source.sample(range(count), min(count, number)))


def verdict(path, certificate, chosen=range, only=None, say=print, memory=None):
    """Says what is proved. 0 accepted, 1 rejected, 2 unreadable."""
    try:
        for line in Checker(path, read(certificate), chosen, only, memory).lines():
            say(line)
    except Rejected as error:
        say(f"rejected: {printable(error)}")
        return 1
    except (OSError, ValueError, TypeError, ArithmeticError, LookupError, AttributeError, AssertionError, RecursionError) as error:
        say(f"unreadable: {type(error).__name__}: {printable(error)}")
        return 2
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("spec")
    parser.add_argument("certificate")
    parser.add_argument("--ranges", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--claim", type=int)
    arguments = parser.parse_args()
    chosen = range if arguments.ranges is None else at_random(arguments.ranges, arguments.seed)
    return verdict(arguments.spec, arguments.certificate, chosen, arguments.claim)


if __name__ == "__main__":
    sys.exit(status_of(main))
