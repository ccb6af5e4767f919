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
import claim_arithmetic  # noqa: E402
import claim_blocks  # noqa: E402
import claim_large  # noqa: E402
import claim_large_sets  # noqa: E402
import claim_ranges  # noqa: E402
import claim_sets  # noqa: E402
import claim_symbols  # noqa: E402
import set_certificates  # noqa: E402
from claim_compared import NOTIONS, compared_by  # noqa: E402
from parts import Parts  # noqa: E402
from reference import ZERO, Spec, load  # noqa: E402
from sets import stated_of  # noqa: E402
from set_certificates import called, printable  # noqa: E402
from strict_json import Rejected, fields, items, read, require, status_of  # noqa: E402
from tables import domain_of  # noqa: E402

FORMAT = 1
MOST_INPUTS = 10**6
MOST_CELLS = 2**22
SET_FIELDS = ("claim", "name", "for_all", "levels")


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
        head, kind, version, _, _, self.files, name, self.without, self.undecided, self.entries, self.bounds = fields(
            document, "the certificate", "oddsbound", "certificate", "format", "tool", "file", "files", "spec", "without", "undecided",
            "claims", optional=("bounds",))
        require(head == 1 and kind == "claims", "no certificate of verdicts")
        require(version == FORMAT, f"a format that is not known: {version}")
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
        for path in () if "symbols" in self.json else sorted(self.spec.opened):
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


KEYS = ("claim", "name", "notion", "verdict")


def parts_of(entry, *names, optional=()):
    """The fields of a proof."""
    fields(entry, "a claim", *KEYS, *names, optional=(*optional, "queries"))


def by_witness(checker, claim, entry, refuted):
    parts_of(entry, "proof", "witness", optional=("values",))
    require(refuted, "a witness of a claim that is said to hold")
    witness = entry["witness"]
    require(isinstance(witness, dict), "the witness is no object")
    if "symbols" in checker.json:
        spec = values_spec(checker, claim, entry)
    else:
        require("values" not in entry, "values of symbols that there are not")
        spec = checker.spec
    if "for_all" in claim:
        if checker.way != "full":
            claim_large_sets.check_refuted(spec, claim, witness, stated_of(spec, claim))
        else:
            claim_sets.check_refuted(spec, claim, witness)
        return "by a prior of the set"
    if claim["notion"] == "zcdp":
        claim_arithmetic.check_divergence(spec, claim, witness)
    elif checker.way == "blocks":
        claim_blocks.check_witness(spec, claim, witness)
    elif checker.way != "full":
        claim_large.check_witness(spec, claim, witness)
    else:
        claim_ranges.check_witness(spec, compared_by(spec, claim), witness)
    return "by its witness"


def values_spec(checker, claim, entry):
    """The spec where the symbols have the values that refute the claim."""
    require(isinstance(entry.get("values"), dict) and all(isinstance(v, str) and len(v) < 1000 for v in entry["values"].values()), "values that are none")
    spec = Spec(checker.path, entry["values"])
    claim_symbols.refuted_at(checker.path, claim, entry["values"], spec)
    return spec


def by_ranges(checker, claim, entry, refuted):
    parts_of(entry, "proof", "levels")
    require("for_all" not in claim and claim["notion"] in NOTIONS and checker.way == "full", "ranges say nothing about that")
    spec = checker.spec
    claim_ranges.check_levels(spec, compared_by(spec, claim), entry["levels"], checker.chosen)
    least = not claim.get("tight") or spec.is_least(claim)
    require(refuted != least, "a smaller level holds" if refuted is False else "no smaller level holds")
    return "a smaller level holds" if refuted else "range by range" if checker.chosen is range else "in ranges at random"


def by_kernel(checker, claim, entry, refuted):
    parts_of(entry, "proof", "kernel")
    require(claim["notion"] == "post_processing_of" and not refuted, "a kernel of another claim")
    spec = checker.spec
    _, other = spec.mechanism(claim["of"], spec.domain)
    kernel = matrix(entry["kernel"], len(other[0]), len(spec.rows[0]))
    require(all(min(row) >= 0 and sum(row, ZERO) == 1 for row in kernel), "rows of the kernel that are no distributions")
    for own, given in zip(spec.rows, other):
        made = [sum((given[y] * kernel[y][z] for y in range(len(kernel))), ZERO) for z in range(len(own))]
        require(made == list(own), "the kernel makes other rows")
    return "by a kernel"


