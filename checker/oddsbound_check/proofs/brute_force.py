"""Decides a claim by its definition: goes through all outputs and all sides that are compared.

Single outputs are enough where a definition speaks of sets of outputs: a quotient of sums is at most the largest of the
summands' quotients. Of a group whose sides are all compared with each other, only the largest and the smallest
probability of each output count. With a delta, the worst set of outputs is that of all outputs with p > bound q.
"""
from fractions import Fraction

from ..exact import INFINITE, Worst, at_most
from ..notions import compared_by
from ..outputs import require_enumerable, row_of, unlike_pairs
from ..report import require_feasible

MOST_LISTED = 2**24  # comparisons x inputs


class Measure:
    """Levels of one spec; what was measured is remembered."""

    def __init__(self, spec):
        require_enumerable(spec)
        self.spec, self.known, self.kept = spec, {}, []

    def largest(self, first, second):
        """(p, q) of the largest quotient between rows of two lists; q may be 0."""
        rows = [tuple({id(row): row for row in own}.values()) for own in (first, second)]
        key = tuple(frozenset(map(id, own)) for own in rows)
        if key not in self.known:
            self.kept += [*rows[0], *rows[1]]  # an id is a key as long as its object lives
            worst = Worst()
            worst.offer_rows(*rows)
            self.known[key] = worst.p, worst.q
        return self.known[key]

    def level(self, comparison):
        """The exponential of the smallest level; at least 1."""
        worst = Worst()
        for first, second in comparison.groups():
            if first and second:
                own = [row_of(self.spec, side) for side in first]
                worst.offer(*self.largest(own, own if second is first else [row_of(self.spec, side) for side in second]))
        return worst.value()

    def excess(self, comparison):
        """The largest sum of all positive p - bound q."""
        most = Fraction(0)
        for first, second in unlike_pairs(self.spec, comparison.groups()) if comparison.bound is not INFINITE else ():
            most = max(most, excess(first, second, comparison.bound))
        return most

    def obeys(self, claim):
        """Whether the claim holds, and, if it is tight, no smaller level does."""
        compared = compared_by(self.spec, claim)
        if claim.pair_levels is not None and claim.pair_levels.is_function:
            return self.obeys_function(claim, compared)
        listed = sum(1 for one in compared if not one.is_one_of_many) * self.spec.input_count
        require_feasible(listed <= MOST_LISTED, "too many coordinates that may differ together")
        return all(self.keeps(one, claim.tight) for one in compared)

    def obeys_function(self, claim, compared):
        """Levels that are a function are tight if some pair attains its own, above 0."""
        found = [(self.level(one), one.bound) for one in compared]
        if not all(at_most(level, bound) for level, bound in found):
            return False
        return not claim.tight or claim.pair_levels.is_zero or any(bound != 1 and at_most(bound, level) for level, bound in found)

    def keeps(self, one, tight):
        if one.delta is not None:
            found = self.excess(one)
            return found == one.delta if tight else found <= one.delta
        found = self.level(one)
        return at_most(found, one.bound) and (not tight or not self.must_be_attained(one) or at_most(one.bound, found))

    @staticmethod
    def must_be_attained(one):
        return one.claimed and not (one.is_one_of_many and one.bound is INFINITE)


def excess(p_row, q_row, bound):
    counts: dict = {}
    for p, q in zip(p_row, q_row):
        counts[id(p), id(q)] = counts.get((id(p), id(q)), (0,))[0] + 1, p, q
    total = Fraction(0)
    for count, p, q in counts.values():
        over = p - bound * q
        if over > 0:
            total = total + count * over
    return total
