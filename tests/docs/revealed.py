"""What levels reveal about a table: checks the numbers in docs/what-a-level-reveals.md.

revealed.py [BINARY]; compares the page with the numbers computed here, and the levels with those of the program.
revealed.py --update writes the table of the page.

The first attribute is not released; every other one is released by its own randomized response. Levels are computed
here by definition, in floating point.
"""
import csv
import itertools
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
from fractions import Fraction

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PAGE = os.path.join(ROOT, "docs", "what-a-level-reveals.md")
BEGIN, END = "<!-- tests/docs/revealed.py --update writes these lines -->\n", "<!-- until here -->\n"
HEADROOM = 1.05


def house_votes():
    """The party, and four votes of the tutorial."""
    with open(os.path.join(ROOT, "specs/gallery/data/house-votes-84.csv"), encoding="utf-8") as file:
        return [tuple(row[name] for name in ("Class", "V3", "V4", "V5", "V8")) for row in csv.DictReader(file)]


def survey(people, answers, questions, seed):
    """An invented survey: a hidden yes or no shifts the answers."""
    draw = random.Random(seed)
    rows = []
    for _ in range(people):
        hidden = draw.random() < 0.3
        rows.append(("yes" if hidden else "no",
                     *(str(min(draw.randrange(answers), draw.randrange(answers)) if hidden == (k % 2 == 0) else draw.randrange(answers))
                       for k in range(questions))))
    return rows


TABLES = [("435 people, party and four votes (US House, 1984)", house_votes),
          ("60 people, invented, four yes/no questions", lambda: survey(60, 2, 4, 1)),
          ("2,000 people, invented, four questions of three answers", lambda: survey(2000, 3, 4, 2))]


class Release:
    """Randomized response with epsilon 1 of all columns except the first, and the frequency of each output."""

    def __init__(self, rows):
        self.rows = rows
        self.values = [sorted({row[i] for row in rows}) for i in range(len(rows[0]))]
        self.row_of = {answers: self.row(answers) for answers in itertools.product(*self.values[1:])}
        self.masses = [{value: (0, [0.0] * len(self.row_of)) for value in values} for values in self.values]
        for row in rows:
            for i, value in enumerate(row):
                self.masses[i][value] = self.with_one(self.masses[i][value], row, 1)

    def row(self, answers):
        """The probabilities of all outputs, given true answers."""
        row = [1.0]
        for values, true in zip(self.values[1:], answers):
            row = [p * (math.e if y == true else 1) / (math.e + len(values) - 1) for p in row for y in values]
        return row

    def with_one(self, masses, person, change):
        count, mass = masses
        return count + change, [m + change * p for m, p in zip(mass, self.row_of[person[1:]])]

    def levels(self, person=None, change=0):
        """The levels of all attributes, for a table with one respondent more (change 1) or less (-1)."""
        found = []
        for i, masses in enumerate(self.masses):
            given = [self.with_one(one, person, change) if person is not None and person[i] == value else one
                     for value, one in masses.items()]
            columns = zip(*([m / count for m in mass] for count, mass in given if count))
            found.append(math.log(max(max(column) / min(column) for column in columns)))
        return found


def published(level):
    """Rounded up to three significant digits."""
    if level == 0:
        return 0.0
    step = 10.0 ** (math.floor(math.log10(level)) - 2)
    return math.ceil(level / step * (1 - 1e-12)) * step


def moves(release, change):
    """(relative change, hidden, within the headroom) of each level, if one respondent leaves or one of any kind
    joins."""
    before = release.levels()
    persons = release.rows if change < 0 else list(itertools.product(*release.values))
    known = {}
    for person in persons:
        if person not in known:
            known[person] = release.levels(person, change)
        for old, new in zip(before, known[person]):
            yield abs(new / old - 1), math.isclose(published(old), published(new)), new <= published(HEADROOM * old)


def percent(number):
    return f"{100 * number:.2g} %"


def proportion(count, of):
    """Rounded down, so that 100 % means all."""
    return f"{math.floor(1000 * count / of) / 10:g} %"


def lines():
    yield "| table | one respondent | median change | largest change | same rounded level | within a promise with 5 % headroom |\n"
    yield "| --- | --- | --- | --- | --- | --- |\n"
    for name, make in TABLES:
        release = Release(make())
        for what, change in (("leaves", -1), ("joins", 1)):
            found = list(moves(release, change))
            sizes = [size for size, _, _ in found]
            same, within = (proportion(sum(one[k] for one in found), len(found)) for k in (1, 2))
            yield f"| {name} | {what} | {percent(statistics.median(sizes))} | {percent(max(sizes))} | {same} | {within} |\n"


