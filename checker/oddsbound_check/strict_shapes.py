"""The size of a mechanism, the names of its outputs, and its independent parts."""
import itertools
import math

from .strict_reading import MOST_CELLS, cells, require

MOST_KINDS = 1024  # of reports


class Shape:
    """labels(): the outputs' names, in order. factors: [(shape, coordinates)] of independent parts; empty for other
    mechanisms. is_part: whether it may be part of another mechanism. tuples(): the components of the outputs, in the
    same order; none if they are no tuples."""

    def __init__(self, inputs, outputs, labels, factors=(), is_part=True, tuples=None):
        self.inputs, self.outputs, self.labels, self.factors, self.is_part = inputs, outputs, labels, list(factors), is_part
        self.tuples = tuples

    def made_of(self):
        return self.tuples() if self.tuples else self.labels()


def counts_of(outputs, runs):
    """All counts of each output in `runs` runs, those with most of the first outputs first."""
    if outputs == 1:
        yield (runs,)
        return
    for first in range(runs, -1, -1):
        for rest in counts_of(outputs - 1, runs - first):
            yield (first, *rest)


def counted(kept, report, times):
    """A part of the permanent result, with the counts of its reports."""
    require(report.outputs <= MOST_KINDS, f"found reports of {report.outputs} kinds, expected at most {MOST_KINDS}")
    ways = math.comb(times + report.outputs - 1, times)
    require(ways <= MOST_CELLS, "how often each report comes are too many outputs")
    for part in (kept, report):
        cells(part.inputs, ways)
    cells(1, report.outputs)

    def called():
        own = report.labels()
        return ["{" + ",".join(f"{y}:{n}" for y, n in zip(own, count)) + "}" for count in counts_of(report.outputs, times)]
    return Shape(kept.inputs, ways, called)


def memoized_shape(kept, report, times, domain):
    """By parts, if each part of the report sees one part of the permanent result, and no two the same."""
    seen = report.factors
    if kept.factors and len(kept.factors) == 1 and not seen:
        pairs = [(kept.factors[0], report)]
    elif kept.factors and len(kept.factors) == len(seen) and sorted(list(own) for _, own in seen) == [[k] for k in range(len(seen))]:
        by_place = {own[0]: shape for shape, own in seen}
        pairs = [(factor, by_place[k]) for k, factor in enumerate(kept.factors)]
    else:
        return counted(kept, report, times)
    parts = [(counted(factor, own, times), coordinates) for (factor, coordinates), own in pairs]
    outputs = math.prod(shape.outputs for shape, _ in parts)

    def called():
        joined = (",".join(own) for own in itertools.product(*(shape.labels() for shape, _ in parts)))
        return [f"({own})" for own in joined] if len(parts) > 1 else list(joined)
    return Shape(domain.inputs, outputs, called, parts)
