"""Faulty releases lose more than the ledger states: the plain loops of release_steps.py and learning.py with one fault each, written as
channels. The tool must refute them at the level of the correct release, and find the level of the fault.

release_faults.py BINARY; with --all also on sixteen attributes, which takes longer.
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile
from fractions import Fraction

from learning import STEPS


class Written:
    """A number in the grammar of specs."""

    def __init__(self, text):
        self.text = text

    @staticmethod
    def of(value):
        return value if isinstance(value, Written) else Written(f"({value})")

    @staticmethod
    def exp(power):
        return Written(f"exp({power})")

    def _with(self, sign, other):
        return Written(f"({self.text}{sign}{Written.of(other).text})")

    def __add__(self, other):
        return self._with("+", other)

    def __sub__(self, other):
        return self._with("-", other)

    def __mul__(self, other):
        return self._with("*", other)

    def __truediv__(self, other):
        return self._with("/", other)

    def __pow__(self, power):
        return Written(f"({self.text}^{power})")

    def __radd__(self, other):
        return Written.of(other) + self

    def __rsub__(self, other):
        return Written.of(other) - self


def of_attribute(level, name):
    return level[name.partition(".")[2]] if isinstance(level, dict) else level


def spec_of(step, schema, records, fault, levels, claims):
    """All tables of `records` records, in rows of an explicit channel. levels: for attributes with more than one
    value, one level for all of them, or by attribute."""
    wrong = STEPS[step["type"]](step, schema, Written.exp, fault)
    domain = [(f"{k + 1}.{name}", values) for k in range(records) for name, values in schema]
    rows, known = [], {}
    for x in itertools.product(*(values for _, values in domain)):
        people = tuple(sorted(x[k * len(schema):(k + 1) * len(schema)] for k in range(records)))
        if people not in known:
            known[people] = {",".join(map(str, told)): p.text for told, p in wrong.distribution(people)}
        rows.append(known[people])
    outputs = sorted({output for row in rows for output in row})
    return {"oddsbound": 1, "name": fault or "right", "domain": [{"name": name, "values": values} for name, values in domain],
            "mechanism": {"type": "matrix", "outputs": outputs, "rows": [[row.get(y, "0") for y in outputs] for row in rows]},
            "claims": [{"notion": "partial_dp",
                        "epsilon": {name: of_attribute(level, name) if len(values) > 1 else "0" for name, values in domain},
                        "records": [[f"{k + 1}.{name}" for name, _ in schema] for k in range(records)], **more}
                       for level, more in zip(levels, claims)]}


def less_than(level):
    return {name: less_than(one) for name, one in level.items()} if isinstance(level, dict) else f"{level} - 1/1000"


def main():
    first = [str(Fraction(3, 2))]
    tail = [f"log(1 + exp(-1/2) - exp(-{1 + i}/2)) - log(1 + exp(-1/2) - exp(-{i}/2))" for i in (1, 2)]
    eight, sixteen = " + ".join(first + tail[:1]), " + ".join(first + tail)
    hitters = {"type": "heavy_hitters", "scale": "2", "threshold": 0, "margin": 1, "lists": True}
    mwem = {"type": "mwem", "rounds": 1, "together": 2, "rate": "1/8", "noise": {"laplace": "2"},
            "where": [{"is": {"a": "1"}}, {"is": {"a": "1", "b": "1"}}]}
    both = {**mwem, "where": [{"is": {"a": "1"}}, {"is": {"b": "1"}}]}
    counts = {"type": "counts", "of": [["a"]], "noise": {"laplace": "4"}, "window": 0}
    # fault, values of attributes, records, step, largest loss of the correct release, loss of this one (None:
    # more, and no number that is easily written)
    one = [2] + [1] * 7
    cases = [(None, one, 2, hitters, eight, eight), ("only what somebody has", one, 2, hitters, eight, "inf"),
             ("no clamping", one, 2, hitters, eight, "2"), ("flat thresholds", one, 2, hitters, eight, "2"),
             ("shared attributes", [2, 2], 2, mwem, "3/4", "1"), (None, [2, 2], 1, both, "1/2", "1/2"),
             ("one noise", [2, 2], 1, both, "3/4", "inf"), (None, [2], 2, counts, "1/2", "1/2"),
             ("only what somebody has", [2], 2, counts, "1/2", "inf")]
    # The longest shared prefix of two digits: ceil(log2(2 + 1)) comparisons, of which one sees the second digit.
    search = {"type": "learn", "concept": "search", "error": "1/2", "search_scale": "4"}
    halved = {"a": "1/2", "b": "1/4", "c": "1/2"}
    cases += [(None, [2] * 3, 2, search, halved, halved),
              ("log2(d) comparisons", [2] * 3, 2, {**search, "search_scale": "2"}, "1/2", "1")]
    # Planes between the corners of a cube, of three and of seven dimensions.
    corners = {"type": "learn", "concept": "halfspace", "epsilon": "1", "label_odds": "3", "margin": 2,
               "weights": [plane for plane in itertools.product((-1, 0, 1), repeat=3) if any(plane)]}
    bent = {**corners, "label_odds": "9", "margin": 3,
            "weights": [[1] * 7, [-1] * 7] + [[int(i == j) for j in range(7)] for i in range(7)]}
    cases += [("labels not randomized", [2] * 4, 1, corners, {**dict.fromkeys("abc", "1"), "d": "log(3)"}, None),
              ("no smoothing", [2] * 8, 1, bent, {**dict.fromkeys("abcdefg", "1"), "h": "log(9)"}, None)]
    if "--all" in sys.argv:
        cases += [(fault, [2] + [1] * 15, 3, hitters, sixteen, "5/2") for fault in ("no clamping", "flat thresholds")]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for i, (fault, values, records, step, right, wrong) in enumerate(cases):
            schema = [("abcdefghijklmnop"[k], ["0", "1"][:count]) for k, count in enumerate(values)]
            names = [name for name, _ in schema]
            full = {**step, "attributes": names, **({"attributes": names[:-1], "label": names[-1]} if step["type"] == "learn" else {})}
            levels = [right] + ([] if wrong in ("inf", None) else [wrong, less_than(wrong)])
            claims = [{"expect": "refuted"} if fault else {"tight": True}, {}, {"expect": "refuted"}]
            spec = spec_of(full, schema, records, fault, levels, claims)
            path = os.path.join(folder, f"{i}.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(spec, file)
            result = subprocess.run([sys.argv[1], "verify", "--format", "json", path], capture_output=True, check=False)
            specs = json.loads(result.stdout)["specs"]
            infinite = wrong != "inf" or specs[0]["claims"][0]["actual"]["1.a"]["epsilon"] == "inf"
            if result.returncode != 0 or not infinite:
                failed += 1
                print(f"{fault or 'the right release'}, {step['type']}, {len(values)} attributes: not what was expected\n{result.stderr.decode()}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
