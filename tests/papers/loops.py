"""Levels, estimates and conversions by plain loops over lists, in floating point or with fractions.

Shares no code with the program or its checker: statements.py compares their answers with these.
"""
import math
from itertools import product


def log_ratio(p, q):
    if p == 0:
        return -math.inf
    return math.inf if q == 0 else math.log(p / q)


def level_of_pairs(rows, pairs):
    """The largest log(P(y | a) / P(y | b)) over outputs y and pairs (a, b) of inputs, at least 0."""
    return max([0.0] + [log_ratio(p, q) for a, b in pairs for p, q in zip(rows[a], rows[b])])


def ldp(rows):
    return level_of_pairs(rows, product(range(len(rows)), repeat=2))


def cdp(inputs, rows, i):
    def alike(a, b):
        return all(s == t for j, (s, t) in enumerate(zip(inputs[a], inputs[b])) if j != i)
    return level_of_pairs(rows, [(a, b) for a, b in product(range(len(rows)), repeat=2) if alike(a, b)])


def given(inputs, prior, rows, i):
    """value of coordinate i -> distribution of the output given that value, for values of positive mass"""
    found = {}
    for value in sorted({x[i] for x in inputs}):
        mass = sum(p for x, p in zip(inputs, prior) if x[i] == value)
        if mass > 0:
            found[value] = [sum(p * row[y] for x, p, row in zip(inputs, prior, rows) if x[i] == value) / mass for y in range(len(rows[0]))]
    return found


def bcdp(inputs, prior, rows, i):
    return ldp(list(given(inputs, prior, rows, i).values()))


def correlation(inputs, prior, i):
    """The largest total variation distance between the other coordinates given two values of coordinate i."""
    conditional = {}
    for x, p in zip(inputs, prior):
        others = x[:i] + x[i + 1:]
        conditional.setdefault(x[i], {}).setdefault(others, 0)
        conditional[x[i]][others] += p
    for one in conditional.values():
        mass = sum(one.values())
        for others in one:
            one[others] /= mass
    return max(sum(abs(a.get(o, 0) - b.get(o, 0)) for o in set(a) | set(b)) / 2
               for a, b in product(conditional.values(), repeat=2))


def powers(parts):
    """Distribution of several independent answers: the product of lists of masses."""
    return [math.prod(masses) for masses in product(*parts)]


def errors_of_tests(p, q):
    """(false alarm, missed detection) of every rejection region, for the hypotheses p (kept) and q."""
    return [(sum(a for a, r in zip(p, region) if r), sum(b for b, r in zip(q, region) if not r))
            for region in product((False, True), repeat=len(p))]


def theorem_2(delta, epsilon, q, zeta):
    """The constants c of (16), for increasing delta."""
    capped = [min(level, epsilon) for level in delta]
    last = min(math.log((math.exp(zeta * capped[0]) + q - 1) / q), capped[-1])
    return [last if last <= level else level - math.log(1 + q * math.exp(last) - q) for level in capped[:-1]] + [last]


def signs(d):
    return list(product((-1, 1), repeat=d))


def hypercube(x, level):
    """Masses of the answers in {-1, 1}^d that agree with x in more than half of the coordinates (e^level times as likely) or not."""
    weights = [math.exp(level) if 2 * sum(a == b for a, b in zip(x, z)) > len(x) else 1.0 for z in signs(len(x))]
    return [w / sum(weights) for w in weights]


def mechanism_1(c):
    """(rows of Mechanism 1 on {-1, 1}^d, error of one answer summed over the coordinates)"""
    d, steps = len(c), [a - b for a, b in zip(c, [0] + list(c[:-1]))]
    rows = [powers([hypercube(x[k:], step) for k, step in enumerate(steps) if step > 1e-12]) for x in signs(d)]
    error = 0.0
    for i in range(d):
        seen = [(step, d - k) for k, step in enumerate(steps[:i + 1]) if step > 1e-12]
        weights = [step**2 / size for step, size in seen]
        for weight, (step, size) in zip(weights, seen):
            gain = 1 / sum(p * z[0] for p, z in zip(hypercube((1,) * size, step), signs(size)))
            error += (weight / sum(weights))**2 * (gain**2 - 1)
    return rows, error


def sylvester(size):
    matrix = [[1]]
    while len(matrix) < size:
        matrix = [row + row for row in matrix] + [row + [-entry for entry in row] for row in matrix]
    return matrix


def power_above(count):
    size = 1
    while size <= count:
        size *= 2
    return size


