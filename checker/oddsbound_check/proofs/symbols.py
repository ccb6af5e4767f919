"""Claims about all values of symbols, proved by polynomials from the spec alone. The queries of a certificate are not
used: if polynomials do not show a claim, only solvers' answers support it, and it counts as not proved.

**The claim holds.** For every pair of sides and every output, bound q - p >= 0 over the range of the symbols
(polynomials.py). With a delta, the positive parts of p - bound q are summed, for every combination of those with
unknown sign. A side given a label has p = P(output and label) / P(label), and is compared where P(label) > 0.

**The claim is tight** if also, for every value v of the symbols, each claimed level is the smallest one at v: it is 0, or
some pair and output has p(v) > 0 and p(v) = bound(v) q(v), where both sides of the pair have mass at v; for an infinite
level: p(v) > 0 and q(v) = 0. The identity p = bound q is not sufficient: both may vanish at v, or a side may lose its
mass. Let S be the sum of p P(from) P(to) over the outputs and pairs for which it holds identically. No summand is
negative, so the level is attained where S > 0. If S > 0 over the whole range, the claim is tight. If S > 0 inside the
range only, its ends remain (those that belong to it): a symbol is fixed at such an end, and the claim is proved for the
spec with one symbol less. Once all symbols are fixed, the level is compared with the true one. With a delta, a delta of
0 is the smallest possible; other values are not decided here.

**Sets of priors** (`for_all`). A claim holds for every prior of any set if it holds between every two inputs that have
the compared labels, since P(output | label) is a mean over the label's inputs. Only this is tried together with
symbols, and for a tight claim only if all levels are 0.
"""
import re
from fractions import Fraction
from itertools import combinations, product

from ..certificate import fields, items
from ..exact import INFINITE
from ..notions import NOTIONS, BetweenInputs, all_inputs, are_compared, compared_by, labeled
from ..outputs import row_of
from ..report import NotProved, Rejected, require, require_feasible
from ..spec import read_spec
from .brute_force import Measure

LONGEST_QUERY = 10**7
MOST_SYMBOLS = 4  # whose ends are checked one by one
MOST_UNSURE = 8  # excesses that may have either sign
RATIONAL = re.compile(r"-?[0-9]+([./][0-9]+)?")


def again(spec, claim, values):
    """The same spec and claim with values of the symbols."""
    found = read_spec(spec.path, values)
    require((found.digest, found.opened) == (spec.digest, spec.opened), "the spec was changed while it was checked")
    return found, found.claim_of(claim.json)


def room(spec, p, bound, q):
    """bound q - p, as a function even if it contains no symbol."""
    return spec.ring.of(0) + bound * q - p


def pairs_of(spec, one):
    """(from, to, row of from, row of to) of all that is compared."""
    return [(a, b, row_of(spec, a), row_of(spec, b)) for first, second in one.groups() for a in first for b in second if a.label != b.label]


def holds_by_output(spec, one, pairs):
    done = set()
    for _, _, p_row, q_row in pairs:
        for p, q in zip(p_row, q_row):
            if (id(p), id(q)) not in done and p != 0 and not room(spec, p, one.bound, q).is_never_negative():
                return False
            done.add((id(p), id(q)))
    return True


def holds_in_sum(spec, one, pairs):
    """The sum of all positive p - bound q is at most delta, whichever these are."""
    for _, _, p_row, q_row in pairs:
        certain, unsure = spec.ring.of(0), []
        for p, q in zip(p_row, q_row):
            excess = -room(spec, p, one.bound, q)
            if (-excess).is_never_negative():
                continue
            if excess.is_never_negative():
                certain = certain + excess
            else:
                unsure.append(excess)
        if len(unsure) > MOST_UNSURE:
            return False
        for count in range(len(unsure) + 1):
            for chosen in combinations(unsure, count):
                if not (one.delta - sum(chosen, certain)).is_never_negative():
                    return False
    return True


def is_attained(spec, one, pairs):
    """True: over the whole range; None: inside it, maybe not at its ends; otherwise False."""
    if one.bound is not INFINITE and one.bound == 1:
        return True
    total, seen = spec.ring.of(0), set()
    for a, b, p_row, q_row in pairs:
        for p, q in zip(p_row, q_row):
            if (id(p), id(q), id(a), id(b)) not in seen and p != 0 and (q == 0 if one.bound is INFINITE else p == one.bound * q):
                total = total + p * a.mass * b.mass
            seen.add((id(p), id(q), id(a), id(b)))
    if total.is_positive():
        return True
    return None if total.is_positive([own.inside() for own in spec.box]) else False


def slack(spec, claim, compared):
    """The reason why tightness is not shown, or None. compared: (comparison, its pairs)."""
    if any(one.delta is not None for one, _ in compared):
        return None if all(one.delta == 0 for one, _ in compared) else "no delta above 0 is known to be the least one for all values"
    found = [is_attained(spec, one, pairs) for one, pairs in compared if Measure.must_be_attained(one)]
    if False in found:
        return "no output is known to attain the level for all values"
    if None not in found:
        return None
    if len(spec.free) > MOST_SYMBOLS:
        return "too many symbols"
    for name in spec.free:
        for end in spec.ranges[name].ends():
            missing = why_not(*again(spec, claim, {**spec.fixed, name: str(end)}))
            if missing is not None:
                return f"at {name} = {end}: {missing}"
    return None


