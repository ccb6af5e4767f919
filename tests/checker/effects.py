"""Effects of outputs on odds, and averages over outputs, by plain loops."""
from decimal import Decimal

from oddsbound_check.exact import QUICK, quick
from oddsbound_check.expression import number

ZERO = 0
NEAR = Decimal("1e-30")


def joint(spec, groups):
    """P(group and output) as [group][output], and P(group)."""
    outputs = range(len(spec.outputs))
    masses = [sum((spec.prior[x] for x in group), ZERO) for group in groups]
    return [[sum((spec.prior[x] * spec.rows[x][y] for x in group), ZERO) for y in outputs] for group in groups], masses


def information(table, masses):
    """In nats, as a decimal; None if decimals are not precise enough."""
    total = Decimal(0)
    columns = [sum((row[y] for row in table), ZERO) for y in range(len(table[0]))]
    for row, mass in zip(table, masses):
        for p, output in zip(row, columns):
            if p == 0:
                continue
            share, odds = quick(p), quick(p / mass / output)
            if share is None or odds is None:
                return None
            total = QUICK.add(total, QUICK.multiply(share, QUICK.ln(odds)))
    return total


class Effects:
    """The faults in the `effects` of a result; the groups of a coordinate are its values."""

    def __init__(self, spec, effects):
        self.spec, self.effects, self.problems = spec, effects, []

    def expect(self, condition, what):
        if not condition:
            self.problems.append(f"effects: {what}")

    def run(self):
        s = self.spec
        self.expect("without" not in self.effects, "something is missing")
        self.average(self.effects["record"], [[x] for x in range(len(s.inputs))], "record")
        self.expect("total_variation" not in self.effects["record"], "record")
        for i, (name, values) in enumerate(s.domain):
            self.attribute(self.effects["attributes"][name], values, s.value_groups(i), name)
        return self.problems

    def attribute(self, found, values, groups, name):
        table, masses = joint(self.spec, groups)
        self.expect(found["value"] in values, f"{name}: value")
        k = values.index(found["value"])
        self.expect(number(found["prior"]) == masses[k], f"{name}: prior")
        columns = [sum((row[y] for row in table), ZERO) for y in range(len(self.spec.outputs))]
        for kind in ("worst", "frequent"):
            y = self.spec.outputs.index(found[kind]["output"])
            self.expect(number(found[kind]["probability"]) == columns[y], f"{name}: {kind}: probability")
            self.expect(number(found[kind]["posterior"]) == table[k][y] / columns[y], f"{name}: {kind}: posterior")
        self.expect(all(number(found["frequent"]["probability"]) >= p for p in columns), f"{name}: there is a more frequent output")
        self.average(found["average"], groups, name)
        given = [[p / mass for p in row] for row, mass in zip(table, masses) if mass != 0]
        farthest = max(sum((p - q for p, q in zip(a, b) if p > q), ZERO) for a in given for b in given)
        self.expect(number(found["average"]["total_variation"]) == farthest, f"{name}: total variation")
        rows = list(zip(*given))
        infinite = any(p != 0 and q == 0 for row in rows for p in row for q in row)
        self.expect((found["level"]["epsilon"] == "inf") == infinite, f"{name}: whether the level is infinite")
        if not infinite:
            largest = max([p / q for row in rows for p in row for q in row if q != 0], default=1)
            self.expect(number(found["level"]["exp"]) == largest, f"{name}: level")

    def average(self, found, groups, name):
        table, masses = joint(self.spec, groups)
        before = max(masses)
        after = sum((max(row[y] for row in table) for y in range(len(self.spec.outputs))), ZERO)
        self.expect(number(found["guess_before"]) == before and number(found["guess_after"]) == after, f"{name}: guesses")
        self.expect(number(found["bayes_leakage"]) == after / before, f"{name}: leakage")
        lower, upper = (Decimal(found["information"][key]) for key in ("lower", "upper"))
        true = information(table, masses)
        self.expect(true is None or lower - NEAR <= true <= upper + NEAR, f"{name}: information {true} is not in {lower} .. {upper}")
        self.expect(upper - lower <= upper * Decimal("1e-12"), f"{name}: decimals too far apart")
