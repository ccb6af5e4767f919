"""Steps of releases by plain loops: every step's algorithm, on explicit tables, with the probability of every
result."""
import itertools
import math
from fractions import Fraction

from oddsbound_check.exact import Exact, at_most
from oddsbound_check.expression import level as parse_level, number as parse_number

ONE = Fraction(1)


def laplace_window(scale, at, low, high, exp=Exact.exp):
    """P(y) for y = low..high of at + noise, clamped to the window; noise n has P(n) = (1-a)/(1+a) a^|n|."""
    a = exp(-1 / scale)

    def from_on(least):  # P(noise >= least)
        return a ** least / (1 + a) if least >= 1 else 1 - a ** (1 - least) / (1 + a)
    found = []
    for y in range(low, high + 1):
        upward = from_on(y - at) if y > low else exp(Fraction(0))
        found.append(upward - from_on(y + 1 - at) if y < high else upward)
    return found


def gaussian_window(variance, at, low, high):
    """The same for noise with P(n) ~ exp(-n^2 / (2 variance)), redrawn beyond the reach of 2^-128, or that of the
    window."""
    reach = 0
    # r^2 >= 2 variance * 129 log 2, with log 2 to more digits than needed.
    while Fraction(reach * reach) < 258 * variance * Fraction(693147180559945309417, 10**21):
        reach += 1
    reach = max(reach, high - low)
    weights = {n: Exact.exp(Fraction(-n * n) / (2 * variance)) for n in range(-reach, reach + 1)}
    total = sum(weights.values(), Exact.of(Fraction(0)))
    found = [Exact.of(Fraction(0))] * (high - low + 1)
    for n, weight in weights.items():
        y = min(max(at + n, low), high) - low
        found[y] = found[y] + weight
    return [w / total for w in found]


def having(people, pattern):
    """The number of people with these values; pattern: attribute to value."""
    return sum(all(person[i] == v for i, v in pattern.items()) for person in people)


class Query:
    """A number of every person: number(person) is between `least` and `most` and depends on the attributes in `reads`."""

    def __init__(self, reads, number, least=0, most=1):
        self.reads, self.number, self.least, self.most = set(reads), number, least, most

    def total(self, people):
        return sum(map(self.number, people))


def in_sets(sets, odd):
    """1 if every attribute has one of its values; or, if odd, if an odd number of attributes has."""
    def number(person):
        matches = [person[i] in own for i, own in sets.items()]
        return int(sum(matches) % 2 == 1 if odd else all(matches))
    return Query(sets, number)


def lists_of(names, value):
    """Lists of attributes as given, or all of so many attributes in the order of the schema."""
    if not isinstance(value, dict):
        return [sorted(names.index(a) for a in one) for one in value]
    among = sorted(names.index(a) for a in value.get("among", names))
    return [list(one) for one in itertools.combinations(among, value["ways"])]


def counts_of(step, names, values):
    """The counts that a step asks for."""
    for table in lists_of(names, step.get("of", [])):
        for cell in itertools.product(*(values[i] for i in table)):
            yield in_sets({i: [v] for i, v in zip(table, cell)}, False)
    for count in step.get("where", []):
        asked = count.get("is", count.get("odd_of"))
        yield in_sets({names.index(a): v if isinstance(v, list) else [v] for a, v in asked.items()}, "odd_of" in count)
    for parity in lists_of(names, step.get("parities", [])):
        yield in_sets({i: [values[i][1]] for i in parity}, True)


def sum_of(one, names, values):
    """A sum that a step asks for."""
    if "of" in one:
        places = [names.index(a) for a in one["of"]]
        joint = dict(zip(itertools.product(*(values[i] for i in places)), one["weights"]))
        return Query(places, lambda person: joint[tuple(person[i] for i in places)], min(one["weights"]), max(one["weights"]))
    weights = {names.index(a): own for a, own in one["weights"].items()}
    return Query(weights, lambda person: sum(own[person[i]] for i, own in weights.items()),
                 sum(min(own.values()) for own in weights.values()), sum(max(own.values()) for own in weights.values()))


class Counts:
    """Counts of explicit tables; exp: the number type; fault: an injected fault."""

    def __init__(self, step, domain, exp=Exact.exp, fault=None):
        self.exp, self.fault = exp, fault
        self.names, self.values = [name for name, _ in domain], [values for _, values in domain]
        self.queries = [*counts_of(step, self.names, self.values), *(sum_of(one, self.names, self.values) for one in step.get("sums", []))]
        (kind, parameter), = step["noise"].items()
        self.parameter = parse_number(str(parameter))
        self.law = {"laplace": lambda *of: laplace_window(*of, exp), "gaussian": gaussian_window}[kind]
        self.window, self.known = int(step["window"]), {}

    def distribution(self, people):
        """[(numbers, probability)] of every result."""
        found = [((), self.exp(Fraction(0)))]
        for query in self.queries:
            count, low, high = query.total(people), len(people) * query.least - self.window, len(people) * query.most + self.window
            if count == 0 and self.fault == "only what somebody has":
                continue
            key = count, low, high
            if key not in self.known:
                self.known[key] = self.law(self.parameter, count, low, high)
            found = [(told + (low + y,), p * q) for told, p in found for y, q in enumerate(self.known[key])]
        return found


