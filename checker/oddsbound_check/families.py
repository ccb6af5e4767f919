"""The mechanism families by plain double loops, from their formulas (docs/mechanisms.md); shares no code with the
tool."""
import itertools
from fractions import Fraction
from math import comb, exp

from .exact import INFINITE, Exact, quick

ONE = Fraction(1)
ZERO = Fraction(0)


def share(e, favoured, rest):
    """e * favoured / (e * favoured + rest); its limit for infinite e."""
    return ONE if e is INFINITE else e * favoured / (e * favoured + rest)


def hadamard(row, column):
    return 1 if bin(row & column).count("1") % 2 == 0 else -1


def power_above(n):
    k = 1
    while k <= n:
        k *= 2
    return k


def root(value, degree):
    """The rational or exponential root of the value; the caller's levels check both sides."""
    if isinstance(value, Fraction):
        top, bottom = (round(n ** (1 / degree)) for n in (value.numerator, value.denominator))
        assert Fraction(top, bottom) ** degree == value
        return Fraction(top, bottom)
    (k, c), = value.top.terms.items()
    assert not value.bottom
    return Exact.exp(Fraction(k, value.top.step) / degree) * root(Fraction(c, value.top.over), degree)


def rounded(value):
    """The logarithm, in floating point."""
    return float(quick(value).ln())


def rounded_root(value, degree):
    """The root, rounded down to a multiple of 2^-20."""
    low, high = 2 ** 20, 2 ** 60 + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if value >= Fraction(middle, 2 ** 20) ** degree else (low, middle)
    return Fraction(low, 2 ** 20)


def hypercube_error(steps):
    """The mean squared error of one answer of Mechanism 1, by enumerating the answers of a step."""
    total, d = 0.0, len(steps)
    for place in range(d):
        weights = [steps[k] ** 2 / (d - k) for k in range(place + 1)]
        if sum(weights) == 0:
            return float("inf")
        for k in range(place + 1):
            if steps[k] > 0:
                m, e = d - k, exp(steps[k])
                chances = {a: comb(m, a) * (e if 2 * a > m else 1) for a in range(m + 1)}  # a coordinates agree
                mean = sum((2 * a - m) / m * chance for a, chance in chances.items()) / sum(chances.values())
                total += (weights[k] / sum(weights)) ** 2 * (1 / mean ** 2 - 1)
    return total


def bcdp_best(capped, q, cumulative, copies):
    """exp(c_i) for "zeta": "best", among the exactly representable choices. Levels do not depend on the choice."""
    found = [capped[0]] * len(capped)
    least = hypercube_error([rounded(capped[0]) / copies] + [0.0] * (len(capped) - 1))
    for part in range(1, 200):
        try:
            c = cumulative(Fraction(part, 200))
        except (AssertionError, ValueError):
            continue
        logs = [0.0] + [rounded(one) for one in c]
        error = hypercube_error([max(0.0, b - a) / copies for a, b in zip(logs, logs[1:])])
        if error < least * (1 - 1e-9):
            found, least = c, error
    return found


def nearest(value):
    n = 0
    while value >= n + Fraction(1, 2):
        n += 1
    return n


