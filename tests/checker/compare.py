"""Results of `compare` about designs against `analyze` and `estimate` of each, and its verdicts by exact comparison.

compare.py BINARY: cells must agree with the other commands; the designs named lowest must be those of the checker's
own intervals of the same numbers. One line per wrong answer.
"""
import itertools
import json
import os
import subprocess
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
GROUPS = [["titanic", "titanic-half"], ["bcdp-example-2-once", "bcdp-example-2-twice"], ["warner", "mangat"],
          ["hadamard-response", "subset-selection", "titanic-class-known"]]
AVERAGES = {"right guesses": "guess_after", "bayes leakage": "bayes_leakage", "total variation": "total_variation"}
getcontext().prec = 60


def run(binary, *arguments):
    result = subprocess.run([binary, *arguments, "--format", "json"], cwd=ROOT, stdout=subprocess.PIPE, timeout=60)
    if result.returncode:
        sys.exit(f"{arguments}: exit status {result.returncode}")
    return json.loads(result.stdout)


def ends(cell):
    """The interval of a cell's decimals; None if nothing is known."""
    known = cell.get("level") or cell.get("number")
    return known and (Decimal(known["lower"].replace("inf", "Infinity")), Decimal(known["upper"].replace("inf", "Infinity")))


def text(cell):
    known = cell.get("level") or cell.get("number")
    return known and (known["at_least"], known["at_most"])


def wrong_verdict(row):
    """Disjoint decimals decide; equal texts are equal numbers; the program decides all other cases."""
    known = [i for i, cell in enumerate(row["cells"]) if ends(cell)]
    if "not_compared" in row or len(known) < 2:
        return row["lowest"] != []
    for a, b in itertools.permutations(known, 2):
        apart = ends(row["cells"][a])[1] < ends(row["cells"][b])[0]
        if apart and b in row["lowest"]:
            return True
        x, y = text(row["cells"][a]), text(row["cells"][b])
        if x == y and x[0] == x[1] and (a in row["lowest"]) != (b in row["lowest"]):
            return True
    least = [a for a in known if all(a == b or ends(row["cells"][a])[1] < ends(row["cells"][b])[0] for b in known)]
    return bool(least) and row["lowest"] != least


def average_of(spec, coordinate):
    effects = spec.get("effects")
    if not effects:
        return None
    if not coordinate:
        return effects.get("record")
    return effects["attributes"].get(coordinate, {}).get("average")


def error_of(binary, file, coordinate):
    """The mean squared error of `estimate`; None if it reports none."""
    arguments = [binary, "estimate", file, "--samples", "1000", "--format", "json", "--marginals", coordinate]
    result = subprocess.run(arguments, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
    return None if result.returncode else json.loads(result.stdout)["marginals"][0]["mean_squared_error"]["value"]


def expected(binary, spec, row):
    """The result of another command: the texts of both ends, or None."""
    coordinate = row.get("coordinate", "")
    if row["kind"] == "error":
        known = error_of(binary, spec["file"], coordinate)
    elif row["kind"] == "level":
        levels = spec["analysis"].get(row["quantity"])
        level = levels.get(coordinate) if coordinate and levels else levels
        known = level and level["epsilon"]
    else:
        average = average_of(spec, coordinate)
        if row["quantity"] == "information":
            return average and (average["information"]["lower"], average["information"]["upper"])
        known = average and average.get(AVERAGES[row["quantity"]])
    return known and (known, known)


def differs(cell, row, said):
    """Information is rounded: its decimals must be the ends, as numbers."""
    found = text(cell)
    if found and said and row["quantity"] == "information":
        return [Fraction(end) for end in found] != [Fraction(end) for end in said]
    return found != said


def check(binary, names):
    files = [f"specs/gallery/{name}.json" for name in names]
    compared = run(binary, "compare", *files)
    specs = [run(binary, "analyze", "--explain", file)["specs"][0] for file in files]
    wrong, cells = [], 0
    for row in compared["rows"]:
        name = f"{', '.join(names)}: {row['quantity']} {row.get('coordinate', '')}"
        if wrong_verdict(row):
            wrong.append(f"{name}: lowest is {row['lowest']}")
        whole_error = row["kind"] == "error" and not row.get("coordinate")
        if whole_error or "knowing" in row["quantity"]:
            continue
        for spec, cell in zip(specs, row["cells"]):
            there = row.get("coordinate", spec["coordinates"][0]) in spec["coordinates"]
            said = expected(binary, spec, row) if there else None
            cells += 1
            if differs(cell, row, said):
                wrong.append(f"{name}: {spec['name']} has {text(cell)}, elsewhere {said}")
    return wrong, cells


def main():
    binary = os.path.abspath(sys.argv[1])
    wrong, cells = [], 0
    for names in GROUPS:
        found, count = check(binary, names)
        wrong += found
        cells += count
    print("\n".join([*wrong, f"{cells} cells of {len(GROUPS)} comparisons, {len(wrong)} wrong answers"]))
    return 1 if wrong or cells == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
