"""Numbers and levels of a spec, exact: parameters, symbols, probabilities, and rows that sum to 1."""
from collections import Counter
from fractions import Fraction
from math import isqrt

from . import expression
from .exact import INFINITE, Exact
from .expression import BadExpression, Value, has_symbols
from .polynomials import Range
from .strict_reading import NAME, Refused, array, every, fields, mapping, require, within
from .strict_symbols import Ring
from .surds import Surd

MOST_SYMBOLS = 16
MOST_STEPS = 200
MOST_POWER = 10_000
EMPTY = {}


def named(name, what):
    require(NAME.fullmatch(name) is not None, f"{name[:60]!r} cannot be the name of a {what}")
    require(name not in expression.WORDS, f"{name!r} is a word of the grammar")


def written(value):
    """The text of an expression."""
    require(isinstance(value, str), "expected a number or a string with an expression")
    return str(value)


def read_range(value):
    fields(value, "the range of a symbol", (), ("gt", "ge", "lt", "le"))
    ends = []
    for open_, closed in (("gt", "ge"), ("lt", "le")):
        require(open_ not in value or closed not in value, f"a symbol has either '{open_}' or '{closed}'")
        key = open_ if open_ in value else closed
        ends.append(within(key, Numbers().rational, value[key]) if key in value else None)
    low, high = ends
    require(low is None or high is None or low < high, "the range holds no more than one value")
    return Range(low, high, "ge" in value, "le" in value)


def ring_of(symbols):
    mapping(symbols, "symbol to range")
    for name in symbols:
        within(name, named, name, "symbol")
    require(0 < len(symbols) <= MOST_SYMBOLS, f"a spec has between one symbol and {MOST_SYMBOLS}")
    return Ring(every(symbols, read_range))


class Named:
    """Parameters and symbols, evaluated on demand."""

    def __init__(self, texts, known):
        self.texts, self.known, self.open = texts, known, []

    def __contains__(self, name):
        return name in self.known or name in self.texts

    def __getitem__(self, name):
        if name not in self.known:
            require(name not in self.open, "parameters refer to one another in a cycle", "parameters", name)
            require(len(self.open) < MOST_STEPS, f"parameters refer to one another through more than {MOST_STEPS} steps", "parameters", name)
            self.open.append(name)
            self.known[name] = within(("parameters", name), evaluated, self.texts[name], self)
            self.open.pop()
        return self.known[name]


def evaluated(value, names):
    try:
        return expression.parse(written(value), names)
    except Refused:
        raise
    except (ArithmeticError, ValueError) as error:
        raise Refused(f"{str(value)[:60]!r}: {error}") from error


def is_below(a, b):
    """True if a < b for all values of symbols; otherwise raises Refused unless a >= b is shown."""
    difference = a - b
    if not has_symbols(difference):
        return difference < 0
    if difference.is_never_negative():
        return False
    require((-difference).is_never_negative(), "which of two numbers is larger depends on symbols, or is not shown")
    return True


