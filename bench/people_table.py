"""A table of people with binary attributes a0, a1, ...: five patterns that 15 % of the people have each, the rest
random; and a release that searches for combinations of a tenth. people_table.py FOLDER PEOPLE ATTRIBUTES
"""
import json
import os
import random
import sys

folder, people, attributes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
os.makedirs(folder, exist_ok=True)
names = [f"a{i}" for i in range(attributes)]
random.seed(1)


def line(bits):
    return ",".join(format(bits, f"0{attributes}b")) + "\n"


patterns = [line(random.getrandbits(attributes)) for _ in range(5)]
with open(os.path.join(folder, "people.csv"), "w", encoding="utf-8") as file:
    file.write(",".join(names) + "\n")
    for _ in range(people):
        kind = int(random.random() / 0.15)
        file.write(patterns[kind] if kind < 5 else line(random.getrandbits(attributes)))
with open(os.path.join(folder, "people.release.json"), "w", encoding="utf-8") as file:
    json.dump({"oddsbound_release": 1, "name": "people", "attributes": [{"name": name, "values": ["0", "1"]} for name in names],
               "budget": [{"each": True, "epsilon": "1"}],
               "steps": [{"type": "heavy_hitters", "attributes": names, "epsilon": "1", "share": "1/10"}]}, file)
