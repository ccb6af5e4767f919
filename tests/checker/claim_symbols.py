"""Claims about all values of symbols. One that holds is proved by polynomials, from the spec, without the queries that a certificate
has; where that does not show it, two solvers' answers are all there is, and are said to be that."""
from fractions import Fraction

from claim_compared import compared_by
from claim_ranges import finite
from expression import Value
from polynomials import Quotient
from reference import Spec
from strict_json import fields, items, require

LONGEST_QUERY = 10**7


class SymbolicSpec(Spec):
    """The same reader, with functions of symbols for numbers."""

    def parameters(self, texts):
        names = Spec.parameters(texts)
        symbols = list(self.json["symbols"])
        for k, name in enumerate(symbols):
            names[name] = Value(Quotient.symbol(k, len(symbols)))
        return names


def box_of(spec):
    """(low, high or None) of every symbol; None where one has no lower end."""
    box = []
    for limits in spec.json["symbols"].values():
        low = limits.get("ge", limits.get("gt"))
        high = limits.get("le", limits.get("lt"))
        if low is None:
            return None
        box.append((Fraction(low), None if high is None else Fraction(high)))
    return box


def not_above(p, bound, q, box):
    """p <= bound q for all values: identically, or by signs of coefficients."""
    room = Quotient.symbol(0, len(box)).like(0) + bound * q - p
    return room.is_never_negative(box)


def proved(path, claim):
    """Whether polynomials prove it, from the claim's definition; the reason why not."""
    try:
        spec = SymbolicSpec(path)
        box = box_of(spec)
        if box is None:
            return "a symbol without a lower end"
        compared = finite(compared_by(spec, claim))
        if any(one.delta is not None for one in compared):
            return "a sum of excesses"
        done = set()
        for one in compared:
            attained = [one.bound == 1] * len(one.pairs)
            for k, (a, b) in enumerate(one.pairs):
                for p, q in zip(one.sides[a], one.sides[b]):
                    if p == 0:
                        continue
                    if (id(p), id(q), id(one)) not in done and not not_above(p, one.bound, q, box):
                        return "coefficients of both signs"
                    done.add((id(p), id(q), id(one)))
                    attained[k] = attained[k] or p == one.bound * q
            # Of a matrix every level is meant, of others one for all pairs.
            enough = all(attained) if claim["notion"] == "context_ldp" else any(attained) or not attained
            if claim.get("tight") and not enough and (one.about is not None or claim["notion"] != "partial_dp"):
                return "no output attains the level for all values"
    except (ArithmeticError, AssertionError, TypeError, KeyError) as error:
        return str(error) or type(error).__name__
    return None


def answers(queries):
    """What both solvers say of the queries, in words; what they are asked is not compared with the spec."""
    said = []
    for query in items(queries, "queries", dict):
        _, text, first, second = fields(query, "a query", "name", "text", "z3", optional=("cvc5",))
        require(isinstance(text, str) and len(text) < LONGEST_QUERY and "(check-sat)" in text, "a query that asks nothing")
        require(first in ("sat", "unsat", "unknown") and (second is None or isinstance(second, str)), "no answer of a solver")
        said.append(f"Z3 {first}, cvc5 {second}" if second else f"Z3 {first}")
    require(said, "no query")
    return "; ".join(sorted(set(said)))


def refuted_at(path, claim, values, spec_at):
    """At these values the claim does not hold."""
    known = spec_at.json["symbols"]
    require(isinstance(values, dict) and set(values) == set(known), "values of other symbols")
    for name, limits in known.items():
        value = Fraction(values[name])
        require(value >= Fraction(limits.get("ge", value)) and value <= Fraction(limits.get("le", value)), f"{name} is out of range")
        require(("gt" not in limits or value > Fraction(limits["gt"])) and ("lt" not in limits or value < Fraction(limits["lt"])), f"{name} is out of range")
    holds = spec_at.holds(claim)
    require(holds is False or (holds and claim.get("tight") and not spec_at.is_least(claim)), "it holds at these values")
