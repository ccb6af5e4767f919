"""Reports of analyze, verify and audit."""
from __future__ import annotations

import json
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional

from . import _oddsbound
from ._errors import in_python
from ._given import PathLike, flag, path_of, text_of, whole
from ._plain import printable
from ._results import Claim, Levels, MeasuredLevel, Record, as_frame, rounded, shows_exactly

if TYPE_CHECKING:
    import pandas

LEVELS = [name for name, _, _ in _oddsbound.measured_notions]
_BY_COORDINATE = {name for name, by_coordinate, _ in _oddsbound.measured_notions if by_coordinate}
_OF_THE_PRIOR = {name for name, _, of_the_prior in _oddsbound.measured_notions if of_the_prior}


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def claims_words(claims: list[dict[str, Any]]) -> str:
    """How many claims are as expected, not, and undecided."""
    ok, undecided = (sum(condition) for condition in
                     ([claim["ok"] for claim in claims], [claim["verdict"] == "undecided" for claim in claims]))
    failed = len(claims) - ok - undecided
    if not failed and not undecided:
        return f"{counted(len(claims), 'claim')} as expected"
    words = f"{ok} of {counted(len(claims), 'claim')} as expected"
    return words + (f", {failed} not" if failed else "") + (f", {undecided} undecided" if undecided else "")


class SpecResult(Record):
    """The result for one spec.

    Attributes
    ----------
    confidential : bool
        The prior or a set of priors depends on a table that is not declared published.
    ldp : MeasuredLevel
        If a limit left nothing known (``undecided`` says which), a level is from 0 to infinity.
    bdp : MeasuredLevel or None
        None without a prior.
    cdp, bcdp : dict of MeasuredLevel by coordinate
        Without a prior, ``bcdp`` is empty.
    correlation, proposition_4, ...
        All other keys of the JSON (docs/result-format.md).
    claims : list of Claim
    report : Report
        The report of this spec: ``render``, ``exit_status``.
    """

    name: str
    file: str
    description: str
    ldp: MeasuredLevel
    bdp: Optional[MeasuredLevel]
    cdp: Levels
    bcdp: Levels
    claims: list[Claim]
    correlation: Optional[Record]
    undecided: Record

    def __init__(self, data: dict[str, Any], report: "Report", place: int):
        super().__init__(data)
        self.report, self._place = report, place
        self._said: Optional[dict[str, dict[str, str]]] = None

    def _words(self, notion: str, coordinate: str) -> str:
        if self._said is None:
            self._said = self.report._native.words(self._place)
        return self._said.get(notion, {}).get(coordinate, "")

    def _published(self) -> Any:
        """Words and texts of levels, sentences of claims, as others may see them."""
        return self.report._native.published_words(self._place)

    def _published_claim(self, place: int) -> str:
        sentence: str = self._published()[2][place]
        return sentence

    def _level(self, notion: str, coordinate: str, data: Any) -> Optional[MeasuredLevel]:
        confidential = self._confidential and notion in _OF_THE_PRIOR

        def words() -> str:
            if confidential and not shows_exactly(None):
                published: str = self._published()[0].get(notion, {}).get(coordinate, "")
                return published
            return self._words(notion, coordinate)
        return data and MeasuredLevel(data, words, confidential)

    def __getitem__(self, name: str) -> Any:
        analysis = (self._data.get("analysis") or {})
        if name in LEVELS and name in analysis:
            found = analysis[name]
            if name in _BY_COORDINATE:
                levels = {at: self._level(name, at, level) or MeasuredLevel.unknown() for at, level in (found or {}).items()}
                return Levels(levels, self._why_none(name))
            level = self._level(name, "", found)
            return MeasuredLevel.unknown() if level is None and self._is_open(name) else level
        if name == "claims":
            return [Claim(claim, partial(self._published_claim, place)) for place, claim in enumerate(self._data["claims"])]
        return super().__getitem__(name)

    def _is_open(self, notion: str) -> bool:
        """A limit left nothing known of it."""
        undecided = (self._data.get("analysis") or {}).get("undecided") or {}
        return notion not in _OF_THE_PRIOR or notion in undecided

    def _why_none(self, notion: str) -> str:
        undecided = (self._data.get("analysis") or {}).get("undecided") or {}
        return str(undecided.get(notion, "because the spec has no prior" if notion in _OF_THE_PRIOR else ""))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("_data", "_confidential"):
            raise AttributeError(name)
        if name in LEVELS or name == "claims":
            return self[name]
        analysis = (self._data.get("analysis") or {})
        if name in analysis and name not in self._data:
            return Record(analysis, confidential=self._confidential)[name]
        return super().__getattr__(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(self._data.get("analysis") or {})]

    @property
    def ok(self) -> bool:
        """All claims are as expected."""
        return all(claim["ok"] for claim in self._data["claims"])

    def __repr__(self) -> str:
        """The main numbers in one line. Levels are rounded up to three digits, so that others may see them."""
        shown = [*([claims_words(self._data["claims"])] if self._data["claims"] else []), *self._main_levels()]
        return f"<{type(self).__name__} {printable(self.name)}{': ' if shown else ''}{', '.join(shown)}>"

    def _main_levels(self) -> Iterator[str]:
        """The LDP level, and the largest CDP and BCDP levels with their attributes."""
        analysis = self._data.get("analysis") or {}
        for notion in ("ldp", "cdp", "bcdp"):
            found = analysis.get(notion)
            by_coordinate = found if notion in _BY_COORDINATE else {"": found}
            levels = {name: Decimal(level.get("at_most", level)["upper"])
                      for name, level in (by_coordinate or {}).items() if level is not None}
            if not levels:
                continue
            largest = max(levels, key=lambda name: levels[name])
            words = f"{'largest ' if len(levels) > 1 else ''}{notion.upper()} <= {rounded(str(levels[largest]), up=True)}"
            yield f"{words} ({printable(largest)})" if largest else words

    def __str__(self) -> str:
        return self.report.render("text") if len(self.report.specs) == 1 else repr(self)

    def to_frame(self) -> "pandas.DataFrame":
        """Returns the levels as a pandas frame, one row each."""
        import pandas
        rows = []
        for notion in LEVELS:
            data: Any = (self._data.get("analysis") or {}).get(notion)
            found = data and self[notion]
            levels = found if isinstance(found, dict) else {"": found}
            for coordinate, level in levels.items():
                if level is not None and not (notion in _BY_COORDINATE and data[coordinate] is None):
                    rows.append({"notion": notion, "coordinate": coordinate, "nats": level.nats, "level": level._exact_text(),
                                 "words": self._words(notion, coordinate)})
        return pandas.DataFrame(rows, columns=["notion", "coordinate", "nats", "level", "words"])

    def chart(self) -> "Chart":
        """Returns a bar chart of the levels (Vega-Lite in notebooks)."""
        return Chart(self)

    def _repr_html_(self) -> str:
        return self.report._with_figures(self._place)._repr_html_()


