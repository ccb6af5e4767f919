"""Zero-concentrated DP: D_a(P || Q) <= rho a for all orders a > 1, between neighbors.

K(t) = log sum P (P/Q)^t is convex, K(0) = 0, and D_a / a = K(t) / (t (1 + t)) at a = 1 + t. The claim holds if K lies
below rho t (1 + t); between two orders K lies below its chord. A witness names one order that shows more than rho, or
an output that one side alone has."""
import re
from decimal import Decimal
from fractions import Fraction

from ..certificate import exact_number, fields, items, party
from ..decimals import decided
from ..exact import INFINITE, Exact
from ..losses import Losses
from ..notions import of_divergence, of_neighbors
from ..outputs import events_called, outputs_called, row_of, unlike_pairs
from ..report import require
from .averages import mean_is
from .witness import WHAT, probability

HALVINGS_PER_DIGIT = 2  # an interval of orders halved this often is below the resolution
MOST_INTERVALS = 5000  # of orders, for each number of digits


class PartLosses:
    """The outputs of two rows, or of one part of these. terms: (P / Q, P), equal ratios only once if possible."""

    def __init__(self, at, terms):
        self.at, self.terms = at, []
        for ratio, mass in terms:
            self.terms.append((at.of(mass), (Decimal(0),) * 2 if ratio == 1 else at.ln(at.of(ratio))))
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
        """An upper bound of its K'' on [0, h]. K''(t) is the variance of the loss with outputs weighted by P exp(t loss), so
        it is at most the mean of (loss - c)^2 for any c."""
        up, down, center, above, below = self.at.up, self.at.down, self.mean()[1], Decimal(0), Decimal(0)
        for (least, most), loss in self.terms:
            low, high = self.at.exp(self.at.times(self.at.of(h), loss))
            far = max(up.subtract(loss[1], center), up.subtract(center, loss[0]))
            above = up.add(above, up.multiply(up.multiply(most, max(high, Decimal(1))), up.multiply(far, far)))
            below = down.add(below, down.multiply(least, min(low, Decimal(1))))
        return up.divide(above, below)


class Cumulant:
    """K(t) of pairs of inputs. choices: lists of pairs, each given by the (number, terms) of its independent parts, and the
    terms of a part by (P / Q, P) of its outputs. A pair of inputs has one of each list, and K is the largest of all: a sum
    of the largest, since parts add up. It is convex, like each of them."""

    def __init__(self, at, choices):
        self.at, known = at, {}

        def losses(terms):
            if id(terms) not in known:
                known[id(terms)] = PartLosses(at, terms)
            return known[id(terms)]
        self.choices = [[[(Fraction(count), losses(terms)) for count, terms in pair] for pair in own] for own in choices]
        self.largest = self.summed(lambda one: (one.largest, one.largest))[1]

    def summed(self, measure):
        """The sum over lists of the largest sum of a pair's parts."""
        at, total, known = self.at, (Decimal(0), Decimal(0)), {}
        for own in self.choices:
            sums = []
            for pair in own:
                found = (Decimal(0), Decimal(0))
                for count, losses in pair:
                    if losses not in known:
                        known[losses] = measure(losses)
                    found = at.add(found, at.times(at.of(count), known[losses]))
                sums.append(found)
            total = at.add(total, (max(low for low, _ in sums), max(high for _, high in sums)))
        return total

    def cumulant(self, t):
        return self.summed(lambda one: one.cumulant(t))

    def mean(self):
        return self.summed(PartLosses.mean)

    def most_curved(self, h):
        """An upper bound of K'' of every pair on [0, h]."""
        return Fraction(self.summed(lambda one: (Decimal(0), one.most_curved(h)))[1])

    def shown_near_zero(self, least, last):
        """An h such that K(t) <= rho t + t^2/2 max K'' shows K(t) <= rho t (1 + t) up to h, where the mean loss is at most
        rho; or 0."""
        h = min(last, Fraction(1))
        for _ in range(20):
            if self.most_curved(h) <= 2 * least:
                return h
            h = rounded(h / 4, h / 40000)
        return Fraction(0)

    def at_most(self, rho, mean_is_rho=False):
        """Decides whether K(t) <= rho t (1 + t) for all t > 0; None: more digits are needed. rho: an interval of
        fractions. mean_is_rho: the mean loss, which is K'(0), is known to be exactly rho.

        Nothing is to be shown beyond the largest loss over rho, since K(t) <= t times the largest loss. Near t = 0 a
        bound of K'' suffices. Between two orders the chord is compared as a quadratic, in fractions. Intervals are
        halved until this succeeds: to widths of about sqrt(g) if rho exceeds the true value by a relative gap g."""
        (least, most), (mean_least, mean_most) = rho, map(Fraction, self.mean())
        if Fraction(self.largest) <= least:
            return True
        if mean_least > most and not mean_is_rho:
            return False
        if least <= 0:
            return None
        bounds: dict[Fraction, tuple] = {Fraction(0): (Fraction(0), Fraction(0))}

        def cumulant(t):
            if t not in bounds:
                bounds[t] = tuple(map(Fraction, self.cumulant(t)))
            return bounds[t]

        last = Fraction(self.largest) / least * Fraction(1001, 1000)
        last = rounded(last, last / 10000)
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
            middle = rounded((low + high) / 2, high - low)
            waiting += [(middle, high, halvings - 1), (low, middle, halvings - 1)]
        return True


