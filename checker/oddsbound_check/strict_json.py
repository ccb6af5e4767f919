"""Untrusted certificates: JSON with all ambiguities rejected, numbers as fractions of bounded size, and no missing or
unknown fields.
"""
import json
import re
from fractions import Fraction

from .outcomes import Rejected, require  # noqa: F401

DECIMAL = re.compile(r"\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,3})?")
MOST_NATS = 10**5


def fraction(text):
    if not DECIMAL.fullmatch(text):
        raise ValueError(f"{text[:40]} is not a decimal that is 0 or more, of a size that is expected")
    return Fraction(text)


def unique(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError(f"a key is there twice, of {sorted(key for key, _ in pairs)[:5]}")
    return dict(pairs)


def no_constant(text):
    raise ValueError(f"{text} is not JSON")


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=fraction, parse_int=fraction, parse_constant=no_constant, object_pairs_hook=unique)


def fields(value, what, *names, optional=()):
    require(isinstance(value, dict), f"{what} is no object")
    for name in names:
        require(name in value, f"{what} has no '{name}'")
    for name in value:
        require(name in names or name in optional, f"{what} has '{name}', which is not known")
    return [value.get(name) for name in (*names, *optional)]


def items(value, what, kind):
    require(isinstance(value, list) and all(isinstance(item, kind) for item in value), f"{what} is no list of what is expected")
    return value


def nats(value, what):
    require(isinstance(value, str) and DECIMAL.fullmatch(value), f"{what} is no decimal")
    require(Fraction(value) <= MOST_NATS, f"{what} is out of range")
    return Fraction(value)


def place_in(names, name, what):
    require(isinstance(name, str) and name in names, f"{what}: there is no {str(name)[:40]!r}")
    return names.index(name)
