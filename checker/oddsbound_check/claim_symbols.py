"""Claims about all values of symbols, proved by polynomials from the spec alone. The queries of a certificate are not
used: if polynomials do not show a claim, only two solvers' answers support it, and it counts as not proved.

**The claim holds.** For every pair of sides and every output, e^level q - p >= 0 over the range of the symbols
(polynomials.py). With a delta, the positive parts of p - e^level q are summed, for every combination of those with
unknown sign. A side given a label has p = P(output and label) / P(label), and is compared where P(label) > 0.

**The claim is tight** if also, for every value v of the symbols, each claimed level is the smallest one at v. A level
is the largest loss among its pairs, and 0 if no pair is compared or nothing is lost. So for every v

    level(v) = 0, or some pair and output has p(v) > 0 and p(v) = e^level(v) q(v), where both sides of the pair have
    mass at v; for an infinite level: p(v) > 0 and q(v) = 0.

The identity p = e^level q is not sufficient: both may vanish at v, or a side may lose its mass. Let S be the sum of
p P(from) P(to) over the outputs and pairs for which it holds identically. No summand is negative, so the level is
attained where S > 0. If S > 0 over the whole range, the claim is tight. If S > 0 inside the range only, its ends remain
(those that belong to it): a symbol is fixed at such an end, and the claim is proved for the spec with one symbol less.
Once all symbols are fixed, the level is compared with the true one. Zeros of S inside the range are not searched for;
such a claim stays unproved.

An infinite level is never the bound of a claim that holds; it matters for tightness only. With a delta, delta must be
attained: a delta of 0 is the smallest possible; other values are not decided here.

**Sets of priors** (`for_all`). A claim holds for every prior of any set if it holds between every two inputs that have
the compared labels, since P(output | label) is a mean over the label's inputs. Only this is tried together with
symbols, and for a tight claim only if all levels are 0. A prior of the set at values of the symbols refutes a claim by
itself (claim_sets.py).
"""
from fractions import Fraction
from itertools import combinations, product

from . import set_certificates
from .claim_compared import NOTIONS, Compared, compared_by
from .exact import INFINITE
from .expression import Value, number
from .outcomes import NotProved, Rejected, require
from .polynomials import Quotient, Range
from .reference import Spec
from .strict_json import fields, items

LONGEST_QUERY = 10**7
MOST_SYMBOLS = 4  # whose ends are checked one by one
MOST_UNSURE = 8  # excesses that may have either sign


class SymbolicSpec(Spec):
    """The same reader, with functions of symbols as numbers. fixed: {symbol: text} of the symbols that have a value."""

    def __init__(self, path, fixed=None):
        self.fixed = fixed or {}
        super().__init__(path, self.fixed)

    def parameters(self, texts):
        names = Spec.parameters(texts)
        self.free = [name for name in self.json["symbols"] if name not in self.fixed]
        for k, name in enumerate(self.free):
            symbol = Quotient.symbol(k, len(self.free))
            names[name] = Value(-symbol if is_mirrored(self.json["symbols"][name]) else symbol)
        return names

    @property
    def box(self):
        return [range_of(self.json["symbols"][name]) for name in self.free]


def is_mirrored(limits):
    """Unbounded below: its negative has a lower end."""
    return "ge" not in limits and "gt" not in limits


def range_of(limits):
    """The range of a symbol, or of its negative."""
    low, high = (next((number(limits[key]) for key in keys if key in limits), None) for keys in (("ge", "gt"), ("le", "lt")))
    if low is None and high is None:
        raise NotProved("a symbol without any end")
    own = Range(low, high, "ge" in limits, "le" in limits)
    return Range(-high, None, own.has_high, False) if is_mirrored(limits) else own


def require_readable(claim):
    """Rejects parts of a claim that are not supported together with symbols."""
    if "for_all" in claim:
        raise NotProved("symbols together with a set of priors (for_all)")
    require_notion(claim)


def require_notion(claim):
    if claim["notion"] not in NOTIONS:
        raise NotProved(f"a claim about {claim['notion']} for all values of symbols")