def rounded(value, width):
    """A number near the value, with as few digits as this width allows."""
    scale = 1
    while width * scale < 100:
        scale *= 10
    return Fraction(round(value * scale), scale)


def chord_below(rho, slope, start, low, high):
    """start + slope t <= rho t (1 + t) between two t."""
    def left(t):
        return rho * t * (1 + t) - slope * t - start
    lowest = (slope - rho) / (2 * rho)
    return left(low) >= 0 and left(high) >= 0 and (not low < lowest < high or left(lowest) >= 0)


def obeys(spec, claim):
    return all(keeps(spec, one, claim.delta) for one in of_neighbors(spec, claim))


def keeps(spec, one, delta):
    """False if an order shows more than rho, by intervals."""
    bound = one.bound
    for p_row, q_row in unlike_pairs(spec, one.groups()) if bound is not INFINITE else ():
        if delta is not None:
            p_row, q_row = capped(p_row, q_row, delta)
        if any(p != 0 and q == 0 for p, q in zip(p_row, q_row)):
            return False
        if all(p <= bound * q for p, q in zip(p_row, q_row)):  # D_a <= the largest loss <= rho <= rho a
            continue
        if not are_at_most(bound, [[[(1, Losses.of(p_row, q_row).pairs())]]]):
            return False
    return True


def capped(p_row, q_row, delta):
    """The distributions P' and Q' with (1 - delta) P' <= P and (1 - delta) Q' <= Q that have the least divergences of all
    orders, in both directions. min(P, s Q) and min(Q, t P) have the mass 1 - delta. If the total variation distance is at
    most delta, P' = Q' is possible.

    Why: sum P'^a Q'^(1 - a) is jointly convex. Its derivative by P'(y) is a r^(a - 1), and by Q'(y) (1 - a) r^a, with
    r = P'(y) / Q'(y). P' is below its bound only where r is the largest, and Q' only where r is the smallest: no exchange of
    mass lowers the sum. Where one side alone has more than delta, every P', or Q', has some of it."""
    if excess(p_row, q_row, 1) <= delta:
        common = [min(p, q) for p, q in zip(p_row, q_row)]
        return common, common
    rest = 1 - delta
    p_cap, q_cap = cap(p_row, q_row, delta), cap(q_row, p_row, delta)
    return ([p if p_cap is None else min(p, p_cap * q) / rest for p, q in zip(p_row, q_row)],
            [q if q_cap is None else min(q, q_cap * p) / rest for p, q in zip(p_row, q_row)])


def excess(p_row, q_row, factor):
    return sum((p - factor * q for p, q in zip(p_row, q_row) if p > factor * q), Fraction(0))


def cap(p_row, q_row, delta):
    """The s with sum of (P - s Q)+ = delta; None if more than delta is the mass of outputs that Q lacks. The sum is linear
    between two ratios."""
    without = sum((p for p, q in zip(p_row, q_row) if q == 0), Fraction(0))
    if without > delta:
        return None
    entries = {(id(p), id(q)): (p, q) for p, q in zip(p_row, q_row) if q != 0}.values()
    known = sorted(((p if isinstance(p, Exact) else Fraction(p)) / q for p, q in entries), reverse=True)
    high, more = known[0], without
    for low in known[1:] + [Fraction(0)]:
        less, more = more, excess(p_row, q_row, low)
        if more >= delta:
            return high if more == less else high - (high - low) * (delta - less) / (more - less)
        high = low
    raise AssertionError("sum of (P - 0 Q)+ is 1")


def are_at_most(bound, choices):
    """Whether rho of all pairs is at most log(bound)."""
    exact = all(len(own) == 1 for own in choices) and mean_is([(count * p, ratio) for (pair,) in choices for count, terms in pair for ratio, p in terms], bound)
    return decided(lambda at: Cumulant(at, choices).at_most([Fraction(end) for end in at.nats(bound)], exact))


def holds_between(spec, claim, one, compared_with):
    """Whether a level holds for every two inputs that are compared, and, if the claim is tight, no smaller one does.
    compared_with(p_row, q_row, bound): the sign of the divergence, which is at most the largest loss, minus log(bound)."""
    bound, attained = one.bound, False
    if bound is INFINITE and not claim.tight:
        return True
    for p_row, q_row in unlike_pairs(spec, one.groups()):
        if any(p != 0 and q == 0 for p, q in zip(p_row, q_row)):
            if bound is not INFINITE:
                return False
            attained = True
        elif bound is not INFINITE:
            if not claim.tight and all(p <= bound * q for p, q in zip(p_row, q_row)):
                continue
            side = compared_with(p_row, q_row, bound)
            if side > 0:
                return False
            attained = attained or side == 0
    return not claim.tight or attained or (bound is not INFINITE and bound == 1)


