"""python3 -m oddsbound_check: the command."""
import sys

from oddsbound_check.cli import run

sys.exit(run())
