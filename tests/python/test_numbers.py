"""Exact values: arithmetic, order, and texts that read back."""
import decimal
import math
import pickle
from fractions import Fraction

import pytest

import oddsbound as ob


def test_rational_values_are_fractions():
    assert ob.exact("2/6") == Fraction(1, 3) and isinstance(ob.exact("2/6"), Fraction)
    assert ob.exact(f"{10**40}/3") == Fraction(10**40, 3)
    assert isinstance(ob.exact("exp(1)"), ob.Number)


def test_arithmetic_is_exact_and_comes_back_to_fractions():
    e = ob.Number("exp(1)")
    assert (e + 1) - e == 1 and isinstance((e + 1) - e, Fraction)
    assert e * e / e == e and -(-e) == e and abs(-e) == e
    assert 2 * e - e == e and 1 / e == ob.Number("exp(-1)") and 1 - e < 0 and e**2 == e * e
    with pytest.raises(TypeError, match="expected an exact number"):
        e + 0.5
    with pytest.raises(ob.NumberError):
        e / (e - e)


def test_order_is_decided_however_close():
    below = Fraction(27182818284590452353602874713526624977572470936999595749669676, 10**61)
    e = ob.Number("exp(1)")
    assert below < e < below + Fraction(1, 10**61)
    assert ob.Level("log(3)") > Fraction(1098612288668109691395, 10**21)
    assert ob.Level("log(3)") < ob.Level("11/10") and ob.Level("1") == 1 and ob.Level("0") > -1
    assert ob.Level("inf") > 10**6 and ob.Level("inf") == math.inf and ob.Level("log(2)") != 0.6931471805599453


def test_texts_read_back_and_equal_values_have_one_hash():
    for text in ("log(3)", "1/2 + log(2)", "log(1 + sqrt(2))", "inf", "0"):
        level = ob.Level(text)
        assert ob.Level(str(level)) == level and pickle.loads(pickle.dumps(level)) == level
    number = ob.Number("(1 + exp(1/3))/7")
    assert ob.Number(str(number)) == number and pickle.loads(pickle.dumps(number)) == number
    assert {ob.Level("1/2"): 1}[Fraction(1, 2)] == 1 and hash(ob.Number("3/4")) == hash(Fraction(3, 4))


@pytest.mark.parametrize("digits", [1, 5, 17, 40, 200])
def test_intervals_hold_the_value_and_are_narrow(digits):
    for value in (ob.Number("exp(1)/3"), ob.Level("log(3)")):
        lower, upper = value.interval(digits)
        assert Fraction(lower) <= value <= Fraction(upper)
        assert digits == 1 or Fraction(upper) - Fraction(lower) <= Fraction(1, 10 ** (digits - 2))
    assert ob.Level("inf").interval() == (decimal.Decimal("inf"),) * 2
    root = ob.Level("log(1 + sqrt(2))")
    assert root.interval()[0] < decimal.Decimal(math.log(1 + math.sqrt(2))) + decimal.Decimal("1e-14")
    with pytest.raises(ob.NumberError, match="17 digits"):
        root.interval(18)


def test_numbers_of_any_length_come_and_go():
    long = Fraction(10**20000 + 7, 3)
    assert ob.exact(long) == long and ob.exact(f"exp(0)*({'9' * 5000})") == 10**5000 - 1


def test_levels_add_and_have_an_exponential():
    assert ob.Level("log(3)") + ob.Level("log(2)") == ob.Level("log(6)") and 3 * ob.Level("log(2)") == ob.Level("log(8)")
    assert ob.Level("log(3)") + Fraction(1, 2) == ob.Level("1/2 + log(3)")
    assert ob.Level("log(3)").exp == 3 and ob.Level("1").exp == ob.Number("exp(1)") and ob.Level("inf").exp == math.inf


@pytest.mark.parametrize("wrong", ["log(2", "log(1/2)", "-1", ""])
def test_what_is_no_level_is_an_error(wrong):
    with pytest.raises(ob.NumberError):
        ob.Level(wrong)


def test_roots_are_exact():
    root = ob.Level("log(1 + sqrt(2))").exp
    assert isinstance(root, ob.Root) and (root.plain, root.coefficient, root.radicand) == (1, 1, 2)
    assert root * root == 3 + 2 * ob.Root("sqrt(2)") and root * (root - 2) == 1 and 1 / root == root - 2
    assert isinstance(root * (root - 2), Fraction) and ob.Number("exp(1)") * root > root > 2.414 and -root < 0
    assert ob.Root("sqrt(2)") < ob.Number("exp(1)/1.9") and Fraction(3, 2) > ob.Root("sqrt(2)") and abs(-root) == root
    assert pickle.loads(pickle.dumps(root)) == root == ob.Root(str(root)) and float(root) == pytest.approx(2.414213562)
    assert ob.Level("2") != root != ob.Level("2") and ob.Number("3/4") != ob.Level("1") > ob.Number("3/4") < ob.Level("1")
    assert len({root, ob.Root("sqrt(2)") + 1}) == 1
    with pytest.raises(ob.NumberError):
        ob.Root("sqrt(2)") + ob.Root("sqrt(3)")
    with pytest.raises(TypeError, match="a Fraction"):
        root + 0.5


@pytest.mark.parametrize("text", ["sqrt(2)", "7 - 4*sqrt(3)", "(1 - sqrt(exp(1)*2))/1000", "sqrt(1/10^40 + exp(3))"])
@pytest.mark.parametrize("digits", [1, 17, 60])
def test_intervals_of_roots_hold_them_and_are_narrow(text, digits):
    root = ob.Root(text)
    lower, upper = map(Fraction, root.interval(digits))
    assert lower <= root <= upper and upper - lower <= 2 * abs(upper) * Fraction(10) ** (2 - digits)


def test_floats_are_refused_with_a_hint():
    with pytest.raises(TypeError, match="a Fraction"):
        ob.Level(0.5)
    with pytest.raises(TypeError):
        ob.Number(None)
