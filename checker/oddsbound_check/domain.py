"""Domains: coordinates with their values, inputs as tuples of places of values."""
from __future__ import annotations

import itertools
import re
from math import prod
from typing import Any, Callable, Iterator, Optional, Sequence, Union

from .reading import Literal, array, boolean, distinct, either, every, fields, integer, is_text, mapping, require, text, whole, within

MOST_INPUTS = 1 << 24  # that are listed
MOST_VALUES = (1 << 32) - 1  # of a coordinate
MOST_CELLS = 1 << 27

Row = tuple[int, ...]


class Values(Sequence[str]):
    """The values of a coordinate, or the labels of outputs: different texts, or "0", "1", ..., given by their number."""

    def __init__(self, names: Union[int, Sequence[str]]):
        self.names: Sequence[str] = () if isinstance(names, int) else list(names)
        self.size = names if isinstance(names, int) else len(names)
        self.is_size, self.places = isinstance(names, int), {value: k for k, value in enumerate(self.names)}
        require(len(self.places) == len(self.names), "a value is there twice")

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[str]:
        return map(str, range(self.size)) if self.is_size else iter(self.names)

    def __contains__(self, value: object) -> bool:
        if not self.is_size or not isinstance(value, str):
            return value in self.places
        return re.fullmatch(r"0|[1-9][0-9]{0,18}", value) is not None and int(value) < self.size

    def index(self, value: str, *_: Any) -> int:
        if value not in self:
            raise ValueError(f"{value!r} is not a value")
        return int(value) if self.is_size else self.places[value]

    def __getitem__(self, k: Any) -> Any:
        return list(self)[k] if isinstance(k, slice) else str(range(self.size)[k]) if self.is_size else self.names[k]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Values) and self.is_size and other.is_size:
            return self.size == other.size
        return self is other or (isinstance(other, Sequence) and len(self) == len(other) and all(a == b for a, b in zip(self, other)))


def line(sizes: Sequence[int], places: Sequence[int]) -> int:
    """The number of a tuple of places, the last place fastest."""
    number = 0
    for size, place in zip(sizes, places):
        number = number * size + place
    return number


