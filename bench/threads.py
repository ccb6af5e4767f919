#!/usr/bin/env python3
"""One thread against two: threads.py ODDSBOUND.

For each kind of work inside one file: the time on the clock with `--threads 1` and with `--threads 2`, the best of three
runs that alternate, and their ratio. Both must write the same bytes. The last row has two files at once (`--jobs`)."""
import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

import growth
import house_votes
import linked_table

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TINY = bool(os.environ.get("ODDSBOUND_BENCH_TINY"))
RUNS = 1 if TINY else 3


def of_size(whole, tiny):
    return tiny if TINY else whole


def linked(folder, attributes, claimed):
    """The first attributes of the table of linked_table.py, with a claim about some of them."""
    names = [f"a{i}" for i in range(attributes)]
    with open(os.path.join(folder, "linked.csv"), "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *(row[:attributes] for row in linked_table.rows(random.Random(7)))])
    return {"oddsbound": 1, "name": "linked", "domain": [{"name": name, "values": "from prior"} for name in names],
            "prior": {"type": "csv", "file": "linked.csv"},
            "mechanism": {"type": "per_coordinate", "mechanisms": {"*": {"type": "k_randomized_response", "epsilon": "1/2"}}},
            "claims": [{"notion": "bcdp", "epsilon": {names[k]: "9" for k in claimed}}]}


def requests(folder):
    """Kinds of work, each with a command; specs are written to the folder."""
    def spec(name, content):
        path = os.path.join(folder, name + ".json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
        return path

    rng = random.Random(1)
    leakage = {"notion": "bayes_leakage", "coordinate": "party", "epsilon": "9"}
    votes, many = house_votes.survey(of_size("1", "4")), of_size(16, 3)
    all_levels = {"notion": "bcdp", "epsilon": {coordinate["name"]: "99" for coordinate in votes["domain"]}}
    yield "levels of all attributes of a survey, short table", ["verify", spec("votes", {**votes, "claims": [all_levels]})]
    yield "levels of all attributes of a survey, 20,000 rows", ["verify", spec("linked", linked(folder, many, range(many)))]
    yield "level of one attribute of a survey, 20,000 rows", ["verify", spec("one", linked(folder, of_size(20, 3), [of_size(7, 2)]))]
    vote = {"notion": "bcdp", "epsilon": {"water-project-cost-sharing": "9"}}
    yield "level of one attribute of a survey, 110,000 nodes", ["verify", spec("vote", {**house_votes.survey(of_size("1/10", "4")), "claims": [vote]})]
    yield "averages over the outputs of a survey", ["verify", spec("averages", {**house_votes.survey("1"), "claims": [leakage]})]
    yield "ratios of a matrix of rationals", ["verify", spec("rational", growth.dense_rationals(of_size(1024, 16), rng))]
    yield "ratios of a matrix with exp", ["verify", spec("exp", growth.dense_exp(of_size(80, 6), rng))]
    yield "levels under a network", ["verify", spec("chain", growth.chain(of_size(100, 5), rng))]
    yield "sets of priors", ["verify", spec("sets", growth.sets_of_priors(of_size(1000, 20), rng))]
    yield "an audit", ["audit", os.path.join(ROOT, "specs/gallery/subset-selection.json"), "--samples", of_size("30000000", "1000"), "--seed", "1"]


def measured(program, arguments):
    """The time on the clock, and what the program prints."""
    start = time.monotonic()
    done = subprocess.run([program, *arguments], capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"error: {' '.join(arguments)}: status {done.returncode}: {(done.stdout + done.stderr)[-300:].decode()}")
    return time.monotonic() - start, re.sub(rb"smt [0-9.]+ ms", b"", done.stdout)


def row(program, what, arguments, option):
    times = {"1": [], "2": []}
    printed = set()
    for _ in range(RUNS):
        for count, own in times.items():
            seconds, output = measured(program, [*arguments, option, count])
            own.append(seconds)
            printed.add(output)
    if len(printed) > 1:
        raise SystemExit(f"error: {what}: {option} 1 and {option} 2 print different results")
    one, two = (min(own) for own in times.values())
    print(f"| {what} | {one:.2f} s | {two:.2f} s | {one / two:.2f} |", flush=True)


def main():
    program = sys.argv[1]
    print("| what | one thread | two threads | times as fast |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for what, arguments in requests(folder):
            row(program, what, arguments, "--threads")
    folder = os.path.join(ROOT, of_size("specs/gallery", "specs/gallery/warner.json"))
    row(program, "the specs of a folder, two at once (`--jobs`)", ["verify", "--threads", "1", folder], "--jobs")


if __name__ == "__main__":
    main()
