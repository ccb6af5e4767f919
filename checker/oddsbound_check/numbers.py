"""Numbers and levels of a spec, exact: parameters, symbols, probabilities, and rows that sum to 1. Levels are
represented by their exponentials."""
from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from typing import Any, Callable, Iterable, Optional, Union

from . import expression
from .domain import Domain
from .exact import INFINITE, Exact
from .expression import BadExpression, Value, has_symbols
from .functions import Ring
from .polynomials import Range
from .reading import Refused, array, every, fields, mapping, require, within
from .surds import Surd

MOST_SYMBOLS = 16
MOST_STEPS = 200
MOST_POWER = 10_000
MOST_OF_RATIO = 1 << 20
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")

Number = Union[Fraction, Exact]
Level = Any  # a Number, a Surd or INFINITE


def named(name: str, what: str) -> None:
    require(NAME.fullmatch(name) is not None, f"{name[:60]!r} cannot be the name of a {what}")
    require(name not in expression.WORDS, f"{name!r} is a word of the grammar")


def read_range(value: Any) -> Range:
    fields(value, "the range of a symbol", (), ("gt", "ge", "lt", "le"))
    ends: list[Optional[Fraction]] = []
    for open_, closed in (("gt", "ge"), ("lt", "le")):
        require(open_ not in value or closed not in value, f"a symbol has either '{open_}' or '{closed}'")
        key = open_ if open_ in value else closed
        ends.append(within(key, Numbers().rational, value[key]) if key in value else None)
    low, high = ends
    require(low is None or high is None or low < high, "the range holds no more than one value")
    return Range(low, high, "ge" in value, "le" in value)


def read_symbols(symbols: Any) -> dict[str, Range]:
    for name in mapping(symbols, "symbol to range"):
        within(name, named, name, "symbol")
    require(0 < len(symbols) <= MOST_SYMBOLS, f"a spec has between one symbol and {MOST_SYMBOLS}")
    found: dict[str, Range] = every(symbols, read_range)
    return found


class Named:
    """Parameters and symbols, evaluated on demand."""

    def __init__(self, texts: dict[str, Any], known: dict[str, Value]):
        self.texts, self.known, self.open = texts, known, list[str]()

    def __contains__(self, name: str) -> bool:
        return name in self.known or name in self.texts

    def __getitem__(self, name: str) -> Value:
        if name not in self.known:
            require(name not in self.open, "parameters refer to one another in a cycle", "parameters", name)
            require(len(self.open) < MOST_STEPS, f"parameters refer to one another through more than {MOST_STEPS} steps", "parameters", name)
            self.open.append(name)
            self.known[name] = within(("parameters", name), computed, expression.parse, self.texts[name], self)
            self.open.pop()
        return self.known[name]


def computed(compute: Callable[[str, Any], Any], value: Any, names: Any) -> Any:
    require(isinstance(value, str), "expected a number or a string with an expression")
    try:
        return compute(str(value), names)
    except Refused:
        raise
    except (ArithmeticError, ValueError) as error:
        raise Refused(f"{value[:60]!r}: {error}") from error


class Given:
    """A level that is computed, in the place of one that is written."""

    def __init__(self, level: Level):
        self.level = level


class Numbers:
    """Reads numbers; equal texts give one object. ring: of the symbols without a fixed value; None if there are none."""

    def __init__(self, parameters: Any = None, symbols: Any = None, values: Optional[dict[str, str]] = None, needs_all: bool = True):
        """parameters, symbols: as the spec writes them. values: of some symbols, as texts. needs_all: parameters that are
        not used must be numbers, too."""
        texts = within("parameters", mapping, {} if parameters is None else parameters, "an object of named numbers")
        self.ranges = within("symbols", read_symbols, symbols) if symbols is not None else {}
        self.fixed = {name: text for name, text in (values or {}).items() if name in self.ranges}
        for name, value in self.fixed.items():
            require(self.ranges[name].contains(Numbers().rational(value)), f"the value {value[:60]} of {name} is out of range")
        free = {name: own for name, own in self.ranges.items() if name not in self.fixed}
        self.ring = Ring(free) if free else None
        known = {name: expression.parse(text) for name, text in self.fixed.items()}
        known.update((name, Value(self.ring.symbol(k))) for k, name in enumerate(free) if self.ring)
        for name in texts:
            within(("parameters", name), named, name, "parameter")
            require(name not in known, f"{name!r} is the name of a symbol already", "parameters", name)
        self.names, self.known = Named(texts, known), dict[Any, Any]()
        for name in texts if needs_all else ():
            self.names[name]

    def once(self, kind: str, value: Any, compute: Callable[[str, Any], Any]) -> Any:
        require(isinstance(value, str), "expected a number or a string with an expression")
        key = kind, value
        if key not in self.known:
            self.known[key] = computed(compute, value, self.names)
        return self.known[key]

    def number(self, value: Any) -> Any:
        return self.once("number", value, expression.number)

    def rational(self, value: Any) -> Fraction:
        number = self.number(value)
        require(isinstance(number, Fraction), f"found {value[:60]}, expected a rational number")
        return Fraction(number)

    def mass(self, value: Any) -> Any:
        """A nonnegative number."""
        number = self.number(value)
        require(self.once("mass", value, lambda *_: never_negative(number)),
                f"{value[:60]!r} is negative, or is for some values of symbols, or is not shown not to be")
        return number

    def probability(self, value: Any) -> Any:
        number = self.mass(value)
        require(never_negative(1 - number), f"found {value[:60]}, expected a number from 0 to 1")
        return number

    def count(self, value: Any) -> Fraction:
        number = self.number(value)
        require(isinstance(number, Fraction) and number.denominator == 1 and number >= 0, f"found {value[:60]}, expected a count")
        return Fraction(number)

    def positive(self, value: Any) -> Fraction:
        number = self.rational(value)
        require(number > 0, f"found {value[:60]}, expected a positive rational number")
        return number

    def positive_ratio(self, value: Any) -> Fraction:
        number = self.number(value)
        require(isinstance(number, Fraction) and 0 < number.numerator <= MOST_OF_RATIO and number.denominator <= MOST_OF_RATIO,
                f"found {value[:60]}, expected a positive fraction of integers up to {MOST_OF_RATIO}")
        return Fraction(number)

    def level(self, value: Any, roots: bool = False) -> Level:
        """exp of the level, or INFINITE."""
        if isinstance(value, Given):
            return value.level
        level = self.once("level", value, expression.level)
        if isinstance(level, Surd):
            require(roots, f"found the level {value[:60]}, expected one without a square root")
        if level is not INFINITE:
            require(self.once("at least 1", value, lambda *_: level >= 1 if isinstance(level, Surd) else never_negative(level - 1)),
                    f"the level {value[:60]} is negative, or is for some values of symbols")
        return level

    def distribution(self, value: Any, count: int, of_what: str) -> list[Any]:
        array(value, "numbers")
        require(len(value) == count, f"found {len(value)} numbers, expected one for each of the {count} {of_what}")
        numbers: list[Any] = every(value, self.mass)
        require_one(numbers)
        return numbers


