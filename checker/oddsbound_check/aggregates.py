"""Functions of the outputs of independent parts: sums, counts, the largest or smallest number, and conditions on them.
Distributions are computed once for all inputs for which the parts have the same rows."""
from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from math import gcd, lcm, prod
from typing import Any, Callable, Optional, Sequence

from .domain import Domain, cells
from .exact import written
from .mechanism import Mechanism, Part, readings
from .numbers import Numbers, total_of
from .reading import array, distinct, every, fields, is_text, require, text, within

MOST_DIGITS = 15
MOST_UNIT = 10**9
MOST_SCORE = 2**40
MOST_LISTED = 1 << 16
PLAIN = ("sum", "max", "min", "argmax")
TRUTH = ["false", "true"]

Law = dict[int, Any]  # probabilities of scores; none is 0


def number_of(label: str) -> Fraction:
    """The number that a label is."""
    found = re.fullmatch(r"(-?)([0-9]+)(?:\.([0-9]+)|/([0-9]+))?", label, re.ASCII)
    require(found, f"the output {label[:60]!r} is no number")
    assert found is not None
    sign, whole, decimals, bottom = found.groups()
    require(max(len(whole + (decimals or "")), len(bottom or "")) <= MOST_DIGITS, f"the output {label[:60]!r} has more than {MOST_DIGITS} digits")
    require(bottom is None or int(bottom) > 0, f"the output {label[:60]!r} is no number")
    value = Fraction(int(whole + (decimals or "")), int(bottom or 10 ** len(decimals or "")))
    return -value if sign else value


