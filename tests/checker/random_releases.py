"""Seeded random releases with every type of step, small enough to enumerate all tables of one or two records.

A type of step is a function that draws one from a schema and scales of noise, and its line in STEP_TYPES.
"""
import itertools
import math
import random

from learning import STEPS

MOST_WORK = 40_000  # pairs of tables x outputs, by default
MOST_STEPS_OF_ONE = 2_000  # operations with probabilities on one table
# Scales of noise, and rates. A release uses one list, and Gaussian noise its first two: exact numbers with
# exponents of many different fractions, or large ones, are long.
SCALES = [["1", "1/2", "2", "4"], ["3/2", "3/4"]]


class Fuel:
    """A number that allows `left` operations: measures the work of a step on one table without exact arithmetic."""

    def __init__(self, left):
        self.left = left

    def used(self, *_):
        self.left -= 1
        if self.left < 0:
            raise OverflowError
        return self

    __add__ = __sub__ = __mul__ = __truediv__ = __pow__ = __radd__ = __rsub__ = __rmul__ = used


def some(r, schema, most=None):
    """One or more attributes, in any order."""
    names = [name for name, _ in schema]
    return r.sample(names, r.randint(1, min(most or len(names), len(names))))


def noise(r, scales):
    return {"gaussian": r.choice(scales[:2])} if r.random() < 0.3 else {"laplace": r.choice(scales)}


def counted(r, schema):
    """Tables, counts of people with certain values, or both."""
    def pattern():
        values = {name: r.choice(dict(schema)[name]) for name in some(r, schema, 2)}
        if r.random() < 0.3:
            values = {name: r.sample(dict(schema)[name], r.randint(1, len(dict(schema)[name]))) for name in values}
        return {"odd_of" if r.random() < 0.2 else "is": values}
    found = {}
    bits = [name for name, values in schema if len(values) == 2]
    if bits and r.random() < 0.2:
        found["parities"] = {"ways": r.randint(1, len(bits)), "among": bits} if r.random() < 0.5 else [bits]
    if r.random() < 0.7:
        found["of"] = [some(r, schema, 2) for _ in range(r.choice([1, 1, 2]))] if r.random() < 0.8 else {"ways": 1}
    if not found or r.random() < 0.4:
        found["where"] = [pattern() for _ in range(r.choice([1, 1, 2]))]
    return found


def weighted(r, schema):
    """A sum of weights: by attribute, or by joint value."""
    names = some(r, schema, 2)
    if r.random() < 0.5:
        return {"name": "sum", "weights": {name: {v: r.randint(-1, 2) for v in dict(schema)[name]} for name in names}}
    return {"name": "joint", "of": names, "weights": [r.randint(-1, 1) for _ in range(math.prod(len(dict(schema)[name]) for name in names))]}


def counts(r, schema, scales):
    asked, consistent = counted(r, schema), r.random() < 0.2
    if not consistent and r.random() < 0.3:
        asked = {**(asked if r.random() < 0.3 else {}), "sums": [weighted(r, schema)]}
    return {"type": "counts", **asked, "noise": noise(r, scales), "window": r.choice([0, 0, 1]),
            **({"consistent": True} if consistent else {})}


def heavy_hitters(r, schema, scales):
    step = {"type": "heavy_hitters", "attributes": some(r, schema)}
    if r.random() < 0.25:
        step.update(epsilon=r.choice(["1", "1/2", "log(3)", "2"]), share=r.choice(["1/10", "1/2", "1"]))
    else:
        step.update(scale=r.choice(scales), margin=r.choice([1, 1, 2]), threshold=r.choice([0, 0, 1]))
        if r.random() < 0.5:
            step["count_scale"] = r.choice(scales)
    if "epsilon" in step or "count_scale" in step:
        step["window"] = r.choice([0, 0, 1])
    for key, share in (("lists", 0.5), ("test_leaves", 0.3)):
        if r.random() < share:
            step[key] = True
    return step


def mwem(r, schema, scales):
    together = r.choice([1, 1, 2])
    # Few queries have no common attribute unless each has one attribute.
    asked = {"of": [[name] for name, _ in r.sample(schema, 2)]} if together == 2 and len(schema) > 1 else counted(r, schema)
    rounds = r.choice([1, 2, 2, 3])
    # Scores with many bits have exponents too fine for exact numbers, unless fractions of the uniform distribution
    # are short.
    bits = {} if rounds == 1 and all(len(values) < 3 for _, values in schema) else {"score_bits": r.choice([0, 4, 8])}
    return {"type": "mwem", **asked, "rounds": rounds, "together": together, "rate": r.choice(scales), "noise": noise(r, scales),
            **bits, **({"fit": "round"} if r.random() < 0.4 else {})}


