"""Exit statuses and output lines of the certificate checkers.

  0  every claim is proved, and its verdict is the one that the spec expects
  1  a proof is rejected, or a verdict that is proved is not the expected one
  2  the spec or the certificate cannot be read
  3  a claim is not proved, or there are no claims
"""
import os
import sys

ACCEPTED, REJECTED, UNREADABLE, NOT_PROVED = range(4)
PRECEDENCE = (UNREADABLE, REJECTED, NOT_PROVED, ACCEPTED)


class Rejected(Exception):
    """A proof that does not show its verdict."""


class NotProved(Exception):
    """A verdict that may be right, but that nothing here shows."""


def worst(statuses):
    """The status of several claims or files: 2 over 1 over 3 over 0."""
    return min(statuses, key=PRECEDENCE.index, default=ACCEPTED)


def require(condition, why):
    if not condition:
        raise Rejected(why)


def printable(text):
    """Text of a file or of an error, on one line and without control characters."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))


def say(line):
    """The only output function of a checker: text of files cannot pass for lines of the checker."""
    print(printable(line))


def failed(error):
    """The status of an error that ends a checker, and its line."""
    if isinstance(error, Rejected):
        return REJECTED, f"rejected: {error}"
    if isinstance(error, NotProved):
        return NOT_PROVED, f"not proved: {error}"
    return UNREADABLE, f"unreadable: {type(error).__name__}: {error}"


# All errors that a file may cause in the readers.
ERRORS = (Rejected, NotProved, OSError, ValueError, TypeError, ArithmeticError, LookupError, AttributeError, AssertionError, RecursionError, MemoryError)


def status_of_lines(lines, tell=say):
    """Prints every line of (status, line) and returns the worst status; an error ends the lines with its own."""
    statuses = []
    try:
        for status, line in lines:
            tell(line)
            statuses.append(status)
    except BrokenPipeError:
        raise
    except ERRORS as error:
        status, line = failed(error)
        tell(line)
        statuses.append(status)
    return worst(statuses)


def status_of(main):
    """The status of a checker; 2 if its output is not read to the end."""
    try:
        status = main()
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREADABLE
