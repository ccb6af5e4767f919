"""Learning from tables of people by plain loops: points, distributions, thresholds and halfspaces (docs/releases.md)."""
from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any, Iterator, Optional

from .domain import Domain, Row
from .numbers import MOST_OF_RATIO, Numbers
from .reading import Known, array, distinct, either, every, flag, integer, items, require, type_of, whole, within
from .releases import HITTERS, ONE, HeavyHitters, Hitters, People, Results, Step, gathered, having, laplace_window, softly

MOST_ATTRIBUTES = 32  # of a threshold
MOST_PLANES = 1 << 16
MOST_WEIGHT = 1 << 20


def at_least(scale: Fraction, count: int, bound: Fraction) -> list[Any]:
    """P(noisy count < bound) and P(noisy count >= bound), with Laplace noise."""
    return laplace_window(scale, count - math.ceil(bound) + 1, 0, 1)


class Learner(Step):
    def labeled(self, of_two: bool) -> None:
        """The attributes, and the label that they are to predict."""
        self.inputs = self.attributes()
        self.needs("label")
        self.label = within("label", self.schema.coordinate, self.value["label"])
        require(self.schema.sizes[self.label] == 2, "expected an attribute with two values", "label")
        require(self.label not in self.inputs, "the label is among the attributes that are to predict it", "label")
        require(not of_two or all(self.schema.sizes[i] == 2 for i in self.inputs), "expected attributes with two values", "attributes")

    @staticmethod
    def small(number: Fraction, key: str) -> None:
        require(0 < number.numerator <= MOST_OF_RATIO and number.denominator <= MOST_OF_RATIO, f"no fraction of integers up to {MOST_OF_RATIO}", key)

    def own_hitters(self) -> Hitters:
        """Of the fields of the step; a budget alone is not computed here."""
        if "epsilon" in self.value:
            raise ValueError("a learning step that is given by its budget is not computed by this checker")
        return self.hitters([], True)

    def listed(self, attributes: list[int], people: People) -> Iterator[tuple[dict[Row, int], Any]]:
        """({values: count}, probability) of heavy hitters, with counts in 0..n."""
        width = len(attributes)
        for output, p in self.own_hitters()._replace(attributes=attributes).distribution(people, 0):
            groups = [output[1 + k * (width + 1):1 + (k + 1) * (width + 1)] for k in range(output[0])]
            yield {group[:-1]: group[-1] for group in groups}, p


class Distribution(HeavyHitters):
    def read(self) -> None:
        self.share("share")
        flag(self.value, "normalise")
        self.make(True)


class Point(Learner):
    """The first combination that enough people of the second label have; otherwise the first that few of the first
    label have."""

    def read(self) -> None:
        self.labeled(False)
        if self.of_budget("share", *HITTERS):
            self.small(self.share("error", "below 1") / 5, "error")
            self.level()
        else:
            require("error" not in self.value, "'error' needs 'epsilon'", "error")
            self.least = self.share("share")
            self.own_hitters()
        self.limits()

    def distribution(self, people: People, window: Optional[int]) -> Results:
        every_value, states = list(self.schema.restricted(self.inputs).rows()), []
        for counts, p in self.listed(self.inputs + [self.label], people):
            least = self.least * len(people)
            with_label = [x for x in every_value if counts.get(x + (1,), 0) > least]
            outside = [x for x in every_value if counts.get(x + (0,), 0) <= least]
            states.append(((with_label or outside or every_value)[0], p))
        return gathered(states)


class Threshold(Learner):
    """The number from which on people have the second label; and 1 if no prefix was found, otherwise 0."""

    def read(self) -> None:
        self.labeled(True)
        self.wrong_share = self.share("error", "below 1")
        require(len(self.inputs) <= MOST_ATTRIBUTES, f"expected {MOST_ATTRIBUTES} attributes at most", "attributes")
        if self.of_budget("label_scale", "search_scale", "rate", *HITTERS):
            nats, steps = self.ratio("epsilon"), len(self.inputs).bit_length()  # of a search among the lengths of prefixes
            for number in (3 / nats, Fraction(6) * steps / nats, nats / 6):
                self.small(number, "epsilon")
            self.small(self.wrong_share / 100, "error")
        else:
            self.label_scale, self.search_scale, self.rate = map(self.ratio, ("label_scale", "search_scale", "rate"))
            self.own_hitters()
        self.limits()

    def on_both_sides(self, length: int, people: People) -> int:
        """The largest number of people of both labels that share a prefix of this length."""
        return max(min(having(people, {**dict(zip(self.inputs, prefix)), self.label: label}) for label in (0, 1))
                   for prefix in itertools.product((0, 1), repeat=length))

    def lengths(self, people: People, low: int, high: int) -> list[tuple[int, Any]]:
        """The length of the prefix that many people share on both sides, by binary search."""
        if high - low == 1:
            return [(low, ONE)]
        middle = (low + high) // 2
        fails, holds = at_least(self.search_scale, self.on_both_sides(middle, people), Fraction(3, 20) * self.wrong_share * len(people))
        return ([(length, p * fails) for length, p in self.lengths(people, low, middle)]
                + [(length, p * holds) for length, p in self.lengths(people, middle, high)])

    def wrong(self, z: Row, people: People) -> int:
        return sum((tuple(person[i] for i in self.inputs) >= z) != (person[self.label] == 1) for person in people)

    def given(self, length: int, people: People) -> Iterator[tuple[Row, Any]]:
        """(result, probability), given the length of the prefix."""
        first, bound, states = self.inputs[:length], Fraction(3, 25) * self.wrong_share * len(people), []
        for counts, p in self.listed(first + [self.label], people):
            sides = [(min(counts.get(x + (0,), -1), counts.get(x + (1,), -1)), x) for x in itertools.product((0, 1), repeat=length)]
            most = max(count for count, _ in sides)
            states.append((next(x for count, x in sides if count == most) if most >= bound or length == 0 else None, p))
        for found, p in gathered(states):  # None: no prefix was found
            x = () if found is None else found
            rest = len(self.inputs) - len(x)
            ends = [x + (0,) * rest, (x + (1,) + (0,) * rest)[:len(self.inputs)], x + (1,) * rest]
            for z, q in softly(ends, [-self.rate * self.wrong(z, people) for z in ends]):
                yield z + (int(found is None),), p * q

    def distribution(self, people: People, window: Optional[int]) -> Results:
        self.own_hitters()
        d, n = len(self.inputs), len(people)
        few, labeled = math.floor(self.wrong_share * n / 2), having(people, {self.label: 1})
        none, more = at_least(self.label_scale, labeled, Fraction(few + 1))
        everybody = at_least(self.label_scale, labeled, Fraction(n - few))[1]
        states: list[Any] = [((1,) * d + (0,), none), ((0,) * d + (0,), everybody)]
        for length, p in self.lengths(people, 0, d + 1) if few + 1 < n - few else []:  # otherwise it is certain before
            states += [(z, (more - everybody) * p * q) for z, q in self.given(length, people)]
        return gathered(states)


