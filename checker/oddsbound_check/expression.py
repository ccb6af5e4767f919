"""The expression grammar, read independently of the tool: a + log(v), or infinity; a and v may contain a root.

Everything outside docs/spec-format.md raises BadExpression: `inf` in a sum, a power of a power, a logarithm of a
number that is not positive, and numbers past the limits.
"""
from __future__ import annotations

import re
import sys
from fractions import Fraction
from operator import add, mul, sub, truediv
from typing import Any, Callable

from .exact import INFINITE, Exact
from .surds import Surd

TOKEN = re.compile(r"(?:((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|([-+*/^()]))[ \t]*", re.ASCII)
SIMPLE = re.compile(r"(\d{1,400})(?:/(\d{1,400}))?", re.ASCII)
WORDS = ("exp", "log", "sqrt", "inf")
MOST_CHARACTERS = 4_000_000
MOST_DEPTH = 200
MOST_DIGITS = MOST_EXPONENT = 10_000
MOST_BITS = 1 << 22
MOST_LEVEL = 10**9

if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)  # the default is below these limits


class BadExpression(ValueError):
    pass


def exact(value: Any) -> Any:
    """An Exact, or a Surd if it contains a root."""
    if isinstance(value, Surd):
        number = value.number()
        return value if number is None else number
    return Exact.of(value)


def has_symbols(value: Any) -> bool:
    return isinstance(value, Exact) and hasattr(value, "over")


