"""Probabilities of outputs: of one output, called by its label, for specs of any size; and whole rows, for specs whose
inputs and outputs can be enumerated."""
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import floor, lcm, log10, prod
from typing import Any, Optional, Sequence

from .domain import Row
from .mechanism import Part, readings
from .notions import Groups, Side
from .priors import Weights
from .report import NotProved, require, require_feasible
from .spec import Spec

MOST_CELLS = 2**22  # inputs x outputs
MOST_EVENTS = 1000
Output = tuple[int, ...]  # the numbers of the outputs of all parts


# One output. A label may stand for several outputs, as a label may contain commas.

class Outputs:
    """Outputs as the numbers of the outputs of all independent parts."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec

    def called(self, label: Any) -> list[Output]:
        return [output for output, rest in readings(self.spec.channel.tree, label) if rest == ""]

    def probability(self, x: Row, output: Output) -> Any:
        result = Fraction(1)
        for part, y in zip(self.spec.parts, output):
            result = result * part.row_of(x)[y]
        return result

    def given(self, weights: Weights, output: Output) -> tuple[Any, Any]:
        """(P(side and output), mass of the side)."""
        found: dict[int, tuple[Any, Any]] = {}
        for x, w in weights.items():
            p = self.probability(x, output)
            entry, own = found.get(id(p), (p, 0))
            found[id(p)] = entry, own + w
        return sum((entry * own for entry, own in found.values()), Fraction(0)), sum(weights.values(), Fraction(0))


    def of_side(self, side: Side, output: Output) -> tuple[Any, Any]:
        """(P(side and output), mass of the side)."""
        if side.marginals is None:
            return self.given(side.weights, output)
        joint = mass = Fraction(1)
        for places in self.components:
            require_feasible(prod(len(side.marginals[k]) for k in places) <= MOST_CELLS, "parts that share too many coordinates")
            seen = [(part, y) for part, y in zip(self.spec.parts, output) if part.places and part.places[0] in places]
            x, sums = [0] * len(self.spec.sizes), [Fraction(0), Fraction(0)]
            for values in product(*(side.marginals[k].items() for k in places)):
                weight = prod(w for _, w in values)
                for k, (value, _) in zip(places, values):
                    x[k] = value
                sums[0] += weight * prod((part.row_of(x)[y] for part, y in seen), start=Fraction(1))
                sums[1] += weight
            joint, mass = joint * sums[0], mass * sums[1]
        for part, y in zip(self.spec.parts, output):  # parts that see nothing
            joint = joint if part.places else joint * part.rows[0][y]
        return joint, mass

    @cached_property
    def components(self) -> list[list[int]]:
        return seen_together(len(self.spec.sizes), self.spec.parts)


def seen_together(coordinates: int, parts: Sequence[Part]) -> list[list[int]]:
    """Sets of coordinates that parts see together."""
    found = [{k} for k in range(coordinates)]
    for part in parts:
        together = [own for own in found if own & set(part.places)]
        found = [own for own in found if own not in together] + ([set[int]().union(*together)] if together else [])
    return [sorted(own) for own in found]


class BlockOutputs(Outputs):
    """Outputs of a mechanism that publishes the block of its input: (block, number within the block)."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.places = {x: (b, k) for b, block in enumerate(spec.blocks.blocks) for k, x in enumerate(block)}

    def of_side(self, side: Side, output: Output) -> tuple[Any, Any]:
        require_feasible(side.marginals is None, "blocks of too many inputs to go through")
        return self.given(side.weights, output)

    def called(self, label: Any) -> list[Output]:
        numbers = label[1:-1].split(",")
        if not (label[:1] + label[-1:] == "()" and len(numbers) == 2 and all(n.isdecimal() and len(n) < 10 and str(int(n)) == n for n in numbers)):
            return []
        b, y = map(int, numbers)
        known = b < len(self.spec.blocks.blocks) and y < len(self.spec.blocks.rows_of(len(self.spec.blocks.blocks[b]))[0])
        return [(b, y)] if known else []

    def probability(self, x: Row, output: Output) -> Any:
        (b, k), (own, y) = self.places[x], output
        return self.spec.blocks.rows_of(len(self.spec.blocks.blocks[b]))[k][y] if b == own else Fraction(0)


@lru_cache(maxsize=4)
def outputs_of(spec: Spec) -> Outputs:
    return BlockOutputs(spec) if spec.blocks is not None else Outputs(spec)


