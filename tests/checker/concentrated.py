"""rho of zero-concentrated DP, the maximum of D_a(P || Q) / a over orders a > 1, by evaluating many orders.

Written independently of the tool: doubles on a grid of orders, refined around the best ones; no cumulants, chords or
branches. D_a is nondecreasing in a, which bounds values between two orders of the grid. MARGIN is the assumed maximum
error of doubles; claims closer than that are not tested. The order that the tool names is evaluated in decimals.
"""
import math
from decimal import Decimal, localcontext
from fractions import Fraction

from averages import near
from divergence import Divergence, distinct
from oddsbound_check.exact import INFINITE, QUICK, Exact, compare, quick

MARGIN = 1e-8
NEAR = Decimal("1e-15")
WIDTH = 1e-8  # of the tool's bounds, relative to the upper one


def masses(p, q):
    """P, log(P / Q) of the outputs that P has, with equal ones merged; None if Q lacks one of them."""
    found = {}
    for a, b in zip(p, q):
        if a == 0:
            continue
        if b == 0:
            return None
        key = id(a), id(b)
        found[key] = (found[key][0] + 1 if key in found else 1, a, b)
    with localcontext(QUICK):
        return [(float(count * quick(a)), float((quick(a) / quick(b)).ln())) for count, a, b in found.values()]


def over_order(pairs, beyond):
    """D_a / a at a = 1 + beyond: sum P exp(beyond loss) is computed without its 1, or with its largest exponent
    factored out."""
    exponents = [beyond * loss for _, loss in pairs]
    most = max(exponents)
    if most < 1:
        log = math.log1p(sum(p * math.expm1(e) for (p, _), e in zip(pairs, exponents)))
    else:
        log = most + math.log(sum(p * math.exp(e - most) for (p, _), e in zip(pairs, exponents)))
    return log / (beyond * (1 + beyond))


def rho_of(p, q, enough=0.0):
    """rho of two rows; a value certainly below `enough` need not be exact."""
    if all(a is b for a, b in zip(p, q)):
        return 0.0
    pairs = masses(p, q)
    if pairs is None:
        return math.inf
    limit = sum(p * loss for p, loss in pairs)
    largest = max(loss for _, loss in pairs)
    if limit < 1e-12:  # doubles cancel; the closer the rows, the smaller it is
        return max(limit, 0.0) if largest < 1e-5 else limit
    last = max(2.0, 1.01 * largest / limit)
    grid = [1e-3 * (last / 1e-3) ** (k / 60) for k in range(61)]
    values = [over_order(pairs, b) for b in grid]
    best = max(limit, max(values))
    # D_a of an order's successor, over the order itself.
    above = max([values[0] * (1 + grid[0])] + [values[k + 1] * (1 + grid[k + 1]) / (1 + grid[k]) for k in range(60)])
    if above < enough:
        return best
    for k in sorted(range(61), key=lambda k: -values[k])[:4]:
        low, high = grid[max(k - 1, 0)] if k else 1e-7, grid[min(k + 1, 60)]
        for _ in range(60):  # a single maximum between two neighbors of the grid is found to the margin
            third = (high - low) / 3
            if over_order(pairs, low + third) < over_order(pairs, high - third):
                low += third
            else:
                high -= third
        best = max(best, over_order(pairs, low))
    return best


def exact(value):
    """Integers would be divided as floats."""
    return value if isinstance(value, Exact) else Fraction(value)


def compared_rows(spec, claim, p_row, q_row):
    """The rows themselves. With delta: the distributions P' <= P / (1 - delta) and Q' <= Q / (1 - delta) that are
    compared. P (1 - delta) is min(P, s Q) for the smallest s with P(R) - s Q(R) <= delta for every event R, that is, for
    those of the largest ratios."""
    if claim.get("delta") is None:
        return p_row, q_row
    delta = spec.number(claim["delta"])
    if sum(p - q for p, q in zip(p_row, q_row) if p > q) <= delta:
        return p_row, p_row
    caps = [most_excess(first, second, delta) for first, second in ((p_row, q_row), (q_row, p_row))]
    return [[one if cap is INFINITE else exact(least(one, cap * other)) / (1 - delta) for one, other in zip(*rows)]
            for cap, rows in zip(caps, ((p_row, q_row), (q_row, p_row)))]


def least(a, b):
    return a if a <= b else b


def most_excess(p_row, q_row, delta):
    """The largest (P(R) - delta) / Q(R); INFINITE if some R with P(R) > delta has Q(R) = 0."""
    p_sum = sum(p for p, q in zip(p_row, q_row) if q == 0)
    if p_sum > delta:
        return INFINITE
    both, q_sum, most = [(exact(p), exact(q)) for p, q in zip(p_row, q_row) if q != 0], 0, None
    while both:
        best = both[0]
        for p, q in both:
            best = (p, q) if p * best[1] > best[0] * q else best
        both.remove(best)
        p_sum, q_sum = p_sum + best[0], q_sum + best[1]
        cap = (p_sum - delta) / q_sum
        most = cap if most is None or cap > most else most
    return most