def by_gain(checker, claim, entry, refuted):
    parts_of(entry, "proof", "gain")
    require(claim["notion"] == "post_processing_of" and refuted, "a gain function of another claim")
    spec = checker.spec
    _, other = spec.mechanism(claim["of"], spec.domain)
    gain = matrix(entry["gain"], len(spec.rows), len(spec.rows[0]))
    inputs, outputs = range(len(gain)), range(len(spec.rows[0]))
    value = sum((gain[x][z] * spec.rows[x][z] for x in inputs for z in outputs), ZERO)
    best = sum((max(sum((gain[x][z] * other[x][y] for x in inputs), ZERO) for z in outputs) for y in range(len(other[0]))), ZERO)
    require(value > best, "the other mechanism is worth as much")
    return "by a gain function"


def matrix(value, rows, columns):
    require(len(items(value, "a matrix", list)) == rows and all(len(row) == columns for row in value), "a matrix of another size")
    return [[claim_ranges.exact_number(cell, "a cell") for cell in row] for row in value]


def by_parts(checker, claim, entry, refuted):
    parts_of(entry, "proof", "levels", optional=("attained",))
    require(not refuted and checker.way == "parts", "parts say nothing about that")
    claim_large.check_parts(checker.spec, claim, entry["levels"])
    require(("attained" in entry) == bool(claim.get("tight")), "what attains the levels: there if the claim is tight, and not else")
    if claim.get("tight"):
        claim_large.check_attained(checker.spec, claim, entry["attained"])
    return "part by part"


def by_cases(checker, claim, entry, refuted):
    parts_of(entry, "proof")
    require(not refuted and checker.way == "blocks", "cases say nothing about that")
    claim_blocks.check_cases(checker.spec, claim)
    return "block by block"


def by_bounds(checker, claim, entry, refuted):
    parts_of(entry, "proof")
    require(not refuted and checker.way == "parts" and not claim.get("tight"), "bounds say nothing about that")
    claim_large.check_bounds(checker.spec, claim, checker.bounds)
    return "by the bounds of a search"


def by_arithmetic(checker, claim, entry, refuted):
    parts_of(entry, "proof", optional=("values",))
    if "symbols" in checker.json:
        require(refuted, "nothing was proved for all values")
        values_spec(checker, claim, entry)
        return "at the values that are told"
    require("for_all" not in claim and "values" not in entry and checker.way == "full", "arithmetic says nothing about that")
    if claim["notion"] == "zcdp":
        require(not refuted, "a divergence without a witness")
    holds = claim_arithmetic.holds(checker.spec, claim)
    least = not claim.get("tight") or (holds and checker.spec.is_least(claim))
    require((holds and least) != refuted, "the spec says otherwise")
    return "by arithmetic"


def by_queries(checker, claim, entry, refuted):
    parts_of(entry, "proof")
    require("symbols" in checker.json and not refuted, "queries say nothing about that")
    missing = claim_symbols.proved(checker.path, claim)
    if missing is None:
        return "by polynomials"
    require("queries" in entry, f"no query, and polynomials do not show it: {missing}")
    return f"on the word of solvers ({claim_symbols.answers(entry['queries'])}; polynomials do not show it: {missing})"


def over_set(checker, claim, entry, refuted):
    parts_of(entry, "for_all", "levels", optional=("attained",))
    require(not refuted, "a proof of a claim that is said to be refuted")
    if checker.way != "full":
        return over_large_set(checker, claim, entry)
    own = {key: entry[key] for key in SET_FIELDS}
    set_certificates.check_claim(checker.spec, own, checker.claims)
    return with_attained(checker, claim, entry, lambda attained: claim_sets.check_attained(checker.spec, claim, attained))


def with_attained(checker, claim, entry, check):
    """Of a tight claim; a level of 0 needs nothing that attains it."""
    told = {missing["claim"] for missing in checker.without}
    require("attained" not in entry or bool(claim.get("tight")), "the claim is not tight")
    if claim.get("tight") and "attained" not in entry and entry["claim"] in told:
        return "for every prior of the set, but not that no smaller level does"
    if claim.get("tight"):
        check(entry.get("attained", []))
    return "for every prior of the set"


def over_large_set(checker, claim, entry):
    spec, stated = checker.spec, stated_of(checker.spec, claim)
    require(checker.way == "parts", "sets of priors are not read here")
    claim_large_sets.check_holds(spec, claim, entry["levels"], stated)
    return with_attained(checker, claim, entry, lambda attained: claim_large_sets.check_attained(spec, claim, attained, stated))


PROOFS = {"witness": by_witness, "ranges": by_ranges, "kernel": by_kernel, "gain": by_gain, "parts": by_parts, "cases": by_cases, "bounds": by_bounds,
          "arithmetic": by_arithmetic, "queries": by_queries, "for_all": over_set}


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
