"""Mechanisms: numbers of inputs and outputs, and on demand labels, rows and independent parts. A product of many parts
is never enumerated unless its own rows are asked for."""
from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from functools import cached_property
from math import comb, prod
from typing import Any, Callable, Iterator, Optional, Sequence, Union

from .domain import MOST_CELLS, Domain, cells
from .exact import Shared
from .numbers import total_of
from .reading import require
from .report import require_feasible

MOST_KINDS = 1024  # of reports
MOST_READINGS = 1000
MOST_OF_PART = 2**24  # inputs x outputs
MOST_STEPS = 2**27  # of a cascade

Rows = Sequence[Sequence[Any]]
Pair = tuple[Sequence[Any], Sequence[Any]]
Column = tuple[Any, list[tuple[int, Any]]]


class Mechanism:
    """outputs: their number. labels(), rows(): one row per input, in the order of the domain. factors(): the independent
    parts that it is made of; none for other mechanisms. tree(): how its labels are made of those of its parts. tuples():
    the components of the outputs, if they are tuples. is_part: it may be part of another mechanism. unnamed: why no
    spec may refer to its outputs by label; `outputs` may then be 1 for an unknown number. pair(): if all pairs of different
    inputs have the same losses, the two rows of one pair, with the outputs of one quotient added up: a list, of independent
    parts of the output. columns(): kinds of outputs, each as a count and [(number of inputs, probability of such an output
    given one of these)]; a count and its probabilities may be scaled, so that their products stay."""

    def __init__(self, domain: Domain, outputs: int, labels: Callable[[], Sequence[str]], rows: Callable[[], Rows],
                 factors: Callable[[], Sequence[Part]] = tuple, tree: Optional[Callable[[], Tree]] = None, is_part: bool = True,
                 tuples: Optional[Callable[[], list[Any]]] = None, unnamed: str = ""):
        self.domain, self.inputs, self.outputs, self.is_part, self.unnamed = domain, domain.inputs, outputs, is_part, unnamed
        self.compute_labels, self.compute_rows, self.compute_factors, self.compute_tree, self.tuples = labels, rows, factors, tree, tuples
        self.blocks: Any = None  # of a block_hadamard_response
        self.pair: Optional[Callable[[], list[Pair]]] = None
        self.columns: Optional[Callable[[], list[Column]]] = None
        self.shuffled: Optional[tuple[Mechanism, int]] = None  # the mechanism of one person, and the number of people

    @cached_property
    def factors(self) -> Sequence[Part]:
        return self.compute_factors()

    @cached_property
    def tree(self) -> Tree:
        own = Part(range(len(self.domain.names)), self)
        if self.compute_tree is None:
            return own
        found = self.compute_tree()
        if self.pair and isinstance(found, Tuple):
            found.unit = own
        return found

    @cached_property
    def labels(self) -> list[str]:
        return list(self.compute_labels())

    @cached_property
    def rows(self) -> list[list[Any]]:
        return [list(row) for row in self.compute_rows()]

    def distinct_labels(self) -> list[str]:
        """The labels of outputs, if a spec refers to outputs by label: they must be distinct."""
        cells(1, self.outputs)
        own = self.known_labels()
        require(len(set(own)) == len(own), "two outputs of the mechanism have the same label")
        return own

    def known_labels(self) -> list[str]:
        require(not self.unnamed, self.unnamed)
        return self.labels

    def made_of(self) -> list[Any]:
        return self.tuples() if self.tuples else self.labels


def shuffled(domain: Domain, local: Mechanism, people: int) -> Mechanism:
    """How often each report of `local` occurs. There is no channel, because the other people's inputs are not known."""
    def missing() -> Any:
        raise ValueError("shuffled reports have no channel")
    found = Mechanism(domain, 1, missing, missing, is_part=False, tree=missing)
    found.shuffled = local, people
    return found


class Part:
    """An independent part of a mechanism, on some coordinates: the places of these, its outputs, its rows."""

    def __init__(self, places: Sequence[int], mechanism: Mechanism):
        self.places, self.mechanism = tuple(places), mechanism

    def listed(self) -> Mechanism:
        require_feasible(self.mechanism.inputs * self.mechanism.outputs <= MOST_OF_PART, "a part of the mechanism has too many inputs and outputs to go through")
        return self.mechanism

    @property
    def labels(self) -> list[str]:
        return self.listed().labels

    @property
    def rows(self) -> list[list[Any]]:
        return self.listed().rows

    def line(self, x: Sequence[int]) -> int:
        """The number of the row for an input of the whole mechanism."""
        return self.mechanism.domain.line([x[i] for i in self.places])

    def row_of(self, x: Sequence[int]) -> list[Any]:
        return self.rows[self.line(x)]

    def moved(self, places: Sequence[int]) -> Part:
        return Part([places[i] for i in self.places], self.mechanism)

    def is_like(self, other: Part) -> bool:
        return self.places == other.places and (self.mechanism is other.mechanism or (self.labels == other.labels and self.rows == other.rows))