class Families:
    @staticmethod
    def input_labels(inputs):
        return [x[0] if len(x) == 1 else "(" + ",".join(x) + ")" for x in inputs]

    def m_k_randomized_response(self, m, domain):
        inputs = self.tuples(domain)
        k = len(inputs)
        same = share(self.level(m["epsilon"]), 1, k - 1)
        other = (1 - same) / (k - 1) if k > 1 else ZERO
        return self.input_labels(inputs), [[same if x == y else other for y in inputs] for x in inputs]

    def m_optimal_binary(self, m, domain):
        assert len(self.tuples(domain)) == 2
        a, b = self.level(m["epsilon_12"]), self.level(m["epsilon_21"])
        if a is INFINITE and b is INFINITE:
            rows = [[ONE, ZERO], [ZERO, ONE]]
        elif a is INFINITE:
            rows = [[1 - 1 / b, 1 / b], [ZERO, ONE]]
        elif b is INFINITE:
            rows = [[ONE, ZERO], [1 / a, 1 - 1 / a]]
        elif a == 1 and b == 1:
            rows = [[Fraction(1, 2)] * 2] * 2
        else:
            whole = b - 1 / a
            rows = [[(b - 1) / whole, (1 - 1 / a) / whole], [(b - 1) / a / whole, b * (1 - 1 / a) / whole]]
        return self.input_labels(self.tuples(domain)), rows

    def hadamard_rows(self, symbols, e):
        size = power_above(symbols)
        plus = share(e, 1, 1) * Fraction(2, size)
        minus = (1 - share(e, 1, 1)) * Fraction(2, size)
        return [[plus if hadamard(i + 1, y) == 1 else minus for y in range(size)] for i in range(symbols)]

    def m_hadamard_response(self, m, domain):
        rows = self.hadamard_rows(len(self.tuples(domain)), self.level(m["epsilon"]))
        return [str(y) for y in range(len(rows[0]))], rows

    def m_high_low_hadamard_response(self, m, domain):
        inputs, e = self.tuples(domain), self.level(m["epsilon"])
        sensitive = [tuple(x) for x in m["sensitive"]]
        assert sensitive and len(set(sensitive)) == len(sensitive) and set(sensitive) <= set(inputs)
        others = [x for x in inputs if x not in sensitive]
        size = power_above(len(sensitive))
        hidden = self.hadamard_rows(len(sensitive), e)
        low = (1 - share(e, 1, 1)) * Fraction(2, size)
        told = 2 * share(e, 1, 1) - 1
        rows, place = [], 0
        for x in inputs:
            if x in sensitive:
                rows.append(hidden[place] + [ZERO] * len(others))
                place += 1
            else:
                rows.append([low] * size + [told if x == other else ZERO for other in others])
        return [str(y) for y in range(len(rows[0]))], rows

    def blocks_of(self, blocks, domain):
        inputs = self.tuples(domain)
        if isinstance(blocks[0], str):
            places = [[name for name, _ in domain].index(c) for c in blocks]
            keys = itertools.product(*(domain[i][1] for i in places))
            return [[x for x in inputs if tuple(x[i] for i in places) == key] for key in keys]
        return [[x for x in inputs if list(x) in block] for block in blocks]

    def m_block_hadamard_response(self, m, domain):
        inputs, blocks = self.tuples(domain), self.blocks_of(m["blocks"], domain)
        covered = [list(x) for x in inputs] if isinstance(m["blocks"][0], str) else sum(m["blocks"], [])
        assert sorted(covered) == sorted(map(list, inputs)) and all(blocks)
        labels, rows = [], {x: [] for x in inputs}
        for b, block in enumerate(blocks):
            part = self.hadamard_rows(len(block), self.level(m["epsilon"]))
            labels += [f"({b},{y})" for y in range(len(part[0]))]
            for x in inputs:
                rows[x] += part[block.index(x)] if x in block else [ZERO] * len(part[0])
        return labels, [rows[x] for x in inputs]

    def m_subset_selection(self, m, domain):
        inputs, e = self.tuples(domain), self.level(m["epsilon"])
        k = len(inputs)
        if "size" in m:
            d = int(m["size"])
        else:
            d = 1 if e is INFINITE else max(1, nearest(k / (e + 1)))
        assert 1 <= d <= max(1, k - 1)
        names = self.input_labels(inputs)
        subsets = list(itertools.combinations(range(k), d))
        inside = share(e, comb(k - 1, d - 1), comb(k - 1, d))
        outside = (1 - inside) / comb(k - 1, d) if comb(k - 1, d) else ZERO
        rows = [[inside / comb(k - 1, d - 1) if x in s else outside for s in subsets] for x in range(k)]
        return ["{" + ",".join(names[i] for i in s) + "}" for s in subsets], rows

    def bits(self, domain, own, other):
        k = len(self.tuples(domain))
        strings = list(itertools.product((0, 1), repeat=k))
        rows = []
        for x in range(k):
            row = []
            for bits in strings:
                p = ONE
                for i, bit in enumerate(bits):
                    one = own if i == x else other
                    p = p * (one if bit else 1 - one)
                row.append(p)
            rows.append(row)
        return ["".join(map(str, bits)) for bits in strings], rows

    def unary_bits(self, m):
        """The probability that the bit of the input is 1, and that of any other."""
        e = self.level(m["epsilon"])
        if m.get("variant", "optimized") == "optimized":
            return Fraction(1, 2), 1 - share(e, 1, 1)
        assert m["variant"] == "symmetric"
        own = ONE if e is INFINITE else share(root(e, 2), 1, 1)
        return own, 1 - own

    def m_unary_encoding(self, m, domain):
        return self.bits(domain, *self.unary_bits(m))

    def m_rappor(self, m, domain):
        f, p, q = (self.number(m[name]) for name in "fpq")
        assert all(0 <= v <= 1 for v in (f, p, q))
        if int(m.get("times", 1)) == 1:
            return self.bits(domain, (1 - f / 2) * q + f / 2 * p, f / 2 * q + (1 - f / 2) * p)
        everything = list(range(len(domain)))
        return self.product([(labels, rows, everything) for labels, rows in self.single_bits(m, domain)], domain)

    def single_bits(self, m, domain):
        """Every bit of a unary encoding separately: (labels, rows)."""
        k, times, bits = len(self.tuples(domain)), int(m.get("times", 1)), []
        if m["type"] == "rappor":
            f, p, q = (self.number(m[name]) for name in "fpq")
            kept, reports = [[f / 2, 1 - f / 2], [1 - f / 2, f / 2]], [[1 - p, p], [1 - q, q]]
        else:
            own, other = self.unary_bits(m)
            kept, reports = [[1 - own, own], [1 - other, other]], [[ONE, ZERO], [ZERO, ONE]]
        keys, (one, none) = self.counts_of_reports(kept, ["0", "1"], reports, times)
        for i in range(k):
            bits.append(([str(ones) for _, ones in keys], [one if x == i else none for x in range(k)]))
        return bits

    def m_optimized_local_hashing(self, m, domain):
        k, e = len(self.tuples(domain)), self.level(m["epsilon"])
        assert "buckets" in m or e is not INFINITE
        g = int(m["buckets"]) if "buckets" in m else max(2, nearest(e + 1))
        assert g >= 2
        prime = max(k, g, 2)
        while any(prime % d == 0 for d in range(2, prime)):
            prime += 1
        true = share(e, 1, g - 1)
        labels, rows = [], [[] for _ in range(k)]
        for a in range(1, prime):
            for b in range(prime):
                for y in range(g):
                    labels.append(f"({a},{b},{y})")
                    for x in range(k):
                        answer = true if (a * x + b) % prime % g == y else (1 - true) / (g - 1)
                        rows[x].append(answer / (prime * (prime - 1)))
        return labels, rows

    def m_truncated_geometric(self, m, domain):
        inputs, e = self.tuples(domain), self.level(m["epsilon"])
        k = len(inputs)
        alpha = ZERO if e is INFINITE else 1 / e
        power = [ONE]
        for _ in range(k):
            power.append(power[-1] * alpha)

        def entry(x, z):
            if k == 1:
                return ONE
            end = z in (0, k - 1)
            return power[abs(x - z)] * (1 if end else 1 - alpha) / (1 + alpha)
        return self.input_labels(inputs), [[entry(x, z) for z in range(k)] for x in range(k)]

    def window(self, m, domain, exponent):
        k = len(self.tuples(domain))
        outputs = range(int(m.get("least", 0)), int(m.get("greatest", k - 1)) + 1)
        assert outputs[0] <= 0 and outputs[-1] >= k - 1
        rows = []
        for x in range(k):
            weights = [Exact.exp(exponent(abs(y - x))) for y in outputs]
            total = sum(weights, Exact.of(ZERO))
            rows.append([w / total for w in weights])
        return [str(y) for y in outputs], rows

    def m_discrete_laplace_truncated(self, m, domain):
        scale = self.number(m["scale"])
        assert scale > 0
        return self.window(m, domain, lambda n: Fraction(-n) / scale)

    def m_discrete_gaussian_truncated(self, m, domain):
        variance = self.number(m["variance"])
        assert variance > 0
        return self.window(m, domain, lambda n: Fraction(-n * n) / (2 * variance))

    def m_exponential_mechanism(self, m, domain):
        labels, e = self.labels(m["outputs"]), self.level(m["epsilon"])
        utility = [[self.number(u) for u in row] for row in m["utility"]]
        assert e is not INFINITE and [len(row) for row in utility] == [len(labels)] * len(self.tuples(domain))
        spread = max(max(column) - min(column) for column in zip(*utility))
        scale = 2 * (self.number(m["sensitivity"]) if "sensitivity" in m else spread or ONE)
        assert scale > 0
        rows = []
        for row in utility:
            weights = []
            for u in row:
                power = u / scale
                weights.append(root(e, power.denominator) ** power.numerator if power.denominator > 1
                               else e ** power.numerator)
            total = sum(weights, ZERO)
            rows.append([w / total for w in weights])
        return labels, rows

    def hypercube(self, domain, e):
        assert all(len(values) == 2 for _, values in domain)
        inputs, d = self.tuples(domain), len(domain)
        sign = [{values[0]: -1, values[1]: 1} for _, values in domain]
        def inner(v, z):
            return sum(sign[i][v[i]] * sign[i][z[i]] for i in range(d))
        agreeing = sum(1 for z in inputs if inner(inputs[0], z) > 0)
        together = share(e, agreeing, 2 ** d - agreeing)
        rows = [[together / agreeing if inner(v, z) > 0 else (1 - together) / (2 ** d - agreeing) for z in inputs]
                for v in inputs]
        return self.input_labels(inputs), rows

    def m_duchi_hypercube(self, m, domain):
        return self.hypercube(domain, self.level(m["epsilon"]))

    def m_bcdp_mean(self, m, domain):
        parts = self.bcdp_mean_parts(m, domain)
        if not parts:
            return ["()"], [[ONE] for _ in self.tuples(domain)]
        return self.product(parts, domain)

    def bcdp_mean_parts(self, m, domain):
        def smaller(a, b):
            return b if a is INFINITE else a if b is INFINITE or a <= b else b
        epsilon, d = self.level(m["epsilon"]), len(domain)
        delta = [self.level(m["delta"][c] if isinstance(m["delta"], dict) else m["delta"]) for c, _ in domain]
        order = []
        for i in range(d):  # insertion, stable
            place = len(order)
            while place > 0 and not (delta[order[place - 1]] is not INFINITE
                                     and (delta[i] is INFINITE or delta[order[place - 1]] <= delta[i])) \
                    and not (delta[order[place - 1]] is INFINITE and delta[i] is INFINITE):
                place -= 1
            order.insert(place, i)
        capped = [smaller(delta[i], epsilon) for i in order]
        q = self.number(m["q"])
        assert INFINITE not in capped and 0 <= q <= 1
        def cumulative(zeta):
            assert 0 < zeta <= 1
            last = capped[-1]
            if q != 0:
                power = root(capped[0], zeta.denominator) ** zeta.numerator if zeta.denominator > 1 else capped[0]
                last = smaller(last, (power + q - 1) / q)
            return [last if last <= level else level / (1 + q * last - q) for level in capped[:-1]] + [last]
        c = bcdp_best(capped, q, cumulative, int(m.get("copies", 1))) if m["zeta"] == "best" else cumulative(self.number(m["zeta"]))
        copies = int(m.get("copies", 1))
        assert 1 <= copies <= 16
        parts, before = [], ONE
        for k in range(d):
            step, before = c[k] / before, c[k]
            step = step if copies == 1 else rounded_root(step, copies)
            if step == 1:
                continue
            seen = order[k:]
            parts.append((*self.hypercube([domain[i] for i in seen], step), seen))
        return parts * copies
