"""What the checker says: statuses, and lines that no text of a file can imitate.

  0  every claim is proved, and its verdict is the one that the spec expects
  1  a proof is rejected, or a verdict that is proved is not the expected one
  2  the spec or the certificate cannot be read
  3  a claim is not proved, or there are no claims

If several apply: 2 over 1 over 3 over 0.
"""
from dataclasses import dataclass
from typing import Iterable, Optional

ACCEPTED, REJECTED, UNREADABLE, NOT_PROVED = range(4)
PRECEDENCE = (UNREADABLE, REJECTED, NOT_PROVED, ACCEPTED)
WORDS = {ACCEPTED: "accepted", REJECTED: "rejected", UNREADABLE: "unreadable", NOT_PROVED: "not proved"}
NOT_AS_EXPECTED = "not as expected"  # of a proof that is right, in place of "rejected"


class Rejected(Exception):
    """A proof that does not show its verdict."""


class NotProved(Exception):
    """A verdict that may be right, but that nothing here shows."""


class OutOfTime(BaseException):
    """--max-seconds has passed. Not an Exception: nothing on the way up may take it for a fault of the proof."""


def require(condition: object, why: str, kind: type[Exception] = Rejected) -> None:
    if not condition:
        raise kind(why)


def require_feasible(condition: object, why: str) -> None:
    """A limit of the checker: it says nothing about the proof."""
    require(condition, why, NotProved)


def printable(text: object) -> str:
    """Text of a file or of an error, on one line and without control characters."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in str(text))


@dataclass
class Line:
    """The result of one claim, or of a whole certificate (about: "")."""
    status: int
    about: str
    text: str
    claim: Optional[int] = None
    word: str = ""

    @property
    def said(self) -> str:
        return self.word or WORDS[self.status]

    def __str__(self) -> str:
        return printable(": ".join(part for part in (self.said, self.about, self.text) if part))

    def document(self) -> dict:
        found: dict[str, object] = {"status": self.said, "about": printable(self.about), "text": printable(self.text)}
        return found if self.claim is None else {"claim": self.claim, **found}


def worst(statuses: Iterable[int]) -> int:
    """The status of several claims or files."""
    return min(statuses, key=PRECEDENCE.index, default=ACCEPTED)


def failed(error: BaseException, about: str = "", claim: Optional[int] = None) -> Line:
    """The line of an error that ends the check of a claim or of a certificate."""
    if isinstance(error, Rejected):
        return Line(REJECTED, about, str(error), claim)
    if isinstance(error, NotProved):
        return Line(NOT_PROVED, about, str(error), claim)
    if isinstance(error, OutOfTime):
        return Line(NOT_PROVED, about, f"not done within {error} s", claim)
    return Line(UNREADABLE, about, f"{type(error).__name__}: {str(error)[:1000]}", claim)
