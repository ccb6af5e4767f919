"""Notions about the ratios P(y) / Q(y) of neighbors, by their definitions.

Bounded range: the largest ratio is at most e^epsilon times the smallest one. Probabilistic DP: P gives the outputs whose
ratio exceeds e^epsilon at most the mass delta. f-DP: a test that takes an output for one of Q errs with the probabilities
a under P and b under Q, and b >= f(a) - delta. The best tests take the outputs with the smallest ratios. Between two of
these the best b is linear in a, and f is convex, so that these tests are enough. f(a) <= 1 - a, which is what equal rows
reach."""
from fractions import Fraction
from typing import Any

from ..certificate import exact_number, fields, items
from ..exact import INFINITE, Exact, at_most, written
from ..notions import of_neighbors
from ..outputs import events_called, outputs_of, unlike_pairs
from ..report import require
from .divergences import compared
from .witness import WHAT


def range_obeys(spec, claim):
    return all(keeps_range(spec, one, claim.tight) for one in of_neighbors(spec, claim))


def keeps_range(spec, one, tight):
    widest = Fraction(1)
    for p_row, q_row in unlike_pairs(spec, one.groups()):
        found = range_of(p_row, q_row)
        if not at_most(found, widest):
            widest = found
    return at_most(widest, one.bound) and (not tight or at_most(one.bound, widest))


def range_of(p_row, q_row):
    """The quotient of the largest and the smallest ratio."""
    entries = {(id(p), id(q)): (p, q) for p, q in zip(p_row, q_row) if p != 0 or q != 0}.values()
    if any(p == 0 or q == 0 for p, q in entries):
        return INFINITE
    ratios = [(p if isinstance(p, Exact) else Fraction(p)) / q for p, q in entries]
    return max(ratios) / min(ratios)


def tail_obeys(spec, claim):
    one, = of_neighbors(spec, claim)
    most = Fraction(0)
    for p_row, q_row in unlike_pairs(spec, one.groups()) if one.bound is not INFINITE else ():
        most = max(most, sum((p for p, q in zip(p_row, q_row) if p > one.bound * q), Fraction(0)))
    return most == claim.delta if claim.tight else most <= claim.delta


def curve_obeys(spec, claim):
    one, = of_neighbors(spec, claim)
    most = Fraction(0)
    for p_row, q_row in unlike_pairs(spec, one.groups()):
        most = max(most, *(height(claim.curve, a) - b for a, b in best_tests(p_row, q_row)))
    return most == claim.delta if claim.tight else most <= claim.delta


def best_tests(p_row, q_row):
    """(a, b) of the tests that take the outputs with P / Q up to some ratio for outputs of Q, from none to all."""
    entries = dict[Any, list[Any]]()
    for p, q in zip(p_row, q_row):
        if p != 0 or q != 0:
            ratio = INFINITE if q == 0 else (p if isinstance(p, Exact) else Fraction(p)) / q
            own = entries.setdefault(None if ratio is INFINITE else written(ratio), [ratio, Fraction(0), Fraction(0)])
            own[1], own[2] = own[1] + p, own[2] + q
    never = entries.pop(None, None)
    a, b = Fraction(0), Fraction(1)
    found = [(a, b)]
    for _, p, q in sorted(entries.values(), key=lambda own: own[0]) + ([never] if never else []):
        a, b = a + p, b - q
        found.append((a, b))
    return found


def height(curve, x):
    """f(x)."""
    for (left, high), (right, low) in zip(curve, curve[1:]):
        if x <= right:
            return high + (low - high) * (x - left) / (right - left)
    return Fraction(0)


def shown(spec, sides, labels, stated, above=None):
    """The stated probabilities of an event, which are those of the spec. above: a number that the ratio of each of its
    outputs must exceed."""
    stated = tuple(exact_number(text, WHAT) for text in stated)
    for event in events_called(spec, labels, WHAT):
        both = [tuple(outputs_of(spec).of_side(side, output)[0] for side in sides) for output in event]
        own = tuple(sum((one[k] for one in both), Fraction(0)) for k in (0, 1))
        if own == stated and (above is None or all(p > above * q for p, q in both)):
            return stated
    require(False, f"{WHAT}: the probabilities are others")


def event_of(spec, claim, witness, each=False):
    """The comparison, and the probabilities of the outputs that the witness names. each: the ratio of each of them exceeds
    what is claimed."""
    source, target, p_stated, q_stated, output, outputs = fields(witness, WHAT, "from", "to", "p_from", "p_to", optional=("output", "outputs"))
    require((output is None) != (outputs is None), f"{WHAT}: either an output or several")
    one, sides = compared(spec, claim, source, target, None)
    labels = [output] if outputs is None else items(outputs, WHAT, str)
    return one, *shown(spec, sides, labels, (p_stated, q_stated), one.bound if each else None)


def check_test(spec, claim, witness):
    """The outputs of a test. It takes them for outputs of `from`, or all others for outputs of `to`."""
    _, p, q = event_of(spec, claim, witness)
    require(any(height(claim.curve, a) - b > claim.delta for a, b in ((q, 1 - p), (1 - p, q))), f"{WHAT}: it is within what is claimed")
    return "by its witness"


def check_range(spec, claim, witness):
    """Two outputs; or one, if one side alone has it."""
    source, target, output, p_stated, q_stated, lowest, coordinate = fields(
        witness, WHAT, "from", "to", "output", "p_from", "p_to", optional=("lowest", "coordinate"))
    one, sides = compared(spec, claim, source, target, coordinate)
    p, q = shown(spec, sides, [output], (p_stated, q_stated))
    if lowest is None:
        require(p > 0 and q == 0, f"{WHAT}: an output that both inputs have")
        return "by its witness"
    other, *stated = fields(lowest, WHAT, "output", "p_from", "p_to")
    low_p, low_q = shown(spec, sides, [other], stated)
    require(p * low_q > one.bound * (q * low_p), f"{WHAT}: it is within what is claimed")
    return "by its witness"


def check_tail(spec, claim, witness):
    """Outputs whose ratios exceed e^epsilon."""
    _, p, _ = event_of(spec, claim, witness, each=True)
    require(p > claim.delta, f"{WHAT}: it is within what is claimed")
    return "by its witness"
