"""A certificate of a spec's verdicts: binds it to the spec's files, and checks each of its claims."""
import os
from contextlib import nullcontext
from typing import Any, Container, ContextManager, Iterator, Optional

from .certificate import fields, items, whole
from .claims import Claim
from .proofs import (averages, brute_force, by_losses, divergences, gaussian, kl, lifts, parts, post_processing, protected, ratios, renyi, shuffled,
                     symbols, witness)
from .report import ACCEPTED, NOT_AS_EXPECTED, NOT_PROVED, REJECTED, Line, NotProved, OutOfTime, failed, require
from .sets import claims as sets
from .spec import Spec, read_spec

FORMAT = 1
AVERAGES = {"information": averages.information_obeys, "bayes_leakage": averages.leakage_obeys,
            "maximal_leakage": averages.maximal_leakage_obeys, "zcdp": divergences.obeys, "renyi_dp": renyi.obeys, "gaussian_dp": gaussian.obeys,
            "bounded_range": ratios.range_obeys, "probabilistic_dp": ratios.tail_obeys, "f_dp": ratios.curve_obeys,
            "approximate_zcdp": divergences.obeys, "renyi_bcdp": renyi.obeys, "tail of lifts": lifts.tail_obeys,
            "utility_optimized_ldp": protected.obeys, "kl_dp": kl.obeys}
WITNESSES = {"zcdp": divergences.check_witness, "renyi_dp": renyi.check_witness, "gaussian_dp": gaussian.check_witness,
             "bounded_range": ratios.check_range, "probabilistic_dp": ratios.check_tail, "f_dp": ratios.check_test,
             "approximate_zcdp": divergences.check_approximate, "renyi_bcdp": renyi.check_witness, "tail of lifts": lifts.check_tail,
             "utility_optimized_ldp": protected.check_witness, "kl_dp": kl.check_witness}


def kind_of(claim: Claim) -> str:
    return "tail of lifts" if claim.of_tail else claim.notion


