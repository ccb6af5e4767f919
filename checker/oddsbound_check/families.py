"""Mechanism families by plain double loops, from their formulas (docs/mechanisms.md), with the conditions on their
parameters."""
from __future__ import annotations

import functools
import itertools
import math
import re
from fractions import Fraction
from typing import Any, Callable, Iterator, Optional, Sequence

from .domain import MOST_CELLS, Domain, Row, cells, labels
from .exact import INFINITE, Exact, quick
from .expression import has_symbols
from .mechanism import Column, Mechanism, Pair, Part, Rows, Tuple, counted_rows, in_brackets, memoized, product
from .numbers import Level, Numbers, is_below, is_smaller, read_all_levels, to_power
from .report import require_feasible
from .reading import Known, Refused, array, every, is_text, items, one_of, require, whole, within

MOST_COUNTED = 1 << 62
MOST_OF_TRUNCATED = 100_000
MOST_OF_HASHING = 1 << 31
MOST_HASHES = 1 << 25  # times missing inputs
MOST_OF_SETS = 1 << 30
MOST_OF_CONTINUOUS = 1 << 20
MOST_COORDINATES = 30
MOST_COPIES = 16
MOST_EXPONENT = 1 << 50
MOST_RUNS = 10_000
MOST_PERMUTED = 256  # outputs of permute_and_flip
MOST_REACH = 4096
MOST_SCORE = 1 << 20
MOST_WINDOW = 4096  # between the scores of an input
MOST_CANDIDATES = 64
MOST_QUERIES = 62
MOST_EXACT = 1 << 16  # bits up to which outputs are counted exactly; even fewer are above all limits
MOST_CHOICES = 200  # of zeta, if the best is wanted
ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)

# By name: required and optional fields
FAMILIES: Known = {
    "k_randomized_response": (("epsilon",), ()), "optimal_binary": (("epsilon_12", "epsilon_21"), ()),
    "hadamard_response": (("epsilon",), ()), "high_low_hadamard_response": (("sensitive", "epsilon"), ()),
    "block_hadamard_response": (("blocks", "epsilon"), ()), "subset_selection": (("epsilon",), ("size",)), "d_bit_flip": (("epsilon", "bits"), ()),
    "unary_encoding": (("epsilon",), ("variant",)), "rappor": (("f", "p", "q"), ("times",)),
    "longitudinal_grr": (("epsilon", "first"), ("times",)), "longitudinal_unary_encoding": (("epsilon",), ("variant", "first", "q", "times")),
    "optimized_local_hashing": (("epsilon",), ("buckets",)), "modular_hash": (("prime", "buckets"), ()), "truncated_geometric": (("epsilon",), ()),
    "discrete_laplace_truncated": (("scale",), ("least", "greatest")),
    "discrete_gaussian_truncated": (("variance",), ("least", "greatest")),
    "discrete_gaussian_wrapped": (("variance", "reach"), ("least", "greatest")),
    "discrete_laplace_clamped": (("scale",), ("least", "greatest")), "discrete_laplace_wrapped": (("scale",), ("least", "greatest")),
    "report_noisy_max": (("scale",), ()), "above_threshold": (("threshold", "threshold_scale", "query_scale"), ("answers",)),
    "optimal_partition_selection": (("epsilon", "delta"), ()),
    "exponential_mechanism": (("epsilon", "outputs", "utility"), ("sensitivity",)), "permute_and_flip": (("epsilon", "outputs", "utility"), ("sensitivity",)), "duchi_hypercube": (("epsilon",), ()),
    "bcdp_mean": (("delta", "epsilon", "q", "zeta"), ("copies",)), "duchi_l2_ball": (("epsilon", "radius"), ()),
    "bcdp_mean_l2": (("delta", "epsilon", "q", "zeta"), ("copies",)),
}


# LDP at their epsilon, on any domain.
LDP_AT_EPSILON = ("k_randomized_response", "hadamard_response", "subset_selection", "d_bit_flip", "unary_encoding", "optimized_local_hashing",
                  "duchi_hypercube")


def share(e: Level, favoured: int, rest: int) -> Any:
    """e * favoured / (e * favoured + rest); its limit for infinite e."""
    return ONE if e is INFINITE else e * favoured / (e * favoured + rest)


def power_above(n: int) -> int:
    return 1 << n.bit_length()


def hadamard_rows(symbols: int, e: Level) -> list[list[Any]]:
    size, true = power_above(symbols), share(e, 1, 1)
    plus, minus = true * Fraction(2, size), (1 - true) * Fraction(2, size)
    return [[minus if bin((i + 1) & y).count("1") % 2 else plus for y in range(size)] for i in range(symbols)]


def numbered(count: int) -> Callable[[], list[str]]:
    return lambda: list(map(str, range(count)))


class Blocks:
    """A mechanism of blocks, which publishes the block and hides the position within it. Blocks share no outputs."""

    def __init__(self, blocks: Callable[[], list[list[Row]]], level: Level):
        self.compute, self.level = blocks, level

    @functools.cached_property
    def blocks(self) -> list[list[Row]]:
        return self.compute()

    @functools.lru_cache(maxsize=None)
    def rows_of(self, size: int) -> list[list[Any]]:
        """The rows of a block with `size` inputs, in the order of the domain."""
        return hadamard_rows(size, self.level)

    def rows(self, domain: Domain) -> Rows:
        rows: dict[Row, list[Any]] = {x: [] for x in domain.rows()}
        for block in self.blocks:
            own = dict(zip(block, self.rows_of(len(block))))
            for x, row in rows.items():
                row += own.get(x, [ZERO] * power_above(len(block)))
        return list(rows.values())


def proportional(weights: list[Any]) -> list[Any]:
    total = sum(weights, ZERO)
    return [weight / total for weight in weights]


def permuted_and_flipped(chances: list[Any]) -> list[Any]:
    """P(y) = q_y * sum over sets S of other outputs of (-1)^|S| * product of their q / (|S| + 1): those of S come before y in
    a random order and are kept, by inclusion and exclusion."""
    found = []
    for y, own in enumerate(chances):
        of_size: list[Any] = [ONE]  # sums over sets of this size
        for z, q in enumerate(chances):
            if z != y:
                of_size = [a + b for a, b in zip(of_size + [ZERO], [ZERO] + [q * p for p in of_size])]
        found.append(own * sum((p * Fraction((-1) ** k, k + 1) for k, p in enumerate(of_size)), ZERO))
    return found


