"""Whether a mechanism is a post-processing of another: a stochastic matrix that makes the one of the other shows it; a
gain function that the one serves better than the other refutes it (duality)."""
from ..certificate import exact_number, items
from ..outputs import MOST_CELLS, require_enumerable
from ..report import require, require_feasible


def matrix(value, rows, columns):
    require(len(items(value, "a matrix", list)) == rows and all(len(row) == columns for row in value), "a matrix of another size")
    return [[exact_number(cell, "a cell") for cell in row] for row in value]


def rows_of_both(spec, claim):
    require(claim.notion == "post_processing_of", "a proof about another notion")
    require_enumerable(spec)
    other = claim.of
    require_feasible(other.inputs * other.outputs <= MOST_CELLS, "the other mechanism has too many inputs and outputs to go through")
    return spec.rows, other.rows


def by_kernel(spec, claim, value):
    own, other = rows_of_both(spec, claim)
    kernel = matrix(value, len(other[0]), len(own[0]))
    require(all(min(row) >= 0 and sum(row) == 1 for row in kernel), "rows of the kernel that are no distributions")
    for row, given in zip(own, other):
        require([sum(p * k for p, k in zip(given, column)) for column in zip(*kernel)] == list(row), "the kernel makes other rows")
    return "by a kernel"


def by_gain(spec, claim, value):
    own, other = rows_of_both(spec, claim)
    gain = matrix(value, len(own), len(own[0]))
    worth = sum(g * p for gains, row in zip(gain, own) for g, p in zip(gains, row))
    best = sum(max(sum(g * p for g, p in zip(gains, column)) for gains in zip(*gain)) for column in zip(*other))
    require(worth > best, "the other mechanism is worth as much")
    return "by a gain function"
