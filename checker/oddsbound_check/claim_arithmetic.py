"""Claims that depend on the spec alone: averages over outputs, divergences, sums.

Logarithms and exponentials are intervals of decimals. Python's decimal rounds both correctly (half to even), so the
next decimals on either side enclose them; all other operations are rounded down or up by the context. No floats are
used."""
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import lcm

from . import averages
from . import concentrated
from .claim_ranges import exact_number, places_called
from .exact import INFINITE, Exact
from .expression import parse
from .intervals import Enclosures
from .outcomes import NotProved, Rejected, require
from .surds import Surd

PRECISIONS = (40, 120, 400, 1200)  # digits
HALVINGS_PER_DIGIT = 2  # an interval of orders halved this often is below the resolution
MOST_INTERVALS = 5000  # of orders, for each number of digits
MOST_DIGITS = 200000  # of powers that decide whether two numbers are equal


class Arithmetic:
    """Intervals (low, high) of decimals with `digits` digits."""

    def __init__(self, digits):
        limits = {"prec": digits, "Emax": 10**9, "Emin": -10**9}
        self.down, self.up = Context(rounding=ROUND_FLOOR, **limits), Context(rounding=ROUND_CEILING, **limits)
        self.enclosures, self.known = Enclosures(4 * digits), {}

    def of(self, value):
        """The interval of a fraction or a nonnegative exact number, with or without a square root."""
        if isinstance(value, Surd):
            inside = self.of(value.radicand)
            root = self.down.next_minus(self.down.sqrt(inside[0])), self.up.next_plus(self.up.sqrt(inside[1]))
            return self.add(self.signed(value.plain), self.times(self.signed(value.coefficient), root))
        ends = self.enclosures.of(value) if isinstance(value, Exact) else (Fraction(value),) * 2
        return tuple(context.divide(Decimal(end.numerator), Decimal(end.denominator)) for context, end in zip((self.down, self.up), ends))

    def signed(self, value):
        return self.of(value) if value >= 0 else tuple(-end for end in reversed(self.of(-value)))

    def add(self, a, b):
        return self.down.add(a[0], b[0]), self.up.add(a[1], b[1])

    def times(self, a, b):
        return (min(self.down.multiply(x, y) for x in a for y in b), max(self.up.multiply(x, y) for x in a for y in b))

    def over(self, a, b):
        """b must be positive."""
        require(b[0] > 0, "more digits are needed")
        return (min(self.down.divide(x, y) for x in a for y in b), max(self.up.divide(x, y) for x in a for y in b))

    def ln(self, a):
        require(a[0] > 0, "more digits are needed")
        return self.down.next_minus(self.down.ln(a[0])), self.up.next_plus(self.up.ln(a[1]))

    def exp(self, a):
        return self.down.next_minus(self.down.exp(a[0])), self.up.next_plus(self.up.exp(a[1]))

    def nats(self, text, names):
        """A finite level."""
        value = parse(text, names)
        require(not value.infinite, "an infinite level")
        plain, log = (part.simplest() if isinstance(part, Exact) else part for part in (value.plain, value.log))
        own = self.signed(plain)
        return own if log == 1 else self.add(own, self.ln(self.of(log)))


def decided(question):
    """question(arithmetic): True, False, or None if more digits are needed. Raises NotProved if none suffice."""
    for digits in PRECISIONS:
        try:
            answer = question(Arithmetic(digits))
        except Rejected:
            continue
        if answer is not None:
            return answer
    raise NotProved(f"{PRECISIONS[-1]} digits do not decide it")


# Mutual information, in nats: the sum of p log(p / (mass of the group * mass of the output)).

def shares(spec, claim):
    """The nonzero terms."""
    groups = averages.groups(spec, claim)
    masses = [sum((spec.prior[x] for x in group), Fraction(0)) for group in groups]
    for y in range(len(spec.outputs)):
        own = [sum((spec.prior[x] * spec.rows[x][y] for x in group), Fraction(0)) for group in groups]
        output = sum(own, Fraction(0))
        for p, mass in zip(own, masses):
            if p != 0 and p != mass * output:
                yield p, p / (mass * output)


def information_is(spec, claim):
    """True if it equals the claimed value exactly."""
    return mean_is(list(shares(spec, claim)), spec.level(claim["epsilon"]))


def mean_is(terms, power):
    """True if the sum of p log(odds) over the terms is log(power) and all of these are fractions; otherwise False."""
    if not all(isinstance(x, (int, Fraction)) for term in terms for x in (power, *term)):
        return False
    common = lcm(*(Fraction(p).denominator for p, _ in terms))
    collected = {}
    for p, odds in terms:
        collected[odds] = collected.get(odds, 0) + int(p * common)
    digits = sum(count * len(str(odds.numerator * odds.denominator)) for odds, count in collected.items())
    if digits > MOST_DIGITS or common > MOST_DIGITS:
        return False
    product = Fraction(1)
    for odds, count in collected.items():
        product *= odds ** count
    return product == power ** common


