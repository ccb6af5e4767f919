"""Averages over outputs: mutual information in nats, Bayes leakage, and maximal leakage."""
from decimal import Decimal
from fractions import Fraction
from math import lcm

from ..decimals import decided
from ..exact import INFINITE
from ..notions import Side, prior_groups
from ..outputs import row_of

MOST_DIGITS = 200000  # of powers that decide whether two numbers are equal


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
    """True if the sum of p log(odds) over the terms is log(power) and all of these are fractions; otherwise False."""
    if not all(isinstance(x, (int, Fraction)) for term in terms for x in (power, *term)):
        return False
    common = lcm(*(Fraction(p).denominator for p, _ in terms))
    collected: dict[Fraction, int] = {}
    for p, odds in terms:
        collected[odds] = collected.get(odds, 0) + int(p * common)
    digits = sum(count * len(str(odds.numerator * odds.denominator)) for odds, count in collected.items())
    if digits > MOST_DIGITS or common > MOST_DIGITS:
        return False
    product = Fraction(1)
    for odds, count in collected.items():
        product *= odds ** count
    return product == power ** common


def information_obeys(spec, claim):
    claimed = claim.levels[claim.coordinate]
    if claimed is INFINITE:
        return not claim.tight
    terms = shares(spec, claim)
    if mean_is(terms, claimed):
        return True

    def question(at):
        total, nats = (Decimal(0), Decimal(0)), at.nats(claimed)
        for p, odds in terms:
            total = at.add(total, at.times(at.of(p), at.ln(at.of(odds))))
        if total[0] > nats[1]:
            return False
        if claim.tight:  # equal levels have been found above
            return False if total[1] < nats[0] else None
        return True if total[1] <= nats[0] else None
    return decided(question)


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
