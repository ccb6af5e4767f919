"""The families of mechanisms, with their parameters."""
from __future__ import annotations

from dataclasses import dataclass

from . import _oddsbound
from ._given import text_of
from ._results import as_text


@dataclass(frozen=True)
class FamilyParameter:
    """A parameter of a family of mechanisms.

    Attributes
    ----------
    name, kind, description : str
    required : bool
    words : tuple of str
        The words that it may be, if it is one of some words.
    """

    name: str
    kind: str
    required: bool
    description: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Family:
    """A family of mechanisms. ``family(name, **parameters)`` makes one of its mechanisms.

    Attributes
    ----------
    name, summary, source : str
    parameters : tuple of FamilyParameter
    """

    name: str
    summary: str
    source: str
    parameters: tuple[FamilyParameter, ...]

    def __str__(self) -> str:
        lines = [self.name, f"  {self.summary}", f"  source: {self.source}"]
        for one in self.parameters:
            lines.append(f"    {one.name}{'' if one.required else ' (optional)'}: {one.kind}; {one.description}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return as_text(str(self))


def mechanisms(*names: str) -> list[Family]:
    """Lists the families of mechanisms, or those with these names (``oddsbound mechanisms``, docs/mechanisms.md).

    Examples
    --------
    >>> import oddsbound as ob
    >>> print(ob.mechanisms("k_randomized_response")[0])
    k_randomized_response
      the true input with probability e^eps / (e^eps + k - 1), every other one with 1 / (e^eps + k - 1)
      source: Warner (1965) for two inputs; Kairouz, Oh, Viswanath (2016)
        epsilon: level; the LDP level; inf releases the input itself
    >>> len(ob.mechanisms())
    28
    """
    found = [Family(name, summary, source, tuple(FamilyParameter(*one[:4], tuple(one[4])) for one in parameters))
             for name, summary, source, parameters in _oddsbound.families()]
    known = [one.name for one in found]
    for name in names:
        if text_of(name, "the name of a family") not in known:
            raise ValueError(f"there is no family '{name}' (families: {', '.join(known)})")
    return [one for one in found if not names or one.name in names]
