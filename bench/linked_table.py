"""Writes two tables and specs in which attributes are answered by randomized response, for bench_surveys. The same on
every machine.

linked_table.py FOLDER: writes linked.csv, wide.csv and a spec of each. In `linked`, the attributes are linked as a tree
(30 attributes of 2 to 6 values, 20,000 rows, level 1/2). In `wide`, a class of three values is not asked; 60 attributes
of two values depend on it a little, and are answered at level 1/10 (3,000 rows).
"""
import csv
import json
import os
import random
import sys

ATTRIBUTES, ROWS = 30, 20_000
WIDE_ATTRIBUTES, WIDE_ROWS = 60, 3_000


def rows(draw):
    sizes = [draw.choice([2, 2, 3, 4, 5, 6]) for _ in range(ATTRIBUTES)]
    parents = [None] + [draw.randrange(i) for i in range(1, ATTRIBUTES)]
    for _ in range(ROWS):
        row = []
        for size, parent in zip(sizes, parents):
            if parent is None:
                row.append(draw.randrange(size))
            elif draw.random() < 0.6:  # a copy; otherwise an own value, small ones more likely
                row.append(row[parent] % size)
            else:
                row.append(int(draw.random() ** 2 * size))
        yield row


def wide_rows(draw):
    """The class, then the attributes: every third one repeats the one before in two rows of five."""
    chances = [[draw.uniform(0.15, 0.85) for _ in range(WIDE_ATTRIBUTES)] for _ in range(3)]
    for _ in range(WIDE_ROWS):
        group = draw.choices(range(3), [2, 1, 1])[0]
        row = []
        for i, chance in enumerate(chances[group]):
            row.append(row[-1] if i % 3 == 2 and draw.random() < 0.4 else int(draw.random() < chance))
        yield [group, *row]


def write(folder, name, names, table, asked, level, claims):
    with open(os.path.join(folder, name + ".csv"), "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([names, *table])
    response = {"type": "k_randomized_response", "epsilon": level}
    spec = {"oddsbound": 1, "name": name, "domain": [{"name": one, "values": "from prior"} for one in names],
            "prior": {"type": "csv", "file": name + ".csv"},
            "mechanism": {"type": "per_coordinate", "mechanisms": {one: response for one in asked}}, "claims": claims}
    with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
        json.dump(spec, file)


def main():
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        sys.exit("usage: linked_table.py FOLDER, a folder that exists")
    names = [f"a{i}" for i in range(ATTRIBUTES)]
    write(sys.argv[1], "linked", names, rows(random.Random(7)), names, "1/2", [])
    names = [f"a{i}" for i in range(WIDE_ATTRIBUTES)]
    write(sys.argv[1], "wide", ["class", *names], wide_rows(random.Random(8)), names, "1/10",
          [{"notion": "bcdp", "epsilon": {"class": "8/5"}}])


if __name__ == "__main__":
    main()