class Verdicts:
    """The certificate of one spec."""

    def __init__(self, spec: Spec, document: Any) -> None:
        self.spec = spec
        self.measure: Optional[brute_force.Measure] = None
        head, kind, version, _, _, self.files, name, self.without, self.undecided, self.entries, self.bounds, confidential = fields(
            document, "the certificate", "oddsbound", "certificate", "format", "tool", "file", "files", "spec", "without", "undecided",
            "claims", optional=("bounds", "confidential"))
        require(head == 1 and kind == "claims", "no certificate of verdicts")
        require(version == FORMAT, f"a format that is not known: {version}")
        require(confidential in (None, True), "'confidential' is true, or left out")
        require(name == spec.name, f"a certificate of {name}")
        self.bind()

    def bind(self) -> None:
        """The certificate must be of the current files: of the spec, and of all others that the spec is read from."""
        listed = [fields(entry, "a file", "file", "sha256")[1] for entry in items(self.files, "files", dict)]
        require(listed and listed[0] == self.spec.digest, "it is a certificate of another spec: the spec's SHA-256 is not the one it names")
        for path, own in sorted(self.spec.opened.items()):
            require(own in listed, f"it was made with another {os.path.basename(path)}: its SHA-256 is not among those it names")

    def about(self, index: int) -> str:
        name = self.spec.claims[index].name
        return f"claim {index}{f' ({name})' if name else ''}"

    def lines(self, only: Optional[Container[int]] = None, limit: Optional[ContextManager[Any]] = None) -> Iterator[Line]:
        """Yields at least one line for every claim of the spec (only: for these). limit: a context for each claim."""
        missing, seen = dict[int, list[str]](), set[int]()
        for what, listed in (("", self.without), ("undecided: ", self.undecided)):
            for entry in items(listed, "what is not proved", dict):
                index, _, reason = fields(entry, "what is not proved", "claim", "name", "reason")
                missing.setdefault(whole(index, len(self.spec.claims), "claim"), []).append(f"{what}{reason}")
        for entry in items(self.entries, "claims", dict):
            index = whole(entry.get("claim"), len(self.spec.claims), "claim")
            require(index not in seen, f"claim {index} is there twice")
            seen.add(index)
        for entry in self.entries:
            if only is None or entry["claim"] in only:
                yield self.checked(int(entry["claim"]), entry, limit)
        for index in range(len(self.spec.claims)):
            if only is None or index in only:
                for reason in missing.get(index, [] if index in seen else ["it is not in the certificate"]):
                    yield Line(NOT_PROVED, self.about(index), reason, index)
        if not self.spec.claims:
            yield Line(NOT_PROVED, "", "the spec has no claims")

    def checked(self, index: int, entry: dict[str, Any], limit: Optional[ContextManager[Any]] = None) -> Line:
        claim, about = self.spec.claims[index], self.about(index)
        try:
            with limit or nullcontext():
                why = self.check(claim, entry)
        except NotProved as error:
            return Line(NOT_PROVED, about, f"{claim.notion} {entry['verdict']}, {error}", index)
        except BrokenPipeError:
            raise
        except OutOfTime as error:
            self.spec, self.measure = read_spec(self.spec.path), None  # what was begun may be left half done
            self.bind()
            return failed(error, about, index)
        except Exception as error:  # whatever a hostile certificate makes of a proof
            return failed(error, about, index)
        if (entry["verdict"] == "refuted") != claim.refuted:
            expected = "refuted" if claim.refuted else "holds"
            return Line(REJECTED, about, f"{claim.notion} {entry['verdict']} is proved, and the spec expects '{expected}'", index, NOT_AS_EXPECTED)
        return Line(ACCEPTED, about, f"{claim.notion} {entry['verdict']}, {why}", index)

    def check(self, claim: Claim, entry: dict[str, Any]) -> str:
        """A description of the proof. Raises Rejected and NotProved."""
        verdict, proof = entry.get("verdict"), entry.get("proof", "for_all")
        require(entry.get("notion") == claim.notion and entry.get("name") == claim.name, "it is about another claim")
        require(isinstance(proof, str) and proof in PROOFS, f"a proof that is not known: {str(proof)[:40]}")
        # Over a sample's priors a claim holds only with a confidence.
        holds = "holds with confidence" if claim.for_all and claim.for_all.kind == "sample" else "holds"
        require(verdict in ("refuted", holds), f"a verdict that is not known: {str(verdict)[:40]}")
        needed, optional, verdicts, over_sets, check = PROOFS[proof]
        require((verdict == "refuted") in verdicts, "a proof of the other verdict")
        require(claim.for_all is None or over_sets, "a proof that says nothing about sets of priors")
        fields(entry, "a claim", "claim", "name", "notion", "verdict", *needed, optional=(*optional, "queries"))
        if "queries" in entry:
            symbols.asked(entry["queries"])
        require("for_all" not in entry or claim.for_all is not None, "the claim is not over a set of priors")
        require("attained" not in entry or (claim.tight and verdict != "refuted"), "the claim is not tight")
        require(proof == "arithmetic" or not self.spec.shuffled, "a proof that says nothing about shuffled reports")
        require(proof == "queries" or not self.spec.free or verdict == "refuted", "nothing was proved for all values")
        require(self.spec.free or "values" not in entry, "values of symbols that there are not")
        return check(self, claim, entry, verdict == "refuted")

    def by_witness(self, claim: Claim, entry: dict[str, Any], _refuted: bool) -> str:
        require(isinstance(entry["witness"], dict), "the witness is no object")
        spec, claim = symbols.at_values(self.spec, claim, entry.get("values")) if self.spec.free else (self.spec, claim)
        kind = sets.check_refuted if claim.for_all else WITNESSES.get(kind_of(claim), witness.check)
        return kind(spec, claim, entry["witness"])

    def by_arithmetic(self, claim: Claim, entry: dict[str, Any], refuted: bool) -> str:
        """By the spec alone; what else the certificate has is not needed."""
        require(claim.for_all is None or self.spec.free, "arithmetic says nothing about sets of priors")
        if self.spec.free:
            return symbols.check_refuted(self.spec, claim, entry.get("values"))
        if self.spec.shuffled:
            require(shuffled.obeys(self.spec, claim) != refuted, "the spec says otherwise")
            return "by brute force"
        if kind_of(claim) in AVERAGES:
            require(claim.notion != "zcdp" or not refuted, "a divergence without a witness")
            require(AVERAGES[kind_of(claim)](self.spec, claim) != refuted, "the spec says otherwise")
            return "by arithmetic"
        self.measure = self.measure or brute_force.Measure(self.spec)
        require(self.measure.obeys(claim) != refuted, "the spec says otherwise")
        return "by brute force"

    def by_classes(self, claim: Claim, entry: dict[str, Any], refuted: bool) -> str:
        if claim.notion in ("information", "bayes_leakage", "maximal_leakage"):
            require("witness" not in entry, "a witness of an average")
            return averages.check_classes(self.spec, claim, refuted)
        return by_losses.check(self.spec, claim, entry.get("witness"), refuted, by_classes=True)

    def by_queries(self, claim: Claim, entry: dict[str, Any], _refuted: bool) -> str:
        require(self.spec.free, "queries say nothing about that")
        return symbols.check(self.spec, claim, entry.get("queries"))

    def over_set(self, claim: Claim, entry: dict[str, Any], _refuted: bool) -> str:
        require(isinstance(entry["for_all"], str), "a set of priors without a name")
        why = sets.check_holds(self.spec, claim, entry["levels"])
        if claim.tight:
            if "attained" not in entry and any(missing.get("claim") == entry["claim"] for missing in self.without):
                raise NotProved(f"{why}, but not that no smaller level does")
            sets.check_attained(self.spec, claim, entry.get("attained", []))
        return why


