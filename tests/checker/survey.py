"""A survey with too many inputs and outputs to enumerate: its BCDP levels against values computed without the search
that found them.

survey.py BINARY SPEC: for the whole survey, every witness is recomputed exactly, and a separate local search must find
nothing above a level; for its first four answers, every output is enumerated. Prints a line per problem.
"""
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from fractions import Fraction
from itertools import product

from oddsbound_check.exact import Exact, quick
from oddsbound_check.expression import number
from oddsbound_check.spec import read_spec
from reference import load


def place_of(entry, known):
    """The place among the known different entries; adds a new one."""
    for place, other in enumerate(known):
        if other == entry:
            return place
    known.append(entry)
    return len(known) - 1


class Survey:
    """per_coordinate over a table, by its rows."""

    def __init__(self, path):
        spec = read_spec(path)
        self.domain = [(name, list(values)) for name, values in spec.domain]
        # (place, outputs, {value: [entry per output]})
        self.factors = [(part.places[0], part.labels, dict(zip(self.domain[part.places[0]][1], part.rows))) for part in spec.parts]
        prior = spec.json["prior"]
        with open(os.path.join(os.path.dirname(path), prior["file"]), newline="", encoding="utf-8") as file:
            self.rows = Counter(tuple(row[prior["columns"][name]] for name, _ in self.domain) for row in csv.DictReader(file))

    def given(self, i, value):
        return [(row, count) for row, count in self.rows.items() if row[i] == value]

    def probability(self, i, value, output):
        """P(output given the value), exact; rows with the same entries are summed first."""
        known, sums, mass = [], Counter(), 0
        columns = [(place, {v: place_of(row[outputs.index(y)], known) for v, row in rows.items()})
                   for (place, outputs, rows), y in zip(self.factors, output)]
        for row, count in self.given(i, value):
            powers = Counter(column[row[place]] for place, column in columns)
            sums[frozenset(powers.items())] += count
            mass += count
        total = Fraction(0)
        for powers, count in sums.items():
            term = Exact.of(Fraction(count, mass))
            for key, power in powers:
                for _ in range(power):
                    term = term * known[key]
            total = term + total
        return total

    # In doubles: [factor][output] -> {value: entry}.

    def columns(self):
        return [[{value: float(quick(row[y])) for value, row in rows.items()} for y in range(len(outputs))] for _, outputs, rows in self.factors]

    def likelihoods(self, columns, output, rows):
        result = []
        for row, count in rows:
            weight = float(count)
            for f, y in enumerate(output):
                weight *= columns[f][y][row[self.factors[f][0]]]
            result.append(weight)
        return result

    def ratio(self, columns, output, one, other):
        return (sum(self.likelihoods(columns, output, one)) / sum(c for _, c in one)
                / (sum(self.likelihoods(columns, output, other)) / sum(c for _, c in other)))

    def climbed(self, columns, one, other, output):
        """The largest ratio that a local search over single answers reaches."""
        best, better = self.ratio(columns, output, one, other), True
        while better:
            better = False
            for f, column in enumerate(columns):
                for y in range(len(column)):
                    trial = [*output[:f], y, *output[f + 1:]]
                    found = self.ratio(columns, trial, one, other)
                    if found > best * (1 + 1e-9):
                        best, output, better = found, trial, True
        return best


def pairs(survey, i):
    groups = [survey.given(i, value) for value in survey.domain[i][1]]
    return [(a, b) for a in groups for b in groups if a and b and a is not b]


def verified(binary, path, *options):
    run = subprocess.run([binary, "analyze", "--format", "json", *options, path], capture_output=True, text=True)
    return json.loads(run.stdout)["specs"][0]["analysis"]["bcdp"]


def whole_survey(binary, path):
    survey, chosen, problems = Survey(path), random.Random(1), []
    columns = survey.columns()
    for i, (name, level) in enumerate(verified(binary, path).items()):
        witness = level["witness"]
        output = witness["output"].strip("()").split(",")
        p = survey.probability(i, witness["from"], output)
        q = survey.probability(i, witness["to"], output)
        if number(witness["p_from"]) != p or number(witness["p_to"]) != q:
            problems.append(f"{name}: the witness's probabilities")
        if number(level["exp"]) * q != p:
            problems.append(f"{name}: the witness does not show the level")
        most = math.exp(float(level["upper"])) * (1 + 1e-9)
        for one, other in pairs(survey, i):
            row = chosen.choice(one)[0]
            start = [next((y for y, label in enumerate(outputs) if label == row[place]), 0) for place, outputs, _ in survey.factors]
            if survey.climbed(columns, one, other, start) > most:
                problems.append(f"{name}: there is an output above the level")
    return problems


def stopped(binary, path):
    """Levels of a stopped search lie between the given bounds; how many stop depends on the machine."""
    problems, known = [], verified(binary, path)
    for seconds in ("0.3", "0.6"):
        for name, level in (verified(binary, path, "--max-seconds", seconds) or {}).items():
            if "at_least" not in level:
                if level["exp"] != known[name]["exp"]:
                    problems.append(f"{name}: another level within {seconds} s")
                continue
            witness = level["witness"]
            if witness is None:  # no output was reached
                if float(level["lower"]) != 0:
                    problems.append(f"{name}: nothing shows what the level is at least")
            elif number(level["at_least"]["exp"]) * number(witness["p_to"]) != number(witness["p_from"]):
                problems.append(f"{name}: the witness does not show what the level is at least")
            if not float(level["lower"]) <= float(known[name]["upper"]) or not float(level["upper"]) >= float(known[name]["lower"]):
                problems.append(f"{name}: the level does not lie between its bounds")
    return problems


def first_answers(binary, path, count=4):
    """Every output, in doubles; limits keep the program from enumerating them too."""
    spec, problems = load(path), []
    kept = [name for name in spec["mechanism"]["mechanisms"]][:count]
    hidden = [c["name"] for c in spec["domain"] if c["name"] not in spec["mechanism"]["mechanisms"]]
    spec["domain"] = [c for c in spec["domain"] if c["name"] in kept + hidden]
    spec["mechanism"]["mechanisms"] = {name: spec["mechanism"]["mechanisms"][name] for name in kept}
    spec["prior"]["columns"] = {name: column for name, column in spec["prior"]["columns"].items() if name in kept + hidden}
    spec["prior"]["file"] = os.path.abspath(os.path.join(os.path.dirname(path), spec["prior"]["file"]))
    spec.pop("claims", None)
    spec["oddsbound"] = 1
    with tempfile.TemporaryDirectory() as folder:
        small = os.path.join(folder, "small.json")
        spec["prior"]["file"] = os.path.relpath(spec["prior"]["file"], folder)
        with open(small, "w", encoding="utf-8") as file:
            json.dump(spec, file)
        found, survey = verified(binary, small, "--max-cells", "100"), Survey(small)
    columns = survey.columns()
    outputs = list(product(*(range(len(column)) for column in columns)))
    for i, (name, level) in enumerate(found.items()):
        true = max(survey.ratio(columns, output, one, other) for one, other in pairs(survey, i) for output in outputs)
        if abs(math.log(true) - float(level["upper"])) > 1e-9:
            problems.append(f"{name}: {level['upper']}, but every output gone through gives {math.log(true)}")
    return problems


def main():
    binary, path = sys.argv[1:3]
    problems = whole_survey(binary, path) + stopped(binary, path) + first_answers(binary, path)
    for line in problems:
        print(line)
    print(f"{0 if problems else 1} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