class Chart:
    """A bar chart of levels, for notebooks."""

    def __init__(self, result: SpecResult):
        self._frame = result.to_frame()
        self._name = result.name
        if result.confidential:  # a chart is for others
            words, levels, _ = result._published()
            for row in self._frame.index:
                notion, coordinate = self._frame.at[row, "notion"], self._frame.at[row, "coordinate"]
                if notion in _OF_THE_PRIOR:
                    self._frame.loc[row, ["level", "words"]] = levels[notion][coordinate], words[notion][coordinate]
                    self._frame.loc[row, "nats"] = float(rounded(repr(self._frame.at[row, "nats"]), up=True))

    def to_dict(self) -> dict[str, Any]:
        """Returns the chart as a Vega-Lite 5 document."""
        rows = self._frame.assign(what=(self._frame["notion"] + " " + self._frame["coordinate"]).str.strip())
        rows = rows[rows["nats"] != float("inf")]
        return {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "title": self._name,
                "data": {"values": rows.drop(columns="words").to_dict("records")}, "mark": "bar",
                "encoding": {"y": {"field": "what", "type": "nominal", "sort": None, "title": None},
                             "x": {"field": "nats", "type": "quantitative", "title": "nats"},
                             "color": {"field": "notion", "type": "nominal"},
                             "tooltip": [{"field": "level"}, {"field": "nats"}]}}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"application/vnd.vegalite.v5+json": self.to_dict(), "text/plain": self._frame.to_string(),
                "text/html": self._frame.to_html()}


