"""Releases from a table of people (docs/releases.md) by plain loops: the steps one after the other, on all small tables,
with the probability of every result. A person is a tuple of places of values."""
from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Callable, NamedTuple, Optional, Sequence

from .domain import Domain, Row, read_listed
from .exact import INFINITE, Exact, at_most, quick
from .mechanism import Mechanism
from .numbers import Numbers
from .reading import (Files, Known, array, either, every, fields, flag, header_place, integer, items, mapping, one_of, require, text, type_of, version_1,
                      whole, within)

MOST_RECORDS = 64
MOST_WINDOW = 10**9
MOST_FITTED = 1 << 20
MOST_LISTED = 1 << 26
MOST_SETS = 1 << 22
MOST_SCORE_BITS = 20
MOST_SCALES = 40  # of the window, by default
MOST_LISTS = 1 << 16
MOST_WEIGHT = 1 << 20
HITTERS = ("scale", "count_scale", "margin", "threshold")
# By type: required and optional fields; learning.py has the fields of "learn"
STEPS: Known = {
    "counts": (("noise",), ("of", "where", "parities", "sums", "window", "consistent")),
    "heavy_hitters": (("attributes",), ("epsilon", "share", *HITTERS, "window", "lists", "limit", "test_leaves")),
    "mwem": (("rounds",), ("epsilon_0", "noise", "rate", "of", "where", "parities", "together", "fit", "score_bits")),
    "declared": (("name", "attributes"), ("epsilon", "rho", "each")),
}
LOG_2 = Fraction(693147180559945309417, 10**21)  # with more digits than needed
ONE, ZERO = Exact.of(Fraction(1)), Exact.of(Fraction(0))

People = Sequence[Row]
Pattern = dict[int, int]  # attribute: place of its value
Results = list[tuple[tuple[int, ...], Any]]  # (numbers, probability)


# Noise.

def laplace_window(scale: Fraction, at: int, low: int, high: int) -> list[Any]:
    """P(y) for y = low..high of at + noise, clamped to the window; noise n has P(n) = (1-a)/(1+a) a^|n|."""
    a = Exact.exp(-1 / scale)

    def from_on(least: int) -> Any:  # P(noise >= least)
        return a ** least / (1 + a) if least >= 1 else 1 - a ** (1 - least) / (1 + a)
    found = []
    for y in range(low, high + 1):
        upward = from_on(y - at) if y > low else ONE
        found.append(upward - from_on(y + 1 - at) if y < high else upward)
    return found


def gaussian_reach(variance: Fraction) -> int:
    """Noise is larger with a chance of at most 2^-128."""
    return math.isqrt(math.ceil(258 * variance * LOG_2) - 1) + 1  # the first r with r^2 >= 2 variance * 129 log 2


def laplace_reach(scale: Fraction) -> int:
    return math.ceil(MOST_SCALES * scale)


def gaussian_window(variance: Fraction, at: int, low: int, high: int) -> list[Any]:
    """The same for noise with P(n) ~ exp(-n^2 / (2 variance)), redrawn beyond its reach, or that of the window."""
    reach = max(gaussian_reach(variance), high - low)
    weights = {n: Exact.exp(Fraction(-n * n) / (2 * variance)) for n in range(-reach, reach + 1)}
    total = sum(weights.values(), ZERO)
    found = [ZERO] * (high - low + 1)
    for n, weight in weights.items():
        y = min(max(at + n, low), high) - low
        found[y] = found[y] + weight
    return [w / total for w in found]


# The distribution of noise, and the reach of a window by default.
Law = tuple[Callable[[Fraction, int, int, int], list[Any]], Callable[[Fraction], int]]
LAWS: dict[str, Law] = {"laplace": (laplace_window, laplace_reach), "gaussian": (gaussian_window, gaussian_reach)}


def having(people: People, pattern: Pattern) -> int:
    """The number of people with these values."""
    return sum(all(person[i] == v for i, v in pattern.items()) for person in people)