class PartFunction:
    """A function of one score per part. scores: by part and output. unit: scores are multiples of 1 / unit."""

    def __init__(self, name: str, parts: Sequence[Part], scores: Sequence[Sequence[int]], unit: int):
        self.name, self.parts, self.scores, self.unit = name, parts, scores, unit
        require(all(abs(score) <= MOST_SCORE for own in {id(own): own for own in scores}.values() for score in own), "outputs are too large")

    def results(self) -> list[int]:
        """All results that outputs of the parts can give."""
        if self.name == "argmax":
            return list(range(len(self.parts)))
        if self.name in ("max", "min"):
            pick, sign = (max, 1) if self.name == "max" else (min, -1)
            bound = pick((min if sign > 0 else max)(own) for own in self.scores)
            return sorted({score for own in self.scores for score in own if (score - bound) * sign >= 0})
        kinds = Counter(tuple(sorted(set(own))) for own in self.scores)
        least = sum(own[0] * count for own, count in kinds.items())
        cells(1, sum((own[-1] - own[0]) * count for own, count in kinds.items()) // self.step(kinds) + 1)
        step, possible = self.step(kinds), 1  # the bits of possible sums
        for own, count in kinds.items():
            for _ in range(count):
                possible = sum_of_bits(possible, [(score - own[0]) // step for score in own])
        return [least + k * step for k, bit in enumerate(reversed(bin(possible)[2:])) if bit == "1"]

    @staticmethod
    def step(kinds: Counter[tuple[int, ...]]) -> int:
        return gcd(*(score - own[0] for own in kinds for score in own)) or 1

    def labels(self, results: Sequence[int]) -> list[str]:
        return [str(result) if self.name == "argmax" else str(Fraction(result, self.unit)) for result in results]

    def law(self, laws: Sequence[Law]) -> Law:
        if self.name == "argmax":
            return law_of_argmax(laws)
        if self.name in ("max", "min"):
            return law_of_extreme(laws, self.name == "min")
        return law_of_sum(laws)

    def rows(self, domain: Domain, results: Sequence[int]) -> list[list[Any]]:
        per_part: dict[tuple[int, int], list[int]] = {}  # by mechanism and scores: the number of the law, by line
        known: dict[Any, int] = {}
        laws: list[Law] = []
        for part, scores in zip(self.parts, self.scores):
            if (id(part.mechanism), id(scores)) not in per_part:
                numbers = []
                for row in part.rows:
                    law = scored(row, scores)
                    key = tuple((score, written(p)) for score, p in sorted(law.items()))
                    if key not in known:
                        known[key] = len(laws)
                        laws.append(law)
                    numbers.append(known[key])
                per_part[id(part.mechanism), id(scores)] = numbers
        lines = [(part, per_part[id(part.mechanism), id(scores)]) for part, scores in zip(self.parts, self.scores)]
        computed: dict[tuple[int, ...], list[Any]] = {}
        found = []
        for x in domain.rows():
            own = tuple(numbers[part.line(x)] for part, numbers in lines)
            if self.name != "argmax":
                own = tuple(sorted(own))
            if own not in computed:
                law = self.law([laws[k] for k in own])
                computed[own] = [law.get(result, Fraction(0)) for result in results]
            found.append(computed[own])
        return found


def sum_of_bits(possible: int, scores: Sequence[int]) -> int:
    found = 0
    for score in scores:
        found |= possible << score
    return found


def scored(row: Sequence[Any], scores: Sequence[int]) -> Law:
    terms: dict[int, list[Any]] = {}
    for p, score in zip(row, scores):
        terms.setdefault(score, []).append(p)
    law = {score: own[0] if len(own) == 1 else total_of(own) for score, own in terms.items()}
    return {score: p for score, p in law.items() if p != 0}


def times(a: Law, b: Law) -> Law:
    found: Law = {}
    for one, p in a.items():
        for other, q in b.items():
            found[one + other] = found[one + other] + p * q if one + other in found else p * q
    return found


def power(law: Law, exponent: int) -> Law:
    found: Law = {0: 1}
    for bit in bin(exponent)[2:]:
        found = times(found, found)
        if bit == "1":
            found = times(found, law)
    return found


def law_of_sum(laws: Sequence[Law]) -> Law:
    """By convolution of integers, divided by their total at the end, if all probabilities are rational."""
    counts = Counter(map(id, laws))
    found: Law = {0: 1}
    total: Any = 1
    for law in {id(law): law for law in laws}.values():
        unit = 1
        if all(isinstance(p, Fraction) for p in law.values()):
            unit = lcm(*(p.denominator for p in law.values()))
            law, original = {score: int(p * unit) for score, p in law.items()}, law
        else:
            original = law
        found = times(found, power(law, counts[id(original)]))
        total *= unit ** counts[id(original)]
    return {score: Fraction(p, total) if isinstance(p, int) else p * Fraction(1, total) for score, p in found.items()}


def below(law: Law, bound: int, strictly: bool = False) -> Any:
    return total_of([p for score, p in law.items() if score < bound or (score == bound and not strictly)])


def law_of_extreme(laws: Sequence[Law], smallest: bool) -> Law:
    if smallest:
        return {-score: p for score, p in law_of_extreme([{-score: p for score, p in law.items()} for law in laws], False).items()}
    found: Law = {}
    before: Any = Fraction(0)
    for bound in sorted({score for law in laws for score in law}):
        all_below = prod([below(law, bound) for law in laws], start=Fraction(1))
        found[bound] = all_below - before
        before = all_below
    return found


def law_of_argmax(laws: Sequence[Law]) -> Law:
    """The first of the largest."""
    found: Law = {}
    for k, law in enumerate(laws):
        chances = [prod([p, *(below(one, score, True) for one in laws[:k]), *(below(one, score) for one in laws[k + 1:])], start=Fraction(1)) for score, p in law.items()]
        found[k] = total_of(chances)
    return found


def parts_of(inner: Mechanism, domain: Domain) -> list[Part]:
    return list(inner.factors) or [Part(range(len(domain.names)), inner)]


def by_label(parts: Sequence[Part], score: Callable[[str], int]) -> list[list[int]]:
    known: dict[int, list[int]] = {}
    for part in parts:
        if id(part.mechanism) not in known:
            cells(1, part.mechanism.outputs)
            known[id(part.mechanism)] = [score(label) for label in part.mechanism.known_labels()]
    return [known[id(part.mechanism)] for part in parts]


def of_numbers(name: str, parts: Sequence[Part]) -> PartFunction:
    unit = 1
    for bottom in {number for own in by_label(parts, lambda label: number_of(label).denominator) for number in own}:
        unit = lcm(unit, bottom)
    require(unit <= MOST_UNIT, f"the common denominator of the outputs is larger than {MOST_UNIT}")
    return PartFunction(name, parts, by_label(parts, lambda label: int(number_of(label) * unit)), unit)


def listed(value: Any, known: Sequence[str], what: str) -> list[str]:
    """Distinct texts, each of which is known."""
    found: list[str] = distinct(every(array(value, "labels"), text, "a label"), "label")
    require(found, "found an empty list, expected at least one label")
    names = set(known)
    for k, label in enumerate(found):
        require(label in names, f"there is no {what} {label[:60]!r}", k)
    return found


def of_count(value: Any, parts: Sequence[Part]) -> PartFunction:
    by_label(parts, lambda label: 0)
    known = {label for one in {id(part.mechanism): part.mechanism for part in parts}.values() for label in one.labels}
    counted = set(within("count", listed, [text(value, "an output")] if is_text(value) else value, list(known), "output"))
    return PartFunction("count", parts, by_label(parts, lambda label: int(label in counted)), 1)


def part_function(value: Any, parts: Sequence[Part]) -> PartFunction:
    if isinstance(value, dict):
        fields(value, "a function of parts", ("count",))
        return of_count(value["count"], parts)
    require(is_text(value) and value in PLAIN, "expected 'sum', 'max', 'min', 'argmax' or a count")
    return of_numbers(value, parts)


def is_one_of(inner: Mechanism, domain: Domain, value: Any) -> Mechanism:
    """True or false: the output of the mechanism is one of these, or not."""
    labels = distinct(every(array(value, "labels"), text, "a label"), "label")
    require(labels, "found an empty list, expected at least one label")
    cells(domain.listed(), 2)
    if inner.outputs > MOST_LISTED and inner.factors:
        require(not inner.unnamed, inner.unnamed)
        outputs = []
        for label in labels:
            found = [output for output, rest in readings(inner.tree, label) if rest == ""]
            require(len(found) == 1, f"there is no output {label[:60]!r}, or there are several")
            outputs.append(found[0])

        def chances() -> list[Any]:
            return [total_of([prod([part.row_of(x)[y] for part, y in zip(inner.factors, output)], start=Fraction(1)) for output in outputs]) for x in domain.rows()]
    else:
        known = {label: y for y, label in enumerate(inner.distinct_labels())}
        for label in labels:
            require(label in known, f"there is no output {label[:60]!r}")
        places = [known[label] for label in labels]

        def chances() -> list[Any]:
            return [total_of([row[y] for y in places]) for row in inner.rows]
    return Mechanism(domain, 2, lambda: list(TRUTH), lambda: [[1 - p, p] for p in chances()])


def function_of(inner: Mechanism, domain: Domain, value: Any, numbers: Numbers) -> Mechanism:
    """value: the function, as in the spec."""
    base = value
    if isinstance(value, dict):
        fields(value, "a function", (), ("count", "at_least", "one_of", "of"))
        require(sum(key in value for key in ("count", "at_least", "one_of")) == 1, "a function has exactly one of 'count', 'at_least' and 'one_of'")
        require("count" not in value or "of" not in value, "'count' has no 'of'")
        require("at_least" not in value or "of" in value, "'at_least' needs 'of'")
        if "one_of" in value and "of" not in value:
            return within("one_of", is_one_of, inner, domain, value["one_of"])
        base = value.get("of", value)
    found: PartFunction = part_function(base, parts_of(inner, domain))
    results = found.results()
    cells(domain.listed(), len(results))
    labels = found.labels(results)
    truth: Optional[list[bool]] = None
    if isinstance(value, dict) and "at_least" in value:
        require(found.name != "argmax", "'at_least' needs a number", "at_least")
        least = within("at_least", numbers.rational, value["at_least"])
        truth = [Fraction(result, found.unit) >= least for result in results]
    elif isinstance(value, dict) and "one_of" in value:
        wanted = within("one_of", listed, value["one_of"], labels, "result")
        truth = [label in wanted for label in labels]

    def rows() -> list[list[Any]]:
        own = found.rows(domain, results)
        if truth is None:
            return own
        known: dict[int, list[Any]] = {}
        for row in own:
            if id(row) not in known:
                known[id(row)] = [total_of([p for p, is_true in zip(row, truth) if is_true == side]) for side in (False, True)]
        return [known[id(row)] for row in own]
    return Mechanism(domain, len(results) if truth is None else 2, lambda: list(labels) if truth is None else list(TRUTH), rows)
