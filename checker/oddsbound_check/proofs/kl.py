"""KL differential privacy: between neighbors, the mean loss, sum P log(P/Q), is at most epsilon.

The sum is compared with epsilon exactly if both are fractions, and otherwise by enclosures. A witness names two inputs whose
sum is larger, or an output that one side alone has."""
from ..losses import Losses
from ..notions import of_divergence
from ..report import require
from . import divergences
from .averages import exceeds, mean_is
from .witness import WHAT


def obeys(spec, claim):
    return all(divergences.holds_between(spec, claim, one, compared) for one in of_divergence(spec, claim))


def compared(p_row, q_row, bound):
    """Returns the sign of the mean loss minus log(bound). Raises NotProved if no number of digits decides it."""
    terms = [(mass, ratio) for ratio, mass in Losses.of(p_row, q_row).pairs() if ratio != 1]
    if mean_is(terms, bound):
        return 0
    return 1 if exceeds(terms, bound) else -1


def check_witness(spec, claim, witness):
    require(witness.get("order", "1") == "1", f"{WHAT}: a mean loss has the order 1")
    return divergences.check_witness(spec, claim, witness)
