"""Shared by all parts of the strict reader of specs (strict_spec.py): JSON with all ambiguities rejected, fields of
objects, kinds of values, tables in CSV. Every fault is a Refused that names its place.
"""
import json
import os
import re
from fractions import Fraction

MOST_DEPTH = 200
MOST_BYTES = 512 << 20
MOST_INPUTS = 1 << 24
MOST_CELLS = 1 << 27
MOST_INTEGER = 10**9
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


class Refused(ValueError):
    """Not a spec, or one that oddsbound rejects."""

    def __init__(self, why, *path):
        super().__init__(why)
        self.why, self.path = why, path

    def inside(self, *keys):
        self.path = keys + self.path
        return self

    def __str__(self):
        return f"/{'/'.join(map(str, self.path))}: {self.why}" if self.path else self.why


class Literal(str):
    """A number of JSON, as written."""


def require(condition, why, *path):
    if not condition:
        raise Refused(why, *path)


def within(keys, function, *arguments):
    """The function's result; its errors are located inside these keys."""
    try:
        return function(*arguments)
    except Refused as refused:
        raise refused.inside(*(keys if isinstance(keys, tuple) else (keys,)))


def literal(text):
    require(float(text) not in (float("inf"), float("-inf")), f"the number {text[:40]} is too large to be a JSON number")
    return Literal(text)


def unique(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise Refused(f"the key {next(key for key in keys if keys.count(key) > 1)!r} occurs twice in an object")
    return found


def no_constant(text):
    raise Refused(f"{text} is not JSON")


def depth_of(value):
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, (dict, list))]:
        depth += 1
        level = [item for own in level for item in (own.values() if isinstance(own, dict) else own)]
    return depth


def bytes_of(path):
    try:
        require(os.path.isfile(path), "this is not a regular file")
        require(os.path.getsize(path) <= MOST_BYTES, "the file is too large")
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Refused(f"the file cannot be read: {error.strerror}") from error