class HeavyHitters:
    """Combinations that many people have; exp and fault as above."""

    def __init__(self, step, domain, exp=Exact.exp, fault=None, attributes=None):
        names = [name for name, _ in domain]
        self.attributes = attributes or sorted(names.index(a) for a in step["attributes"])
        self.values = [values for _, values in domain]
        self.levels = max(1, (len(self.attributes) - 1).bit_length())
        self.window, self.lists, self.exp, self.fault = int(step.get("window", 0)), step.get("lists", False), exp, fault
        self.leaves = step.get("test_leaves", False)
        self.share = parse_number(str(step["share"])) if "epsilon" in step else None
        if self.share is not None:
            self.scale, self.margin = self.of_budget(parse_level(str(step["epsilon"])))
            self.count_scale = self.scale
            return
        self.scale = parse_number(str(step["scale"]))
        self.count_scale = parse_number(str(step["count_scale"])) if "count_scale" in step else None
        self.threshold, self.margin = int(step["threshold"]), int(step["margin"])

    def of_budget(self, most):
        """The smallest scale in hundredths at which one attribute loses no more, and its margin; most: exp of the
        level."""
        hundredths, tests = 1, self.levels + self.leaves
        while True:
            b = Fraction(hundredths, 100)
            margin = max(1, math.ceil(float(b) * math.log(16 / float(self.share))))
            a = Exact.exp(-1 / b)
            loss = Exact.exp((3 if tests == 1 else 4) / b)
            for i in range(1, tests - 1):
                loss = loss * (1 + a - a ** (1 + i * margin)) / (1 + a - a ** (i * margin))
            if at_most(loss, most):
                return b, margin
            hundredths += 1

    def test(self, count, level, people):
        """The probability that a combination enters the list."""
        first = self.threshold if self.share is None else math.ceil(self.share * people / 2)
        threshold = first + (0 if self.fault == "flat thresholds" else (level - 1) * self.margin)
        seen = count if self.fault == "no clamping" else max(count, threshold - self.margin)
        return laplace_window(self.scale, seen - threshold, 0, 1, self.exp)[1]

    def joined(self, left, right, level, people, states):
        """states: [(list, result, probability)]; tests every combination of the two lists in turn."""
        for one, other in itertools.product(left, right):
            pattern = {**one, **other}
            count = having(people, pattern)
            if count == 0 and self.fault == "only what somebody has":
                continue
            enters = self.test(count, level, len(people))
            states = [(found + [pattern] * bit, told + (bit,), p * (enters if bit else 1 - enters))
                      for found, told, p in states for bit in (0, 1)]
        return states

    def distribution(self, people):
        padded = self.attributes + [None] * (2 ** self.levels - len(self.attributes))
        singles = [[{}] if i is None else [{i: v} for v in self.values[i]] for i in padded]
        runs = [(singles, (), self.exp(Fraction(0)))]
        for level in range(1, self.levels + 1):
            for k in range(len(padded) >> level):
                # Lists of finished intervals come first, then the two to be joined at k.
                for leaf in [k, k + 1] if level == 1 and self.leaves else []:
                    if padded[2 * k + leaf - k] is not None:
                        runs = [(lists[:leaf] + [found] + lists[leaf + 1:], told, p) for lists, before, q in runs
                                for found, told, p in self.joined(lists[leaf], [{}], 1, people, [([], before, q)])]
                runs = [(lists[:k] + [found] + lists[k + 2:], told, p) for lists, before, q in runs for found, told, p
                        in self.joined(lists[k], lists[k + 1], level + self.leaves, people, [([], before, q)])]
        finished = []
        for (last,), tests, p in runs:
            states = [((len(last),), p)]
            for pattern in last:
                digits = tuple(self.values[i].index(pattern[i]) for i in self.attributes)
                counts = [((), self.exp(Fraction(0)))]
                if self.count_scale is not None:
                    count, low, high = having(people, pattern), -self.window, len(people) + self.window
                    counts = [((low + y,), q) for y, q in enumerate(laplace_window(self.count_scale, count, low, high, self.exp))]
                states = [(told + digits + c, p * q) for told, p in states for c, q in counts]
            finished += [(told + (tests if self.lists else ()), p) for told, p in states]
        return finished


