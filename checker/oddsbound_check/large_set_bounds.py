"""Shows that no prior of a set, and no output of independent parts, has a quotient above a bound, with too many inputs
and outputs to enumerate (docs/certificates.md, "Large surveys"): fixes outputs part by part, until no output below can
exceed it.

Let e_r be the probability of the fixed outputs from row r, f_r(y) that of the others, k(r, s) the minimum of f_s(y) /
f_r(y) over all y. Under a prior with P and Q given the labels, f_r(y) <= sum Q_s e_s f_s(y) / sum Q_s e_s k(r, s). So
the quotient is at most sum P_r e_r / R_r, with R_r the minimum of sum Q_s e_s k(r, s). Numbers are integers over a
power of two, rounded to the safe side."""
from fractions import Fraction
from itertools import product
from math import lcm, prod

from .intervals import Enclosures
from .set_forms import of_contaminated, of_total_variation, of_weights
from .strict_json import Rejected, require
from .surds import Surd

BITS = 80
MOST_NODES = 40000
# Ends of the parts of a set, in 64ths of the wrong mass.
SHARES = (0, 1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 62, 63, 64)
ADDED = (0, 1, 4, 16, 32, 48, 60, 63, 64)
TAKEN = (0, 16, 32, 48, 64)


def ceil(number):
    return -(-number.numerator // number.denominator)


def root_below(bound):
    """A number with a root, rounded down."""
    size = 1
    while bound > Fraction(size):
        size *= 2
    low, high = 0, size << BITS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bound < Fraction(middle, 1 << BITS) else (middle, high)
    return low


class Step:
    """A part: its outputs as (low, high) by class, and the least quotients between classes, rounded down. Classes are
    sets of equal rows of the part, and for each label two more: the maximum and the minimum of every output over all
    rows with the label. i: the coordinate whose values are the labels."""

    def __init__(self, spec, part, i, enclosures):
        self.spec, self.part, self.rows, self.class_of = spec, part, [], []
        for row in part.rows:
            place = next((k for k, known in enumerate(self.rows) if known is row or known == row), len(self.rows))
            if place == len(self.rows):
                self.rows.append(row)
            self.class_of.append(place)
        self.extremes, sizes = [], [len(spec.domain[place][1]) for place in part.places]
        for k in range(len(spec.domain[i][1])):
            seen = [x[part.places.index(i)] if i in part.places else k for x in product(*map(range, sizes))]
            columns = list(zip(*(row for row, own in zip(part.rows, seen) if own == k)))
            self.extremes.append((len(self.rows), len(self.rows) + 1))
            self.rows += [[max(column) for column in columns], [min(column) for column in columns]]
        ends = [[enclosures.of(p) for p in row] for row in self.rows]
        one = 1 << BITS
        self.columns = [[(int(low * one), ceil(high * one)) for low, high in column] for column in zip(*ends)]
        self.least = [[min((int(q[0] * one / p[1]) for p, q in zip(a, b) if p[1] != 0), default=one) for b in ends] for a in ends]

    def seen(self, row):
        return self.class_of[self.spec.line(self.part, row)]


class Label:
    """The rows of a label: their masses (integers) and their numbers among all rows. elsewhere: the numbers of the
    upper and lower bounds over all other inputs, if others may have mass."""

    def __init__(self, masses, numbers):
        self.masses, self.numbers, self.elsewhere = masses, numbers, None
        self.mass = sum(masses)


class Search:
    """stated: the set; bound: the claimed quotient; rows: those with mass, by label."""

    def __init__(self, spec, stated, i, bound, rows):
        self.spec, self.stated, self.bound, self.nodes = spec, stated, bound, 0
        self.enclosures = enclosures = Enclosures(2 * BITS)
        self.steps = [Step(spec, part, i, enclosures) for part in spec.parts]
        self.most = root_below(bound) if isinstance(bound, Surd) else int(enclosures.of(bound)[0] * (1 << BITS))
        rows = self.whole(rows)
        self.order(rows)
        others = stated["type"] == "total_variation" or (stated["type"] == "contaminated" and stated.get("support", "domain") == "domain")
        self.classes, self.labels = [], []
        for own in rows:
            first = len(self.classes)
            self.classes += [[step.seen(row) for step in self.steps] for row in own]
            self.labels.append(Label(list(own.values()), range(first, len(self.classes))))
        for k, label in enumerate(self.labels if others else []):
            label.elsewhere = (len(self.classes), len(self.classes) + 1)
            self.classes += [[step.extremes[k][end] for step in self.steps] for end in (0, 1)]
        self.layers, self.kinds = self.suffixes()
        self.kernel = [{} for _ in self.layers] + [{0: [1 << BITS]}]
        self.bounds = BOUNDS[stated["type"]](self.above, sum(label.mass for label in self.labels))

    def number(self, key):
        return self.spec.number(self.stated[key])

    def above(self, key):
        """The same or slightly more, as a fraction; this only enlarges the set."""
        return self.enclosures.of(self.number(key))[1]

    @staticmethod
    def whole(rows):
        """Weights as integers."""
        require(all(isinstance(w, (int, Fraction)) for own in rows for w in own.values()), "a prior with masses that are no fractions")
        over = lcm(*(Fraction(w).denominator for own in rows for w in own.values()))
        return [{row: int(w * over) for row, w in own.items()} for own in rows]

    def order(self, rows):
        """The parts most informative about the label are fixed first. (Any order is valid.)"""
        def told(step):
            shares = []
            for own in filter(None, rows):
                column = [sum(weight * ends[step.seen(row)][0] for row, weight in own.items()) // sum(own.values()) for ends in step.columns]
                shares.append(column)
            return max((sum(abs(p - q) for p, q in zip(a, b)) for a in shares for b in shares), default=0)
        self.steps.sort(key=told, reverse=True)

    def suffixes(self):
        """By depth, the kinds of the remaining parts of rows, as (class, kind at the next depth), and the kind of
        every row."""
        after = [0] * len(self.classes)
        layers, kinds = [], [after]
        for depth in reversed(range(len(self.steps))):
            numbers, own = {}, []
            for classes, following in zip(self.classes, after):
                own.append(numbers.setdefault((classes[depth], following), len(numbers)))
            layers.insert(0, list(numbers))
            kinds.insert(0, own)
            after = own
        return layers, kinds

    def kept(self, depth, r):
        """The minimum over the remaining steps of the probability from each kind relative to this one, rounded down."""
        if r not in self.kernel[depth]:
            own, following = self.layers[depth][r]
            least, after = self.steps[depth].least[own], self.kept(depth + 1, following)
            self.kernel[depth][r] = [least[c] * after[s] >> BITS for c, s in self.layers[depth]]
        return self.kernel[depth][r]

    def check(self, pairs):
        one = 1 << BITS
        self.node(0, [one] * len(self.classes), [one] * len(self.classes), pairs, [])

    def node(self, depth, low, high, pairs, outputs):
        """low, high: the probability of the fixed outputs from each row, all up to one factor."""
        self.nodes += 1
        require(self.nodes <= MOST_NODES, "the search does not come to an end")
        left = [pair for pair in pairs if not self.closes(depth, low, high, *pair)]
        if left and depth == len(self.steps):
            self.leaf(outputs, left)
        elif left:
            for y, column in enumerate(self.steps[depth].columns):
                below = [a * column[c[depth]][0] >> BITS for a, c in zip(low, self.classes)]
                above = [-(-b * column[c[depth]][1] >> BITS) for b, c in zip(high, self.classes)]
                up = max(0, BITS - max(above).bit_length())
                self.node(depth + 1, [a << up for a in below], [b << up for b in above], left, [*outputs, y])

    def closes(self, depth, low, high, a, b):
        source, target, kinds = self.labels[a], self.labels[b], self.kinds[depth]
        if not source.mass and not source.elsewhere or not target.mass and not target.elsewhere:
            return True
        froms = [*source.numbers, *(source.elsewhere or ())[:1]]
        reached = {}
        for kind in {kinds[r] for r in froms if high[r]}:
            kept = self.kept(depth, kind)
            column = [low[s] * kept[kinds[s]] >> BITS for s in target.numbers]
            lowest = low[target.elsewhere[1]] * kept[kinds[target.elsewhere[1]]] >> BITS if target.elsewhere else None
            reached[kind] = self.bounds.least(target, column, lowest)
            if all(mean <= 0 for mean in reached[kind]):
                return False
        for part in range(self.bounds.parts):
            if any(means[part] <= 0 for means in reached.values()):
                return False
            column = [-(-(high[r] << BITS) // reached[kinds[r]][part]) if high[r] else 0 for r in froms]
            highest = max(column) if source.elsewhere else None
            if self.bounds.most(source, column[:len(source.masses)], highest, part) > self.most:
                return False
        return True

    def leaf(self, outputs, pairs):
        """All outputs are fixed: decides exactly."""
        question = Leaf(self, outputs)
        for a, b in pairs:
            if not EXACT[self.stated["type"]](question, None, a, b):
                raise Rejected(f"at the output {self.label_of(outputs)}: what is claimed does not follow")

    def label_of(self, outputs):
        return ", ".join(step.part.labels[y] for step, y in zip(self.steps, outputs))


class Leaf:
    """One output, for the closed forms of sets (set_forms.py): exact entries of the rows, and the extremes over all
    other inputs."""

    def __init__(self, search, outputs):
        self.spec, self.stated, self.bound, self.number = self, search.stated, search.bound, search.number
        self.columns, self.cells = [], []
        total = sum(label.mass for label in search.labels)
        for label in search.labels:
            rows = [*label.numbers, *(label.elsewhere or ())]
            self.columns.append([prod((step.rows[c][y] for step, c, y in zip(search.steps, search.classes[r], outputs)), start=Fraction(1))
                                 for r in rows])
            self.cells.append([Fraction(m, total) for m in label.masses] + [Fraction(0)] * len(label.elsewhere or ()))
        self.prior = None

    def column(self, label, _y):
        return self.columns[label]

    def masses(self, _prior, label):
        return self.cells[label]

    def forms(self, _prior, _y, a, b):
        sums = [(sum((m * p for m, p in zip(self.cells[k], self.columns[k])), Fraction(0)), sum(self.cells[k])) for k in (a, b)]
        return (*sums[0], *sums[1])

    def by_extremes(self, _y, a, b):
        return max(self.columns[a]) <= self.bound * min(self.columns[b])


# Bounds of means over a set, in parts of it: `most` of a label grows with the part's upper ends, `least` falls.

class Reweighted:
    parts = 1

    def __init__(self, number, _total):
        square = number("factor") ** 2
        self.more, self.over = square.numerator - square.denominator, square.denominator

    def extreme(self, label, column, largest_first):
        """(joint, mass): inputs up to a cut have their largest weight, as long as that helps."""
        joint = sum(map(int.__mul__, label.masses, column)) * self.over
        mass = label.mass * self.over
        for k in sorted(range(len(column)), key=column.__getitem__, reverse=largest_first):
            if column[k] * mass <= joint if largest_first else column[k] * mass >= joint:
                break
            joint += self.more * label.masses[k] * column[k]
            mass += self.more * label.masses[k]
        return joint, mass

    def most(self, label, column, _highest, _part):
        joint, mass = self.extreme(label, column, True)
        return -(-joint // mass)

    def least(self, label, column, _lowest):
        joint, mass = self.extreme(label, column, False)
        return [joint // mass]


class Contaminated:
    parts = len(SHARES) - 1

    def __init__(self, number, total):
        share = min(Fraction(1), number("share"))
        self.kept, self.wrong, self.total = 64 * (share.denominator - share.numerator), share.numerator, total

    def mean(self, label, joint, cut, entry):
        """(joint, mass) with cut/64 of the wrong mass on the entry."""
        wrong = self.wrong * cut * self.total
        return self.kept * joint + wrong * entry, self.kept * label.mass + wrong

    def most(self, label, column, highest, part):
        top = max(column) if highest is None else highest
        joint, mass = self.mean(label, sum(map(int.__mul__, label.masses, column)), SHARES[part + 1], top)
        return -(-joint // mass) if mass else top

    def least(self, label, column, lowest):
        low, own = min(column) if lowest is None else lowest, sum(map(int.__mul__, label.masses, column))
        means = [self.mean(label, own, 64 - cut, low) for cut in SHARES[:-1]]
        return [joint // mass if mass else low for joint, mass in means]


class Ball:
    parts = (len(ADDED) - 1) * (len(TAKEN) - 1)

    def __init__(self, number, total):
        radius = number("radius")
        self.scale, self.radius = 64 * radius.denominator, radius.numerator * total  # in 64ths, as masses are scaled

    def kept(self, label, column, largest_first, taken):
        """(joint, mass) of the rest after taken/64 of the radius is removed from the entries at the other end."""
        left = max(0, label.mass * self.scale - self.radius * taken)
        joint, rest = 0, left
        for k in sorted(range(len(column)), key=column.__getitem__, reverse=largest_first):
            mass = min(rest, label.masses[k] * self.scale)
            joint += mass * column[k]
            rest -= mass
        return joint, left

    def most(self, label, column, highest, part):
        i, j = part % (len(ADDED) - 1), part // (len(ADDED) - 1)
        joint, mass = self.kept(label, column, True, TAKEN[j + 1])
        joint, mass = joint + self.radius * ADDED[i + 1] * highest, mass + self.radius * ADDED[i + 1]
        return -(-joint // mass) if mass else highest

    def least(self, label, column, lowest):
        means = []
        for taken in TAKEN[:-1]:
            joint, mass = self.kept(label, column, False, 64 - taken)
            for added in ADDED[:-1]:
                wrong = self.radius * (64 - added)
                means.append((joint + wrong * lowest) // (mass + wrong) if mass + wrong else lowest)
        return means


BOUNDS = {"weights": Reweighted, "contaminated": Contaminated, "total_variation": Ball}
EXACT = {"weights": of_weights, "contaminated": of_contaminated, "total_variation": of_total_variation}
