"""Claims about shuffled reports, by their definition: n people send one report each, and everybody sees how often each
report occurs.

Between inputs: all inputs of the other n - 1 people are tried. If a person's row is a mixture of two rows, delta is at
most the larger delta of these two, because sums of positive p - bound q are convex in the row. So if there are two reports, only the
rows with the smallest and the largest probability are tried. Under a prior, the other people's reports are draws from its
mean row. Quotients of single histograms are at most those of one report (mediant inequality), and n equal reports attain
them.
"""
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, lcm
from typing import Any

from ..exact import INFINITE, quick
from ..notions import compared_by
from ..outputs import unlike_pairs
from ..report import NotProved, require_feasible
from .brute_force import Measure

LIKE_ONE_REPORT = ("ldp", "cdp", "partial_dp", "bcdp", "secret")
MOST_LISTED = 2**21  # histograms x inputs of other people
MOST_PEOPLE = 500  # with two reports
MOST_TERMS = 2**10  # histograms of reports that are no rational numbers


def obeys(spec, claim):
    if claim.for_all is not None or claim.notion not in (*LIKE_ONE_REPORT, "approximate_dp", "approximate_bcdp"):
        raise NotProved(f"of shuffled reports, {claim.notion} is not known here")
    local, people = spec.local, spec.shuffled[1]
    if claim.notion in LIKE_ONE_REPORT:
        return Measure(local).obeys(claim)
    return Shuffled(local, people, claim.notion == "approximate_bcdp").obeys(claim)


class Shuffled(Measure):
    """draws: the other people's inputs are draws from the prior."""

    def __init__(self, local, people, draws):
        super().__init__(local)
        self.people, self.draws = people, draws

    def excess(self, comparison):
        if comparison.bound is INFINITE:
            return Fraction(0)
        compared = [tuple(map(tuple, pair)) for pair in unlike_pairs(self.spec, comparison.groups())]
        if self.draws:
            everybody: Any = [tuple(sum((w * row[y] for w, row in zip(self.spec.prior, self.spec.rows)), Fraction(0)) for y in range(len(self.spec.rows[0])))]
        else:
            everybody = distinct(map(tuple, self.spec.rows))
        rows: Any = distinct(row for pair in compared for row in pair)
        pairs = distinct((rows.index(first), rows.index(second)) for first, second in compared)
        # Integers over a common denominator.
        listed = [entry for row in (*rows, *everybody) for entry in row]
        rational = all(isinstance(entry, (int, Fraction)) for entry in listed)
        scale = lcm(*(Fraction(entry).denominator for entry in listed)) if rational else None
        if scale is not None:
            rows, everybody = ([tuple(int(entry * scale) for entry in row) for row in some] for some in (rows, everybody))
        worst = max((excess_beside(others, rows, pairs, comparison.bound) for others in self.others(everybody, scale) if pairs), default=Fraction(0))
        return worst if scale is None else worst / Fraction(scale) ** self.people

    def others(self, everybody, scale):
        """The distributions of the histograms of the other people's reports, one for each possibility."""
        reports, people = len(everybody[0]), self.people - 1
        if reports == 2 and scale is not None:
            require_feasible(people < MOST_PEOPLE, f"reports of more than {MOST_PEOPLE} people")
            return of_bits(min(row[1] for row in everybody), max(row[1] for row in everybody), scale, people)
        possible = comb(people + reports, reports) * comb(people + len(everybody) - 1, people)
        require_feasible(possible <= (MOST_TERMS if scale is None else MOST_LISTED), "the inputs and reports of the other people are too many to go through")
        return of_all(everybody, people)


def of_all(rows, people):
    known: dict[tuple[int, ...], Any] = {(): {(0,) * len(rows[0]): 1}}
    for chosen in combinations_with_replacement(range(len(rows)), people):
        for size in range(1, people + 1):
            if chosen[:size] not in known:
                known[chosen[:size]] = with_report(known[chosen[:size - 1]], rows[chosen[size - 1]])
        yield known[chosen]


def of_bits(low, high, scale, people):
    """m people send a one with probability high / scale, the others with low / scale: for all m, the coefficients of
    (scale - high + high z)^m (scale - low + low z)^(people - m). Each m takes one multiplication and one exact division."""
    ones = [comb(people, k) * low**k * (scale - low)**(people - k) for k in range(people + 1)]
    for m in range(people + 1 if low != high else 1):
        yield {(people - k, k): mass for k, mass in enumerate(ones) if mass != 0}
        if m < people and low != high:
            more = [(scale - high) * a + high * b for a, b in zip([*ones, 0], [0, *ones])]
            if scale == low:
                ones = [mass // low for mass in more[1:]]
            else:
                ones = []
                for mass in more[:-1]:
                    ones.append((mass - low * (ones[-1] if ones else 0)) // (scale - low))


def with_report(masses, row):
    """The distribution of histograms with one report more."""
    found: dict = {}
    for histogram, mass in masses.items():
        for y, entry in enumerate(row):
            if entry != 0:
                more = (*histogram[:y], histogram[y] + 1, *histogram[y + 1:])
                found[more] = found.get(more, 0) + mass * entry
    return found


def distinct(values):
    """Numbers that are not rational have no hash."""
    listed, found = list(values), list[Any]()
    try:
        return list(dict.fromkeys(listed))
    except TypeError:
        for value in listed:
            if value not in found:
                found.append(value)
    return found


def excess_beside(others, rows, pairs, bound):
    """The largest sum of positive p - bound q over the pairs of rows, which are stated by their numbers."""
    histograms = [with_report(others, row) for row in rows]
    exceeds, worst = comparison_with(bound), Fraction(0)
    for first, second in pairs:
        p_event = q_event = 0
        for histogram, p in histograms[first].items():
            q = histograms[second].get(histogram, 0)
            if exceeds(p, q):
                p_event, q_event = p_event + p, q_event + q
        over = p_event - bound * q_event
        worst = over if over > worst else worst
    return worst


def comparison_with(bound):
    """Whether p > bound q: by rational numbers around the bound, and exactly between them."""
    near = quick(bound)
    if near is None or isinstance(bound, (int, Fraction)):
        return lambda p, q: p > bound * q
    low, high = (Fraction(near) * (1 + side * Fraction(1, 10**30)) for side in (-1, 1))

    def exceeds(p, q):
        if not isinstance(p, (int, Fraction)) or not isinstance(q, (int, Fraction)):
            return p > bound * q
        if p * high.denominator > high.numerator * q:
            return True
        return p * low.denominator > low.numerator * q and p > bound * q
    return exceeds
