"""What goes wrong: with a spec or data, with a number, with a limit."""
from __future__ import annotations

from typing import Any


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
        super().__init__(text)
        self.file, self.line, self.column, self.pointer = file, line, column, pointer
        self.message, self.hint = message or text, hint

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


class NumberError(ArithmeticError):
    """A number that is not in the grammar, has no exact value, or is not defined."""