def learn(r, schema, scales):
    hitters = {"scale": r.choice(scales), "count_scale": r.choice(scales), "margin": r.choice([1, 2]), "threshold": r.choice([0, 1])}
    concept, two = r.choice(["distribution", "point", "threshold", "halfspace"]), [name for name, values in schema if len(values) == 2]
    if concept == "distribution" or len(two) < 2:
        return {"type": "learn", "concept": "distribution", "attributes": some(r, schema), "share": "1/4", "window": 0, **hitters}
    label, *inputs = r.sample(two, r.randint(2, min(3, len(two))))
    step = {"type": "learn", "concept": concept, "attributes": inputs, "label": label}
    if concept == "point":
        return {**step, **hitters, "share": r.choice(["1/4", "1/2"])}
    if concept == "threshold":
        return {**step, **hitters, "error": "1/2", "label_scale": r.choice(scales), "search_scale": r.choice(scales), "rate": r.choice(scales)}
    margin = r.randint(1, len(inputs))
    return {**step, "epsilon": r.choice(scales), "label_odds": r.choice(["2", "3", "3/2"]), "margin": margin,
            "inner_margin": r.randrange(margin), "most_weight": r.choice([1, 2])}


STEP_TYPES = {"counts": counts, "heavy_hitters": heavy_hitters, "mwem": mwem, "learn": learn}


def budget(r, schema):
    """Sets of attributes for the ledger, with limits that nothing exceeds."""
    names = [name for name, _ in schema]
    sets = {frozenset(some(r, schema)) for _ in range(2)}
    return [{"attributes": [name for name in names if name in one], "rho": "1000000"} for one in sorted(sets, key=sorted)]


def draft(r, most_work):
    """(release, records), or None if it is too large."""
    schema = [("abcde"[i], [f"{'abcde'[i]}{v}" for v in range(r.choice([1, 2, 2, 2, 3]))]) for i in range(r.randint(1, 5))]
    scales = r.choice(SCALES)
    steps = [STEP_TYPES[r.choice(list(STEP_TYPES))](r, schema, scales) for _ in range(r.choice([1, 1, 1, 2, 3]))]
    records = r.choice([1, 2])
    people = list(itertools.product(*(values for _, values in schema)))
    tables, outputs = len(people) ** records, 1
    for step in steps:
        try:
            outputs *= len(STEPS[step["type"]](step, schema, lambda _, fuel=Fuel(MOST_STEPS_OF_ONE): fuel).distribution(people[:1] * records))
        except (OverflowError, IndexError):  # more work than that, or no different queries
            return None
    long_numbers = any("gaussian" in step.get("noise", {}) for step in steps)
    if not 1 < tables or tables * tables * outputs * (10 if long_numbers else 1) > most_work:
        return None
    return {"oddsbound_release": 1, "name": "random", "attributes": [{"name": name, "values": values} for name, values in schema],
            "budget": budget(r, schema), "steps": steps}, records


def random_release(r, most_work=MOST_WORK):
    while True:
        found = draft(r, most_work)
        if found:
            return found


# Three rounds about two queries, one a part of the other: only there does a fit take more than one pass. Random
# ones are seldom so large.
OF_MANY_PASSES = {"oddsbound_release": 1, "name": "passes",
                  "attributes": [{"name": "a", "values": ["0", "1"]}, {"name": "b", "values": ["0", "1"]}], "budget": [],
                  "steps": [{"type": "mwem", "where": [{"is": {"a": "1"}}, {"is": {"a": "1", "b": "1"}}], "rounds": 3, "rate": "1",
                             "noise": {"laplace": "1"}, "score_bits": 8}]}, 2


def features(release, records):
    """The rare features of a release, which must have met."""
    steps = release["steps"]
    found = {f"{records} records", "several steps" if len(steps) > 1 else "one step"}
    found |= {f"{len(release['attributes'])} attributes", *(f"{len(a['values'])} values" for a in release["attributes"])}
    for step in steps:
        found.add(step["type"])
        for key, value in step.items():
            told = value if key in ("rounds", "together", "fit", "concept") else next(iter(value)) if key == "noise" else ""
            found.add(f"{step['type']}: {key} {told}".strip())
    return found
