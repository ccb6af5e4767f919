"""Renyi divergences of a stated order by their definition, as exact numbers: the sum of P^a Q^(1 - a) over outputs.

Written independently of the tool: no ratios, no parts, no filter.
"""
from decimal import Decimal
from fractions import Fraction

from concentrated import at_order
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


def sums(spec, claim):
    """For every claimed level (None: the only one): its pairs, and their largest sum."""
    names = [name for name, _ in spec.domain]
    if isinstance(claim["epsilon"], dict):
        pairs = {name: spec.differing([names.index(name)]) for name in claim["epsilon"]}
    else:
        pairs = {None: spec.neighbor_pairs(claim)}
    return {name: (own, largest(spec, own, order_of(claim))) for name, own in pairs.items()}


def largest(spec, pairs, order):
    most, seen = Fraction(1), set()
    for a, b in pairs:
        key = tuple(map(id, spec.rows[a])), tuple(map(id, spec.rows[b]))
        if a == b or key in seen:
            continue
        seen.add(key)
        found = power_sum(spec.rows[a], spec.rows[b], order)
        if not at_most(found, most):
            most = found
    return most


def claimed(spec, claim):
    """e^((order - 1) level) of every claimed level."""
    def power(text):
        own = spec.level(text)
        return INFINITE if own is INFINITE else own ** (order_of(claim) - 1)
    epsilon = claim["epsilon"]
    return {name: power(text) for name, text in epsilon.items()} if isinstance(epsilon, dict) else {None: power(epsilon)}


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
    found, bound = bayesian(spec, claim), claimed(spec, claim)[None]
    return at_most(found, bound) and (not least or at_most(bound, found))


def holds(spec, claim):
    bounds = claimed(spec, claim)
    return all(at_most(found, bounds[name]) for name, (_, found) in sums(spec, claim).items())


def is_least(spec, claim):
    bounds = claimed(spec, claim)
    return all(at_most(found, bounds[name]) and at_most(bounds[name], found) for name, (_, found) in sums(spec, claim).items())


def nats(total, order):
    """The divergence as a decimal of more digits than the tool's."""
    return Decimal("inf") if total is INFINITE else QUICK.divide(QUICK.ln(quick(total)), Decimal(order - 1))


def near_true(spec, claim, random):
    """A level for a claim: the true one if it is one that can be written, otherwise a decimal next to it."""
    total = bayesian(spec, claim) if claim["notion"] == "renyi_bcdp" else sums(spec, claim)[None][1]
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
        y = spec.outputs.index(witness["output"])
        shown = p[y] != 0 and q[y] == 0 and spec.number(witness["p_from"]) == p[y] and witness["p_to"] == "0"
        return [] if total is INFINITE and found.get("epsilon") == "inf" and shown else [f"infinite: {found}, expected {total}"]
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
