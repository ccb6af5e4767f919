"""Mechanism families: the parameters of each, and their conditions (docs/mechanisms.md)."""
import itertools
import math
from fractions import Fraction

from .exact import INFINITE, quick
from .expression import has_symbols, number as parse_number
from .strict_claim_fields import Fields
from .strict_numbers import is_below, to_power
from .strict_reading import array, cells, every, fields, integer, is_text, labels, require, within
from .strict_shapes import Shape

MOST_COUNTED = 1 << 62
MOST_OF_TRUNCATED = 100_000
MOST_OF_HASHING = 1_000_000
MOST_OF_CONTINUOUS = 1 << 20
MOST_COORDINATES = 30
MOST_COPIES = 16
MOST_EXPONENT = 1 << 50
MOST_RUNS = 10_000

# name: (required, optional)
FAMILIES = {
    "k_randomized_response": (("epsilon",), ()),
    "optimal_binary": (("epsilon_12", "epsilon_21"), ()),
    "hadamard_response": (("epsilon",), ()),
    "high_low_hadamard_response": (("sensitive", "epsilon"), ()),
    "block_hadamard_response": (("blocks", "epsilon"), ()),
    "subset_selection": (("epsilon",), ("size",)),
    "unary_encoding": (("epsilon",), ("variant",)),
    "rappor": (("f", "p", "q"), ("times",)),
    "optimized_local_hashing": (("epsilon",), ("buckets",)),
    "truncated_geometric": (("epsilon",), ()),
    "discrete_laplace_truncated": (("scale",), ("least", "greatest")),
    "discrete_gaussian_truncated": (("variance",), ("least", "greatest")),
    "exponential_mechanism": (("epsilon", "outputs", "utility"), ("sensitivity",)),
    "duchi_hypercube": (("epsilon",), ()),
    "bcdp_mean": (("delta", "epsilon", "q", "zeta"), ("copies",)),
    "duchi_l2_ball": (("epsilon", "radius"), ()),
    "bcdp_mean_l2": (("delta", "epsilon", "q", "zeta"), ("copies",)),
}


def own_fields(value):
    name = value["type"]
    needed, optional = FAMILIES[name]
    return fields(value, f"the family {name}", ("type", *needed), optional)


def tuple_label(values):
    return values[0] if len(values) == 1 else "(" + ",".join(values) + ")"


def input_labels(domain):
    return [tuple_label(x) for x in itertools.product(*domain.values)]


def power_above(n):
    return 1 << n.bit_length()


def bits(domain):
    """A unary encoding: one bit for every input."""
    everything = range(len(domain.names))
    bit = Shape(domain.inputs, 2, lambda: ["0", "1"])
    return Shape(domain.inputs, 2 ** domain.inputs, lambda: ["".join(own) for own in itertools.product("01", repeat=domain.inputs)],
                 [(bit, everything)] * domain.inputs)


def is_prime(n):
    return n >= 2 and all(n % d for d in range(2, math.isqrt(n) + 1))


