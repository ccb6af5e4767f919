"""Bounds of delta(E) = sum of max(0, P(y) - E Q(y)) for independent parts with too many combinations of ratios to list.

Masses are integers over 2^bits, rounded to the safe side. Floats only choose what is merged, and where: no bound rests on
them.
"""
from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log2
from typing import Any, Iterable, Optional, Sequence

from .decimals import Arithmetic
from .intervals import Enclosures
from .losses import Losses, powered
from .report import require_feasible

MOST_POINTS = 2**17
MOST_SPARSE = 64  # masses that are multiplied one by one
MOST_BITS = 2**14
SMALLEST_LOG = 1e-9
MOST_STEPS = 64  # powers of one ratio that all are
Parts = Sequence[tuple[Losses, int]]  # with how often each occurs


class Numbers:
    """Masses over 2^bits."""

    def __init__(self, bits: int) -> None:
        self.bits, self.one, self.enclosures = bits, 1 << bits, Enclosures(bits + 32)

    def down(self, value: Any) -> int:
        return floor(self.enclosures.of(value)[0] * self.one)

    def up(self, value: Any) -> int:
        return ceil(self.enclosures.of(value)[1] * self.one)

    def log(self, value: Any) -> float:
        """About the logarithm to base 2."""
        high = self.enclosures.of(value)[1]
        return log2(high.numerator) - log2(high.denominator)


# The lower bound. Outputs that are merged, or left out, form an event: its P - E Q is at most delta. So each atom (p, q)
# says that some outputs have at least p under P and at most q under Q, and any atoms may be added up.

Atoms = list[tuple[int, int]]


def at_least(parts: Parts, factor: Any, bits: int, most: int) -> Fraction:
    """most: atoms that are kept, of nearly equal ratios."""
    smallest, bits = bits * 3 // 4, bits + max(0, ceil(Numbers(64).log(factor)))  # P is up to E times Q
    require_feasible(bits <= MOST_BITS, "an epsilon that is too large")
    numbers, whole = Numbers(bits), [(1 << bits, 1 << bits)]

    def times(a: Atoms, b: Atoms) -> Atoms:
        return merged([(p * r >> bits, -(-q * s >> bits)) for p, q in a for r, s in b], most, 1 << bits - smallest)
    for losses, count in parts:
        own = [(numbers.down(mass), numbers.up(mass / ratio)) for ratio, mass in losses.pairs()]
        whole = times(whole, powered([*own, (numbers.down(losses.infinite), 0)], count, times))
    least = numbers.up(factor)
    return Fraction(sum(max(0, (p << bits) - least * q) for p, q in whole), 1 << 2 * bits)


def merged(atoms: Atoms, most: int, smallest: int) -> Atoms:
    """Leaves out masses below the smallest."""
    atoms = [(p, q) for p, q in atoms if p >= smallest]
    ratios = [log2(p) - log2(q) if q else None for p, q in atoms]
    finite = [ratio for ratio in ratios if ratio is not None]
    first, width = min(finite, default=0.0), max((max(finite, default=0.0) - min(finite, default=0.0)) / most, 1e-9)
    found: dict[Optional[int], tuple[int, int]] = {}
    for (p, q), ratio in zip(atoms, ratios):
        place = None if ratio is None else int((ratio - first) / width)
        own = found.get(place, (0, 0))
        found[place] = own[0] + p, own[1] + q
    return list(found.values())


# The upper bound. All ratios become powers of one number: an atom between two of them is split, such that its masses under
# P and under Q both stay. Merging undoes the split, so delta does not fall, whatever the other parts are (chords of a convex
# function). More mass, and mass at larger ratios, do not lower delta either. Powers of one number multiply as polynomials.

class Grid:
    """masses[k]: the mass under P of the ratio base^(low + k). infinite: that of outputs which Q lacks."""

    def __init__(self, low: int, masses: list[int], infinite: int) -> None:
        self.low, self.masses, self.infinite = low, masses, infinite

    def times(self, other: Grid, bits: int, tail: int) -> Grid:
        require_feasible(len(self.masses) + len(other.masses) <= MOST_POINTS, "the losses of the parts have too many sums")
        masses = [-(-mass >> bits) for mass in convolved(self.masses, other.masses)]
        infinite = self.infinite * (sum(other.masses) + other.infinite) + other.infinite * sum(self.masses)
        return Grid(self.low + other.low, masses, -(-infinite >> bits)).trimmed(tail)

    def trimmed(self, tail: int) -> Grid:
        """Without points of hardly any mass at both ends. Their masses move up."""
        first, last, moved, beyond = 0, len(self.masses), 0, 0
        while first < last - 1 and moved + self.masses[first] <= tail:
            moved, first = moved + self.masses[first], first + 1
        while last > first + 1 and beyond + self.masses[last - 1] <= tail:
            beyond, last = beyond + self.masses[last - 1], last - 1
        masses = self.masses[first:last]
        if masses:
            masses[0] += moved
        return Grid(self.low + first, masses, self.infinite + beyond)


