"""The expression grammar, read independently of the tool: a + log(v), or infinity."""
import re
from fractions import Fraction

from exact import INFINITE, Exact

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|(.))")


class Value:
    def __init__(self, plain, log=None, infinite=False):
        self.plain, self.log, self.infinite = Exact.of(plain), Exact.of(1 if log is None else log), infinite


class Parser:
    def __init__(self, text, names):
        self.tokens = [m.groups() for m in TOKEN.finditer(text) if m.group().strip()]
        self.names, self.at = names, 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else (None, None, None)

    def take(self, symbol):
        if self.peek()[2] == symbol:
            self.at += 1
            return True
        return False

    def sum(self):
        value = self.product()
        while True:
            if self.take("+"):
                other = self.product()
                value = Value(value.plain + other.plain, value.log * other.log)
            elif self.take("-"):
                other = self.product()
                value = Value(value.plain - other.plain, value.log / other.log)
            else:
                return value

    def product(self):
        value = self.unary()
        while True:
            if self.take("*"):
                value = self.times(value, self.unary())
            elif self.take("/"):
                other = self.unary()
                assert value.log == 1 and other.log == 1
                value = Value(value.plain / other.plain)
            else:
                return value

    @staticmethod
    def times(a, b):
        if a.log == 1 and b.log == 1:
            return Value(a.plain * b.plain)
        if a.log == 1:
            a, b = b, a
        count = b.plain.rational()
        assert count is not None and count.denominator == 1 and b.log == 1
        return Value(a.plain * b.plain, a.log ** int(count))

    def unary(self):
        if self.take("-"):
            value = self.unary()
            return Value(-value.plain, Exact.of(1) / value.log)
        value = self.atom()
        if self.take("^"):
            negative = self.take("-")
            exponent = self.atom().plain.rational()
            assert exponent is not None and exponent.denominator == 1
            value = Value(value.plain ** (-int(exponent) if negative else int(exponent)))
        return value

    def atom(self):
        number, name, symbol = self.peek()
        self.at += 1
        if number is not None:
            return Value(Fraction(number.rstrip(".")))
        if symbol == "(":
            value = self.sum()
            assert self.take(")")
            return value
        if name == "inf":
            return Value(0, infinite=True)
        if name in ("exp", "log"):
            assert self.take("(")
            value = self.sum()
            assert self.take(")")
            if name == "log":
                return Value(0, value.plain)
            return Value(Exact.exp(value.plain.rational()) * value.log)
        return self.names[name]


def parse(text, names=None):
    parser = Parser(str(text), {} if names is None else names)
    value = parser.sum()
    assert parser.at == len(parser.tokens), text
    return value


def number(text, names=None):
    value = parse(text, names)
    assert value.log == 1 and not value.infinite, text
    return value.plain.simplest()


def level(text, names=None):
    """exp of the level, or INFINITE."""
    value = parse(text, names)
    if value.infinite:
        return INFINITE
    return (Exact.exp(value.plain.rational()) * value.log).simplest()