class Tuple:
    """Parts whose outputs are written one after the other. unit: the mechanism that they make up, if it has a `pair`."""

    def __init__(self, inner: Sequence[Tree], begin: str = "(", between: str = ",", end: str = ")", unit: Optional[Part] = None):
        self.inner, self.begin, self.between, self.end, self.unit = list(inner), begin, between, end, unit

    def moved(self, places: Sequence[int]) -> Tuple:
        known: dict[int, Tree] = {}  # copies of a repetition stay one object
        for one in self.inner:
            if id(one) not in known:
                known[id(one)] = one.moved(places)
        return Tuple([known[id(one)] for one in self.inner], self.begin, self.between, self.end, self.unit and self.unit.moved(places))


Tree = Union[Part, Tuple]


def flat(tree: Tree) -> list[Part]:
    return [tree] if isinstance(tree, Part) else [part for one in tree.inner for part in flat(one)]


def units(tree: Tree) -> list[Part]:
    """The same, but mechanisms with a `pair` are not taken apart."""
    if isinstance(tree, Part):
        return [tree]
    return [tree.unit] if tree.unit else [part for one in tree.inner for part in units(one)]


def readings(tree: Tree, label: str) -> list[tuple[tuple[int, ...], str]]:
    """The readings of a label that begins with an output of these parts: (the outputs of all parts by number, the
    rest)."""
    if isinstance(tree, Part):
        return [((y,), label[len(own):]) for y, own in enumerate(tree.labels) if label.startswith(own)]
    found: list[tuple[tuple[int, ...], str]] = [((), label[len(tree.begin):])] if label.startswith(tree.begin) else []
    for k, one in enumerate(tree.inner):
        after = tree.end if k + 1 == len(tree.inner) else tree.between
        longer = [(done + own, rest) for done, before in found for own, rest in readings(one, before)]
        found = [(done, rest[len(after):]) for done, rest in longer if rest.startswith(after)]
        if len(found) >= MOST_READINGS:
            raise ValueError("an output that may be read in many ways")
    return found


Join = Callable[[Sequence[str]], str]


def product(domain: Domain, parts: Sequence[Part], tree: Optional[Callable[[], Tree]] = None, join: Optional[Join] = None) -> Mechanism:
    """Independent parts; their outputs are written by `join`, as a tuple if it is missing."""
    inner = [part.mechanism for part in parts]

    def factors() -> list[Part]:
        known = {id(part): [factor.moved(part.places) for factor in part.mechanism.factors] or [part] for part in parts}
        return [factor for part in parts for factor in known[id(part)]]

    def tuple_tree() -> Tree:
        known = {id(part): part.mechanism.tree.moved(part.places) for part in parts}
        return Tuple([known[id(part)] for part in parts])

    def labels() -> list[str]:
        return [(join or in_brackets)(own) for own in itertools.product(*(one.labels for one in inner))]

    def rows() -> Rows:
        found, same = [], Shared()
        for x in domain.rows():
            row: list[Any] = []
            for part in parts:
                chances = list(map(same.one, part.row_of(x)))
                row = [same.times(a, b) for a in row for b in chances] if row else chances
            found.append(row)
        return found
    return Mechanism(domain, prod(one.outputs for one in inner), labels, rows, factors, tree or tuple_tree,
                     tuples=None if join else lambda: list(itertools.product(*(one.made_of() for one in inner))),
                     unnamed=next((one.unnamed for one in inner if one.unnamed), ""))


def in_brackets(labels: Sequence[str]) -> str:
    return f"({','.join(labels)})"


def on_coordinates(domain: Domain, part: Part) -> Mechanism:
    """One part, whose outputs are the outputs."""
    inner = part.mechanism
    found = product(domain, [part], lambda: inner.tree.moved(part.places), lambda own: own[0])
    found.tuples = inner.tuples
    return found


def counts_of(outputs: int, runs: int) -> Iterator[tuple[int, ...]]:
    """All counts of each output in `runs` runs, those with most of the first outputs first."""
    if outputs == 1 or runs == 0:
        yield (runs, *(0,) * (outputs - 1))
        return
    for first in range(runs, -1, -1):
        for rest in counts_of(outputs - 1, runs - first):
            yield (first, *rest)


