"""Misprints of the papers that docs/paper-map.md names and no spec shows: each is checked on a small case, with its
correction.

misprints.py; prints what does not hold.
"""
import math
import sys
from fractions import Fraction
from itertools import product

failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)


def packing(symbols, sensitive, alpha, z, sign):
    """The distribution p_z of the context-aware paper, Section 5.2, with the given sign of the sum in p_z(1)."""
    others = symbols - sensitive
    masses = [Fraction(1, symbols)] * symbols
    masses[0] += sign * alpha * sum(z) / others
    for i, bit in enumerate(z):
        masses[sensitive + i] += alpha * bit / others
    return masses


def total_variation(p, q):
    return sum(abs(a - b) for a, b in zip(p, q)) / 2


def masses_of_the_packing():
    symbols, sensitive, alpha = 6, 2, Fraction(1, 50)
    uniform = [Fraction(1, symbols)] * symbols
    for z in product((1, -1), repeat=symbols - sensitive):
        printed, corrected = (packing(symbols, sensitive, alpha, z, sign) for sign in (1, -1))
        expect(sum(printed) == 1 + 2 * alpha * sum(z) / (symbols - sensitive), f"the printed masses of {z}")
        expect(sum(corrected) == 1 and min(corrected) > 0, f"the corrected masses of {z}")
        expected = alpha / 2 * (1 + abs(Fraction(sum(z), symbols - sensitive)))
        expect(total_variation(corrected, uniform) == expected, f"the distance of {z} from the uniform distribution")


def entropy(x):
    return x * math.log2(1 / x) + (1 - x) * math.log2(1 / (1 - x))


def neighbors_in_the_packing():
    others, alpha = 12, Fraction(1, 50)
    center = (1, -1) * (others // 2)
    first = packing(others + 2, 2, alpha, center, -1)
    near = sum(total_variation(first, packing(others + 2, 2, alpha, z, -1)) <= alpha / 3 for z in product((1, -1), repeat=others))
    h = entropy(1 / 3)
    expect(near > 2 ** (1 - h * others), "C_alpha is within 2^(1 - h(1/3) k')")
    expect(near > 2 ** ((1 - h) * others), "C_alpha is within 2^((1 - h(1/3)) k')")
    expect(near <= 2 ** (h * others), "C_alpha is above 2^(h(1/3) k')")


def block_errors():
    """(29): k_j times the summed variances of the estimates of a block, n = 1, e^epsilon = 3, from the scheme
    itself."""
    odds, size, signs = 3, 3, [[1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]
    scale = Fraction(2 * (odds + 1), odds - 1)
    row = [[Fraction(odds if s == 1 else 1, 2 * (odds + 1)) for s in line] for line in signs]
    for mass in (Fraction(1, 100), Fraction(1, 2), Fraction(1)):
        summed = Fraction(0)
        for x in range(size):
            values = [scale * (Fraction(signs[x][y] == 1) - Fraction(1, 2)) for y in range(4)]
            drawn = [sum(mass / size * row[i][y] for i in range(size)) for y in range(4)]
            mean = sum(p * v for p, v in zip(drawn, values))
            expect(mean == mass / size, f"the estimate is unbiased at {mass}")
            summed += sum(p * v * v for p, v in zip(drawn, values)) - mean * mean
        bound = scale * scale * 3 * size * size
        expect(size * summed <= bound * mass, f"(29) with p(X_j) under the root, at {mass}")
        expect((size * summed <= bound * mass * mass) == (mass > Fraction(1, 12)), f"(29) as printed, at {mass}")


def samples_of_lemma_24():
    for alpha, nu in ((0.1, 0.1), (0.05, 0.01)):
        error = lambda n: 1 / (nu**2 * math.sqrt(n))
        expect(error(1 / (alpha**2 * nu**2)) > 9 * alpha, f"1/(alpha^2 nu^2) samples are enough at {alpha}, {nu}")
        expect(math.isclose(error(1 / (alpha**2 * nu**4)), alpha), f"1/(alpha^2 nu^4) samples are not enough at {alpha}, {nu}")


def union_bound_of_theorem_15():
    nu, people_times_epsilon = 0.1, 1000  # Pr[|Lap(2/epsilon)| > t] = exp(-t epsilon / 2)
    above = math.exp(-nu * people_times_epsilon / 2)
    stated = 1 - 32 / nu * math.exp(-0.05 * nu * people_times_epsilon)
    expect(1 - 32 / nu * (1 - above) < stated, "the sum over Pr[error <= nu n], as printed, gives the bound")
    expect(1 - 32 / nu * above >= stated, "the sum over Pr[error > nu n] does not give the bound")


def variance_of_theorem_2():
    """Two coordinates, the second one (i = 2) from the first step (k = 1), with levels c_1 and c_2 = 2 of Mechanism 1.

    A vector on the right side of a circle has the mean 2/pi along its axis: the radius of an unbiased answer follows.
    """
    ratios = []
    for first in (0.2, 0.02):
        radius = math.sqrt(2) * math.pi / 2 / math.tanh(first / 2)
        variance = (radius**2 - 2) / 2
        ratios.append((variance / (1 / (2 - first) ** 2), variance / (2 / first**2)))
    (printed, corrected), (printed_later, corrected_later) = ratios
    expect(printed_later > 50 * printed, "(d - i + 1) / (c_i - c_(i-1))^2 is the variance of step k up to a constant")
    expect(0.9 < corrected_later / corrected < 1.1, "(d - k + 1) / (c_k - c_(k-1))^2 is not the variance of step k up to a constant")


def main():
    masses_of_the_packing()
    neighbors_in_the_packing()
    block_errors()
    samples_of_lemma_24()
    union_bound_of_theorem_15()
    variance_of_theorem_2()
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
