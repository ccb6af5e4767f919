"""The expression grammar, read independently of the tool: a + log(v), or infinity; a and v may have a root in them."""
import re
from fractions import Fraction
from operator import add, mul, sub, truediv

from exact import INFINITE, Exact
from surds import Surd

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|(.))")


def exact(value):
    """An Exact, or a Surd where there is a root in it."""
    if isinstance(value, Surd):
        number = value.number()
        return value if number is None else number
    return Exact.of(value)


def joined(operation, a, b):
    """The operation on numbers of which either may be a Surd."""
    return operation(Surd.of(a), b) if isinstance(a, Surd) or isinstance(b, Surd) else operation(a, b)


class Value:
    def __init__(self, plain, log=None, infinite=False):
        self.plain, self.log, self.infinite = exact(plain), exact(1 if log is None else log), infinite


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
                value = Value(joined(add, value.plain, other.plain), joined(mul, value.log, other.log))
            elif self.take("-"):
                other = self.product()
                value = Value(joined(sub, value.plain, other.plain), joined(truediv, value.log, other.log))
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
                value = Value(joined(truediv, value.plain, other.plain))
            else:
                return value

    @staticmethod
    def times(a, b):
        assert not a.infinite and not b.infinite
        if a.log == 1 and b.log == 1:
            return Value(joined(mul, a.plain, b.plain))
        if a.log == 1:
            a, b = b, a
        count = b.plain.rational()
        assert count is not None and count.denominator == 1 and b.log == 1
        return Value(a.plain * b.plain, a.log ** int(count))

    def unary(self):
        if self.take("-"):
            value = self.unary()
            assert not value.infinite
            return Value(-value.plain, joined(truediv, Exact.of(1), value.log))
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
        if name in ("exp", "log", "sqrt"):
            assert self.take("(")
            value = self.sum()
            assert self.take(")")
            if name == "log":
                return Value(0, value.plain)
            if name == "sqrt":
                assert value.log == 1
                return Value(Surd.root_of(value.plain))
            return Value(joined(mul, Exact.exp(value.plain.rational()), value.log))
        return self.names[name]


def parse(text, names=None):
    parser = Parser(str(text), {} if names is None else names)
    value = parser.sum()
    assert parser.at == len(parser.tokens), text
    return value


def number(text, names=None):
    value = parse(text, names)
    assert value.log == 1 and not value.infinite, text
    assert not isinstance(value.plain, Surd), text
    return value.plain.simplest()


def surd(text):
    """A number that may have a root in it."""
    value = parse(text)
    assert value.log == 1 and not value.infinite, text
    return value.plain if isinstance(value.plain, Surd) else value.plain.simplest()


def level(text, names=None):
    """exp of the level, a Surd where it has a root in it, or INFINITE."""
    value = parse(text, names)
    if value.infinite:
        return INFINITE
    power = exact(joined(mul, Exact.exp(value.plain.rational()), value.log))
    return power if isinstance(power, Surd) else power.simplest()
