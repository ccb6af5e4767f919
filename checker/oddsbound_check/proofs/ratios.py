"""Two notions about the ratios P(y) / Q(y) of neighbors, by their definitions.

Bounded range: the largest ratio is at most e^epsilon times the smallest one. Probabilistic DP: P gives the outputs whose
ratio exceeds e^epsilon at most the mass delta."""
from fractions import Fraction

from ..certificate import exact_number, fields, items, party
from ..exact import INFINITE, Exact, at_most
from ..notions import of_neighbors
from ..outputs import events_called, outputs_of, unlike_pairs
from ..report import require
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


def compared(spec, claim, source, target, coordinate):
    """The comparison, and its two sides."""
    found = [one for one in of_neighbors(spec, claim) if one.about == coordinate]
    require(found, f"{WHAT}: no level is claimed about that")
    one, = found
    sides = one.find(party(source, WHAT), party(target, WHAT), {})
    require(sides is not None, f"{WHAT}: inputs that are not compared")
    require(one.bound is not INFINITE, f"{WHAT}: nothing is claimed")
    return one, sides


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
    source, target, outputs, p_stated, q_stated = fields(witness, WHAT, "from", "to", "outputs", "p_from", "p_to")
    one, sides = compared(spec, claim, source, target, None)
    p, _ = shown(spec, sides, items(outputs, WHAT, str), (p_stated, q_stated), one.bound)
    require(p > claim.delta, f"{WHAT}: it is within what is claimed")
    return "by its witness"
