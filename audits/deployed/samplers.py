"""Samplers of deployed mechanisms for the audit: faithful to their specs, or with one fault. samplers.py MECHANISM [FAULT]

Reads requests and writes answers as docs/auditing.md says. docs/deployed.md lists the faults.
"""
import json
import math
import random
import sys

FAULT = sys.argv[2] if len(sys.argv) > 2 else None
E = math.e


def other(rng, x, k):
    """One of the other k - 1 values, all equally likely."""
    y = rng.randrange(k - 1)
    return y + (y >= x)


def geometric(rng, r):
    """0, 1, 2, ... with probability (1 - r) r^n."""
    return int(math.log(1 - rng.random()) / math.log(r))


def two_sided(rng, r):
    """Discrete Laplace: n with probability (1 - r) / (1 + r) r^|n|."""
    return geometric(rng, r) - geometric(rng, r)


def clamped(x, low, high):
    return min(max(x, low), high)


# Local mechanisms


def one_bit(rng, values):
    """make_randomized_response_bool at 0.75."""
    if FAULT == "remainder-as-percent":
        honest = rng.randrange(256) % 100 < 75
    else:
        honest = rng.random() < 0.75
    return values[0] if honest else {"false": "true", "true": "false"}[values[0]]


def high_level(rng, values):
    """Binary randomized response at level 6."""
    p = math.exp(6) / (math.exp(6) + 1)
    if FAULT == "rounded-to-percent":
        p = round(100 * p) / 100
    return values[0] if rng.random() < p else str(1 - int(values[0]))


def four_values(rng, values):
    """k-randomized response with k = 4 at level 1."""
    x, p = int(values[0]), E / (E + 3)
    if rng.random() < p:
        return str(x)
    return str(rng.randrange(4) if FAULT == "lie-may-be-true" else other(rng, x, 4))


def unary(rng, values):
    """Optimized unary encoding of ten values at level 1."""
    p, q = 1 / 2, 1 / (E + 1)
    if FAULT == "p-and-q-exchanged":
        p, q = q, p
    return "".join("1" if rng.random() < (p if i == int(values[0]) else q) else "0" for i in range(10))


def symmetric(rng, values):
    """Symmetric unary encoding of ten values at level 1: each bit gets half of the level."""
    h = math.exp(1 if FAULT == "whole-level-per-bit" else 0.5)
    return "".join("1" if rng.random() < (h if i == int(values[0]) else 1) / (h + 1) else "0" for i in range(10))


def subset(rng, values):
    """Three of ten values at level 1; the own value is among them with probability 3 e / (3 e + 7)."""
    x, rest = int(values[0]), [i for i in range(10) if i != int(values[0])]
    p = E / (E + 1) if FAULT == "inclusion-as-for-two-values" else 3 * E / (3 * E + 7)
    members = [x, *rng.sample(rest, 2)] if rng.random() < p else rng.sample(rest, 3)
    return "{" + ",".join(map(str, sorted(members))) + "}"


def hashing(rng, values):
    """Local hashing of ten values into four buckets by ((a x + b) mod 11) mod 4, at level 1."""
    a, b = rng.randrange(1, 11), rng.randrange(11)
    if FAULT == "hash-seed-fixed":
        a, b = 3, 5
    bucket = (a * int(values[0]) + b) % 11 % 4
    y = bucket if rng.random() < E / (E + 3) else other(rng, bucket, 4)
    return f"({a},{b},{y})"


def rappor(rng, values):
    """Sixteen reports of basic RAPPOR with f = 1/2, p = 1/2, q = 3/4 on two bits."""
    def permanent():
        return [rng.random() < (0.75 if i == int(values[0]) else 0.25) for i in range(2)]
    kept, ones = permanent(), [0, 0]
    for _ in range(16):
        if FAULT == "permanent-answer-redrawn":
            kept = permanent()
        for i in range(2):
            ones[i] += rng.random() < (0.75 if kept[i] else 0.5)
    return f"({ones[0]},{ones[1]})"


def topic(rng, values):
    """Returns the answers of three calls in one week: the topic, or with probability 5 % a random one of three, for all calls."""
    def drawn():
        return values[0] if rng.random() < 0.95 else str(rng.randrange(3))
    first = drawn()
    return ",".join(drawn() if FAULT == "noise-drawn-at-every-call" else first for _ in range(3))


def forced(rng, values):
    """Forced response with two dice: 2, 3, 4 is yes; 11, 12 is no; otherwise the truth."""
    dice = rng.randrange(1, 7) + rng.randrange(1, 7)
    if FAULT == "forced-answers-exchanged":
        return "no" if dice <= 4 else "yes" if dice >= 11 else values[0]
    return "yes" if dice <= 4 else "no" if dice >= 11 else values[0]


PRAM = {"1": {"1": 0.9, "2": 0.1}, "2": {"1": 0.1, "2": 0.8, "3": 0.1}, "3": {"2": 0.1, "3": 0.8, "4": 0.1},
        "4": {"3": 0.1, "4": 0.8, "5": 0.1}, "5": {"4": 0.1, "5": 0.9}}