class Domain:
    """names, and the values of each."""

    def __init__(self, names: Sequence[str], values: Sequence[Values], public: Sequence[str] = ()):
        require(names, "a domain needs at least one coordinate")
        self.names, self.values, self.public = list(names), list(values), set(public)
        require(len(set(names)) == len(names), "two coordinates have one name")
        self.places = {name: i for i, name in enumerate(names)}
        self.sizes = [len(own) for own in values]
        self.inputs = prod(self.sizes)

    def listed(self) -> int:
        """The number of inputs, if they may be listed."""
        require(self.inputs <= MOST_INPUTS, f"the domain has more than {MOST_INPUTS} inputs")
        return self.inputs

    def rows(self) -> Iterator[Row]:
        """All inputs, as tuples of places."""
        return itertools.product(*map(range, self.sizes))

    def tuples(self) -> Iterator[tuple[str, ...]]:
        """All inputs, as tuples of values."""
        return itertools.product(*self.values)

    def labels(self) -> list[str]:
        """The inputs as labels of outputs."""
        return [x[0] if len(x) == 1 else "(" + ",".join(x) + ")" for x in self.tuples()]

    def line(self, x: Sequence[int]) -> int:
        """The number of an input."""
        return line(self.sizes, x)

    def coordinate(self, name: Any) -> int:
        text(name, "the name of a coordinate")
        require(name in self.places, f"there is no coordinate {name[:60]!r}")
        return self.places[name]

    def coordinates(self, names: Any) -> list[int]:
        found: list[int] = distinct(every(array(names, "coordinates"), self.coordinate), "a coordinate")
        require(found, "found no coordinate, expected at least one")
        return found

    def restricted(self, places: Sequence[int]) -> Domain:
        return Domain([self.names[i] for i in places], [self.values[i] for i in places])

    def value(self, value: Any, i: int) -> int:
        text(value, f"a value of coordinate {self.names[i][:60]!r}")
        require(value in self.values[i], f"{value[:60]!r} is not a value of coordinate {self.names[i][:60]!r}")
        return self.values[i].index(value)

    def input(self, value: Any) -> Row:
        """A tuple of places of values."""
        array(value, "values, one per coordinate")
        require(len(value) == len(self.names), f"found {len(value)} values, expected one for each of the {len(self.names)} coordinates")
        return tuple(within(i, self.value, item, i) for i, item in enumerate(value))

    def has(self, names: object) -> bool:
        """True if these are the values of an input."""
        return isinstance(names, (list, tuple)) and len(names) == len(self.names) and all(
            isinstance(name, str) and name in own for name, own in zip(names, self.values))

    def given_inputs(self, value: Any) -> list[Row]:
        found: list[Row] = distinct(every(array(value, "inputs"), self.input), "an input")
        require(found, "found no input, expected at least one")
        return found

    def chosen_inputs(self, value: Any) -> list[Row]:
        """Inputs that are listed, or that meet a condition."""
        if not isinstance(value, dict):
            return self.given_inputs(value)
        when = self.condition(value)
        self.listed()
        found = [x for x in self.rows() if all(x[i] in taken for i, taken in when.items())]
        require(found, "no input meets the condition, expected at least one")
        return found

    def condition(self, value: Any) -> dict[int, set[int]]:
        """The places of the values of each coordinate that it names."""
        when = {}
        for name, wanted in mapping(value, "coordinate to value or values").items():
            i = within(name, self.coordinate, name)
            when[i] = set(within(name, every, wanted if isinstance(wanted, list) else [wanted], self.value, i))
        return when

    def partition(self, value: Any) -> tuple[list[int], Callable[[], list[list[Row]]]]:
        """The sizes of blocks of inputs, and on demand the blocks, each in the order of the domain: listed, or given by
        the coordinates that they share."""
        if array(value, "blocks") and is_text(value[0]):
            places = self.coordinates(value)
            count = self.restricted(places).listed()
            return [self.listed() // count] * count, lambda: self.sharing(places)
        blocks = [sorted(block) for block in self.cover(every(value, self.given_inputs), "block")]
        return list(map(len, blocks)), lambda: blocks

    def sharing(self, places: Sequence[int]) -> list[list[Row]]:
        """Blocks of inputs that share the values of these coordinates."""
        blocks: dict[Row, list[Row]] = {key: [] for key in self.restricted(places).rows()}
        for x in self.rows():
            blocks[tuple(x[i] for i in places)].append(x)
        return list(blocks.values())

    def cover(self, groups: list[list[Row]], what: str) -> list[list[Row]]:
        seen: set[Row] = set()
        for k, group in enumerate(groups):
            require(seen.isdisjoint(group), f"an input is in two: {what}", k)
            seen.update(group)
        require(len(seen) == self.listed(), f"an input is in no {what}")
        return groups


def labels(value: Any) -> Values:
    """The labels of outputs."""
    if isinstance(value, Literal):
        return Values(integer(value, "the number of outputs", 1, MOST_CELLS))
    every(array(value, "output labels, or a number of outputs"), text, "an output label")
    distinct(value, "an output")
    require(value, "a mechanism needs at least one output")
    return Values(value)


def cells(inputs: int, outputs: int) -> None:
    require(inputs * outputs <= MOST_CELLS, f"{inputs} inputs x {outputs} outputs are more than {MOST_CELLS} cells")


class Draft:
    """A domain whose open values (None) are given by a table."""

    def __init__(self, names: Sequence[str], values: Sequence[Optional[Values]], public: Sequence[str] = ()):
        self.names, self.values, self.public = names, values, public

    def is_open(self) -> bool:
        return None in self.values

    def domain(self) -> Domain:
        return Domain(self.names, [own for own in self.values if own is not None], self.public)


def read_coordinate(value: Any) -> tuple[str, Optional[Values], bool]:
    fields(value, "a coordinate", ("name",), ("values", "size", "public"))
    name = within("name", text, value["name"], "the name of a coordinate")
    require(name, "a coordinate needs a name that is not empty", "name")
    public = within("public", boolean, value.get("public", False), "whether everybody knows it")
    either(value, "a coordinate", "values", "size")
    if "size" in value:
        return name, Values(whole(value, "size", 1, MOST_VALUES)), public
    if is_text(value["values"]):
        require(value["values"] == "from prior", 'expected an array of values, or "from prior"', "values")
        return name, None, public
    values = distinct(within("values", every, within("values", array, value["values"], "values"), text, "a value"), "a value")
    require(values, "a coordinate needs at least one value", "values")
    return name, Values(values), public


def read_draft(value: Any) -> Draft:
    found = every(array(value, "coordinates"), read_coordinate)
    distinct([name for name, _, _ in found], "a coordinate's name")
    require(found, "a domain needs at least one coordinate")
    return Draft([name for name, _, _ in found], [values for _, values, _ in found], [name for name, _, public in found if public])


def read_listed(value: Any) -> Domain:
    """The domain of a release: all values are written out."""
    draft = read_draft(value)
    require(not draft.is_open(), "the values have to be listed here: there is no prior")
    return draft.domain()
