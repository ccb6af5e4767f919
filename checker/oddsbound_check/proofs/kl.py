"""KL differential privacy: between neighbors, the mean loss, sum P log(P/Q), is at most epsilon.

The sum is compared with epsilon by enclosures, and exactly where both are fractions. A witness names two inputs whose sum is
larger, or an output that one side alone has."""
from decimal import Decimal

from ..decimals import decided
from ..exact import INFINITE
from ..losses import Losses
from ..notions import of_divergence
from ..outputs import unlike_pairs
from ..report import require
from . import divergences
from .averages import mean_is
from .witness import WHAT


def obeys(spec, claim):
    return all(keeps(spec, claim, one) for one in of_divergence(spec, claim))


def keeps(spec, claim, one):
    """Whether the level holds, and, if the claim is tight, no smaller one does."""
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
                continue  # a mean is at most the largest loss
            side = compared(p_row, q_row, bound)
            if side > 0:
                return False
            attained = attained or side == 0
    return not claim.tight or attained or (bound is not INFINITE and bound == 1)


def compared(p_row, q_row, bound):
    """The sign of the mean loss minus log(bound). Raises NotProved if no number of digits tells them apart."""
    terms = [(mass, ratio) for ratio, mass in Losses.of(p_row, q_row).pairs() if ratio != 1]
    if mean_is(terms, bound):
        return 0
    signs = []

    def question(at):
        total, nats = (Decimal(0), Decimal(0)), at.nats(bound)
        for mass, ratio in terms:
            total = at.add(total, at.times(at.of(mass), at.ln(at.of(ratio))))
        if total[0] > nats[1]:
            signs.append(1)
        elif total[1] < nats[0]:
            signs.append(-1)
        return True if signs else None
    decided(question)
    return signs[0]


def check_witness(spec, claim, witness):
    require(witness.get("order", "1") == "1", f"{WHAT}: a mean loss has the order 1")
    return divergences.check_witness(spec, claim, witness)
