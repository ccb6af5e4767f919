"""Claims with a level for every pair of inputs, from their definition: every pair, every output. Levels are (exp of the
unit, square), for log(unit) * sqrt(square), or INFINITE."""
import csv
import itertools
import re
from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt

from oddsbound_check.exact import INFINITE, quick

DIGITS = 34  # of quick()


def is_function(epsilon):
    return isinstance(epsilon, dict) and "file" not in epsilon and "matrix" not in epsilon


def stated(s, text):
    """A level as the tests write it: c*sqrt(n), or without a root."""
    square = square_of(str(text))
    if square is not None:
        return s.level("1"), square
    level = s.level(str(text))
    return INFINITE if level is INFINITE else (level, Fraction(1))


def table(s, name):
    labels = [x[0] if len(x) == 1 else "(" + ",".join(x) + ")" for x in s.inputs]
    for separator in ",;\t":
        with open(s.beside(name), encoding="utf-8", newline="") as file:
            header, *rows = [row for row in csv.reader(file, delimiter=separator) if row]
        if sorted(header[1:]) == sorted(labels):
            by_label = {row[0]: dict(zip(header[1:], row[1:])) for row in rows}
            return [[by_label[a][b] for b in labels] for a in labels]
    raise AssertionError(f"{name} is no table of levels")


def matrix_of(s, epsilon):
    """The matrix of some coordinates as one of all inputs: inf if two inputs differ elsewhere."""
    names = [name for name, _ in s.domain]
    tuples = list(itertools.product(*(dict(s.domain)[name] for name in epsilon["of"])))

    def cell(x, z):
        if any(u != v for name, u, v in zip(names, x, z) if name not in epsilon["of"]):
            return "inf"
        a, b = (tuples.index(tuple(one[names.index(name)] for name in epsilon["of"])) for one in (x, z))
        return epsilon["matrix"][a][b]
    return [[cell(x, z) for z in s.inputs] for x in s.inputs]


def evaluated(s, epsilon, text_of):
    """The claimed levels as numbers. A table becomes a matrix."""
    if isinstance(epsilon, dict) and "file" in epsilon:
        epsilon = table(s, epsilon["file"])
    if isinstance(epsilon, dict) and "matrix" in epsilon:
        epsilon = matrix_of(s, epsilon)
    if isinstance(epsilon, list):
        return [[text if "sqrt" in str(text) else text_of(s.level(str(text))) for text in row] for row in epsilon]
    if "min_of" in epsilon:
        levels = epsilon["min_of"]
        return {"min_of": [text_of(s.level(str(text))) for text in ([levels[x[0]] for x in s.inputs] if isinstance(levels, dict) else levels)]}
    return {**epsilon, "epsilon": text_of(s.level(str(epsilon["epsilon"])))}


def level_of(s, epsilon):
    """A function of two numbers of inputs."""
    if isinstance(epsilon, list):
        return lambda a, b: stated(s, epsilon[a][b])
    if "file" in epsilon or "matrix" in epsilon:
        cells = table(s, epsilon["file"]) if "file" in epsilon else matrix_of(s, epsilon)
        return lambda a, b: stated(s, cells[a][b])
    if "min_of" in epsilon:
        levels = epsilon["min_of"]
        if isinstance(levels, dict):
            levels = [levels[x[0]] for x in s.inputs]
        own = [s.level(str(text)) for text in levels]
        return lambda a, b: smaller(own[a], own[b])
    names = [name for name, _ in s.domain]
    of = epsilon.get("of", names)
    unit = s.level(str(epsilon["epsilon"]))

    def by_distance(a, b):
        x, z = s.inputs[a], s.inputs[b]
        if any(u != v for name, u, v in zip(names, x, z) if name not in of):
            return INFINITE
        both = [(u, v) for name, u, v in zip(names, x, z) if name in of]
        if epsilon["metric"] == "hamming":
            return unit, Fraction(sum(u != v for u, v in both)) ** 2
        gaps = [abs(Fraction(u) - Fraction(v)) for u, v in both]
        return unit, {"l2": lambda: sum(gap * gap for gap in gaps), "linf": lambda: max(gaps) ** 2}.get(epsilon["metric"], lambda: sum(gaps) ** 2)()
    return by_distance