def counted_rows(kept: Rows, reports: Rows, times: int) -> list[list[Any]]:
    """kept[x][b], reports[b][y]: how often each report occurs, if all reports are about the same b."""
    given = []
    for row in reports:
        powers = [[p ** n for n in range(times + 1)] for p in row]
        chances = []
        for counts in counts_of(len(row), times):
            left, ways = times, 1
            for n in counts:
                ways, left = ways * comb(left, n), left - n
            chance: Any = ways
            for own, n in zip(powers, counts):
                chance = own[n] * chance if n else chance
            chances.append(chance)
        given.append(chances)
    return [[total_of([p * chances[k] for p, chances in zip(row, given)]) for k in range(len(given[0]))] for row in kept]


def counted(kept: Mechanism, report: Mechanism, times: int) -> Mechanism:
    """A part of the permanent result, with the counts of its reports."""
    require(report.outputs <= MOST_KINDS, f"found reports of {report.outputs} kinds, expected at most {MOST_KINDS}")
    ways = comb(times + report.outputs - 1, times)
    require(ways <= MOST_CELLS, "how often each report comes are too many outputs")
    for part in (kept, report):
        cells(part.inputs, ways)
    cells(1, report.outputs)

    def labels() -> list[str]:
        return ["{" + ",".join(f"{y}:{n}" for y, n in zip(report.labels, count)) + "}" for count in counts_of(report.outputs, times)]
    return Mechanism(kept.domain, ways, labels, lambda: counted_rows(kept.rows, report.rows, times), unnamed=report.unnamed)


def memoized(domain: Domain, kept: Mechanism, report: Mechanism, times: int) -> Mechanism:
    return by_stages(domain, kept, report, lambda one, other: counted(one, other, times))


def cascaded(domain: Domain, first: Mechanism, second: Mechanism) -> Mechanism:
    """The second mechanism reads the outputs of the first, in their order."""
    return by_stages(domain, first, second, lambda one, other: cascade(one.domain, one, other, range(one.outputs)), keeps_outputs=True)


def cascade(domain: Domain, first: Mechanism, second: Mechanism, input_of: Sequence[int]) -> Mechanism:
    """input_of: the input of the second mechanism for each output of the first."""
    for inputs, outputs in ((first.inputs, first.outputs), (second.inputs, second.outputs), (first.inputs, second.outputs), (first.outputs, second.outputs)):
        cells(inputs, outputs)

    def rows() -> Rows:
        require_feasible(first.inputs * first.outputs * second.outputs <= MOST_STEPS, "a cascade of too many inputs and outputs to go through")
        same = Shared()
        known: dict[Any, Any] = {}
        columns = list(zip(*([same.one(p) for p in second.rows[k]] for k in input_of)))
        found: list[list[Any]] = []
        for row in ([same.one(p) for p in row] for row in first.rows):
            found.append([])
            for column in columns:
                # Equal products are added by multiplication with their number.
                pairs = Counter(zip(map(id, row), map(id, column)))
                key = frozenset(pairs.items())
                if key not in known:
                    numbers = {id(p): p for p in (*row, *column)}
                    known[key] = total_of([numbers[a] * numbers[b] * Fraction(count) for (a, b), count in pairs.items()])
                found[-1].append(known[key])
        return found
    return Mechanism(domain, second.outputs, lambda: second.labels, rows, unnamed=second.unnamed)


def by_stages(domain: Domain, kept: Mechanism, report: Mechanism, staged: Callable[[Mechanism, Mechanism], Mechanism],
              keeps_outputs: bool = False) -> Mechanism:
    """By parts, if each part of the report sees one part of the permanent result, and no two the same. The parts are in the order
    of the permanent result. keeps_outputs: in that of the report, whose outputs are those of the whole."""
    seen = report.factors
    if len(kept.factors) == 1 and not seen:
        pairs = [(kept.factors[0], report)]
    elif kept.factors and len(kept.factors) == len(seen) and sorted(own.places for own in seen) == [(k,) for k in range(len(seen))]:
        tree = report.tree
        flat_tuple = isinstance(tree, Tuple) and (tree.begin, tree.between, tree.end) == ("(", ",", ")") and all(isinstance(one, Part) for one in tree.inner)
        if keeps_outputs and not (isinstance(tree, Part) if len(seen) == 1 else flat_tuple):
            return staged(kept, report)
        pairs = [(kept.factors[own.places[0]], own.mechanism) for own in (seen if keeps_outputs else sorted(seen, key=lambda own: own.places))]
    else:
        return staged(kept, report)
    known: dict[tuple[int, int], Mechanism] = {}
    parts = []
    for factor, own in pairs:
        key = id(factor.mechanism), id(own)
        if key not in known:
            known[key] = staged(factor.mechanism, own)
        parts.append(Part(factor.places, known[key]))
    found = product(domain, parts) if len(parts) > 1 else on_coordinates(domain, parts[0])
    found.tuples = None
    return found
