"""The kinds of proofs in a certificate of verdicts.

Each is a function of its checker (claim_certificates.Checker: spec, way, claims, without, bounds, chosen), the claim,
its entry and whether it is refuted. Raises Rejected; raises NotProved if the proof is not known to be wrong but does
not show the verdict. Otherwise returns a description of the proof."""
import re

from . import claim_arithmetic
from . import claim_blocks
from . import claim_large
from . import claim_large_sets
from . import claim_ranges
from . import claim_sets
from . import claim_symbols
from . import set_certificates
from .claim_compared import NOTIONS, compared_by
from .outcomes import NotProved, require
from .reference import ZERO, Spec
from .members import stated_of
from .strict_json import fields, items

SET_FIELDS = ("claim", "name", "for_all", "levels")
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
        spec = values_spec(checker, entry)
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


def values_spec(checker, entry):
    """The spec with the symbols at values within their ranges that refute the claim; at arbitrary values if none are
    given, since a claim refuted at these is refuted."""
    symbols = checker.json["symbols"]
    if "values" not in entry:
        return Spec(checker.path, claim_symbols.some_values(symbols))
    require(isinstance(entry["values"], dict) and all(isinstance(v, str) and len(v) < 1000 and re.fullmatch(r"-?[0-9]+([./][0-9]+)?", v) for v in entry["values"].values()), "values that are none")
    claim_symbols.require_in_range(symbols, entry["values"])
    return Spec(checker.path, entry["values"])


def by_ranges(checker, claim, entry, refuted):
    parts_of(entry, "proof", "levels")
    require("for_all" not in claim and claim["notion"] in NOTIONS and checker.way == "full", "ranges say nothing about that")
    spec = checker.spec
    claim_ranges.check_levels(spec, compared_by(spec, claim), entry["levels"], checker.chosen)
    if getattr(checker.chosen, "left_out", False):
        raise NotProved("only some ranges were checked (--ranges)")
    least = not claim.get("tight") or spec.is_least(claim)
    require(refuted != least, "a smaller level holds" if refuted is False else "no smaller level holds")
    return "a smaller level holds" if refuted else "range by range"


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
    require(not refuted and checker.way == "parts" and "for_all" not in claim, "parts say nothing about that")
    claim_large.check_parts(checker.spec, claim, entry["levels"])
    require("attained" not in entry or bool(claim.get("tight")), "the claim is not tight")
    if claim.get("tight"):
        claim_large.check_attained(checker.spec, claim, entry.get("attained", []))
    return "part by part"


def by_cases(checker, claim, entry, refuted):
    parts_of(entry, "proof")
    require(not refuted and checker.way == "blocks" and "for_all" not in claim, "cases say nothing about that")
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
        claim_symbols.refuted_at(claim, values_spec(checker, entry))
        return "at the values that are told"
    require("for_all" not in claim and "values" not in entry and checker.way == "full", "arithmetic says nothing about that")
    if claim["notion"] == "zcdp":
        require(not refuted, "a divergence without a witness")
    holds = claim_arithmetic.holds(checker.spec, claim)
    if holds and claim.get("tight"):
        holds = claim_arithmetic.is_least(checker.spec, claim)
    require(holds != refuted, "the spec says otherwise")
    return "by arithmetic"


def by_queries(checker, claim, entry, refuted):
    parts_of(entry, "proof")
    require("symbols" in checker.json and not refuted, "queries say nothing about that")
    missing = claim_symbols.proved(checker.path, claim)
    if missing is None:
        return "by polynomials"
    at = claim_symbols.counterexample(checker.path, claim)
    require(at is None, f"it does not hold at {at}")
    require("queries" in entry, f"no query, and it is not shown by polynomials: {missing}")
    raise NotProved(f"on the word of solvers ({claim_symbols.answers(entry['queries'], 'for_all' in claim and bool(claim.get('tight')))}; polynomials do not show it: {missing})")


def over_set(checker, claim, entry, refuted):
    parts_of(entry, "for_all", "levels", optional=("attained",))
    require(not refuted, "a proof of a claim that is said to be refuted")
    if checker.way != "full":
        return over_large_set(checker, claim, entry)
    own = {key: entry[key] for key in SET_FIELDS}
    set_certificates.check_claim(checker.spec, own, checker.claims)
    return with_attained(checker, claim, entry, lambda attained: claim_sets.check_attained(checker.spec, claim, attained))


def with_attained(checker, claim, entry, check):
    """For a tight claim; a level of 0 needs no evidence that it is attained."""
    told = {missing["claim"] for missing in checker.without}
    require("attained" not in entry or bool(claim.get("tight")), "the claim is not tight")
    if claim.get("tight") and "attained" not in entry and entry["claim"] in told:
        raise NotProved("for every prior of the set, but not that no smaller level does")
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
