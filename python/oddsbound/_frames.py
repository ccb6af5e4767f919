"""Frames and arrays as the library takes them: rows of indices of values, or tables as text."""
from __future__ import annotations

import csv
import io
from typing import Any, Collection, Mapping, Optional, Sequence

from ._errors import SpecError

Coordinates = Sequence[tuple[str, Sequence[str], bool]]


def pandas() -> Any:
    import pandas  # only who has frames needs it
    return pandas


def numpy() -> Any:
    import numpy
    return numpy


def is_frame(value: Any) -> bool:
    return hasattr(value, "columns") and hasattr(value, "iloc")


def is_series(value: Any) -> bool:
    return hasattr(value, "iloc") and not is_frame(value)


def cell_text(value: Any) -> str:
    """What a table has in a cell: a whole number without a point, as a column with missing cells would add one."""
    if value is None or value != value or value is pandas().NA:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _texts(column: Any) -> tuple[Any, list[str]]:
    """A column as codes (-1: missing) and the text of each."""
    if isinstance(column.dtype, pandas().CategoricalDtype):
        return numpy().asarray(column.cat.codes), [cell_text(one) for one in column.cat.categories]
    codes, found = pandas().factorize(column)
    return codes, [cell_text(one) for one in found]


def _column_codes(column: Any, name: str, values: Sequence[str]) -> Any:
    codes, texts = _texts(column)
    place = {value: number for number, value in enumerate(values)}
    if len(codes) > 0 and codes.min() < 0:
        row = int((codes < 0).argmax())
        raise SpecError(f"column '{name}', row {row}: the cell is missing, expected a value of this coordinate"
                        + (" (fill missing cells: frame.fillna('missing'))" if "missing" in place else ""))
    foreign = [code for code, text in enumerate(texts) if text not in place]  # categories may be there that nobody has
    used = set(numpy().unique(codes).tolist()) if foreign else set()
    unknown = [texts[code] for code in foreign if code in used]
    if unknown:
        known = ", ".join(values[:10])
        raise SpecError(f"column '{name}' has '{unknown[0]}', which is no value of it (values: {known})")
    of_code = numpy().array([place.get(text, 0) for text in texts], dtype="uint32")
    if of_code.tolist() == list(range(len(texts))):  # categories in the spec's order: nothing to look up
        return codes.astype("uint32")
    return of_code[codes]


def _from_columns(columns: Mapping[int, Any], rows: int, coordinates: Coordinates) -> Any:
    """Columns by their coordinates; a coordinate without one has its first value."""
    if len(columns) == 1 and len(coordinates) == 1:
        (name, values, _), = coordinates
        return _column_codes(columns[0], name, values).reshape(-1, 1)
    digits = numpy().zeros((rows, len(coordinates)), dtype="uint32")
    for place, column in columns.items():
        name, values, _ = coordinates[place]
        digits[:, place] = _column_codes(column, name, values)
    return digits


def _from_frame(frame: Any, coordinates: Coordinates, unread: Collection[int]) -> Any:
    columns = {}
    for place, (name, _, _) in enumerate(coordinates):
        if name in frame.columns:
            columns[place] = frame[name]
        elif place not in unread:
            raise SpecError(f"the frame has no column '{name}' (columns: {', '.join(map(str, frame.columns))})")
    return _from_columns(columns, len(frame), coordinates)


def _from_dicts(rows: Sequence[Mapping[Any, Any]], coordinates: Coordinates, unread: Collection[int]) -> Any:
    columns = {}
    for place, (name, values, _) in enumerate(coordinates):
        if place in unread:
            columns[place] = pandas().Series([row.get(name, values[0]) for row in rows], dtype=object)
            continue
        for number, row in enumerate(rows):
            if name not in row:
                raise SpecError(f"input {number} has no '{name}' (it has: {', '.join(map(str, row))})")
        columns[place] = pandas().Series([row[name] for row in rows], dtype=object)
    return _from_columns(columns, len(rows), coordinates)


def _expected_values(coordinates: Coordinates, unread: Collection[int]) -> str:
    text = f"one for each of the {len(coordinates)} coordinates ({', '.join(name for name, _, _ in coordinates)})"
    if not unread:
        return text
    return f"{text}, or all but {', '.join(coordinates[place][0] for place in unread)}, which the mechanism does not read"


def digits_of(inputs: Any, coordinates: Coordinates, unread: Collection[int] = ()) -> Any:
    """Inputs as rows of indices of values.

    A frame with a column for every coordinate, or a list of dicts; of one coordinate also a series, an array or a list of
    values; of several a list of tuples, or an array with a column for each. Values are compared as texts. Unread
    coordinates may be left out: tuples and arrays have all of them or none.
    """
    if is_frame(inputs):
        return _from_frame(inputs, coordinates, unread)
    read = [place for place in range(len(coordinates)) if place not in unread]
    if is_series(inputs) and 1 in (len(coordinates), len(read)):
        place = 0 if len(coordinates) == 1 else read[0]
        return _from_columns({place: inputs}, len(inputs), coordinates)
    if isinstance(inputs, Mapping):
        raise SpecError("found one dict, expected a list of dicts, one for each input")
    rows = list(inputs) if not hasattr(inputs, "ndim") else inputs
    if len(rows) == 0:
        return numpy().empty((0, len(coordinates)), dtype="uint32")
    if all(isinstance(row, Mapping) for row in rows):
        return _from_dicts(rows, coordinates, unread)
    frame = pandas().DataFrame(rows)
    given = range(len(coordinates)) if frame.shape[1] == len(coordinates) else read
    if frame.shape[1] != len(given):
        raise SpecError(f"each input has {frame.shape[1]} value{'' if frame.shape[1] == 1 else 's'}, expected {_expected_values(coordinates, unread)}")
    return _from_columns({place: frame[column] for column, place in enumerate(given)}, len(frame), coordinates)


def table_text(frame: Any, columns: Sequence[Any], count: Optional[Any], count_name: str) -> str:
    """A table with every different row once, and how many people have it: a frame of any length, as CSV."""
    codes = {name: _texts(frame[name]) for name in columns}
    coded = pandas().DataFrame({place: codes[name][0] for place, name in enumerate(columns)})
    if count is None:
        counted = coded.groupby(list(coded.columns), sort=True).size()
    else:
        coded["count"] = frame[count].to_numpy()
        counted = coded.groupby(list(range(len(columns))), sort=True)["count"].sum()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*map(str, columns), count_name])
    for key, number in counted.items():
        row = key if isinstance(key, tuple) else (key,)
        cells = [codes[name][1][code] if code >= 0 else "" for name, code in zip(columns, row)]
        writer.writerow([*cells, str(number)])
    return out.getvalue()


def outputs_text(labels: Any) -> str:
    """Collected outputs as a table of labels with counts."""
    counts = pandas().Series(labels, dtype=object).map(str).value_counts(sort=False)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["output", "count"])
    writer.writerows((label, str(number)) for label, number in counts.items())
    return out.getvalue()
