"""The table of a spec's prior: its rows, the values of coordinates that it gives, and the handling of missing cells."""
import csv
import re
from fractions import Fraction


def order(value):
    """Plain integers first, by size; then other texts, by bytes."""
    plain = re.fullmatch(r"0|-?[1-9][0-9]*", value)
    return (0, int(value), b"") if plain else (1, 0, value.encode())


class Table:
    def __init__(self, prior, domain, path, shown):
        """domain: as the spec writes it; path: of the table; shown: its name in results."""
        missing, marked = prior.get("missing"), {"", *prior.get("missing_cells", [])}
        names = [c["name"] for c in domain]
        columns = [prior.get("columns", {}).get(name, name) for name in names]
        declared = [None if c.get("values") == "from prior" else c.get("values") or [str(v) for v in range(int(c["size"]))]
                    for c in domain]
        self.rows, seen, cells, total, dropped, lost, lines = [], [set() for _ in names], dict.fromkeys(names, 0), 0, 0, 0, 0
        with open(path, newline="", encoding="utf-8-sig") as file:
            for line in csv.DictReader(file, delimiter=prior.get("separator", ",")):
                row = []
                for i, column in enumerate(columns):
                    cell = line[column]
                    if cell in marked and cell not in (declared[i] or []):
                        cells[names[i]] += 1
                        cell = None if missing == "drop" else (cell or "missing") if missing == "value" else missing["as"]
                    if cell is not None:
                        seen[i].add(cell)
                    row.append(cell)
                count = Fraction(line[prior["count"]]) if "count" in prior else Fraction(1)
                lines, total = lines + 1, total + count
                if None in row:
                    dropped, lost = dropped + 1, lost + count
                else:
                    self.rows.append((tuple(row), count))
        self.domain = [(name, values or sorted(found, key=order)) for name, values, found in zip(names, declared, seen)]
        self.use = {"file": shown, "missing": "as" if isinstance(missing, dict) else missing, "rows": lines, "dropped": dropped,
                    "kept": lines - dropped, "missing_cells": {name: count for name, count in cells.items() if count}}
        if isinstance(missing, dict):
            self.use["as"] = missing["as"]
        if "count" in prior:
            self.use.update(counted=str(total), counted_dropped=str(lost))


def domain_of(spec, beside):
    """[(name, values)]; beside: from a file's name in the spec to its path."""
    if any(c.get("values") == "from prior" for c in spec["domain"]):
        prior = spec["prior"]
        return Table(prior, spec["domain"], beside(prior["file"]), "").domain
    return [(c["name"], c.get("values") or [str(v) for v in range(int(c["size"]))]) for c in spec["domain"]]


def tables_of(prior):
    """The priors of type csv in a prior, in order."""
    if prior.get("type") == "mixture":
        return [table for component in prior["components"] for table in tables_of(component)]
    return [prior] if prior.get("type") == "csv" else []
