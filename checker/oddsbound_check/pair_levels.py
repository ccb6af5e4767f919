"""Levels of pairs of inputs (docs/spec-format.md, context_ldp): a matrix, also of some coordinates, a level per unit of a
distance, the smaller of two inputs' levels, or a table.

Levels are represented by their exponentials. That of c * sqrt(n) is no number of this checker: Scaled compares it with
numbers, by enclosures of logarithms."""
from __future__ import annotations

import re
from decimal import Context, Decimal
from fractions import Fraction
from itertools import product
from typing import Any, Callable, Iterator, Optional

from . import expression
from .domain import Domain, Row
from .exact import INFINITE, Exact, Ordered
from .expression import Value, monomial
from .numbers import Level, Numbers, is_below, to_power
from .reading import Files, Refused, array, every, fields, mapping, one_of, require, text, within
from .report import NotProved, require_feasible
from .sums import wide_context
from .surds import Surd, rational_root

METRICS = ("absolute", "hamming", "l1", "l2", "linf")
MOST_NUMBERS = 1_000_000  # values that a metric reads
MOST_DIGITS = 3011  # 10,000 binary digits
Spread = tuple[Decimal, Decimal]  # a decimal, and a bound on its error


def logarithm(value: Any, digits: int) -> Spread:
    """The logarithm of a positive number. Decimal.ln is rounded correctly, to a relative error below 10^(1 - digits)."""
    context = wide_context(digits)
    found = monomial(value)
    if found is not None:
        (c, r), total, size = found, Decimal(0), Decimal(1)
        for part, sign in ((c.numerator, 1), (c.denominator, -1)):
            term = context.ln(Decimal(part))
            total = context.add(total, term if sign > 0 else context.minus(term))
            size = context.add(size, context.abs(term))
        term = context.divide(Decimal(r.numerator), Decimal(r.denominator))
        total, size = context.add(total, term), context.add(size, context.abs(term))
        return total, context.scaleb(size, 3 - digits)
    total, error = Decimal(0), Decimal(0)
    exact = Exact.of(value)
    for part, power in [(exact.top, 1), *((part, -power) for part, power in exact.bottom.items())]:
        number, off = part.evaluate(digits)
        size = context.abs(number)
        if context.multiply(off, Decimal(2)) >= size:
            raise NotProved("a number is too close to 0 for its logarithm")
        term = context.ln(size)  # off by at most 2 off / size
        own = context.add(context.scaleb(context.add(context.abs(term), Decimal(1)), 2 - digits), context.divide(context.multiply(off, Decimal(2)), size))
        total = context.add(total, context.multiply(term, Decimal(power)))
        error = context.add(error, context.multiply(own, Decimal(abs(power))))
    return total, context.add(error, context.scaleb(context.add(context.abs(total), Decimal(1)), 3 - digits))


def root_of(square: Fraction, digits: int) -> Spread:
    context = wide_context(digits)
    root = context.sqrt(context.divide(Decimal(square.numerator), Decimal(square.denominator)))
    return root, context.scaleb(root, 2 - digits)


def multiplied(a: Spread, b: Spread, context: Context) -> Spread:
    value = context.multiply(a[0], b[0])
    error = context.add(context.add(context.multiply(context.abs(a[0]), b[1]), context.multiply(context.abs(b[0]), a[1])), context.multiply(a[1], b[1]))
    return value, context.add(context.multiply(error, Decimal("1.001")), context.scaleb(context.abs(value), 2 - context.prec))