def read_levels(numbers: Numbers, domain: Domain, value: Any, roots: bool = False) -> dict[int, Level]:
    """A level for each coordinate that is named, or for all."""
    if isinstance(value, dict):
        require(value, "found no coordinate, expected at least one")
        return {within(name, domain.coordinate, name): within(name, numbers.level, own, roots) for name, own in value.items()}
    require(not isinstance(value, list), "found an array, expected a level for all coordinates, or an object of levels by coordinate")
    return dict.fromkeys(range(len(domain.names)), numbers.level(value, roots))


def read_all_levels(numbers: Numbers, domain: Domain, value: Any, roots: bool = False) -> list[Level]:
    """A level for each coordinate, in order."""
    found = read_levels(numbers, domain, value, roots)
    for i, name in enumerate(domain.names):
        require(i in found, f"no level is given for coordinate {name[:60]!r}")
    return [found[i] for i in range(len(domain.names))]


def never_negative(number: Any) -> bool:
    if isinstance(number, Fraction):
        return number >= 0
    return bool(number.is_never_negative() if has_symbols(number) else number.sign() >= 0)


def is_below(a: Any, b: Any) -> bool:
    """True if a < b for all values of symbols; otherwise raises Refused unless a >= b is shown."""
    difference = a - b
    if not has_symbols(difference):
        return bool(difference < 0)
    if difference.is_never_negative():
        return False
    require((-difference).is_never_negative(), "which of two numbers is larger depends on symbols, or is not shown")
    return True


def is_smaller(a: Level, b: Level) -> bool:
    if a is INFINITE or b is INFINITE:
        return a is not INFINITE
    return is_below(a, b)


def total_of(numbers: Iterable[Any]) -> Any:
    """The sum. Cells that are written alike are one object, and most denominators are equal."""
    rationals: Counter[int] = Counter()
    rest: dict[int, tuple[int, Any]] = {}
    for number in numbers:
        if isinstance(number, Fraction):
            rationals[number.denominator] += number.numerator
        else:
            rest[id(number)] = rest.get(id(number), (0, None))[0] + 1, number
    total: Any = sum((Fraction(top, bottom) for bottom, top in rationals.items()), Fraction(0))
    for count, number in rest.values():
        total = number * Fraction(count) + total
    return total


def require_one(numbers: Iterable[Any]) -> None:
    total = total_of(numbers)
    require(total == 1, f"the sum is {str(total)[:60]}, not 1" + (", for all values of symbols" if has_symbols(total) else ""))


def whole_root(n: int, degree: int) -> Optional[int]:
    """The root of a natural number, if it is natural."""
    if n < 2:
        return n
    if degree >= n.bit_length():
        return None
    root = 1 << -(-n.bit_length() // degree)
    while (next_ := ((degree - 1) * root + n // root ** (degree - 1)) // degree) < root:  # Newton, from above
        root = next_
    return root if root ** degree == n else None


def to_power(number: Any, power: Fraction) -> Any:
    """number^power for a positive number, if it can be written exactly."""
    found = expression.monomial(number)
    why = f"the power {power} of a level cannot be written exactly"
    require(abs(power.numerator) <= MOST_POWER and power.denominator <= MOST_POWER, why)
    try:
        if power.denominator == 1:
            return expression.simplest(expression.powered(number, power.numerator))
        require(found is not None and found[0] > 0, why)
        top, bottom = (whole_root(part, power.denominator) for part in (found[0].numerator, found[0].denominator))
        require(top is not None and bottom is not None, why)
        return expression.simplest(expression.powered(Fraction(top or 0, bottom or 1), power.numerator) * Exact.exp(found[1] * power))
    except BadExpression as error:
        raise Refused(str(error)) from error