def plain_sum(numbers):
    """Sums from the first to the last, as the release does (sum() is more exact, so not the same)."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def rounded(number):
    """To the nearest integer, halves up; 0.5 is not added in doubles, where a number just below a half would
    become 1."""
    whole = math.floor(number)
    return whole + (number - whole >= 0.5)


class Mwem:
    """Selects sets of queries by the error of a fitted distribution; exp and fault as above."""

    def __init__(self, step, domain, exp=Exact.exp, fault=None):
        names, self.values = [name for name, _ in domain], [values for _, values in domain]
        self.queries = list(counts_of(step, names, self.values))
        together = int(step.get("together", 1))
        self.sets = [s for s in itertools.combinations(range(len(self.queries)), together)
                     if fault == "shared attributes" or all(not self.queries[a].reads & self.queries[b].reads
                                                           for a, b in itertools.combinations(s, 2))]
        self.rounds, self.rate, self.unit = int(step["rounds"]), parse_number(str(step["rate"])), 2 ** int(step.get("score_bits", 20))
        (kind, parameter), = step["noise"].items()
        self.law = {"laplace": laplace_window, "gaussian": gaussian_window}[kind]
        self.parameter, self.to_all, self.exp, self.fault = parse_number(str(parameter)), step.get("fit", "all") == "all", exp, fault
        self.members = [[r for r, record in enumerate(itertools.product(*self.values)) if q.number(record)]
                        for q in self.queries]
        self.known = {}

    def noisy(self, count, people):
        if (count, people) not in self.known:
            more = () if self.law is gaussian_window else (self.exp,)
            self.known[count, people] = self.law(self.parameter, count, 0, people, *more)
        return self.known[count, people]

    def choice(self, weights, counts, people):
        off = [abs(rounded(plain_sum(weights[r] for r in members) * people * self.unit) - count * self.unit)
               for members, count in zip(self.members, counts)]
        scores = [sum(off[q] for q in one) for one in self.sets]
        likely = [self.exp(self.rate * Fraction(score - max(scores), self.unit)) for score in scores]
        total = likely[0]
        for weight in likely[1:]:
            total = total + weight
        return [weight / total for weight in likely]

    def fitted(self, weights, told):
        """told: [(query, fraction)] of all rounds so far, those of the last one at the end."""
        def inside(share):
            return min(max(share, 1e-6), 1 - 1e-6)

        weights = list(weights)
        if self.to_all:
            for _ in range(20):
                for query, share in told:
                    now, wanted = inside(plain_sum(weights[r] for r in self.members[query])), inside(share)
                    without = (1 - wanted) / (1 - now)
                    weights = [w * without for w in weights]
                    for r in self.members[query]:
                        weights[r] *= wanted / now / without
                total = plain_sum(weights)
                weights = [w / total for w in weights]
            return weights
        last = told[-len(self.sets[0]):]
        factors = [math.exp((share - plain_sum(weights[r] for r in self.members[query])) / 2) for query, share in last]
        for (query, _), factor in zip(last, factors):
            for r in self.members[query]:
                weights[r] *= factor
        total = plain_sum(weights)
        return [w / total for w in weights]

    def answered(self, chosen, counts, people):
        """[(answers, probability)]"""
        found = [((), self.exp(Fraction(0)))]
        for query in chosen:
            found = [(told + (y,), p * q) for told, p in found for y, q in enumerate(self.noisy(counts[query], people))]
        if self.fault != "one noise":
            return found
        # From one draw of noise, which windows separate by their ends only.
        assert people == 1 and len(chosen) == 2
        a, b = (self.noisy(counts[query], people) for query in chosen)
        if counts[chosen[0]] == counts[chosen[1]]:
            return [((y, y), a[y]) for y in (0, 1)]
        low = min((0, 1), key=lambda k: counts[chosen[k]])
        # The larger count ends low only if the smaller one does.
        less, more = (a, b) if low == 0 else (b, a)
        pairs = [((0, 0), more[0]), ((0, 1), less[0] - more[0]), ((1, 1), less[1])]
        return [(pair if low == 0 else pair[::-1], p) for pair, p in pairs]

    def distribution(self, people):
        counts = [query.total(people) for query in self.queries]
        records = math.prod(map(len, self.values))
        runs = [([1 / records] * records, [], (), self.exp(Fraction(0)))]
        for _ in range(self.rounds):
            runs = [(self.fitted(weights, shares + new) if more else weights, shares + new, told + (k,) + answers, p * q * r)
                    for more in [_ + 1 < self.rounds] for weights, shares, told, p in runs
                    for k, q in enumerate(self.choice(weights, counts, len(people)))
                    for answers, r in self.answered(self.sets[k], counts, len(people))
                    for new in [list(zip(self.sets[k], (y / len(people) for y in answers)))]]
        return [(told, p) for _, _, told, p in runs]
