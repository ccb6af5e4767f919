"""Checks a certificate of a search over outputs (docs/certificates.md) against the spec alone.

Parts, rows, outputs and losses are derived from the spec, and every inequality is checked in integers rounded to the
safe side.

certificate_search.py SPEC CERTIFICATE [--coordinate NAME]
  A line per coordinate. Exit status 0: the bounds of every coordinate are proved (of NAME with --coordinate); 1: a
  proof is rejected, and the failing leaf is named; 2: the spec or the certificate cannot be read; 3: a coordinate has
  no proof, or there is none.
"""
import argparse
import os
import sys
from fractions import Fraction

from .intervals import Enclosures, scaled
from .outcomes import ACCEPTED, NOT_PROVED, Rejected, require, status_of, status_of_lines
from .parts import Parts
from .proof_steps import Step
from .strict_json import fields, items, nats, place_in, read
from .strict_spec import checked

PRECISIONS = (96, 768, 6144)  # bits; more are tried if fewer do not show an inequality
MOST_KEPT = 4 * 10**6  # numbers of the kernel; others are computed when needed


class NotShown(Rejected):
    """An inequality that does not hold within the precision."""


class Tree:
    """The rows grouped by what the remaining steps see of them ("kinds", in order of their classes), and checks of
    tree nodes."""

    def __init__(self, steps, groups, upper, bits):
        """groups: {value: {kind at the root: fraction as an interval}}."""
        self.steps, self.bits = steps, bits
        enclosures = Enclosures(2 * bits)
        for step in steps:
            step.measure(enclosures, bits)
        self.enclosures = enclosures
        self.most = int(enclosures.exp(upper)[0] * (1 << bits))  # e^upper, rounded down
        self.above = int(enclosures.exp(upper)[1] * (1 << bits)) + 1
        kinds = sorted({kind for group in groups.values() for kind in group})
        self.layers = []  # per depth: [(class in the next step, kind at the next depth)]
        ends = scaled([enclosures.of(group.get(kind, 0)) for group in groups.values() for kind in kinds], bits)
        self.root = {value: ends[k * len(kinds):(k + 1) * len(kinds)] for k, value in enumerate(groups)}
        for _ in steps:
            after = sorted({kind[1:] for kind in kinds})
            place = {kind: k for k, kind in enumerate(after)}
            self.layers.append([(kind[0], place[kind[1:]]) for kind in kinds])
            kinds = after
        self.kernel, self.room = {(len(steps), 0): [1 << bits]}, MOST_KEPT

    def kept(self, depth, r):
        """exp(-loss) from kind r to every kind over the remaining steps, rounded down."""
        if (depth, r) in self.kernel:
            return self.kernel[depth, r]
        own, following = self.layers[depth][r]
        least, after, bits = self.steps[depth].least[own], self.kept(depth + 1, following), self.bits
        row = [least[c] * after[s] >> bits for c, s in self.layers[depth]]
        if self.room >= len(row):
            self.room -= len(row)
            self.kernel[depth, r] = row
        return row

    def fixed(self, depth, weights, column):
        layer, size = self.layers[depth], 1 + max(s for _, s in self.layers[depth])
        result, most = {}, 0
        for value, ends in weights.items():
            low, high = [0] * size, [0] * size
            for (own, after), (a, b) in zip(layer, ends):
                if b:
                    low[after] += a * column[own][0]
                    high[after] += b * column[own][1]
            result[value] = low, high
            most = max(most, *high)
        excess = max(0, most.bit_length() - self.bits)
        return {value: [(a >> excess, -(-b >> excess)) for a, b in zip(low, high)] for value, (low, high) in result.items()}

    def check(self, node, depth, weights, pairs, path):
        closed, following, enumerated = fields(node, f"the node at {path}", optional=("closed", "next", "enumerate"))
        if enumerated is not None:
            require(enumerated is True and closed is None and following is None, f"at {path}: what is enumerated has nothing else")
            return self.enumerate(depth, weights, pairs, path)
        pairs = set(pairs)
        for entry in items(closed if closed is not None else [], f"what is closed at {path}", dict):
            source, target, credit, plan = fields(entry, f"a pair that is closed at {path}", "from", "to", optional=("credit", "plan"))
            pair, where = (source, target), f"at {path}, {source} against {target}"
            require(isinstance(source, str) and isinstance(target, str) and pair in pairs, f"{where}: this pair is not open")
            require((credit is None) != (plan is None), f"{where}: either a credit or a plan is expected")
            u, v = [high for _, high in weights[source]], [low for low, _ in weights[target]]
            if credit is not None:
                self.check_credit(depth, u, v, credit, where)
            else:
                self.check_plan(depth, u, v, [high > 0 for _, high in weights[target]], plan, where)
            pairs.remove(pair)
        if following is None:
            require(not pairs, f"at {path}: {', '.join(f'{a} against {b}' for a, b in sorted(pairs)[:3])} is left open")
            return None
        require(depth < len(self.steps), f"at {path}: no part is left")
        outputs = self.steps[depth].outputs
        require(len(items(following, f"what follows {path}", dict)) == len(outputs), f"at {path}: not every output is followed")
        for child, counts, column in zip(following, outputs, self.steps[depth].columns):
            self.check(child, depth + 1, self.fixed(depth, weights, column), pairs, [*path, self.label(depth, counts)])
        return None

    def label(self, depth, counts):
        return ", ".join(self.steps[depth].part.labels[label] + (f" x {count}" if count > 1 else "") for label, count in counts)

    def check_credit(self, depth, u, v, credit, where):
        """c + sum_r max(u_r - c v_r, 0) / R_r <= e^upper, R_r = sum_s v_s exp(-l(r, s)). u: rounded up, v: rounded
        down."""
        require(isinstance(credit, Fraction), f"{where}: the credit is no number")
        bits, total = self.bits, -(-(credit.numerator << self.bits) // credit.denominator)
        for r, weight in enumerate(u):
            excess = weight - credit.numerator * v[r] // credit.denominator
            if excess > 0:
                reach = sum(map(int.__mul__, v, self.kept(depth, r)))
                if reach == 0:
                    raise NotShown(f"{where}: the credit {float(credit)} leaves what reaches nothing")
                total += -(-(excess << 2 * bits) // reach)
        if total > self.most:
            raise NotShown(f"{where}: the credit {float(credit)} does not show it")

    def check_plan(self, depth, u, v, possible, plan, where):
        """g_rs = u_r k_rs h_rs / sum_s k_rs h_rs, k = exp(-l), for any h, here k^3 m: sum_r g_rs exp(l(r, s)) <=
        e^upper v_s."""
        bits, targets = self.bits, [s for s, can in enumerate(possible) if can]
        require(len(items(plan, f"{where}: the plan", Fraction)) == len(targets), f"{where}: the plan is not one for {len(targets)} kinds")
        shares = [int(share * (1 << bits)) for share in plan]
        loads = [0] * len(targets)
        for r, weight in enumerate(u):
            if weight:
                row = self.kept(depth, r)
                moved = [(row[s] ** 3 >> 2 * bits) * share for s, share in zip(targets, shares)]
                total = sum(row[s] * h for s, h in zip(targets, moved))
                if total == 0:
                    raise NotShown(f"{where}: the plan moves nothing from some kind")
                part = -(-(weight << 4 * bits) // total)
                loads = [load + part * h for load, h in zip(loads, moved)]
        for s, load in zip(targets, loads):
            if load > self.most * v[s] << 2 * bits:
                raise NotShown(f"{where}: the plan does not show it")

    def enumerate(self, depth, weights, pairs, path):
        if depth < len(self.steps):
            for counts, column in zip(self.steps[depth].outputs, self.steps[depth].columns):
                self.enumerate(depth + 1, self.fixed(depth, weights, column), pairs, [*path, self.label(depth, counts)])
            return
        for source, target in pairs:
            (low, high), (least, most) = weights[source][0], weights[target][0]
            if high << self.bits > self.most * least:
                certain = low << self.bits > self.above * most
                raise (Rejected if certain else NotShown)(f"at {path}, {source} against {target}: the ratio of this output is larger")

    def check_witness(self, source, target, lower, outputs):
        """outputs: for each step, counts of labels. Levels are at least 0."""
        weights = self.root
        for depth, counts in enumerate(outputs):
            weights = self.fixed(depth, weights, self.steps[depth].column(counts))
        if lower > 0 and weights[source][0][0] < self.enclosures.exp(lower)[1] * weights[target][0][1]:
            raise NotShown("the witness does not show the lower end")


class Claim:
    """One coordinate of a certificate."""

    def __init__(self, spec, document):
        name, lower, upper, witness, within, steps, self.tree = fields(
            document, "a coordinate", "coordinate", "lower", "upper", "witness", "within", "steps", "tree")
        self.name, values = name, spec.domain[spec.coordinates.index(name)][1]
        self.lower, self.upper = nats(lower, "lower"), nats(upper, "upper")
        require(self.lower <= self.upper, "the lower end is above the upper one")
        places = self.places(spec, items(within, "within", str))
        inside = [n for n, part in enumerate(spec.parts) if set(part.places) & set(places)]
        require(all(set(spec.parts[n].places) <= set(places) for n in inside), "a part sees coordinates that the proof leaves out")
        rows, place = spec.weighted_rows(places), places.index(spec.coordinates.index(name))
        numbers = self.numbers([fields(step, "a step", "parts", "outputs") for step in items(steps, "steps", dict)], inside)
        self.steps, seen_by = [], []
        for own, (_, outputs) in zip(numbers, [fields(step, "a step", "parts", "outputs") for step in steps]):
            at = [places.index(i) for i in spec.parts[own[0]].places]
            seen_by.append(at)
            self.steps.append(Step(spec, own, outputs, {tuple(row[i] for i in at) for row in rows}))
        self.groups, masses = {}, {}
        for row, weight in rows.items():
            value = values[row[place]]
            kind = tuple(step.class_of[tuple(row[i] for i in at)] for step, at in zip(self.steps, seen_by))
            group = self.groups.setdefault(value, {})
            group[kind] = group.get(kind, 0) + weight
            masses[value] = masses.get(value, 0) + weight
        self.groups = {value: {kind: w / masses[value] for kind, w in group.items()} for value, group in self.groups.items()}
        self.read_witness(spec, witness, inside, numbers)

    @staticmethod
    def places(spec, within):
        places = [place_in(spec.coordinates, name, "within") for name in within]
        require(len(set(places)) == len(places), "within names a coordinate twice")
        require(len(places) == len(spec.domain) or spec.independent(), "coordinates are left out that are not known to be independent")
        return places

    @staticmethod
    def numbers(steps, inside):
        numbers = []
        for parts, _ in steps:
            require(items(parts, "the parts of a step", Fraction) and all(n.denominator == 1 for n in parts), "a step has no parts")
            numbers.append([int(n) for n in parts])
        require(sorted(n for own in numbers for n in own) == inside, "the steps are not all parts, each once")
        return numbers

    def read_witness(self, spec, witness, inside, numbers):
        source, target, output = fields(witness, "the witness", "from", "to", "output")
        for value in (source, target):
            require(isinstance(value, str) and value in self.groups, f"the witness: {str(value)[:40]!r} is no value of positive mass")
        require(len(items(output, "the witness's output", str)) == len(inside), "the witness's output is not one label per part")
        labels = dict(zip(inside, output))
        self.witness, self.shown = (source, target), []
        for own in numbers:
            counts = {}
            for n in own:
                label = place_in(spec.parts[n].labels, labels[n], "the witness's output")
                counts[label] = counts.get(label, 0) + 1
            self.shown.append(tuple(sorted(counts.items())))

    def check(self):
        pairs = [(a, b) for a in self.groups for b in self.groups if a != b]
        for bits in PRECISIONS:
            try:
                tree = Tree(self.steps, self.groups, self.upper, bits)
                tree.check_witness(*self.witness, self.lower, self.shown)
                return tree.check(self.tree, 0, tree.root, pairs, [])
            except (NotShown, ArithmeticError) as error:
                if bits == PRECISIONS[-1]:
                    raise Rejected(str(error)) from error
        return None


def claims_of(spec, document, kind, only, *others):
    """The coordinates of a certificate of this kind, the names and reasons of those without a proof, and other fields.
    The certificate must be of this spec and contain every coordinate once."""
    _, _, own_kind, notion, _, name, without, coordinates, *rest, confidential = fields(
        document, "the certificate", "oddsbound", "tool", "certificate", "notion", "file", "spec", "without", "coordinates", *others,
        optional=("confidential",))
    require(confidential in (None, True), "'confidential' is true where it is there")
    require((own_kind, notion) == (kind, "bcdp"), "this is another kind of certificate")
    require(name == spec.json["name"], "this is a certificate of another spec")
    require("symbols" not in spec.json and "prior" in spec.json or not coordinates, "the spec has no prior, or no numbers")
    reasons = [fields(entry, "what has no proof", "coordinate", "reason") for entry in items(without, "without", dict)]
    names = [entry.get("coordinate") for entry in items(coordinates, "coordinates", dict)] + [name for name, _ in reasons]
    require(all(isinstance(n, str) for n in names) and sorted(names) == sorted(spec.coordinates), "not every coordinate is there, each once")
    require(only is None or only in names, f"there is no coordinate {only}")
    return coordinates, reasons, *rest


def without_proof(reasons, only):
    """The lines of coordinates without a proof."""
    return [(NOT_PROVED, f"not proved: {name}: {reason}") for name, reason in reasons if only in (None, name)]


def check(spec, document, only=None):
    """Yields (status, line) per coordinate; raises Rejected."""
    coordinates, reasons = claims_of(spec, document, "search", only)
    for entry in coordinates:
        if only in (None, entry["coordinate"]):
            try:
                claim = Claim(spec, entry)
                claim.check()
            except Rejected as error:
                raise Rejected(f"{entry['coordinate']}: {error}") from error
            yield ACCEPTED, f"accepted: {claim.name} <= {entry['upper']}, and >= {entry['lower']}"
    yield from without_proof(reasons, only)


def main(check, given=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("spec")
    parser.add_argument("certificate")
    parser.add_argument("--coordinate")
    arguments = parser.parse_args(given)

    def lines():
        yield from check(checked(arguments.spec, Parts), read(arguments.certificate), arguments.coordinate)
    return status_of_lines(lines())


if __name__ == "__main__":
    sys.exit(status_of(lambda: main(check)))
