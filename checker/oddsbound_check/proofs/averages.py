"""Averages over outputs: mutual information in nats, Bayes leakage, and maximal leakage."""
from decimal import Decimal
from fractions import Fraction
from math import gcd, prod
from typing import Any

from ..decimals import decided
from ..exact import INFINITE
from ..notions import Side, prior_groups
from ..outputs import row_of
from ..report import require

MOST_ODDS, MOST_DIGITS = 4096, 200000  # of sums of logarithms that are compared exactly


def joint(spec, claim):
    """[P(group and output)] of each group with mass, and the masses of all groups."""
    groups = prior_groups(spec, claim)
    whole = sum((w for own in groups for w in own.values()), Fraction(0))
    masses = [sum(own.values(), Fraction(0)) / whole for own in groups]
    return [[mass * p for p in row_of(spec, Side(None, own, sum(own.values())))] for own, mass in zip(groups, masses)], masses


def shares(spec, claim):
    """(p, odds) of the nonzero terms of the information: the sum of p log(odds)."""
    table, masses = joint(spec, claim)
    terms = []
    for column in zip(*table):
        output = sum(column, Fraction(0))
        terms += [(p, p / (mass * output)) for p, mass in zip(column, masses) if p != 0 and p != mass * output]
    return terms


def mean_is(terms, power):
    """True if the sum of p log(odds) over the terms is log(power) and all of these are fractions; otherwise False.

    Numerators and denominators are powers of numbers of which no two have a common factor. The logarithms of these numbers are
    linearly independent over the fractions, so each must have the same factor on both sides."""
    if not all(isinstance(x, (int, Fraction)) for term in terms for x in (power, *term)):
        return False
    collected: dict[Fraction, Fraction] = {Fraction(power): Fraction(-1)}
    for p, odds in terms:
        collected[Fraction(odds)] = collected.get(Fraction(odds), Fraction(0)) + p
    if len(collected) > MOST_ODDS or sum(len(str(odds.numerator * odds.denominator)) for odds in collected) > MOST_DIGITS:
        return False
    base = coprime_base([part for odds in collected for part in (odds.numerator, odds.denominator)])
    return all(sum(p * (multiplicity(odds.numerator, b) - multiplicity(odds.denominator, b)) for odds, p in collected.items()) == 0 for b in base)


def exceeds(terms, power):
    """True if the sum of p log(odds) over the terms is above log(power), False if it is below. Raises NotProved if no number of
    digits decides it."""
    def question(at):
        total, nats = (Decimal(0), Decimal(0)), at.nats(power)
        for p, odds in terms:
            total = at.add(total, at.times(at.of(p), at.ln(at.of(odds))))
        return True if total[0] > nats[1] else False if total[1] < nats[0] else None
    return decided(question)


def coprime_base(numbers):
    """Numbers above 1 without common factors, of which all these numbers are products."""
    base: list[int] = []
    waiting = list(numbers)
    while waiting:
        number = waiting.pop()
        for k, other in enumerate(base):
            common = gcd(number, other)
            if common > 1:
                base.pop(k)
                waiting += [other // common, common, number // common]
                break
        else:
            if number > 1:
                base.append(number)
    return base


def multiplicity(number, base):
    count = 0
    while number % base == 0:
        number //= base
        count += 1
    return count


def information_obeys(spec, claim):
    return mean_obeys(claim, lambda: shares(spec, claim))


def mean_obeys(claim, terms_of):
    """True if the sum of p log(odds) over the terms obeys the claim."""
    claimed = claim.levels[claim.coordinate]
    if claimed is INFINITE:
        return not claim.tight
    terms = terms_of()
    if mean_is(terms, claimed):
        return True
    return not exceeds(terms, claimed) and not claim.tight


def leakage_obeys(spec, claim):
    """How much more often the best guess is right with the output than without it."""
    table, masses = joint(spec, claim)
    return obeys(claim, sum((max(column) for column in zip(*table)), Fraction(0)) / max(masses))


def maximal_leakage_obeys(spec, claim):
    """The same under the worst prior with the same possible values: the sum of the largest P(y given value)."""
    table, masses = joint(spec, claim)
    rows = [[p / mass for p in row] for row, mass in zip(table, masses)]
    return obeys(claim, sum((max(column) for column in zip(*rows)), Fraction(0)))


def obeys(claim, found):
    bound = claim.levels[claim.coordinate]
    if bound is INFINITE:
        return not claim.tight
    return found == bound if claim.tight else found <= bound


# Under the uniform prior, from the kinds of outputs of families (Mechanism.columns). Parts that see different coordinates are
# independent: their information adds up, and the best guesses at them are independent, too.

def check_classes(spec, claim, refuted):
    require(claim.for_all is None and not spec.free, "classes of outputs say nothing about that")
    require(spec.own_prior is not None and spec.own_prior.is_uniform, "the prior is not uniform")
    kinds = [(part.mechanism.inputs, part.mechanism.columns()) for part in parts_about(spec, claim.coordinate)]
    if claim.notion == "information":
        found = mean_obeys(claim, lambda: [term for inputs, columns in kinds for term in shares_of(inputs, columns)])
    else:
        found = obeys(claim, prod((largest_of(columns) for _, columns in kinds), start=Fraction(1)))
    require(found != refuted, "the spec says otherwise")
    return "by classes of outputs"


def largest_of(columns):
    """The sum over all outputs of the largest probability given an input."""
    return sum((count * max(p for number, p in column if number) for count, column in columns), Fraction(0))


def shares_of(inputs, columns):
    """(p, odds) as for `shares`, of the kinds of outputs of a uniform input."""
    terms = []
    for count, column in columns:
        mean = sum((number * p for number, p in column), Fraction(0)) / inputs
        terms += [(count * number * p / inputs, p / mean) for number, p in column if number and p != 0 and p != mean]
    return terms


def parts_about(spec, coordinate):
    """The parts whose outputs say something about the coordinate, or about the input."""
    parts: list[Any] = []
    seen: set[int] = set()
    for part in spec.units:
        places = {i for i in part.places if spec.sizes[i] > 1}
        if not places or (coordinate is not None and coordinate not in places):
            continue
        require(coordinate is None or len(places) == 1, "a part that also sees other coordinates")
        require(not places & seen, "two parts that see one coordinate")
        require(part.mechanism.columns is not None, "a part whose kinds of outputs are not known")
        seen |= places
        parts.append(part)
    return parts