class Report:
    """The results of a run, for all its specs or audits.

    Attributes
    ----------
    specs : list of SpecResult
    audits : list of Record
    errors : list of Record
        Files that could not be read, or were not reached.
    exit_status : int
        As on the command line: 0 all as expected, 1 some claim is not, 2 a file is wrong, 3 undecided.
    """

    def __init__(self, native: _oddsbound.Report, again: Optional[Callable[[], _oddsbound.Report]] = None):
        self._native, self._again = native, again
        self._data: dict[str, Any] = json.loads(native.json())
        self._drawn: Optional[Report] = None

    @property
    def specs(self) -> list[SpecResult]:
        return [SpecResult(one, self, place) for place, one in enumerate(self._data.get("specs", []))]

    @property
    def audits(self) -> list[Record]:
        return [Record(one) for one in self._data.get("audits", [])]

    @property
    def errors(self) -> list[Record]:
        return [Record({name: in_python(value) if isinstance(value, str) and name != "file" else value
                        for name, value in one.items()}) for one in self._data.get("errors", [])]

    @property
    def summary(self) -> Record:
        return Record(self._data["summary"])

    @property
    def exit_status(self) -> int:
        return self._native.exit_status

    @property
    def ok(self) -> bool:
        return self.exit_status == 0

    def __iter__(self) -> Iterator[SpecResult]:
        return iter(self.specs)

    def __str__(self) -> str:
        return self.render("text")

    def __repr__(self) -> str:
        """The numbers of specs, claims, audits and errors in one line."""
        counts = [counted(len(self._data[kind]), kind[:-1]) for kind in ("specs", "audits") if self._data.get(kind)]
        claims = [claim for spec in self._data.get("specs", []) for claim in spec["claims"]]
        shown = [*(counts or ["nothing"]), *([claims_words(claims)] if claims else [])]
        audits = self._data.get("audits") or []
        if audits:
            shown.append(f"{sum(audit['ok'] for audit in audits)} as expected")
        errors = self._data.get("errors") or []
        return f"<Report: {', '.join([*shown, *([counted(len(errors), 'error')] if errors else [])])}>"

    def render(self, format: str = "text", *, static_figures: bool = False, width: int = 0,
               exact: Optional[bool] = None) -> str:
        """Writes the report as ``"text"``, ``"json"``, ``"html"``, ``"markdown"``, ``"sarif"``, ``"junit"``, ``"github"`` or ``"registry"``.

        exact: show values that depend on a confidential table exactly, not rounded. None: only in text while standard
        output is a terminal. JSON is always exact.
        """
        return self._native.render(text_of(format, "format"), flag(static_figures, "static_figures"), whole(width, "width"),
                                   shows_exactly(exact, format))

    def to_dict(self) -> dict[str, Any]:
        """Returns the JSON document (docs/result-format.md)."""
        return self._data

    def to_frame(self) -> "pandas.DataFrame":
        """Returns the claims of all specs as a pandas frame, one row each."""
        import pandas
        rows = [{"spec": spec.name, "claim": claim["words"]["claim"], "verdict": claim["verdict"], "ok": claim["ok"],
                 "words": Claim(claim).exact_words} for spec in self.specs for claim in spec.to_dict()["claims"]]
        return pandas.DataFrame(rows, columns=["spec", "claim", "verdict", "ok", "words"])

    def _with_figures(self, place: int) -> "Report":
        """This report with what a page draws, measured once more where that is not in it."""
        if self._again is None:
            return self
        if self._drawn is None:
            self._drawn = Report(self._again())
        return self._drawn

    def _repr_html_(self) -> str:
        return as_frame(self.render("html", static_figures=True))

    def __reduce__(self) -> Any:
        return _from_json, (self._native.json(),)


def _from_json(text: str) -> Report:
    return Report(_oddsbound.read_report(text, "report.json"))


def read_report(path: PathLike) -> Report:
    """Reads a report from the JSON that the command line or ``render("json")`` wrote."""
    with open(path_of(path), encoding="utf-8") as file:
        return Report(_oddsbound.read_report(file.read(), str(path)))