class Halfspace(Learner):
    """The plane with the fewest people near its wrong side."""

    def read(self) -> None:
        value = self.value
        self.labeled(True)
        self.odds = self.ratio("label_odds")
        require(self.odds > 1, "expected odds above 1", "label_odds")
        count, epsilon = len(self.inputs), self.ratio("epsilon")
        self.margin = whole(value, "margin", 1, count)
        self.inner = whole(value, "inner_margin", 0, self.margin - 1, 0)
        either(value, "planes", "weights", "most_weight")
        if "weights" in value:
            self.planes = within("weights", every, items(value, "weights", "planes"), self.plane)
            require(0 < len(self.planes) <= MOST_PLANES, f"expected 1 to {MOST_PLANES} planes", "weights")
            within("weights", distinct, self.planes, "a plane")
        else:
            self.most = whole(value, "most_weight", 1, MOST_WEIGHT)
            # Integer vectors whose absolute values sum to between 1 and most.
            planes = sum(2 ** k * math.comb(count, k) * math.comb(min(self.most, MOST_PLANES), k) for k in range(1, min(count, self.most) + 1))
            require(planes <= MOST_PLANES, f"there are more than {MOST_PLANES} planes", "most_weight")
            self.planes = None
        self.small(epsilon / (2 * (self.odds.numerator + (0 if self.inner else self.odds.denominator))), "epsilon")
        self.rate = epsilon / (2 * (self.odds if self.inner else self.odds + 1))

    def plane(self, value: Any) -> Row:
        found = tuple(every(array(value, "weights"), integer, "a weight", -MOST_WEIGHT, MOST_WEIGHT))
        require(len(found) == len(self.inputs), f"found {len(found)} weights, expected one for each of the {len(self.inputs)} attributes")
        return found

    def all_planes(self) -> list[Row]:
        if self.planes is not None:
            return list(self.planes)
        weights = itertools.product(range(-self.most, self.most + 1), repeat=len(self.inputs))
        return [plane for plane in weights if 0 < sum(abs(weight) for weight in plane) <= self.most]

    @staticmethod
    def flips(x: Row, y: int, plane: Row) -> int:
        """How many entries of x must be flipped until the plane's sign is not y."""
        total, gains = sum(a * b for a, b in zip(plane, x)), sorted((y * a * b for a, b in zip(plane, x)), reverse=True)
        for k, gain in enumerate(gains + [0]):
            if (total >= 0) != (y == 1):
                return k
            total -= 2 * y * gain
        return len(x) + 1

    def near(self, x: Row, y: int, plane: Row) -> int:
        return min(max(self.margin - self.flips(x, y, plane), 0), self.margin - self.inner)

    def distribution(self, people: People, window: Optional[int]) -> Results:
        planes, states = self.all_planes(), []
        inputs = [tuple(2 * person[i] - 1 for i in self.inputs) for person in people]
        truth = tuple(2 * person[self.label] - 1 for person in people)
        for labels in itertools.product((-1, 1), repeat=len(people)):
            p = math.prod(((self.odds if drawn == true else Fraction(1)) / (self.odds + 1) for drawn, true in zip(labels, truth)), start=Fraction(1))
            losses = [sum(self.odds * self.near(x, y, plane) - self.near(x, -y, plane) for x, y in zip(inputs, labels)) for plane in planes]
            states += [(plane, p * q) for plane, q in softly(planes, [-self.rate * loss for loss in losses])]
        return gathered(states)


LEARNERS = {"point": Point, "distribution": Distribution, "threshold": Threshold, "halfspace": Halfspace}
# By concept: required and optional fields
CONCEPTS: Known = {
    "point": (("type", "attributes", "label"), ("epsilon", "error", "share", *HITTERS, "limit")),
    "distribution": (("type", "attributes", "share"), ("epsilon", "normalise", *HITTERS, "window", "limit")),
    "threshold": (("type", "attributes", "label", "error"), ("epsilon", "label_scale", "search_scale", *HITTERS, "rate", "limit")),
    "halfspace": (("type", "attributes", "label", "epsilon", "label_odds", "margin"), ("inner_margin", "weights", "most_weight")),
}


def learner(value: Any, numbers: Numbers, schema: Domain) -> Step:
    return LEARNERS[type_of(value, "a learning step", CONCEPTS, "concept")](value, numbers, schema)