def information_holds(spec, claim):
    if spec.level(claim["epsilon"]) is INFINITE or information_is(spec, claim):
        return True

    def question(at):
        total, claimed = information(at, spec, claim), at.nats(claim["epsilon"], spec.names)
        return True if total[1] <= claimed[0] else False if total[0] > claimed[1] else None
    return decided(question)


def information(at, spec, claim):
    total = (Decimal(0), Decimal(0))
    for p, odds in shares(spec, claim):
        total = at.add(total, at.times(at.of(p), at.ln(at.of(odds))))
    return total


def leakage_holds(spec, claim):
    before, after = averages.guesses(spec, claim)
    bound = spec.level(claim["epsilon"])
    return bound is INFINITE or after <= bound * before


# Zero-concentrated DP: K(t) = log sum P (P/Q)^t is convex, K(0) = 0, and D_a / a = K(t) / (t (1 + t)) at a = 1 + t.

class Losses:
    """(P, log(P / Q)) of the outputs of two rows, with equal outputs merged."""

    def __init__(self, at, p_row, q_row):
        counts = {}
        for p, q in zip(p_row, q_row):
            if p != 0:
                key = id(p), id(q)
                counts[key] = (counts[key][0] + 1 if key in counts else 1, p, q)
        self.at, self.terms = at, []
        for count, p, q in counts.values():
            share = at.times(at.of(count), at.of(p))
            self.terms.append((share, (Decimal(0),) * 2 if p == q else at.ln(at.over(at.of(p), at.of(q)))))
        self.largest = max(loss[1] for _, loss in self.terms)

    def cumulant(self, t):
        at, total = self.at, (Decimal(0), Decimal(0))
        for share, loss in self.terms:
            total = at.add(total, at.times(share, at.exp(at.times(at.of(t), loss))))
        return at.ln(total)

    def mean(self):
        total = (Decimal(0), Decimal(0))
        for share, loss in self.terms:
            total = self.at.add(total, self.at.times(share, loss))
        return total

    def most_curved(self, h):
        """An upper bound of K'' on [0, h]. K''(t) is the variance of the loss with outputs weighted by P exp(t loss),
        so it is at most the mean of (loss - c)^2 for any c."""
        up, down, center, above, below = self.at.up, self.at.down, self.mean()[1], Decimal(0), Decimal(0)
        for (least, most), loss in self.terms:
            low, high = self.at.exp(self.at.times(self.at.of(h), loss))
            far = max(up.subtract(loss[1], center), up.subtract(center, loss[0]))
            above = up.add(above, up.multiply(up.multiply(most, max(high, Decimal(1))), up.multiply(far, far)))
            below = down.add(below, down.multiply(least, min(low, Decimal(1))))
        return Fraction(up.divide(above, below))

    def shown_near_zero(self, least, last):
        """An h such that K(t) <= rho t + t^2/2 max K'' shows K(t) <= rho t (1 + t) up to h, where the mean loss is at
        most rho; or 0."""
        h = min(last, Fraction(1))
        for _ in range(20):
            if self.most_curved(h) <= 2 * least:
                return h
            h = simple(h / 4)
        return Fraction(0)

    def at_most(self, rho, mean_is_rho=False):
        """Decides whether K(t) <= rho t (1 + t) for all t > 0; None: more digits are needed. rho: an interval of
        fractions. mean_is_rho: the mean loss, which is K'(0), is known to be exactly rho.

        Nothing is to be shown beyond the largest loss over rho, since K(t) <= t times the largest loss. Near t = 0 a
        bound of K'' suffices. Between two orders K lies below its chord, which is compared as a quadratic, in
        fractions. Intervals are halved until this succeeds: to widths of about sqrt(g) if rho exceeds the true value
        by a relative gap g."""
        (least, most), (mean_least, mean_most) = rho, map(Fraction, self.mean())
        if Fraction(self.largest) <= least:
            return True
        if mean_least > most and not mean_is_rho:
            return False
        if least <= 0:
            return None
        bounds = {Fraction(0): (Fraction(0), Fraction(0))}

        def cumulant(t):
            if t not in bounds:
                bounds[t] = tuple(map(Fraction, self.cumulant(t)))
            return bounds[t]

        last = simple(Fraction(self.largest) / least * Fraction(1001, 1000))
        first = self.shown_near_zero(least, last) if mean_is_rho or mean_most <= least else Fraction(0)
        waiting, left = [(first, last, HALVINGS_PER_DIGIT * self.at.down.prec)] if first < last else [], MOST_INTERVALS
        while waiting:
            low, high, halvings = waiting.pop()
            (_, start), (below, end) = cumulant(low), cumulant(high)
            if below > most * high * (1 + high):
                return False
            slope = (end - start) / (high - low)
            if chord_below(least, slope, start - slope * low, low, high):
                continue
            left -= 1
            if halvings == 0 or left == 0 or end > least * high * (1 + high):
                return None
            middle = between(low, high)
            waiting += [(middle, high, halvings - 1), (low, middle, halvings - 1)]
        return True


