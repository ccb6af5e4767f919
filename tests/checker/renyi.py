"""Renyi divergences of a stated order by their definition, as exact numbers: the sum of P^a Q^(1 - a) over outputs.

Written independently of the tool: no ratios, no parts, no filter.
"""
from decimal import Decimal
from fractions import Fraction

from concentrated import at_order
from divergence import Exactly, distinct, infinite_problems
from oddsbound_check.exact import INFINITE, QUICK, Exact, at_most, quick
from oddsbound_check.expression import level, number
from scopes import scope_of


def order_of(claim):
    return int(claim["order"])


def exact(value):
    """Integers would be divided as floats."""
    return value if isinstance(value, Exact) else Fraction(value)


def power_sum(p, q, order):
    total = 0
    for a, b in zip(p, q):
        if a != 0 and b == 0:
            return INFINITE
        if a != 0:
            total = total + exact(a) ** order / exact(b) ** (order - 1)
    return total


def largest(spec, pairs, order):
    most = Fraction(1)
    for p, q in distinct(spec, pairs):
        found = power_sum(p, q, order)
        if not at_most(found, most):
            most = found
    return most


def power(spec, claim, text):
    """e^((order - 1) level)"""
    own = spec.level(text)
    return INFINITE if own is INFINITE else own ** (order_of(claim) - 1)


def bayesian(spec, claim):
    """The largest sum between values of a coordinate or labels of a secret, under the prior."""
    most = Fraction(1)
    for p, q in scope_of(spec, claim, place_of(spec, claim)).pairs():
        found = power_sum(p, q, order_of(claim))
        if not at_most(found, most):
            most = found
    return most


def place_of(spec, claim):
    return [name for name, _ in spec.domain].index(claim["coordinate"]) if "coordinate" in claim else None


def bayesian_holds(spec, claim, least=False):
    found, bound = bayesian(spec, claim), power(spec, claim, claim["epsilon"])
    return at_most(found, bound) and (not least or at_most(bound, found))


def nats(total, order):
    """The divergence as a decimal of more digits than the tool's."""
    return Decimal("inf") if total is INFINITE else QUICK.divide(QUICK.ln(quick(total)), Decimal(order - 1))


def level_near(claim, total, random):
    """A level for a claim: the true one if it is one that can be written, otherwise a decimal next to it."""
    if total is INFINITE:
        return "inf"
    if total == 1:
        return "0"
    if order_of(claim) == 2:
        return f"log({total})"
    true = nats(total, order_of(claim))
    # A decimal that neither doubles nor the first 17 digits distinguish from it, or one that they do.
    last = Decimal(random.choice(["1e-30", "1e-3"]))
    return f"{max(Decimal(0), QUICK.add(QUICK.quantize(true, last), random.choice([-last, last]))):f}"


def problems(spec, found, total, pairs, order):
    """The faults in the statements about one level."""
    witness = found["witness"]
    x, z = (spec.inputs.index(tuple(witness[side])) for side in ("from", "to"))
    if not ((x, z) in pairs or (x == z and total == 1)):
        return ["the witness's inputs are not compared"]
    return problems_of_rows(spec, found, total, spec.rows[x], spec.rows[z], order)


def problems_under_prior(spec, claim, found, limited):
    """The same between values or labels. limited: the level may be known between two bounds only."""
    total, scope, witness = bayesian(spec, claim), scope_of(spec, claim, place_of(spec, claim)), found["witness"]
    if witness is None:
        return [] if not any(scope.pairs()) and found.get("epsilon") == "0" else ["no witness"]
    sides = scope.of_witness(witness)
    if sides is None or witness["from"] == witness["to"]:
        return ["the witness is about nothing that is compared"]
    if limited and "at_most" in found and total is not INFINITE:
        ends = [level(found[key]["epsilon"]) for key in ("at_least", "at_most")]
        powers = [INFINITE if end is INFINITE else end ** (order_of(claim) - 1) for end in ends]
        return [] if at_most(powers[0], total) and at_most(total, powers[1]) else [f"{found['lower']} .. {found['upper']} does not enclose the level"]
    own = {key: value for key, value in witness.items() if key != "given"}
    return problems_of_rows(spec, {**found, "witness": own}, total, *sides, order_of(claim))


def problems_of_rows(spec, found, total, p, q, order):
    witness = found["witness"]
    if total is INFINITE or found.get("epsilon") == "inf":
        return infinite_problems(spec, found, p, q) if total is INFINITE else [f"infinite: {found}, expected {total}"]
    if set(witness) - {"coordinate"} != {"from", "to", "order"} or witness["order"] != str(order):
        return [f"the witness {witness}"]
    wrong = []
    if power_sum(p, q, order) != total:
        wrong.append("the witness does not attain the largest divergence")
    lower, upper = number(found["lower"]), number(found["upper"])
    if not Exact.exp(lower * (order - 1)) <= total <= Exact.exp(upper * (order - 1)):
        wrong.append(f"{lower} .. {upper} does not enclose log({total}) / {order - 1}")
    if upper - lower > upper / 10**12:
        wrong.append("decimals too far apart")
    if "at_most" not in found:  # exactly
        if number(found["exp"]) ** (order - 1) != total or level(found["epsilon"]) != number(found["exp"]):
            wrong.append(f"exp {found['exp']}, expected the root of {total}")
    elif order == 2:
        wrong.append("the exact level is missing")
    elif total != 1:
        decimal = QUICK.multiply(at_order(p, q, Decimal(order)), Decimal(order))
        if not Decimal(found["lower"]) * (1 - Decimal("1e-25")) <= decimal <= Decimal(found["upper"]) * (1 + Decimal("1e-25")):
            wrong.append(f"{found['lower']} .. {found['upper']} does not enclose {decimal}")
    return wrong


class Renyi(Exactly):
    """renyi_dp. Its numbers are sums S, of which log(S) / (order - 1) is the level."""

    def draw(self, specs):
        return {**super().draw(specs), "order": specs.r.choice([2, 2, 3, 5] if specs.exp else [2, 2, 3, 4, 11, 60])}

    def near_true(self, spec, claim, random):
        return level_near(claim, self.measured(spec, claim)[None], random)

    def true(self, spec, pairs, claim):
        return largest(spec, pairs, order_of(claim))

    def bound(self, spec, claim, text):
        return power(spec, claim, text)

    def locked(self, true, claim):
        return INFINITE if true is INFINITE else Decimal(f"{nats(true, order_of(claim)):.12e}")

    def problems(self, checker, claim, found, true, pairs, what):
        return problems(checker.spec, found, true, pairs, order_of(claim))
