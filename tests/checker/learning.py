"""Learning from tables by plain loops: points, distributions, thresholds and halfspaces, with the probability of every
result."""
import itertools
import math
from fractions import Fraction

from oddsbound_check.exact import Exact
from oddsbound_check.expression import number as parse_number
from release_steps import Counts, HeavyHitters, Mwem, having, laplace_window


def at_least(scale, count, bound, exp):
    """P(noisy count < bound) and P(noisy count >= bound), with Laplace noise."""
    return laplace_window(scale, count - math.ceil(bound) + 1, 0, 1, exp)


def gathered(states):
    """[(result, probability)], with each result once."""
    found = {}
    for told, p in states:
        found[told] = found[told] + p if told in found else p
    return list(found.items())


def softly(options, powers, exp):
    """[(option, probability ~ exp(power))]"""
    likely = [exp(power - max(powers)) for power in powers]
    total = likely[0]
    for weight in likely[1:]:
        total = total + weight
    return [(option, weight / total) for option, weight in zip(options, likely)]


class Learner:
    def __init__(self, step, domain, exp=Exact.exp, fault=None):
        self.step, self.domain, self.exp, self.fault = step, domain, exp, fault
        names = [name for name, _ in domain]
        self.inputs = sorted(names.index(a) for a in step["attributes"])
        self.label = names.index(step["label"])

    def read(self, name):
        return parse_number(str(self.step[name]))

    def positive(self, person):
        return person[self.label] == self.domain[self.label][1][1]

    def listed(self, attributes, people):
        """[({digits: count}, probability)] of heavy hitters, with counts in 0..n."""
        step = {**{k: self.step[k] for k in ("scale", "count_scale", "margin", "threshold")}, "window": 0}
        width = len(attributes)
        for told, p in HeavyHitters(step, self.domain, self.exp, None, attributes).distribution(people):
            groups = [told[1 + k * (width + 1):1 + (k + 1) * (width + 1)] for k in range(told[0])]
            yield {group[:-1]: group[-1] for group in groups}, p


class Point(Learner):
    """The first combination that enough people of the second label have; otherwise the first that few of the first
    label have."""

    def distribution(self, people):
        least = self.read("share") * len(people)
        every = list(itertools.product(*(range(len(self.domain[i][1])) for i in self.inputs)))
        states = []
        for counts, p in self.listed(self.inputs + [self.label], people):
            with_label = [x for x in every if counts.get(x + (1,), 0) > least]
            outside = [x for x in every if counts.get(x + (0,), 0) <= least]
            states.append(((with_label or outside or every)[0], p))
        return gathered(states)


class Search(Learner):
    """The length of the prefix that many people share on both sides, by binary search."""

    def on_both_sides(self, length, people):
        prefixes = itertools.product(*(self.domain[i][1] for i in self.inputs[:length]))
        return max(min(having(people, {**dict(zip(self.inputs, prefix)), self.label: label}) for label in self.domain[self.label][1])
                   for prefix in prefixes)

    def found(self, people, low, high):
        if high - low == 1:
            return [(low, self.exp(Fraction(0)))]
        middle = (low + high) // 2
        bound = Fraction(3, 20) * self.read("error") * len(people)
        fails, holds = at_least(self.read("search_scale"), self.on_both_sides(middle, people), bound, self.exp)
        return ([(length, p * fails) for length, p in self.found(people, low, middle)]
                + [(length, p * holds) for length, p in self.found(people, middle, high)])

    def lengths(self, people):
        return self.found(people, 0, len(self.inputs) + 1)

    def distribution(self, people):
        return [((length,), p) for length, p in self.lengths(people)]


