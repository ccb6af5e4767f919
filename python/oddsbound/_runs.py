"""What is asked of specs: levels, verdicts, parameters, designs, searches, releases."""
from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _oddsbound
from ._building import Prior
from ._numbers import Exact, Level, exact
from ._plain import json_text
from ._reports import Report
from ._results import Record, as_frame
from ._settings import Limits, Progress, called
from ._specs import PathLike, Spec

SpecLike = Union[Spec, PathLike, Mapping[str, Any]]


def as_spec(spec: SpecLike) -> Spec:
    return spec if isinstance(spec, Spec) else Spec(spec)


def _paths(paths: Any) -> Optional[list[str]]:
    if isinstance(paths, (Spec, str, os.PathLike, Mapping)):
        return None
    return [os.fspath(path) for path in paths]


def _measured(kind: str, spec: Any, options: dict[str, Any], limits: Optional[Limits], progress: Progress) -> Any:
    options = {name: value for name, value in options.items() if value}
    paths = _paths(spec)
    if paths is not None:
        return Report(called(getattr(_oddsbound, kind + "_files"), paths, options, limits=limits, progress=progress))
    native = as_spec(spec)._native
    function: Callable[..., Any] = getattr(_oddsbound, kind)

    def again() -> _oddsbound.Report:
        drawn = {"figures": True, "effects": True, "optional": True}
        native_report: _oddsbound.Report = called(function, native, {**options, **drawn}, limits=limits, progress=None)
        return native_report

    report = Report(called(function, native, options, limits=limits, progress=progress), again)
    if not report.specs:
        report._native.raise_first_error()
    return report.specs[0]


def analyze(spec: Any, *, figures: bool = False, effects: bool = False, tradeoffs: bool = False,
            for_all: Sequence[str] = (), tolerances: bool = False, jobs: int = 1, limits: Optional[Limits] = None,
            progress: Progress = None) -> Any:
    """Every privacy level of a mechanism, exactly.

    Parameters
    ----------
    spec : Spec, path, dict, or a list of paths
    figures, effects, tradeoffs, tolerances : bool
        Also what pages draw; what outputs do to odds; trade-off curves; how wrong the prior may be.
    for_all : list of str
        Also levels over these sets of priors; ``["*"]``: over all.
    jobs : int
        Of a list: how many files are worked on at once.
    limits : Limits, optional
    progress : callable or True, optional
        Told ``(done, of, at)`` now and then; True: a bar of tqdm.

    Returns
    -------
    SpecResult
        Of a list of paths a Report, in which what is wrong with a file is among ``errors``.

    Examples
    --------
    >>> import oddsbound as ob
    >>> result = ob.analyze("specs/gallery/titanic.json")
    >>> result.bcdp["survived"].exp
    Fraction(1957115, 772857)
    >>> result.bcdp["survived"] <= 0.93
    True
    >>> result.bcdp["survived"].witness.output
    '(1st,female,child)'
    """
    options = {"figures": figures, "effects": effects, "tradeoffs": tradeoffs, "for_all": list(for_all),
               "tolerances": tolerances, "jobs": jobs}
    return _measured("analyze", spec, options, limits, progress)


def verify(spec: Any, *, engine: str = "exact", figures: bool = False, effects: bool = False, tradeoffs: bool = False,
           jobs: int = 1, limits: Optional[Limits] = None, progress: Progress = None) -> Any:
    """Decides the claims of a spec, and measures its levels.

    Parameters
    ----------
    spec : Spec, path, dict, or a list of paths
    engine : "exact", "smt" or "both"
        Exact arithmetic, Z3 from the bare definition, or both, which must agree.
    figures, effects, tradeoffs, jobs, limits, progress
        As for ``analyze``.

    Returns
    -------
    SpecResult
        Of a list of paths a Report.

    Examples
    --------
    >>> import oddsbound as ob
    >>> for claim in ob.verify("specs/gallery/warner.json").claims[:1]:
    ...     print(claim.verdict, "-", claim.words)
    holds - ldp <= log(3): holds; exactly log(3) = 1.09861
    """
    options = {"engine": engine, "figures": figures, "effects": effects, "tradeoffs": tradeoffs, "jobs": jobs}
    return _measured("verify", spec, options, limits, progress)


