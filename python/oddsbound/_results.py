"""What was found: JSON documents as objects, with exact values where they are written."""
from __future__ import annotations

import html
import json
import sys
from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any, Callable, Dict, Iterator, Optional, Union, overload

from ._errors import LimitError, NumberError, in_python
from ._given import flag
from ._numbers import Comparable, Exact, Exponential, Level, exact, format_decimal, level_up, round_decimal
from ._plain import printable

def shows_exactly(exact: Optional[bool], format: str = "text") -> bool:
    """Whether values that depend on a confidential table are shown exactly: as asked, else in text for a terminal."""
    if exact is not None:
        return flag(exact, "exact")
    return format == "text" and sys.stdout is not None and sys.stdout.isatty()


_NUMBERS = {"exp", "p_from", "p_to", "delta", "probability", "posterior", "guess_before", "guess_after",
            "guess_after_at_most", "bayes_leakage", "bayes_leakage_at_most", "total_variation",
            "total_variation_at_most", "correlation", "loss"}
_LEVELS = {"epsilon", "claimed", "bcdp_at_most"}
_DECIMALS = {"lower", "upper"}
_REASONS = {"undecided", "reason", "message", "hint"}


def _text(key: str, text: str) -> Any:
    if key in _DECIMALS:
        return Decimal(text)
    try:
        if key in _NUMBERS:
            return exact(text)
        if key in _LEVELS:
            return Level(text)
    except NumberError:  # a matrix or words stand where most claims have a level
        pass
    return text


class Record(Mapping):  # type: ignore[type-arg]
    """A JSON object, with its values as attributes and by key. The key ``from`` is the attribute ``from_``."""

    def __init__(self, data: dict[str, Any], key: str = "", confidential: bool = False):
        self._data, self._key = data, key
        self._confidential = confidential or data.get("confidential") is True

    @property
    def confidential(self) -> bool:
        """It depends on a table of people that the spec does not state to be published.

        Values are exact all the same; ``repr`` and ``words`` show them on a terminal alone.
        """
        return self._confidential

    def __getitem__(self, name: str) -> Any:
        return self._wrap(name, self._data[name])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("_data", "_confidential"):
            raise AttributeError(name)
        key = name[:-1] if name.endswith("_") else name
        if key not in self._data:
            raise AttributeError(f"{type(self).__name__} has no '{key}': it has {', '.join(self._data)}")
        return self[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._data == other._data

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self._data if name.isidentifier())]

    def __repr__(self) -> str:
        if self.confidential and not shows_exactly(None):
            return f"<{type(self).__name__}, confidential: to_dict() has it>"
        return f"{type(self).__name__}({printable(json.dumps(self._data, ensure_ascii=False)[:200])})"

    def _repr_html_(self) -> str:
        """A table of the values. A page may be passed on: what depends on a confidential table is not in it."""
        if self.confidential:
            return as_text(f"{type(self).__name__}, confidential: to_dict() has it")
        return as_table([(name, cell_of(self[name])) for name in self._data])

    def __getstate__(self) -> dict[str, Any]:
        return dict(self.__dict__)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def to_dict(self) -> dict[str, Any]:
        """Returns the JSON as dicts, lists and strings."""
        return self._data

    def _wrap(self, name: str, value: Any) -> Any:
        # Levels and numbers by coordinate are known by the key of the object that they stand in.
        key = self._key if self._key in _NUMBERS | _LEVELS else name
        if isinstance(value, str):
            if name in _REASONS or self._key in _REASONS:
                return in_python(value)
            return _text(name if name in _NUMBERS | _LEVELS | _DECIMALS else key, value)
        if isinstance(value, list):
            return [self._wrap(name, one) for one in value]
        if not isinstance(value, dict):
            return value
        if "lower" in value and isinstance(value.get("at_most"), str):  # a delta between two bounds
            return Record(value, value.get("of", "delta"), self._confidential)
        if "lower" in value and ("epsilon" in value or "at_most" in value):
            return MeasuredLevel(value, confidential=self._confidential)
        if name == "witness":
            return Witness(value, confidential=self._confidential)
        return Record(value, key, self._confidential)


