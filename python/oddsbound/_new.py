"""A spec for the release of a table, with claims that were measured."""
from __future__ import annotations

import numbers
import os
import pathlib
import tempfile
from decimal import Decimal
from typing import Any, Literal, Optional, Sequence

from . import _frames, _oddsbound
from ._building import Prior, prior
from ._errors import SpecError, in_python
from ._given import PathLike, column_of, flag, path_of, text_of, texts, unexpected, whole
from ._numbers import ExactLike, Level, LevelLike, Number
from ._plain import plain, printable
from ._reports import counted
from ._settings import Limits, Progress, called
from ._specs import Spec


_LEVELS = (str, numbers.Real, Decimal, Number, Level)


class NewSpec:
    """A spec that was made from a table.

    Attributes
    ----------
    spec : Spec
        ``spec.save(path)`` writes it, and the table of a frame next to it.
    notes : list of str
        Remarks about the table and the claims.
    """

    def __init__(self, spec: Spec, notes: list[str]):
        self.spec, self.notes = spec, [in_python(one) for one in notes]

    def __repr__(self) -> str:
        made = self.spec.to_dict()
        shown = [counted(len(made["domain"]), "attribute"), counted(len(made["claims"]), "claim")]
        return f"<NewSpec {printable(self.spec.name)}: {', '.join([*shown, *([counted(len(self.notes), 'note')] if self.notes else [])])}>"

    def _repr_html_(self) -> str:
        return self.spec._repr_html_()


def new_spec(table: Any, epsilon: LevelLike, *, hide: Sequence[Any] = (), columns: Sequence[Any] = (), exclude: Sequence[Any] = (),
             count: Optional[Any] = None, missing: Literal["error", "drop", "value"] = "error", missing_cells: Sequence[str] = (),
             separator: Optional[Literal[",", ";", "\t"]] = None, published: bool = False, headroom: ExactLike = "1/20", max_values: int = 100, name: str = "table",
             folder: PathLike = ".", limits: Optional[Limits] = None, progress: Progress = None) -> NewSpec:
    """Makes a spec that releases a table attribute by attribute, with claims about its levels (``oddsbound new``).

    Parameters
    ----------
    table : path or DataFrame
        One row per person.
    epsilon
        The level of the release of each attribute: a string, a Fraction or a Level.
    hide
        Attributes that are not released.
    columns
        The columns that are attributes, besides hidden ones. Default: all columns.
    exclude
        Columns that are no attributes, such as identifiers.
    count
        The column with the number of people of each row.
    missing : "error", "drop" or "value"
        Blank cells (empty, missing in the frame, or only white space) are an error with their number, or their rows are
        left out, or they are a value of their own.
    missing_cells
        Texts of cells that mean a missing answer, such as ``["NA"]``. They count as blank, too.
    separator : ",", ";" or a tab
        For a path: what separates the cells. Default: the one that the header has most often.
    published : bool
        The table is public, and claims about it are exact. Otherwise they are rounded up to three significant digits.
    headroom
        Margin above the measured level in claims about a table that is not public: ``Fraction(1, 20)``.
    max_values : int
        The maximum number of different values of a column.
    name
        For a frame: the name of the spec and its table.
    folder : path
        For a path: the folder of the spec. The table is named relative to it.

    Examples
    --------
    >>> import oddsbound as ob, pandas
    >>> people = pandas.DataFrame({"party": ["r", "d", "d", "r"], "age": ["young", "young", "old", "old"]})
    >>> made = ob.new_spec(people, "log(3)", hide=["party"])
    >>> for claim in ob.verify(made.spec).claims:
    ...     print(claim.words)
    ldp <= log(3), tight: holds: exactly log(3) = 1.09861
    cdp party <= 0, tight: holds: party 0
    bcdp party <= 0: holds: party 0
    bcdp age <= log(3): holds: age 1.1 (rounded up)
    """
    if not isinstance(missing, str) or missing not in ("error", "drop", "value"):
        raise ValueError("expected missing='error', 'drop' or 'value'")
    if not isinstance(epsilon, _LEVELS):
        raise unexpected(epsilon, "epsilon: a level, as 1, Fraction(1, 2) or 'log(3)'")
    if count is not None:
        column_of(count, "count")
    asked = {"epsilon": str(plain(epsilon, "epsilon", None)), "hide": texts(hide, "hide", "['party']"),
             "columns": texts(columns, "columns", "['age']"), "exclude": texts(exclude, "exclude", "['id']"),
             "count": "" if count is None else str(count), "missing": missing,
             "missing_cells": texts(missing_cells, "missing_cells", "['NA']"), "published": flag(published, "published"),
             "headroom": str(plain(headroom, "headroom", None)), "max_values": whole(max_values, "max_values", 1),
             "separator": "" if separator is None else text_of(separator, "separator")}
    if isinstance(table, (str, os.PathLike)):
        where, file = path_of(folder, "folder: a path"), pathlib.Path(folder) / (pathlib.Path(table).stem + ".json")
        text, notes = called(_oddsbound.new_spec, {**asked, "table": os.fspath(table), "file": str(file)},
                             limits=limits, progress=progress)
        return NewSpec(Spec.from_text(text, name=file.name, folder=where, limits=limits), notes)
    if not _frames.is_frame(table):
        raise unexpected(table, "table: a path or a frame")
    if separator is not None:
        raise ValueError("separator: found one with a frame, which has columns; expected it with a path only")
    asked["separator"] = ","
    wanted, left_out = list(columns), list(exclude)
    named = [*hide, *wanted]
    for one in [*named, *left_out]:
        if one not in table.columns:
            raise SpecError(f"the frame has no column '{one}' (columns: {', '.join(map(str, table.columns))})")
    for one in left_out:
        if one in named:
            raise SpecError(f"the column '{one}' is excluded: it cannot be an attribute as well")
    chosen = [one for one in table.columns if one not in left_out and one != count and (not wanted or one in named)]
    if not chosen:
        raise SpecError("no column is left as an attribute: leave out fewer columns (exclude, count)")
    given = prior(table, chosen, count=count, name=f"{text_of(name, 'name')}.csv")
    return _of_prior(given, {**asked, "exclude": []}, name, limits, progress)


def _without_place(error: SpecError, table: str) -> SpecError:
    """An error in the table of a frame: nobody knows the file that it was written to, nor its lines."""
    if error.file != table:
        return error
    text = f"{error.message} ({error.hint})" if error.hint else error.message
    return SpecError(f"the frame: {text}", message=error.message, hint=error.hint)


def _of_prior(given: Prior, asked: dict[str, Any], name: str, limits: Optional[Limits], progress: Progress) -> NewSpec:
    with tempfile.TemporaryDirectory(prefix="oddsbound-") as own:
        table = pathlib.Path(own) / f"{name}.csv"
        table.write_text(given.files[table.name], encoding="utf-8", newline="")
        request = {**asked, "count": given.json["count"], "table": str(table), "file": str(table.with_suffix(".json"))}
        try:
            text, notes = called(_oddsbound.new_spec, request, limits=limits, progress=progress)
        except SpecError as error:
            raise _without_place(error, str(table)) from None
    return NewSpec(Spec.from_text(text, name=f"{name}.json", files=given.files, limits=limits), notes)