def block_rows(sizes, odds):
    """The scheme of Section 6.1 for blocks of these sizes; returns (rows, weights of the estimates (19): [target][output])."""
    rows, weights, before, columns = [], [], 0, sum(power_above(k) for k in sizes)
    scale = 2 * (odds + 1) / (odds - 1)
    for k in sizes:
        size = power_above(k)
        matrix = sylvester(size)
        for i in range(k):
            row, weight = [0] * columns, [0] * columns
            for y in range(size):
                row[before + y] = (2 * odds if matrix[i + 1][y] == 1 else 2) / (size * (odds + 1))
                weight[before + y] = scale * ((matrix[i + 1][y] == 1) - 1 / 2)
            rows.append(row)
            weights.append(weight)
        before += size
    return rows, weights


def high_low_rows(sensitive, symbols, odds):
    """(13) with row x + 1, and (14); returns (rows, weights of the estimates (15) and (16))."""
    size, others = power_above(sensitive), symbols - sensitive
    matrix, rows, weights = sylvester(size), [], []
    gain = (odds + 1) / (odds - 1)
    for x in range(sensitive):
        rows.append([(2 * odds if s == 1 else 2) / (size * (odds + 1)) for s in matrix[x + 1]] + [0] * others)
        own = [gain * (1 - 2 / (odds + 1))] * size + [gain * (0 - 2 / (odds + 1))] * others  # the estimate of p(A)
        weights.append([2 * gain * ((y < size and matrix[x + 1][y] == 1) - 1 / (odds + 1)) - own[y] for y in range(size + others)])
    for x in range(others):
        rows.append([2 / (size * (odds + 1))] * size + [(odds - 1) / (odds + 1) * (x == y) for y in range(others)])
        weights.append([0] * size + [gain * (x == y) for y in range(others)])
    return rows, weights


def answers(rows, prior):
    return [sum(p * row[y] for p, row in zip(prior, rows)) for y in range(len(rows[0]))]


def squared_error(rows, weights, prior):
    """Of one answer, summed over the targets; infinite unless the estimates are unbiased."""
    drawn, error = answers(rows, prior), 0.0
    for x, weight in enumerate(weights):
        mean = sum(p * w for p, w in zip(drawn, weight))
        if not math.isclose(mean, prior[x], abs_tol=1e-12):
            return math.inf
        error += sum(p * (w - mean)**2 for p, w in zip(drawn, weight))
    return error


def binomial(n, p):
    if p in (0, 1):
        return [float(k == n * p) for k in range(n + 1)]
    return [math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(p) + (n - k) * math.log(1 - p))
            for k in range(n + 1)]


def absolute_error(masses, n):
    """E |average of n draws - mean|, of draws with at most three values: {value: mass}."""
    mean = sum(v * p for v, p in masses.items())
    (first, p), *rest = sorted(masses.items(), key=lambda one: one[1])
    total, inner = 0.0, sum(q for _, q in rest)
    for k, mass in enumerate(binomial(n, p)):
        if mass < 1e-14:
            continue
        if len(rest) == 1:
            total += mass * abs((k * first + (n - k) * rest[0][0]) / n - mean)
            continue
        (second, q), (third, _) = rest
        total += mass * sum(m * abs((k * first + j * second + (n - k - j) * third) / n - mean)
                            for j, m in enumerate(binomial(n - k, q / inner)) if m > 1e-14)
    return total


def total_variation(rows, weights, prior, n):
    """The expected total variation distance of the estimates from n answers."""
    drawn, known, total = answers(rows, prior), {}, 0.0
    for weight in weights:
        masses = {}
        for p, w in zip(drawn, weight):
            masses[round(w, 9)] = masses.get(round(w, 9), 0) + p
        key = tuple(sorted((v, round(p, 12)) for v, p in masses.items()))
        if key not in known:
            known[key] = absolute_error(masses, n)
        total += known[key] / 2
    return total


def laplace(scale, reach=400):
    """Masses of discrete Laplace noise: {k: mass}."""
    weights = {k: math.exp(-abs(k) / scale) for k in range(-reach, reach + 1)}
    return {k: w / sum(weights.values()) for k, w in weights.items()}


def renyi(p, q, order):
    return math.log(sum(a**order * b**(1 - order) for a, b in zip(p, q))) / (order - 1)


def delta_of(rho, epsilon):
    """The smallest delta over orders a of exp((a - 1)(a rho - epsilon)) (1 - 1/a)^a / (a - 1), by search."""
    def at(a):
        return (a - 1) * (a * rho - epsilon) + a * math.log1p(-1 / a) - math.log(a - 1)
    low, high = 1 + 1e-9, 1e4
    for _ in range(300):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if at(left) < at(right) else (left, high)
    return math.exp(at(low))


def epsilon_of(rho, delta):
    low, high = 0.0, 1000.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_of(rho, middle) <= delta else (middle, high)
    return high