def rounded(decimal: str, up: bool) -> str:
    """The nearest decimal of three significant digits that is not below (up) or not above the given one."""
    value = Decimal(decimal)
    if not value.is_finite() or value.is_zero():
        return str(value).lower().replace("infinity", "inf")
    context = Context(prec=3, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    return f"{context.plus(value).normalize():f}"


class Witness(Record):
    """The evidence for a level: an output and two sides, with its probability on either side.

    Attributes
    ----------
    output, from_, to, p_from, p_to
        The output is exactly p_from / p_to times as likely on one side as on the other.
    """

    output: str
    from_: Union[str, list[str]]
    to: Union[str, list[str]]
    p_from: Exact
    p_to: Exact


class MeasuredLevel(Record):
    """A measured level, or bounds for it if a limit was reached.

    ``str(level)`` is exact. If the level depends on a confidential table, it is rounded up unless standard output is a
    terminal; ``str(level.level)`` is exact in any case. Comparisons are those of the level. A comparison that the
    bounds do not decide raises LimitError. ``round(level, 2)`` (a Decimal) and ``f"{level:.2f}"`` round up, so that the
    decimal is a bound; ``float(level)`` is the nearest float.

    Attributes
    ----------
    level : Level or None
        None if only bounds are known.
    at_least, at_most : Level
        The bounds; equal if the level is known.
    nats : float
        For display; the upper bound if the level is not known.
    exp : Fraction, Number or Root
        exp(level), exact.
    lower, upper : Decimal
        Decimal bounds, rounded outward.
    witness : Witness or None
    words : str
        The witness in words.
    """

    lower: Decimal
    upper: Decimal
    witness: Optional[Witness]

    def __init__(self, data: dict[str, Any], words: Optional[Callable[[], str]] = None, confidential: bool = False):
        super().__init__(data, confidential=confidential)
        self._say = words

    @classmethod
    def unknown(cls) -> "MeasuredLevel":
        """Of which a limit left nothing known: from 0 to infinity."""
        return cls({"at_least": {"epsilon": "0", "lower": "0", "upper": "0"},
                    "at_most": {"epsilon": "inf", "lower": "inf", "upper": "inf"}, "lower": "0", "upper": "inf",
                    "witness": None})

    @property
    def level(self) -> Optional[Level]:
        return Level(self._data["epsilon"]) if "epsilon" in self._data else None

    @property
    def at_least(self) -> Level:
        return Level(self._data.get("at_least", self._data)["epsilon"])

    @property
    def at_most(self) -> Level:
        return Level(self._data.get("at_most", self._data)["epsilon"])

    @property
    def nats(self) -> float:
        return float(self.at_most)

    @property
    def exp(self) -> Exponential:
        return self.at_most.exp

    @property
    def words(self) -> str:
        return self._say() if self._say else ""

    def __float__(self) -> float:
        return self.nats

    @overload
    def __round__(self, ndigits: None = None) -> int: ...
    @overload
    def __round__(self, ndigits: int) -> Decimal: ...
    def __round__(self, ndigits: Optional[int] = None) -> Union[int, Decimal]:
        return round_decimal(ndigits, lambda digits, how: level_up(self.at_most, digits, how))

    def __format__(self, spec: str) -> str:
        return format_decimal(spec, str(self), lambda digits, how: level_up(self.at_most, digits, how))

    def __str__(self) -> str:
        return self._exact_text() if not self.confidential or shows_exactly(None) else self._rounded_text()

    def _exact_text(self) -> str:
        level = self.level
        return str(level) if level is not None else f"{self.at_least} to {self.at_most}"

    def __repr__(self) -> str:
        if not self.confidential or shows_exactly(None):
            return f"MeasuredLevel('{self._exact_text()}')"
        return f"<MeasuredLevel {self._rounded_text()}>"

    def _rounded_text(self) -> str:
        least, most = rounded(self._bounds("at_least")[0], up=False), rounded(self._bounds("at_most")[1], up=True)
        return f"{most}, rounded up" if self.level is not None else f"{least} to {most}"

    def _repr_html_(self) -> str:
        if self.confidential:
            return as_text(self._rounded_text())
        return as_table([("level", str(self)), ("nats", f"{self.nats:.6g}"), ("shown by", self.words)])

    def _bounds(self, end: str) -> tuple[str, str]:
        data = self._data.get(end, self._data)
        return data["lower"], data["upper"]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_say": None}

    def _decide(self, surely: bool, surely_not: bool) -> bool:
        if surely or surely_not:
            return surely
        raise LimitError(f"undecided: the level is {self}")

    def __lt__(self, other: Union[Comparable, "MeasuredLevel"]) -> bool:
        other = _bound(other)
        return self._decide(self.at_most < other, self.at_least >= other)

    def __le__(self, other: Union[Comparable, "MeasuredLevel"]) -> bool:
        other = _bound(other)
        return self._decide(self.at_most <= other, self.at_least > other)

    def __gt__(self, other: Union[Comparable, "MeasuredLevel"]) -> bool:
        return not self <= other

    def __ge__(self, other: Union[Comparable, "MeasuredLevel"]) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Record) and not isinstance(other, MeasuredLevel):
            return False
        level, bound = self.level, _bound(other)
        return level is not None and bool(level == bound)

    __hash__ = None  # type: ignore[assignment]


