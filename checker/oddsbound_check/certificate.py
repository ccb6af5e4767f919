"""Untrusted certificates: JSON with all ambiguities rejected, numbers as fractions of bounded size, and no missing or
unknown fields. A number of a certificate is compared with the spec's; it cannot be one that takes long to write out.
"""
import json
import os
import re
from fractions import Fraction
from typing import Any, Callable, Iterable, Optional, Sequence, TypeVar

from .expression import number
from .reading import MOST_BYTES, no_constant, unique
from .report import Rejected, require

DECIMAL = re.compile(r"[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?")
POWER_OF_TEN = re.compile(r"[0-9.][eE][+-]?[0-9]")
POWER_OF_EXP = re.compile(r"(?:exp\([0-9/.]{1,1000}\)|\(exp\))\^[0-9]{1,5}(?![0-9])")
MOST_POWERS = 64
MOST_NATS = 10**5
LONGEST_NUMBER = 10**6

T = TypeVar("T")
R = TypeVar("R")


def fraction(text: str) -> Fraction:
    if not DECIMAL.fullmatch(text):
        raise ValueError(f"{text[:40]} is not a decimal that is 0 or more, of a size that is expected")
    return Fraction(text)


def read(path: str) -> Any:
    if os.path.getsize(path) > MOST_BYTES:
        raise ValueError(f"more than {MOST_BYTES} bytes")
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=fraction, parse_int=fraction, parse_constant=no_constant, object_pairs_hook=unique)


def fields(value: Any, what: str, *names: str, optional: Sequence[str] = ()) -> list[Any]:
    """The values of an object's fields; it must have all of `names`, and no others but `optional`."""
    require(isinstance(value, dict), f"{what} is no object")
    for name in names:
        require(name in value, f"{what} has no '{name}'")
    for name in value:
        require(name in names or name in optional, f"{what} has '{name[:40]}', which is not known")
    return [value.get(name) for name in (*names, *optional)]


def items(value: Any, what: str, kind: type) -> list[Any]:
    require(isinstance(value, list) and all(isinstance(item, kind) for item in value), f"{what} is no list of what is expected")
    return value


def whole(value: Any, below: int, what: str) -> int:
    """A number from 0 to below - 1."""
    require(isinstance(value, Fraction) and value.denominator == 1 and 0 <= value < below, f"there is no such {what}: {str(value)[:40]}")
    return int(value)


def nats(value: Any, what: str) -> Fraction:
    require(isinstance(value, str) and DECIMAL.fullmatch(value), f"{what} is no decimal")
    require(Fraction(value) <= MOST_NATS, f"{what} is out of range")
    return Fraction(value)


def place_in(names: Sequence[str], name: Any, what: str) -> int:
    require(isinstance(name, str) and name in names, f"{what}: there is no {str(name)[:40]!r}")
    return names.index(name)


def exact_number(text: Any, what: str, longest: int = LONGEST_NUMBER) -> Any:
    """A number as the program writes it: with no powers but a few of exp, as others take a few characters for any size."""
    require(isinstance(text, str) and len(text) <= longest, f"{what} is no number, or a long one")
    plain, powers, more = text, 0, 1
    while more and powers <= MOST_POWERS:  # powers of exp, and powers of these
        plain, more = POWER_OF_EXP.subn("exp", plain)
        powers += more
    require("^" not in plain and powers <= MOST_POWERS and "log" not in text and not POWER_OF_TEN.search(text), f"{what}: a number with a power in it")
    return number(text)


def exact_numbers(value: Any, what: str, count: Optional[int] = None, longest: int = 20000) -> list[Any]:
    found = [exact_number(text, what, longest) for text in items(value, what, str)]
    require(count is None or len(found) == count, f"{what}: {len(found)} numbers")
    return found


def party(value: Any, what: str) -> Any:
    """A label, or the values of an input or of several coordinates."""
    if isinstance(value, list):
        return tuple(items(value, what, str))
    require(isinstance(value, str), f"{what} is no label")
    return value


def for_one_of(choices: Iterable[T], check: Callable[[T], R]) -> R:
    """check(choice) of the first choice that is not rejected."""
    why = None
    for choice in choices:
        try:
            return check(choice)
        except Rejected as error:
            why = why or error
    raise why or Rejected("there is no such output")