def rho(spec, pairs, claim={}):
    best = 0.0
    for p, q in distinct(spec, pairs):
        best = max(best, rho_of(*compared_rows(spec, claim, p, q), best))
        if best == math.inf:
            break
    return best


def nats(spec, text):
    level = spec.level(text)
    return math.inf if level is INFINITE else float(QUICK.ln(near(level)))


def at_order(p, q, order):
    """D_a / a in decimals, or KL for order 1."""
    with localcontext(QUICK):
        both = [(quick(a), quick(a) / quick(b)) for a, b in zip(p, q) if a != 0]
        if order == 1:
            return sum((a * odds.ln() for a, odds in both), Decimal(0))
        return sum((a * ((order - 1) * odds.ln()).exp() for a, odds in both), Decimal(0)).ln() / (order * (order - 1))


def problems(spec, claim, found, true, pairs):
    """The faults in the statements about one level."""
    witness = found["witness"]
    x, z = (spec.inputs.index(tuple(witness[side])) for side in ("from", "to"))
    if not ((x, z) in pairs or (x == z and true == 0)):
        return ["the witness's inputs are not compared"]
    p, q = spec.rows[x], spec.rows[z]
    if math.inf in (true, float(found["lower"])):
        event = [spec.outputs.index(y) for y in witness.get("outputs", [witness.get("output")])]
        mass, delta = sum(p[y] for y in event), spec.number(claim.get("delta", "0"))
        shown = mass > delta and all(q[y] == 0 for y in event) and spec.number(witness["p_from"]) == mass and witness["p_to"] == "0"
        return [] if true == math.inf and found["epsilon"] == "inf" and shown else [f"infinite: {found}, expected {true}"]
    if set(witness) - {"coordinate"} != {"from", "to", "order"}:
        return [f"witness keys {set(witness)}"]
    p, q = compared_rows(spec, claim, p, q)
    order = QUICK.divide(*(Decimal(part) for part in (witness["order"] + "/1").split("/")[:2]))
    lower, upper = Decimal(found["lower"]), Decimal(found["upper"])
    if true == 0 and all(compare(a, b) == 0 for a, b in zip(p, q)):
        return [] if found["epsilon"] == "0" and lower == upper == 0 else [f"{found}, expected 0"]
    wrong = []
    with localcontext(QUICK):
        if not lower * (1 - NEAR) <= at_order(p, q, order) <= upper * (1 + NEAR):
            wrong.append(f"order {order} does not show {lower}")
        if at_order(p, q, order) > lower * (1 + Decimal("1e-12")):
            wrong.append(f"order {order} shows more than {lower}")
        if upper - lower > upper * Decimal(WIDTH):
            wrong.append("bounds too far apart")
    if not float(lower) * (1 - MARGIN) <= true <= float(upper) * (1 + MARGIN):
        wrong.append(f"{lower} .. {upper}, expected {true}")
    return wrong


class InDoubles(Divergence):
    """A divergence that the reference knows in doubles. Subclasses have `true` and `problems`."""

    margin = MARGIN

    def holds(self, spec, claim):
        answers = []
        for name, true in self.measured(spec, claim).items():
            most = nats(spec, self.texts(claim)[name])
            close = true != most and abs(true - most) <= self.scale(true, most) if math.inf not in (true, most) else False
            answers.append(None if close or (true == most and 0 < true < math.inf) else true <= most)
        return False if False in answers else None if None in answers else True

    def scale(self, true, most):
        """Different numbers closer than this are too close to decide."""
        return self.margin * max(true, most)

    def exceeds(self, spec, claim, true, level):
        return true > nats(spec, level)

    def locked(self, true, claim):
        """To 7 digits: the locked bounds do not detect smaller growth."""
        return INFINITE if true == math.inf else Decimal(f"{true:.6e}")

    def near_true(self, spec, claim, random):
        """Just above the true level, or just below it."""
        true = self.measured(spec, claim)[None]
        return "inf" if true == math.inf else f"{true * random.choice([1.001, 0.999]):.15f}" if true > self.least_drawn else "0"


class Concentrated(InDoubles):
    """zcdp and approximate_zcdp. Claimed levels differ from rho: exact equality cannot be decided."""

    key = "rho"
    least_drawn = 1e-9

    def draw(self, specs):
        claim = super().draw(specs)
        if self.name == "approximate_zcdp":
            claim["delta"] = specs.r.choice(["0", "1/50", "1/10", "1/4", 0.5, "1"])
        return claim

    def true(self, spec, pairs, claim):
        return rho(spec, pairs, claim)

    def problems(self, checker, claim, found, true, pairs, what):
        return problems(checker.spec, claim, found, true, pairs)