class Laplace:
    """Discrete Laplace noise of this scale, on all integers."""

    def __init__(self, scale: Fraction):
        self.a = Exact.exp(-1 / scale)
        self.power = functools.lru_cache(maxsize=None)(lambda n: self.a ** n)

    def at(self, n: int) -> Any:
        return (1 - self.a) / (1 + self.a) * self.power(abs(n))

    def at_most(self, n: int) -> Any:
        return self.power(-n) / (1 + self.a) if n <= 0 else 1 - self.power(n + 1) / (1 + self.a)

    def at_least(self, n: int) -> Any:
        return self.at_most(-n)


def times(polynomial: list[Any], constant: Any, slope: Any) -> list[Any]:
    """The product with constant + slope X."""
    return [a * constant + b * slope for a, b in zip([*polynomial, ZERO], [ZERO, *polynomial])]


def series(polynomial: list[Any], first: Any, ratio: Any) -> Any:
    """The sum over e = 0, 1, ... of first^e * polynomial(X), with X = ratio^e."""
    return sum((c / (1 - first * ratio ** r) for r, c in enumerate(polynomial) if c != 0), ZERO)


def winners(scores: Sequence[int], noise: Laplace) -> list[Any]:
    """Of the sums of scores and noise, the largest is v: summed over all integers v. The chances beyond the scores are powers of
    the distance."""
    low, high, a, found = min(scores), max(scores), noise.a, []
    for y, own in enumerate(scores):
        before, after = scores[:y], scores[y + 1:]
        total: Any = ZERO
        for v in range(low, high + 1):
            chance = noise.at(v - own)
            for z in before:
                chance = chance * noise.at_most(v - 1 - z)
            for z in after:
                chance = chance * noise.at_most(v - z)
            total = total + chance
        # v = high + 1 + e, and X = a^e. Of the others, those before must be below v, and those after at most v.
        above: list[Any] = [noise.at(high + 1 - own)]
        for z in before:
            above = times(above, ONE, -noise.at_least(high + 1 - z))
        for z in after:
            above = times(above, ONE, -noise.at_least(high + 2 - z))
        total = total + series(above, a, a)
        # v = low - 1 - e: all chances are multiples of a^e.
        below = noise.at(low - 1 - own)
        for z in before:
            below = below * noise.at_most(low - 2 - z)
        for z in after:
            below = below * noise.at_most(low - 1 - z)
        found.append(total + below / (1 - noise.power(len(scores))))
    return found


def words(queries: int, answers: int) -> list[str]:
    """F for a query below the threshold, T for others, until so many are T."""
    if queries == 0 or answers == 0:
        return [""]
    return ["F" + word for word in words(queries - 1, answers)] + ["T" + word for word in words(queries - 1, answers - 1)]


def threshold_row(scores: Sequence[int], threshold: int, of_threshold: Laplace, of_query: Laplace, answers: int) -> list[Any]:
    """Summed over all integers t that the threshold with noise may be. Beyond the scores, the chances are powers of the distance."""
    low, high = min(*scores, threshold), max(*scores, threshold)
    a, b, found = of_threshold.a, of_query.a, []
    for word in words(len(scores), answers):
        total: Any = ZERO
        for t in range(low, high + 1):
            chance = of_threshold.at(t - threshold)
            for letter, score in zip(word, scores):
                chance = chance * (of_query.at_least(t - score) if letter == "T" else of_query.at_most(t - 1 - score))
            total = total + chance
        above, below = [of_threshold.at(high + 1 - threshold)], [of_threshold.at(low - 1 - threshold)]
        for letter, score in zip(word, scores):
            reached, missed = of_query.at_least(high + 1 - score), of_query.at_most(low - 2 - score)
            above = times(above, ZERO, reached) if letter == "T" else times(above, ONE, -reached)
            below = times(below, ONE, -missed) if letter == "T" else times(below, ZERO, missed)
        found.append(total + series(above, a, b) + series(below, a, b))
    return found


