"""Loss distributions of independent parts: for two distributions P and Q of the outputs, the ratios P(y) / Q(y) > 0 with
the mass that P gives to their outputs, and the mass of the outputs that Q lacks.

    delta(E) = sum over y of max(0, P(y) - E Q(y)) = infinite + sum over ratios r > E of mass (1 - E / r)

Outputs of one ratio count together; ratios and masses of independent parts multiply. Everything is exact. Ratios that
are equal and written differently stay apart, which changes no sum.
"""
from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import gcd, lcm, prod
from typing import Any, Callable, Iterable, Optional, Sequence

from .domain import Row
from .exact import Exact, written
from .mechanism import Part
from .outputs import seen_together
from .report import NotProved, require_feasible
from .spec import Spec

MOST_PAIRS = 2**20  # of two inputs of the coordinates that parts share, and of two ratios that are multiplied
MOST_EXACT_PAIRS = 2**14  # of ratios, if there are exponentials in the masses
MOST_QUICKLY = 2**12  # pairs of ratios, where another way may be faster
MOST_BITS = 2**31  # pairs of ratios x bits of a mass
MOST_COMPARED = 2**8  # ratios of a distribution that is compared with others
MOST_KINDS = 1024
Kind = frozenset[tuple[int, int]]  # (number of a distribution, how often it occurs)


class Losses:
    """atoms: {how the ratio is written: (ratio, mass)}. Masses are multiples of 1 / over; infinite is not."""

    def __init__(self, atoms: dict[Any, tuple[Any, Any]], infinite: Any, over: int = 1) -> None:
        self.atoms, self.infinite, self.over = atoms, infinite, over

    @staticmethod
    def of(p_row: Sequence[Any], q_row: Sequence[Any]) -> Losses:
        counts: dict[tuple[int, int], tuple[int, Any, Any]] = {}
        for p, q in zip(p_row, q_row):
            if p != 0:
                counts[id(p), id(q)] = counts.get((id(p), id(q)), (0,))[0] + 1, p, q
        infinite, atoms = Fraction(0), dict[Any, tuple[Any, Any]]()
        for count, p, q in counts.values():
            p, q = (own if isinstance(own, Exact) else Fraction(own) for own in (p, q))  # integers would be divided as floats
            if q == 0:
                infinite = infinite + count * p
            else:
                add(atoms, p / q, count * p)
        if any(isinstance(mass, Exact) for _, mass in atoms.values()):
            return Losses(atoms, infinite)
        over = lcm(*(Fraction(mass).denominator for _, mass in atoms.values()))
        return Losses({key: (ratio, int(mass * over)) for key, (ratio, mass) in atoms.items()}, infinite, over)

    def key(self) -> Any:
        """Equal for equal distributions whose numbers are written alike."""
        return frozenset((key, written(mass * Fraction(1, self.over))) for key, (_, mass) in self.atoms.items()), written(self.infinite)

    def pairs(self) -> list[tuple[Any, Any]]:
        """(ratio, mass)."""
        return [(ratio, mass * Fraction(1, self.over)) for ratio, mass in self.atoms.values()]

    def times(self, other: Losses, quickly: bool = False) -> Losses:
        """quickly: gives up early."""
        pairs, over = len(self.atoms) * len(other.atoms), self.over * other.over
        rational = not any(isinstance(mass, Exact) for own in (self, other) for _, mass in own.atoms.values())
        fits = pairs <= (MOST_PAIRS if rational else MOST_EXACT_PAIRS) and pairs * over.bit_length() <= MOST_BITS
        require_feasible(fits and not (quickly and pairs > MOST_QUICKLY), "the parts have too many combinations of ratios to list")
        atoms = dict[Any, tuple[Any, Any]]()
        for (a, p), (b, q) in product(self.atoms.values(), other.atoms.values()):
            add(atoms, a * b, p * q)
        return Losses(atoms, self.infinite + other.infinite - self.infinite * other.infinite, over)

    def excess(self, factor: Any) -> Any:
        """delta(factor)."""
        total: Any = Fraction(0)
        for ratio, mass in self.atoms.values():
            if ratio > factor:
                total = total + mass * (1 - factor / ratio)
        return self.infinite + total / self.over

    def dominates(self, other: Losses) -> bool:
        """True if delta is at least the other one's at every E >= 0. Own ratios are enough: between these, and from 0, where
        both are 1, delta is linear, and the other one convex; beyond, it is constant, and the other one does not rise. Then
        the same holds for both together with any third part: delta of a product is a sum of mass delta(E / ratio) over its
        atoms."""
        return all(self.excess(ratio) >= other.excess(ratio) for ratio, _ in self.atoms.values())