def tables_with_these_levels():
    """Number of tables with as many people as examples/confidential/answers.csv: all; with its levels; with its
    rounded levels.

    All three attributes have two values. A group counts, for one value of the first attribute, the people with each
    pair of answers.
    """
    folder = os.path.join(ROOT, "examples", "confidential")
    with open(os.path.join(folder, "answers.csv"), encoding="utf-8") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    own = [[int(row[-1]) for row in rows if row[0] == value] for value in ("no", "yes")]
    people = sum(map(sum, own))
    channel = [[math.exp(((x ^ y) < 2) + ((x ^ y) % 2 == 0)) / (1 + math.e) ** 2 for y in range(4)] for x in range(4)]

    def outputs(group):
        return [sum(count * row[y] for count, row in zip(group, channel)) / sum(group) for y in range(4)] if any(group) else None

    def level(one, other):
        if one is None or other is None:
            return 0.0
        return math.log(max(max(p / q, q / p) for p, q in zip(one, other)))

    def others(group, other):
        """The levels of the two answers."""
        total = [a + b for a, b in zip(group, other)]
        for first, second in (((0, 1), (2, 3)), ((0, 2), (1, 3))):
            yield level(*(outputs([count if x in part else 0 for x, count in enumerate(total)]) for part in (first, second)))

    true = [level(*map(outputs, own)), *others(*own)]
    groups = [[(a, b, c, n - a - b - c) for a in range(n + 1) for b in range(n + 1 - a) for c in range(n + 1 - a - b)]
              for n in range(people + 1)]
    known = [[(group, outputs(group)) for group in some] for some in groups]
    every = exact = rounded = 0
    for n in range(people + 1):
        for (one, p), (other, q) in itertools.product(known[n], known[people - n]):
            every += 1
            found = level(p, q)
            if not math.isclose(published(found), published(true[0])):
                continue
            levels = [found, *others(one, other)]
            exact += all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(levels, true))
            rounded += all(math.isclose(published(a), published(b)) for a, b in zip(levels, true))
    return f"There are {every:,} tables", f"exact levels leave {exact} of them", f"rounded ones {rounded}"


def difference_to_program(binary):
    """Levels of the program against those computed here."""
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for name, make in TABLES[:2]:
            release = Release(make())
            columns = [f"c{i}" for i in range(len(release.values))]
            with open(os.path.join(folder, "table.csv"), "w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([columns, *release.rows])
            answers = {column: {"type": "k_randomized_response", "epsilon": "1"} for column in columns[1:]}
            spec = {"oddsbound": 1, "name": "s", "domain": [{"name": n, "values": v} for n, v in zip(columns, release.values)],
                    "prior": {"type": "csv", "file": "table.csv"},
                    "mechanism": {"type": "per_coordinate", "mechanisms": {columns[0]: "not released", **answers}}}
            path = os.path.join(folder, "spec.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(spec, file)
            ran = subprocess.run([binary, "analyze", "--format", "json", path], capture_output=True, timeout=120, check=True)
            found = json.loads(ran.stdout)["specs"][0]["analysis"]["bcdp"]
            for column, level in zip(columns, release.levels()):
                if abs(Fraction(found[column]["upper"]) - Fraction(float(level))) > Fraction(1, 10**9):
                    problems.append(f"{name}: {column} {found[column]['upper']}, here {level}")
    return problems


def main():
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    shown = re.search(re.escape(BEGIN) + "(.*?)" + re.escape(END), text, re.DOTALL)
    now = "".join(lines())
    if "--update" in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(text[:shown.start(1)] + now + text[shown.end(1):])
        return 0
    problems = [] if shown and shown.group(1) == now else ["docs/what-a-level-reveals.md shows another table than:\n" + now]
    in_one_line = " ".join(text.split())
    problems += [f"docs/what-a-level-reveals.md lacks: {part}" for part in tables_with_these_levels() if part not in in_one_line]
    if len(sys.argv) > 1:
        problems += difference_to_program(os.path.abspath(sys.argv[1]))
    print("\n".join(problems) if problems else "levels reveal what the page says")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
