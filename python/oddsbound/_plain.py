"""Python values as a spec's JSON: exact ones as texts, floats only where somebody asks for them."""
from __future__ import annotations

import json
import math
import numbers
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Optional

from . import _oddsbound
from ._errors import SpecError
from ._numbers import Level, Number


def printable(text: Any) -> str:
    """The text without what steers a terminal, as the program shows it."""
    return _oddsbound.printable(str(text).encode("utf-8", "surrogatepass"))


def rounded_fraction(value: Any) -> Fraction:
    """The decimal that a float is printed as; exactly what other numbers are."""
    return Fraction(repr(float(value))) if isinstance(value, numbers.Real) and not isinstance(
        value, numbers.Rational) else Fraction(value)


def _float(value: float, pointer: str, rounded: Optional[bool]) -> Any:
    if not math.isfinite(value):
        raise SpecError(f"{pointer}: found {value}, expected a finite number", pointer=pointer)
    if rounded:
        return str(rounded_fraction(value))
    near = Fraction(value).limit_denominator(1000)
    guess = near if abs(float(near) - value) < 1e-9 else Fraction(repr(value))
    message = f"found the float {value!r}, expected an exact number"
    hint = f"write Fraction({guess.numerator}, {guess.denominator}) or '{guess}'"
    if rounded is not None:
        hint += ", or pass rounded=True to read floats as the decimals that they are printed as"
    raise SpecError(f"{pointer}: {message} ({hint})", pointer=pointer, message=message, hint=hint)


def plain(value: Any, pointer: str = "", rounded: Optional[bool] = False) -> Any:
    """What json.dumps writes. pointer: where the value stands, for errors. rounded: None if callers cannot ask for it."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, (Level, Number, Decimal)):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(one, f"{pointer}/{key}", rounded) for key, one in value.items()}
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Rational):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, numbers.Real):
        return _float(float(value), pointer, rounded)
    if hasattr(value, "tolist"):  # arrays and series
        return plain(value.tolist(), pointer, rounded)
    if hasattr(value, "__iter__"):
        return [plain(one, f"{pointer}/{place}", rounded) for place, one in enumerate(value)]
    raise SpecError(f"{pointer}: found {type(value).__name__}, which no spec can hold", pointer=pointer)


_scalar = json.JSONEncoder(ensure_ascii=False).encode


def _written(value: Any, line: str) -> str:
    """What json.dumps(value, indent=1, ensure_ascii=False) writes, in a fraction of its time: specs are written a
    thousand times for a grid of levels. line: the line's end, and the indentation of the next one."""
    if value and isinstance(value, dict):
        inner = line + " "
        fields = [f"{_scalar(key)}: {_written(one, inner)}" for key, one in value.items()]
        return "{" + inner + ("," + inner).join(fields) + line + "}"
    if value and isinstance(value, list):
        inner = line + " "
        return "[" + inner + ("," + inner).join([_written(one, inner) for one in value]) + line + "]"
    return _scalar(value)


def json_text(value: Any, rounded: Optional[bool] = False) -> str:
    return _written(plain(value, "", rounded), "\n")
