"""KL differential privacy by its definition: the sum of P log(P/Q) over outputs, in decimals far finer than the claims.

Written independently of the tool: no parts, no loss distributions, no comparison of sums."""
from decimal import Decimal, localcontext
from fractions import Fraction

from averages import EQUAL, near
from divergence import Divergence, distinct, infinite_problems
from oddsbound_check.exact import INFINITE, QUICK, quick
from oddsbound_check.expression import level


def mean_loss(p, q):
    """In nats; INFINITE if P has an output that Q lacks."""
    if any(a != 0 and b == 0 for a, b in zip(p, q)):
        return INFINITE
    with localcontext(QUICK):
        return sum((quick(a) * (quick(a) / quick(b)).ln() for a, b in zip(p, q) if a != 0), Decimal(0))


class MeanLoss(Divergence):
    """kl_dp. Its numbers are decimals; a difference below EQUAL counts as 0."""

    may_be_tight = True

    def true(self, spec, pairs, claim):
        found = [mean_loss(p, q) for p, q in distinct(spec, pairs)]
        return INFINITE if INFINITE in found else max(found, default=Decimal(0))

    def above(self, spec, text, true):
        """The true mean loss minus the claimed one; 0 if they are equal."""
        claimed = spec.level(text)
        if INFINITE in (claimed, true):
            return Decimal(0) if claimed is true else Decimal(1) if true is INFINITE else Decimal(-1)
        difference = QUICK.subtract(true, QUICK.ln(near(claimed)))
        return Decimal(0) if abs(difference) < EQUAL else difference

    def differences(self, spec, claim):
        return [self.above(spec, self.texts(claim)[name], true) for name, true in self.measured(spec, claim).items()]

    def holds(self, spec, claim):
        return all(difference <= 0 for difference in self.differences(spec, claim))

    def is_least(self, spec, claim):
        return all(difference == 0 for difference in self.differences(spec, claim))

    def exceeds(self, spec, claim, true, level):
        return self.above(spec, level, true) > 0

    def locked(self, true, claim):
        return INFINITE if true is INFINITE else Decimal(f"{true:.12e}")

    def near_true(self, spec, claim, random):
        """The true level if it is the logarithm of a small fraction, otherwise a decimal next to it."""
        true = self.measured(spec, claim)[None]
        if true is INFINITE:
            return "inf"
        simple = Fraction(QUICK.exp(true)).limit_denominator(1000)
        if abs(QUICK.subtract(QUICK.ln(quick(simple)), true)) < EQUAL:
            return f"log({simple})"
        last = Decimal(random.choice(["1e-30", "1e-3"]))
        return f"{max(Decimal(0), QUICK.add(QUICK.quantize(true, last), random.choice([-last, last]))):f}"

    def problems(self, checker, claim, found, true, pairs, what):
        with localcontext(QUICK):
            return self.problems_in_decimals(checker, found, true, pairs)

    def problems_in_decimals(self, checker, found, true, pairs):
        spec, witness = checker.spec, found["witness"]
        a, b = (spec.inputs.index(tuple(witness[side])) for side in ("from", "to"))
        if (a, b) not in pairs and not (a == b and true == 0):
            return ["the witness's inputs are not compared"]
        if true is INFINITE:
            return infinite_problems(spec, found, spec.rows[a], spec.rows[b])
        if set(witness) - {"coordinate"} != {"from", "to", "order"} or witness["order"] != "1":
            return [f"the witness {witness}"]
        wrong = [] if abs(mean_loss(spec.rows[a], spec.rows[b]) - true) < EQUAL else ["the witness does not attain the largest mean loss"]
        lower, upper = Decimal(found["lower"]), Decimal(found["upper"])
        ends = [found[key]["epsilon"] for key in ("at_least", "at_most")] if "at_most" in found else [found["epsilon"]] * 2
        least, most = (QUICK.ln(quick(level(end))) for end in ends)
        if not lower - EQUAL <= least <= true + EQUAL or not true - EQUAL <= most <= upper + EQUAL:
            wrong.append(f"{ends} in {lower} .. {upper} do not enclose {true}")
        if upper - lower > upper * Decimal("1e-12"):
            wrong.append("decimals too far apart")
        return wrong