# The claim holds.

def pairs_of(one):
    """(from, to, row of from, row of to)."""
    return [(a, b, one.sides[a], one.sides[b]) for a, b in one.pairs]


def room(p, bound, q, box):
    """bound q - p, as a function even if it contains no symbol."""
    return Quotient.symbol(0, len(box)).like(0) + bound * q - p


def holds_by_output(one, box):
    done = set()
    for _, _, p_row, q_row in pairs_of(one):
        for p, q in zip(p_row, q_row):
            if p != 0 and (id(p), id(q)) not in done and not room(p, one.bound, q, box).is_never_negative(box):
                return False
            done.add((id(p), id(q)))
    return True


def holds_in_sum(one, box):
    """The sum of all positive p - bound q is at most delta, whichever these are."""
    for _, _, p_row, q_row in pairs_of(one):
        certain, unsure = room(0, 1, 0, box), []
        for p, q in zip(p_row, q_row):
            excess = -room(p, one.bound, q, box)
            if (-excess).is_never_negative(box):
                continue
            if excess.is_never_negative(box):
                certain = certain + excess
            else:
                unsure.append(excess)
        if len(unsure) > MOST_UNSURE:
            return False
        for count in range(len(unsure) + 1):
            for chosen in combinations(unsure, count):
                if not (one.delta - sum(chosen, certain)).is_never_negative(box):
                    return False
    return True


# The claim is tight.

def levels_to_attain(claim, compared):
    """(bound, mass of a side, pairs) of every claimed level: for a matrix one per pair, for others one for all
    pairs."""
    if claim["notion"] == "context_ldp":
        return [(one.bound, one.mass, [pair]) for one in compared if one.bound is not INFINITE for pair in pairs_of(one)]
    return [(one.bound, one.mass, pairs_of(one)) for one in compared if one.claimed]


def attains(p, bound, q):
    """Identically, wherever p is above 0."""
    if p == 0:
        return False
    return q == 0 if bound is INFINITE else p == bound * q


def sum_of_attained(bound, mass, pairs, box):
    """S, as defined above."""
    total, seen = room(0, 1, 0, box), set()
    for a, b, p_row, q_row in pairs:
        for p, q in zip(p_row, q_row):
            if (id(p), id(q), a, b) not in seen and attains(p, bound, q):
                total = total + p * mass(a) * mass(b)
            seen.add((id(p), id(q), a, b))
    return total


def is_attained(bound, mass, pairs, box):
    """True: over the whole range; None: inside it, maybe not at its ends; otherwise False."""
    if bound is not INFINITE and bound == 1:
        return True
    attained = sum_of_attained(bound, mass, pairs, box)
    if attained.is_positive(box):
        return True
    return None if attained.is_positive([own.inside() for own in box]) else False


def between_all_inputs(spec, claim):
    """The comparisons of a claim over an unknown set of priors: every two inputs of two labels."""
    found, sides = [], {k: row for k, row in enumerate(spec.rows)}
    for about, groups, bound in set_certificates.levels_of(spec, claim):
        labels = list(groups)
        pairs = [(x, z) for a, b in set_certificates.compared(claim, labels) for x in groups[labels[a]] for z in groups[labels[b]]]
        found.append(Compared(about, bound, sides, pairs))
    return found


def slack(path, claim, spec, compared):
    """The reason why tightness is not shown, or None."""
    if any(one.delta is not None for one in compared):
        # The smallest delta is 0.
        return None if all(one.delta == 0 for one in compared) else "no delta above 0 is known to be the least one for all values"
    found = [is_attained(*level, spec.box) for level in levels_to_attain(claim, compared)]
    if False in found:
        return "no output is known to attain the level for all values"
    if None not in found:
        return None
    if len(spec.free) > MOST_SYMBOLS:
        return "too many symbols"
    for name in spec.free:
        limits = spec.json["symbols"][name]
        for end in (limits[key] for key in ("ge", "le") if key in limits):
            missing = why_not(path, claim, {**spec.fixed, name: end})
            if missing is not None:
                return f"at {name} = {end}: {missing}"
    return None