def simple(value):
    """A number near the value with few digits."""
    scale = 1
    while value * scale < 10**6:
        scale *= 10
    return Fraction(round(value * scale), scale)


def between(low, high):
    """A number near the middle, with as few digits as the interval's width allows."""
    scale = 1
    while (high - low) * scale < 100:
        scale *= 10
    return Fraction(round((low + high) / 2 * scale), scale)


def chord_below(rho, slope, start, low, high):
    """start + slope t <= rho t (1 + t) between two t."""
    def left(t):
        return rho * t * (1 + t) - slope * t - start
    lowest = (slope - rho) / (2 * rho)
    return left(low) >= 0 and left(high) >= 0 and (not low < lowest < high or left(lowest) >= 0)


def distinct_pairs(spec, pairs):
    seen = {}
    for a, b in pairs:
        key = tuple(map(id, spec.rows[a])), tuple(map(id, spec.rows[b]))
        if key[0] != key[1]:
            seen.setdefault(key, (a, b))
    return seen.values()


def losses_at_most(p_row, q_row, bound):
    """True if no output's loss is above rho, with exp(rho) = bound: decided exactly, also in case of equality. Then
    rho holds, since D_a <= largest loss <= rho <= rho a."""
    return all(p <= bound * q for p, q in zip(p_row, q_row))


def zcdp_holds(spec, claim):
    """False if an order shows more than rho, by intervals."""
    for name, pairs in concentrated.compared(spec, claim).items():
        text = claim["rho"] if name is None else claim["rho"][name]
        bound = spec.level(text)
        if bound is INFINITE:
            continue
        for a, b in distinct_pairs(spec, pairs):
            p_row, q_row = spec.rows[a], spec.rows[b]
            if any(p != 0 and q == 0 for p, q in zip(p_row, q_row)):
                return False
            if losses_at_most(p_row, q_row, bound):
                continue
            exact = mean_is([(p, p / q) for p, q in zip(p_row, q_row) if p != 0], bound)
            if not decided(lambda at: Losses(at, p_row, q_row).at_most([Fraction(end) for end in at.nats(text, spec.names)], exact)):
                return False
    return True


def check_divergence(spec, claim, witness):
    """A witness of zCDP: an order with D_a / a above the claimed value, or an output that only one side has."""
    name = witness.get("coordinate")
    compared = concentrated.compared(spec, claim)
    require(name in compared, "the witness: no level is claimed about that")
    for side in ("from", "to"):
        require(isinstance(witness.get(side), list) and tuple(witness[side]) in spec.inputs, "the witness: there is no such input")
    a, b = (spec.inputs.index(tuple(witness[side])) for side in ("from", "to"))
    require((a, b) in compared[name], "the witness: inputs that are not compared")
    p_row, q_row = spec.rows[a], spec.rows[b]
    if "output" in witness:
        there = [y for y in places_called(spec.outputs, witness["output"], "the witness") if p_row[y] != 0 and q_row[y] == 0]
        require(there, "the witness: both sides have that output")
        told = exact_number(witness.get("p_from"), "the witness")
        require(witness.get("p_to") == "0" and any(told == p_row[y] for y in there), "the witness: the probabilities are others")
        require(spec.level(claim["rho"] if name is None else claim["rho"][name]) is not INFINITE, "nothing is claimed")
        return
    require(isinstance(witness.get("order"), str) and len(witness["order"]) < 2000, "the witness: no order")
    require(re.fullmatch(r"[0-9]+([./][0-9]+)?", witness["order"]) is not None, "the witness: no order")
    order = Fraction(witness["order"])
    require(order >= 1 and all(q != 0 or p == 0 for p, q in zip(p_row, q_row)), "the witness: no order that is defined")

    # Enclosures would not decide whether 0 exceeds a claim of 0.
    require(p_row != q_row, "the witness: both sides have the same probabilities")

    def question(at):
        losses = Losses(at, p_row, q_row)
        found = losses.mean() if order == 1 else at.over(losses.cumulant(order - 1), at.of(order * (order - 1)))
        claimed = at.nats(claim["rho"] if name is None else claim["rho"][name], spec.names)
        return True if found[0] > claimed[1] else False if found[1] <= claimed[0] else None
    require(decided(question), "the witness: the order shows no more than is claimed")


def is_least(spec, claim):
    """For a claim that holds: True if no smaller level holds."""
    if claim["notion"] != "information":
        return spec.is_least(claim)
    if spec.level(claim["epsilon"]) is INFINITE:
        return False
    if information_is(spec, claim):
        return True

    def question(at):
        total, claimed = information(at, spec, claim), at.nats(claim["epsilon"], spec.names)
        return False if total[1] < claimed[0] else None
    return decided(question)


HOLDS = {"information": information_holds, "bayes_leakage": leakage_holds, "zcdp": zcdp_holds}


def holds(spec, claim):
    return HOLDS[claim["notion"]](spec, claim) if claim["notion"] in HOLDS else spec.holds(claim)
