"""Claims about averages over outputs: Bayes leakage exactly, information in decimals far finer than the claims."""
from decimal import Decimal, localcontext
from fractions import Fraction

from effects import information, joint
from oddsbound_check.exact import INFINITE, QUICK, quick
from oddsbound_check.surds import Surd

ZERO = 0
EQUAL = Decimal("1e-33")  # closer values are equal in specs as small as these; decimals are within 1e-35


def near(value):
    """A decimal near the value, with some 50 digits unless its parts cancel."""
    if not isinstance(value, Surd):
        return quick(value)
    plain = Decimal(0) if value.plain == 0 else quick(value.plain)
    return QUICK.add(plain, QUICK.multiply(quick(value.coefficient), QUICK.sqrt(quick(value.radicand))))


def groups(spec, claim):
    if "coordinate" not in claim:
        return [[x] for x in range(len(spec.inputs))]
    return spec.value_groups([name for name, _ in spec.domain].index(claim["coordinate"]))


def guesses(spec, claim):
    """The accuracy of the best guess, without the output and with it."""
    table, masses = joint(spec, groups(spec, claim))
    return max(masses), sum((max(row[y] for row in table) for y in range(len(spec.outputs))), ZERO)


def leakage(spec, claim):
    before, after = guesses(spec, claim)
    return after / before


def maximal_leakage(spec, claim):
    """The sum over outputs of the largest probability given a value that has mass."""
    given = [row for row in map(spec.conditional, groups(spec, claim)) if row is not None]
    return sum((max(row[y] for row in given) for y in range(len(spec.outputs))), ZERO)


def nats(spec, claim):
    found = information(*joint(spec, groups(spec, claim)))
    assert found is not None, "decimals do not reach"
    return found


def above(spec, claim):
    """The information minus the claimed level, as a decimal; 0 if they are equal."""
    claimed = spec.level(claim["epsilon"])
    if claimed is INFINITE:
        return Decimal(-1)
    difference = QUICK.subtract(nats(spec, claim), QUICK.ln(near(claimed)))
    return Decimal(0) if abs(difference) < EQUAL else difference


def level_near(spec, claim, random):
    """A level for a claim: the true one if it is the logarithm of a small fraction, otherwise a decimal next to it."""
    true = nats(spec, claim)
    power = QUICK.exp(true)
    simple = Fraction(power).limit_denominator(1000)
    if abs(QUICK.subtract(QUICK.divide(Decimal(simple.numerator), Decimal(simple.denominator)), power)) < EQUAL:
        return f"log({simple})"
    # A decimal of 30 digits, which neither doubles nor the first 17 digits distinguish from it.
    last = Decimal("1e-30")
    return f"{QUICK.add(QUICK.quantize(true, last), random.choice([-last, last])):f}"


def problems(spec, claim, r):
    """The faults in the result of a claim."""
    actual, found = r["actual"], []
    if claim["notion"] == "bayes_leakage":
        before, after = guesses(spec, claim)
        if set(actual) != {"exp", "epsilon", "lower", "upper", "guess_before", "guess_after"}:
            found.append(f"keys {set(actual)}")
        elif spec.number(actual["guess_before"]) != before or spec.number(actual["guess_after"]) != after:
            found.append("guesses")
        return found
    if claim["notion"] == "maximal_leakage":
        return [] if set(actual) == {"exp", "epsilon", "lower", "upper"} else [f"keys {set(actual)}"]
    with localcontext(QUICK):
        return information_problems(spec, actual, nats(spec, claim))


def information_problems(spec, actual, true):
    if "at_least" not in actual:
        exact = quick(spec.level(actual["epsilon"]))
        return [] if abs(exact.ln() - true) < EQUAL else [f"information {actual['epsilon']}, expected {true}"]
    found = []
    lower, upper = (Decimal(actual[key]) for key in ("lower", "upper"))
    least, most = (quick(spec.level(actual[key]["epsilon"])).ln() for key in ("at_least", "at_most"))
    if not (lower - EQUAL <= least <= true + EQUAL and true - EQUAL <= most <= upper + EQUAL):
        found.append(f"information {true} is not in {lower} .. {upper}")
    if upper - lower > upper * Decimal("1e-12"):
        found.append("decimals too far apart")
    return found