class Query(NamedTuple):
    """A number that every person has, and the attributes on which it depends; published is its sum over all people."""
    reads: frozenset[int]
    number: Callable[[Row], int]
    least: int = 0
    most: int = 1

    def total(self, people: People) -> int:
        return sum(self.number(person) for person in people)


def counting(sets: dict[int, set[int]], odd: bool) -> Query:
    """Whether all attributes have one of these values, or an odd number of attributes."""
    def number(person: Row) -> int:
        had = sum(person[i] in own for i, own in sets.items())
        return had % 2 if odd else int(had == len(sets))
    return Query(frozenset(sets), number)


# Distributions.

def gathered(states: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """(result, probability), with each result once."""
    found: dict[Any, Any] = {}
    for output, p in states:
        found[output] = found[output] + p if output in found else p
    return list(found.items())


def softly(options: Sequence[Any], powers: Sequence[Any]) -> list[tuple[Any, Any]]:
    """(option, probability ~ exp(power))"""
    likely = [Exact.exp(Fraction(power - max(powers))) for power in powers]
    total = sum(likely, ZERO)
    return [(option, weight / total) for option, weight in zip(options, likely)]


# Steps.

class Step:
    """A step of a release: reads its fields, and computes what it publishes. Steps that are declared, or whose
    parameters follow from a budget that the loops do not know, have no distribution."""

    def __init__(self, value: dict[str, Any], numbers: Numbers, schema: Domain):
        self.value, self.numbers, self.schema = value, numbers, schema
        self.read()

    def read(self) -> None:
        raise NotImplementedError

    def distribution(self, people: People, window: Optional[int]) -> Results:
        raise ValueError("a step that is not computed by this checker")

    def needs(self, *keys: str) -> None:
        for key in keys:
            require(key in self.value, f"it needs the key '{key}'")

    def attributes(self) -> list[int]:
        self.needs("attributes")
        return sorted(within("attributes", self.schema.coordinates, self.value["attributes"]))

    def ratio(self, key: str) -> Fraction:
        self.needs(key)
        return within(key, self.numbers.positive_ratio, self.value[key])

    def share(self, key: str, most: str = "1 at most") -> Fraction:
        share = self.ratio(key)
        require(share < 1 or (share == 1 and most == "1 at most"), f"expected a fraction of all people, {most}", key)
        return share

    def noise(self) -> None:
        value = fields(self.value["noise"], "noise", (), ("laplace", "gaussian"))
        either(value, "noise", "laplace", "gaussian")
        (kind, parameter), = value.items()
        (self.law, self.reach), self.parameter = LAWS[kind], within(("noise", kind), self.numbers.positive_ratio, parameter)

    # Counts of cells of tables, and of patterns.

    def table(self, value: Any) -> list[int]:
        places = sorted(self.schema.coordinates(value))
        self.schema.restricted(places).listed()
        return places

    def pattern(self, value: Any) -> Query:
        fields(value, "a count of those who have some values", (), ("is", "odd_of", "name"))
        either(value, "a count", "is", "odd_of")
        key = "is" if "is" in value else "odd_of"
        require(within(key, mapping, value[key], "attribute to value"), "expected an object: attribute to value", key)
        within("name", text, value.get("name", ""), "a name")
        found: dict[int, set[int]] = {}
        for name, own in value[key].items():
            i = within((key, name), self.schema.coordinate, name)
            listed = within((key, name), every, own, self.schema.value, i) if isinstance(own, list) else [within((key, name), self.schema.value, own, i)]
            require(listed, "found no value, expected at least one", key)
            require(len(set(listed)) == len(listed), "a value is listed twice", key)
            found[i] = set(listed)
        return counting(found, key == "odd_of")

    def lists(self, key: str) -> list[list[int]]:
        """Lists of attributes, or all with so many of them."""
        value = self.value.get(key, [])
        if not isinstance(value, dict):
            return [sorted(own) for own in within(key, every, within(key, array, value, "lists of attributes"), self.schema.coordinates)]
        within(key, fields, value, "an object in place of lists", ("ways",), ("among",))
        among = sorted(within((key, "among"), self.schema.coordinates, value["among"])) if "among" in value else list(range(len(self.schema.names)))
        ways = within(key, whole, value, "ways", 1, len(among))
        require(math.comb(len(among), ways) <= MOST_LISTS, f"these are more than {MOST_LISTS} lists of attributes", key)
        return [list(own) for own in itertools.combinations(among, ways)]

    def parity(self, places: list[int]) -> Query:
        require(all(self.schema.sizes[i] == 2 for i in places), "parities are of attributes with two values", "parities")
        return counting({i: {1} for i in places}, True)

    def weighted(self, value: Any) -> Query:
        fields(value, "a sum", ("name", "weights"), ("of",))
        within("name", text, value["name"], "a name")
        weight = lambda own: integer(own, "a weight", -MOST_WEIGHT, MOST_WEIGHT)  # noqa: E731
        if "of" in value:
            places = within("of", self.schema.coordinates, value["of"])
            weights = within("weights", every, items(value, "weights", "weights"), weight)
            cells = list(self.schema.restricted(places).rows()) if math.prod(self.schema.sizes[i] for i in places) == len(weights) else []
            require(cells, "expected a weight for each combination of the values", "weights")
            joint = dict(zip(cells, weights))
            return Query(frozenset(places), lambda person: joint[tuple(person[i] for i in places)], min(weights), max(weights))
        own: dict[int, list[int]] = {}
        require(within("weights", mapping, value["weights"], "attribute to the weights of its values"), "expected an object", "weights")
        for name, given in value["weights"].items():
            i = within(("weights", name), self.schema.coordinate, name)
            within(("weights", name), mapping, given, "value to weight")
            for one in given:
                within(("weights", name), self.schema.value, one, i)
            require(len(given) == self.schema.sizes[i], "a value has no weight", "weights")
            own[i] = [within(("weights", name), weight, given[one]) for one in self.schema.values[i]]
        return Query(frozenset(own), lambda person: sum(weights[person[i]] for i, weights in own.items()),
                     sum(min(weights) for weights in own.values()), sum(max(weights) for weights in own.values()))

    def counted(self) -> None:
        listed: dict[str, Any] = {"where": [], "sums": [], **self.value}
        self.tables: list[list[int]] = self.lists("of")
        for table in self.tables:
            self.schema.restricted(table).listed()
        self.patterns: list[Query] = within("where", every, items(listed, "where", "counts"), self.pattern)
        self.patterns += [self.parity(places) for places in self.lists("parities")]
        self.sums: list[Query] = within("sums", every, items(listed, "sums", "sums"), self.weighted)
        require(self.tables or self.patterns or self.sums, "it needs 'of', 'where', 'parities' or 'sums': nothing is counted")

    def queries(self) -> Iterator[Query]:
        for table in self.tables:
            yield from (counting({i: {v} for i, v in zip(table, cell)}, False) for cell in self.schema.restricted(table).rows())
        yield from self.patterns

    def require_fitted(self) -> None:
        size, records = lambda places: math.prod(self.schema.sizes[i] for i in places), self.schema.inputs
        require(records <= MOST_FITTED, f"distributions are fitted for schemas of at most {MOST_FITTED} records")
        listed = len(self.tables) * records + sum(sum(map(query.number, self.schema.rows())) for query in self.patterns)
        require(listed <= MOST_LISTED, f"queries have more than {MOST_LISTED} records together")

    # Heavy hitters, which other steps use.

    def hitters(self, attributes: list[int], needs_counts: bool = False, lists: bool = False, leaves: bool = False) -> Hitters:
        self.needs("margin", "threshold")
        count_scale = self.ratio("count_scale") if needs_counts or "count_scale" in self.value else None
        margin, threshold = whole(self.value, "margin", 1, MOST_WINDOW), whole(self.value, "threshold", 0, MOST_WINDOW)
        return Hitters(self.schema, attributes, self.ratio("scale"), count_scale, margin, lambda people: threshold, lists, leaves)

    def of_budget(self, *follow: str) -> bool:
        """True if other fields follow from 'epsilon'."""
        for name in follow if "epsilon" in self.value else ():
            require(name not in self.value, f"'{name}' follows from 'epsilon'", name)
        return "epsilon" in self.value

    def limits(self) -> None:
        self.window: Optional[int] = whole(self.value, "window", 0, MOST_WINDOW)
        whole(self.value, "limit", 1, 1 << 24)

    def level(self) -> Any:
        """A level for which there is a scale of noise."""
        level = within("epsilon", self.numbers.level, self.value["epsilon"])
        require(level is not INFINITE and level != 1, "expected a finite level above 0", "epsilon")
        near = quick(level)
        require(near is None or near - 1 > 1e-9, "epsilon is too small for the scale of the noise", "epsilon")
        return level


class Counts(Step):
    def read(self) -> None:
        within("noise", self.noise)
        self.counted()
        if flag(self.value, "consistent"):
            require(not self.sums, "consistent counts are of people, and 'sums' are not", "consistent")
            self.require_fitted()
        self.limits()

    def distribution(self, people: People, window: Optional[int]) -> Results:
        own = self.reach(self.parameter) if self.window is None else self.window
        reach = own if window is None else window
        n, known = len(people), dict[tuple[int, int, int], list[Any]]()
        found: Results = [((), ONE)]
        for query in [*self.queries(), *self.sums]:
            low, high = n * query.least - reach, n * query.most + reach
            at = (query.total(people), low, high)
            if at not in known:
                known[at] = self.law(self.parameter, *at)
            found = [(published + (low + y,), p * q) for published, p in found for y, q in enumerate(known[at])]
        return found


class Hitters(NamedTuple):
    """Combinations of values that many people have: lists of pairs of intervals of attributes are joined level by
    level, and each combination is tested. threshold(people): of the first level."""
    schema: Domain
    attributes: list[int]
    scale: Fraction
    count_scale: Optional[Fraction]
    margin: int
    threshold: Callable[[int], int]
    lists: bool = False
    leaves: bool = False

    def enters(self, count: int, level: int, people: int) -> Any:
        """The probability that a combination enters the list."""
        threshold = self.threshold(people) + (level - 1) * self.margin
        return laplace_window(self.scale, max(count, threshold - self.margin) - threshold, 0, 1)[1]

    def joined(self, left: list[Pattern], right: list[Pattern], level: int, people: People, states: list[Any]) -> list[Any]:
        """states: [(list, result, probability)]; tests every combination of the two lists in turn."""
        for one, other in itertools.product(left, right):
            pattern = {**one, **other}
            enters = self.enters(having(people, pattern), level, len(people))
            states = [(found + [pattern] * bit, published + (bit,), p * (enters if bit else 1 - enters)) for found, published, p in states for bit in (0, 1)]
        return states

    def distribution(self, people: People, window: int) -> Results:
        levels = levels_of(self.attributes)
        padded: list[Optional[int]] = [*self.attributes, *[None] * (2 ** levels - len(self.attributes))]
        singles = [[{}] if i is None else [{i: v} for v in range(self.schema.sizes[i])] for i in padded]
        runs: list[Any] = [(singles, (), ONE)]
        for level in range(1, levels + 1):
            for k in range(len(padded) >> level):
                # Lists of finished intervals come first, then the two to be joined at k.
                for leaf in (0, 1) if level == 1 and self.leaves else ():
                    if padded[2 * k + leaf] is not None:
                        runs = [(lists[:k + leaf] + [found] + lists[k + leaf + 1:], published, p) for lists, before, q in runs
                                for found, published, p in self.joined(lists[k + leaf], [{}], 1, people, [([], before, q)])]
                runs = [(lists[:k] + [found] + lists[k + 2:], published, p) for lists, before, q in runs for found, published, p
                        in self.joined(lists[k], lists[k + 1], level + self.leaves, people, [([], before, q)])]
        finished: Results = []
        for (last,), tests, p in runs:
            states: Results = [((len(last),), p)]
            for pattern in last:
                digits = tuple(pattern[i] for i in self.attributes)
                counts: Results = [((), ONE)]
                if self.count_scale is not None:
                    count, low, high = having(people, pattern), -window, len(people) + window
                    counts = [((low + y,), q) for y, q in enumerate(laplace_window(self.count_scale, count, low, high))]
                states = [(published + digits + c, p * q) for published, p in states for c, q in counts]
            finished += [(published + (tests if self.lists else ()), p) for published, p in states]
        return finished


def levels_of(attributes: Sequence[int]) -> int:
    return max(1, (len(attributes) - 1).bit_length())


def hitters_of_budget(schema: Domain, attributes: list[int], most: Any, share: Fraction, lists: bool, leaves: bool) -> Hitters:
    """The smallest scale in hundredths at which one attribute loses no more, and its margin; most: exp of the level."""
    tests = levels_of(attributes) + leaves
    for hundredths in itertools.count(1):
        b = Fraction(hundredths, 100)
        margin = max(1, math.ceil(float(b) * math.log(16 / float(share))))
        a, loss = Exact.exp(-1 / b), Exact.exp((3 if tests == 1 else 4) / b)
        for i in range(1, tests - 1):
            loss = loss * (1 + a - a ** (1 + i * margin)) / (1 + a - a ** (i * margin))
        if at_most(loss, most):
            break
    return Hitters(schema, attributes, b, b, margin, lambda people: math.ceil(share * people / 2), lists, leaves)


class HeavyHitters(Step):
    def read(self) -> None:
        require("epsilon" in self.value or "share" not in self.value, "'share' needs 'epsilon'", "share")
        self.make(False, flag(self.value, "lists"), flag(self.value, "test_leaves"))

    def make(self, needs_counts: bool, lists: bool = False, leaves: bool = False) -> None:
        attributes = self.attributes()
        if self.of_budget(*HITTERS):
            share, level = self.share("share"), self.level()
            self.made = lambda: hitters_of_budget(self.schema, attributes, level, share, lists, leaves)
        else:
            hitters = self.hitters(attributes, needs_counts, lists, leaves)
            self.made = lambda: hitters
        self.limits()

    def distribution(self, people: People, window: Optional[int]) -> Results:
        hitters = self.made()
        own = laplace_reach(hitters.count_scale or Fraction(0)) if self.window is None else self.window
        return hitters.distribution(people, own if window is None else window)


def plain_sum(numbers: Iterable[float]) -> float:
    """Sums from the first to the last, as the release does (sum() is more exact, so not the same)."""
    return functools.reduce(operator.add, numbers, 0.0)


def rounded(number: float) -> int:
    """To the nearest integer, halves up; 0.5 is not added in doubles, where a number just below a half would become
    1."""
    floor = math.floor(number)
    return floor + (number - floor >= 0.5)


class Mwem(Step):
    """Selects sets of queries by the error of a fitted distribution."""

    def read(self) -> None:
        value = self.value
        self.rounds = whole(value, "rounds", 1, 10_000)
        if "epsilon_0" in value:
            for key in ("rate", "noise"):
                require(key not in value, f"'{key}' follows from 'epsilon_0'", key)
            self.follow(within("epsilon_0", self.numbers.positive, value["epsilon_0"]))
        else:
            self.needs("noise")
            within("noise", self.noise)
            self.rate = self.ratio("rate")
        self.counted()
        for k, places in enumerate(self.tables):
            require(self.schema.restricted(places).inputs <= MOST_FITTED, "a table of so many cells is not for a fitted distribution", "of", k)
        self.together, self.unit = whole(value, "together", 1, 64, 1), 2 ** whole(value, "score_bits", 0, MOST_SCORE_BITS, MOST_SCORE_BITS)
        self.to_all = one_of(value, "fit", ("all", "round")) == "all"
        self.require_fitted()
        self.asked = list(self.queries())
        sets = sets_apart([set(query.reads) for query in self.asked], self.together)
        require(sets > 0, f"there are no {self.together} queries without an attribute in common")
        require(sets <= MOST_SETS, f"there are more than {MOST_SETS} sets of queries to choose from")

    def follow(self, epsilon: Fraction) -> None:
        """Algorithm 1's noise and rate, 1/v and r^2 being at most epsilon^2 / (2 rounds)."""
        square, units = epsilon * epsilon / (2 * self.rounds), 1 << 20
        require(square <= 1, "expected at most sqrt(2 rounds)", "epsilon_0")
        self.rate = Fraction(math.isqrt(square.numerator * units * units // square.denominator), units)
        exact = 1 / square
        parts = 64 if exact <= units // 64 else 1
        self.parameter = exact if max(exact.numerator, exact.denominator) <= units else Fraction(math.ceil(parts * exact), parts)
        require(self.rate > 0 and max(self.parameter.numerator, self.parameter.denominator) <= units, "too small for so many rounds", "epsilon_0")
        self.law, self.reach = LAWS["gaussian"]

    def choice(self, weights: list[float], counts: list[int], people: int) -> list[Any]:
        off = [abs(rounded(plain_sum(weights[r] for r in members) * people * self.unit) - count * self.unit)
               for members, count in zip(self.members, counts)]
        scores = [sum(off[q] for q in one) for one in self.sets]
        return [p for _, p in softly(self.sets, [self.rate * Fraction(score, self.unit) for score in scores])]

    def fitted(self, weights: list[float], published: list[tuple[int, float]]) -> list[float]:
        """published: (query, fraction) of all rounds so far, those of the last one at the end."""
        inside = lambda fraction: min(max(fraction, 1e-6), 1 - 1e-6)  # noqa: E731
        weights = list(weights)
        for _ in range(20 if self.to_all else 0):
            for query, wanted in published:
                now, wanted = inside(plain_sum(weights[r] for r in self.members[query])), inside(wanted)
                without = (1 - wanted) / (1 - now)
                weights = [w * without for w in weights]
                for r in self.members[query]:
                    weights[r] *= wanted / now / without
            total = plain_sum(weights)
            weights = [w / total for w in weights]
        if self.to_all:
            return weights
        last = published[-self.together:]
        factors = [math.exp((wanted - plain_sum(weights[r] for r in self.members[query])) / 2) for query, wanted in last]
        for (query, _), factor in zip(last, factors):
            for r in self.members[query]:
                weights[r] *= factor
        total = plain_sum(weights)
        return [w / total for w in weights]

    def distribution(self, people: People, window: Optional[int]) -> Results:
        n, counts = len(people), [query.total(people) for query in self.asked]
        records = list(self.schema.rows())
        self.members = [[r for r, record in enumerate(records) if query.number(record)] for query in self.asked]
        self.sets = [own for own in itertools.combinations(range(len(self.asked)), self.together)
                     if all(not self.asked[a].reads & self.asked[b].reads for a, b in itertools.combinations(own, 2))]
        noisy = {count: self.law(self.parameter, count, 0, n) for count in set(counts)}
        runs: list[Any] = [([1 / len(records)] * len(records), [], (), ONE)]
        for round_ in range(self.rounds):
            longer = []
            for weights, before, published, p in runs:
                for k, q in enumerate(self.choice(weights, counts, n)):
                    for answers in itertools.product(range(n + 1), repeat=self.together):
                        chance = math.prod((noisy[counts[query]][y] for query, y in zip(self.sets[k], answers)), start=p * q)
                        known = before + [(query, y / n) for query, y in zip(self.sets[k], answers)]
                        longer.append((self.fitted(weights, known) if round_ + 1 < self.rounds else weights, known, published + (k,) + answers, chance))
            runs = longer
        return [(published, p) for _, _, published, p in runs]


def sets_apart(queries: Sequence[set[int]], together: int) -> int:
    """The number of sets of `together` queries without a common attribute; counted only just past the limit."""
    if together == 1:
        return len(queries)
    found, steps, stack = 0, 0, [(0, frozenset[int](), 0)]
    while stack and found <= MOST_SETS:
        start, used, chosen = stack.pop()
        for k in range(start, len(queries)):
            steps += 1
            require(steps <= 10**7, "too many sets of queries for this checker to count")
            if not queries[k] & used and chosen + 1 < together:
                stack.append((k + 1, used | queries[k], chosen + 1))
            elif not queries[k] & used:
                found += 1
    return found


class Declared(Step):
    def read(self) -> None:
        value = self.value
        require("epsilon" in value or "rho" in value, "a declared step has 'epsilon' or 'rho'")
        within("name", text, value["name"], "a name")
        self.attributes()
        if "rho" in value:
            within("rho", self.numbers.positive, value["rho"])
        if "epsilon" in value:
            require(within("epsilon", self.numbers.level, value["epsilon"]) is not INFINITE, "expected a finite level", "epsilon")
        flag(value, "each")


# Releases.

class Release:
    """The schema, the columns by attribute, and the steps."""

    def __init__(self, value: Any):
        fields(value, "a release", ("oddsbound_release", "name", "attributes", "steps"),
               ("$schema", "description", "parameters", "columns", "budget", "deltas"))
        version_1(value, "oddsbound_release")
        self.numbers = Numbers(value.get("parameters", {}))
        for key in ("name", "description", "$schema"):
            within(key, text, value.get(key, ""), f"'{key}'")
        self.schema = within("attributes", read_listed, value["attributes"])
        self.made = {"counts": Counts, "heavy_hitters": HeavyHitters, "mwem": Mwem, "declared": Declared}
        listed: dict[str, Any] = {"deltas": [], "budget": [], **value}
        within("deltas", every, items(listed, "deltas", "deltas"), self.delta)
        self.steps: list[Step] = within("steps", every, items(value, "steps", "steps"), self.step)
        require(self.steps, "a release needs at least one step", "steps")
        within("budget", every, items(listed, "budget", "lines of the budget"), self.budget_line)
        self.columns = within("columns", mapping, value.get("columns", {}), "attribute to column")
        for name, column in self.columns.items():
            within(("columns", name), self.schema.coordinate, name)
            within(("columns", name), text, column, "the name of a column")

    def step(self, value: Any) -> Step:
        from .learning import learner
        if isinstance(value, dict) and value.get("type") == "learn":
            return learner(value, self.numbers, self.schema)
        return self.made[type_of(value, "a step", STEPS)](value, self.numbers, self.schema)

    def delta(self, value: Any) -> None:
        require(0 < self.numbers.rational(value) < 1, "expected delta: a positive rational number below 1")

    def budget_line(self, value: Any) -> None:
        fields(value, "a line of the budget", (), ("each", "attributes", "person", "epsilon", "delta", "rho"))
        require(("each" in value) + ("attributes" in value) + ("person" in value) == 1, "a line has one of 'each', 'attributes' and 'person'")
        require("epsilon" in value or "rho" in value, "a line of the budget has 'epsilon' or 'rho'")
        readers: dict[str, Callable[[Any], Any]] = {"epsilon": self.numbers.level, "rho": self.numbers.positive, "attributes": self.schema.coordinates}
        for key, read in readers.items():
            if key in value:
                within(key, read, value[key])
        if "delta" in value:
            require("epsilon" in value, "'delta' needs 'epsilon'", "delta")
            within("delta", self.delta, value["delta"])
        for key in ("each", "person"):
            flag(value, key)

    def is_header(self, row: list[str]) -> bool:
        return any(self.columns.get(name, name) in row for name in self.schema.names)

    def read_people(self, rows: Iterator[tuple[int, list[str]]]) -> list[tuple[str, ...]]:
        """The records of a table, each a tuple of values."""
        _, header = next(rows, (0, list[str]()))
        require(header, "the file is empty, expected a header line")
        places, found = [header_place(header, self.columns.get(name, name)) for name in self.schema.names], []
        for line, row in rows:
            require(len(row) == len(header), f"line {line}: the row has {len(row)} cells, the header has {len(header)}")
            record = tuple(row[place] for place in places)
            for value, own in zip(record, self.schema.values):
                require(value in own, f"line {line}: {value[:60]!r} is not a value of its attribute")
            found.append(record)
        require(found, "the table has a header and no rows")
        return found

    def rows(self, domain: Domain, window: Optional[int]) -> list[dict[str, Any]]:
        """{output: probability} for every table of people, in the order of the domain."""
        rows, known, width = [], dict[tuple[Row, ...], dict[str, Any]](), len(self.schema.names)
        for x in domain.rows():
            # Releases count people: no release depends on their order.
            people = tuple(sorted(x[k:k + width] for k in range(0, len(x), width)))
            if people not in known:
                found: list[Any] = [((), ONE)]
                for step in self.steps:
                    found = [(published + (mine,), p * q) for published, p in found for mine, q in step.distribution(people, window)]
                known[people] = dict(gathered([("; ".join(",".join(map(str, mine)) for mine in published), p) for published, p in found]))
            rows.append(known[people])
        return rows


def read_release_mechanism(value: Any, domain: Domain, files: Files) -> Mechanism:
    require(("tables" in value) + ("records" in value) == 1, "a release needs either 'records' or 'tables'")
    path = within("file", files.path_of, value["file"])
    release = within("file", lambda: Release(files.document(path)))
    require(not any(isinstance(step, Declared) for step in release.steps), "a step is declared: it cannot be run")
    schema = release.schema
    if "tables" in value:
        from .families import without_rows
        require("window" not in value, "found 'tables' and 'window'", "window")
        names = items(value, "tables", "tables")
        require(len(names) == 2, f"found {len(names)} tables, expected two", "tables")
        tables = [within(("tables", k), lambda: release.read_people(files.expected_rows(files.path_of(name), release.is_header))) for k, name in enumerate(names)]
        require(len(tables[0]) == len(tables[1]), "the tables have different numbers of records", "tables")
        require(tables[0] != tables[1], "the tables have the same records", "tables")
        require(domain.names == ["table"] and list(domain.values[0]) == names, "the domain is not which table it was", "tables")
        return without_rows(domain)
    records, window = whole(value, "records", 1, MOST_RECORDS), whole(value, "window", 0, MOST_WINDOW)
    require(domain.names == [f"{p + 1}.{name}" for p in range(records) for name in schema.names], f"the domain is not that of tables of {records} records")
    require(all(own == schema.values[k % len(schema.names)] for k, own in enumerate(domain.values)), "the domain has other values")
    domain.listed()

    @functools.cache
    def computed() -> tuple[list[str], list[dict[str, Any]]]:
        rows = release.rows(domain, window)
        return sorted({output for row in rows for output in row}), rows

    def rows() -> list[list[Any]]:
        outputs, found = computed()
        return [[row.get(output, ZERO) for output in outputs] for row in found]
    return Mechanism(domain, 1, lambda: computed()[0], rows, unnamed="the outputs of a release cannot be named in a spec for this checker")
