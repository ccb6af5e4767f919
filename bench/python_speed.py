#!/usr/bin/env python3
"""Cost of a call from Python, against the library's own time and against a process and its JSON.

PYTHONPATH=build/release/python /usr/bin/python3 bench/python_speed.py build/release/cli/oddsbound
"""
import json
import os
import subprocess
import sys
import time

import numpy
import pandas

import oddsbound as ob
from oddsbound import _oddsbound

TINY = "ODDSBOUND_BENCH_TINY" in os.environ  # only shows that it runs
DRAWS = 1_000 if TINY else 10_000_000
EPSILONS = 2 if TINY else 1_000
TITANIC = "specs/gallery/titanic.json"


def seconds(work, times=1, rounds=5):
    """The minimum over several rounds."""
    least = float("inf")
    for _ in range(rounds):
        begun = time.perf_counter()
        for _ in range(times):
            work()
        least = min(least, (time.perf_counter() - begun) / times)
    return least


def row(what, ours, against, theirs, ratio, aim):
    print(f"| {what} | {ours * 1e3:.2f} ms | {against} | {theirs * 1e3:.2f} ms | {ratio} | {aim} |")


def times_the_time(ours, theirs):
    return f"{ours / theirs:.2f} times the time"


def small_spec():
    spec = ob.read("specs/gallery/warner.json")
    library = seconds(lambda: _oddsbound.analyze(spec._native, {}, ob.Limits(), None), 100)
    whole = seconds(lambda: ob.analyze(spec), 100)
    row("`analyze` of a spec of 2 inputs, to objects", whole, "the library's part, in a thread of its own", library,
        f"{(whole - library) * 1e3:.2f} ms more", "at most 1 ms more")


def grid(program, what, epsilon):
    """1,000 mechanisms; a spec is built and analyzed for each."""
    table = ob.read_table("specs/gallery/data/titanic.csv").astype({"count": int})
    prior = ob.prior(table, count="count")

    def level(number):
        answer = ob.k_randomized_response(epsilon=epsilon(number))
        mechanism = ob.per_attribute({"class": answer, "sex": answer, "age": answer})
        return ob.analyze(ob.Spec(prior=prior, mechanism=mechanism)).bcdp["survived"].nats

    def by_process():
        done = subprocess.run([program, "analyze", "--format", "json", TITANIC], capture_output=True, check=True)
        return json.loads(done.stdout)["specs"][0]["analysis"]["bcdp"]["survived"]["lower"]

    ours = seconds(lambda: [level(number) for number in range(1, EPSILONS + 1)], rounds=2)
    theirs = EPSILONS * seconds(by_process, 1 if TINY else 50, 2)
    row(f"1,000 epsilons, {what}, on the Titanic: specs built, all levels", ours, "a process and its JSON for each",
        theirs, f"{theirs / ours:.1f} times faster", "at most 3 s")


def draws():
    rng = numpy.random.default_rng(1)
    spec = ob.read("specs/gallery/warner.json")
    people = pandas.DataFrame({"answer": pandas.Categorical.from_codes(rng.integers(0, 2, DRAWS), ["no", "yes"])})
    codes = people["answer"].cat.codes.to_numpy().astype("uint32").reshape(-1, 1)
    inputs = _oddsbound.inputs_of(spec._native, codes)
    library = seconds(lambda: _oddsbound.sample_numbers(spec._native, inputs, 1, 1, 1, ob.Limits(), None), rounds=5)
    ours = seconds(lambda: ob.sample(spec, people, seed=1), rounds=5)
    row("10,000,000 inputs of a frame to a frame of outputs", ours, "the library's sampler, numbers to numbers", library,
        times_the_time(ours, library), "the same")


def main():
    print("| what | time | against | its time | ratio | aim |\n| --- | --- | --- | --- | --- | --- |")
    small_spec()
    grid(sys.argv[1], "k/250", lambda number: f"{number}/250")
    grid(sys.argv[1], "log(1 + k/250)", lambda number: f"log({250 + number}/250)")
    draws()


if __name__ == "__main__":
    main()
