"""Checks the numbers in README.md: specs in each folder, families, releases and steps.

counts.py BINARY; prints the differences. A release (`*.release.json`) or a design (`*.design.json`) is no spec.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
COUNTED = ["specs/gallery", "specs/parametric", "specs/sets-of-priors", "specs/releases", "specs/claims-of-the-papers",
           "specs/deployed"]


def specs_in(folder):
    names = os.listdir(os.path.join(ROOT, folder))
    return sum(name.endswith(".json") and not name.endswith((".release.json", ".design.json")) for name in names)


def difference(text, pattern, expected):
    """The one number that the pattern finds in the text must be the expected one."""
    found = [int(number.replace(",", "")) for number in re.findall(pattern, text)]
    if found != [expected]:
        yield f"README.md: found {found} for '{pattern}', expected [{expected}]"


def main():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        text = file.read()
    wrong = []
    for folder in COUNTED:
        wrong += difference(text, rf"\| \[{folder}\]\({folder}\) \| ([\d,]+) specs\b", specs_in(folder))
    with open(os.path.join(ROOT, "specs/releases/census-2020-persons.release.json"), encoding="utf-8") as file:
        wrong += difference(text, r"([\d,]+) steps of the 2020 US census' tables of persons", len(json.load(file)["steps"]))
    families = json.loads(subprocess.run([sys.argv[1], "mechanisms", "--format", "json"], check=True,
                                         stdout=subprocess.PIPE).stdout)
    wrong += difference(text, r"one of ([\d,]+) mechanism families", len(families["families"]))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