class Found(Record):
    """A result with formats of its own: ``render``, ``exit_status``."""

    def __init__(self, native: Any):
        super().__init__(json.loads(native.render("json")))
        self._native = native

    @property
    def exit_status(self) -> int:
        return self._native.exit_status  # type: ignore[no-any-return]

    def render(self, format: str = "text") -> str:
        return self._native.render(format)  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return self.render("text")

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError(f"{type(self).__name__} is not pickled: to_dict() is")


class Drawn(Found):
    """One of which there is a page as well."""

    def _repr_html_(self) -> str:
        return as_frame(self.render("html"))


def _value(text: str) -> Union[Exact, Level]:
    return Level(text) if text.startswith("log(") else exact(text)


class Tuned(Drawn):
    """What ``tune`` found."""

    @property
    def holds_at(self) -> Union[Exact, Level, None]:
        """The value that was sought: the outermost one at which the claims hold."""
        found = self._data.get("holds_at")
        return _value(found["value"] if isinstance(found, dict) else found) if found is not None else None


def tune(spec: SpecLike, parameter: str, *, start: Any = None, stop: Any = None, grid: Sequence[Any] = (),
         claims: Sequence[Any] = (), width: Any = None, parts: int = 16, smallest: bool = False,
         integers: bool = False, prove: bool = True, limits: Optional[Limits] = None,
         progress: Progress = None) -> Tuned:
    """The largest value of a parameter for which claims hold, every step decided exactly.

    Parameters
    ----------
    spec : Spec, path or dict
    parameter : str
        A parameter, a symbol, or a JSON pointer.
    start, stop
        The range; exact numbers.
    grid, claims, width, parts, smallest, integers, prove
        As the options of ``oddsbound tune`` (docs/tune.md).

    Examples
    --------
    >>> import oddsbound as ob
    >>> spec = ob.Spec(domain={"answer": ["no", "yes"]}, parameters={"p": "3/4"},
    ...                mechanism=ob.matrix([["p", "1-p"], ["1-p", "p"]], ["no", "yes"]),
    ...                claims=[{"notion": "ldp", "epsilon": "log(4)"}])
    >>> print(ob.tune(spec, "p", start="1/2", stop=1, width="1/100").holds_at)
    4/5
    """
    asked = {"parameter": parameter, "from": start, "to": stop, "grid": list(grid), "claims": list(claims),
             "width": width, "parts": parts, "smallest": smallest, "integers": integers, "prove": prove}
    if isinstance(spec, (str, os.PathLike)):
        return Tuned(called(_oddsbound.tune_path, os.fspath(spec), asked, limits=limits, progress=progress))
    read = as_spec(spec)
    if read._path is not None:
        return Tuned(called(_oddsbound.tune_path, read._path, asked, limits=limits, progress=progress))
    return Tuned(called(_oddsbound.tune_string, read._text, read._file, read._folder, read._files, asked,
                        limits=limits, progress=progress))


def compare(specs: Sequence[PathLike], *, samples: int = 1000, limits: Optional[Limits] = None,
            progress: Progress = None) -> Drawn:
    """Specs side by side: levels, averages, errors of estimates from so many outputs."""
    paths = [os.fspath(path) for path in specs]
    return Drawn(called(_oddsbound.compare, paths, samples, limits=limits, progress=progress))


def search(name: str, *, coordinates: Sequence[int] = (2, 2), outputs: int = 2, level: Any = None,
           limits: Optional[Limits] = None, progress: Progress = None) -> "SearchFound":
    """The smallest counterexample to a general property of notions, as ``"bcdp composes"``.

    Examples
    --------
    >>> import oddsbound as ob
    >>> found = ob.search("bcdp composes")
    >>> sorted(found.specs)
    ['not-bcdp-composes-conclusion.json', 'not-bcdp-composes-premise.json']
    """
    return SearchFound(called(_oddsbound.search, name, list(coordinates), outputs, level, limits=limits,
                              progress=progress))


class SearchFound(Found):
    """What ``search`` found; ``specs``: the counterexample, as texts of specs by their names."""

    @property
    def specs(self) -> dict[str, str]:
        return self._native.specs  # type: ignore[no-any-return]


class _Made:
    """A spec that was made, and what is known of it: the attributes of the library's result."""

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

    def __str__(self) -> str:
        return self._native.text()  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._native.name}>"


