#!/usr/bin/env python3
"""Fails if a file includes from a folder that is not to the left of its own folder in one of these lines."""
import os
import re
import subprocess
import sys

LINES = """
oddsbound -> base -> verifier/exact -> verifier/linear -> verifier/model -> verifier/engine -> verifier/priors -> verifier/measures -> verifier/smt -> verifier/notions
verifier/model -> mechanisms -> specs
verifier/notions -> specs -> audits -> reports -> app -> api -> cli -> cluster
cli -> releases
cli -> design
cluster -> bench
design -> bench
releases -> bench -> tests
api -> python
releases -> python
design -> python
"""  # a line follows the lines that define what its folders may include

left_of = {}  # folder: all folders it may include, with itself
for line in LINES.split("\n")[1:-1]:
    folders = line.split(" -> ")
    for left, right in zip([None, *folders], folders):
        left_of.setdefault(right, {right}).update(left_of.get(left, ()))


def folder_of(path):
    path = path.removeprefix("include/")
    return next((folder for folder in left_of if path.startswith(folder + "/")), None)


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.h", "*.cpp", "*.cpp.in"]
    wrong = []
    for path in filter(os.path.exists, subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\0")):
        folder = folder_of(path)
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                included = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
                other = included and folder_of(included[1])
                if folder and other and other not in left_of[folder]:
                    wrong.append(f"{path}:{number}: {folder} may not include {included[1]}")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
