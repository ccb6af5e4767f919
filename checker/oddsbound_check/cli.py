"""The command oddsbound-check."""
from .claim_certificates import main
from .outcomes import status_of


def run():
    return status_of(main)