def joined(operation: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """The operation on two numbers, of which either may be a Surd."""
    if not isinstance(a, Surd) and not isinstance(b, Surd):
        return operation(a, b)
    if has_symbols(a) or has_symbols(b):
        raise BadExpression("symbols and a square root in one number")
    return operation(Surd.of(a), b)


def monomial(value: Any) -> Any:
    """(c, r) with value = c exp(r), both rational; None for any other number."""
    if isinstance(value, (int, Fraction)):
        return Fraction(value), Fraction(0)
    if not isinstance(value, Exact) or has_symbols(value):
        return None
    if not value.top.terms:
        return Fraction(0), Fraction(0)
    if not value.bottom and len(value.top.terms) > 1:
        return None
    # In a quotient equal to c exp(r), the terms with the least exponents are in that proportion.
    number = Exact.of(Fraction(1))
    for part, power in [(value.top, 1), *((part, -power) for part, power in value.bottom.items())]:
        k = min(part.terms)
        number = number * (Exact.of(Fraction(part.terms[k], part.over)) * Exact.exp(Fraction(k, part.step))) ** power
    if value.bottom and not value == number:
        return None
    (k, c), = number.top.terms.items()
    return Fraction(c, number.top.over), Fraction(k, number.top.step)


def rational(value: Any) -> Any:
    """The value as a fraction; None if it is none."""
    found = monomial(value)
    return found[0] if found is not None and found[1] == 0 else None


def bits_of(value: Any) -> int:
    """Approximate number of bits of the largest integer within the number."""
    if isinstance(value, Fraction):
        return max(value.numerator.bit_length(), value.denominator.bit_length())
    if isinstance(value, Surd):
        return sum(map(bits_of, (value.plain, value.coefficient, value.radicand)))
    if has_symbols(value):
        return 1
    return max(part.over.bit_length() + max((abs(c).bit_length() for c in part.terms.values()), default=0)
               for part in (value.top, *value.bottom))


def powered(base: Any, count: int) -> Any:
    """A power of a number; rejected before it is computed if it would be too large."""
    if abs(count) > MOST_EXPONENT:
        raise BadExpression(f"an exponent past the limit of {MOST_EXPONENT}")
    value = rational(base)
    base = base if value is None else value
    size = bits_of(base)
    if size > 1 and abs(count) > MOST_BITS // size:
        raise BadExpression(f"a power passes the limit of {MOST_BITS} bits")
    return exact(base ** count)


def is_negative(value: Any) -> bool:
    """For a function of symbols: negative for some values, or not shown to be nowhere."""
    return not value.is_never_negative() if has_symbols(value) else value.sign() < 0


class Value:
    """plain + log(log), or infinite. A logarithm that is a rational number becomes plain."""

    def __init__(self, plain: Any, log: Any = None, infinite: bool = False):
        self.plain, self.log, self.infinite = exact(plain), exact(1 if log is None else log), infinite
        found = None if log is None else monomial(self.log)
        if found is not None and found[1] != 0:  # log(c exp(r)) is r + log(c)
            self.plain, self.log = joined(add, self.plain, Exact.of(found[1])), Exact.of(found[0])

    def is_plain(self) -> bool:
        return not self.infinite and isinstance(self.log, Exact) and self.log == 1


def require(condition: Any, why: str) -> None:
    if not condition:
        raise BadExpression(why)


def finite(*values: Value) -> None:
    for value in values:
        require(not value.infinite, "inf can only be a level on its own")


def added(a: Value, b: Value, operation: Callable[[Any, Any], Any] = add) -> Value:
    finite(a, b)
    return Value(joined(operation, a.plain, b.plain), joined(mul if operation is add else truediv, a.log, b.log))


def multiplied(a: Value, b: Value) -> Value:
    finite(a, b)
    if a.is_plain() and b.is_plain():
        return Value(joined(mul, a.plain, b.plain))
    if a.is_plain():
        a, b = b, a
    require(b.is_plain(), "a product of logarithms")
    return scaled(a, b.plain)


def scaled(a: Value, factor: Any) -> Value:
    """factor: an integer, or half of one, where a root appears: (23/2) log(2) = log(sqrt(2)^23)."""
    count = rational(factor)
    require(count is not None and count.denominator in (1, 2), "a logarithm can only be multiplied by an integer or by half of one")
    if count.denominator == 1:
        return Value(joined(mul, a.plain, factor), powered(a.log, int(count)))
    require(isinstance(a.log, Exact) and not has_symbols(a.log), "half of the logarithm of a number with a root or a symbol in it")
    return Value(joined(mul, a.plain, factor), powered(Surd.root_of(a.log), int(2 * count)))


def divided(a: Value, b: Value) -> Value:
    finite(a, b)
    require(b.is_plain(), "division by a logarithm")
    require(b.plain != 0, "division by zero")
    if a.is_plain():
        return Value(joined(truediv, a.plain, b.plain))
    return scaled(a, joined(truediv, exact(1), b.plain))


def to_power(base: Value, exponent: Value) -> Value:
    finite(base, exponent)
    count = rational(exponent.plain) if exponent.is_plain() else None
    require(count is not None and count.denominator == 1, "an exponent after ^ must be an integer")
    require(abs(count) <= MOST_EXPONENT, f"an exponent past the limit of {MOST_EXPONENT}")
    if count == 1:
        return base
    require(base.is_plain() or count == 0, "a power of a logarithm")
    require(count >= 0 or base.plain != 0, "a negative power of zero")
    return Value(powered(base.plain, int(count)) if count else 1)


def function(word: str, argument: Value) -> Value:
    finite(argument)
    if word == "exp":
        exponent = rational(argument.plain)
        require(exponent is not None, "the argument of exp must be a rational number or a level")
        require(abs(exponent) <= MOST_EXPONENT, f"the argument of exp passes the limit of {MOST_EXPONENT}")
        return Value(joined(mul, Exact.exp(exponent), argument.log))
    require(argument.is_plain(), f"{word} of a logarithm")
    if word == "log":
        require(argument.plain != 0 and not is_negative(argument.plain), "log of a number that is not positive")
        return Value(0, argument.plain)
    require(isinstance(argument.plain, Exact) and not has_symbols(argument.plain), "sqrt of a number with a root or a symbol in it")
    require(not is_negative(argument.plain), "the square root of a negative number")
    found = monomial(argument.plain)
    if found is None:
        return Value(Surd.root_of(argument.plain))
    return Value(joined(mul, Surd.root_of(found[0]), Exact.exp(found[1] / 2)))


class Parser:
    def __init__(self, text: str, names: Any):
        require(len(text) <= MOST_CHARACTERS, f"an expression passes the limit of {MOST_CHARACTERS} characters")
        self.text, self.names, self.depth = text, names, 0
        self.end = len(text) - len(text.lstrip(" \t"))
        self.next()

    def next(self) -> None:
        """The next token as number, name and sign, of which two are None; all three at the end."""
        self.start = self.end
        found = TOKEN.match(self.text, self.end)
        self.number, self.name, self.sign = found.groups() if found else (None, None, None)
        require(found or self.end == len(self.text), f"unexpected {self.text[self.end:self.end + 1]!r}")
        self.end = found.end() if found else self.end

    def take(self, sign: str) -> bool:
        if self.sign != sign:
            return False
        self.next()
        return True

    def whole(self) -> Value:
        value = self.sum()
        require((self.number, self.name, self.sign) == (None, None, None), f"unexpected {self.text[self.start:self.start + 20]!r}")
        return value

    def sum(self) -> Value:
        value = self.product()
        while self.sign in ("+", "-"):
            operation = add if self.sign == "+" else sub
            self.next()
            value = added(value, self.product(), operation)
        return value

    def product(self) -> Value:
        value = self.unary()
        while self.sign in ("*", "/"):
            operation = multiplied if self.sign == "*" else divided
            self.next()
            value = operation(value, self.unary())
        return value

    def negative(self) -> bool:
        odd = False
        while self.take("-"):
            odd = not odd
        return odd

    def unary(self) -> Value:
        negative, value = self.negative(), self.powers()
        return added(Value(0), value, sub) if negative else value

    def powers(self) -> Value:
        base = self.atom()
        if not self.take("^"):
            return base
        negative, exponent = self.negative(), self.atom()
        require(self.sign != "^", "a power of a power needs parentheses")
        return to_power(base, added(Value(0), exponent, sub) if negative else exponent)

    def bracket(self) -> Value:
        require(self.take("("), "expected '('")
        self.depth += 1
        require(self.depth < MOST_DEPTH, f"nested deeper than the limit of {MOST_DEPTH}")
        value = self.sum()
        self.depth -= 1
        require(self.take(")"), "expected ')'")
        return value

    def atom(self) -> Value:
        number, name = self.number, self.name
        if self.sign == "(":
            return self.bracket()
        require(number is not None or name is not None, "expected a number, a name or '('")
        self.next()
        if number is not None:
            return Value(self.literal(number))
        if name == "inf":
            return Value(0, infinite=True)
        if name in WORDS:
            return function(str(name), self.bracket())
        require(name in self.names, f"unknown name {str(name)[:40]!r}")
        return self.names[name]

    @staticmethod
    def literal(text: str) -> Fraction:
        mantissa, _, exponent = text.lower().partition("e")
        above, _, below = mantissa.partition(".")
        require(max(len(above), len(below), len(exponent.lstrip("+-"))) <= MOST_DIGITS, f"a literal of more than {MOST_DIGITS} digits")
        require(len(exponent.lstrip("+-0")) <= 5 and abs(int(exponent or "0")) <= MOST_EXPONENT, "the exponent of a literal is too large")
        return Fraction(text)


def parse(text: str, names: Any = None) -> Value:
    text = str(text)
    simple = SIMPLE.fullmatch(text)
    if simple and (simple[2] is None or simple[2].strip("0")):
        return Value(Fraction(int(simple[1]), int(simple[2] or 1)))
    return Parser(text, {} if names is None else names).whole()


def simplest(value: Any) -> Any:
    """A Fraction if the value is one."""
    found = value.rational() if has_symbols(value) else rational(value)
    return value if found is None else found


def number(text: str, names: Any = None) -> Any:
    value = parse(text, names)
    require(value.is_plain(), "a logarithm, or inf, where a number is expected")
    require(not isinstance(value.plain, Surd), "a square root where a number is expected")
    return simplest(value.plain)


def level(text: str, names: Any = None) -> Any:
    """exp of the level, a Surd if it contains a root, or INFINITE."""
    value = parse(text, names)
    if value.infinite:
        return INFINITE
    plain = rational(value.plain)
    require(plain is not None, "a level must be a rational number, a log(...), or a sum of these")
    require(abs(plain) <= MOST_LEVEL, f"a level passes the limit of {MOST_LEVEL}")
    power = exact(joined(mul, Exact.exp(plain), value.log))
    return power if isinstance(power, Surd) else simplest(power)
