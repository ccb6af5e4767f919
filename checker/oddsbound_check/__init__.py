"""Checks the certificates of oddsbound (docs/trust.md). Shares no code with the program."""

__version__ = "0.6.0"
