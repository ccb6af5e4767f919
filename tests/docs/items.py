"""Runs the commands of the table of numbered items in docs/paper-map.md.

items.py BINARY; prints every command that does not end with exit status 0, items that are listed twice, and items with neither a command nor a reason.
"""
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
ITEMS = 85


def rows():
    with open(os.path.join(ROOT, "docs", "paper-map.md"), encoding="utf-8") as file:
        section = file.read().split("## All numbered items\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 4 and re.match(r"[BCG]-", cells[0]):
            yield cells


def problem_of(binary, row):
    item, _, command, remark = row
    if not command:
        return "" if remark else f"{item}: neither a command nor a reason"
    result = subprocess.run([binary, *shlex.split(command.strip("`"))], cwd=ROOT, capture_output=True, text=True, check=False,
                            timeout=300)
    return "" if result.returncode == 0 else f"{item}: {command}: exit status {result.returncode}\n{result.stderr or result.stdout[-500:]}"


def main():
    found, binary = list(rows()), os.path.abspath(sys.argv[1])
    names = [row[0] for row in found]
    problems = [f"found {len(found)} items, expected {ITEMS}"] if len(found) != ITEMS else []
    problems += [f"{name} is listed twice" for name in sorted(set(names)) if names.count(name) > 1]
    with ThreadPoolExecutor(2) as pool:
        problems += filter(None, pool.map(lambda row: problem_of(binary, row), found))
    print("\n".join(problems) or f"{len(found)} items, {sum(bool(row[2]) for row in found)} commands")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
