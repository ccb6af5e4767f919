"""What is asked of specs: levels, verdicts, parameters, designs, searches, releases."""
from __future__ import annotations

import json
import os
from typing import Any, Callable, Iterable, Literal, Mapping, Optional, Sequence, Union, overload

from . import _oddsbound
from ._errors import item
from ._given import PathLike, flag, is_listed, listed, path_of, seed_of, text_of, texts, unexpected, whole
from ._numbers import Exact, ExactLike, Level, LevelLike, exact
from ._plain import json_text, printable
from ._reports import Report, SpecResult
from ._results import Record, as_frame, as_text, shows_exactly
from ._settings import Limits, Progress, called
from ._specs import Spec

SpecLike = Union[Spec, PathLike, Mapping[str, Any]]
Engine = Literal["exact", "smt", "both"]


_A_SPEC = "a spec: a Spec, a path or a dict"
_CLAIMS = "claim: the name or number of a claim, or a list of them"


def as_spec(spec: SpecLike) -> Spec:
    if isinstance(spec, Spec):
        return spec
    if isinstance(spec, (str, os.PathLike, Mapping)):
        return Spec(spec)
    raise unexpected(spec, _A_SPEC)


def _spec_list(specs: Any) -> Optional[list[Union[str, Spec]]]:
    """The specs in a list, those that were read from files as paths; None for a single spec."""
    if isinstance(specs, (Spec, str, os.PathLike, Mapping)):
        return None
    if not is_listed(specs):
        raise unexpected(specs, f"{_A_SPEC}, or a list of them")
    found: list[Union[str, Spec]] = []
    for place, one in enumerate(specs):
        if isinstance(one, (str, os.PathLike)):
            found.append(os.fspath(one))
        else:
            with item(place):
                read = as_spec(one)
            found.append(read if read._path is None else read._path)
    return found


def _measured_list(kind: str, specs: list[Union[str, Spec]], options: dict[str, Any], limits: Optional[Limits],
                   progress: Progress) -> _oddsbound.Report:
    """Files are measured together, as on the command line; among specs that are in no file, one by one."""
    of_spec, of_files = getattr(_oddsbound, kind), getattr(_oddsbound, kind + "_files")
    paths = [one for one in specs if isinstance(one, str)]
    if len(paths) == len(specs):
        return called(of_files, paths, options, limits=limits, progress=progress)  # type: ignore[no-any-return]
    report = called(of_files, [], options, limits=limits, progress=progress)
    for one in specs:
        if isinstance(one, str):
            report.add(called(of_files, [one], options, limits=limits, progress=progress))
        else:
            report.add(called(of_spec, one._native, options, limits=limits, progress=progress))
    return report  # type: ignore[no-any-return]


def _options(*, jobs: int, for_all: Any = (), engine: str = "", **flags: Any) -> dict[str, Any]:
    """What was asked for, as the library takes it: without what is off."""
    found: dict[str, Any] = {name: flag(value, name) for name, value in flags.items()}
    found["effects"] |= found.pop("explain")
    found.update(jobs=whole(jobs, "jobs", 1), for_all=texts(for_all, "for_all", '["*"]'), engine=text_of(engine, "engine"))
    return {name: value for name, value in found.items() if value}


def _with_rounding(options: dict[str, Any], tolerance: Optional[ExactLike], exact_zeros: bool) -> dict[str, Any]:
    """Checked here: reading a spec with a tolerance is not what the other flags work on."""
    zeros = flag(exact_zeros, "exact_zeros")
    if tolerance is None:
        if zeros:
            raise TypeError("found exact_zeros without row_tolerance, expected row_tolerance too")
        return options
    for other in ("effects", "figures", "tradeoffs", "for_all", "tolerances"):
        if other in options:
            raise TypeError(f"row_tolerance excludes {other}")
    if options.get("engine", "exact") != "exact":
        raise TypeError("row_tolerance excludes engines other than 'exact'")
    return {**options, "row_tolerance": tolerance, **({"exact_zeros": True} if zeros else {})}


