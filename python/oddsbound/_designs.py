"""Mechanisms that are made: the best one within limits, the nearest one that keeps its claims."""
from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any, Literal, Mapping, Optional, Union

from . import _oddsbound
from ._building import Prior
from ._given import PathLike, flag, path_of, text_of, unexpected, whole
from ._numbers import Exact
from ._plain import json_text, printable
from ._results import as_frame, shows_exactly
from ._runs import SpecLike, as_spec
from ._settings import Limits, Progress, called
from ._specs import Spec


if TYPE_CHECKING:
    import pandas


class _Made:
    """A spec that was made, and what is known of it: the attributes of the library's result."""

    name: str
    confidential: bool

    def __init__(self, native: Any, folder: str, files: Optional[dict[str, str]] = None):
        self._native = native
        self.spec: Optional[Spec] = None
        if native.spec_text:
            self.spec = Spec.from_text(native.spec_text, name=f"{native.name}.json", folder=folder, files=files)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._native, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in dir(self._native) if not name.startswith("_"))]

    def render(self, format: str = "text", *, exact: Optional[bool] = None) -> str:
        """As ``"text"``, ``"json"`` (the spec) or ``"html"``: the page of ``oddsbound design`` and ``repair``.

        exact: also show numbers that depend on a confidential table exactly. None: in text on a terminal.
        """
        return self._native.render(text_of(format, "format"), shows_exactly(exact, format))  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return self.render("text")

    def _repr_html_(self) -> str:
        return as_frame(self.render("html"))

    def __repr__(self) -> str:
        """The name and the main number in one line."""
        found = self.render("text").split("\n")[1:2]
        return f"<{': '.join([f'{type(self).__name__} {printable(self._native.name)}', *(line for line in found if line)])}>"


def _matrix_frame(shown: Any) -> "pandas.DataFrame":
    import pandas
    rows, outputs, entries = shown
    return pandas.DataFrame(entries, index=rows, columns=outputs, dtype=object)


class Design(_Made):
    """The mechanism with the minimum loss. Notebooks show its page; ``render`` writes the page.

    Attributes
    ----------
    spec : Spec or None
        None if the constraints contradict one another. ``conflict`` says which.
    loss, at_least : Fraction or Number
        The loss of the mechanism, and a lower bound for every mechanism that meets the constraints.
    family, outputs, entries, symmetric, share, certificate
        As in docs/design.md. The certificate is the text of the proof.
    """

    loss: Exact
    at_least: Exact
    family: str
    certificate: str
    conflict: list[str]

    @property
    def matrix(self) -> "pandas.DataFrame":
        """P(output given row), exactly, as a frame."""
        return _matrix_frame(self._native.shown_matrix)

    @property
    def curve(self) -> "pandas.DataFrame":
        """The least loss by e^epsilon, exactly, as a frame; empty where none was asked for."""
        import pandas
        return pandas.DataFrame(self._native.points, columns=["exponential", "loss", "turns", "exactly"], dtype=object)


class Repair(_Made):
    """A repaired mechanism. Notebooks show its page; ``render`` writes the page.

    Attributes
    ----------
    spec : Spec
    share, entries, rows, rounding : Fraction or Number or None
        The mixed-in proportion; the largest change of an entry; the largest total variation of a row; the error of
        rounded rows.
    notes : list of str
        Claims that were not considered, or are no longer in the spec.
    """

    share: Optional[Exact]
    entries: Optional[Exact]
    rows: Optional[Exact]
    rounding: Optional[Exact]
    notes: list[str]

    @property
    def before(self) -> "pandas.DataFrame":
        """What was read: P(output given row), exactly, as a frame."""
        return _matrix_frame(self._native.shown_before)

    @property
    def after(self) -> "pandas.DataFrame":
        """What it became."""
        return _matrix_frame(self._native.shown_after)