def smaller(a, b):
    own = b if a is INFINITE else a if b is INFINITE or a <= b else b
    return INFINITE if own is INFINITE else (own, Fraction(1))


def order(p, q, level):
    """The sign of log(p / q) - level, for p > 0."""
    if level is INFINITE:
        return 0 if q == 0 else -1
    if q == 0:
        return 1
    unit, square = level
    top, bottom = isqrt(square.numerator), isqrt(square.denominator)
    if top * top == square.numerator and bottom * bottom == square.denominator:
        left, right = p ** bottom, q ** bottom * unit ** top
        return (left > right) - (left < right)
    if unit == 1:
        return (p > q) - (p < q)
    with localcontext() as context:
        context.prec = 60
        difference = (quick(p) / quick(q)).ln() - quick(unit).ln() * (Decimal(square.numerator) / Decimal(square.denominator)).sqrt()
        assert abs(difference) > Decimal(10) ** (6 - DIGITS), "a loss and its level are too close for this reference"
    return 1 if difference > 0 else -1


def excesses(s, epsilon):
    """{(a, b): the largest sign over outputs} of the pairs of different inputs, and their levels."""
    level, found = level_of(s, epsilon), {}
    for a, b in s.all_pairs():
        if a != b:
            own = level(a, b)
            found[a, b] = max(order(p, q, own) for p, q in zip(s.rows[a], s.rows[b]) if p != 0), own
    return found


def holds(s, claim):
    return all(sign <= 0 for (sign, level) in excesses(s, claim["epsilon"]).values() if level is not INFINITE)


def is_zero(level):
    return level is not INFINITE and (level[0] == 1 or level[1] == 0)


def is_least(s, claim):
    """True if no smaller levels hold, for a claim that holds."""
    epsilon, found = claim["epsilon"], excesses(s, claim["epsilon"])
    if not is_function(epsilon):
        return all(sign == 0 for sign, level in found.values() if level is not INFINITE)
    if "metric" in epsilon:
        zero = s.level(str(epsilon["epsilon"])) == 1
    else:
        levels = epsilon["min_of"].values() if isinstance(epsilon["min_of"], dict) else epsilon["min_of"]
        zero = all(s.level(str(text)) == 1 for text in levels)
    return zero or any(sign == 0 for sign, level in found.values() if level is not INFINITE and not is_zero(level))


CLOSE = Decimal("1e-25")


def nats(level):
    with localcontext() as context:
        context.prec = 60
        return quick(level[0]).ln() * (Decimal(level[1].numerator) / Decimal(level[1].denominator)).sqrt()


def excess_of(loss, level):
    """loss: its exponential."""
    return Decimal("Infinity") if loss is INFINITE else nats((loss, Fraction(1))) - nats(level)


def largest_excess(s, found):
    return max(excess_of(s.worst([pair]), level) for pair, (_, level) in found.items() if level is not INFINITE)


def is_written(s, text, level):
    """True if a result writes this level: "sqrt(5)", "sqrt(5) * log(2)", or a level."""
    root, _, unit = text.rpartition(" * ")
    if root:
        found = s.level(unit.removeprefix("(").removesuffix(")") if unit.startswith("(") else unit), square_of(root)
    else:
        found = stated(s, text)
    return abs(nats(found) - nats(level)) < CLOSE


def square_of(text):
    """The square of c*sqrt(n), or of a quotient with it; None for any other text."""
    found = re.fullmatch(r"(?:([0-9/]+)\*)?sqrt\(([0-9/]+)\)(?:/([0-9]+))?", text)
    return found and (Fraction(found[1] or 1) / Fraction(found[3] or 1)) ** 2 * Fraction(found[2])