def between_all_inputs(spec, claim):
    """The comparisons of a claim over an unknown set of priors: every two inputs of two labels."""
    def of(about, bound, labels_of):
        def has(x, z):
            return any(are_compared(claim.may, a, b) for a in labels_of(x) for b in labels_of(z))
        inputs = all_inputs(spec)
        return BetweenInputs(spec, about, bound, lambda: (([x], [z]) for x in inputs for z in inputs if has(x, z)), has)
    return [of(*level) for level in labeled(spec, claim)]


def why_not(spec, claim):
    """The reason why the claim is not shown for all values of the free symbols, or None."""
    over_set = claim.for_all is not None
    if not spec.free:
        require_no_set(claim)
        return None if Measure(spec).obeys(claim) else "a smaller level holds"
    compared = [(one, pairs_of(spec, one)) for one in (between_all_inputs if over_set else compared_by)(spec, claim)]
    if over_set and claim.tight and not all(one.bound is not INFINITE and one.bound == 1 for one, _ in compared):
        return "a tight claim over a set of priors"
    for one, pairs in compared:
        if one.bound is not INFINITE and not (holds_by_output if one.delta is None or one.delta == 0 else holds_in_sum)(spec, one, pairs):
            return "coefficients of both signs" + (" between inputs, whatever the prior" if over_set else "")
    return slack(spec, claim, compared) if claim.tight else None


def check(spec, claim, queries):
    """Proves a claim for all values from the spec; queries: those of the certificate."""
    try:
        require_compared(claim)
        missing = why_not(spec, claim)
    except (NotProved, ArithmeticError, ValueError, TypeError, KeyError) as error:
        missing = str(error) or type(error).__name__
    if missing is None:
        return "by polynomials"
    at = counterexample(spec, claim)
    require(at is None, f"it does not hold at {at}")
    require(queries is not None, f"no query, and it is not shown by polynomials: {missing}")
    said = answers(queries, claim.for_all is not None and claim.tight)
    raise NotProved(f"on the word of solvers ({said}; polynomials do not show it: {missing})")


# The claim is refuted at some values.

def require_compared(claim):
    require_feasible(claim.notion in NOTIONS, f"a claim about {claim.notion} for all values of symbols")


def require_no_set(claim):
    require_feasible(claim.for_all is None, "symbols together with a set of priors (for_all)")
    require_compared(claim)


def at_values(spec, claim, values):
    """The spec and the claim at values of the symbols; at any if none are given: a claim refuted at these is refuted."""
    if values is None:
        return again(spec, claim, {name: str(samples_of(own)[0]) for name, own in spec.ranges.items()})
    require(isinstance(values, dict) and set(values) == set(spec.ranges), "values of other symbols")
    require(all(isinstance(v, str) and len(v) < 1000 and RATIONAL.fullmatch(v) for v in values.values()), "values that are none")
    for name, own in spec.ranges.items():
        require(own.contains(Fraction(values[name])), f"{name} is out of range")
    return again(spec, claim, values)


def check_refuted(spec, claim, values):
    require_no_set(claim)
    spec, claim = at_values(spec, claim, values)
    require(not Measure(spec).obeys(claim), "it holds at these values")
    return "at the given values"


def samples_of(own):
    """Some values of a symbol: some inside its range, and its ends if they belong to it."""
    if own.low is None and own.high is None:
        return [Fraction(1), Fraction(-7)]
    if own.low is None or own.high is None:
        return [own.low + 1, own.low + 7, *own.ends()] if own.high is None else [own.high - 1, own.high - 7, *own.ends()]
    return [(own.low + own.high) / 2, own.low + (own.high - own.low) / 7, *own.ends()]


def counterexample(spec, claim):
    """Values at which the claim does not hold, among a few; None if there are none, or they cannot be tried."""
    if len(spec.ranges) > MOST_SYMBOLS or claim.for_all is not None:
        return None
    for values in product(*map(samples_of, spec.ranges.values())):
        try:
            at = {name: str(value) for name, value in zip(spec.ranges, values)}
            own, claim_there = again(spec, claim, at)
            if not Measure(own).obeys(claim_there):
                return ", ".join(f"{name} = {value}" for name, value in at.items())
        except (NotProved, Rejected, ArithmeticError, ValueError, TypeError, LookupError):
            return None
    return None


# Answers of solvers.

def asked(queries):
    """{name: (Z3's answer, cvc5's)}. A query may be repeated with exponentials enclosed more closely: its last answer
    counts. The queries are not compared with the spec."""
    last = {}
    for query in items(queries, "queries", dict):
        name, text, first, second = fields(query, "a query", "name", "text", "z3", optional=("cvc5",))
        require(isinstance(text, str) and len(text) < LONGEST_QUERY and "(check-sat)" in text, "a query that asks nothing")
        require(first in ("sat", "unsat", "unknown") and (second is None or isinstance(second, str)), "no answer of a solver")
        last[str(name)] = first, second
    require(last, "no query")
    return last


def answers(queries, attained=False):
    """A description of the answers to the queries of a claim that holds. Only `unsat` supports it, except that a tight
    claim over a set (`attained`) also asks whether a prior attains its level, where `sat` does."""
    said = set()
    for name, (first, second) in asked(queries).items():
        require(first == "unsat" or attained and first == "sat", f"query {name}: Z3 says {first}, which does not support the claim")
        require(second not in {"sat", "unsat"} - {first}, f"query {name}: cvc5 says {second}, which contradicts the claim")
        said.add(f"Z3 {first}" + (f", cvc5 {first}" if second == first else ", cvc5 without an answer" if second else ""))
    require(any(text.startswith("Z3 unsat") for text in said), "no query says that the level is not exceeded")
    return "; ".join(sorted(said))
