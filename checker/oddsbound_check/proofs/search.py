"""A certificate of a search over outputs: why P(y given a) <= e^upper P(y given b) for all outputs y and all values a, b
of a coordinate (docs/certificates.md, "Upper bounds").

Parts, rows, outputs and losses are derived from the spec, and every inequality is checked in integers rounded to the
safe side. The certificate provides only which inequality holds where.
"""
from fractions import Fraction
from math import comb, prod

from ..certificate import fields, items, nats, place_in
from ..intervals import Enclosures, NotShown, scaled, shifted, with_enough_bits
from ..mechanism import counts_of
from ..report import ACCEPTED, NOT_PROVED, Line, Rejected, require, require_feasible
from .averaged import Averages, read_averaged
from .packed import MOST_BITS, packed, slot_bits, sums_by_output, unpacked

PRECISIONS = (96, 768, 6144)  # bits; more are tried if fewer do not show an inequality
MOST_KEPT = 4 * 10**6  # numbers of the kernel; others are computed when needed
MOST_TYPES = 10**5
MOST_ENUMERATED = 2**22  # outputs
MOST_LAYOUTS = 32  # of averaged bounds, that are kept


class Step:
    """Equal parts whose outputs are fixed together. The values that they see in the rows that occur are numbered as
    classes."""

    def __init__(self, spec, numbers, listed, seen):
        self.part, self.count = spec.parts[numbers[0]], len(numbers)
        require(all(spec.parts[n].is_like(self.part) for n in numbers), f"the parts {numbers} are not equal")
        self.entries, self.class_of = list[list](), dict[tuple, int]()  # [class][label]
        for values in sorted(seen):
            row = self.part.rows[self.part.mechanism.domain.line(values)]
            number = next((k for k, known in enumerate(self.entries) if known == row), len(self.entries))
            if number == len(self.entries):
                self.entries.append(row)
            self.class_of[values] = number
        self.outputs = [self.counts(output) for output in items(listed, "the outputs of a step", dict)]
        self.require_all_listed()

    def counts(self, output):
        """{label: count} as ((number of the label, count), ...)."""
        for count in output.values():
            require(isinstance(count, Fraction) and count.denominator == 1 and count > 0, "an output's count is no number of times")
        require(sum(output.values()) == self.count, f"an output {dict(list(output.items())[:3])} is not one of {self.count} parts")
        return tuple(sorted((place_in(self.part.labels, label, "an output"), int(count)) for label, count in output.items()))

    def normal(self, counts):
        """The exact column of an output up to a factor, or None if it is impossible."""
        column = [Fraction(1)] * len(self.entries)
        for label, count in counts:
            column = [value * row[label] ** count if row[label] != 0 else Fraction(0) for value, row in zip(column, self.entries)]
        first = next((value for value in column if value != 0), None)
        return None if first is None else [value / first for value in column]

    def require_all_listed(self):
        """Every possible output, in any order of the parts, must be proportional to a listed one. With two classes,
        the two extreme outputs suffice: the ratio is (a + b t) / (c + d t), where t is the likelihood ratio of an
        output between the classes, for any answers of the other parts.
        """
        kinds = {}  # outputs of one part; proportional ones count as the first
        for label in range(len(self.part.labels)):
            column = self.normal([(label, 1)])
            if column is not None:
                kinds[label] = column
        require(kinds, "a part has no output")
        listed, columns = set(self.outputs), None
        for counts in self.extremes(kinds) if len(self.entries) == 2 else self.all_outputs(kinds):
            if counts in listed:
                continue
            columns = columns or [self.normal(output) for output in self.outputs]
            column = self.normal(counts)
            if column is None:
                continue
            names = ", ".join(f"{self.part.labels[label]} ({count})" for label, count in counts)
            require(any(column == other for other in columns), f"no output in proportion to {names} is listed")

    def extremes(self, kinds):
        least = largest = next(iter(kinds))
        for label, (one, other) in kinds.items():
            if one * kinds[least][1] > other * kinds[least][0]:
                least = label
            if one * kinds[largest][1] < other * kinds[largest][0]:
                largest = label
        return [((least, self.count),), ((largest, self.count),)]

    def all_outputs(self, kinds):
        if self.count > 1:
            kinds = dict.fromkeys(next(k for k in kinds if kinds[k] == kinds[label]) for label in kinds)
        require_feasible(comb(self.count + len(kinds) - 1, self.count) <= MOST_TYPES, "the parts of a step have too many outputs")
        if self.count == 1:
            return [((label, 1),) for label in kinds]
        return [tuple((label, n) for label, n in zip(kinds, counts) if n) for counts in counts_of(len(kinds), self.count)]

    def measure(self, enclosures, bits):
        """Columns of the outputs as integers, and the smallest ratio of an output's probabilities between classes."""
        self.bits = bits
        self.powers = [[scaled([enclosures.of(row[label]) for row in self.entries], bits)] for label in range(len(self.part.labels))]
        self.columns = [self.column(counts) for counts in self.outputs]
        classes = range(len(self.entries))
        self.least = [[1 << bits if a == b else self.least_ratio(a, b) for b in classes] for a in classes]

    def column(self, counts):
        column = None
        for label, count in counts:
            powers = self.powers[label]
            while len(powers) < count:
                powers.append(self.product(powers[-1], powers[0]))
            column = powers[count - 1] if column is None else self.product(column, powers[count - 1])
        return column

    def product(self, a, b):
        return shifted([(x * p, y * q) for (x, y), (p, q) in zip(a, b)], self.bits)

    def least_ratio(self, a, b):
        """The minimum over all parts together, rounded down."""
        single = min((column[b][0] << self.bits) // column[a][1] for column, *_ in self.powers if column[a][1] > 0)
        result = 1 << self.bits
        for _ in range(self.count):
            result = result * single >> self.bits
        return result


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
        self.cells, self.averages = {len(steps): [0]}, dict[tuple, Averages]()

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
        pairs = set(pairs)
        for entry in items(closed if closed is not None else [], f"what is closed at {path}", dict):
            source, target, credit, plan, averaged = fields(
                entry, f"a pair that is closed at {path}", "from", "to", optional=("credit", "plan", "averaged"))
            pair, where = (source, target), f"at {path}, {source} against {target}"
            require(isinstance(source, str) and isinstance(target, str) and pair in pairs, f"{where}: this pair is not open")
            require([credit, plan, averaged].count(None) == 2, f"{where}: a credit, a plan or an averaged bound is expected")
            u, v = [high for _, high in weights[source]], [low for low, _ in weights[target]]
            if credit is not None:
                self.check_credit(depth, u, v, credit, where)
            elif averaged is not None:
                self.check_averaged(depth, u, v, averaged, where)
            else:
                self.check_plan(depth, u, v, [high > 0 for _, high in weights[target]], plan, where)
            pairs.remove(pair)
        if enumerated is not None:
            require(enumerated is True and following is None, f"at {path}: what is enumerated has nothing below")
            require_feasible(prod(len(step.outputs) for step in self.steps[depth:]) <= MOST_ENUMERATED, f"at {path}: too many outputs are enumerated")
            return self.enumerate(depth, weights, sorted(pairs), path)
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
        require(total <= self.most, f"{where}: the credit {float(credit)} does not show it", NotShown)

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

    def check_averaged(self, depth, u, v, averaged, where):
        block, base, exponents = read_averaged(averaged, len(self.steps) - depth, where)
        key = depth, block, base
        if key not in self.averages:
            if len(self.averages) >= MOST_LAYOUTS:
                self.averages.clear()
            self.averages[key] = Averages(self.steps, self.layers, depth, len(self.steps) - block, base, self.bits)
        try:
            self.averages[key].check(u, v, self.most, exponents)
        except NotShown as error:
            raise NotShown(f"{where}: {error}") from error

    def joint_classes(self, depth):
        """Of every kind: its joint class in the steps from this depth on, the last one fastest."""
        if depth not in self.cells:
            after, count = self.joint_classes(depth + 1), prod(len(step.entries) for step in self.steps[depth + 1:])
            self.cells[depth] = [own * count + after[following] for own, following in self.layers[depth]]
        return self.cells[depth]

    def enumerate(self, depth, weights, pairs, path):
        """Compares all outputs. Outputs are fixed one step after another until the kinds are a large part of all joint
        classes: then one transform takes the rest."""
        classes, kinds = prod(len(step.entries) for step in self.steps[depth:]), len(next(iter(weights.values())))
        size = classes * len(weights) * self.bits * (len(self.steps) - depth + 2)
        if pairs and depth < len(self.steps) and (classes > 4 * kinds + 64 or size > MOST_BITS):
            for counts, column in zip(self.steps[depth].outputs, self.steps[depth].columns):
                self.enumerate(depth + 1, self.fixed(depth, weights, column), pairs, [*path, self.label(depth, counts)])
        elif pairs:
            self.compare_all(depth, weights, pairs, path)

    def compare_all(self, depth, weights, pairs, path):
        sources, targets = (sorted({pair[side] for pair in pairs}) for side in (0, 1))
        above = self.sums(depth, [[high for _, high in weights[value]] for value in sources], 1)
        below = self.sums(depth, [[low for low, _ in weights[value]] for value in targets], 0)
        places = [(sources.index(source), targets.index(target)) for source, target in pairs]
        for number, (largest, least) in enumerate(zip(above, below)):
            largest, least = [value << self.bits for value in largest], [self.most * value for value in least]
            for a, b in places:
                if largest[a] > least[b]:
                    self.fail_at(depth, weights, (sources[a], targets[b]), number, path)

    def sums(self, depth, groups, end):
        """For every output: the sum of each group, whose weights are given by kind. end: 0, 1: entries rounded down, up."""
        columns = [[[ends[end] for ends in column] for column in step.columns] for step in self.steps[depth:]]
        bits, cells = slot_bits(max(map(sum, groups)), columns), dict[int, int]()
        for cell, *numbers in zip(self.joint_classes(depth), *groups):
            if any(numbers):
                cells[cell] = cells.get(cell, 0) + packed(numbers, bits)
        return (unpacked(data, bits) for data in sums_by_output(cells, len(groups), bits, columns))

    def fail_at(self, depth, weights, pair, number, path):
        """`number`: of the output of the remaining steps, the last one fastest."""
        for place in range(depth, len(self.steps)):
            at, number = divmod(number, prod(len(step.outputs) for step in self.steps[place + 1:]))
            weights = self.fixed(place, weights, self.steps[place].columns[at])
            path = [*path, self.label(place, self.steps[place].outputs[at])]
        (low, _), (_, most) = weights[pair[0]][0], weights[pair[1]][0]
        certain = low << self.bits > self.above * most
        raise (Rejected if certain else NotShown)(f"at {path}, {pair[0]} against {pair[1]}: the ratio of this output is larger")

    def check_witness(self, source, target, lower, outputs):
        """outputs: for each step, counts of labels. Levels are at least 0."""
        weights = self.root
        for depth, counts in enumerate(outputs):
            weights = self.fixed(depth, weights, self.steps[depth].column(counts))
        shown = weights[source][0][0] >= self.enclosures.exp(lower)[1] * weights[target][0][1]
        require(shown or lower <= 0, "the witness does not show the lower end", NotShown)


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
        rows, place = spec.own_prior.over(places), places.index(spec.coordinates.index(name))
        steps = [fields(step, "a step", "parts", "outputs") for step in items(steps, "steps", dict)]
        numbers = self.numbers(steps, inside)
        self.steps, seen_by = [], []
        for own, (_, outputs) in zip(numbers, steps):
            at = [places.index(i) for i in spec.parts[own[0]].places]
            seen_by.append(at)
            self.steps.append(Step(spec, own, outputs, {tuple(row[i] for i in at) for row in rows}))
        self.groups, masses = dict[str, dict](), dict[str, Fraction]()
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
        require(len(places) == len(spec.domain) or spec.own_prior.marginals is not None, "coordinates are left out that are not known to be independent")
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
            counts: dict[int, int] = {}
            for n in own:
                label = place_in(spec.parts[n].labels, labels[n], "the witness's output")
                counts[label] = counts.get(label, 0) + 1
            self.shown.append(tuple(sorted(counts.items())))

    def check(self):
        pairs = [(a, b) for a in self.groups for b in self.groups if a != b]
        def check_at(bits):
            tree = Tree(self.steps, self.groups, self.upper, bits)
            tree.check_witness(*self.witness, self.lower, self.shown)
            tree.check(self.tree, 0, tree.root, pairs, [])
        with_enough_bits(PRECISIONS, check_at)


def claims_of(spec, document, kind, only, *others):
    """The coordinates of a certificate of this kind, the names and reasons of those without a proof, and other fields.
    The certificate must be of this spec and contain every coordinate once."""
    _, _, own_kind, notion, _, name, without, coordinates, *rest, confidential = fields(
        document, "the certificate", "oddsbound", "tool", "certificate", "notion", "file", "spec", "without", "coordinates", *others,
        optional=("confidential",))
    require(confidential in (None, True), "'confidential' is true where it is there")
    require((own_kind, notion) == (kind, "bcdp"), "this is another kind of certificate")
    require(name == spec.json["name"], "this is a certificate of another spec")
    require(not spec.free and spec.own_prior is not None or not coordinates, "the spec has no prior, or no numbers")
    reasons = [fields(entry, "what has no proof", "coordinate", "reason") for entry in items(without, "without", dict)]
    names = [entry.get("coordinate") for entry in items(coordinates, "coordinates", dict)] + [name for name, _ in reasons]
    require(all(isinstance(n, str) for n in names) and sorted(names) == sorted(spec.coordinates), "not every coordinate is there, each once")
    require(only is None or only in names, f"there is no coordinate {only}")
    return coordinates, reasons, *rest


def without_proof(reasons, only):
    """The lines of coordinates without a proof."""
    return [Line(NOT_PROVED, name, str(reason)) for name, reason in reasons if only in (None, name)]


def check(spec, document, only=None):
    """Yields a line per coordinate; raises Rejected."""
    coordinates, reasons = claims_of(spec, document, "search", only)
    for entry in coordinates:
        if only in (None, entry["coordinate"]):
            try:
                claim = Claim(spec, entry)
                claim.check()
            except Rejected as error:
                raise Rejected(f"{entry['coordinate']}: {error}") from error
            yield Line(ACCEPTED, "", f"{claim.name} <= {entry['upper']}, and >= {entry['lower']}")
    yield from without_proof(reasons, only)
