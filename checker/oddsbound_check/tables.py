"""Priors from a CSV table (docs/spec-format.md, prior): its rows, missing cells, and the values of coordinates."""
from __future__ import annotations

import re
from collections import Counter
from typing import Any, Optional, Sequence

from .domain import MOST_INPUTS, Domain, Draft, Row, Values
from .reading import Files, array, boolean, every, fields, header_place, is_text, mapping, require, text, within

EMPTY = "missing"  # the value of an empty cell, with "missing": "value"
MOST_DIGITS = 10_000
CSV_FIELDS = (("file",), ("columns", "count", "missing", "missing_cells", "published", "separator"))


def order(value: str) -> tuple[int, int, bytes]:
    """Plain integers first, by size; then other texts, by bytes."""
    plain = re.fullmatch(r"0|-?[1-9][0-9]*", value)
    return (0, int(value), b"") if plain else (1, 0, value.encode(errors="surrogateescape"))


def published(table: dict[str, Any]) -> bool:
    """True if a table of people is public: no result depends on it."""
    return within("published", boolean, table.get("published", False), "whether the table is published")


def read_treatment(value: Any) -> tuple[str, Optional[str]]:
    if isinstance(value, dict):
        fields(value, "a value for missing cells", ("as",))
        return "as", text(value["as"], "a value")
    require(is_text(value) and value in ("drop", "value"), 'expected "drop", "value" or {"as": a value}')
    return str(value), None


def read_separator(value: Any) -> str:
    require(is_text(value) and value in (",", ";", "\t"), 'expected ",", ";" or a tab')
    return str(value)


class CsvTable:
    def __init__(self, prior: Any, draft: Draft, files: Files):
        published(prior)
        self.prior, self.draft, self.files = prior, draft, files
        self.path = within("file", files.path_of, prior["file"])
        marked = within("missing_cells", array, prior.get("missing_cells", []), "cells that are missing")
        self.marked = set(within("missing_cells", every, marked, text, "the text of a cell"))
        self.missing, self.filling = within("missing", read_treatment, prior["missing"]) if "missing" in prior else (None, None)
        # By coordinate: the values seen; whether an empty cell, and another cell, became the value EMPTY.
        self.seen: list[dict[str, None]] = [{} for _ in draft.names]
        self.became_empty, self.is_same = [False] * len(draft.names), [False] * len(draft.names)

    def columns(self, header: Sequence[str]) -> tuple[list[int], Optional[int]]:
        stated = within("columns", mapping, self.prior.get("columns", {}), "coordinate to column")
        for name, column in stated.items():
            require(name in self.draft.names, f"there is no coordinate {name[:60]!r}", "columns", name)
            within(("columns", name), text, column, "the name of a column")
        places = [header_place(header, stated.get(name, name)) for name in self.draft.names]
        if "count" not in self.prior:
            return places, None
        return places, within("count", header_place, header, within("count", text, self.prior["count"], "the name of a column"))

    def read(self) -> tuple[Domain, dict[Row, int]]:
        """The domain, and {input: weight}."""
        lines = self.files.csv_rows(self.path, within("separator", read_separator, self.prior.get("separator", ",")))
        _, header = next(lines, (0, None))
        require(header is not None, "the file is empty, expected a header line")
        places, counts = self.columns(header or [])
        rows: Counter[tuple[str, ...]] = Counter()
        dropped = 0
        for line, cells in lines:
            require(len(cells) == len(header or []), f"line {line}: the row has {len(cells)} cells, the header has another number")
            row = tuple(self.cell(cells[place], i, line) for i, place in enumerate(places))
            for own, cell in zip(self.seen, row):
                if cell is not None:
                    own[cell] = None
            count = 1 if counts is None else read_count(cells[counts], line)
            if None in row:
                dropped += 1
            else:
                rows[row] += count  # type: ignore[index]
        require(dropped == 0 or self.missing, f"{dropped} rows have a missing cell; 'missing' says how to treat them")
        for name, a, b in zip(self.draft.names, self.became_empty, self.is_same):
            require(not (a and b), f"an empty cell of {name[:60]!r} is the value '{EMPTY}', and so is a cell that is not missing")
        require(rows or not dropped, "every row has a missing cell, and is dropped", "missing")
        domain = Domain(self.draft.names, list(map(self.values, range(len(self.seen)))), self.draft.public)
        return domain, {tuple(own.index(cell) for own, cell in zip(domain.values, row)): weight for row, weight in rows.items()}

    def values(self, i: int) -> Values:
        own, found, name = self.draft.values[i], self.seen[i], self.draft.names[i]
        if own is not None:
            return own
        require(found, f"the column of {name[:60]!r} holds no value")
        require(len(found) <= MOST_INPUTS, f"the column of {name[:60]!r} holds too many values")
        return Values(sorted(found, key=order))

    def cell(self, cell: str, i: int, line: int) -> Optional[str]:
        """Its value; None if its row is dropped."""
        declared = self.draft.values[i]
        is_declared = declared is not None and cell in declared
        if is_declared or (cell and cell not in self.marked):
            self.is_same[i] = self.is_same[i] or (self.missing == "value" and cell == EMPTY)
            require(is_declared or declared is None, f"line {line}: {cell[:60]!r} is not a value of coordinate {self.draft.names[i][:60]!r}")
            return cell
        if self.missing in (None, "drop"):
            return None
        self.became_empty[i] = self.became_empty[i] or (self.missing == "value" and not cell)
        value = self.filling if self.missing == "as" else cell or EMPTY
        require(declared is None or value in declared, f"line {line}: a missing cell, and {str(value)[:60]!r} is not a value of its coordinate")
        return value


def read_count(cell: str, line: int) -> int:
    require(cell.isascii() and cell.isdigit() and len(cell) <= MOST_DIGITS, f"line {line}: found {cell[:60]!r}, expected a count")
    return int(cell)
