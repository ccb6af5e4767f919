"""Files with one fault each, made from valid ones in tests/cli/data, and specs too long to be kept.

made.py FOLDER writes them to FOLDER, under the names that they would have here, together with copies of tests/cli/data
and tests/cli/specs.
"""
import json
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS, PART_1, PART_2 = "results.json", "part-1.json", "part-2.json"

# name: source file, path of the change, new value
CHANGED = {
    "results-version-2.json": (RESULTS, ["oddsbound"], 2),
    "results-bad-decimal.json": (RESULTS, ["specs", 0, "analysis", "ldp", "lower"], "x"),
    "results-bad-verdict.json": (RESULTS, ["specs", 0, "claims", 0, "verdict"], "passed"),
    "results-bad-witness.json": (RESULTS, ["specs", 0, "claims", 0, "witness", "p_to"], "-1/2"),
    "results-contradictory.json": (RESULTS, ["specs", 0, "claims", 0, "ok"], True),
    "results-no-probability.json": (RESULTS, ["specs", 0, "analysis", "tradeoff", "ldp", "vertices", 1, 0], "2"),
    "results-short-row.json": (RESULTS, ["specs", 0, "analysis", "losses", "ldp", "levels", 0], ["0"]),
    "part-edited.json": (PART_2, ["questions", 0, "score", 0], 65537),
    "part-no-game.json": (PART_2, ["questions", 0, "sides"], [0, 0]),
}
# name: source file, number of characters kept
CUT_OFF = {"results-truncated.json": (RESULTS, 2000), "part-truncated.json": (PART_1, 300)}

SLOW = {
    "oddsbound": 1, "name": "slow", "domain": [{"name": "x", "size": 3000}], "prior": {"type": "uniform"},
    "mechanism": {"type": "post_process", "mechanism": {"type": "k_randomized_response", "epsilon": "1"},
                  "map": {str(y): str(y % 1500) for y in range(3000)}},
    "claims": [{"notion": "approximate_dp", "epsilon": "1", "delta": "0"}],
}

NAMES = {*(f"tests/cli/data/{name}" for name in (*CHANGED, *CUT_OFF)), "tests/cli/specs/slow.json"}


def make(folder):
    for part in ("data", "specs"):
        shutil.copytree(os.path.join(HERE, part), os.path.join(folder, "tests/cli", part))
    data = os.path.join(folder, "tests/cli/data")

    def text_of(name):
        with open(os.path.join(data, name), encoding="utf-8") as file:
            return file.read()

    def write(path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    for name, (whole, place, value) in CHANGED.items():
        text = text_of(whole)
        # The program's own layout, so that lines and columns stay the same.
        style = {"indent": 1} if text.count("\n") > 1 else {"separators": (",", ":")}
        document = json.loads(text)
        around = document
        for key in place[:-1]:
            around = around[key]
        assert around[place[-1]] != value
        around[place[-1]] = value
        write(os.path.join(data, name), json.dumps(document, ensure_ascii=False, **style))
    for name, (whole, characters) in CUT_OFF.items():
        write(os.path.join(data, name), text_of(whole)[:characters])
    write(os.path.join(folder, "tests/cli/specs/slow.json"), json.dumps(SLOW))


if __name__ == "__main__":
    make(sys.argv[1])