def check_approximate(spec, claim, witness):
    """The order of a divergence between the capped distributions; or outputs that one side lacks."""
    if "outputs" in witness or "output" in witness:
        return check_without(spec, claim, witness)
    one, sides, _, order, _ = witness_of(spec, claim, witness)
    p_row, q_row = (row_of(spec, side) for side in sides)
    p_row, q_row = capped(p_row, q_row, claim.delta)
    require(all(q != 0 or p == 0 for p, q in zip(p_row, q_row)), f"{WHAT}: no order that is defined")
    require(p_row != q_row, f"{WHAT}: both sides may have the same probabilities")
    require_above(one.bound, order, [(1, Losses.of(p_row, q_row).pairs())])
    return "by its witness"


def check_without(spec, claim, witness):
    """An event of probability above delta that is impossible for the other side: rho is infinite."""
    source, target, p_stated, q_stated, output, outputs, coordinate = fields(
        witness, WHAT, "from", "to", "p_from", "p_to", optional=("output", "outputs", "coordinate"))
    require((output is None) != (outputs is None), f"{WHAT}: either an output or several")
    require(outputs != [], f"{WHAT}: an event without outputs")
    _, sides = compared(spec, claim, source, target, coordinate)
    stated = exact_number(p_stated, WHAT), exact_number(q_stated, WHAT)
    events = events_called(spec, [output] if outputs is None else items(outputs, WHAT, str), WHAT)
    require(any(stated == tuple(probability(spec, side, event) for side in sides) for event in events), f"{WHAT}: the probabilities are others")
    require(stated[0] > claim.delta and stated[1] == 0, f"{WHAT}: it is within what is claimed")
    return "by its witness"


def check_witness(spec, claim, witness):
    one, sides, output, order, stated = witness_of(spec, claim, witness)
    if output is not None:
        require_impossible(spec, sides, output, stated)
        return "by its witness"
    p_row, q_row = rows_of(spec, sides)
    # Enclosures would not decide whether 0 exceeds a claim of 0.
    require(p_row != q_row, f"{WHAT}: both sides have the same probabilities")
    require_above(one.bound, order, [(1, Losses.of(p_row, q_row).pairs())])
    return "by its witness"


def require_impossible(spec, sides, output, stated):
    """The output has the stated probabilities, of which the second is 0."""
    stated = exact_number(stated[0], WHAT), exact_number(stated[1], WHAT)
    require(any(stated == tuple(probability(spec, side, [y]) for side in sides) for y in outputs_called(spec, output, WHAT)), f"{WHAT}: the probabilities are others")
    require(stated[0] > 0 and stated[1] == 0, f"{WHAT}: both sides have that output")


def rows_of(spec, sides):
    """The rows of two sides, between which divergences are finite."""
    p_row, q_row = (row_of(spec, side) for side in sides)
    require(all(q != 0 or p == 0 for p, q in zip(p_row, q_row)), f"{WHAT}: no order that is defined")
    return p_row, q_row


def compared(spec, claim, source, target, coordinate, given=None):
    """The comparison that a witness is about, and its two sides."""
    require(given is None or isinstance(given, dict), f"{WHAT}: what is known is no object")
    found = [one for one in of_divergence(spec, claim) if one.about == coordinate]
    require(found, f"{WHAT}: no level is claimed about that")
    one, = found
    sides = one.find(party(source, WHAT), party(target, WHAT), given or {})
    require(sides is not None, f"{WHAT}: inputs that are not compared")
    require(one.bound is not INFINITE, f"{WHAT}: nothing is claimed")
    return one, sides


def witness_of(spec, claim, witness):
    """(comparison, sides, output, order, stated probabilities): with an output, or the order of a divergence."""
    source, target, output, order, p_stated, q_stated, coordinate, given = fields(
        witness, WHAT, "from", "to", optional=("output", "order", "p_from", "p_to", "coordinate", "given"))
    one, sides = compared(spec, claim, source, target, coordinate, given)
    if output is None:
        require(isinstance(order, str) and len(order) < 2000 and re.fullmatch(r"[0-9]+([./][0-9]+)?", order), f"{WHAT}: no order")
        require(Fraction(order) >= 1, f"{WHAT}: no order that is defined")
    return one, sides, output, order, (p_stated, q_stated)


def require_above(bound, order, parts):
    """D_order / order of some parts, which is the mean loss at order 1, exceeds log(bound)."""
    def question(at):
        cumulant, t = Cumulant(at, [[parts]]), Fraction(order) - 1
        shown = cumulant.mean() if t == 0 else at.over(cumulant.cumulant(t), at.of(t * (1 + t)))
        claimed = at.nats(bound)
        return True if shown[0] > claimed[1] else False if shown[1] <= claimed[0] else None
    require(decided(question), f"{WHAT}: the order shows no more than is claimed")