def _measured_printed(kind: str, specs: Sequence[Any], options: dict[str, Any], limits: Optional[Limits],
                      progress: Progress) -> _oddsbound.Report:
    """Specs that are read with a tolerance."""
    of_files, of_text = getattr(_oddsbound, kind + "_files"), getattr(_oddsbound, kind + "_text")
    report = called(of_files, [], options, limits=limits, progress=progress)
    for one in specs:
        if isinstance(one, (str, os.PathLike)):
            report.add(called(of_files, [os.fspath(one)], options, limits=limits, progress=progress))
        elif isinstance(one, Mapping):
            report.add(called(of_text, json_text(one), "spec.json", ".", options, limits=limits, progress=progress))
        else:
            raise unexpected(one, "a path or a dict: row_tolerance is for reading a spec")
    return report  # type: ignore[no-any-return]


def _measured(kind: str, spec: Any, options: dict[str, Any], limits: Optional[Limits],
              progress: Progress) -> Union[SpecResult, Report]:
    if "row_tolerance" in options:
        is_one = isinstance(spec, (Spec, str, os.PathLike, Mapping))
        printed = Report(_measured_printed(kind, [spec] if is_one else listed(spec, f"{_A_SPEC}, or a list of them"), options,
                                           limits, progress))
        if is_one and not printed.specs:
            printed._native.raise_first_error()
        return printed.specs[0] if is_one else printed
    several = _spec_list(spec)
    if several is not None:
        return Report(_measured_list(kind, several, options, limits, progress))
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


@overload
def analyze(spec: SpecLike, *, explain: bool = False, figures: bool = False, tradeoffs: bool = False,  # type: ignore[misc]
            effects: bool = False, for_all: Sequence[str] = (), tolerances: bool = False, jobs: int = 1,
            row_tolerance: Optional[ExactLike] = None, exact_zeros: bool = False, limits: Optional[Limits] = None,
            progress: Progress = None) -> SpecResult: ...
@overload
def analyze(spec: Iterable[SpecLike], *, explain: bool = False, figures: bool = False, tradeoffs: bool = False,
            effects: bool = False, for_all: Sequence[str] = (), tolerances: bool = False, jobs: int = 1,
            row_tolerance: Optional[ExactLike] = None, exact_zeros: bool = False, limits: Optional[Limits] = None,
            progress: Progress = None) -> Report: ...
