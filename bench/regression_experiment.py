#!/usr/bin/env python3
"""How far `estimate --least-squares` is from the best prediction, by the number of people; prints a Markdown table.

    python3 bench/regression_experiment.py build/release/cli/oddsbound [RUNS]

Three fair features of -1 and 1, the label z1/2 - z2/4 + noise of up to 1/4; bcdp_mean_l2 in two copies, delta = (1, 4, 4, 4),
epsilon = 4, q = 1/10, zeta = 1/2. A prediction theta is worse than the best one by |theta - (1/2, -1/4, 0)|^2 / 2.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

EIGHTHS = [f"{k}/8" for k in range(-8, 9)]
SPEC = {
    "oddsbound": 1, "name": "regression",
    "domain": [*({"name": f"z{i}", "values": ["-1", "1"]} for i in (1, 2, 3)), {"name": "l", "values": EIGHTHS}],
    "mechanism": {"type": "bcdp_mean_l2", "delta": {"z1": "1", "z2": "4", "z3": "4", "l": "4"}, "epsilon": "4",
                  "q": "1/10", "zeta": "1/2", "copies": 2},
}
BEST = (1 / 2, -1 / 4, 0)


def people(path, count, source):
    with open(path, "w", encoding="utf-8") as file:
        file.write("z1,z2,z3,l\n")
        for _ in range(count):
            z = [source.choice((-1, 1)) for _ in range(3)]
            file.write(f"{z[0]},{z[1]},{z[2]},{4 * z[0] - 2 * z[1] + source.randint(-2, 2)}/8\n")


def excess(binary, spec, folder, count, seed):
    """One run: how much worse than the best prediction, and whether noise outweighed the features."""
    table, answers = os.path.join(folder, "people.csv"), os.path.join(folder, "answers.csv")
    people(table, count, random.Random(seed))
    with open(answers, "wb") as file:
        subprocess.run([binary, "sample", spec, "--inputs", table, "--seed", str(seed)], stdout=file, check=True)
    found = json.loads(subprocess.run([binary, "estimate", spec, answers, "--least-squares", "l", "--radius", "1", "--format",
                                       "json"], stdout=subprocess.PIPE, check=True).stdout)
    theta = [one["value"] for one in found["coefficients"]]
    return sum((a - b) ** 2 for a, b in zip(theta, BEST)) / 2, found["least_eigenvalue"] < 0


def main(binary, runs):
    print("| people | mean excess | runs with a negative eigenvalue |\n| --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        spec = os.path.join(folder, "regression.json")
        with open(spec, "w", encoding="utf-8") as file:
            json.dump(SPEC, file)
        for count in (1000, 10_000, 100_000, 400_000):
            found = [excess(binary, spec, folder, count, seed) for seed in range(runs)]
            print(f"| {count:,} | {sum(e for e, _ in found) / runs:.3f} | {sum(n for _, n in found)} of {runs} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 20)
