"""The loss of a threshold of two digits on tables of two records, which has too many paths to enumerate: prefix by
prefix, in doubles.

threshold_levels.py BINARY: the levels equal the known ones, and the tool's ledger is not below them.
"""
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
from fractions import Fraction

from learning import Threshold, gathered
from release_steps import having, laplace_window

KNOWN = {"a": 0.34891443, "b": 0.12907090, "y": 0.36597673}
STEP = {"type": "learn", "concept": "threshold", "attributes": ["a", "b"], "label": "y", "error": "1/2", "label_scale": "6", "search_scale": "12",
        "scale": "8", "count_scale": "8", "margin": 1, "threshold": 0, "rate": "1/12"}
SCHEMA = [("a", ["0", "1"]), ("b", ["0", "1"]), ("y", ["0", "1"])]


class PrefixByPrefix(Threshold):
    """Combinations of a prefix and both labels are tested and counted separately from those of other prefixes."""

    def enters(self, pattern, level, people):
        threshold = (level - 1) * int(self.step["margin"])
        count = max(having(people, pattern), threshold - int(self.step["margin"]))
        return laplace_window(self.read("scale"), count - threshold, 0, 1, self.exp)[1]

    def fewest(self, x, level, people):
        """{the smaller count of the two labels, -1 if one is not listed: probability}"""
        patterns = [{**dict(zip(self.inputs, x)), self.label: label} for label in ("0", "1")]
        both = math.prod(self.enters(pattern, level, people) for pattern in patterns)
        found = {-1: 1 - both}
        laws = [laplace_window(self.read("count_scale"), having(people, pattern), 0, len(people), self.exp) for pattern in patterns]
        for (m, p), (n, q) in itertools.product(enumerate(laws[0]), enumerate(laws[1])):
            found[min(m, n)] = found.get(min(m, n), 0) + both * p * q
        return found

    def best(self, length, people):
        """[(prefix, probability)]"""
        bound = Fraction(3, 25) * self.read("error") * len(people)
        every = list(itertools.product("01", repeat=length))
        states = [(((-1, None)), 1.0)]
        for x in every:
            # The two digits are joined first, and so are the labels; then both.
            listed = self.enters(dict(zip(self.inputs, x)), 1, people) if length == 2 else 1
            fewest = self.fewest(x, 2 if length == 2 else 1, people)
            options = [(m, listed * p) for m, p in fewest.items()] + [(-1, 1 - listed)]
            states = gathered([((m, x) if m > most[0] else most, p * q) for most, p in states for m, q in options])
        labels = math.prod(self.enters({self.label: label}, 1, people) for label in ("0", "1")) if length == 2 else 1
        if length == 0:
            return [((), 1.0)]
        return gathered([(most[1] if most[0] >= bound else None, p * labels) for most, p in states] + [(None, 1 - labels)])

    def within(self, length, people):
        return self.chosen([(x if x is None else tuple(map(int, x)), p) for x, p in self.best(length, people)], people)


def levels():
    step = PrefixByPrefix(STEP, SCHEMA, math.exp)
    laws = {table: dict(step.distribution(table)) for table in itertools.product(itertools.product("01", repeat=3), repeat=2)}
    most = dict.fromkeys("aby", 0)
    for table, law in laws.items():
        for record, i in itertools.product(range(2), range(3)):
            person = list(table[record])
            person[i] = "1" if person[i] == "0" else "0"
            other = laws[tuple(tuple(person) if k == record else table[k] for k in range(2))]
            most["aby"[i]] = max([most["aby"[i]], *(math.log(p / other[z]) for z, p in law.items())])
    return most


def main():
    found = levels()
    problems = [f"{name}: {found[name]}, not {known}" for name, known in KNOWN.items() if abs(found[name] - known) > 1e-8]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "two.release.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"oddsbound_release": 1, "name": "two digits", "attributes": [{"name": n, "values": v} for n, v in SCHEMA],
                       "budget": [{"each": True, "epsilon": "1"}], "steps": [STEP]}, file)
        result = subprocess.run([sys.argv[1], "release", path, "--account", "--format", "json"], capture_output=True, check=False)
        ledger = {line["of"]: line for line in json.loads(result.stdout)["ledger"]}
    stated = {"a": 5 / 6, "b": 3 / 4, "y": 1}
    for name, level in stated.items():
        loss = float(Fraction(ledger[name]["pure"]))
        if abs(loss - level) > 1e-12 or loss < found[name]:
            problems.append(f"the ledger says {loss} of {name}")
    print("\n".join(problems + [f"{6 - len(problems)} passed, {len(problems)} failed"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
