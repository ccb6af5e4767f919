"""Matrices of fractions, as lists of rows."""
from fractions import Fraction


def inverse(matrix):
    """The inverse; None if there is none."""
    size = len(matrix)
    lines = [list(line) + [Fraction(int(a == b)) for b in range(size)] for a, line in enumerate(matrix)]
    for a in range(size):
        pivot = next((b for b in range(a, size) if lines[b][a] != 0), None)
        if pivot is None:
            return None
        lines[a], lines[pivot] = lines[pivot], lines[a]
        lines[a] = [v / lines[a][a] for v in lines[a]]
        for b in range(size):
            if b != a and lines[b][a] != 0:
                lines[b] = [v - lines[b][a] * w for v, w in zip(lines[b], lines[a])]
    return [line[size:] for line in lines]