class Scaled(Ordered):
    """factor * unit^sqrt(square), for unit > 1 and a power that cannot be written as a number."""
    radicand = None  # compared like numbers with a root (exact.is_surd)

    def __init__(self, unit: Any, square: Fraction, factor: Any = Fraction(1)):
        self.unit, self.square, self.factor = unit, square, factor

    def __mul__(self, other: Any) -> Any:
        return Fraction(0) if other == 0 else Scaled(self.unit, self.square, self.factor * other)

    __rmul__ = __mul__

    def compare(self, other: Any) -> int:
        """The sign of self - other, for other >= 0."""
        if other is INFINITE:
            return -1
        if isinstance(other, Scaled):
            require_feasible(self.square == other.square and self.unit == other.unit, "levels with different square roots")
            return (self.factor > other.factor) - (self.factor < other.factor)
        if isinstance(other, Surd):
            number = other.number()
            require_feasible(number is not None, "a square root beside another one")
            other = number
        if other <= 0:
            return 1
        ratio = other / self.factor
        root = rational_root(self.square)
        if root is not None:
            left, right = Exact.of(self.unit) ** root.numerator, Exact.of(ratio) ** root.denominator
            return (left > right) - (left < right)
        digits = 40
        while True:
            context = wide_context(digits)
            value, error = logarithm(ratio, digits)
            level, off = multiplied(logarithm(self.unit, digits), root_of(self.square, digits), context)
            difference, most = context.subtract(level, value), context.multiply(context.add(error, off), Decimal("1.001"))
            most = context.add(most, context.scaleb(context.add(context.abs(level), context.abs(value)), 2 - digits))
            if context.abs(difference) > most:
                return 1 if difference > 0 else -1
            if digits == MOST_DIGITS:
                raise NotProved("a loss and its level agree to 10,000 binary digits, and are not known to be equal")
            digits = min(4 * digits, MOST_DIGITS)

    def __eq__(self, other: object) -> bool:
        return self is other or (other is not INFINITE and isinstance(other, (int, Fraction, Exact, Surd, Scaled)) and self.compare(other) == 0)

    def __hash__(self) -> int:
        return hash((self.square, str(self.unit)))


def scaled(unit: Any, square: Fraction) -> Level:
    """exp of log(unit) * sqrt(square), a number if it can be written as one."""
    if square == 0 or (unit is not INFINITE and unit == 1):
        return Fraction(1)
    if unit is INFINITE:
        return INFINITE
    root = rational_root(square)
    if root is not None:
        try:
            return to_power(unit, root)
        except Refused:
            pass
    return Scaled(unit, square)


class PairLevels:
    """level(x, z): of two different inputs. steps: pairs whose levels imply all others. is_function: claimed is the
    function, not each level: `tight` means that some pair attains its level. is_zero: no smaller levels can be stated."""

    def __init__(self, level: Callable[[Row, Row], Level], is_function: bool = False, is_zero: bool = False,
                 steps: Optional[Callable[[], Iterator[tuple[Row, Row]]]] = None, along: Optional[list[int]] = None):
        self.level, self.is_function, self.is_zero, self.steps = level, is_function, is_zero, steps
        self.along = along  # coordinates whose single changes imply all others


