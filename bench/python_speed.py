#!/usr/bin/env python3
"""What a call from Python costs: against the library's own time, and against a process and its JSON.

PYTHONPATH=build/release/python bench/python_speed.py build/release/cli/oddsbound
"""
import json
import subprocess
import sys
import time

import numpy
import pandas

import oddsbound as ob
from oddsbound import _oddsbound

DRAWS = 10_000_000
TITANIC = "specs/gallery/titanic.json"


def seconds(work, times=1, rounds=5):
    """The least of several rounds."""
    least = float("inf")
    for _ in range(rounds):
        begun = time.perf_counter()
        for _ in range(times):
            work()
        least = min(least, (time.perf_counter() - begun) / times)
    return least


def row(what, ours, against, theirs):
    print(f"| {what} | {ours * 1e3:.1f} ms | {against} | {theirs * 1e3:.1f} ms | {theirs / ours:.2f} |")


def small_spec():
    spec = ob.read("specs/gallery/warner.json")
    library = seconds(lambda: _oddsbound.analyze(spec._native, {}, ob.Limits(), None), 100)
    row("analyze of a spec of 2 inputs, to objects", seconds(lambda: ob.analyze(spec), 100), "the library's part", library)


def grid(program):
    table = ob.read_table("specs/gallery/data/titanic.csv").astype({"count": int})
    prior = ob.prior(table, count="count")

    def level(number):
        answer = ob.k_randomized_response(epsilon=f"{number}/250")
        mechanism = ob.per_attribute({"class": answer, "sex": answer, "age": answer})
        return ob.analyze(ob.Spec(prior=prior, mechanism=mechanism)).bcdp["survived"].nats

    def by_process():
        done = subprocess.run([program, "analyze", "--format", "json", TITANIC], capture_output=True, check=True)
        return json.loads(done.stdout)["specs"][0]["analysis"]["bcdp"]["survived"]["lower"]

    ours = seconds(lambda: [level(number) for number in range(1, 1001)], rounds=2)
    row("1,000 epsilons on the Titanic: specs built, levels of all attributes", ours,
        "a process and its JSON for each", 1000 * seconds(by_process, 50, 2))


def draws():
    rng = numpy.random.default_rng(1)
    spec = ob.read("specs/gallery/warner.json")
    people = pandas.DataFrame({"answer": pandas.Categorical.from_codes(rng.integers(0, 2, DRAWS), ["no", "yes"])})
    codes = people["answer"].cat.codes.to_numpy().astype("uint32").reshape(-1, 1)
    inputs = _oddsbound.inputs_of(spec._native, codes)
    library = seconds(lambda: _oddsbound.sample_numbers(spec._native, inputs, 1, 1, 1, ob.Limits(), None), rounds=3)
    row("10,000,000 inputs of a frame to a frame of outputs", seconds(lambda: ob.sample(spec, people, seed=1), rounds=3),
        "the sampler alone", library)


def main():
    print("| what | time | against | its time | ratio |\n| --- | --- | --- | --- | --- |")
    small_spec()
    grid(sys.argv[1])
    draws()


if __name__ == "__main__":
    main()