def design(request: Union[PathLike, Mapping[str, Any]], *, folder: PathLike = ".", limits: Optional[Limits] = None,
           progress: Progress = None) -> Design:
    """Finds the mechanism with the minimum loss under the constraints of a request, with a proof (docs/design.md).

    Parameters
    ----------
    request : path or dict
        As in a file. In a dict, ``prior`` may be ``prior(frame)`` (then the domain may be omitted), and tables are named
        relative to ``folder``.
    folder : path
        The folder of the spec. Tables are named relative to it.

    Examples
    --------
    >>> import oddsbound as ob, pandas
    >>> people = pandas.DataFrame({"sex": ["m", "f", "f"], "votes": ["y", "n", "y"]})
    >>> made = ob.design({"prior": ob.prior(people), "reads": ["sex"], "release": ["sex"],
    ...                   "constraints": [{"notion": "ldp", "epsilon": "log(3)"}], "objective": {"expected": "zero_one"}})
    >>> made.loss, made.family
    (Fraction(1, 4), "Warner's randomized response")
    >>> ob.verify(made.spec).ok
    True
    """
    where = path_of(folder, "folder: a path")
    if isinstance(request, (str, os.PathLike)):
        return Design(called(_oddsbound.design, os.fspath(request), where, limits=limits, progress=progress), where)
    if not isinstance(request, Mapping):
        raise unexpected(request, "a request: a path, or a dict. A frame is its prior: {'prior': prior(frame), ...}")
    with tempfile.TemporaryDirectory(prefix="oddsbound-") as own:
        files = _write_request(request, own, where)
        target = own if files else where
        native = called(_oddsbound.design, os.path.join(own, "design.json"), target, limits=limits, progress=progress)
        return Design(native, where, files)


def _write_request(request: Mapping[str, Any], own: str, folder: str) -> dict[str, str]:
    """Writes it, with its tables, whose texts it returns."""
    document = {"oddsbound_design": 1, "name": "design", **request}
    prior = document.get("prior")
    files: dict[str, str] = {}
    if isinstance(prior, Prior):
        document["prior"], files = prior.json, prior.files
        document.setdefault("domain", prior.domain)
    elif isinstance(prior, Mapping) and "file" in prior:
        document["prior"] = {**prior, "file": os.path.abspath(os.path.join(folder, prior["file"]))}
    for name, text in {**files, "design.json": json_text(document, None)}.items():
        with open(os.path.join(own, name), "w", encoding="utf-8", newline="") as file:
            file.write(text)
    return files


def repair(spec: SpecLike, *, by: Literal["rows", "entries", "mixture"] = "rows", rounded_rows: bool = False, denominator: int = 1000,
           folder: PathLike = ".", limits: Optional[Limits] = None, progress: Progress = None) -> Repair:
    """Repairs the mechanism of a spec so that its claims hold (docs/design.md).

    Parameters
    ----------
    spec : Spec, path or dict
        A path may name a spec that cannot be read because its rows are rounded.
    by : "rows", "entries" or "mixture"
        Minimize the largest total variation of a row, the largest change of an entry, or the mixture.

    Examples
    --------
    >>> import oddsbound as ob
    >>> spec = ob.Spec(domain={"a": ["n", "y"]}, mechanism=ob.matrix([["9/10", "1/10"], ["1/10", "9/10"]], ["n", "y"]),
    ...                claims=[{"notion": "ldp", "epsilon": "log(3)"}])
    >>> ob.verify(spec).ok, ob.verify(ob.repair(spec).spec).ok
    (False, True)
    """
    where, smallest_unit = path_of(folder, "folder: a path"), whole(denominator, "denominator", 1)
    by_what, rounded = text_of(by, "by"), flag(rounded_rows, "rounded_rows")

    def mended(path: str, target: str) -> Any:
        return called(_oddsbound.repair, path, by_what, rounded, smallest_unit, target, limits=limits, progress=progress)

    if isinstance(spec, (str, os.PathLike)):
        return Repair(mended(os.fspath(spec), where), where)
    read = as_spec(spec)
    with read._as_file() as path:
        return Repair(mended(path, os.path.dirname(path) if read._files else where), where, read._files)
