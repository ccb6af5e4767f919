"""approximate_dp and zcdp of products whose outputs are too many to go through: from the loss distributions of the parts.
Also ldp and cdp, if parts are families whose pairs of different inputs all have the same losses (Mechanism.pair): then
inputs may be too many, too.

The certificate states nothing but two inputs of a refuted claim: everything is computed from the spec. A claim that
holds, or that is refuted because a smaller delta holds, is decided for the kinds of all pairs of inputs that are compared.
"""
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, prod

from .. import loss_bounds
from ..certificate import fields, party
from ..decimals import Arithmetic
from ..exact import INFINITE, at_most, compare
from ..losses import Neighbors, powered
from ..notions import of_neighbors
from ..report import NotProved, require, require_feasible
from . import divergences, gaussian
from .witness import WHAT

MORE_BITS, TAIL_BITS, MOST_BITS = 96, 30, 4096  # of masses beyond those of delta; that a mass which may move is below delta; of masses
FINER = ((4, 64), (5, 128), (6, 256), (7, 512), (9, 1024), (11, 1024))  # fineness of ratios, atoms
neighbors_of = lru_cache(maxsize=4)(Neighbors)  # of a spec


def check(spec, claim, witness, refuted, by_classes=False):
    """by_classes: of families that have a class of pairs, no rows are used."""
    notions = ("approximate_dp", "zcdp", "ldp", "cdp") if by_classes else ("approximate_dp", "zcdp", "gaussian_dp")
    require(claim.notion in notions and not spec.free, "loss distributions say nothing about that")
    require(claim.for_all is None, "loss distributions say nothing about sets of priors")
    # Two inputs that refute a claim are compared as they are; a claim that holds would need all given pairs.
    require(claim.pairs is None or (refuted and claim.notion == "gaussian_dp" and witness is not None), "loss distributions say nothing about given pairs")
    neighbors = neighbors_of(spec, by_classes)
    if claim.notion in ("ldp", "cdp"):
        check_levels(spec, claim, witness, refuted, neighbors)
    elif claim.notion == "gaussian_dp":
        gaussian.check_losses(spec, claim, witness, refuted, neighbors)
    elif claim.notion == "approximate_dp":
        check_delta(spec, claim, witness, refuted, neighbors)
    elif refuted:
        require(witness is not None, "a divergence without a witness")
        one, sides, output, order, _ = divergences.witness_of(spec, claim, witness)
        require(output is None, f"{WHAT}: an output, which is a proof of its own")
        parts = [(count, neighbors.losses[number]) for number, count in kind_of(neighbors, sides)]
        require(parts, f"{WHAT}: both sides have the same probabilities")
        require(all(losses.infinite == 0 for _, losses in parts), f"{WHAT}: no order that is defined")
        divergences.require_above(one.bound, order, [(count, losses.pairs()) for count, losses in parts])
    else:
        require(witness is None, f"{WHAT} is one of a claim that is refuted")
        require(all(keeps(neighbors, one) for one in of_neighbors(spec, claim)), "the spec says otherwise")
    return "by classes of pairs of inputs" if by_classes else "by the losses of its parts"


# ldp and cdp

def check_levels(spec, claim, witness, refuted, neighbors):
    compared = of_neighbors(spec, claim)
    if witness is not None:
        source, target, coordinate = fields(witness, WHAT, "from", "to", optional=("coordinate",))
        require(refuted, f"{WHAT} is one of a claim that is refuted")
        found = [(one, one.find(party(source, WHAT), party(target, WHAT), {})) for one in compared if one.about == coordinate]
        require(found and all(sides is not None for _, sides in found), f"{WHAT}: inputs that are not compared")
        require(any(not at_most(quotient(neighbors, kind_of(neighbors, sides)), one.bound) for one, sides in found), f"{WHAT}: it is within what is claimed")
        return
    found = [(largest(neighbors, one), one.bound) for one in compared]
    holds = all(at_most(own, bound) for own, bound in found)
    attained = holds and all(at_most(bound, own) for own, bound in found)
    require(not refuted or (claim.tight and holds and not attained), f"{WHAT} is missing, which shows more than is claimed")
    require(refuted or (attained if claim.tight else holds), "the spec says otherwise")


def quotient(neighbors, kind):
    """The largest quotient of probabilities of an output of all parts."""
    parts = neighbors.parts_of(kind)
    if any(losses.infinite != 0 for losses, _ in parts):
        return INFINITE
    return prod((powered(max(ratio for ratio, _ in losses.pairs()), count, lambda a, b: a * b) for losses, count in parts), start=Fraction(1))


