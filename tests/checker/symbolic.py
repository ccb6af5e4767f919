"""Verdicts for all values of symbols, against the definitions at some of the values."""
import itertools
import json
from fractions import Fraction

from reference import Spec, load

STEPS = [Fraction(1, 7), Fraction(1, 2), Fraction(6, 7)]
FAR = [Fraction(1, 9), Fraction(1), Fraction(17)]


def values_in(limits):
    """Some values of a range, with its ends if they belong to it."""
    low = Fraction(limits.get("ge", limits.get("gt", "0")))
    high = limits.get("le", limits.get("lt"))
    ends = [Fraction(limits[key]) for key in ("ge", "le") if key in limits]
    inside = [low + d for d in FAR] if high is None else [low + (Fraction(high) - low) * s for s in STEPS]
    return inside + ends


def obeys(spec, claim):
    return spec.holds(claim) and (not claim.get("tight") or spec.is_least(claim))


def problems(path, result):
    source = load(path)
    found = []
    names = list(source["symbols"])
    grid = list(itertools.product(*(values_in(source["symbols"][name]) for name in names)))
    instances = [Spec(path, {name: str(v) for name, v in zip(names, values)}) for values in grid]
    if len(result["claims"]) != len(source["claims"]):
        return ["number of claims"]
    for index, (claim, r) in enumerate(zip(source["claims"], result["claims"])):
        what = f"claim {index} ({claim['notion']}, {json.dumps(r.get('values'))})"
        if r["verdict"] == "undecided":
            found += [] if r["reason"] else [f"{what}: undecided without a reason"]
        elif r["verdict"] == "holds":
            wrong = [values for values, spec in zip(grid, instances) if not obeys(spec, claim)]
            found += [f"{what}: holds, but not for {dict(zip(names, map(str, values)))}" for values in wrong[:1]]
        elif obeys(Spec(path, r["values"]), claim):
            found.append(f"{what}: refuted where it holds")
    return found
