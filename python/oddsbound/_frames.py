"""Frames and arrays as the library takes them: rows of indices of values, or tables as text."""
from __future__ import annotations

import csv
import io
from typing import Any, Optional, Sequence

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
        raise SpecError(f"column '{name}', row {row}: the cell is missing, and inputs have none")
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


def _from_columns(columns: Sequence[Any], coordinates: Coordinates) -> Any:
    if len(columns) == 1:
        (name, values, _), = coordinates
        return _column_codes(columns[0], name, values).reshape(-1, 1)
    digits = numpy().empty((len(columns[0]), len(coordinates)), dtype="uint32")
    for place, (column, (name, values, _)) in enumerate(zip(columns, coordinates)):
        digits[:, place] = _column_codes(column, name, values)
    return digits


def digits_of(inputs: Any, coordinates: Coordinates) -> Any:
    """Inputs as rows of indices of values.

    A frame with a column for every coordinate; of one coordinate also a series, an array or a list of values; of
    several a list of tuples, or an array with a column for each. Values are compared as texts.
    """
    if is_frame(inputs):
        missing = [name for name, _, _ in coordinates if name not in inputs.columns]
        if missing:
            raise SpecError(f"the frame has no column '{missing[0]}' (columns: {', '.join(map(str, inputs.columns))})")
        return _from_columns([inputs[name] for name, _, _ in coordinates], coordinates)
    if is_series(inputs) and len(coordinates) == 1:
        return _from_columns([inputs], coordinates)
    rows = list(inputs) if not hasattr(inputs, "ndim") else inputs
    frame = pandas().DataFrame(rows)
    if frame.shape[1] != len(coordinates) and len(rows) > 0:
        raise SpecError(f"inputs have {frame.shape[1]} values, expected one for each of the {len(coordinates)} coordinates")
    if len(rows) == 0:
        return numpy().empty((0, len(coordinates)), dtype="uint32")
    return _from_columns([frame[place] for place in range(len(coordinates))], coordinates)


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