class Reader:
    def __init__(self, numbers: Numbers, domain: Domain, files: Optional[Files]):
        self.numbers, self.domain, self.files = numbers, domain, files

    def read(self, value: Any) -> PairLevels:
        if not isinstance(value, dict):
            return self.of_matrix(value)
        fields(value, "levels of pairs of inputs", (), ("metric", "of", "epsilon", "matrix", "min_of", "file"))
        forms = [form for form in ("metric", "matrix", "min_of", "file") if form in value]
        require(len(forms) == 1, "expected one of 'metric', 'matrix', 'min_of' and 'file'")
        if forms == ["metric"]:
            return self.by_distance(value)
        if forms == ["matrix"]:
            require(set(value) == {"matrix", "of"}, "a matrix in an object has 'of', and no 'epsilon'")
            return self.of_coordinates(value["matrix"], within("of", self.domain.coordinates, value["of"]))
        require(len(value) == 1, "'of' and 'epsilon' belong to a metric")
        return within("min_of", self.least_of, value["min_of"]) if forms == ["min_of"] else within("file", self.of_table, value["file"])

    def level(self, value: Any) -> Level:
        """exp of a level, which may be c * sqrt(n)."""
        require(isinstance(value, str), "expected a number or a string with an expression")
        found = self.numbers.once("a root", value, square_root)
        return scaled(Exact.exp(1), found) if found is not None else self.numbers.level(value)

    def plain(self, value: Any) -> Level:
        level = self.level(value)
        require(not isinstance(level, Scaled), f"found the level {value[:60]}, expected one without a square root")
        return level

    def of_matrix(self, value: Any) -> PairLevels:
        inputs = self.domain.listed()
        require(len(array(value, "rows of levels")) == inputs, f"found {len(value)} rows, expected one for each of the {inputs} inputs")
        return self.of_levels([within(k, self.row, row, inputs) for k, row in enumerate(value)])

    def row(self, row: Any, inputs: int) -> list[Level]:
        require(len(array(row, "levels")) == inputs, f"found {len(row)} levels, expected one for each of the {inputs} inputs")
        found: list[Level] = every(row, self.level)
        return found

    def of_coordinates(self, value: Any, of: list[int]) -> PairLevels:
        """Levels between the values of some coordinates, the last of these fastest."""
        self.domain.listed()
        size = 1
        for i in of:
            size *= self.domain.sizes[i]
        require(len(array(value, "rows of levels")) == size, f"found {len(value)} rows, expected one for each combination of values", "matrix")
        levels = [within(k, self.row, row, size) for k, row in enumerate(value)]

        def place(x: Row) -> int:
            found = 0
            for i in of:
                found = found * self.domain.sizes[i] + x[i]
            return found

        def level(x: Row, z: Row) -> Level:
            if any(a != b for i, (a, b) in enumerate(zip(x, z)) if i not in of):
                return INFINITE
            return levels[place(x)][place(z)]
        return PairLevels(level)

    def of_levels(self, levels: list[list[Level]]) -> PairLevels:
        return PairLevels(lambda x, z: levels[self.domain.line(x)][self.domain.line(z)])

    def by_distance(self, value: dict[str, Any]) -> PairLevels:
        require("epsilon" in value, "a metric needs 'epsilon'")
        metric, of, square = read_distance(self.domain, value)
        unit = within("epsilon", self.plain, value["epsilon"])
        require(unit is not INFINITE, "an infinite level per unit", "epsilon")
        known = dict[Any, Level]()

        def level(x: Row, z: Row) -> Level:
            if any(a != b for i, (a, b) in enumerate(zip(x, z)) if i not in of):
                return INFINITE
            distance = square(x, z)
            if distance not in known:
                known[distance] = scaled(unit, distance)
            return known[distance]
        along = of if metric == "hamming" else None
        is_line = metric in ("absolute", "l1") or (metric != "hamming" and len(of) == 1)
        return PairLevels(level, True, unit == 1, (lambda: steps(self.domain, of)) if is_line else None, along)

    def least_of(self, value: Any) -> PairLevels:
        inputs = self.domain.listed()
        if isinstance(value, dict):
            require(len(self.domain.names) == 1, "levels by value are for domains of one coordinate")
            own = {within(name, self.domain.value, name, 0): within(name, self.plain, level) for name, level in mapping(value, "value to level").items()}
            require(len(own) == inputs, "a value has no level")
            levels = [own[x] for x in range(inputs)]
        else:
            levels = every(array(value, "levels, one for each input"), self.plain)
            require(len(levels) == inputs, f"found {len(levels)} levels, expected one for each of the {inputs} inputs")

        def level(x: Row, z: Row) -> Level:
            a, b = levels[self.domain.line(x)], levels[self.domain.line(z)]
            return b if a is INFINITE else a if b is INFINITE else a if is_below(a, b) else b
        return PairLevels(level, True, all(own is not INFINITE and own == 1 for own in levels))

    def of_table(self, name: Any) -> PairLevels:
        require(self.files is not None, "a table of levels is read with a spec")
        assert self.files is not None
        inputs, labels = self.domain.listed(), {label: x for x, label in enumerate(self.domain.labels())}
        rows = list(self.files.expected_rows(self.files.path_of(name), lambda row: any(cell in labels for cell in row[1:])))
        require(rows, "the file is empty")

        def numbered(cells: list[str]) -> list[int]:
            require(all(cell in labels for cell in cells), "a cell of the header or of the first column is not an input")
            found = [labels[cell] for cell in cells]
            require(sorted(found) == list(range(inputs)), "an input is missing or there twice")
            return found
        columns, own = numbered(rows[0][1][1:]), numbered([row[0] for _, row in rows[1:]])
        levels: list[list[Level]] = [[INFINITE] * inputs for _ in range(inputs)]
        for x, (line, row) in zip(own, rows[1:]):
            require(len(row) == inputs + 1, f"line {line} has another length than the header")
            for z, cell in zip(columns, row[1:]):
                levels[x][z] = within(f"line {line}", self.level, cell)
        return self.of_levels(levels)


