"""What outputs are made of."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from . import _oddsbound
from ._settings import Limits, limits_of
from ._specs import Spec


@dataclass(frozen=True)
class Parts:
    """What outputs are made of: (labels, coordinates that it sees) of each part; whether labels are tuples of theirs."""

    tuples: bool
    each: list[tuple[list[str], list[int]]]

    @classmethod
    def of(cls, spec: Spec, limits: Optional[Limits]) -> "Parts":
        return cls(*_oddsbound.sampled_parts(spec._native, limits_of(limits)))
