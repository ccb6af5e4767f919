"""Releases of tables to audit: each done rightly, or with one fault. releases.py WHAT [FAULT]

Reads requests and writes answers as docs/auditing.md says; the tables are those of ../specs/tables.
"""
import csv
import itertools
import json
import math
import os
import random
import sys
from collections import Counter

WHAT = sys.argv[1]
FAULT = sys.argv[2] if len(sys.argv) > 2 else None
TABLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "specs", "tables")
VALUES = [("young", "old"), ("none", "part", "full"), ("no", "yes")]
FAR = 200  # noise farther out is never seen


def noise_of(weight):
    """Draws whole numbers with probabilities ~ weight."""
    numbers = range(-FAR, FAR + 1)
    sums = list(itertools.accumulate(weight(abs(n)) for n in numbers))
    return lambda rng, count: rng.choices(numbers, cum_weights=sums, k=count)


def laplace(scale):
    return noise_of(lambda n: math.exp(-n / scale))


def gaussian(variance):
    return noise_of(lambda n: math.exp(-n * n / (2 * variance)))


def people(name):
    with open(os.path.join(TABLES, name), encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file)][1:]


def counts(records, rng, times):
    """How many have each combination of all attributes, or are ill, with noise."""
    if WHAT == "counts-gaussian":
        cells, had = VALUES[2], Counter(record[2] for record in records)
        noise = gaussian(2 if FAULT == "sigma-for-variance" else 4)
    else:
        cells, had = list(itertools.product(*VALUES)), Counter(records)
        noise = laplace(2)
    if FAULT == "empty-cells-skipped":
        cells = [cell for cell in cells if had[cell] > 0]
    names = [cell if isinstance(cell, str) else ",".join(cell) for cell in cells]
    for _ in range(times):
        drawn = noise(rng, 1) * len(cells) if FAULT == "one-noise" else noise(rng, len(cells))
        yield {name: had[cell] + n for name, cell, n in zip(names, cells, drawn)}


def heavy_hitters(records, rng, times):
    """Combinations that more than one person has, attributes in pairs and pairs in fours (docs/releases.md)."""
    noise, threshold, margin = laplace(2), 1, 3
    pairs, ill, all_three = Counter(r[:2] for r in records), Counter(r[2:] for r in records), Counter(records)

    def listed(candidates, had, level):
        if FAULT == "candidates-skipped":
            candidates = [c for c in candidates if had[c] > 0]
        least = threshold + (level - 1) * margin
        return [c for c, n in zip(candidates, noise(rng, len(candidates))) if max(had[c], least - margin) + n > least]

    for _ in range(times):
        left = listed(list(itertools.product(*VALUES[:2])), pairs, 1)
        right = listed([(value,) for value in VALUES[2]], ill, 1)
        last = listed([a + b for a in left for b in right], all_three, 2)
        yield {",".join(c): all_three[c] + n for c, n in zip(last, noise(rng, len(last)))}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        run = heavy_hitters if WHAT == "heavy-hitters" else counts
        outputs = list(run(people(request["input"][0]), random.Random(request.get("seed")), request["count"]))
        print(json.dumps({"outputs": outputs}), flush=True)


main()