# {word: (fields that a proof has, fields that it may have, verdicts that it may prove, whether it may be over a set of priors, check)}.
HOLDS, REFUTED = False, True
PROOFS = {
    "witness": (("proof", "witness"), ("values",), (REFUTED,), True, Verdicts.by_witness),
    "arithmetic": (("proof",), ("values",), (HOLDS, REFUTED), True, Verdicts.by_arithmetic),
    "ranges": (("proof", "levels"), (), (HOLDS, REFUTED), True, Verdicts.by_arithmetic),
    "parts": (("proof", "levels"), ("attained",), (HOLDS,), False, lambda self, claim, entry, _: parts.check_parts(self.spec, claim, entry.get("attained", []))),
    "cases": (("proof",), (), (HOLDS,), False, lambda self, claim, entry, _: parts.check_cases(self.spec, claim)),
    "bounds": (("proof",), (), (HOLDS,), False, lambda self, claim, entry, _: parts.check_bounds(self.spec, claim, self.bounds)),
    "losses": (("proof",), ("witness",), (HOLDS, REFUTED), False,
               lambda self, claim, entry, refuted: by_losses.check(self.spec, claim, entry.get("witness"), refuted)),
    "classes": (("proof",), ("witness",), (HOLDS, REFUTED), False,
                Verdicts.by_classes),
    "kernel": (("proof", "kernel"), (), (HOLDS,), False, lambda self, claim, entry, _: post_processing.by_kernel(self.spec, claim, entry["kernel"])),
    "gain": (("proof", "gain"), (), (REFUTED,), False, lambda self, claim, entry, _: post_processing.by_gain(self.spec, claim, entry["gain"])),
    "queries": (("proof",), (), (HOLDS,), True, Verdicts.by_queries),
    "for_all": (("for_all", "levels"), ("attained",), (HOLDS,), True, Verdicts.over_set),
}