def _matrix_frame(shown: Any) -> Any:
    import pandas
    rows, outputs, entries = shown
    return pandas.DataFrame(entries, index=rows, columns=outputs, dtype=object)


class Design(_Made):
    """The mechanism with the least loss.

    Attributes
    ----------
    spec : Spec or None
        None where what was asked for does not go together; ``conflict`` says what.
    loss, at_least : Fraction or Number
        Of the mechanism; no mechanism within the limits has less.
    family, outputs, entries, symmetric, share, certificate
        As docs/design.md has them; the certificate is the proof's text.
    """

    @property
    def matrix(self) -> Any:
        """P(output given row), exactly, as a frame."""
        return _matrix_frame(self._native.shown_matrix)

    @property
    def curve(self) -> Any:
        """The least loss by e^epsilon, exactly, as a frame; empty where none was asked for."""
        import pandas
        return pandas.DataFrame(self._native.points, columns=["exponential", "loss", "turns", "exactly"], dtype=object)


class Repair(_Made):
    """A mended mechanism.

    Attributes
    ----------
    spec : Spec
    share, entries, rows, rounding : Fraction or Number or None
        What was mixed in; the largest change of an entry, and total variation of rows; how far off rounded rows were.
    notes : list of str
        Claims that were not looked at, or are no longer made.
    """

    @property
    def before(self) -> Any:
        """What was read: P(output given row), exactly, as a frame."""
        return _matrix_frame(self._native.shown_before)

    @property
    def after(self) -> Any:
        """What it became."""
        return _matrix_frame(self._native.shown_after)


def design(request: Union[PathLike, Mapping[str, Any]], *, folder: PathLike = ".", limits: Optional[Limits] = None,
           progress: Progress = None) -> Design:
    """The mechanism with the least loss within what a request asks for, and a proof of it (docs/design.md).

    Parameters
    ----------
    request : path or dict
        As the file has it; of a dict, ``prior`` may be ``prior(frame)`` (then the domain may be left out), and a table
        is named relative to ``folder``.
    folder : path
        Where the spec is to stand: tables are named relative to that.
    """
    where = os.fspath(folder)
    if isinstance(request, (str, os.PathLike)):
        return Design(called(_oddsbound.design, os.fspath(request), where, limits=limits, progress=progress), where)
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
    for name, text in {**files, "design.json": json_text(document)}.items():
        with open(os.path.join(own, name), "w", encoding="utf-8", newline="") as file:
            file.write(text)
    return files


def repair(spec: SpecLike, *, by: str = "rows", rounded_rows: bool = False, denominator: int = 1000,
           folder: PathLike = ".", limits: Optional[Limits] = None, progress: Progress = None) -> Repair:
    """The mechanism of a spec, mended so that its claims hold (docs/design.md).

    Parameters
    ----------
    spec : Spec, path or dict
        A path may name a spec that is refused, for its rows are rounded.
    by : "rows", "entries" or "mixture"
        The nearest mechanism by the largest total variation of rows or change of an entry, or the least mixture.
    """
    where = os.fspath(folder)

    def mended(path: str, target: str) -> Any:
        return called(_oddsbound.repair, path, by, rounded_rows, denominator, target, limits=limits, progress=progress)

    if isinstance(spec, (str, os.PathLike)):
        return Repair(mended(os.fspath(spec), where), where)
    read = as_spec(spec)
    with read._as_file() as path:
        return Repair(mended(path, os.path.dirname(path) if read._files else where), where, read._files)


def release(path: PathLike, table: Optional[PathLike] = None, *, seed: Optional[int] = None,
            spent: Optional[PathLike] = None, limits: Optional[Limits] = None, progress: Progress = None) -> Drawn:
    """What a release from a table of people tells, and what it costs by attributes (docs/releases.md).

    Parameters
    ----------
    path
        The release's file.
    table : path, optional
        A CSV file with a row for each person; None: what it costs alone.
    seed : int, optional
        None: the system's randomness; only that is private.
    spent : path, optional
        A file of what was spent on the same people before.
    """
    return Drawn(called(_oddsbound.release, os.fspath(path), None if table is None else os.fspath(table), seed,
                        None if spent is None else os.fspath(spent), limits=limits, progress=progress))
