"""Sets of rays: the likelihoods of outputs as functions of some coordinates, by joint value, up to a factor
(certificate_network.py).

Invariant: every possible ray L of a set has a nonnegative combination c of the kept rays with c <= L <= F c in every
place (so L is 0 where c is); F is the set's `excess`. Products, and sums over a coordinate, of nonnegative rays keep
the invariant, with the product of the F. Numbers are integers over a power of two; F includes all rounding.
"""
from fractions import Fraction
from itertools import product
from math import lcm

from .certificate_search import NotShown
from .intervals import Enclosures, scaled
from .strict_json import items, require


class Rounding:
    """Rays as integers, up to a factor; an excess as an integer over 2^bits, rounded up."""

    def __init__(self, bits):
        self.bits, self.one, self.enclosures = bits, 1 << bits, Enclosures(2 * bits)

    def times(self, *excesses):
        total = self.one
        for excess in excesses:
            total = -(-total * excess >> self.bits)
        return total

    def down(self, numbers):
        """Numbers of the spec, rounded down, and the largest factor by which they exceed that."""
        ends, excess = scaled([self.enclosures.of(number) for number in numbers], self.bits), self.one
        for low, high in ends:
            if low == 0 and high > 0:
                raise NotShown("numbers of the spec are too far apart")
            if low > 0:
                excess = max(excess, -(-(high << self.bits) // low))
        return [low for low, _ in ends], excess

    def of_sum_one(self, ray):
        total = sum(ray)
        return [(entry << self.bits) // total for entry in ray]

    def spread(self, ray, by, where):
        """The smallest F with c <= ray <= F c for a multiple c of `by`, rounded up."""
        most = least = None
        for entry, other in zip(ray, by):
            if (entry == 0) != (other == 0):
                raise NotShown(f"{where}: what it is made of is 0 elsewhere")
            if entry:
                if most is None or entry * most[1] > most[0] * other:
                    most = entry, other
                if least is None or entry * least[1] < least[0] * other:
                    least = entry, other
        return -(-(most[0] * least[1] << self.bits) // (most[1] * least[0]))


class Set:
    """A set over some places of coordinates, the last one fastest. holds: the tables and parts in its product; gone:
    the places that were summed out; candidates: rays that generate all others; some are kept."""

    def __init__(self, where, over, holds, gone, excess):
        self.where, self.over, self.holds, self.gone, self.excess = where, tuple(over), frozenset(holds), frozenset(gone), excess
        self.rays = []

    def keep(self, rounding, kept, others):
        """kept: the numbers of the rays that stay; others: for every other possible ray, its weights of those. All
        stay if both are None."""
        candidates, stays, most = self.candidates(), {}, rounding.one
        if kept is None:
            kept, others = [Fraction(n) for n, ray in enumerate(candidates) if any(ray)], {}
        for n in items(kept, f"{self.where}: kept", Fraction):
            require(n.denominator == 1 and n < len(candidates) and n not in stays, f"{self.where}: no ray is number {n}, or it is kept twice")
            require(any(candidates[int(n)]), f"{self.where}: ray {n} is impossible")
            stays[int(n)] = rounding.of_sum_one(candidates[int(n)])
        require(isinstance(others, dict), f"{self.where}: 'others' is no object")
        left, by_name = set(others), {str(n): ray for n, ray in stays.items()}
        for n, ray in enumerate(candidates):
            where = f"{self.where}, ray {n}"
            if n not in stays and any(ray):
                require(str(n) in left, f"{where}: it is neither kept nor made of others")
                left.remove(str(n))
                most = max(most, rounding.spread(ray, combination(where, others[str(n)], by_name), where))
            elif n in stays:
                most = max(most, rounding.spread(ray, stays[n], where))
        require(not left, f"{self.where}: there is no ray {next(iter(left), '')[:40]!r} to be made of others")
        self.rays, self.excess = list(stays.values()), rounding.times(self.excess, most)


def combination(where, weights, rays):
    """A combination of kept rays by their names; any nonnegative weights are valid."""
    require(isinstance(weights, dict) and weights, f"{where}: it is made of nothing")
    for name, weight in weights.items():
        require(name in rays, f"{where}: {name[:40]!r} is not kept")
        require(isinstance(weight, Fraction) and weight >= 0, f"{where}: a weight is no number that is 0 or more")
    over = lcm(*(weight.denominator for weight in weights.values()))
    whole = [(int(weight * over), rays[name]) for name, weight in weights.items()]
    return [sum(weight * entry for (weight, _), entry in zip(whole, entries)) for entries in zip(*(ray for _, ray in whole))]


class Outputs(Set):
    """A part of the mechanism: one ray for each output."""

    def __init__(self, where, number, part, rounding):
        rounded = [rounding.down([row[label] for row in part.rows]) for label in range(len(part.labels))]
        super().__init__(where, part.places, [("part", number)], [], max(excess for _, excess in rounded))
        self.number, self.columns, self.of_columns, self.sets = number, [column for column, _ in rounded], self.excess, []

    def candidates(self):
        return self.columns

    def said(self, rounding, labels, _):
        """The ray of one output, or of none (all inputs equal) if labels is None; and its excess."""
        if labels is None:
            return [1] * len(self.columns[0]), rounding.one
        return self.columns[labels[self.number]], self.of_columns


class Product(Set):
    """The product of tables and of one ray of each of some sets, summed over some places. cells: (place in the sum,
    product of the tables, place in each set); excess: of the tables."""

    def __init__(self, where, over, holds, gone, rounding, excess, sets, cells):
        super().__init__(where, over, holds, gone, rounding.times(excess, *(s.excess for s in sets)))
        self.of_tables, self.sets, self.cells = excess, sets, cells
        self.states = 1 + max(cell[0] for cell in cells)

    def ray(self, rays):
        sums = [0] * self.states
        for state, weight, places in self.cells:
            for ray, place in zip(rays, places):
                weight *= ray[place]
            sums[state] += weight
        return sums

    def candidates(self):
        return [self.ray(choice) for choice in product(*(s.rays for s in self.sets))]

    def said(self, rounding, _, known):
        exact = self.ray([known[s][0] for s in self.sets])
        if not any(exact):
            return exact, rounding.one
        ray = rounding.of_sum_one(exact)
        return ray, rounding.times(self.of_tables, *(known[s][1] for s in self.sets), rounding.spread(exact, ray, self.where))
