"""The ground of the reader of specs: files, JSON and CSV with all ambiguities rejected, fields of objects, kinds of values.
Every fault is a Refused that names its place."""
from __future__ import annotations

import hashlib
import json
import os
import re
from fractions import Fraction
from typing import Any, Callable, Iterable, Iterator, NoReturn, Optional, Sequence, TypeVar, Union

MOST_DEPTH = 200
MOST_BYTES = 512 << 20
MOST_INTEGER = 10**9
CELLS = {separator: re.compile(rf'"((?:[^"]|"")*)"|([^{separator}\r\n\0]*)') for separator in (",", ";", "\t")}
INTEGER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE]([-+]?0*\d{1,5}))?")

T = TypeVar("T")


class Refused(ValueError):
    """Not a spec, or one that oddsbound rejects."""

    def __init__(self, why: str, *path: Union[str, int]):
        super().__init__(why)
        self.why, self.path = why, path

    def __str__(self) -> str:
        return f"/{'/'.join(map(str, self.path))}: {self.why}" if self.path else self.why


class Literal(str):
    """A number of JSON, as written."""


def require(condition: Any, why: str, *path: Union[str, int]) -> None:
    if not condition:
        raise Refused(why, *path)


def within(keys: Any, function: Callable[..., T], *arguments: Any) -> T:
    """The function's result; its errors are located inside these keys."""
    try:
        return function(*arguments)
    except Refused as refused:
        refused.path = (keys if isinstance(keys, tuple) else (keys,)) + refused.path
        raise


# JSON.

def literal(text: str) -> Literal:
    require(float(text) not in (float("inf"), float("-inf")), f"the number {text[:40]} is too large to be a JSON number")
    return Literal(text)


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise Refused(f"the key {next(key for key in keys if keys.count(key) > 1)!r} occurs twice in an object")
    return found


def no_constant(text: str) -> NoReturn:
    raise Refused(f"{text} is not JSON")


def depth_of(value: Any) -> int:
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, (dict, list))]:
        depth += 1
        level = [item for own in level for item in (own.values() if isinstance(own, dict) else own)]
    return depth


def document(text: str) -> Any:
    """JSON, with numbers as Literals."""
    try:
        found = json.loads(text, parse_float=literal, parse_int=literal, parse_constant=no_constant, object_pairs_hook=unique)
        require(depth_of(found) <= MOST_DEPTH, f"brackets are nested deeper than the limit of {MOST_DEPTH}")
        # Half of a surrogate pair of escapes is no text.
        text.encode()
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise Refused(f"this is not JSON: {error}") from error
    except RecursionError as error:
        raise Refused("brackets are nested too deep") from error
    except UnicodeEncodeError as error:
        raise Refused("an escape that is no character") from error
    return found


# Files.

class Files:
    """The files that a spec names, relative to its own. opened: {path: SHA-256} of every file that was read."""

    def __init__(self, path: str, opened: dict[str, str]):
        self.folder, self.opened = os.path.dirname(path), opened

    def path_of(self, name: Any) -> str:
        """".." is resolved in the text, regardless of links."""
        text(name, "a file name")
        require(name and "\0" not in name, "this is not a file name")
        return os.path.normpath(os.path.join(self.folder, name))

    def bytes_of(self, path: str) -> bytes:
        try:
            require(os.path.isfile(path), "this is not a regular file")
            require(os.path.getsize(path) <= MOST_BYTES, "the file is too large")
            with open(path, "rb") as file:
                content = file.read()
        except OSError as error:
            raise Refused(f"the file cannot be read: {error.strerror}") from error
        self.opened[path] = hashlib.sha256(content).hexdigest()
        return content

    def document(self, path: str) -> Any:
        try:
            return document(self.bytes_of(path).decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise Refused("this is not UTF-8") from error

    def csv_rows(self, path: str, separator: str = ",") -> Iterator[tuple[int, list[str]]]:
        return csv_rows(self.bytes_of(path).decode("utf-8", "surrogateescape").removeprefix("\ufeff"), separator)

    def expected_rows(self, path: str, is_meant: Callable[[list[str]], bool]) -> Iterator[tuple[int, list[str]]]:
        """The rows under the first separator with which the first row is as expected; under ',' if it is with none."""
        content = self.bytes_of(path).decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        for separator in CELLS:
            try:
                _, first = next(csv_rows(content, separator), (0, list[str]()))
            except Refused:
                continue
            if is_meant(first):
                return csv_rows(content, separator)
        return csv_rows(content)


def csv_rows(content: str, separator: str = ",") -> Iterator[tuple[int, list[str]]]:
    """The nonempty rows, as (line, cells)."""
    line, at, end = 1, 0, len(content)
    while at < end:
        start, row, is_empty = line, [], content[at] in "\r\n"
        while True:
            found = CELLS[separator].match(content, at)
            assert found is not None
            if content.startswith('"', at):
                require(found[1] is not None, f"line {line}: a quoted cell that is never closed")
                row.append(found[1].replace('""', '"'))
                line += found[1].count("\n")
            else:
                row.append(found[2])
            at = found.end()
            if not content.startswith(separator, at):
                break
            at += 1
        if content.startswith("\r", at):
            require(content.startswith("\r\n", at), f"line {line}: a carriage return that no line feed follows")
            at += 1
        require(at == end or content[at] == "\n", f"line {line}: text after a closing quote, or a NUL byte")
        at, line = at + 1, line + 1
        if not is_empty:
            yield start, row


def header_place(header: Sequence[str], wanted: str) -> int:
    require(header.count(wanted) == 1, f"the file has no column {wanted[:60]!r}, or two")
    return header.index(wanted)


# Values.

def fields(value: Any, what: str, needed: Sequence[str] = (), optional: Iterable[str] = ()) -> dict[str, Any]:
    """The object itself, if it has all required fields and no unknown ones."""
    mapping(value, what)
    for key in value:
        require(key in needed or key in optional, f"unknown key {key[:60]!r} in {what}", key[:60])
    for key in needed:
        require(key in value, f"{what} needs the key '{key}'")
    return dict(value)


def either(value: dict[str, Any], what: str, first: str, second: str) -> None:
    require((first in value) != (second in value), f"{what} has either '{first}' or '{second}'")


def is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Literal)