def pram(rng, values):
    """Post-randomization with a band matrix; the fault now and then takes the row of another category."""
    row = PRAM[str(rng.randrange(1, 6)) if FAULT == "impossible-transitions" and rng.random() < 0.01 else values[0]]
    return rng.choices(list(row), list(row.values()))[0]


# Noise on counts


def grid(rng, values):
    """Discrete Laplace at level 1/8 per step, for 0 or 8, clamped to -40..48."""
    if FAULT == "uniform-of-five-bits":  # only 32 magnitudes, so few results are possible for both inputs
        magnitude = round(-8 * math.log(rng.randrange(1, 33) / 32))
        noise = magnitude if rng.random() < 0.5 else -magnitude
    else:
        noise = two_sided(rng, math.exp(-1 / 8))
    return str(clamped(int(values[0]) + noise, -40, 48))


def count(rng, values):
    """Two-sided geometric noise at level 1/2 per step on a count from 0 to 9, clamped to the same range."""
    r, x = math.exp(-1 / 2), int(values[0])
    if FAULT == "zero-has-two-signs":
        noise = geometric(rng, r) * rng.choice((-1, 1))
    elif FAULT == "laplace-rounded":
        noise = round(-2 * math.log(1 - rng.random())) * rng.choice((-1, 1))
    else:
        noise = two_sided(rng, r)
    if FAULT == "negative-index-wraps":
        return [str(i) for i in range(10)][clamped(x + noise, -10, 9)]
    if FAULT == "lower-bound-off-by-one":
        return str(clamped(x + noise, 1, 9))
    return str(clamped(x + noise, 0, 9))


def visits(rng, values):
    """A count of up to nine visits, of which three count, with noise at level 1/3 per step, clamped to -10..13."""
    x = int(values[0]) if FAULT == "contribution-not-bounded" else min(int(values[0]), 3)
    return str(clamped(x + two_sided(rng, math.exp(-1 / 3)), -10, 13))


# Selection


def above_threshold(rng, values):
    """Stops after the first query above the threshold 0: noise 1/4 on the threshold, 1/2 on queries."""
    threshold, answers = two_sided(rng, 1 / 4), ""
    for value in values:
        noise = 0 if FAULT == "no-noise-on-queries" else two_sided(rng, 1 / 2)
        if int(value) + noise >= threshold:
            return answers + "T"
        answers += "F"
    return answers


def above_threshold_twice(rng, values):
    """Stops after the second query above; the threshold's noise is drawn again after the first one."""
    threshold, answers = two_sided(rng, 1 / 4), ""
    for value in values:
        up = int(value) + two_sided(rng, 1 / 2) >= threshold
        answers += "T" if up else "F"
        if answers.count("T") == 2:
            return answers
        if up and FAULT != "threshold-not-refreshed":
            threshold = two_sided(rng, 1 / 4)
    return answers


SCORES = {"0 and 0": (0, 0), "1 and -1": (1, -1)}


def permute_and_flip(rng, values):
    scores, order = SCORES[values[0]], [0, 1]
    if FAULT == "candidates-not-permuted":
        order = [1, 0]
    else:
        rng.shuffle(order)
    best = max(scores)
    for i in order:
        if rng.random() < math.exp(scores[i] - best):
            return ("first", "second")[i]
    raise AssertionError("the best candidate is accepted")


def exponential(rng, values):
    if FAULT == "permute-and-flip-instead":
        return permute_and_flip(rng, values)
    weights = [math.exp(score) for score in SCORES[values[0]]]
    return rng.choices(("first", "second"), weights)[0]


def difference_of_scores(rng, values):
    """The exponential mechanism at level 1 on scores that change by up to 4."""
    scores = {"without": (-20, 4), "with": (-16, 0)}[values[0]]
    sensitivity = 2 if FAULT == "sensitivity-of-one-term" else 4
    best = max(scores)
    return rng.choices(("m1", "m2"), [math.exp((score - best) / (2 * sensitivity)) for score in scores])[0]


SAMPLERS = {"one-bit": one_bit, "high-level": high_level, "four-values": four_values, "unary": unary, "symmetric": symmetric,
            "subset": subset, "hashing": hashing, "rappor": rappor, "topic": topic, "forced": forced, "pram": pram,
            "grid": grid, "count": count, "visits": visits, "above-threshold": above_threshold,
            "above-threshold-twice": above_threshold_twice, "permute-and-flip": permute_and_flip, "exponential": exponential,
            "difference-of-scores": difference_of_scores}


def main():
    draw = SAMPLERS[sys.argv[1]]
    for line in sys.stdin:
        request = json.loads(line)
        rng, seeds = random.Random(request["seed"]), random.Random(request["seed"] + 1)
        outputs = []
        for i in range(request["count"]):
            if FAULT == "seed-shared-by-two-users" and i % 2 == 0:
                state = seeds.getrandbits(64)
            if FAULT == "seed-shared-by-two-users":
                rng.seed(state)
            outputs.append(draw(rng, request["input"]))
        print(json.dumps({"outputs": outputs}), flush=True)


main()