class Levels(Dict[str, MeasuredLevel]):
    """The levels of a notion, by coordinate. Empty, and so false, if there are none: a key is then an error that says
    why, as for a notion of the prior in a spec that has no prior."""

    def __init__(self, levels: Optional[Dict[str, MeasuredLevel]] = None, why_none: str = ""):
        super().__init__(levels or {})
        self._why_none = why_none

    def __missing__(self, name: str) -> MeasuredLevel:
        reason = f"(coordinates: {', '.join(map(printable, self))})" if self else in_python(self._why_none)
        raise KeyError(f"there is no level of '{printable(name)}' {reason}".strip())

    def _repr_html_(self) -> str:
        return as_table([(name, level._rounded_text() if level.confidential else str(level))
                         for name, level in self.items()])


def _bound(other: Any) -> Any:
    if not isinstance(other, MeasuredLevel):
        return other
    level = other.level
    if level is None:
        raise LimitError(f"undecided: the level is {other}")
    return level


class Claim(Record):
    """A claim and its verdict.

    Attributes
    ----------
    verdict : str
        ``"holds"``, ``"refuted"``, ``"undecided"`` or ``"holds with confidence"``.
    ok : bool
        The verdict is the expected one.
    claimed, actual, witness
        The claimed level, the actual level, and the evidence.
    words : str
        All of it in one sentence. Rounded like ``str(result)`` if it depends on a confidential table.
    """

    notion: str
    verdict: str
    expect: str
    ok: bool
    decided_by: list[str]
    witness: Optional[Witness]

    def __init__(self, data: dict[str, Any], published_words: Optional[Callable[[], str]] = None):
        super().__init__(data)
        self._published_words = published_words

    @property
    def words(self) -> str:
        if not self.confidential or shows_exactly(None):
            return self.exact_words
        return self._rounded_words()

    def _rounded_words(self) -> str:
        if self._published_words:
            return in_python(self._published_words())
        words = self._data["words"]
        return f"{words['claim']}: {words['verdict']}"

    @property
    def exact_words(self) -> str:
        """The sentence with exact values, as in the JSON."""
        words = self._data["words"]
        found = words.get("found")
        return in_python(f"{words['claim']}: {words['verdict']}" + (f": {found}" if found else ""))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_published_words": None}

    def __repr__(self) -> str:
        if not self.confidential or shows_exactly(None):
            return f"Claim('{self.words}')"
        words = self._data["words"]
        return f"<Claim {words['claim']}: {words['verdict']}>"

    def _repr_html_(self) -> str:
        return as_text(self._rounded_words() if self.confidential else self.exact_words)


def cell_of(value: Any) -> str:
    """A value in a table of a page: what is large is shortened."""
    if isinstance(value, Record):
        value = value.to_dict()
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)
    return text if len(text) <= 200 else text[:200] + "..."


def as_text(text: str) -> str:
    """A text in a page, with its lines."""
    return "<pre>" + "\n".join(html.escape(printable(line)) for line in text.split("\n")) + "</pre>"


def as_table(rows: list[tuple[str, str]]) -> str:
    """Names and values in a page."""
    cells = "".join(f"<tr><th>{html.escape(printable(name))}</th><td>{html.escape(printable(value))}</td></tr>"
                    for name, value in rows)
    return f"<table>{cells}</table>"


def as_frame(html_page: str) -> str:
    """A page within another one, which keep their styles apart."""
    return (f'<iframe srcdoc="{html.escape(html_page)}" style="width:100%;height:40em;border:0" '
            'sandbox="allow-popups"></iframe>')
