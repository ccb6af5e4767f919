"""The outputs fixed at one depth of a proof tree: the output of one part of the mechanism, or of several equal ones,
where the order of their outputs does not matter.
"""
from fractions import Fraction
from math import comb

from .intervals import scaled, shifted
from .strict_json import items, place_in, require

MOST_TYPES = 10**5


class Step:
    """Equal parts whose outputs are fixed together. The values that they see in the rows that occur are numbered as
    classes."""

    def __init__(self, spec, numbers, listed, seen):
        self.part, self.count = spec.parts[numbers[0]], len(numbers)
        require(all(spec.parts[n].is_like(self.part) for n in numbers), f"the parts {numbers} are not equal")
        place = [len(spec.domain[i][1]) for i in self.part.places]
        self.entries, self.class_of = [], {}  # [class][label]
        for values in sorted(seen):
            line = 0
            for size, value in zip(place, values):
                line = line * size + value
            row = self.part.rows[line]
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
        require(comb(self.count + len(kinds) - 1, self.count) <= MOST_TYPES, "the parts of a step have too many outputs")
        return multisets(list(kinds), self.count)

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


def multisets(labels, count):
    """Counts of the labels that sum to `count`, in the form of Step.counts."""
    if count == 1:
        yield from (((label, 1),) for label in labels)
        return
    if count == 0 or len(labels) == 1:
        yield ((labels[0], count),) if count else ()
        return
    for own in range(count, -1, -1):
        for rest in multisets(labels[1:], count - own):
            yield (((labels[0], own),) if own else ()) + rest