def analyze(spec: Any, *, explain: bool = False, figures: bool = False, tradeoffs: bool = False, effects: bool = False,
            for_all: Sequence[str] = (), tolerances: bool = False, jobs: int = 1, row_tolerance: Optional[ExactLike] = None,
            exact_zeros: bool = False, limits: Optional[Limits] = None,
            progress: Progress = None) -> Union[SpecResult, Report]:
    """Measures every privacy level of a mechanism, exactly.

    Parameters
    ----------
    spec : Spec, path, dict, or a list of them
    explain : bool
        Also compute what an adversary learns: sentences in ``str(result)`` and reports, and their numbers as ``effects``.
    figures, tradeoffs, tolerances : bool
        Also compute: data of the figures; trade-off curves; how wrong the prior may be.
    effects : bool
        Another name of ``explain``.
    for_all : list of str
        Also measure levels over these sets of priors; ``["*"]``: over all sets.
    jobs : int
        For a list: the number of files to process at once.
    row_tolerance : exact number, optional
        The matrix is printed with rounded numbers: levels are intervals over all matrices whose entries differ from the
        printed ones by at most this (docs/spec-format.md). For paths and dicts; not with the other flags.
    exact_zeros : bool
        With ``row_tolerance``: an entry that is printed as 0 is 0.
    limits : Limits, optional
    progress : callable or True, optional
        Called with ``(done, of, at)`` from time to time. True: a tqdm progress bar.

    Returns
    -------
    SpecResult
        For a list a Report, whose ``errors`` has the files that could not be read.

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
    options = _options(jobs=jobs, for_all=for_all, explain=explain, figures=figures, effects=effects, tradeoffs=tradeoffs,
                       tolerances=tolerances)
    return _measured("analyze", spec, _with_rounding(options, row_tolerance, exact_zeros), limits, progress)


@overload
def verify(spec: SpecLike, *, engine: Engine = "exact", explain: bool = False, figures: bool = False,  # type: ignore[misc]
           tradeoffs: bool = False, effects: bool = False, jobs: int = 1, row_tolerance: Optional[ExactLike] = None,
           exact_zeros: bool = False, limits: Optional[Limits] = None, progress: Progress = None) -> SpecResult: ...
@overload
def verify(spec: Iterable[SpecLike], *, engine: Engine = "exact", explain: bool = False, figures: bool = False,
           tradeoffs: bool = False, effects: bool = False, jobs: int = 1, row_tolerance: Optional[ExactLike] = None,
           exact_zeros: bool = False, limits: Optional[Limits] = None, progress: Progress = None) -> Report: ...
def verify(spec: Any, *, engine: Engine = "exact", explain: bool = False, figures: bool = False,
           tradeoffs: bool = False, effects: bool = False, jobs: int = 1, row_tolerance: Optional[ExactLike] = None,
           exact_zeros: bool = False, limits: Optional[Limits] = None,
           progress: Progress = None) -> Union[SpecResult, Report]:
    """Decides the claims of a spec and measures its levels.

    Parameters
    ----------
    spec : Spec, path, dict, or a list of them
    engine : "exact", "smt" or "both"
        Exact arithmetic, Z3 from the definition, or both, which must agree.
    explain, figures, tradeoffs, effects, jobs, row_tolerance, exact_zeros, limits, progress
        As for ``analyze``.

    Returns
    -------
    SpecResult
        For a list a Report.

    Examples
    --------
    >>> import oddsbound as ob
    >>> for claim in ob.verify("specs/gallery/warner.json").claims[:1]:
    ...     print(claim.verdict, "-", claim.words)
    holds - ldp <= log(3): holds: exactly log(3) = 1.09861
    """
    options = _options(jobs=jobs, engine=engine, explain=explain, figures=figures, effects=effects, tradeoffs=tradeoffs)
    return _measured("verify", spec, _with_rounding(options, row_tolerance, exact_zeros), limits, progress)


class Found(Record):
    """A result with formats of its own: ``render``, ``exit_status``."""

    def __init__(self, native: Any):
        super().__init__(json.loads(native.render("json")))
        self._native = native

    @property
    def exit_status(self) -> int:
        return self._native.exit_status  # type: ignore[no-any-return]

    def render(self, format: str = "text", *, exact: Optional[bool] = None) -> str:
        return self._native.render(text_of(format, "format"), shows_exactly(exact, format))  # type: ignore[no-any-return]

    def _repr_html_(self) -> str:
        return as_text(self.render("text", exact=False))

    def __str__(self) -> str:
        return self.render("text")

    def _main(self) -> str:
        """What was found, in a few words; rounded like ``str(result)``."""
        return next((line.strip() for line in str(self).split("\n")[1:] if line.strip()), "")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._main()}>"

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError(f"{type(self).__name__} is not pickled: to_dict() is")


class Drawn(Found):
    """One of which there is a page as well."""

    @property
    def confidential(self) -> bool:
        """True if it depends on a table of people that is not declared published."""
        return super().confidential or any(one.get("confidential") for one in self._data.get("designs", []))

    def _repr_html_(self) -> str:
        return as_frame(self.render("html"))


def _value(text: str) -> Union[Exact, Level]:
    return Level(text) if text.startswith("log(") else exact(text)


class Tuned(Drawn):
    """Result of ``tune``."""

    def _main(self) -> str:
        lines = [line.strip() for line in str(self).split("\n")[2:]]
        return next(line for line in lines if not line.startswith(("note: ", "for all ")))

    @property
    def holds_at(self) -> Union[Exact, Level, None]:
        """The result: the outermost value at which the claims hold."""
        found = self._data.get("holds_at")
        return _value(found["value"] if isinstance(found, dict) else found) if found is not None else None


def tune(spec: SpecLike, parameter: str, *, from_: Optional[ExactLike] = None, to: Optional[ExactLike] = None,
         claim: Union[str, int, Sequence[Union[str, int]]] = (), grid: Union[int, Sequence[ExactLike]] = 16,
         width: Optional[ExactLike] = None, smallest: bool = False, integers: bool = False, proof: bool = True,
         start: Optional[ExactLike] = None, stop: Optional[ExactLike] = None, claims: Sequence[Union[str, int]] = (),
         parts: Optional[int] = None, prove: bool = True, limits: Optional[Limits] = None,
         progress: Progress = None) -> Tuned:
    """Finds the largest value of a parameter for which claims hold. Every step is decided exactly.

    Parameters
    ----------
    spec : Spec, path or dict
    parameter : str
        A parameter, a symbol, or a JSON pointer.
    from_, to
        The range, as exact numbers.
    claim : str or int, or a list of them
        The claims, by name or number. Default: all that should hold.
    grid : int or list
        The number of equal parts of the range that are looked at first, or the values.
    width, smallest, integers
        As the options of ``oddsbound tune`` (docs/tune.md).
    proof : bool
        False: ``--no-proof``.
    start, stop, claims, parts, prove
        Other names of ``from_``, ``to``, ``claim``, a number as ``grid``, and ``proof``.

    Examples
    --------
    >>> import oddsbound as ob
    >>> spec = ob.Spec(domain={"answer": ["no", "yes"]}, parameters={"p": "3/4"},
    ...                mechanism=ob.matrix([["p", "1-p"], ["1-p", "p"]], ["no", "yes"]),
    ...                claims=[{"notion": "ldp", "epsilon": "log(4)"}])
    >>> print(ob.tune(spec, "p", from_="1/2", to=1, width="1/100").holds_at)
    4/5
    """
    numbers, values = (grid, []) if isinstance(grid, int) else (16, listed(grid, "grid: a number of parts, or a list of values"))
    named = [*([claim] if isinstance(claim, (str, int)) else listed(claim, _CLAIMS)), *listed(claims, _CLAIMS)]
    for one in named:
        if not isinstance(one, (str, int)):
            raise unexpected(one, _CLAIMS)
    asked = {"parameter": text_of(parameter, "parameter"), "from": _one_of("from_", from_, "start", start),
             "to": _one_of("to", to, "stop", stop), "grid": values,
             "claims": named, "width": width,
             "parts": whole(numbers, "grid", 1) if parts is None else whole(parts, "parts", 1),
             "smallest": flag(smallest, "smallest"), "integers": flag(integers, "integers"),
             "prove": flag(prove, "prove") and flag(proof, "proof")}
    if isinstance(spec, (str, os.PathLike)):
        return Tuned(called(_oddsbound.tune_path, os.fspath(spec), asked, limits=limits, progress=progress))
    read = as_spec(spec)
    if read._path is not None:
        return Tuned(called(_oddsbound.tune_path, read._path, asked, limits=limits, progress=progress))
    return Tuned(called(_oddsbound.tune_string, read._text, read._file, read._folder, read._files, asked,
                        limits=limits, progress=progress))


def _one_of(name: str, value: Optional[ExactLike], other: str, same: Optional[ExactLike]) -> Optional[ExactLike]:
    if value is not None and same is not None:
        raise TypeError(f"{name} and {other} are the same: give one of them")
    return same if value is None else value


class Comparison(Drawn):
    """Result of ``compare``. ``designs``: what each spec has, by ``label``."""

    designs: list[Record]

    def _main(self) -> str:
        labels = [printable(one["label"]) for one in self._data["designs"]]
        return f"{', '.join(labels)}; {len(self._data['rows'])} quantities"


def compare(specs: Sequence[SpecLike], *, samples: int = 1000, limits: Optional[Limits] = None,
            progress: Progress = None) -> Comparison:
    """Compares specs: levels, averages, and errors of estimates from ``samples`` outputs.

    Examples
    --------
    >>> import oddsbound as ob
    >>> def asked_at(epsilon):
    ...     return ob.Spec(name=epsilon, domain={"answer": ["no", "yes"]}, mechanism=ob.k_randomized_response(2, epsilon))
    >>> found = ob.compare([asked_at("log(2)"), asked_at("log(3)")])
    >>> [design.label for design in found.designs]
    ['log(2)', 'log(3)']
    """
    if not is_listed(specs):
        raise unexpected(specs, "a list of specs")
    specs, samples = list(specs), whole(samples, "samples")
    paths = [spec for spec in specs if isinstance(spec, (str, os.PathLike))]
    if len(paths) == len(specs):
        return Comparison(called(_oddsbound.compare, [os.fspath(path) for path in paths], samples, limits=limits,
                                 progress=progress))
    read = []
    for place, spec in enumerate(specs):
        with item(place):
            read.append(as_spec(spec)._native)
    return Comparison(called(_oddsbound.compare_specs, read, samples, limits=limits, progress=progress))


class Composition(Drawn):
    """Result of ``compose``."""

    curve: list[Record]

    def _main(self) -> str:
        lines = [line.strip() for line in str(self).split("\n")]
        asked = [line.split(", from ")[0] for line in lines if line.startswith(("epsilon at ", "delta at "))]
        return "; ".join([lines[0], *asked])

    @property
    def epsilon(self) -> Optional[Level]:
        """The smallest epsilon at the asked delta: exact, or the upper end of an interval. None: not asked, or undecided."""
        found = self._data.get("epsilon_at_delta", {})
        found = found.get("at_most", found)
        return Level(found["epsilon"]) if "epsilon" in found else None

    @property
    def delta(self) -> Optional[Exact]:
        """The smallest delta at the asked epsilon: exact, or the upper end of an interval. None: not asked, or undecided."""
        found = self._data.get("delta_at_epsilon", {})
        text = found.get("at_most", found.get("delta"))
        return None if text is None else exact(text)


def compose(specs: Union[SpecLike, Sequence[SpecLike]], *, times: Union[int, Sequence[int]] = (),
            delta: Optional[ExactLike] = None, epsilon: Optional[LevelLike] = None,
            neighbors: Literal["all", "coordinate", "record"] = "all", records: Sequence[Sequence[str]] = (),
            limits: Optional[Limits] = None, progress: Progress = None) -> Composition:
    """Measures independent, non-adaptive runs of mechanisms on the same input together.

    Parameters
    ----------
    specs : Spec, path or dict, or a list of them
    times : int or list of int
        The number of runs of each spec. Default: one.
    delta, epsilon
        Ask for the smallest epsilon at this delta, and for the smallest delta at this epsilon.
    neighbors : "all", "coordinate" or "record"
        The inputs that are compared, as in a claim of ``approximate_dp``.
    records : list of lists of str
        For ``neighbors="record"``: the coordinates of each record.

    Examples
    --------
    >>> import oddsbound as ob
    >>> answer = ob.Spec(domain={"answer": ["no", "yes"]}, mechanism=ob.k_randomized_response(2, "log(3)"))
    >>> found = ob.compose(answer, times=2, delta="1/16", epsilon="log(5)")
    >>> found.epsilon
    Level('log(8)')
    >>> found.delta
    Fraction(1, 4)
    """
    many = _spec_list(specs)
    given: list[Union[str, Spec]] = many if many is not None else (_spec_list([specs]) or [])
    counts = [times] if isinstance(times, int) else listed(times, "times: a number of runs, or a list of them")
    asked = {"times": [whole(one, "times", 1) for one in counts], "delta": delta, "epsilon": epsilon,
             "neighbors": text_of(neighbors, "neighbors"),
             "records": [texts(record, "records", "[['age', 'sex'], ['job']]") for record in listed(records, "records: a list of lists of coordinates")]}
    paths = [one for one in given if isinstance(one, str)]
    if len(paths) == len(given):
        return Composition(called(_oddsbound.compose, paths, asked, limits=limits, progress=progress))
    read = [as_spec(one)._native for one in given]
    return Composition(called(_oddsbound.compose_specs, read, asked, limits=limits, progress=progress))


def search(name: str, *, coordinates: Sequence[int] = (2, 2), outputs: int = 2, level: Optional[LevelLike] = None,
           limits: Optional[Limits] = None, progress: Progress = None) -> "SearchFound":
    """Searches the smallest counterexample to a general property of notions, such as ``"bcdp composes"``.

    Examples
    --------
    >>> import oddsbound as ob
    >>> found = ob.search("bcdp composes")
    >>> sorted(found.specs)
    ['not-bcdp-composes-conclusion.json', 'not-bcdp-composes-premise.json']
    """
    sizes = [whole(one, "coordinates", 1) for one in listed(coordinates, "coordinates: numbers of values, as coordinates=[2, 2]")]
    return SearchFound(called(_oddsbound.search, text_of(name, "name"), sizes, whole(outputs, "outputs", 1), level,
                              limits=limits, progress=progress))


class SearchFound(Found):
    """Result of ``search``. ``specs``: the counterexample, as texts of specs by name."""

    def _main(self) -> str:
        outcomes = {"found": "a counterexample", "none": "no counterexample of these sizes"}
        last = self._data["steps"][-1]["outcome"] if self._data["steps"] else "not searched"
        return f"{printable(self._data['property'])}: {outcomes.get(last, last)}"

    @property
    def specs(self) -> dict[str, str]:
        return self._native.specs  # type: ignore[no-any-return]


class Released(Drawn):
    """Result of ``release``: ``steps`` with the published numbers, and the ``ledger`` of the privacy cost."""

    def _main(self) -> str:
        head = str(self).split("\n")[0]
        losses = [one["pure_at_most"] for one in self._data["ledger"] if one["of"] == "a person"]
        return head + (f"; privacy loss of a person: {losses[-1]}" if losses else "")


def _levels(given: Union[None, LevelLike, Mapping[str, LevelLike]]) -> list[tuple[str, str]]:
    if given is None:
        return []
    if not isinstance(given, Mapping):
        return [("", str(given))]
    return [(text_of(name, "the name of a coordinate"), str(value)) for name, value in given.items()]


def split(*, delta: Optional[Mapping[str, LevelLike]] = None, cdp: Optional[Mapping[str, LevelLike]] = None,
          ldp: Optional[LevelLike] = None, correlation: Union[ExactLike, Mapping[str, ExactLike]] = 1) -> Record:
    """Splits BCDP levels into CDP levels under given correlation, or bounds the BCDP levels that CDP levels keep.

    Parameters
    ----------
    delta : dict
        BCDP levels to keep, by coordinate.
    cdp : dict
        CDP levels of a mechanism, by coordinate.
    ldp : level, optional
        With ``cdp``: the LDP level of the mechanism. Default: the sum of the CDP levels.
    correlation : number or dict
        For all coordinates, or by coordinate; a coordinate that is not named has 1.

    Returns
    -------
    Record
        ``splits``, each with ``by``, ``ldp`` and ``levels``; a level has ``coordinate``, ``cdp`` and ``bcdp_at_most``.

    Examples
    --------
    >>> import oddsbound as ob
    >>> ob.split(cdp={"age": "log(2)", "job": "log(3)"}, correlation="1/2").splits[0].levels[0].bcdp_at_most
    Level('log(4)')
    """
    return Record(json.loads(_oddsbound.split(_levels(correlation), _levels(delta), _levels(cdp), "" if ldp is None else str(ldp))))


def release(path: PathLike, table: Optional[PathLike] = None, *, seed: Optional[int] = None,
            spent: Optional[PathLike] = None, plan: bool = False, people: Optional[int] = None,
            error: Optional[ExactLike] = None, limits: Optional[Limits] = None, progress: Progress = None) -> Drawn:
    """Releases statistics of a table of people, with the privacy cost of each attribute (docs/releases.md).

    Parameters
    ----------
    path
        The release file.
    table : path, optional
        A CSV file with one row per person. None: compute the privacy cost only.
    seed : int, optional
        None: the system's randomness. Only this is private.
    spent : path, optional
        A file with the budget that was spent on the same people before.
    plan : bool
        Without a table: also the errors to expect, as ``steps[i].plan``.
    people : int, optional
        For a plan: how many people there will be.
    error : number, optional
        For a plan: an error, as a fraction of all people.
    """
    table_file = None if table is None else path_of(table, "the path of a CSV file: frame.to_csv(path, index=False) writes one")
    return Released(called(_oddsbound.release, path_of(path, "the path of a release file"), table_file, seed_of(seed),
                        None if spent is None else path_of(spent), flag(plan, "plan"),
                        None if people is None else whole(people, "people", 1), "" if error is None else str(exact(error)), limits=limits, progress=progress))
