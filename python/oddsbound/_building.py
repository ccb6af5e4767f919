"""The parts of a spec that is built: priors from data, mechanisms."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence, Union

from . import _frames
from ._errors import SpecError
from ._given import column_of, flag, listed, mapping_of, missing_of, text_of, texts, unexpected, whole
from ._numbers import Level
from ._plain import rounded_fraction


@dataclass(frozen=True, repr=False)
class Prior:
    """A prior in the form of the spec format, with its table.

    Attributes
    ----------
    json : dict
        The value of the key ``prior``.
    domain : list or None
        The coordinates of the data.
    files : dict
        Texts of the files that ``json`` names.
    """

    json: dict[str, Any]
    domain: Optional[list[dict[str, Any]]] = None
    files: dict[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        """What kind of prior this is, without its numbers: a notebook keeps what a cell shows."""
        shown = [str(self.json.get("type", "prior")), *self.files]
        if self.domain is not None:
            shown.append("attributes " + ", ".join(str(one["name"]) for one in self.domain))
        if self.json.get("type") in ("csv", "counts"):
            shown.append("published" if self.json.get("published") else "confidential")
        return f"<Prior: {'; '.join(shown)}>"


class Mechanism(dict):  # type: ignore[type-arg]
    """A mechanism in the form of the spec format. ``values``: the stated number of input values, or None."""

    values_stated: Optional[int] = None


def prior(data: Any, columns: Optional[Sequence[Any]] = None, *, count: Optional[Any] = None,
          missing: Union[None, str, Mapping[str, str]] = None, missing_cells: Sequence[str] = (),
          name: str = "table.csv", rounded: bool = False, published: bool = False) -> Prior:
    """Makes a prior from data.

    Parameters
    ----------
    data : DataFrame, Series or array
        A frame with one row per person. A series of counts by value. An array of counts, with one axis per coordinate,
        or with one axis for all inputs. An array of probabilities.
    columns
        The columns that are attributes. Default: all columns except ``count``.
    count
        The column with the number of people of each row.
    missing : "drop", "value" or {"as": value}, optional
        The treatment of missing cells (docs/spec-format.md). Default: they are an error.
    missing_cells
        Texts of cells that count as missing. Empty cells always do.
    name
        The table's name in the spec and in errors.
    rounded : bool
        Allow floats as probabilities. Each is read as the decimal that it is printed as; they are divided by their sum.
    published : bool
        The table is public. Otherwise it is confidential, and output for others shows its levels rounded
        (docs/what-a-level-reveals.md).

    Examples
    --------
    >>> import oddsbound as ob, pandas
    >>> people = pandas.DataFrame({"sex": ["m", "f", "f"], "votes": ["y", "n", "n"]})
    >>> print(ob.prior(people).files["table.csv"])
    sex,votes,count
    m,y,1
    f,n,2
    <BLANKLINE>
    >>> ob.prior([3, 1]).json
    {'type': 'counts', 'counts': [3, 1]}
    """
    published, rounded, missing_cells = flag(published, "published"), flag(rounded, "rounded"), texts(missing_cells, "missing_cells", "['NA']")
    missing = missing_of(missing)
    if columns is not None:
        columns = [column_of(one, "columns") for one in listed(columns, "columns: a list, as columns=['age']")]
    if count is not None:
        column_of(count, "count")
    if not isinstance(name, str) or "/" in name:
        raise unexpected(name, "name: the name of a file, without a folder")
    if not hasattr(data, "__iter__") or isinstance(data, (str, bytes, dict)):
        raise unexpected(data, "data: a frame, a series of counts, or an array of counts or probabilities")
    if _frames.is_series(data):
        made = _series_prior(data, missing, missing_cells, name)
    elif _frames.is_frame(data):
        made = _frame_prior(data, columns, count, missing, missing_cells, name)
    else:
        made = _array_prior(data, rounded)
    if published:
        if made.json["type"] == "probabilities":
            raise SpecError("probabilities are no table of people: leave out 'published'")
        made.json["published"] = True
    return made


def _series_prior(data: Any, missing: Any, missing_cells: Sequence[str], name: str) -> Prior:
    frame = data.rename("count of people").reset_index()
    columns = [one for one in frame.columns if one != "count of people"]
    return _frame_prior(frame, columns, "count of people", missing, missing_cells, name)


def _frame_prior(frame: Any, columns: Optional[Sequence[Any]], count: Any, missing: Any,
                 missing_cells: Sequence[str], name: str) -> Prior:
    for one in [*(columns or ()), *([] if count is None else [count])]:
        if one not in frame.columns:
            raise SpecError(f"the frame has no column '{one}' (columns: {', '.join(map(str, frame.columns))})")
    chosen = [one for one in frame.columns if one != count] if columns is None else list(columns)
    if not chosen:
        raise SpecError("a prior needs a column at least")
    count_name = "count"
    while count_name in map(str, chosen):
        count_name += "_"
    json: dict[str, Any] = {"type": "csv", "file": name, "count": count_name}
    if missing is not None:
        json["missing"] = missing
    if missing_cells:
        json["missing_cells"] = list(missing_cells)
    return Prior(json, [_coordinate(frame[one], str(one)) for one in chosen],
                 {name: _frames.table_text(frame, chosen, count, count_name)})


def _coordinate(column: Any, name: str) -> dict[str, Any]:
    if isinstance(column.dtype, _frames.pandas().CategoricalDtype):
        return {"name": name, "values": [_frames.cell_text(one) for one in column.cat.categories]}
    return {"name": name, "values": "from prior"}


def _array_prior(data: Any, rounded: bool) -> Prior:
    array = _frames.numpy().asarray(data)
    flat = array.ravel().tolist()
    if array.dtype.kind in "iub":
        return Prior({"type": "counts", "counts": [int(one) for one in flat]})
    if rounded:
        weights = [rounded_fraction(one) for one in flat]
        total = sum(weights)
        return Prior({"type": "probabilities", "probabilities": [one / total for one in weights]})
    return Prior({"type": "probabilities", "probabilities": flat})


def family(name: str, **parameters: Any) -> Mechanism:
    """A mechanism of a family (docs/mechanisms.md): ``family("rappor", f="1/2", p="1/2", q="3/4")``."""
    return Mechanism({"type": text_of(name, "name"), **parameters})


def k_randomized_response(values: Optional[int] = None, epsilon: Union[None, int, str, Level, Any] = None) -> Mechanism:
    """Randomized response: the true value is e^epsilon times as likely as each other value.

    Parameters
    ----------
    values : int, optional
        The number of input values. A spec with another number is then an error.
    epsilon
        The level: a string, a Fraction or a Level.

    Examples
    --------
    >>> import oddsbound as ob
    >>> ob.k_randomized_response(3, "log(3)")
    {'type': 'k_randomized_response', 'epsilon': 'log(3)'}
    """
    if epsilon is None:
        raise SpecError("k_randomized_response needs an epsilon")
    mechanism = family("k_randomized_response", epsilon=epsilon)
    mechanism.values_stated = None if values is None else whole(values, "values", 1)
    return mechanism


def per_attribute(mechanisms: Mapping[str, Optional[Mapping[str, Any]]]) -> Mechanism:
    """Independent mechanisms, each for one attribute. None: the attribute is not released.

    Examples
    --------
    >>> import oddsbound as ob
    >>> ob.per_attribute({"sex": ob.k_randomized_response(2, "1"), "age": None})
    {'type': 'per_coordinate', 'mechanisms': {'sex': {'type': 'k_randomized_response', 'epsilon': '1'}, 'age': 'not released'}}
    """
    given = mapping_of(mechanisms, "mechanisms: a dict of mechanisms by attribute")
    for one in given.values():
        if one is not None and not isinstance(one, Mapping):
            raise unexpected(one, "a mechanism: as family(name) makes one, a dict with its JSON, or None")
    return Mechanism(type="per_coordinate",
                     mechanisms={name: "not released" if one is None else one for name, one in given.items()})


def matrix(rows: Any, outputs: Union[int, Sequence[str], None] = None, *, rounded: bool = False) -> Mechanism:
    """A mechanism given by its matrix of probabilities.

    Parameters
    ----------
    rows
        One row per input, as strings, Fractions or Numbers. Each row sums to exactly 1.
    outputs
        Labels, or their number. Default: "0", "1", ...
    rounded : bool
        Allow floats. Each is read as the decimal that it is printed as; every row is divided by its sum.

    Examples
    --------
    >>> import oddsbound as ob
    >>> ob.matrix([[0.9, 0.1], [0.3, 0.7]], ["no", "yes"], rounded=True)["rows"][0]
    [Fraction(9, 10), Fraction(1, 10)]
    """
    entries = [listed(row, "rows: a list of rows, each a list of probabilities")
               for row in listed(rows, "rows: a list of rows, each a list of probabilities")]
    if not entries:
        raise SpecError("a matrix needs a row at least")
    if flag(rounded, "rounded"):
        exact = [[rounded_fraction(one) for one in row] for row in entries]
        entries = [[one / sum(row) for one in row] for row in exact]
    return Mechanism(type="matrix", outputs=outputs if outputs is not None else len(entries[0]), rows=entries)


def stated_values(mechanism: Any) -> list[tuple[Optional[str], int]]:
    """What mechanisms say of the number of their inputs' values: by attribute, or of all inputs (None)."""
    said: list[tuple[Optional[str], int]] = []
    if getattr(mechanism, "values_stated", None) is not None:
        said.append((None, mechanism.values_stated))
    if isinstance(mechanism, Mapping) and mechanism.get("type") == "per_coordinate":
        said += [(name, one.values_stated) for name, one in mechanism["mechanisms"].items()
                 if getattr(one, "values_stated", None) is not None]
    return said
