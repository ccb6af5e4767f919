"""What callers give: paths, specs, numbers, lists; and a clear TypeError for anything else."""
from __future__ import annotations

import numbers
import os
from decimal import Decimal
from typing import Any, Optional, Union

PathLike = Union[str, "os.PathLike[str]"]

_TABLES = ("DataFrame", "Series", "ndarray")


def unexpected(value: Any, expected: str) -> TypeError:
    """The error for a value of a wrong type. For a table, the message says where tables belong."""
    kind = type(value).__name__
    hint = ""
    if kind in _TABLES and "spec" in expected:
        hint = ("; new_spec(frame, epsilon) makes a spec from a table, and Spec(prior=prior(frame), mechanism=...) has it "
                "as its prior")
    if kind in ("NewSpec", "Design", "Repair") and "spec" in expected:
        hint = "; its attribute 'spec' is one"
    return TypeError(f"found {'an' if kind[:1] in 'aeiouAEIOU' else 'a'} {kind}, expected {expected}{hint}")


def path_of(value: Any, expected: str = "a path") -> str:
    """The path as a string. Raises TypeError for what is none."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    raise unexpected(value, expected)


def is_listed(value: Any) -> bool:
    """Whether it is a list of things, and no table, text or other single thing."""
    return hasattr(value, "__iter__") and not isinstance(value, (str, bytes, os.PathLike)) and not (
        hasattr(value, "keys") or hasattr(value, "iloc") or hasattr(value, "ndim"))


def listed(value: Any, expected: str) -> list[Any]:
    """The list of things. Raises TypeError for a text, whose letters nobody means, and for what is no list."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise unexpected(value, expected)
    return list(value)


def column_of(value: Any, name: str) -> Any:
    """The name of a column: what pandas has as one."""
    if not isinstance(value, (str, numbers.Number, tuple)):
        raise unexpected(value, f"{name}: the name of a column")
    return value


def texts(value: Any, name: str, example: str) -> list[str]:
    """The names or other texts in a list; numbers may be names of columns."""
    for one in (found := listed(value, f"{name}: a list, as {name}={example}")):
        if not isinstance(one, (str, numbers.Number, tuple)):
            raise unexpected(one, f"{name}: a list of names, as {name}={example}")
    return [str(one) for one in found]


def flag(value: Any, name: str) -> bool:
    if type(value).__name__ not in ("bool", "bool_"):  # that of NumPy, too
        raise unexpected(value, f"{name}: True or False")
    return bool(value)


def whole(value: Any, name: str, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise unexpected(value, f"{name}: a whole number")
    number = int(value)
    if number < least:
        raise ValueError(f"found {number}, expected {name}: a whole number of at least {least}")
    if number >= 1 << 64:
        raise ValueError(f"found {number}, expected {name}: a whole number below 2^64")
    return number


def seed_of(value: Any) -> Optional[int]:
    return None if value is None else whole(value, "seed")


def real(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (numbers.Real, Decimal)):
        raise unexpected(value, f"{name}: a number")
    if value != value:
        raise ValueError(f"found nan, expected {name}: a number")
    return float(value)


def positive(value: Any, name: str) -> float:
    if (found := real(value, name)) <= 0:
        raise ValueError(f"found {value}, expected {name}: a number above 0")
    return found


def missing_of(value: Any) -> Any:
    """A rule for missing cells, in the form of the spec format; None is none."""
    expected = "missing: 'drop', 'value' or {'as': a value}"
    if value is None or isinstance(value, str) and value in ("drop", "value"):
        return value
    if isinstance(value, str):
        raise ValueError(f"found {value!r}, expected {expected}")
    if list(mapping_of(value, expected)) != ["as"] or not isinstance(value["as"], str):
        raise ValueError(f"found {dict(value)!r}, expected {expected}")
    return dict(value)


def text_of(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise unexpected(value, f"{name}: a string")
    return value


def mapping_of(value: Any, expected: str) -> Any:
    if not hasattr(value, "keys") or not hasattr(value, "items") or hasattr(value, "iloc"):
        raise unexpected(value, expected)
    return value


def function_of(value: Any, name: str) -> Any:
    if not callable(value):
        raise unexpected(value, f"{name}: a function")
    return value