def why_not(path, claim, fixed):
    """The reason why the claim is not shown with some symbols fixed, or None."""
    spec = SymbolicSpec(path, fixed)
    if not spec.free:
        require_readable(claim)
        return None if holds_at(spec, claim) else "a smaller level holds"
    over_set = "for_all" in claim
    compared = between_all_inputs(spec, claim) if over_set else compared_by(spec, claim)
    if over_set and claim.get("tight") and not all(one.bound is not INFINITE and one.bound == 1 for one in compared):
        return "a tight claim over a set of priors"
    for one in compared:
        if one.bound is not INFINITE and not (holds_by_output if one.delta is None or one.delta == 0 else holds_in_sum)(one, spec.box):
            return "coefficients of both signs" + (" between inputs, whatever the prior" if over_set else "")
    return slack(path, claim, spec, compared) if claim.get("tight") else None


def proved(path, claim):
    """None if polynomials prove it from the claim's definition; otherwise the reason why not."""
    try:
        require_notion(claim)
        return why_not(path, claim, {})
    except (NotProved, ArithmeticError, AssertionError, TypeError, KeyError) as error:
        return str(error) or type(error).__name__


# The claim is refuted.

def holds_at(spec, claim):
    """For a spec without free symbols: the claim, including tightness."""
    return spec.holds(claim) and (not claim.get("tight") or spec.is_least(claim))


def require_in_range(symbols, values):
    require(set(values) == set(symbols), "values of other symbols")
    for name, limits in symbols.items():
        require(contains(limits, Fraction(values[name])), f"{name} is out of range")


def refuted_at(claim, spec):
    """The claim does not hold at the values of the spec."""
    require_readable(claim)
    require(not holds_at(spec, claim), "it holds at these values")


def contains(limits, value):
    checks = {"ge": lambda end: value >= end, "gt": lambda end: value > end, "le": lambda end: value <= end, "lt": lambda end: value < end}
    return all(checks[key](number(end)) for key, end in limits.items())


def samples_of(limits):
    """Some values of a symbol: its ends if they belong to the range, and some in between."""
    own = range_of(limits)
    inner = [own.low + 1, own.low + 7] if own.high is None else [(own.low + own.high) / 2, own.low + (own.high - own.low) / 7]
    found = inner + [own.low] * own.has_low + [own.high] * own.has_high
    return [-value for value in found] if is_mirrored(limits) else found


def some_values(symbols):
    return {name: str(samples_of(limits)[0]) for name, limits in symbols.items()}


def counterexample(path, claim):
    """A description of values at which the claim does not hold, among a few; None if there are none, or they cannot be
    tried."""
    try:
        require_readable(claim)
        symbols = SymbolicSpec(path).json["symbols"]
        if len(symbols) > MOST_SYMBOLS:
            return None
        for values in product(*map(samples_of, symbols.values())):
            at = {name: str(value) for name, value in zip(symbols, values)}
            if not holds_at(Spec(path, at), claim):
                return ", ".join(f"{name} = {value}" for name, value in at.items())
    except (NotProved, Rejected, ArithmeticError, AssertionError, TypeError, LookupError):
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
    """A description of both solvers' answers to the queries of a claim that holds. Only `unsat` supports it, except that
    a tight claim over a set (`attained`) also asks whether a prior attains its level, where `sat` does."""
    said = set()
    for name, (first, second) in asked(queries).items():
        require(first == "unsat" or attained and first == "sat", f"query {name}: Z3 says {first}, which does not support the claim")
        require(second not in {"sat", "unsat"} - {first}, f"query {name}: cvc5 says {second}, which contradicts the claim")
        said.add(f"Z3 {first}" + (f", cvc5 {first}" if second == first else ", cvc5 without an answer" if second else ""))
    require(any(text.startswith("Z3 unsat") for text in said), "no query says that the level is not exceeded")
    return "; ".join(sorted(said))