def text(value: Any, what: str) -> str:
    require(is_text(value), f"expected {what} as a string")
    return str(value)


def boolean(value: Any, what: str) -> bool:
    require(isinstance(value, bool), f"expected {what}: true or false")
    return bool(value)


def array(value: Any, what: str) -> list[Any]:
    require(isinstance(value, list), f"expected an array of {what}")
    found: list[Any] = value
    return found


def mapping(value: Any, what: str) -> dict[str, Any]:
    require(isinstance(value, dict), f"expected an object: {what}")
    found: dict[str, Any] = value
    return found


def items(value: Any, key: str, what: str) -> list[Any]:
    """The array under a key."""
    return within(key, array, value[key], what)


def one_of(value: dict[str, Any], key: str, known: Sequence[str]) -> str:
    """A word under a key that may be missing; the first one is the default."""
    found = value.get(key, known[0])
    require(is_text(found) and found in known, f"expected one of {', '.join(known)}", key)
    return str(found)


def every(value: Any, function: Callable[..., T], *arguments: Any) -> Any:
    """The function's results for all items of an array, or by key of an object."""
    if isinstance(value, dict):
        return {key: within(key, function, item, *arguments) for key, item in value.items()}
    return [within(k, function, item, *arguments) for k, item in enumerate(value)]


def distinct(found: list[T], what: str) -> list[T]:
    seen = set()
    for k, item in enumerate(found):
        require(item not in seen, f"{what} is listed twice", k)
        seen.add(item)
    return found


def integer(value: Any, what: str, least: int = -MOST_INTEGER, most: int = MOST_INTEGER) -> int:
    """A JSON number that may be written with a point or an exponent."""
    require(isinstance(value, Literal), f"expected {what}, an integer")
    found = INTEGER.fullmatch(value)
    require(found and len(value) < 4000 and abs(int(found[1] or 0)) <= 10_000, f"expected {what}, an integer of fewer digits")
    number = Fraction(value)
    require(number.denominator == 1 and least <= number <= most, f"expected {what}, an integer from {least} to {most}")
    return int(number)


def whole(value: dict[str, Any], key: str, least: int = -MOST_INTEGER, most: int = MOST_INTEGER, default: Optional[int] = None) -> Any:
    """The integer under a key that may be missing."""
    return within(key, integer, value[key], f"'{key}'", least, most) if key in value else default


def flag(value: dict[str, Any], key: str) -> bool:
    """True if the key is there; it can only be true."""
    require(within(key, boolean, value.get(key, True), "true"), "expected true, or leave it out", key)
    return key in value


Known = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]  # by type: required and optional fields


def type_of(value: Any, what: str, known: Known, key: str = "type") -> str:
    """The type of an object that has the fields of its type."""
    require(key in mapping(value, what), f"{what} needs the key '{key}'")
    name = within(key, text, value[key], f"the {key}")
    require(name in known, f"unknown {key} {name[:60]!r}", key)
    needed, optional = known[name]
    fields(value, f"{what} of {key} '{name}'", (key, *needed), optional)
    return name


def version_1(value: dict[str, Any], key: str) -> None:
    require(isinstance(value[key], Literal) and value[key] == "1", "expected 1: the version of the format", key)
