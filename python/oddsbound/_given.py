"""What callers give: paths and specs, and a clear TypeError for anything else."""
from __future__ import annotations

import os
from typing import Any, Union

PathLike = Union[str, "os.PathLike[str]"]

_TABLES = ("DataFrame", "Series", "ndarray")


def unexpected(value: Any, expected: str) -> TypeError:
    """The error for a value of a wrong type. For a table, the message says where tables belong."""
    kind = type(value).__name__
    hint = ""
    if kind in _TABLES and "spec" in expected:
        hint = ("; new_spec(frame, epsilon) makes a spec from a table, and Spec(prior=prior(frame), mechanism=...) has it "
                "as its prior")
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
