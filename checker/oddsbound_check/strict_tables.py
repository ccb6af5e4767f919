"""Priors from a CSV table, as strictly as in the spec format (docs/spec-format.md, prior)."""
from collections import Counter

from .expression import whole
from .strict_reading import MOST_INPUTS, Domain, Names, array, csv_rows, csv_text, every, fields, is_text, published, require, text, within
from .tables import order

EMPTY = "missing"  # the value of an empty cell, with "missing": "value"
MOST_DIGITS = 10_000


class Draft:
    """A domain whose open values (None) are given by the table."""

    def __init__(self, names, values, public):
        self.names, self.values, self.public = names, values, public

    def is_open(self):
        return any(values is None for values in self.values)

    def domain(self):
        return Domain(self.names, self.values, self.public)


class CsvTable:
    def __init__(self, prior, draft, path_of):
        fields(prior, "a prior from CSV", ("type", "file"), ("columns", "count", "missing", "missing_cells", "published"))
        published(prior)
        self.prior, self.draft = prior, draft
        self.path = within("file", path_of, prior["file"])
        self.marked = within("missing_cells", self.cells_marked, prior.get("missing_cells", []))
        self.missing, self.filling = within("missing", self.treatment, prior["missing"]) if "missing" in prior else (None, None)

    @staticmethod
    def cells_marked(value):
        return set(every(array(value, "cells that are missing"), text, "the text of a cell"))

    @staticmethod
    def treatment(value):
        if isinstance(value, dict):
            fields(value, "a value for missing cells", ("as",))
            return "as", text(value["as"], "a value")
        require(is_text(value) and value in ("drop", "value"), 'expected "drop", "value" or {"as": a value}')
        return value, None

    def place_of(self, header, wanted):
        require(wanted in header, f"the file has no column {wanted[:60]!r}")
        require(header.count(wanted) == 1, f"the file has two columns {wanted[:60]!r}")
        return header.index(wanted)

    def columns(self, header):
        stated = self.prior.get("columns", {})
        require(isinstance(stated, dict), "expected an object: coordinate to column", "columns")
        for name, column in stated.items():
            require(name in self.draft.names, f"there is no coordinate {name[:60]!r}", "columns", name)
            within(("columns", name), text, column, "the name of a column")
        self.places = [self.place_of(header, stated.get(name, name)) for name in self.draft.names]
        self.counts = within("count", self.place_of, header, text(self.prior["count"], "the name of a column")) if "count" in self.prior else None

    def read(self):
        """{row of places of values: weight}, and the domain."""
        header, rows, dropped = None, Counter(), 0
        seen = [{} for _ in self.draft.names]
        became_empty, is_same = [False] * len(seen), [False] * len(seen)
        for line, cells in csv_rows(csv_text(self.path)):
            if header is None:
                header = cells
                self.columns(header)
                continue
            require(len(cells) == len(header), f"line {line}: the row has {len(cells)} cells, the header has {len(header)}")
            row = [self.cell(cells[place], i, line, became_empty, is_same) for i, place in enumerate(self.places)]
            for own, cell in zip(seen, row):
                if cell is not None:
                    own[cell] = None
            count = self.count(cells[self.counts], line) if self.counts is not None else 1
            if None in row:
                dropped += 1
            else:
                rows[tuple(row)] += count
        require(header is not None, "the file is empty, expected a header line")
        require(dropped == 0 or self.missing, f"{dropped} rows have a missing cell; 'missing' says what becomes of them")
        for name, a, b in zip(self.draft.names, became_empty, is_same):
            require(not (a and b), f"an empty cell of {name[:60]!r} is the value '{EMPTY}', and so is a cell that is not missing")
        require(rows or not dropped, "every row has a missing cell, and is dropped", "missing")
        domain = self.domain(seen)
        return domain, {tuple(own.index(cell) for own, cell in zip(domain.values, row)): weight for row, weight in rows.items()}

    def domain(self, seen):
        values = []
        for name, own, found in zip(self.draft.names, self.draft.values, seen):
            if own is None:
                require(found, f"the column of {name[:60]!r} holds no value")
                require(len(found) <= MOST_INPUTS, f"the column of {name[:60]!r} holds too many values")
                own = Names(sorted(found, key=order))
            values.append(own)
        return Domain(self.draft.names, values, self.draft.public)

    def cell(self, cell, i, line, became_empty, is_same):
        """Its value; None if its row is dropped."""
        declared = self.draft.values[i]
        if declared is not None and cell in declared:
            is_same[i] = is_same[i] or (self.missing == "value" and cell == EMPTY)
            return cell
        if cell and cell not in self.marked:
            is_same[i] = is_same[i] or (self.missing == "value" and cell == EMPTY)
            require(declared is None, f"line {line}: {cell[:60]!r} is not a value of coordinate {self.draft.names[i][:60]!r}")
            return cell
        if self.missing in (None, "drop"):
            return None
        became_empty[i] = became_empty[i] or (self.missing == "value" and not cell)
        value = self.filling if self.missing == "as" else cell or EMPTY
        require(declared is None or value in declared, f"line {line}: a missing cell, and {value[:60]!r} is not a value of its coordinate")
        return value

    @staticmethod
    def count(cell, line):
        require(cell.isascii() and cell.isdigit() and len(cell) <= MOST_DIGITS, f"line {line}: found {cell[:60]!r}, expected a count")
        return whole(cell)