def largest(neighbors, one):
    """Of all pairs of inputs that are compared. Sets of coordinates that parts see together are independent."""
    most = Fraction(1)
    for scope in one.scopes:
        found = [[quotient(neighbors, kind) for kind in kinds] for kinds in neighbors.choices(scope)]
        own = INFINITE if any(INFINITE in kinds for kinds in found) else prod(map(max, found), start=Fraction(1))
        most = own if not at_most(own, most) else most
    return most


def kind_of(neighbors, sides):
    """The kind of two inputs."""
    return neighbors.kind(*(next(iter(side.weights)) for side in sides))


# approximate_dp

def check_delta(spec, claim, witness, refuted, neighbors):
    one, = of_neighbors(spec, claim)
    if witness is not None:
        source, target = fields(witness, WHAT, "from", "to")
        require(refuted, f"{WHAT} is one of a claim that is refuted")
        sides = one.find(party(source, WHAT), party(target, WHAT), {})
        require(sides is not None, f"{WHAT}: inputs that are not compared")
        require(one.bound is not INFINITE and sign(neighbors, kind_of(neighbors, sides), one.bound, claim.delta) > 0, f"{WHAT}: it is within what is claimed")
        return
    # The delta of an input against itself is 0.
    kinds = dict.fromkeys(kind for scope in one.scopes for kind in neighbors.wholes(scope)) if one.bound is not INFINITE else ()
    signs = {compare(0, claim.delta), *(sign(neighbors, kind, one.bound, claim.delta, claim.tight) for kind in kinds)}
    holds = max(signs) == 0 if claim.tight else max(signs) <= 0
    require(not refuted or (claim.tight and max(signs) < 0), f"{WHAT} is missing, which shows more than is claimed")
    require(refuted or holds, "the spec says otherwise")


def sign(neighbors, kind, bound, delta, tight=False):
    """Of delta - claimed delta: exactly if that is quick, otherwise by bounds, and exactly if these do not decide it."""
    parts = neighbors.parts_of(kind)
    if is_within(parts, bound):
        return compare(0, delta)

    def quickly():
        return compare(neighbors.composed(kind, quickly=True).excess(bound), delta)

    def exactly():
        return compare(neighbors.composed(kind).excess(bound), delta)

    def bounded():
        return by_bounds(parts, bound, delta)
    first, second = (exactly, bounded) if tight else (bounded, exactly)
    for decide in (quickly, first):
        try:
            return decide()
        except NotProved:
            continue
    return second()


def is_within(parts, bound):
    """True if the largest ratio of all parts together is at most the bound: then delta is 0."""
    if any(losses.infinite != 0 for losses, _ in parts):
        return False
    largest, at = [(max(ratio for ratio, _ in losses.pairs()), count) for losses, count in parts], Arithmetic(40)
    total = Decimal(0), Decimal(0)
    for ratio, count in largest:
        total = at.add(total, at.times(at.of(count), at.nats(ratio)))
    return total[0] <= at.nats(bound)[1] and at_most(prod(powered(ratio, count, lambda a, b: a * b) for ratio, count in largest), bound)


def by_bounds(parts, bound, delta):
    """The sign if bounds decide it."""
    numbers = loss_bounds.Numbers(64)
    bits = MORE_BITS + (ceil(-numbers.log(delta)) if delta != 0 else 0)
    require_feasible(bits <= MOST_BITS, "a delta that is too small")
    tail = loss_bounds.Numbers(bits).down(delta) >> TAIL_BITS
    for fineness, most in FINER:
        if loss_bounds.at_most(parts, bound, bits, fineness, tail) < delta:
            return -1
        if loss_bounds.at_least(parts, bound, bits, most) > delta:
            return 1
    raise NotProved("bounds of delta do not decide it")


# zcdp

def keeps(neighbors, one):
    """K of a pair of inputs is the sum of those of its parts (divergences.py)."""
    if one.bound is INFINITE:
        return True
    found = []
    for scope in one.scopes:
        choices = neighbors.choices(scope)
        if any(neighbors.losses[number].infinite != 0 for own in choices for kind in own for number, _ in kind):
            return False
        found.append([[[(count, neighbors.losses[number].pairs()) for number, count in kind] for kind in own] for own in choices])
    return all(divergences.are_at_most(one.bound, choices) for choices in found if choices)
