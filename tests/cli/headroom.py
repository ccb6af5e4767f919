"""How often one respondent more or less breaks claims and promises; and promises do not creep.

headroom.py BINARY [--refreshes N]: makes a spec of a table with `new`, locks it with 5 % headroom, then adds or
removes one respondent N times and counts the specs and locks that fail. Then the table drifts for 50 rounds, each
within the headroom, with a `lock write` after each: no promise may change. Prints the faults and the counts.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

COLUMNS = ["age", "region", "income", "condition"]


def people(r, count):
    """Respondents with correlated attributes."""
    rows = []
    for _ in range(count):
        age, region = r.choice("abc"), r.choice("nsew")
        income = r.choice("lmh") if r.random() < 0.5 else {"a": "l", "b": "m", "c": "h"}[age]
        rows.append([age, region, income, "yes" if r.random() < {"l": 0.35, "m": 0.2, "h": 0.1}[income] else "no"])
    return rows


class Project:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder

    def run(self, *arguments):
        return subprocess.run([self.binary, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120)

    def write(self, rows):
        with open(os.path.join(self.folder, "t.csv"), "w", encoding="utf-8") as file:
            file.write(",".join(COLUMNS) + "\n" + "".join(",".join(row) + "\n" for row in rows))

    def begin(self, rows, headroom):
        self.write(rows)
        for name in ("s.json", "oddsbound.lock.json"):
            if os.path.exists(os.path.join(self.folder, name)):
                os.remove(os.path.join(self.folder, name))
        made = self.run("new", "t.csv", "--hide", "condition", "--epsilon", "1", "--headroom", headroom, "-o", "s.json")
        locked = self.run("lock", "write", "--headroom", headroom, "s.json")
        return [f"{what}: {done.stderr}" for what, done in (("new", made), ("lock write", locked)) if done.returncode != 0]

    def promises(self):
        with open(os.path.join(self.folder, "oddsbound.lock.json"), encoding="utf-8") as file:
            return json.load(file)["specs"]["s.json"]["levels"]


def refreshes(project, r, rows, count, headroom):
    """Of `count` changes by one respondent, the numbers that fail `verify` and `lock check`."""
    problems = project.begin(rows, headroom)
    failed = [0, 0]
    for _ in range(count):
        changed = list(rows)
        if r.random() < 0.5:
            changed.append(people(r, 1)[0])
        else:
            del changed[r.randrange(len(changed))]
        project.write(changed)
        failed[0] += project.run("verify", "s.json").returncode != 0
        failed[1] += project.run("lock", "check").returncode != 0
    return problems, failed


def drift(project, r, rows):
    """Fifty rounds of changes that break no promise, each followed by `lock write`."""
    problems = project.begin(rows, "5%")
    before = project.promises()
    rows = list(rows)
    for _ in range(50):
        kept = list(rows)
        rows.append(people(r, 1)[0])
        project.write(rows)
        if project.run("lock", "check").returncode != 0:
            rows = kept
            project.write(rows)
        written = project.run("lock", "write", "--headroom", "5%", "s.json")
        if written.returncode != 0:
            problems.append(f"lock write after a change within the headroom: {written.stderr}")
    if project.promises() != before:
        problems.append("promises changed within 50 rounds")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--refreshes", type=int, default=100)
    parser.add_argument("--people", type=int, default=400)
    arguments = parser.parse_args()
    r = random.Random(7)
    rows = people(r, arguments.people)
    with tempfile.TemporaryDirectory() as folder:
        project = Project(os.path.abspath(arguments.binary), folder)
        problems, failed = [], {}
        for headroom in ("5%", "0%"):
            more, failed[headroom] = refreshes(project, random.Random(8), rows, arguments.refreshes, headroom)
            problems += more
        problems += drift(project, r, rows)
    for headroom, (claims, locks) in failed.items():
        print(f"headroom {headroom}: of {arguments.refreshes} tables with one respondent more or fewer ({arguments.people} people) "
              f"{claims} fail verify, {locks} fail lock check")
    if failed["5%"][0] + failed["5%"][1] > 0 or sum(failed["0%"]) == 0:
        problems.append("headroom makes no difference, or one respondent breaks what has headroom")
    print("\n".join(problems) if problems else "promises hold, and stay")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
