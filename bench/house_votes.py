#!/usr/bin/env python3
"""The search over outputs with every attribute of a survey as target: house_votes.py ODDSBOUND [SECONDS].

Each attribute of specs/gallery/house-votes.json is the target once, at several levels of the answers. A search may take
SECONDS on the clock (60). A row has one level of the answers: how many targets are exact, the longest time, and, where a
search was stopped, the widest gap between the two ends."""
import json
import os
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "specs", "gallery")
TINY = bool(os.environ.get("ODDSBOUND_BENCH_TINY"))
LEVELS = ("1/10", "1/2", "1", "2", "4")


def gap_of(program, spec, name, limit):
    """The gap between the ends of the level, relative to the upper one; None if it is exact."""
    spec["claims"] = [{"notion": "bcdp", "epsilon": {name: "inf"}}]
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(spec, file)
        file.flush()
        done = subprocess.run([program, "verify", "--format", "json", "--max-seconds", str(limit), file.name], stdout=subprocess.PIPE, check=False)
    found = json.loads(done.stdout)["specs"][0]["claims"][0]["actual"][name]
    if "at_most" not in found:
        return None
    least, most = float(found["lower"]), float(found["upper"])
    return 1.0 if most == float("inf") else (most - least) / most


def survey(level):
    """The spec with this level of each answer, to be written anywhere."""
    with open(os.path.join(FOLDER, "house-votes.json"), encoding="utf-8") as file:
        spec = json.load(file)
    spec["prior"]["file"] = os.path.abspath(os.path.join(FOLDER, spec["prior"]["file"]))
    for mechanism in spec["mechanism"]["mechanisms"].values():
        mechanism["epsilon"] = level
    return spec


def main():
    program, limit = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 60
    names = [one["name"] for one in survey(LEVELS[0])["domain"]]
    print("| level of each answer | exact | longest time | widest gap | its target |\n| --- | --- | --- | --- | --- |")
    for level in LEVELS[2:3] if TINY else LEVELS:
        spec = survey(level)
        exact, longest, widest, at = 0, 0.0, 0.0, ""
        targets = names[:2] if TINY else names
        for name in targets:
            start = time.monotonic()
            gap = gap_of(program, spec, name, limit)
            longest = max(longest, time.monotonic() - start)
            exact += gap is None
            if gap is not None and gap >= widest:
                widest, at = gap, name
        print(f"| {level} | {exact} of {len(targets)} | {longest:.2f} s | {f'{widest:.0%}' if at else ''} | {at} |", flush=True)


if __name__ == "__main__":
    main()
