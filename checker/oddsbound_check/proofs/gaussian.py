"""Gaussian DP: between neighbors, p <= Phi(Phi^-1(q) + mu) for the masses p and q of every event of largest ratios P / Q.

Phi is the distribution function of the standard normal distribution. The right side is concave in q, so mixtures of two
such tests keep to it if the tests do. A number t with Phi(t) <= q and Phi(t + mu) >= p shows that one event does; one
with Phi(t) >= q and Phi(t + mu) < p shows that it does not. Both are compared as intervals of decimals."""
from decimal import Decimal
from fractions import Fraction
from statistics import NormalDist

from ..certificate import fields, party
from ..decimals import decided
from ..exact import INFINITE
from ..losses import Losses
from ..notions import of_neighbors
from ..outputs import unlike_pairs
from ..report import require
from .divergences import require_impossible, witness_of
from .witness import WHAT

MOST_TERMS = 20000  # of the series


def obeys(spec, claim):
    return all(keeps(spec, one) for one in of_neighbors(spec, claim))


def keeps(spec, one):
    if one.bound is INFINITE:
        return True
    for p_row, q_row in unlike_pairs(spec, one.groups()):
        if any(p != 0 and q == 0 for p, q in zip(p_row, q_row)):
            return False
        if not all(is_within(p, q, one.bound) for p, q in events(Losses.of(p_row, q_row))):
            return False
    return True


def events(losses):
    """(P, Q) of the events of largest ratios, without that of all outputs. All losses are finite."""
    p = q = Fraction(0)
    found = []
    for ratio, mass in sorted(losses.pairs(), key=lambda one: one[0], reverse=True):
        p, q = p + mass, q + mass / ratio
        found.append((p, q))
    return found[:-1]


def is_within(p, q, bound):
    """Whether p <= Phi(Phi^-1(q) + mu), for exp(mu) = bound."""
    if bound == 1:
        return p <= q

    def question(at):
        mu, p_at, q_at = at.nats(bound), at.of(p), at.of(q)
        t = quantile(at, q)
        for near in (at.down.subtract(t, step(at)), at.up.add(t, step(at))):
            start, shifted = cumulative(at, (near, near)), cumulative(at, at.add((near, near), mu))
            if start[1] <= q_at[0] and shifted[0] >= p_at[1]:
                return True
            if start[0] >= q_at[1] and shifted[1] < p_at[0]:
                return False
        return None
    return decided(question)


def step(at):
    return Decimal(10) ** (8 - at.down.prec)


def quantile(at, q):
    """A number near Phi^-1(q): only a guess, by Newton's method from a double."""
    context, target = at.down, at.of(q)[0]
    double = min(max(float(target), 1e-300), 1 - 1e-16)
    t = Decimal(NormalDist().inv_cdf(double))
    for _ in range(at.down.prec.bit_length() + 60):
        density = context.divide(context.exp(context.divide(context.multiply(t, -t), 2)), root_of_two_pi(at)[0])
        change = context.divide(context.subtract(cumulative(at, (t, t))[0], target), density)
        t = context.subtract(t, max(min(change, Decimal(1)), Decimal(-1)))
        if abs(change) < step(at) / 1000:
            break
    return t


def cumulative(at, t):
    """Phi of an interval, as an interval."""
    return at_point(at, t[0])[0], at_point(at, t[1])[1]


def at_point(at, t):
    """1/2 + density(t) (t + t^3/3 + t^5/15 + ...): each term is t^2 / (2k + 1) times the one before, so what is left after
    this quotient is at most 1/2 is at most the last term."""
    if t < 0:
        low, high = at_point(at, t.copy_negate())
        return at.add((Decimal(1), Decimal(1)), (high.copy_negate(), low.copy_negate()))
    point, square = (t, t), at.times((t, t), (t, t))
    term = total = point
    for k in range(1, MOST_TERMS):
        term = at.over(at.times(term, square), at.of(2 * k + 1))
        total = at.add(total, term)
        if square[1] * 2 <= 2 * k + 3 and term[1] <= total[0].scaleb(-at.down.prec):
            break
    else:
        require(False, "more terms of a series are needed")
    total = total[0], at.up.add(total[1], term[1])
    minus_half = at.times(square, (Decimal("-0.5"),) * 2)
    return at.add((Decimal("0.5"),) * 2, at.over(at.times(at.exp(minus_half), total), root_of_two_pi(at)))


def root_of_two_pi(at):
    """sqrt(2 pi), with pi = 16 atan(1/5) - 4 atan(1/239) (Machin): alternating series, whose next term bounds the rest."""
    if not hasattr(at, "two_pi"):
        least, most = Fraction(0), Fraction(0)
        tiny = Fraction(1, 10 ** (at.down.prec + 5))
        for factor, inverse in ((32, 5), (-8, 239)):
            power, k, partial = Fraction(1, inverse), 0, Fraction(0)
            while power > tiny:
                partial += power / (2 * k + 1) * (-1) ** k
                power, k = power / inverse**2, k + 1
            ends = sorted((factor * partial, factor * (partial + power / (2 * k + 1) * (-1) ** k)))
            least, most = least + ends[0], most + ends[1]
        at.two_pi = at.down.sqrt(at.of(least)[0]), at.up.next_plus(at.up.sqrt(at.of(most)[1]))
        at.two_pi = at.down.next_minus(at.two_pi[0]), at.two_pi[1]
    return at.two_pi


def check_witness(spec, claim, witness):
    """Two inputs and an output that one of them alone has."""
    _, sides, output, _, stated = witness_of(spec, claim, witness)
    require(output is not None, f"{WHAT}: no output")
    require_impossible(spec, sides, output, stated)
    return "by its witness"


def check_losses(spec, claim, witness, refuted, neighbors):
    """By the losses of the parts. witness: two inputs of a refuted claim."""
    compared = of_neighbors(spec, claim)
    require(refuted == (witness is not None), f"{WHAT} is one of a claim that is refuted")
    if witness is None:
        require(all(one.bound is INFINITE or kind_is_within(neighbors, kind, one.bound)
                    for one in compared for scope in one.scopes for kind in neighbors.wholes(scope)), "the spec says otherwise")
        return
    source, target, coordinate = fields(witness, WHAT, "from", "to", optional=("coordinate",))
    found = [(one, one.find(party(source, WHAT), party(target, WHAT), {})) for one in compared if one.about == coordinate]
    require(found and all(sides is not None for _, sides in found), f"{WHAT}: inputs that are not compared")
    for one, sides in found:
        assert sides is not None
        kind = neighbors.kind(*(next(iter(side.weights)) for side in sides))
        require(one.bound is not INFINITE and not kind_is_within(neighbors, kind, one.bound), f"{WHAT}: it is within what is claimed")


def kind_is_within(neighbors, kind, bound):
    losses = neighbors.composed(kind)
    return losses.infinite == 0 and all(is_within(p, q, bound) for p, q in events(losses))