def outputs_called(spec: Spec, label: Any, what: str) -> list[Output]:
    require(isinstance(label, str), f"{what}: no output")
    try:
        found = outputs_of(spec).called(label)
    except ValueError as error:  # too many readings
        raise NotProved(f"{what}: {error}") from error
    require(found, f"{what}: there is no {label[:40]!r}")
    return found


def events_called(spec: Spec, labels: Sequence[Any], what: str) -> list[tuple[Output, ...]]:
    """All sets of different outputs with these labels, in their order."""
    events: list[tuple[Output, ...]] = [()]
    for label in labels:
        called = outputs_called(spec, label, what)
        events = [(*event, y) for event in events for y in called if y not in event]
        require(0 < len(events) <= MOST_EVENTS, f"{what}: an output is there twice, or labels that may be read in many ways")
    return events


# Whole rows. Equal rows are one object, and so are equal entries: most work is done once per object.

def require_enumerable(spec: Spec) -> None:
    fits = spec.input_count <= MOST_CELLS and spec.input_count * spec.output_count <= MOST_CELLS
    require_feasible(fits, f"too many inputs and outputs to go through ({shown(spec.input_count)} x {shown(spec.output_count)})")


def shown(count: int) -> str:
    """A count as text; of more than 20 digits, only their number."""
    return str(count) if count < 10**20 else f"more than 10^{floor((count.bit_length() - 1) * log10(2))}"


@lru_cache(maxsize=4)
def distinct_rows(spec: Spec) -> list[list[Any]]:
    """The rows of all inputs; equal ones are one object."""
    require_enumerable(spec)
    seen: dict[tuple[int, ...], list[Any]] = {}
    return [seen.setdefault(tuple(map(id, row)), row) for row in spec.rows]


@lru_cache(maxsize=4)
def whole_rows(spec: Spec) -> Optional[tuple[dict[int, list[int]], list[int]]]:
    """({id of a row: the row in integers}, the denominator of each column); None if an entry is no fraction."""
    rows = {id(row): row for row in distinct_rows(spec)}.values()
    if not all(isinstance(p, (int, Fraction)) for row in rows for p in row):
        return None
    over = [lcm(*(p.denominator for p in column)) for column in zip(*rows)]
    return {id(row): [p.numerator * (d // p.denominator) for p, d in zip(row, over)] for row in rows}, over


def row_of(spec: Spec, side: Side) -> list[Any]:
    """The probabilities of all outputs given a side."""
    if side.row is None:
        rows, found = distinct_rows(spec), dict[int, tuple[list[Any], Any]]()
        for x, w in side.weights.items():
            row = rows[spec.own_domain.line(x)]
            found[id(row)] = row, found.get(id(row), (row, 0))[1] + w
        side.row = next(iter(found.values()))[0] if len(found) == 1 else mean(spec, list(found.values()), side.mass)
    own: list[Any] = side.row
    return own


def mean(spec: Spec, rows: list[tuple[list[Any], Any]], mass: Any) -> list[Any]:
    """rows: (row, weight)."""
    weights = [w for _, w in rows]
    whole = whole_rows(spec) if all(isinstance(w, (int, Fraction)) for w in weights) else None
    if whole is not None:
        over = lcm(*(Fraction(w).denominator for w in weights))
        sums = [0] * len(whole[1])
        for row, w in rows:
            factor = int(w * over)
            sums = [total + factor * p for total, p in zip(sums, whole[0][id(row)])]
        return [Fraction(total, int(mass * over) * d) for total, d in zip(sums, whole[1])]
    found = []
    for column in zip(*(row for row, _ in rows)):
        parts: dict[int, tuple[Any, Any]] = {}
        for p, w in zip(column, weights):
            parts[id(p)] = p, parts.get(id(p), (p, 0))[1] + w
        found.append(sum((p * w for p, w in parts.values()), Fraction(0)) / mass)
    return found


def unlike_pairs(spec: Spec, groups: Groups) -> list[tuple[list[Any], list[Any]]]:
    """The pairs of rows of all groups of sides, each once, without pairs of one row with itself."""
    seen: dict[tuple[int, int], tuple[list[Any], list[Any]]] = {}
    for first, second in groups:
        own = [{id(row): row for row in (row_of(spec, side) for side in sides)} for sides in (first, second)]
        for a, b in product(*(rows.items() for rows in own)):
            if a[0] != b[0]:
                seen[a[0], b[0]] = a[1], b[1]
    return list(seen.values())
