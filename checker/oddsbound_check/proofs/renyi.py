"""Renyi DP of an order a: between neighbors (renyi_dp), or between values or labels under the prior (renyi_bcdp), D_a(P || Q) = log(S) / (a - 1) with S = sum P (P/Q)^(a - 1) is at most epsilon.

S is compared with exp((a - 1) epsilon): by enclosures, and exactly if these meet. A witness names two inputs whose S is
larger, or an output that one side alone has."""
from fractions import Fraction

from ..decimals import Arithmetic
from ..losses import Losses
from ..notions import of_divergence
from ..report import Rejected, require
from .divergences import Cumulant, holds_between, require_impossible, rows_of, witness_of
from .witness import WHAT

DIGITS = (40, 120)  # of enclosures, before numbers are compared exactly


def obeys(spec, claim):
    def sign(p_row, q_row, bound):
        return compared(Losses.of(p_row, q_row).pairs(), claim.order, bound)
    return all(holds_between(spec, claim, one, sign) for one in of_divergence(spec, claim))


def compared(pairs, order, bound):
    """The sign of S - bound^(order - 1). pairs: (P/Q, P)."""
    t = Fraction(order - 1)
    for digits in DIGITS:
        at = Arithmetic(digits)
        try:
            shown, claimed = Cumulant(at, [[[(1, pairs)]]]).cumulant(t), at.times(at.of(t), at.nats(bound))
        except Rejected:  # more digits are needed
            continue
        if shown[0] > claimed[1]:
            return 1
        if shown[1] < claimed[0]:
            return -1
    found, most = sum((mass * ratio ** (order - 1) for ratio, mass in pairs), Fraction(0)), bound ** (order - 1)
    return 0 if found == most else 1 if found > most else -1


def check_witness(spec, claim, witness):
    one, sides, output, order, stated = witness_of(spec, claim, witness)
    if output is not None:
        require_impossible(spec, sides, output, stated)
        return "by its witness"
    require(Fraction(order) == claim.order, f"{WHAT}: another order than the claim's")
    p_row, q_row = rows_of(spec, sides)
    require(compared(Losses.of(p_row, q_row).pairs(), claim.order, one.bound) > 0, f"{WHAT}: the order shows no more than is claimed")
    return "by its witness"
