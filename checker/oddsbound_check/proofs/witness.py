"""A witness refutes a claim: outputs that are too much more likely given one side than given another that is compared
with it. The same, with equality, shows that a tight claim attains its level.

Nothing is enumerated: both sides and the outputs are found by their names."""
from ..certificate import exact_number, fields, items, party
from ..exact import INFINITE
from ..notions import compared_by, named_pair
from ..outputs import events_called, outputs_of
from ..report import require

WHAT = "the witness"


def shown_by(spec, claim, witness, named=False):
    """(comparison, p, q) for everything that the witness may be about: its probabilities, compared with the spec's.
    named: the coordinate must be named."""
    _, _, p_stated, q_stated, output, outputs, given, coordinate = fields(
        witness, WHAT, "from", "to", "p_from", "p_to", optional=("output", "outputs", "given", "coordinate"))
    require((output is None) != (outputs is None), f"{WHAT}: either an output or several")
    require(given is None or isinstance(given, dict), f"{WHAT}: what is known is no object")
    events = events_called(spec, [output] if outputs is None else items(outputs, WHAT, str), WHAT)
    stated = exact_number(p_stated, WHAT), exact_number(q_stated, WHAT)
    source, target = party(witness["from"], WHAT), party(witness["to"], WHAT)
    found, compared = [], False
    for one in named_pair(spec, claim, source, target):
        # Values of two coordinates may have the same name: each comparison has its own probabilities.
        sides = one.find(source, target, given or {}) if coordinate == one.about or (coordinate is None and not named) else None
        if sides is not None:
            compared = True
            if any(stated == tuple(probability(spec, side, event) for side in sides) for event in events):
                found.append((one, *stated))
    require(compared, f"{WHAT}: sides that are not compared")
    require(found, f"{WHAT}: the probabilities are others")
    return found


def probability(spec, side, event):
    joint, mass = zip(*(outputs_of(spec).of_side(side, output) for output in event))
    return sum(joint[1:], joint[0]) / mass[0]


def exceeds(one, p, q):
    if one.bound is INFINITE:
        return False
    return p > (one.bound * q if one.delta is None else one.bound * q + one.delta)


def check(spec, claim, witness):
    require(any(exceeds(*shown) for shown in shown_by(spec, claim, witness)), f"{WHAT}: it is within what is claimed")
    return "by its witness"


def attains(p, q, bound):
    """0 equals any multiple of 0, but attains nothing."""
    return p > 0 and (q == 0 if bound is INFINITE else p == bound * q)


def check_attained(spec, claim, witnesses):
    """Every level above 0 has a witness that attains it."""
    left = {one.about for one in compared_by(spec, claim) if one.bound is INFINITE or one.bound != 1}
    for witness in items(witnesses, "what attains the levels", dict):
        attained = {one.about for one, p, q in shown_by(spec, claim, witness, named=True) if one.delta is None and attains(p, q, one.bound)}
        require(attained, "a level is not attained")
        left -= attained
    require(not left, "what attains a level is missing")
