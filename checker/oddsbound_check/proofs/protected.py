"""Utility-optimized LDP, by its definition. Every input gives a protected output y a probability of at most e^epsilon times
that of any other input. Only one input, which is not sensitive, can have an output that is not protected.

If a claim names no protected outputs, those that must be protected are."""
from fractions import Fraction

from ..certificate import exact_number, fields, party
from ..exact import INFINITE, Exact, at_most
from ..notions import BetweenInputs
from ..outputs import events_called, outputs_of, require_enumerable
from ..report import require
from .witness import WHAT


def obeys(spec, claim):
    found = level(spec, claim)
    bound = claim.levels[None]
    return at_most(found, bound) and (not claim.tight or at_most(bound, found))


def level(spec, claim):
    """The largest quotient."""
    require_enumerable(spec)
    sensitive = {spec.own_domain.line(x) for x in claim.sensitive}
    named = None if claim.protected is None else set(claim.protected)
    largest = Fraction(1)
    for label, *column in zip(spec.outputs, *spec.rows):
        possible = [x for x, p in enumerate(column) if p != 0]
        if not possible:
            continue
        may_reveal = len(possible) == 1 and possible[0] not in sensitive
        if may_reveal if named is None else label not in named:
            if not may_reveal:
                return INFINITE
            continue
        if len(possible) < len(column):
            return INFINITE
        own = {id(p): p for p in column}.values()
        most, least = max(own), min(own)
        if most > largest * least:
            largest = (most if isinstance(most, Exact) else Fraction(most)) / least
    return largest


def check_witness(spec, claim, witness):
    source, target, output, p_stated, q_stated, also, unprotected = fields(
        witness, WHAT, "from", "to", "output", "p_from", "p_to", optional=("also", "unprotected"))
    require(unprotected in (None, True), f"{WHAT}: 'unprotected' is true, or left out")
    bound = claim.levels[None]
    require(bound is not INFINITE, f"{WHAT}: nothing is claimed")
    inputs = [(input_of(spec, claim, source), exact_number(p_stated, WHAT)), (input_of(spec, claim, target), exact_number(q_stated, WHAT))]
    if also is not None:
        who, p_also = fields(also, f"{WHAT}: 'also'", "input", "p")
        inputs.append((input_of(spec, claim, who), exact_number(p_also, WHAT)))
    events = events_called(spec, [output], WHAT)
    require(any(all(outputs_of(spec).of_side(side, event[0])[0] == p for side, p in inputs) for event in events), f"{WHAT}: the probabilities are others")
    possible = {side.label for side, p in inputs if p > 0}
    must_be = len(possible) > 1 or any(x in claim.sensitive for x in possible)
    p, q = inputs[0][1], inputs[1][1]
    if unprotected:
        require(claim.protected is not None and output not in claim.protected, f"{WHAT}: the output is protected")
        require(must_be, f"{WHAT}: the output need not be protected")
    else:
        require(must_be if claim.protected is None else output in claim.protected, f"{WHAT}: the output is not protected")
        require(p > bound * q, f"{WHAT}: it is within what is claimed")
    return "by its witness"


def input_of(spec, claim, name):
    """An input as a side."""
    own = party(name, WHAT)
    require(isinstance(own, tuple) and spec.own_domain.has(own), f"{WHAT}: there is no such input")
    return BetweenInputs(spec, None, claim.levels[None], list, lambda x, z: True).side(spec.given(list(own)))
