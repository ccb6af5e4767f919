"""Results of `tune` for random specs, against the definitions at the same values, by plain loops.

tune.py BINARY [--specs N] [--seed S]: every decided value, the two ends, and some proven values. One line per wrong
answer.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from reference import Spec


def random_row(r, outputs, name):
    """Positive for every positive value of the symbol, with sum 1."""
    weights = [f"({r.randint(1, 9)} + {r.randint(0, 9)}*{name})" for _ in range(outputs)]
    if r.random() < 0.3:
        weights[0] += f"*{name}"
    return [f"{weight}/({' + '.join(weights)})" for weight in weights]


def random_claims(r, coordinates):
    level = f"log({r.randint(5, 30)}/5)"
    choices = [{"notion": "ldp", "epsilon": level}, {"notion": "cdp", "epsilon": level}, {"notion": "bcdp", "epsilon": level},
               {"notion": "approximate_dp", "epsilon": "0", "delta": str(Fraction(r.randint(1, 9), 10))}]
    if coordinates > 1:
        choices.append({"notion": "bcdp", "epsilon": {"x1": level, "x2": f"log({r.randint(5, 30)}/5)"}})
    return [r.choice(choices) for _ in range(r.randint(1, 2))]


def random_spec(r):
    """A spec with a symbol or a parameter `t`, which varies from 1/10 to 5."""
    coordinates = r.randint(1, 2)
    inputs = 2 ** coordinates
    weights = [r.randint(1, 5) for _ in range(inputs)]
    spec = {"oddsbound": 1, "name": "random", "domain": [{"name": f"x{i + 1}", "size": 2} for i in range(coordinates)],
            "prior": {"type": "counts", "counts": weights}}
    outputs = r.randint(2, 3)
    spec["mechanism"] = {"type": "matrix", "outputs": outputs, "rows": [random_row(r, outputs, "t") for _ in range(inputs)]}
    spec["claims"] = random_claims(r, coordinates)
    if r.random() < 0.5:
        spec["symbols"] = {"t": {r.choice(["gt", "ge"]): "1/10", r.choice(["lt", "le"]): "5"}}
    else:
        spec["parameters"] = {"t": str(r.randint(1, 4))}
    return spec


class At:
    """The spec at one value, as the checker reads it."""

    def __init__(self, path, spec, folder):
        self.path, self.spec, self.folder = path, spec, folder

    def holds(self, value, claims):
        if "symbols" in self.spec:
            instance = Spec(self.path, {"t": value})
        else:
            other = os.path.join(self.folder, "at.json")
            with open(other, "w") as file:
                json.dump({**self.spec, "parameters": {"t": value}}, file)
            instance = Spec(other)
        return all(instance.holds(self.spec["claims"][index]) for index in claims)


def wrong_points(at, result, claims):
    found = []
    for point in result["points"]:
        if point["verdict"] != ("holds" if at.holds(point["value"], claims) else "refuted"):
            found.append(f"{point['verdict']} at {point['value']}")
    return found


def wrong_ends(result):
    verdicts = [(Fraction(point["value"]), point["verdict"]) for point in result["points"]]
    if result["sought"] == "largest":
        verdicts.reverse()
    holding = [i for i, (_, verdict) in enumerate(verdicts) if verdict == "holds"]
    holds = verdicts[holding[0]][0] if holding else None
    fails = verdicts[holding[0] - 1][0] if holding and holding[0] > 0 else None
    given = [None if result[key] is None else Fraction(result[key]) for key in ("holds_at", "fails_at")]
    found = [] if given == [holds, fails] else [f"the ends are {given}, not {[holds, fails]}"]
    if fails is not None and abs(holds - fails) > Fraction(result["width"]):
        found.append("the ends are too far apart")
    return found


def wrong_proof(r, at, result, claims):
    found = []
    for key, holds in [("proven", True), ("proven_to_fail", False)]:
        if result.get(key) is None:
            continue
        low, high = (Fraction(result[key][end]) for end in ("from", "to"))
        values = [low + (high - low) * Fraction(r.randint(1, 9999), 10000) for _ in range(6)]
        values += [low + (high - low) * share for share in (Fraction(1, 10 ** 9), 1 - Fraction(1, 10 ** 9))]
        values += [Fraction(result[key][end]) for end in ("from", "to") if not result[key][end + "_open"]]
        found += [f"{key}, and not so at {value}" for value in values if at.holds(str(value), claims) != holds]
    return found


def problems(binary, r, folder):
    spec = random_spec(r)
    path = os.path.join(folder, "spec.json")
    with open(path, "w") as file:
        json.dump(spec, file)
    claims = sorted({r.randrange(len(spec["claims"]))}) if r.random() < 0.5 else list(range(len(spec["claims"])))
    arguments = [binary, "tune", path, "--parameter", "t", "--format", "json", "--grid", str(r.randint(1, 12))]
    arguments += ["--from", "1/10", "--to", "5"] if "parameters" in spec or r.random() < 0.3 else []
    arguments += ["--smallest"] if r.random() < 0.5 else []
    arguments += ["--width", "1/1000"] if r.random() < 0.7 else []
    arguments += ["--no-proof"] if r.random() < 0.5 else []
    if len(claims) < len(spec["claims"]):
        arguments += ["--claim", str(claims[0])]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 1) or done.stderr:
        return [f"exit status {done.returncode}: {done.stderr}"], spec
    result = json.loads(done.stdout)
    at = At(path, spec, folder)
    found = wrong_points(at, result, claims) + wrong_ends(result) + wrong_proof(r, at, result, claims)
    if (done.returncode == 0) != (result["holds_at"] is not None):
        found.append(f"exit status {done.returncode}")
    return found, spec


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--specs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    wrong = 0
    for number in range(arguments.specs):
        with tempfile.TemporaryDirectory() as folder:
            found, spec = problems(arguments.binary, random.Random(f"{arguments.seed} {number}"), folder)
        wrong += 1 if found else 0
        for problem in found:
            print(f"spec {number}: {problem}: {json.dumps(spec)}")
    print(f"{arguments.specs} specs, {wrong} with problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