def square_root(value: str, names: Any) -> Optional[Fraction]:
    """The square of a level c * sqrt(n); None if it is another one."""
    found: Value = expression.parse(value, names)
    if not found.is_plain() or not isinstance(found.plain, Surd) or found.plain.number() is not None:
        return None
    square = (found.plain * found.plain).number()
    rational = None if square is None else square.rational()
    require(rational is not None, "a level must be a rational number, a log(...), a sum of these, or c * sqrt(n)")
    require(found.plain.sign() >= 0, f"the level {value[:60]} is negative")
    return rational


def read_distance(domain: Domain, value: dict[str, Any]) -> tuple[str, list[int], Callable[[Row, Row], Fraction]]:
    """The metric, its coordinates, and the square of the distance of inputs that differ only in these."""
    metric = one_of(value, "metric", METRICS)
    require(metric is not None, "a distance needs a 'metric'")
    of = within("of", domain.coordinates, value["of"]) if "of" in value else list(range(len(domain.names)))
    require(metric != "absolute" or len(of) == 1, "'absolute' is the distance of one coordinate")
    require(metric == "hamming" or all(domain.sizes[i] <= MOST_NUMBERS for i in of), f"a metric of more than {MOST_NUMBERS} values")
    numbers = {i: [value_as_number(own) for own in domain.values[i]] for i in of} if metric != "hamming" else {}

    def square(x: Row, z: Row) -> Fraction:
        if metric == "hamming":
            return Fraction(sum(x[i] != z[i] for i in of) ** 2)
        gaps = [abs(numbers[i][x[i]] - numbers[i][z[i]]) for i in of]
        return sum((gap**2 for gap in gaps), Fraction(0)) if metric == "l2" else (max(gaps) if metric == "linf" else sum(gaps, Fraction(0))) ** 2
    return str(metric), of, square


def value_as_number(value: str) -> Fraction:
    require(len(value) <= 100 and re.fullmatch(r"-?[0-9]+(\.[0-9]+|/0*[1-9][0-9]*)?", value), f"the value {value[:60]!r} is no number")
    return Fraction(value)


def steps(domain: Domain, of: list[int]) -> Iterator[tuple[Row, Row]]:
    """Pairs that differ in one coordinate, by values with no number between theirs. A distance that sums the gaps of
    coordinates is a sum of such steps, and so is any bound on losses in proportion to it."""
    for i in of:
        order = sorted(range(domain.sizes[i]), key=lambda v: value_as_number(domain.values[i][v]))
        for x in product(*(range(size) if k != i else (0,) for k, size in enumerate(domain.sizes))):
            for a, b in zip(order, order[1:]):
                first, second = (x[:i] + (v,) + x[i + 1:] for v in (a, b))
                yield first, second
                yield second, first