def powered(base: Any, n: int, times: Callable[[Any, Any], Any]) -> Any:
    """n >= 1 of them, by repeated squaring."""
    if n == 1:
        return base
    half = powered(base, n // 2, times)
    return times(half, half) if n % 2 == 0 else times(times(half, half), base)


def add(atoms: dict[Any, tuple[Any, Any]], ratio: Any, mass: Any) -> None:
    key = written(ratio)
    found = atoms.get(key)
    atoms[key] = (ratio, mass) if found is None else (ratio, found[1] + mass)


class Neighbors:
    """What the independent parts make of pairs of inputs. A *kind* of pair: the loss distributions of all parts whose rows
    differ, each by its number in `losses`, with how often it occurs. Rows are those of the spec: nothing is stated.
    by_classes: of families whose pairs of different inputs all have the same losses, those of one pair are used
    (Mechanism.pair), and no rows."""

    def __init__(self, spec: Spec, by_classes: bool = False) -> None:
        self.spec, self.losses, self.by_classes = spec, list[Losses](), by_classes
        self.of_class = dict[int, list[int]]()
        self.numbers, self.of_rows, self.kept = dict[Any, int](), dict[Any, Optional[int]](), dict[frozenset[int], list[Kind]]()
        self.parts: dict[Any, tuple[Part, int]] = {}  # equal ones with their number
        for part in spec.units if by_classes else spec.parts:
            key = id(part.mechanism), part.places
            self.parts[key] = part, self.parts.get(key, (part, 0))[1] + 1

    def number(self, part: Part, x: Row, z: Row) -> Optional[int]:
        """Of the loss distribution of a part between two inputs; None if its rows are equal."""
        key = id(part.mechanism), part.line(x), part.line(z)
        if key not in self.of_rows:
            p_row, q_row = part.rows[key[1]], part.rows[key[2]]
            self.of_rows[key] = None
            if any(p is not q and p != q for p, q in zip(p_row, q_row)):
                self.of_rows[key] = self.numbered(Losses.of(p_row, q_row))
        return self.of_rows[key]

    def numbered(self, own: Losses) -> int:
        number = self.numbers.setdefault(own.key(), len(self.losses))
        if number == len(self.losses):
            self.losses.append(own)
        return number

    def has_class(self, part: Part) -> bool:
        return self.by_classes and part.mechanism.pair is not None

    def all_numbers(self, part: Part, x: Row, z: Row) -> list[int]:
        """Of the loss distributions of a part between two inputs, whose outputs may be made of independent ones."""
        if self.has_class(part):
            key = id(part.mechanism)
            if key not in self.of_class and part.mechanism.pair is not None:
                self.of_class[key] = [self.numbered(Losses.of(p_row, q_row)) for p_row, q_row in part.mechanism.pair()]
            return self.of_class[key] if any(x[i] != z[i] for i in part.places) else []
        number = self.number(part, x, z)
        return [] if number is None else [number]

    def kind(self, x: Row, z: Row, parts: Optional[Iterable[tuple[Part, int]]] = None) -> Kind:
        counts = Counter[int]()
        for part, count in self.parts.values() if parts is None else parts:
            for number in self.all_numbers(part, x, z):
                counts[number] += count
        return frozenset(counts.items())

    def choices(self, scope: Iterable[int]) -> list[list[Kind]]:
        """The kinds of pairs that differ within the scope, for each set of coordinates that parts see together: a pair of
        inputs has one of each. No pairs are left out but those with equal rows, which exceed nothing. Classes only depend on
        which values differ, so of coordinates that no other part sees, one value and one other value stand for all pairs."""
        found = []
        rest = {i for part, _ in self.parts.values() if not self.has_class(part) for i in part.places}
        for places in seen_together(len(self.spec.sizes), [part for part, _ in self.parts.values()]):
            own = [i for i in places if i in scope]
            parts = [(part, count) for part, count in self.parts.values() if part.places and part.places[0] in places]
            if not own or not parts:
                continue
            sizes = [self.spec.sizes[i] if i in rest else 1 for i in places]
            others = [range(self.spec.sizes[i] if i in rest else min(2, self.spec.sizes[i])) for i in own]
            require_feasible(prod(sizes) * prod(map(len, others)) <= MOST_PAIRS, "a part of the mechanism has too many pairs of inputs to go through")
            kinds = dict[Kind, None]()
            for values in product(*map(range, sizes)):
                x = [0] * len(self.spec.sizes)
                for i, value in zip(places, values):
                    x[i] = value
                for changed in product(*others):
                    z = list(x)
                    for i, value in zip(own, changed):
                        z[i] = value
                    kinds[self.kind(tuple(x), tuple(z), parts)] = None
            kinds.pop(frozenset(), None)
            if kinds:
                found.append(list(kinds))
        return found

    def wholes(self, scope: Iterable[int]) -> list[Kind]:
        """Kinds of pairs that differ within the scope, such that for every E one of them has the largest delta."""
        key = frozenset(scope)
        if key not in self.kept:
            wholes: dict[Kind, None] = {frozenset(): None}
            for kinds in self.choices(key):
                left = self.undominated(kinds)
                require_feasible(len(wholes) * len(left) <= MOST_KINDS**2, "pairs of inputs of too many kinds")
                wholes = dict.fromkeys(frozenset((Counter(dict(whole)) + Counter(dict(kind))).items()) for whole in wholes for kind in left)
                require_feasible(len(wholes) <= MOST_KINDS, "pairs of inputs of too many kinds")
            self.kept[key] = list(wholes)
        return self.kept[key]

    def undominated(self, kinds: list[Kind]) -> list[Kind]:
        """Without those that another one dominates."""
        require_feasible(len(kinds) <= MOST_KINDS, "pairs of inputs of too many kinds")
        left: list[Kind] = []
        for kind in kinds:
            if not any(self.dominates(other, kind) for other in left):
                left = [other for other in left if not self.dominates(kind, other)] + [kind]
        return left

    def dominates(self, more: Kind, less: Kind) -> bool:
        """Compares what only one of them has; of n equal parts on both sides, one: powers keep the order."""
        more_only, less_only = Counter(dict(more)) - Counter(dict(less)), Counter(dict(less)) - Counter(dict(more))
        each = gcd(*more_only.values(), *less_only.values())
        try:
            sides = [self.composed(frozenset((number, count // each) for number, count in own.items()), quickly=True) for own in (more_only, less_only)]
        except NotProved:
            return False
        return all(len(own.atoms) <= MOST_COMPARED for own in sides) and sides[0].dominates(sides[1])

    def parts_of(self, kind: Kind) -> list[tuple[Losses, int]]:
        return [(self.losses[number], count) for number, count in sorted(kind)]

    def composed(self, kind: Kind, quickly: bool = False) -> Losses:
        """The loss distribution of all parts together."""
        def times(a: Losses, b: Losses) -> Losses:
            return a.times(b, quickly)
        whole = Losses({(1, 1): (Fraction(1), 1)}, Fraction(0))
        for losses, count in self.parts_of(kind):
            whole = whole.times(powered(losses, count, times), quickly)
        return whole