def convolved(a: list[int], b: list[int]) -> list[int]:
    few, many = sorted((a, b), key=lambda own: sum(1 for mass in own if mass))
    if not (few and many):
        return []
    if sum(1 for mass in few if mass) <= MOST_SPARSE:
        found = [0] * (len(a) + len(b) - 1)
        for k, mass in enumerate(few):
            if mass:
                found[k:k + len(many)] = [own + mass * other for own, other in zip(found[k:k + len(many)], many)]
        return found
    # The coefficients of a product of polynomials, as digits of a product of integers.
    size = (max(a).bit_length() + max(b).bit_length() + len(few).bit_length()) // 8 + 1
    left, right = (int.from_bytes(b"".join(mass.to_bytes(size, "little") for mass in own), "little") for own in (a, b))
    digits = (left * right).to_bytes(size * (len(a) + len(b)), "little")
    return [int.from_bytes(digits[k * size:(k + 1) * size], "little") for k in range(len(a) + len(b) - 1)]


def common_base(ratios: Iterable[Any], numbers: Numbers) -> Any:
    """A number > 1 that all ratios are powers of; None if it is not found at once."""
    above = [max(ratio, 1 / ratio) for ratio in ratios if ratio != 1]
    base = min(above, default=Fraction(2))
    if numbers.log(base) < SMALLEST_LOG:
        return None
    powers = [(ratio, round(numbers.log(ratio) / numbers.log(base))) for ratio in above]
    return base if all(0 < power <= MOST_STEPS and base ** power == ratio for ratio, power in powers) else None


def at_most(parts: Parts, factor: Any, bits: int, fineness: int, tail: int) -> Fraction:
    """fineness: ratios become powers of 1 + 2^-fineness, unless all are powers of one number anyway. tail: a mass that may
    move up in a step."""
    numbers = Numbers(bits)
    base = common_base([ratio for losses, _ in parts for ratio, _ in losses.pairs()], numbers)
    exact, base = base is not None, 1 + Fraction(1, 1 << fineness) if base is None else base
    whole = Grid(0, [1 << bits], 0)
    for losses, count in parts:
        own = on_grid(losses, base, exact, numbers)
        whole = whole.times(powered(own, count, lambda a, b: a.times(b, bits, tail)), bits, tail)
    return excess(whole, base, factor, numbers)


def on_grid(losses: Losses, base: Any, exact: bool, numbers: Numbers) -> Grid:
    masses: dict[int, int] = {}
    for ratio, mass in losses.pairs():
        k, above = round(numbers.log(ratio) / numbers.log(base)), Fraction(0)
        require_feasible(abs(k) < MOST_POINTS, "a ratio beyond the grid")
        if not exact:
            ratio = numbers.enclosures.of(ratio)[1]  # a larger one
            k += (base ** (k + 1) <= ratio) - (base ** k > ratio)
            above = base * (1 - base ** k / ratio) / (base - 1)
        require_feasible(base ** k == ratio if exact else 0 <= above <= 1, "a ratio beyond the range of floats")
        for place, part in ((k, 1 - above), (k + 1, above)):
            if part:
                masses[place] = masses.get(place, 0) + numbers.up(mass * part)
    low = min(masses, default=0)
    return Grid(low, [masses.get(k, 0) for k in range(low, max(masses, default=low - 1) + 1)], numbers.up(losses.infinite))


def excess(grid: Grid, base: Any, factor: Any, numbers: Numbers) -> Fraction:
    """An upper bound of infinite + sum of mass (1 - E / ratio) over the ratios above E."""
    at, most, k = Arithmetic(numbers.bits // 3 + 20), numbers.up(base), max(grid.low, floor(numbers.log(factor) / numbers.log(base)) - 2)

    def quotient(k: int) -> int:
        """E / base^k, rounded down."""
        return floor(Fraction(at.exp(at.add(at.nats(factor), at.times(at.signed(Fraction(-k)), at.ln(at.of(base)))))[0]) * numbers.one)
    while k > grid.low and quotient(k) < numbers.one:  # nothing above 0 comes before
        k = max(grid.low, k - 16)
    least, total = quotient(k), 0
    for mass in grid.masses[k - grid.low:]:
        total += mass * max(0, numbers.one - least)
        least = (least << numbers.bits) // most
    return Fraction(grid.infinite, numbers.one) + Fraction(total, numbers.one ** 2)
