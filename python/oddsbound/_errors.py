"""What goes wrong: with a spec or data, with a number, with a limit."""
from __future__ import annotations

import re
from contextlib import contextmanager
from typing import Any, Iterator, Match

# Messages come from the library, which names the options of the command line. Here they get the names of arguments.
_LIMITS = ("max-inputs", "max-cells", "max-seconds", "max-memory-mb", "max-file-mb", "smt-seconds", "smt-memory-mb",
           "smt-max-cells")
_LISTS = ("exclude", "missing-cells", "columns")
_OTHERS = ("count", "max-values", "epsilon", "level", "samples", "shard", "until", "plan-runs", "bound", "width", "grid", "to", "coordinates",
           "outputs", "program-seconds", "row-tolerance", "exact-zeros", "people-for", "theory", "radius")
_SENTENCES = {
    "'oddsbound verify'": "verify(path)",
    "'oddsbound design'": "design(path)",
    "'oddsbound release'": "release(path)",
    "'oddsbound release --spent'": "release(..., spent=path)",
    "'oddsbound lock check'": "Lock(path).check()",
    "'oddsbound lock upgrade --reason ...'": "upgrade(reason)",
    "'oddsbound lock upgrade'": "upgrade(reason)",
    "'oddsbound lock write'": "lock(paths)",
    "'oddsbound new'": "new_spec(path, epsilon)",
    "'oddsbound report'": "read_report(path)",
    "oddsbound repair --rounded-rows": "repair(..., rounded_rows=True)",
    "oddsbound verify --row-tolerance": "verify(..., row_tolerance=...)",
    "verify --format html writes the report of a spec": "verify(path).report.render('html') writes the report of a spec",
    "--separator of 'oddsbound new'": "separator of new_spec",
    "--format json": "to_dict()",
    "--missing drop": "missing='drop'",
    "--missing value": "missing='value'",
    "--engine smt or both": "engine='smt' or 'both'",
    "--rounded-rows": "rounded_rows=True",
    "--exact": "exact=True",
    "--from": "from_",
}
_SENTENCE = re.compile(rf"(?<![\w'\"-])({'|'.join(map(re.escape, sorted(_SENTENCES, key=len, reverse=True)))})(?![\w-])")
_OPTION = re.compile(rf"(?<![\w'\"-])--({'|'.join((*_LIMITS, *_LISTS, *_OTHERS))})(?![\w-])( [0-9][0-9.e+]*(?![\w.])| '[^']*')?")


def _argument(option: Match[str]) -> str:
    name, value = option[1].replace("-", "_"), (option[2] or "").strip()
    if option[1] in _LIMITS:
        return f"limits=Limits({name}={value or '...'})"
    if not value:
        return name
    return f"{name}=[{value}]" if option[1] in _LISTS else f"{name}={value}"


def in_python(message: str) -> str:
    """The message with arguments in place of the options of the command line."""
    if "oddsbound" not in message and "--" not in message:
        return message
    return _OPTION.sub(_argument, _SENTENCE.sub(lambda found: _SENTENCES[found[0]], message))


class _Placed(Exception):
    """An error that may have a place in a file.

    Attributes
    ----------
    file, line, column, pointer
        Where; line and column count from 1, 0 is unknown; the pointer is a JSON pointer.
    message, hint
        What was found and expected; what may have been meant.
    """

    def __init__(self, text: str, file: str = "", line: int = 0, column: int = 0, pointer: str = "",
                 message: str = "", hint: str = ""):
        # A file may be called like an option. The place of an argument is its option.
        for given in (message or text, hint, *([file] if file.startswith("--") else [])):
            if given:
                text = text.replace(given, in_python(given))
        super().__init__(text)
        self.file = in_python(file) if file.startswith("--") else file
        self.line, self.column, self.pointer = line, column, pointer
        self.message, self.hint = in_python(message) or text, in_python(hint)

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.file, self.line, self.column, self.pointer, self.message, self.hint)


class SpecError(_Placed, ValueError):
    """An error in a spec, a table or a request.

    Examples
    --------
    >>> import oddsbound as ob
    >>> try:
    ...     ob.Spec.from_text('{"oddsbound": 2}', name="mine.json")
    ... except ob.SpecError as error:
    ...     print(error.file, error.line, error.column, error.pointer)
    mine.json 1 15 /oddsbound
    """


class LimitError(_Placed, RuntimeError):
    """A limit of time, memory or size was reached. The request itself is valid."""


@contextmanager
def item(place: int) -> Iterator[None]:
    """Errors about one thing in a list name its place, from 0."""
    try:
        yield
    except _Placed as error:
        raise type(error)(f"item {place} of the list: {error}", error.file, error.line, error.column, error.pointer, error.message,
                          error.hint) from None
    except TypeError as error:
        raise TypeError(f"item {place} of the list: {error}") from None


class NumberError(ArithmeticError):
    """A number that is not in the grammar, has no exact value, or is not defined."""
