"""The averaged bound of a certificate of a search (docs/certificates.md, "An averaged bound").

Let w_r = u_r - e^upper v_r = p_r - m_r with p, m >= 0. The pair is closed if sum_r w_r f_r(y) <= 0 for every output y of
the steps that are left: the block B, whose outputs are enumerated, and the others, C. For a step i of C let
F_i = f_i / mu_i >= 1, where mu_i(y) is at most the smallest probability of the output y. Then, with f_r(y_B) the
probability of the block's output,

    sum_r w_r f_r(y) / prod_C mu_i = sum_r p_r f_r(y_B) prod_C F_i - sum_r m_r f_r(y_B) prod_C F_i.

  prod_C F_i <= 1 + sum_i M_1 ... M_(i-1) (F_i - 1), M_i >= F_i, for any order of C, by induction: the product of the first
  i is that of the first i - 1, plus F_1 ... F_(i-1) (F_i - 1), and F_i - 1 >= 0.

  prod_C F_i >= E^n >= e (1 + (E - 1) (n - j)) for integers n_i >= 0 with E^(n_i) <= F_i, n = sum n_i, E > 1, j >= 0 and
  0 <= e <= E^j. By Bernoulli's inequality, E^k >= 1 + (E - 1) k for every integer k of either sign. If the last factor is
  negative, so is the right side.

Both right sides are sums over the steps of C, so the maximum over the outputs of C is a sum of maxima.

Rounding: p is rounded up and m down, and so are the entries they are multiplied by. After that all sums are exact, so
those of M and of N_i below are over the same weights m_r f_r(y_B). This matters, since M may have a coefficient of either
sign.
"""
from fractions import Fraction
from math import prod

from ..certificate import fields, items, whole
from ..intervals import NotShown
from ..report import require, require_feasible
from .packed import packed, slot_bits, sums_by_output, unpacked

MOST_OUTPUTS = 2**18  # of a block
MOST_ENTRIES = 2**18  # of a step outside the block
MOST_POWERS = 256
MOST_ORDERS = 4096  # that are kept
BASE_BITS = 64  # the base is rounded down to a multiple of 2^-64
MOST_ENTRY_BITS = 128
ONE = 1 << BASE_BITS