class Families:
    numbers: Numbers

    def level(self, value: dict[str, Any], domain: Domain, name: str = "epsilon", of_any_size: bool = False) -> Level:
        require(of_any_size or domain.listed() > 0, "no inputs")
        return within(name, self.numbers.level, value[name])

    @staticmethod
    def response(domain: Domain, truth: Callable[[], Any]) -> Mechanism:
        """truth(): the probability of the input itself; all others are equally likely."""
        k = domain.inputs

        def chances() -> tuple[Any, Any]:
            same = truth()
            return same, (1 - same) / (k - 1) if k > 1 else ZERO

        def rows() -> Rows:
            same, other = chances()
            return [[same if x == y else other for y in range(k)] for x in range(k)]

        def pair() -> list[Pair]:
            same, other = chances()
            return [([same, other, other * (k - 2)], [other, same, other * (k - 2)])]

        def columns() -> list[Column]:
            same, other = chances()
            return [(k, [(1, same), (k - 1, other)])]
        return with_pair(Mechanism(domain, k, domain.labels, rows), pair, columns)

    def m_k_randomized_response(self, value: Any, domain: Domain) -> Mechanism:
        e, k = self.level(value, domain, of_any_size=True), domain.inputs
        return self.response(domain, lambda: share(e, 1, k - 1))

    def m_optimal_binary(self, value: Any, domain: Domain) -> Mechanism:
        a, b = (self.level(value, domain, name) for name in ("epsilon_12", "epsilon_21"))
        require(domain.inputs == 2, f"optimal_binary is for 2 inputs, and here are {domain.inputs}")
        if INFINITE not in (a, b) and (has_symbols(a) or has_symbols(b)):
            require((a * b - 1).is_positive(), "both levels may be 0 for some values of symbols")

        def rows() -> Rows:
            if a is INFINITE and b is INFINITE:
                return [[ONE, ZERO], [ZERO, ONE]]
            if a is INFINITE:
                return [[1 - 1 / b, 1 / b], [ZERO, ONE]]
            if b is INFINITE:
                return [[ONE, ZERO], [1 / a, 1 - 1 / a]]
            if a == 1 and b == 1:
                return [[HALF, HALF], [HALF, HALF]]
            total = b - 1 / a
            return [[(b - 1) / total, (1 - 1 / a) / total], [(b - 1) / a / total, b * (1 - 1 / a) / total]]
        return Mechanism(domain, 2, domain.labels, rows)

    def m_hadamard_response(self, value: Any, domain: Domain) -> Mechanism:
        e, outputs = self.level(value, domain, of_any_size=True), power_above(domain.inputs)

        def pair() -> list[Pair]:
            # Two rows of a Hadamard matrix, neither of them the first one, agree and differ in half of the columns; so each of
            # the four pairs of signs is in a quarter of the columns, and has half of the sign's probability in each row.
            plus, minus = share(e, 1, 1) / 2, (1 - share(e, 1, 1)) / 2
            return [([plus, plus, minus, minus], [plus, minus, plus, minus])]

        def columns() -> list[Column]:
            # Column y has the lowest bit b. Among rows 0 to k, each run of 2^(b+1) rows has equally many signs of each kind. The
            # rows that are left begin with 2^b of one sign, which the higher bits of y choose. Row 0 has sign + and is no input.
            k, size = domain.inputs, outputs
            plus, minus = share(e, 1, 1) * Fraction(2, size), (1 - share(e, 1, 1)) * Fraction(2, size)
            found: list[Column] = [(1, [(k, plus)])]
            for b in range(size.bit_length() - 1):
                full, left = divmod(k + 1, 2 << b)
                count = size >> (b + 1)  # columns with this lowest bit
                first, then = min(left, 1 << b), max(0, left - (1 << b))
                signs: list[tuple[Any, int]] = [(count, first)] if full == 0 else [(Fraction(count, 2), first), (Fraction(count, 2), then)]
                for number, more in signs:
                    same = (full << b) + more - 1
                    found.append((number, [(same, plus), (k - same, minus)]))
            return found
        return with_pair(Mechanism(domain, outputs, numbered(outputs), lambda: hadamard_rows(domain.inputs, e)), pair, columns)

    def m_high_low_hadamard_response(self, value: Any, domain: Domain) -> Mechanism:
        sensitive = sorted(within("sensitive", domain.chosen_inputs, value["sensitive"]))
        e, size = self.level(value, domain), power_above(len(sensitive))
        outputs = size + domain.inputs - len(sensitive)

        def rows() -> Rows:
            hidden = dict(zip(sensitive, hadamard_rows(len(sensitive), e)))
            others = [x for x in domain.rows() if x not in hidden]
            low, more = (1 - share(e, 1, 1)) * Fraction(2, size), 2 * share(e, 1, 1) - 1
            return [hidden[x] + [ZERO] * len(others) if x in hidden else [low] * size + [more if x == other else ZERO for other in others]
                    for x in domain.rows()]
        return Mechanism(domain, outputs, numbered(outputs), rows)

    def m_block_hadamard_response(self, value: Any, domain: Domain) -> Mechanism:
        counts, listed = within("blocks", domain.partition, value["blocks"])
        blocks, sizes = Blocks(listed, self.level(value, domain)), [power_above(count) for count in counts]
        found = Mechanism(domain, sum(sizes), lambda: [f"({b},{y})" for b, size in enumerate(sizes) for y in range(size)],
                          lambda: blocks.rows(domain))
        found.blocks = blocks
        return found

    def m_subset_selection(self, value: Any, domain: Domain) -> Mechanism:
        e, k = self.level(value, domain), domain.inputs
        if "size" in value:
            size = whole(value, "size", 1, max(1, k - 1))
        else:
            require(not has_symbols(e), "the best size depends on symbols")
            size = 1 if e is INFINITE else max(1, nearest(Fraction(k) / (e + 1)))
        least = min(size, k - size)
        counted = least < 62 and math.comb(k, least) < MOST_COUNTED
        require(counted or k < MOST_OF_SETS, f"found {k} inputs, expected fewer than {MOST_OF_SETS}")

        def pair() -> list[Pair]:
            # By whether a set has the first input, the second, both or none; of k inputs, `size` are in it.
            inside = share(e, size, k - size)
            other_too, other_alone = Fraction(size - 1, k - 1), Fraction(size, k - 1)
            both, none = inside * other_too, (1 - inside) * (1 - other_alone)
            first, second = inside * (1 - other_too), (1 - inside) * other_alone
            return [([first, second, both, none], [second, first, both, none])]

        def columns() -> list[Column]:
            inside = share(e, size, k - size)
            return [(1, [(size, inside * k / size), (k - size, (1 - inside) * k / (k - size) if k > size else ZERO)])]

        def rows() -> Rows:
            with_, without = math.comb(k - 1, size - 1), math.comb(k - 1, size)
            inside = share(e, with_, without)
            outside = (1 - inside) / without if without else ZERO
            subsets = list(map(frozenset, itertools.combinations(range(k), size)))
            return [[inside / with_ if x in own else outside for own in subsets] for x in range(k)]
        outputs = math.comb(k, size) if counted else MOST_COUNTED  # even fewer are above all limits
        return with_pair(Mechanism(domain, outputs, lambda: ["{" + ",".join(own) + "}" for own in itertools.combinations(domain.labels(), size)], rows), pair, columns)

    def half_odds(self, value: Any, name: str = "epsilon") -> tuple[Any, Any]:
        """The chances of what is right and wrong with odds e^(level / 2)."""
        e = within(name, self.numbers.level, value[name])
        root = e if e is INFINITE else within(name, to_power, e, HALF)
        right = share(root, 1, 1)
        return right, 1 - right

    def m_d_bit_flip(self, value: Any, domain: Domain) -> Mechanism:
        k = domain.listed()
        right, wrong = self.half_odds(value)
        d = whole(value, "bits", 1, min(k, 62))
        require(math.comb(k, d) << d <= MOST_COUNTED, "d_bit_flip has more than 2^62 outputs for so many inputs")

        def sets() -> Iterator[tuple[int, ...]]:
            return itertools.combinations(range(k), d)

        def every_word() -> Iterator[tuple[int, ...]]:
            return itertools.product((0, 1), repeat=d)

        def rows() -> Rows:
            by_errors = [math.prod([wrong] * errors + [right] * (d - errors)) / math.comb(k, d) for errors in range(d + 1)]
            return [[by_errors[sum(bit != (i == x) for i, bit in zip(own, word))] for own in sets() for word in every_word()] for x in range(k)]

        def names() -> list[str]:
            own = domain.labels()
            return [" ".join(f"{own[i]}:{bit}" for i, bit in zip(chosen, word)) for chosen in sets() for word in every_word()]

        def pair() -> list[Pair]:
            # By which of the two inputs are in the set, and their bits. The other bits are alike for both inputs.
            pairs = k * (k - 1)
            alone, both, neither = Fraction(d * (k - d), pairs), Fraction(d * (d - 1), pairs), Fraction((k - d) * (k - d - 1), pairs)
            kinds = [(alone, right, wrong), (alone, wrong, right), (alone, wrong, right), (alone, right, wrong),
                     (both, right * right, wrong * wrong), (both, wrong * wrong, right * right), (both, 2 * right * wrong, 2 * right * wrong),
                     (neither, ONE, ONE)]
            kinds = [kind for kind in kinds if kind[0] != 0 and (kind[1] != 0 or kind[2] != 0)]
            return [([mass * one for mass, one, _ in kinds], [mass * other for mass, _, other in kinds])]
        return with_pair(Mechanism(domain, math.comb(k, d) << d, names, rows), pair)

    # One bit for every input.

    @staticmethod
    def bits(domain: Domain, times: int, own: Callable[[], Rows]) -> Mechanism:
        """own(): the distribution of the number of ones, for the bit of the input and for any other."""
        own = functools.cache(own)

        def bit(i: int) -> Mechanism:
            return Mechanism(domain, times + 1, numbered(times + 1), lambda: [own()[int(x != i)] for x in range(domain.inputs)])

        @functools.cache  # inputs may be too many for a list of parts
        def made() -> Mechanism:
            parts = [Part(range(len(domain.names)), bit(i)) for i in range(domain.inputs)]
            return product(domain, parts, lambda: Tuple(parts) if times > 1 else Tuple(parts, "", "", ""), in_brackets if times > 1 else "".join)
        outputs = (times + 1) ** min(domain.inputs, MOST_EXACT)
        found = Mechanism(domain, outputs, lambda: made().labels, lambda: made().rows, lambda: made().factors, lambda: made().tree)

        def columns() -> list[Column]:
            # By the number of ones. A bit of the input's own is one or zero, and those of the others have ones - 1 or ones.
            k, ((zero, one), (other_zero, other_one)) = domain.inputs, own()
            return [(math.comb(k, ones), [(ones, one * other_one ** (ones - 1) * other_zero ** (k - ones) if ones else ZERO),
                                          (k - ones, zero * other_one ** ones * other_zero ** (k - ones - 1) if ones < k else ZERO)])
                    for ones in range(k + 1)]
        # The bits of the two inputs have different distributions, and all others the same ones.
        return with_pair(found, lambda: [(own()[0], own()[1]), (own()[1], own()[0])], columns if times == 1 else None)

    def m_unary_encoding(self, value: Any, domain: Domain) -> Mechanism:
        variant = one_of(value, "variant", ("optimized", "symmetric"))
        e = self.level(value, domain)
        if variant == "symmetric" and e is not INFINITE:
            e = within("epsilon", to_power, e, HALF)

        def rows() -> Rows:
            true = share(e, 1, 1)
            own = HALF if variant == "optimized" else true
            return [[1 - own, own], [true, 1 - true]]
        return self.bits(domain, 1, rows)

    def m_rappor(self, value: Any, domain: Domain) -> Mechanism:
        f, p, q = (within(name, self.numbers.probability, value[name]) for name in "fpq")
        times = whole(value, "times", 1, MOST_RUNS, 1)
        domain.listed()
        kept, reports = [[f / 2, 1 - f / 2], [1 - f / 2, f / 2]], [[1 - p, p], [1 - q, q]]
        # Counts of (zeros, ones), those with most zeros first.
        return self.bits(domain, times, lambda: counted_rows(kept, reports, times))

    def m_longitudinal_unary_encoding(self, value: Any, domain: Domain) -> Mechanism:
        e = self.level(value, domain)
        variant = one_of(value, "variant", ("osue", "sue", "oue"))
        times = whole(value, "times", 1, MOST_RUNS, 1)
        domain.listed()
        if variant == "oue":
            require("first" not in value, "the variant oue takes q", "first")
            require("q" in value, "the variant oue needs q", "q")
            q = within("q", self.numbers.probability, value["q"])
            kept, reports = [HALF, 1 - share(e, 1, 1)], [[1 - q, q], [HALF, HALF]]
        else:
            require("q" not in value, "only the variant oue takes q", "q")
            require("first" in value, "the level of a single report is missing", "first")
            first = within("first", self.numbers.level, value["first"])
            require(not is_smaller(e, first), "expected at most epsilon", "first")
            if variant == "osue":
                kept, wanted = [HALF, 1 - share(e, 1, 1)], 1 - share(first, 1, 1)
            else:
                kept, wanted = list(self.half_odds(value)), self.half_odds(value, "first")[1]
            flips = HALF if kept[1] == HALF else (wanted - kept[1]) / (1 - 2 * kept[1])
            reports = [[1 - flips, flips], [flips, 1 - flips]]
        return self.bits(domain, times, lambda: counted_rows([[1 - one, one] for one in kept], reports, times))

    def m_longitudinal_grr(self, value: Any, domain: Domain) -> Mechanism:
        e, first = self.level(value, domain), within("first", self.numbers.level, value["first"])
        require(not is_smaller(e, first), "expected at most epsilon", "first")
        runs = whole(value, "times", 1, MOST_RUNS, 1)
        k = domain.listed()

        # A report is the kept answer with probability p', so that p p' + (1 - p) (1 - p') / (k - 1) is that of `first`.
        p, wanted = share(e, 1, k - 1), share(first, 1, k - 1)
        if k == 1:
            truth: Any = ONE
        else:
            truth = Fraction(1, k) if p * k == 1 else ((k - 1) * wanted - (1 - p)) / (k * p - 1)
        if runs > 1:
            return memoized(domain, self.response(domain, lambda: p), self.response(domain, lambda: truth), runs)
        return self.response(domain, lambda: p * truth + (1 - p) * (1 - truth) / (k - 1) if k > 1 else ONE)

    def m_optimized_local_hashing(self, value: Any, domain: Domain) -> Mechanism:
        e, k = self.level(value, domain, of_any_size=True), domain.inputs
        if "buckets" in value:
            buckets = whole(value, "buckets", 2, 1_000_000)
        else:
            require(e is not INFINITE, "an infinite epsilon needs the number of 'buckets'", "epsilon")
            require(not has_symbols(e), "the best number of buckets depends on symbols")
            buckets = max(2, nearest(e + 1))
            require(buckets <= 1_000_000, "expected 2 to 1000000 buckets")
        too_many = "optimized_local_hashing has more than 2^62 outputs for so many inputs"
        prime = max(k, buckets, 2)
        require(prime <= MOST_OF_HASHING, too_many)
        while any(prime % d == 0 for d in range(2, math.isqrt(prime) + 1)):
            prime += 1

        require(prime * (prime - 1) * buckets <= MOST_COUNTED, too_many)

        def pair() -> list[Pair]:
            # A random function sends two inputs to any two different residues, equally often; b and c of the residues are in
            # the buckets of the two. By whether the answer is the bucket of the first input, the second, both or none.
            sizes = [len(range(bucket, prime, buckets)) for bucket in range(buckets)]
            same = Fraction(sum(size * (size - 1) for size in sizes), prime * (prime - 1))
            true = share(e, 1, buckets - 1)
            lie = (1 - true) / (buckets - 1)
            none = lie * (same * (buckets - 1) + (1 - same) * (buckets - 2))
            return [([true * (1 - same), lie * (1 - same), true * same, none], [lie * (1 - same), true * (1 - same), true * same, none])]

        def columns() -> list[Column]:
            # All residues fill the buckets evenly. Those of the inputs k, ..., prime - 1, which do not exist, are missing: for
            # each a they are one set of residues, moved by every b.
            require_feasible((prime - k) * prime * prime <= MOST_HASHES, "the sizes of the buckets of all hash functions")
            sizes = [len(range(bucket, prime, buckets)) for bucket in range(buckets)]
            counts: dict[int, int] = {}
            for size in sizes:
                counts[size] = counts.get(size, 0) + prime * (prime - 1)
            bucket_of = [r % buckets for r in range(prime)] * 2
            for a in range(1, prime) if k < prime else ():
                missing = [a * j % prime for j in range(prime - k)]
                for b in range(prime):
                    gone = [bucket_of[r + b] for r in missing]
                    for bucket in set(gone):
                        counts[sizes[bucket]] -= 1
                        left = sizes[bucket] - gone.count(bucket)
                        counts[left] = counts.get(left, 0) + 1
            true = share(e, 1, buckets - 1)
            chosen, other = true / (prime * (prime - 1)), (1 - true) / (buckets - 1) / (prime * (prime - 1))
            return [(count, [(size, chosen), (k - size, other)]) for size, count in counts.items()]

        def functions() -> Iterator[tuple[int, int]]:
            return itertools.product(range(1, prime), range(prime))

        def rows() -> Rows:
            true = share(e, 1, buckets - 1)
            chosen, other = true / (prime * (prime - 1)), (1 - true) / (buckets - 1) / (prime * (prime - 1))
            return [[chosen if (a * x + b) % prime % buckets == y else other for a, b in functions() for y in range(buckets)] for x in range(k)]
        return with_pair(Mechanism(domain, prime * (prime - 1) * buckets,
                                   lambda: [f"({a},{b},{y})" for a, b in functions() for y in range(buckets)], rows), pair, columns)

    def m_modular_hash(self, value: Any, domain: Domain) -> Mechanism:
        prime = whole(value, "prime", 2, 1000)
        require(all(prime % d for d in range(2, math.isqrt(prime) + 1)), "expected a prime", "prime")
        buckets, seeds = whole(value, "buckets", 1, prime), prime * (prime - 1)
        require(len(domain.names) > 1 and domain.sizes[0] == seeds, f"the first coordinate needs {seeds} values")
        values = domain.listed() // seeds
        require(values <= prime, "more values than the prime")

        def rows() -> Rows:
            hashes = ((a * x + b) % prime % buckets for a in range(1, prime) for b in range(prime) for x in range(values))
            return [[ONE if y == own else ZERO for y in range(buckets)] for own in hashes]
        return Mechanism(domain, buckets, numbered(buckets), rows)

    # Numbers with noise.

    def m_truncated_geometric(self, value: Any, domain: Domain) -> Mechanism:
        e, k = self.level(value, domain), domain.inputs
        require(k <= MOST_OF_TRUNCATED, f"truncated_geometric is for at most {MOST_OF_TRUNCATED} inputs")

        def rows() -> Rows:
            alpha = ZERO if e is INFINITE else 1 / e
            powers = list(itertools.accumulate(range(k), lambda power, _: power * alpha, initial=ONE))
            end = [power / (1 + alpha) for power in powers]
            inner = [power * (1 - alpha) for power in end]
            return [[(end if z in (0, k - 1) else inner)[abs(x - z)] for z in range(k)] for x in range(k)] if k > 1 else [[ONE]]
        return Mechanism(domain, k, domain.labels, rows)

    def window(self, value: Any, domain: Domain, name: str, exponent: Callable[[int, Fraction], Fraction]) -> Mechanism:
        number = within(name, self.numbers.positive_ratio, value[name])
        least, greatest = whole(value, "least", default=0), whole(value, "greatest", default=domain.listed() - 1)
        require(least <= 0, "expected at most 0, the first input", "least")
        require(greatest >= domain.listed() - 1, f"expected at least {domain.inputs - 1}, the last input", "greatest")
        cells(domain.inputs, greatest - least + 1)

        def rows() -> Rows:
            found = []
            for x in range(domain.inputs):
                weights = [Exact.exp(exponent(abs(y - x), number)) for y in range(least, greatest + 1)]
                total = sum(weights, Exact.of(ZERO))
                found.append([w / total for w in weights])
            return found
        return Mechanism(domain, greatest - least + 1, lambda: list(map(str, range(least, greatest + 1))), rows)

    def m_discrete_laplace_truncated(self, value: Any, domain: Domain) -> Mechanism:
        return self.window(value, domain, "scale", lambda n, scale: -n / scale)

    def m_discrete_gaussian_truncated(self, value: Any, domain: Domain) -> Mechanism:
        found = self.window(value, domain, "variance", lambda n, variance: -n * n / (2 * variance))
        variance = self.numbers.positive_ratio(value["variance"])
        # The program's sampler draws with discrete Laplace noise of this scale, and computes these exponents.
        scale = math.isqrt(variance.numerator // variance.denominator) + 1
        top, bottom, last = variance.numerator, variance.denominator, found.outputs - 1
        most = max((last * scale * bottom) ** 2, top ** 2, 2 * top * bottom * scale ** 2)
        for n in range(found.outputs if most > MOST_EXPONENT else 0):
            exponent = (n - variance / scale) ** 2 / (2 * variance)
            require(max(exponent.numerator, exponent.denominator) <= MOST_EXPONENT, "the fraction is too long for the sampler on this window", "variance")
        return found

    def m_discrete_gaussian_wrapped(self, value: Any, domain: Domain) -> Mechanism:
        found = self.window(value, domain, "variance", lambda n, variance: -n * n / (2 * variance))
        variance, least = self.numbers.positive_ratio(value["variance"]), whole(value, "least", default=0)
        reach = whole(value, "reach", 0, MOST_REACH)
        scale = math.isqrt(variance.numerator // variance.denominator) + 1
        for n in range(reach + 1):  # the exponents of the program's sampler
            exponent = (n - variance / scale) ** 2 / (2 * variance)
            require(max(exponent.numerator, exponent.denominator) <= MOST_EXPONENT, "the fraction is too long for the sampler on this window", "variance")

        def rows() -> Rows:
            weights = {n: Exact.exp(-n * n / (2 * variance)) for n in range(-reach, reach + 1)}
            total = sum(weights.values(), Exact.of(ZERO))
            chances: list[Any] = [ZERO] * found.outputs
            for n, weight in weights.items():
                chances[n % found.outputs] = chances[n % found.outputs] + weight
            chances = [chance / total for chance in chances]
            return [[chances[(y + least - x) % found.outputs] for y in range(found.outputs)] for x in range(domain.inputs)]
        found.compute_rows = rows
        return found

    # Integers with noise, compared.

    @staticmethod
    def scores(domain: Domain, more: Sequence[int] = ()) -> list[list[int]]:
        """The values of every input, which are integers."""
        cells(domain.listed(), len(domain.names))
        own: list[list[int]] = []
        for name, values in zip(domain.names, domain.values):
            require(all(re.fullmatch("-?[0-9]+", value) for value in values), f"expected integers as values of {name[:60]!r}")
            own.append([])
            for value in values:
                digits = value.lstrip("-0")
                size = int(digits or "0") if len(digits) < 20 else MOST_SCORE + 1
                own[-1].append(-size if value.startswith("-") else size)
            require(all(abs(score) <= MOST_SCORE for score in own[-1]), f"the values of {name[:60]!r} are too large")
        found = [[scores[v] for scores, v in zip(own, x)] for x in domain.rows()]
        for scores in found:
            require(max(*scores, *more, scores[0]) - min(*scores, *more, scores[0]) < MOST_WINDOW, "the scores of an input differ by too much")
        return found

    def m_report_noisy_max(self, value: Any, domain: Domain) -> Mechanism:
        noise = Laplace(within("scale", self.numbers.positive_ratio, value["scale"]))
        require(len(domain.names) <= MOST_CANDIDATES, f"found {len(domain.names)} coordinates, expected at most {MOST_CANDIDATES}")
        scores = self.scores(domain)
        cells(domain.inputs, len(domain.names))
        return Mechanism(domain, len(domain.names), lambda: list(domain.names), lambda: [winners(own, noise) for own in scores])

    def m_above_threshold(self, value: Any, domain: Domain) -> Mechanism:
        queries = len(domain.names)
        require(queries <= MOST_QUERIES, f"found {queries} coordinates, expected at most {MOST_QUERIES}")
        threshold, answers = whole(value, "threshold", -MOST_SCORE, MOST_SCORE), whole(value, "answers", 1, queries, 1)
        of_threshold, of_query = (Laplace(within(name, self.numbers.positive_ratio, value[name])) for name in ("threshold_scale", "query_scale"))
        count = [[1] * (answers + 1)]
        for _ in range(queries):
            count.append([1] + [count[-1][c] + count[-1][c - 1] for c in range(1, answers + 1)])
        outputs = count[queries][answers]
        cells(domain.listed(), outputs)
        scores = self.scores(domain, [threshold])
        return Mechanism(domain, outputs, lambda: words(queries, answers),
                         lambda: [threshold_row(own, threshold, of_threshold, of_query, answers) for own in scores])

    def m_optimal_partition_selection(self, value: Any, domain: Domain) -> Mechanism:
        e, delta = self.level(value, domain), within("delta", self.numbers.probability, value["delta"])
        require(e is not INFINITE and not has_symbols(e), "expected a finite level without symbols", "epsilon")
        require(not has_symbols(delta), "expected a number without symbols", "delta")
        cells(domain.listed(), 2)

        def rows() -> Rows:
            kept: list[Any] = [ZERO]
            while len(kept) < domain.inputs:
                last = kept[-1]
                kept.append(last if last == 1 else min(e * last + delta, 1 - (1 - last - delta) / e, ONE))
            return [[1 - p, p] for p in kept]
        return Mechanism(domain, 2, lambda: ["drop", "keep"], rows)

    def m_discrete_laplace_clamped(self, value: Any, domain: Domain) -> Mechanism:
        found = self.window(value, domain, "scale", lambda n, scale: -n / scale)
        scale, least = self.numbers.positive_ratio(value["scale"]), whole(value, "least", default=0)

        def rows() -> Rows:
            a, last = Exact.exp(-1 / scale), found.outputs - 1
            within_window = [Exact.exp(-n / scale) * (1 - a) / (1 + a) for n in range(last + 1)]
            # The upper tail from n on, which is the lower one up to -n.
            tail = [Exact.exp(-n / scale) / (1 + a) for n in range(last + 1)]
            return [[(tail if y in (0, last) else within_window)[abs(y + least - x)] for y in range(last + 1)] if last else [ONE] for x in range(domain.inputs)]
        found.compute_rows = rows
        return found

    def m_discrete_laplace_wrapped(self, value: Any, domain: Domain) -> Mechanism:
        found = self.window(value, domain, "scale", lambda n, scale: -n / scale)
        scale, least = self.numbers.positive_ratio(value["scale"]), whole(value, "least", default=0)

        def rows() -> Rows:
            weights = [Exact.exp(-n / scale) + Exact.exp(-(found.outputs - n) / scale) for n in range(found.outputs)]
            total = sum(weights, Exact.of(ZERO))
            chances = [weight / total for weight in weights]
            return [[chances[(y + least - x) % found.outputs] for y in range(found.outputs)] for x in range(domain.inputs)]
        found.compute_rows = rows
        return found

    def selection(self, value: Any, domain: Domain, of_row: Callable[[list[Any]], list[Any]], most: int) -> Mechanism:
        """of_row: the probabilities from e^(epsilon u / (2 sensitivity)) for a row of utilities u; relative to the largest one
        if `most` limits the outputs."""
        e, names = self.level(value, domain), within("outputs", labels, value["outputs"])
        rows = items(value, "utility", "rows of numbers")
        require(len(rows) == domain.listed(), f"found {len(rows)} rows, expected one for each of the {domain.inputs} inputs", "utility")
        utility = [within(("utility", k), every, within(("utility", k), array, row, "numbers"), self.numbers.rational) for k, row in enumerate(rows)]
        require(e is not INFINITE, "found inf, expected a finite level", "epsilon")
        cells(domain.inputs, len(names))
        for k, row in enumerate(utility):
            require(len(row) == len(names), f"found {len(row)} numbers, expected one for each of the {len(names)} outputs", "utility", k)
        if "sensitivity" in value:
            sensitivity = within("sensitivity", self.numbers.positive, value["sensitivity"])
        else:
            sensitivity = max(max(column) - min(column) for column in zip(*utility)) or ONE
        require(len(names) <= most, f"found {len(names)} outputs, expected at most {most}", "outputs")
        largest = [max(row) if most < MOST_CELLS else ZERO for row in utility]
        weights = {u: within("epsilon", to_power, e, u / (2 * sensitivity)) for u in {u - top for row, top in zip(utility, largest) for u in row}}
        return Mechanism(domain, len(names), lambda: list(names), lambda: [of_row([weights[u - top] for u in row]) for row, top in zip(utility, largest)])

    def m_exponential_mechanism(self, value: Any, domain: Domain) -> Mechanism:
        return self.selection(value, domain, proportional, MOST_CELLS)

    def m_permute_and_flip(self, value: Any, domain: Domain) -> Mechanism:
        return self.selection(value, domain, permuted_and_flipped, MOST_PERMUTED)

    # The hypercube: every coordinate has two values.

    @staticmethod
    def require_hypercube(domain: Domain) -> None:
        for name, size in zip(domain.names, domain.sizes):
            require(size == 2, f"every coordinate must have 2 values, and {name[:60]!r} has {size}")
        require(len(domain.names) <= MOST_COORDINATES, f"the hypercube mechanism is for at most {MOST_COORDINATES} coordinates")
        domain.listed()

    @staticmethod
    def hypercube(domain: Domain, e: Level) -> Mechanism:
        """An output that agrees with the input in more than half of the coordinates, with the odds e, or another one."""
        def rows() -> Rows:
            d, inputs = len(domain.names), list(domain.rows())
            agreeing = sum(math.comb(d, k) for k in range(d + 1) if 2 * k > d)
            together = share(e, agreeing, 2 ** d - agreeing)
            near, far = together / agreeing, (1 - together) / (2 ** d - agreeing)
            return [[near if 2 * sum(a == b for a, b in zip(v, z)) > d else far for z in inputs] for v in inputs]
        return Mechanism(domain, domain.inputs, domain.labels, rows)

    def m_duchi_hypercube(self, value: Any, domain: Domain) -> Mechanism:
        e = self.level(value, domain)
        self.require_hypercube(domain)
        return self.hypercube(domain, e)

    def budget(self, value: Any, domain: Domain) -> tuple[list[int], list[Any]]:
        """For bcdp_mean: the coordinates in the order of steps, and exp of the budget of each step, of one copy."""
        delta = within("delta", read_all_levels, self.numbers, domain, value["delta"])
        epsilon, q = within("epsilon", self.numbers.level, value["epsilon"]), self.correlations(value["q"], domain)
        order: list[int] = []
        for i, level in enumerate(delta):  # insertion, stable
            place = len(order)
            while place > 0 and is_smaller(level, delta[order[place - 1]]):
                place -= 1
            order.insert(place, i)
        capped = [smaller(delta[i], epsilon) for i in order]
        require(INFINITE not in capped, "found inf, and some delta is inf as well", "epsilon")
        copies = whole(value, "copies", 1, MOST_COPIES, 1)
        given = [number for number in q if number is not None]
        symbols = any(has_symbols(number) for number in (*capped, *given))
        require(not (symbols and isinstance(value["q"], dict)), "expected one number where a level depends on a symbol", "q")
        q = [q[i] for i in order]
        require(copies == 1 or not symbols, "expected 1 where a level depends on a symbol", "copies")
        if is_text(value["zeta"]) and value["zeta"] == "best":
            require(not symbols, "found 'best', expected a number where q or a level depends on a symbol", "zeta")
            require(capped[0] != 1, "found 'best', expected a number where the least delta is 0", "zeta")
            levels = best_levels(capped, q, copies)
        else:
            zeta = within("zeta", self.numbers.rational, value["zeta"])
            require(0 < zeta <= 1, "expected a rational number above 0, at most 1", "zeta")
            levels = cumulative(capped, q, zeta)
        if isinstance(value["q"], dict):
            places: list[int] = []
            for i, level in enumerate(levels):  # insertion, stable
                place = len(places)
                while place > 0 and is_smaller(level, levels[places[place - 1]]):
                    place -= 1
                places.insert(place, i)
            order, levels = [order[i] for i in places], [levels[i] for i in places]
        steps = quotients(levels)
        return order, steps if copies == 1 else [rounded_root(step, copies) for step in steps]

    def correlations(self, value: Any, domain: Domain) -> list[Any]:
        """By coordinate; None: not bounded."""
        if not isinstance(value, dict):
            return [within("q", self.numbers.probability, value)] * len(domain.names)
        found: list[Any] = [None] * len(domain.names)
        require(len(value) > 0, "no coordinate", "q")
        for name, bound in value.items():
            require(name in domain.names, f"there is no coordinate {name[:60]!r}", "q")
            found[domain.names.index(name)] = within("q", self.numbers.probability, bound)
        return found

    def m_bcdp_mean(self, value: Any, domain: Domain) -> Mechanism:
        order, steps = self.budget(value, domain)
        self.require_hypercube(domain)
        parts = [Part(order[k:], self.hypercube(domain.restricted(order[k:]), step)) for k, step in enumerate(steps) if step != 1]
        parts *= whole(value, "copies", 1, MOST_COPIES, 1)
        if not parts:
            return Mechanism(domain, 1, lambda: ["()"], lambda: [[ONE]] * domain.inputs)
        found = product(domain, parts, lambda: Tuple(parts), in_brackets)
        if value["zeta"] == "best":
            found.unnamed = "the outputs of \"zeta\": \"best\" depend on rounded numbers, so no spec can refer to them"
        return found

    # Continuous outputs: only the parameters are read.

    @staticmethod
    def vectors(domain: Domain) -> list[tuple[float, ...]]:
        require(domain.inputs <= MOST_OF_CONTINUOUS, f"a continuous mechanism is for at most {MOST_OF_CONTINUOUS} inputs")
        read = Numbers().number
        return list(itertools.product(*([float_of(within(name, read, value)) for value in own] for name, own in zip(domain.names, domain.values))))

    def m_duchi_l2_ball(self, value: Any, domain: Domain) -> Mechanism:
        level, radius = within("epsilon", self.numbers.level, value["epsilon"]), within("radius", self.numbers.number, value["radius"])
        require(level is not INFINITE and not has_symbols(level) and level != 1, "expected a positive, finite level", "epsilon")
        require(not has_symbols(radius) and radius > 0, "expected more than 0", "radius")
        longest = float_of(radius) * (1 + 1e-12)
        require(all(math.sqrt(sum(v * v for v in x)) <= longest for x in self.vectors(domain)), "an input is longer than the radius", "radius")
        return without_rows(domain)

    def m_bcdp_mean_l2(self, value: Any, domain: Domain) -> Mechanism:
        require(all(abs(v) <= 1 for x in self.vectors(domain) for v in x), "an input leaves [-1, 1]")
        self.budget(value, domain)
        return without_rows(domain)


def with_pair(found: Mechanism, pair: Callable[[], list[Pair]], columns: Optional[Callable[[], list[Column]]] = None) -> Mechanism:
    if found.inputs > 1:
        found.pair, found.columns = pair, columns
    return found


def without_rows(domain: Domain) -> Mechanism:
    """A mechanism that is sampled only."""
    def missing() -> Any:
        raise ValueError("a mechanism without a finite list of outputs")
    return Mechanism(domain, 0, missing, missing, is_part=False)


def float_of(number: Any) -> float:
    near = quick(number)
    return math.nan if near is None else float(near)


def smaller(a: Level, b: Level) -> Level:
    return a if is_smaller(a, b) else b


def nearest(number: Any) -> int:
    """The nearest integer to a positive number, halves up, by bisection."""
    n, size = 0, 1
    while number >= size:
        size *= 2
    while size:
        n += size if number + HALF >= n + size else 0
        size //= 2
    return n


# The steps of bcdp_mean. Levels are represented by their exponentials.

def cumulative(capped: Sequence[Level], q: Sequence[Any], zeta: Fraction) -> list[Any]:
    """exp(c), by increasing delta. The LDP level of all steps is kept so small that every coordinate with a bound keeps
    1 - zeta of its delta, except the last one; one without a bound needs an LDP level of at most its delta."""
    last = capped[-1]
    for i in range(max(len(capped) - 1, 1)):
        bound = q[i]
        if bound is None:
            last = smaller(last, capped[i])
        elif bound != 0 and not any(q[j] is not None and (q[j] == bound or is_below(bound, q[j])) for j in range(i)):
            last = smaller(last, (within("zeta", to_power, capped[i], zeta) + bound - 1) / bound)
    return [level / (1 + bound * last - bound) if is_below(level, last) else last for level, bound in zip(capped[:-1], q)] + [last]


def quotients(levels: Sequence[Any]) -> list[Any]:
    return [b / a for a, b in zip([ONE, *levels], levels)]


def rounded_root(value: Any, degree: int) -> Fraction:
    """The root, rounded down to a multiple of 2^-20."""
    low, high = 2 ** 20, 2 ** 60 + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if value >= Fraction(middle, 2 ** 20) ** degree else (low, middle)
    return Fraction(low, 2 ** 20)


def best_levels(capped: Sequence[Level], q: Sequence[Any], copies: int) -> list[Any]:
    """For "zeta": "best": the least error among the choices that can be written exactly, by rounded numbers. No level
    of privacy depends on the choice."""
    def logarithms(levels: Sequence[Any]) -> list[float]:
        logs = [0.0, *sorted(float(quick(level).ln()) for level in levels)]
        return [max(0.0, b - a) / copies for a, b in zip(logs, logs[1:])]
    found = [capped[0]] * len(capped)
    least: Optional[float] = hypercube_error(logarithms(found))
    for part in range(1, MOST_CHOICES):
        try:
            levels = cumulative(capped, q, Fraction(part, MOST_CHOICES))
        except Refused:
            continue
        error = hypercube_error(logarithms(levels))
        if least is None or (error is not None and error < least * (1 - 1e-9)):
            found, least = levels, error
    return found


def hypercube_error(steps: Sequence[float]) -> Optional[float]:
    """The mean squared error of one answer of Mechanism 1, by enumerating the answers of a step; None if infinite."""
    total, d = 0.0, len(steps)
    for place in range(d):
        weights = [steps[k] ** 2 / (d - k) for k in range(place + 1)]
        if sum(weights) == 0:
            return None
        for k in range(place + 1):
            if steps[k] > 0:
                m, e = d - k, math.exp(steps[k])
                chances = {a: math.comb(m, a) * (e if 2 * a > m else 1) for a in range(m + 1)}  # a coordinates agree
                mean = sum((2 * a - m) / m * chance for a, chance in chances.items()) / sum(chances.values())
                total += (weights[k] / sum(weights)) ** 2 * (1 / mean ** 2 - 1)
    return total