def text_of(path):
    try:
        return bytes_of(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused("this is not UTF-8") from error


def document(text):
    try:
        found = json.loads(text, parse_float=literal, parse_int=literal, parse_constant=no_constant, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise Refused(f"this is not JSON: {error}") from error
    except RecursionError as error:
        raise Refused("brackets are nested too deep") from error
    require(depth_of(found) <= MOST_DEPTH, f"brackets are nested deeper than the limit of {MOST_DEPTH}")
    # Half of a surrogate pair of escapes is no text.
    try:
        text.encode()
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise Refused("an escape that is no character") from error
    return found


def fields(value, what, needed=(), optional=()):
    """The object itself, if it has all required fields and no unknown ones."""
    require(isinstance(value, dict), f"expected an object: {what}")
    for key in value:
        require(key in needed or key in optional, f"unknown key {key[:60]!r} in {what}", key[:60])
    for key in needed:
        require(key in value, f"{what} needs the key '{key}'")
    return value


def either(value, what, first, second):
    require((first in value) != (second in value), f"{what} has either '{first}' or '{second}'")


def is_text(value):
    return isinstance(value, str) and not isinstance(value, Literal)


def text(value, what):
    require(is_text(value), f"expected {what} as a string")
    return value


def boolean(value, what):
    require(isinstance(value, bool), f"expected {what}: true or false")
    return value


def published(table):
    """True if a table of people is public: no result depends on it."""
    within("published", boolean, table.get("published", False), "whether the table is published")


def array(value, what):
    require(isinstance(value, list), f"expected an array of {what}")
    return value


def mapping(value, what):
    require(isinstance(value, dict), f"expected an object: {what}")
    return value


def every(value, function, *arguments):
    """The function's results for all items of an array, or by key of an object."""
    if isinstance(value, dict):
        return {key: within(key, function, item, *arguments) for key, item in value.items()}
    return [within(k, function, item, *arguments) for k, item in enumerate(value)]


def distinct(items, what):
    seen = set()
    for k, item in enumerate(items):
        require(item not in seen, f"{what} is listed twice", k)
        seen.add(item)
    return items


def integer(value, what, least=-MOST_INTEGER, most=MOST_INTEGER):
    """A JSON number that may be written with a point or an exponent."""
    require(isinstance(value, Literal), f"expected {what}, an integer")
    found = re.fullmatch(r"-?\d+(\.\d+)?([eE][-+]?0*\d{1,5})?", value)
    require(found is not None and len(value) <= 10_000 and abs(int(re.search(r"[eE](.*)", value)[1]) if "e" in value.lower() else 0) <= 10_000,
            f"expected {what}, an integer of fewer digits")
    number = Fraction(value) if len(value) < 4000 else None
    require(number is not None and number.denominator == 1 and least <= number <= most, f"expected {what}, an integer from {least} to {most}")
    return int(number)


def type_of(value, what, known, key="type"):
    mapping(value, what)
    require(key in value, f"{what} needs the key '{key}'")
    name = within(key, text, value[key], f"the {key}")
    require(name in known, f"unknown {key} {name[:60]!r}", key)
    return name


class Size:
    """The values "0", "1", ... of a coordinate with a size, and outputs given as a number."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __iter__(self):
        return map(str, range(self.count))

    def __contains__(self, value):
        return re.fullmatch(r"0|[1-9][0-9]{0,18}", value) is not None and int(value) < self.count

    def index(self, value):
        return int(value)

    def __getitem__(self, k):
        return str(k)


class Names:
    """Different texts."""

    def __init__(self, values):
        self.values, self.places = list(values), {value: k for k, value in enumerate(values)}
        require(len(self.places) == len(self.values), "a value is there twice")

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.values)

    def __contains__(self, value):
        return value in self.places

    def index(self, value):
        return self.places[value]

    def __getitem__(self, k):
        return self.values[k]


class Domain:
    """names, and the values of each."""

    def __init__(self, names, values, public=()):
        require(names, "a domain needs at least one coordinate")
        self.names, self.values, self.public = names, values, set(public)
        require(len(set(names)) == len(names), "two coordinates have one name")
        self.places = {name: i for i, name in enumerate(names)}
        self.inputs = 1
        for own in values:
            self.inputs *= len(own)

    def listed(self):
        """The number of inputs, if they may be listed."""
        require(self.inputs <= MOST_INPUTS, f"the domain has more than {MOST_INPUTS} inputs")
        return self.inputs

    def coordinate(self, name):
        text(name, "the name of a coordinate")
        require(name in self.places, f"there is no coordinate {name[:60]!r}")
        return self.places[name]

    def coordinates(self, names):
        found = distinct(every(array(names, "coordinates"), self.coordinate), "a coordinate")
        require(found, "found no coordinate, expected at least one")
        return found

    def restricted(self, places):
        return Domain([self.names[i] for i in places], [self.values[i] for i in places])

    def value(self, value, i):
        text(value, f"a value of coordinate {self.names[i][:60]!r}")
        require(value in self.values[i], f"{value[:60]!r} is not a value of coordinate {self.names[i][:60]!r}")
        return self.values[i].index(value)

    def input(self, value):
        """A tuple of places of values."""
        array(value, "values, one per coordinate")
        require(len(value) == len(self.names), f"found {len(value)} values, expected one for each of the {len(self.names)} coordinates")
        return tuple(within(i, self.value, item, i) for i, item in enumerate(value))

    def given_inputs(self, value):
        found = distinct(every(array(value, "inputs"), self.input), "an input")
        require(found, "found no input, expected at least one")
        return found

    def is_like(self, other):
        return len(self.names) == len(other.names) and all(
            len(a) == len(b) and (a is b or list(a) == list(b)) for a, b in zip(self.values, other.values))


def labels(value):
    """The labels of outputs: Names, or a Size."""
    if isinstance(value, Literal):
        return Size(integer(value, "the number of outputs", 1, MOST_CELLS))
    every(array(value, "output labels, or a number of outputs"), text, "an output label")
    distinct(value, "an output")
    require(value, "a mechanism needs at least one output")
    return Names(value)


def cells(inputs, outputs):
    require(inputs * outputs <= MOST_CELLS, f"{inputs} inputs x {outputs} outputs are more than {MOST_CELLS} cells")


CELL = re.compile(r'"((?:[^"]|"")*)"|([^,\r\n\0]*)')


def csv_rows(content):
    """The nonempty rows, as (line, cells)."""
    line, at, end = 1, 0, len(content)
    while at < end:
        start, row, is_empty = line, [], content[at] in "\r\n"
        while True:
            if content.startswith('"', at):
                found = CELL.match(content, at)
                require(found is not None and found[1] is not None, f"line {line}: a quoted cell that is never closed")
                row.append(found[1].replace('""', '"'))
                line += found[1].count("\n")
            else:
                found = CELL.match(content, at)
                row.append(found[2])
            at = found.end()
            if not content.startswith(",", at):
                break
            at += 1
        if content.startswith("\r", at):
            require(content.startswith("\r\n", at), f"line {line}: a carriage return that no line feed follows")
            at += 1
        require(at == end or content[at] == "\n", f"line {line}: text after a closing quote, or a NUL byte")
        at, line = at + 1, line + 1
        if not is_empty:
            yield start, row


def csv_text(path):
    return bytes_of(path).decode("utf-8", "surrogateescape").removeprefix("\ufeff")