class Factors:
    """What a step of C contributes, by output: F - 1 rounded up, n by class, and the largest F. `base`: in units of
    2^-64."""

    def __init__(self, step, base, bits, entry_bits):
        classes = len(step.entries)
        require_feasible(classes * len(step.outputs) <= MOST_ENTRIES, "a step outside the block has too many outputs")
        self.above, self.powers, largest, known = [], [], 1 << bits, dict[int, int]()
        squares = self.squares(base, bits)
        for column in step.columns:
            least = min(low for low, _ in column)
            require(least > 0, "a step outside the block has an output that is not possible for all rows", NotShown)
            self.above.append([-(-(high - least << entry_bits) // least) for _, high in column])
            largest = max(largest, *(-(-(high << bits) // least) for _, high in column))
            own = []
            for low, _ in column:
                quotient = (low << bits) // least
                if quotient not in known:
                    known[quotient] = self.power_below(quotient, squares, bits)
                own.append(known[quotient])
            self.powers.append(own)
        self.largest = largest  # M_i, in units of 2^-bits
        self.most_power = max(max(own) for own in self.powers)

    @staticmethod
    def squares(base, bits):
        """E, E^2, E^4, ... rounded up, as long as they may be below some F."""
        squares, most = [base << bits - BASE_BITS], 1 << 2 * bits + 2
        while squares[-1] <= most:
            squares.append(-(-squares[-1] * squares[-1] >> bits))
        return squares

    @staticmethod
    def power_below(quotient, squares, bits):
        """An n with E^n <= quotient: each factor of the product is rounded up."""
        product, n = 1 << bits, 0
        for k in range(len(squares) - 1, -1, -1):
            larger = -(-product * squares[k] >> bits)
            if larger <= quotient:
                product, n = larger, n + (1 << k)
        return n


def power(base, exponent, bits):
    """E^exponent rounded down, in units of 2^-bits."""
    result, square = 1 << bits, base << bits - BASE_BITS
    while exponent:
        if exponent & 1:
            result = result * square >> bits
        square, exponent = square * square >> bits, exponent >> 1
    return result


class Averages:
    """The steps of a tree from some depth on, split into C and the block. `steps`, `layers`: those of the tree."""

    def __init__(self, steps, layers, depth, begin, base, bits):
        self.bits, self.entry_bits, self.base = bits, min(bits // 2, MOST_ENTRY_BITS), base
        self.outside, self.block = steps[depth:begin], steps[begin:]
        require_feasible(prod(len(step.outputs) for step in self.block) <= MOST_OUTPUTS, "the block has too many outputs")
        shift = bits - self.entry_bits
        self.high = [[[-(-high >> shift) for _, high in column] for column in step.columns] for step in self.block]
        self.low = [[[low >> shift for low, _ in column] for column in step.columns] for step in self.block]
        self.factors = [Factors(step, base, bits, self.entry_bits) for step in self.outside]
        self.most_power = sum(own.most_power for own in self.factors)
        self.ends, self.scales = [0], dict[tuple, list]()
        for step in self.outside:
            self.ends.append(self.ends[-1] + len(step.outputs))
        at = list(range(len(layers[depth])))
        self.classes, self.cells = list[list](), [0] * len(at)
        for step, layer in zip(steps[depth:], layers[depth:]):
            own = [layer[k][0] for k in at]
            at = [layer[k][1] for k in at]
            if len(self.classes) < len(self.outside):
                self.classes.append(own)
            else:
                self.cells = [cell * len(step.entries) + k for cell, k in zip(self.cells, own)]

    def table(self, weights, coefficients, columns):
        """The sums of weights times 1 and times each step's coefficients, by output, for every output of the block.
        coefficients: [step][output][class]."""
        most = max((value for own in coefficients for column in own for value in column), default=1)
        bits = slot_bits(sum(weights) * max(1, most), columns)
        # [step][class]: the coefficients of all outputs, each in its slot; slot 0 has the weight itself.
        vectors = [[packed(values, bits) << (1 + first) * bits for values in zip(*own)] for own, first in zip(coefficients, self.ends)]
        cells = dict[int, int]()
        for r, weight in enumerate(weights):
            if weight:
                vector = 1
                for own, classes in zip(vectors, self.classes):
                    vector += own[classes[r]]
                cells[self.cells[r]] = cells.get(self.cells[r], 0) + weight * vector
        slots = 1 + self.ends[-1]
        return (unpacked(data, bits) for data in sums_by_output(cells, slots, bits, columns))

    def check(self, u, v, most, exponents):
        """u: rounded up; v, most = e^upper: rounded down, `most` in units of 2^-bits. exponents: j, tried in turn."""
        require(max(exponents) <= self.most_power, "a power is above the largest product", NotShown)
        weights = [(above << self.bits) - most * below for above, below in zip(u, v)]
        excess = max(0, max(abs(weight) for weight in weights).bit_length() - 2 * self.entry_bits)
        plus = [-(-weight >> excess) if weight > 0 else 0 for weight in weights]
        minus = [-weight >> excess if weight < 0 else 0 for weight in weights]
        gains = self.table(plus, [own.above for own in self.factors], self.high)
        losses = self.table(minus, [own.powers for own in self.factors], self.low)
        minorants = [self.minorant(j) for j in exponents]
        for number, (p, m) in enumerate(zip(gains, losses)):
            p_parts, m_parts = ([sums[1 + a:1 + b] for a, b in zip(self.ends, self.ends[1:])] for sums in (p, m))
            # The order of C in which the steps with the largest gain come first.
            scaled = [list(map(scale.__mul__, part)) for scale, part in zip(self.scales_for([max(part) for part in p_parts]), p_parts)]
            constant = p[0] << BASE_BITS + self.bits + self.entry_bits
            for place, (of_all, of_power) in enumerate(minorants):
                total = constant - of_all * m[0]
                for gain, loss in zip(scaled, m_parts):
                    total += max(map(int.__sub__, gain, map(of_power.__mul__, loss)))
                if total <= 0:
                    minorants.insert(0, minorants.pop(place))  # neighbors are often closed by the same one
                    break
            else:
                raise NotShown(f"the averaged bound does not show it at output {number} of the block")

    # The sums are compared in units of 2^-(64 + bits + entry_bits): P + sum_i max (scale_i G_i - e (E - 1) N_i) - e (1 - (E -
    # 1) j) M <= 0.

    def minorant(self, j):
        """The coefficients of M and of N_i."""
        value, step = power(self.base, j, self.bits), self.base - ONE
        return value * (ONE - step * j) << self.entry_bits, value * step << self.entry_bits

    def scales_for(self, largest):
        """The products of the M of the steps before, rounded up, by step, times 2^64."""
        order = tuple(sorted(range(len(largest)), key=lambda i: -largest[i]))
        if order not in self.scales:
            if len(self.scales) >= MOST_ORDERS:
                self.scales.clear()
            scales, scale = [0] * len(order), 1 << self.bits
            for i in order:
                scales[i] = scale << BASE_BITS
                scale = -(-scale * self.factors[i].largest >> self.bits)
            self.scales[order] = scales
        return self.scales[order]


def read_averaged(entry, left, where):
    """The number of steps in the block, the base in units of 2^-64, rounded down, and the exponents. `left`: how many
    steps are left."""
    what = f"{where}: the averaged bound"
    block, base, powers = fields(entry, what, "block", "base", "powers")
    require(isinstance(base, Fraction) and 1 < base <= ONE, f"{what}: the base is not between 1 and 2^64")
    rounded = int(base * ONE)
    require(rounded > ONE, f"{what}: the base is too close to 1")
    require(0 < len(items(powers, f"{what}: the list of powers", Fraction)) <= MOST_POWERS,
            f"{what}: found {len(powers)} powers, expected 1 to {MOST_POWERS}")
    return whole(block, left, "number of steps in the block"), rounded, [whole(j, 1 << 80, "power") for j in powers]
