"""Samplers to audit: each faithful to its spec, or with one fault. samplers.py MECHANISM [FAULT]

Reads requests and writes answers as docs/auditing.md says.
"""
import bisect
import json
import math
import random
import struct
import sys

FAULT = sys.argv[2] if len(sys.argv) > 2 else None
E = math.e


def response(rng, x, k, weight=E):
    """k-randomized response: x itself with odds `weight` against each other symbol."""
    if rng.random() * (weight + k - 1) < weight:
        return x
    other = rng.randrange(k - 1)
    return other + (other >= x)


def krr(rng, x, k):
    if FAULT == "wrong-epsilon":
        return response(rng, x, k, math.exp(1.1))
    if FAULT == "never-lies-about-one":
        return x if x == 3 else response(rng, x, k)
    if FAULT == "lies-to-the-neighbour":
        y = response(rng, x, k)
        return x if y == x else (x + 1) % k
    if FAULT == "truth-slips-through":
        return x if rng.random() < 0.05 else response(rng, x, k)
    if FAULT == "biased-remainder":
        y = response(rng, x, k)
        return y if y == x else rng.randrange(16) % k
    if FAULT == "too-much-noise":
        return response(rng, x, k, math.exp(0.9))
    if FAULT == "one-input-in-64":
        return response(rng, x, k, math.exp(1.5 if x == 17 else 1))
    return response(rng, x, k)


def twice(rng, x):
    """Binary randomized response; the fault draws until two runs agree, which doubles the level."""
    if FAULT == "composes-twice":
        while True:
            a, b = response(rng, x, 2), response(rng, x, 2)
            if a == b:
                return a
    return response(rng, x, 2)


def hadamard(rng, x):
    """Hadamard response on three inputs: rows 1, 2, 3 of order 4."""
    row = x if FAULT == "all-ones-row" else x + 1
    inside = rng.random() * (E + 1) < E
    choices = [y for y in range(4) if (bin(row & y).count("1") % 2 == 0) == inside]
    return rng.choice(choices or range(4))


def unary(rng, x, k):
    bits = []
    shared = rng.random()
    for i in range(k):
        own = i == x
        if FAULT == "bit-swapped" and i == 2:
            own = not own
        u = shared if FAULT == "one-coin-for-all-bits" else rng.random()
        bits.append("1" if u < (0.5 if own else 1 / (E + 1)) else "0")
    return "".join(bits)


def geometric_step(rng, a):
    """0, 1, 2, ... with probability (1 - a) a^n."""
    n = 0
    while rng.random() < a:
        n += 1
    return n


def geometric(rng, x, n):
    """Two-sided geometric noise at level 1/2 a step, clamped to 0..n-1."""
    a = math.exp(-0.5)
    while True:
        noise = geometric_step(rng, a) - geometric_step(rng, a)
        if FAULT != "truncated-tail" or abs(noise) <= 4:
            return min(max(x + noise, 0), n - 1)


def steps(a):
    """The noise and P(noise <= m): a^-m / (1 + a) below zero and 1 - a^(m+1) / (1 + a) from zero on."""
    values = list(range(-60, 61))
    return values, [a ** -m / (1 + a) if m < 0 else 1 - a ** (m + 1) / (1 + a) for m in values]


NOISE, BELOW = steps(math.exp(-0.5))


def laplace_on_a_grid(rng, x, n):
    """The same noise by inversion; the fault does it in floats of 8 bits (bfloat16)."""
    u = rng.random()
    if FAULT == "naive-floating-point":
        u = struct.unpack(">f", struct.pack(">f", u)[:2] + bytes(2))[0]
    place = min(bisect.bisect_right(BELOW, u), len(NOISE) - 1)
    return min(max(x + NOISE[place], 0), n - 1)


def second_only(rng, x):
    """Releases the second of two bits at level log(7); the first is not looked at."""
    return response(rng, x % 2, 2, 20 if FAULT == "leaks-through-the-prior" else 7)


def sphere(rng, vector, radius, level):
    """Duchi, Jordan and Wainwright's ball in two dimensions."""
    length = math.hypot(*vector)
    angle = 2 * math.pi * rng.random()
    y = (math.cos(angle), math.sin(angle))
    toward = rng.random() < 0.5 + length / (2 * radius)
    keep = rng.random() * (math.exp(level) + 1) < math.exp(level)
    inner = vector[0] * y[0] + vector[1] * y[1] if length else y[0]
    sign = 1 if (inner > 0) == (toward == keep) else -1
    gain = radius * math.pi / 2 * (math.exp(1) + 1) / (math.exp(1) - 1)
    return [sign * gain * part for part in y]


def exact_proportions(rng, x, k, count):
    """As often each symbol as is expected, up to rounding, in random order."""
    ends = [(y + 1 + (E - 1) * (y >= x)) / (E + k - 1) for y in range(k)]
    start = rng.random()
    outputs = [str(min(bisect.bisect_right(ends, (i + start) / count), k - 1)) for i in range(count)]
    rng.shuffle(outputs)
    return outputs


def draw(rng, values):
    name = sys.argv[1]
    if name == "ball":
        return sphere(rng, [float(value) for value in values], 1, 1.5 if FAULT == "wrong-epsilon" else 1)
    x = 0
    for value in values:
        x = 2 * x + int(value) if len(values) > 1 else int(value)
    if name in ("krr10", "krr64"):
        return str(krr(rng, x, int(name[3:])))
    if name == "unary6":
        return unary(rng, x, 6)
    if name in ("geometric", "laplace"):
        return str({"geometric": geometric, "laplace": laplace_on_a_grid}[name](rng, x, 12))
    return str({"binary": twice, "hadamard": hadamard, "second": second_only}[name](rng, x))


def main():
    for line in sys.stdin:
        request = json.loads(line)
        seed = request.get("seed")
        if FAULT == "seeded-per-request":
            seed = 7
        rng = random.Random(seed)
        if FAULT == "drawn-once":
            outputs = [draw(rng, request["input"])] * request["count"]
        elif FAULT == "sticky":
            outputs = []
            for _ in range(request["count"]):
                again = outputs and rng.random() < 0.1
                outputs.append(outputs[-1] if again else draw(rng, request["input"]))
        else:
            outputs = [draw(rng, request["input"]) for _ in range(request["count"])]
        if FAULT == "repeats-sixteen-before":
            for i in range(16, len(outputs)):
                if rng.random() < 0.05:
                    outputs[i] = outputs[i - 16]
        # The truth, with probability 1/2, in one answer of each request.
        if FAULT == "first-answer" and rng.random() < 0.5:
            outputs[0] = request["input"][0]
        if FAULT == "last-answer" and rng.random() < 0.5:
            outputs[-1] = request["input"][0]
        if (FAULT, len(outputs)) in (("asked-for-one", 1), ("asked-for-two", 2)):
            outputs = [request["input"][0] if rng.random() < 0.5 else y for y in outputs]
        if FAULT == "exact-proportions":
            outputs = exact_proportions(rng, int(request["input"][0]), 10, len(outputs))
        if FAULT == "recycled-buffer":
            outputs = [outputs[i % 4001] for i in range(len(outputs))]
        print(json.dumps({"outputs": outputs}), flush=True)


main()