class Numbers:
    def __init__(self, parameters=EMPTY, symbols=None):
        """parameters, symbols: as the spec writes them; symbols: None if it has none."""
        known, texts = {}, within("parameters", mapping, parameters, "an object of named numbers")
        if symbols is not None:
            ring = within("symbols", ring_of, symbols)
            known = {name: Value(ring.symbol(k)) for k, name in enumerate(symbols)}
        for name in texts:
            within(("parameters", name), named, name, "parameter")
            require(name not in known, f"{name!r} is the name of a symbol already", "parameters", name)
        self.names, self.texts, self.known = Named(texts, known), texts, {}

    def evaluate_all(self):
        for name in self.texts:
            self.names[name]

    def once(self, kind, value, compute):
        key = kind, value
        if key not in self.known:
            try:
                self.known[key] = compute(written(value), self.names)
            except Refused:
                raise
            except (ArithmeticError, ValueError) as error:
                raise Refused(f"{value[:60]!r}: {error}") from error
        return self.known[key]

    def number(self, value):
        require(isinstance(value, str), "expected a number or a string with an expression")
        return self.once("number", value, expression.number)

    def rational(self, value):
        number = self.number(value)
        require(isinstance(number, Fraction), f"found {value[:60]}, expected a rational number")
        return number

    def never_negative(self, number):
        if isinstance(number, Fraction):
            return number >= 0
        return number.is_never_negative() if has_symbols(number) else number.sign() >= 0

    def mass(self, value):
        """A nonnegative number."""
        number = self.number(value)
        key = "negative", value
        if key not in self.known:
            self.known[key] = self.never_negative(number)
        require(self.known[key], f"{value[:60]!r} is negative, or is for some values of symbols, or is not shown not to be")
        return number

    def probability(self, value):
        number = self.mass(value)
        require(self.never_negative(1 - number), f"found {value[:60]}, expected a number from 0 to 1")
        return number

    def positive_ratio(self, value, most=1 << 20):
        number = self.number(value)
        require(isinstance(number, Fraction) and 0 < number.numerator <= most and number.denominator <= most,
                f"found {value[:60]}, expected a positive fraction of integers up to {most}")
        return number

    def level(self, value, roots=False):
        """exp of the level, or INFINITE."""
        require(isinstance(value, str), "expected a number or a string with an expression")
        level = self.once("level", value, expression.level)
        if level is INFINITE or ("level is one", value) in self.known:
            return level
        if isinstance(level, Surd):
            require(roots, f"found the level {value[:60]}, expected one without a square root")
            require(level >= 1, "the level is negative")
        else:
            require(self.never_negative(level - 1), f"the level {value[:60]} is negative, or is for some values of symbols")
            self.known["level is one", value] = True
        return level

    def distribution(self, value, count, of_what):
        array(value, "numbers")
        require(len(value) == count, f"found {len(value)} numbers, expected one for each of the {count} {of_what}")
        numbers = every(value, self.mass)
        require_one(numbers)
        return numbers

    def stochastic_row(self, row, columns):
        array(row, "numbers")
        require(len(row) == columns, f"the row has {len(row)} entries, expected one for each of the {columns} outputs")
        numbers = every(row, self.mass)
        require_one(numbers)


def total_of(numbers):
    """The sum. Cells that are written alike are one object, and most denominators are equal."""
    whole, rest = Counter(), {}
    for number in numbers:
        if isinstance(number, Fraction):
            whole[number.denominator] += number.numerator
        else:
            count, _ = rest.get(id(number), (0, None))
            rest[id(number)] = count + 1, number
    total = sum((Fraction(top, bottom) for bottom, top in whole.items()), Fraction(0))
    for count, number in rest.values():
        total = number * Fraction(count) + total
    return total


def require_one(numbers):
    total = total_of(numbers)
    require(total == 1, f"the sum is {str(total)[:60]}, not 1, for all values of symbols" if has_symbols(total) else f"the sum is {str(total)[:60]}, not 1")


def whole_root(n, degree):
    """The root of a natural number, if it is natural."""
    if n < 2 or degree == 2:
        root = n if n < 2 else isqrt(n)
    else:
        if degree >= n.bit_length():
            return None
        root = 1 << -(-n.bit_length() // degree)
        while True:  # Newton, from above
            next_ = ((degree - 1) * root + n // root ** (degree - 1)) // degree
            if next_ >= root:
                break
            root = next_
    return root if root ** degree == n else None


def has_power(number, power):
    """True if number^power, for a positive number, can be written exactly."""
    if abs(power.numerator) > MOST_POWER or power.denominator > MOST_POWER:
        return False
    if power.denominator == 1:
        return True
    found = expression.monomial(number)
    if found is None or found[0] <= 0:
        return False
    return all(whole_root(part, power.denominator) is not None for part in (found[0].numerator, found[0].denominator))


def to_power(number, power):
    require(has_power(number, power), f"the power {power} of a level cannot be written exactly")
    try:
        if power.denominator == 1:
            return expression.powered(number, power.numerator)
        coefficient, exponent = expression.monomial(number)
        root = Fraction(*(whole_root(part, power.denominator) for part in (coefficient.numerator, coefficient.denominator)))
        return expression.powered(root, power.numerator) * Exact.exp(exponent * power)
    except BadExpression as error:
        raise Refused(str(error)) from error