class Threshold(Search):
    """The number from which on people have the second label; and 1 if no prefix was found, otherwise 0."""

    def wrong(self, z, people):
        return sum((tuple(self.domain[i][1].index(person[i]) for i in self.inputs) >= z) != self.positive(person) for person in people)

    def within(self, length, people):
        """[(result, probability)], given the length of the prefix."""
        first = self.inputs[:length]
        bound, states = Fraction(3, 25) * self.read("error") * len(people), []
        for counts, p in self.listed(first + [self.label], people):
            sides = [(min(counts.get(x + (0,), -1), counts.get(x + (1,), -1)), x) for x in itertools.product((0, 1), repeat=length)]
            most = max(count for count, _ in sides)
            states.append((next(x for count, x in sides if count == most) if most >= bound or length == 0 else None, p))
        yield from self.chosen(gathered(states), people)

    def chosen(self, prefixes, people):
        """[(result, probability)], from [(prefix, probability)]; None: no prefix was found."""
        for found, p in prefixes:
            x = () if found is None else found
            rest, rate = len(self.inputs) - len(x), self.read("rate")
            ends = [x + (0,) * rest, (x + (1,) + (0,) * rest)[:len(self.inputs)], x + (1,) * rest]
            for z, q in softly(ends, [-rate * self.wrong(z, people) for z in ends], self.exp):
                yield z + (int(found is None),), p * q

    def distribution(self, people):
        d, n, error = len(self.inputs), len(people), self.read("error")
        few = math.floor(error * n / 2)
        labeled = sum(map(self.positive, people))
        none, more = at_least(self.read("label_scale"), labeled, few + 1, self.exp)
        everybody = at_least(self.read("label_scale"), labeled, n - few, self.exp)[1]
        states = [((1,) * d + (0,), none), ((0,) * d + (0,), everybody)]
        for length, p in self.lengths(people) if few + 1 < n - few else []:  # else it is certain before
            states += [(z, (more - everybody) * p * q) for z, q in self.within(length, people)]
        return gathered(states)


class Halfspace(Learner):
    """The plane with the fewest people near its wrong side."""

    def planes(self):
        if "weights" in self.step:
            return [tuple(map(int, plane)) for plane in self.step["weights"]]
        most = int(self.step["most_weight"])
        every = itertools.product(range(-most, most + 1), repeat=len(self.inputs))
        return [plane for plane in every if 0 < sum(map(abs, plane)) <= most]

    @staticmethod
    def flips(x, y, plane):
        total, gains = sum(a * b for a, b in zip(plane, x)), sorted((y * a * b for a, b in zip(plane, x)), reverse=True)
        for k, gain in enumerate(gains + [0]):
            if (total >= 0) != (y == 1):
                return k
            total -= 2 * y * gain
        return len(x) + 1

    def near(self, x, y, plane):
        margin, inner = int(self.step["margin"]), int(self.step.get("inner_margin", 0))
        if self.fault == "no smoothing":
            return (margin - inner) * (self.flips(x, y, plane) < margin)
        return min(max(margin - self.flips(x, y, plane), 0), margin - inner)

    def distribution(self, people):
        odds, planes = self.read("label_odds"), self.planes()
        rate = self.read("epsilon") / (2 * (odds if int(self.step.get("inner_margin", 0)) else odds + 1))
        inputs = [[1 if person[i] == self.domain[i][1][1] else -1 for i in self.inputs] for person in people]
        truth = tuple(1 if self.positive(person) else -1 for person in people)
        states = []
        for labels in itertools.product((-1, 1), repeat=len(people)):
            if self.fault == "labels not randomized" and labels != truth:
                continue
            p = self.exp(Fraction(0))
            if self.fault != "labels not randomized":
                for drawn, true in zip(labels, truth):
                    p = p * ((odds if drawn == true else 1) / (odds + 1))
            losses = [sum(odds * self.near(x, y, plane) - self.near(x, -y, plane) for x, y in zip(inputs, labels)) for plane in planes]
            states += [(plane, p * q) for plane, q in softly(planes, [-rate * loss for loss in losses], self.exp)]
        return gathered(states)


# All steps, for tests that inject a fault, or another type of numbers; the checker has loops of its own.
CONCEPTS = {"point": Point, "distribution": HeavyHitters, "search": Search, "threshold": Threshold, "halfspace": Halfspace}


def learner(step, domain, exp=Exact.exp, fault=None):
    return CONCEPTS[step["concept"]](step, domain, exp, fault)


STEPS = {"counts": Counts, "heavy_hitters": HeavyHitters, "mwem": Mwem, "learn": learner}
