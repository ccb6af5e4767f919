"""Decides whether some x >= 0 has given sums: rows of (places, sum) state that the entries of x at these places sum to
`sum`. Phase one of the simplex method over exact numbers, with Bland's rule, so no basis repeats."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

MOST_PIVOTS = 100_000


def has_point(rows: Any) -> bool:
    """Raises ValueError if the search takes too long."""
    places = sorted({column for columns, _ in rows for column in columns})
    rows = [({column: Fraction(1) for column in columns}, total) for columns, total in rows]
    if any(total < 0 for _, total in rows):
        return False
    # One slack per row; their sum is minimized to 0.
    basis: list[Any] = [None] * len(rows)
    for _ in range(MOST_PIVOTS):
        gains: dict[int, Any] = {}
        for (row, _), column in zip(rows, basis):
            if column is None:
                for j, c in row.items():
                    gains[j] = gains.get(j, Fraction(0)) + c
        entering = next((j for j in places if gains.get(j, 0) > 0 and j not in basis), None)
        if entering is None:
            return all(total == 0 for (_, total), column in zip(rows, basis) if column is None)
        leaving: Any = None
        for k, (row, total) in enumerate(rows):
            if row.get(entering, 0) > 0:
                ratio = total / row[entering]
                order = k - len(rows) if basis[k] is None else basis[k]
                if leaving is None or ratio < leaving[0] or (ratio == leaving[0] and order < leaving[1]):
                    leaving = ratio, order, k
        pivot(rows, leaving[2], entering)
        basis[leaving[2]] = entering
    raise ValueError("too many steps of the simplex method")


def pivot(rows: list[Any], k: int, entering: int) -> None:
    row, total = rows[k]
    factor = row[entering]
    row = {j: c / factor for j, c in row.items()}
    rows[k] = row, total / factor
    for i, (other, own) in enumerate(rows):
        c = other.get(entering, 0)
        if i == k or c == 0:
            continue
        for j, value in row.items():
            new = other.get(j, Fraction(0)) - c * value
            if new:
                other[j] = new
            else:
                other.pop(j, None)
        rows[i] = other, own - c * rows[k][1]
