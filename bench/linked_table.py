"""Writes a table whose attributes are linked as a tree (30 attributes of 2 to 6 values, 20,000 rows) and a spec in
which every attribute is answered by randomized response at level 1/2, for bench_surveys. The same on every machine.

linked_table.py FOLDER: writes FOLDER/linked.csv and FOLDER/linked.json
"""
import csv
import json
import os
import random
import sys

ATTRIBUTES, ROWS = 30, 20_000


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


def main():
    names = [f"a{i}" for i in range(ATTRIBUTES)]
    with open(os.path.join(sys.argv[1], "linked.csv"), "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([names, *rows(random.Random(7))])
    asked = {"type": "k_randomized_response", "epsilon": "1/2"}
    spec = {"oddsbound": 1, "name": "linked", "domain": [{"name": name, "values": "from prior"} for name in names],
            "prior": {"type": "csv", "file": "linked.csv"},
            "mechanism": {"type": "per_coordinate", "mechanisms": {name: asked for name in names}}, "claims": []}
    with open(os.path.join(sys.argv[1], "linked.json"), "w", encoding="utf-8") as file:
        json.dump(spec, file)


if __name__ == "__main__":
    main()
