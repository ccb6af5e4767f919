"""Asks the checker of certificates, as the command does."""
import hashlib

from oddsbound_check.cli import check
from oddsbound_check.report import worst


def verdict(path, certificate, only=None, tell=print, kept=None):
    """Tells every line, and returns the exit status. only: one claim; kept: what was read of specs before."""
    statuses = []
    for line in check(path, certificate, None if only is None else {only}, None, kept):
        tell(str(line))
        statuses.append(line.status)
    return worst(statuses)


def digest(path):
    """The SHA-256 that a certificate names."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()
