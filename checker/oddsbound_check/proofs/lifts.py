"""The (epsilon, delta) form of pointwise maximal leakage: the outputs y with P(y given s) > e^epsilon P(y) for some value s
have the probability delta together, at most.

A witness names such outputs whose probability exceeds delta."""
from fractions import Fraction

from ..certificate import exact_number, fields, items, party
from ..exact import INFINITE
from ..notions import NOTHING, AgainstEveryone, of_lifts
from ..outputs import events_called, outputs_of, require_enumerable, row_of
from ..report import require
from .witness import WHAT


def tail_obeys(spec, claim):
    one, = of_lifts(spec, claim)
    found = Fraction(0) if one.bound is INFINITE else tail(spec, one)
    return found == claim.delta if claim.tight else found <= claim.delta


def tail(spec, one):
    require_enumerable(spec)
    everyone, rows = row_of(spec, one.everyone), {id(row): row for row in (row_of(spec, side) for side in one.sides[NOTHING].values())}.values()
    columns = zip(everyone, *rows)
    return sum((mass for mass, *likely in columns if any(p > one.bound * mass for p in likely)), Fraction(0))


def check_tail(spec, claim, witness):
    source, target, p_stated, q_stated, output, outputs, coordinate = fields(
        witness, WHAT, "from", "to", "p_from", "p_to", optional=("output", "outputs", "coordinate"))
    require((output is None) != (outputs is None), f"{WHAT}: either an output or several")
    one, = of_lifts(spec, claim)
    require(party(source, WHAT) == party(target, WHAT) == AgainstEveryone.EVERYONE, f"{WHAT}: its sides are not everyone")
    require(coordinate == one.about, f"{WHAT}: it is about something else")
    require(one.bound is not INFINITE, f"{WHAT}: nothing is claimed")
    stated = exact_number(p_stated, WHAT)
    require(stated == exact_number(q_stated, WHAT), f"{WHAT}: an event with two probabilities")
    labels = [output] if outputs is None else items(outputs, WHAT, str)
    require(any(stated == mass_of(spec, one, event) for event in events_called(spec, labels, WHAT)), f"{WHAT}: the probability is another, or an output has a small lift")
    require(stated > claim.delta, f"{WHAT}: it is within what is claimed")
    return "by its witness"


def mass_of(spec, one, event):
    """The probability of the event; None if one of its outputs makes no value more than e^epsilon times as likely."""
    total = Fraction(0)
    for output in event:
        joint, mass = outputs_of(spec).of_side(one.everyone, output)
        found = [outputs_of(spec).of_side(side, output) for side in one.sides[NOTHING].values()]
        if not any(own * mass > one.bound * (joint * weight) for own, weight in found):
            return None
        total = total + joint / mass
    return total