class Families:
    def level(self, value, name):
        return within(name, self.numbers.level, value[name])

    def of_level(self, value, domain):
        """The families whose only parameter is a level."""
        own_fields(value)
        level = self.level(value, "epsilon")
        domain.listed()
        return level

    def m_k_randomized_response(self, value, domain):
        self.of_level(value, domain)
        return Shape(domain.inputs, domain.inputs, lambda: input_labels(domain))

    def m_optimal_binary(self, value, domain):
        own_fields(value)
        levels = [self.level(value, name) for name in ("epsilon_12", "epsilon_21")]
        require(domain.inputs == 2, f"optimal_binary is for 2 inputs, and here are {domain.inputs}")
        if INFINITE not in levels and any(map(has_symbols, levels)):
            both = levels[0] * levels[1] - 1
            require(both.ring.never_negative(both.over, strictly=True), "both levels may be 0 for some values of symbols")
        return Shape(2, 2, lambda: input_labels(domain))

    def m_hadamard_response(self, value, domain):
        self.of_level(value, domain)
        outputs = power_above(domain.inputs)
        return Shape(domain.inputs, outputs, lambda: [str(y) for y in range(outputs)])

    def m_high_low_hadamard_response(self, value, domain):
        own_fields(value)
        sensitive = within("sensitive", domain.given_inputs, value["sensitive"])
        self.of_level(value, domain)
        outputs = power_above(len(sensitive)) + domain.inputs - len(sensitive)
        return Shape(domain.inputs, outputs, lambda: [str(y) for y in range(outputs)])

    def m_block_hadamard_response(self, value, domain):
        own_fields(value)
        blocks = within("blocks", Fields(self.numbers, domain).partition, value["blocks"])
        self.of_level(value, domain)
        sizes = [power_above(size) for size in blocks]
        return Shape(domain.inputs, sum(sizes), lambda: [f"({b},{y})" for b, size in enumerate(sizes) for y in range(size)])

    def m_subset_selection(self, value, domain):
        level = self.of_level(value, domain)
        k = domain.inputs
        if "size" in value:
            size = within("size", integer, value["size"], "'size'")
            require(1 <= size <= max(1, k - 1), f"found the size {size}, expected 1 to {max(1, k - 1)}", "size")
        elif level is INFINITE:
            size = 1
        else:
            require(not has_symbols(level), "the best size depends on symbols")
            size = max(1, nearest(Fraction(k) / (level + 1)))
        require(binomials_fit(k, size), f"there are more than 2^62 sets of {size} of the {k} inputs")
        outputs = math.comb(k, size)
        names = lambda: ["{" + ",".join(own) + "}" for own in itertools.combinations(input_labels(domain), size)]  # noqa: E731
        return Shape(k, outputs, names)

    def m_unary_encoding(self, value, domain):
        own_fields(value)
        variant = value.get("variant", "optimized")
        require(is_text(variant) and variant in ("optimized", "symmetric"), "expected optimized or symmetric", "variant")
        level = self.of_level(value, domain)
        if variant == "symmetric" and level is not INFINITE:
            within("epsilon", to_power, level, Fraction(1, 2))
        return bits(domain)

    def m_rappor(self, value, domain):
        own_fields(value)
        for name in "fpq":
            within(name, self.numbers.probability, value[name])
        times = within("times", integer, value["times"], "'times'", 1, MOST_RUNS) if "times" in value else 1
        domain.listed()
        if times == 1:
            return bits(domain)
        bit = Shape(domain.inputs, times + 1, lambda: [str(ones) for ones in range(times + 1)])
        return Shape(domain.inputs, (times + 1) ** domain.inputs,
                     lambda: [f"({','.join(map(str, own))})" for own in itertools.product(range(times + 1), repeat=domain.inputs)],
                     [(bit, range(len(domain.names)))] * domain.inputs)

    def m_optimized_local_hashing(self, value, domain):
        level = self.of_level(value, domain)
        require(domain.inputs <= MOST_OF_HASHING, f"optimized_local_hashing is for at most {MOST_OF_HASHING} inputs")
        if "buckets" in value:
            buckets = within("buckets", integer, value["buckets"], "'buckets'", 2, 1_000_000)
        else:
            require(level is not INFINITE, "an infinite epsilon needs the number of 'buckets'", "epsilon")
            require(not has_symbols(level), "the best number of buckets depends on symbols")
            buckets = max(2, nearest(level + 1))
            require(buckets <= 1_000_000, "expected 2 to 1000000 buckets")
        prime = max(domain.inputs, buckets, 2)
        while not is_prime(prime):
            prime += 1
        names = lambda: [f"({a},{b},{y})" for a in range(1, prime) for b in range(prime) for y in range(buckets)]  # noqa: E731
        return Shape(domain.inputs, prime * (prime - 1) * buckets, names)

    def m_truncated_geometric(self, value, domain):
        self.of_level(value, domain)
        require(domain.inputs <= MOST_OF_TRUNCATED, f"truncated_geometric is for at most {MOST_OF_TRUNCATED} inputs")
        return Shape(domain.inputs, domain.inputs, lambda: input_labels(domain))

    def window(self, value, domain, name):
        own_fields(value)
        number = within(name, self.numbers.number, value[name])
        least = within("least", integer, value["least"], "'least'") if "least" in value else 0
        greatest = within("greatest", integer, value["greatest"], "'greatest'") if "greatest" in value else domain.listed() - 1
        require(least <= 0, "expected at most 0, the first input", "least")
        require(greatest >= domain.listed() - 1, f"expected at least {domain.inputs - 1}, the last input", "greatest")
        within(name, self.numbers.positive_ratio, value[name])
        outputs = greatest - least + 1
        cells(domain.inputs, outputs)
        return number, Shape(domain.inputs, outputs, lambda: [str(y) for y in range(least, greatest + 1)])

    def m_discrete_laplace_truncated(self, value, domain):
        return self.window(value, domain, "scale")[1]

    def m_discrete_gaussian_truncated(self, value, domain):
        variance, shape = self.window(value, domain, "variance")
        scale = within("variance", laplace_scale, variance)
        top, bottom, last = variance.numerator, variance.denominator, shape.outputs - 1
        most = max((last * scale * bottom) ** 2, top ** 2, 2 * top * bottom * scale ** 2)
        for n in range(shape.outputs if most > MOST_EXPONENT else 0):
            exponent = (n - variance / scale) ** 2 / (2 * variance)
            require(max(exponent.numerator, exponent.denominator) <= MOST_EXPONENT, "the fraction is too long for the sampler on this window", "variance")
        return shape

    def m_exponential_mechanism(self, value, domain):
        own_fields(value)
        level = self.level(value, "epsilon")
        names = within("outputs", labels, value["outputs"])
        rows = within("utility", array, value["utility"], "rows of numbers")
        require(len(rows) == domain.listed(), f"found {len(rows)} rows, expected one for each of the {domain.inputs} inputs", "utility")
        utility = [within(("utility", k), every, within(("utility", k), array, row, "numbers"), self.numbers.rational) for k, row in enumerate(rows)]
        require(level is not INFINITE, "found inf, expected a finite level", "epsilon")
        cells(domain.inputs, len(names))
        for k, row in enumerate(utility):
            require(len(row) == len(names), f"found {len(row)} numbers, expected one for each of the {len(names)} outputs", "utility", k)
        if "sensitivity" in value:
            sensitivity = within("sensitivity", self.numbers.rational, value["sensitivity"])
            require(sensitivity > 0, "expected a positive rational number", "sensitivity")
        else:
            sensitivity = max(max(column) - min(column) for column in zip(*utility)) or Fraction(1)
        for power in {u / (2 * sensitivity) for row in utility for u in row}:
            within("epsilon", to_power, level, power)
        return Shape(domain.inputs, len(names), lambda: list(names))

    def require_hypercube(self, domain):
        for name, own in zip(domain.names, domain.values):
            require(len(own) == 2, f"every coordinate must have 2 values, and {name[:60]!r} has {len(own)}")
        require(len(domain.names) <= MOST_COORDINATES, f"the hypercube mechanism is for at most {MOST_COORDINATES} coordinates")
        domain.listed()

    def m_duchi_hypercube(self, value, domain):
        own_fields(value)
        self.level(value, "epsilon")
        self.require_hypercube(domain)
        return Shape(domain.inputs, domain.inputs, lambda: input_labels(domain))

    def budget(self, value, domain):
        """For bcdp_mean: the coordinates in the order of steps, and whether each step is informative (None:
        unknown)."""
        own_fields(value)
        delta = within("delta", Fields(self.numbers, domain).levels_of_all, value["delta"])
        epsilon, q = self.level(value, "epsilon"), within("q", self.numbers.probability, value["q"])
        order = []
        for i, level in enumerate(delta):  # insertion, stable
            place = len(order)
            while place > 0 and is_smaller(level, delta[order[place - 1]]):
                place -= 1
            order.insert(place, i)
        capped = [smaller(delta[i], epsilon) for i in order]
        require(INFINITE not in capped, "found inf, and some delta is inf as well", "epsilon")
        copies = within("copies", integer, value["copies"], "'copies'", 1, MOST_COPIES) if "copies" in value else 1
        symbols = [number for number in (*capped, q) if has_symbols(number)]
        require(copies == 1 or not symbols, "expected 1 where a level depends on a symbol", "copies")
        if is_text(value["zeta"]) and value["zeta"] == "best":
            require(not symbols, "found 'best', expected a number where q or a level depends on a symbol", "zeta")
            require(capped[0] != 1, "found 'best', expected a number where the least delta is 0", "zeta")
            return order, None
        zeta = within("zeta", self.numbers.rational, value["zeta"])
        require(0 < zeta <= 1, "expected a rational number above 0, at most 1", "zeta")
        last = capped[-1]
        if q != 0:
            last = smaller(last, (within("zeta", to_power, capped[0], zeta) + q - 1) / q)
        cumulative = [last if not is_smaller(level, last) else level / (1 + q * last - q) for level in capped[:-1]] + [last]
        steps = [b / a for a, b in zip([Fraction(1), *cumulative], cumulative)]
        # With several copies, each has a step's root, rounded down to a multiple of 2^-20.
        return order, [step != 1 if copies == 1 else step >= (1 + Fraction(1, 1 << 20)) ** copies for step in steps]

    def m_bcdp_mean(self, value, domain):
        order, steps = self.budget(value, domain)
        self.require_hypercube(domain)
        parts = []
        for k in range(len(order)):
            if steps is not None and steps[k]:
                seen = domain.restricted(order[k:])
                parts.append((Shape(seen.inputs, seen.inputs, lambda seen=seen: input_labels(seen)), order[k:]))
        if steps is None:
            return self.named_by_nobody(domain)
        copies = int(Fraction(value.get("copies", "1")))
        parts *= copies
        if not parts:
            return Shape(domain.inputs, 1, lambda: ["()"])
        names = lambda: [f"({','.join(own)})" for own in itertools.product(*(shape.labels() for shape, _ in parts))]  # noqa: E731
        return Shape(domain.inputs, math.prod(shape.outputs for shape, _ in parts), names, parts)

    @staticmethod
    def named_by_nobody(domain):
        """The best steps depend on rounded numbers: as part of a mechanism that names its outputs, this is rejected."""
        def unknown():
            require(False, "the outputs of \"zeta\": \"best\" are not known to this checker by name")
        return Shape(domain.inputs, domain.inputs, unknown)

    def vectors(self, domain):
        require(domain.inputs <= MOST_OF_CONTINUOUS, f"a continuous mechanism is for at most {MOST_OF_CONTINUOUS} inputs")
        found = []
        for name, own in zip(domain.names, domain.values):
            found.append([float_of(within(name, numeric, value)) for value in own])
        return list(itertools.product(*found))

    def m_duchi_l2_ball(self, value, domain):
        own_fields(value)
        level, radius = self.level(value, "epsilon"), within("radius", self.numbers.number, value["radius"])
        require(level is not INFINITE and not has_symbols(level) and level != 1, "expected a positive, finite level", "epsilon")
        require(not has_symbols(radius) and radius > 0, "expected more than 0", "radius")
        longest = float_of(radius) * (1 + 1e-12)
        require(all(math.sqrt(sum(v * v for v in x)) <= longest for x in self.vectors(domain)), "an input is longer than the radius", "radius")
        return Shape(domain.inputs, 0, list, is_part=False)

    def m_bcdp_mean_l2(self, value, domain):
        own_fields(value)
        require(all(abs(v) <= 1 for x in self.vectors(domain) for v in x), "an input leaves [-1, 1]")
        self.budget(value, domain)
        return Shape(domain.inputs, 0, list, is_part=False)


def numeric(value):
    try:
        return parse_number(value)
    except (ArithmeticError, ValueError, LookupError):
        require(False, f"the value {value[:60]!r} is not a number")


def float_of(number):
    near = quick(number)
    return math.nan if near is None else float(near)


def is_smaller(a, b):
    if a is INFINITE or b is INFINITE:
        return a is not INFINITE
    return is_below(a, b)


def smaller(a, b):
    return a if is_smaller(a, b) else b


def nearest(number):
    """The nearest integer, halves up."""
    n = 0
    size = 1
    while number >= size:
        size *= 2
    while size:
        if number + Fraction(1, 2) >= n + size:
            n += size
        size //= 2
    return n


def binomials_fit(k, size):
    """True if the number of sets, and the entries of the table that ranks them, are small enough."""
    most = min(size, k // 2)
    return most < 62 and math.comb(k, most) < MOST_COUNTED


def laplace_scale(variance):
    """1 + floor(sqrt(variance)), as in the sampler."""
    return math.isqrt(variance.numerator // variance.denominator) + 1
