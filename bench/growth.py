#!/usr/bin/env python3
"""How the time grows with the size of a request: growth.py ODDSBOUND [--name PART] [--threads N].

For each family of requests, at growing sizes: the processor time of the whole program and the exponent between
neighboring sizes, log(time ratio) / log(size ratio). The size is the number of entries of the input (cells of a table,
pairs of a matrix, nodes of a network), as the row states. The best of some runs counts."""
import argparse
import json
import math
import os
import random
import resource
import subprocess
import tempfile

LEVEL = {"type": "k_randomized_response", "epsilon": "1"}


def rationals(count, rng):
    """Positive weights that sum to 1, with small parts."""
    weights = [rng.randint(1, 50) for _ in range(count)]
    whole = sum(weights)
    return [f"{weight}/{whole}" for weight in weights]


def two_coordinates(count, rng, claims):
    return {"oddsbound": 1, "name": "set", "domain": [{"name": "a", "size": 2}, {"name": "b", "size": count // 2}],
            "mechanism": {"type": "per_coordinate", "mechanisms": {"*": LEVEL}},
            "prior": {"type": "probabilities", "probabilities": rationals(count, rng)}, "claims": claims}


def sets_of_priors(count, rng):
    """Two claims over a set around a table of `count` inputs."""
    return two_coordinates(count, rng, [
        {"notion": "bcdp", "epsilon": {"a": "5"}, "for_all": {"type": "total_variation", "radius": "1/100"}},
        {"notion": "bcdp", "epsilon": {"a": "5"}, "for_all": {"type": "contaminated", "share": "1/100"}}])


def sets_of_weights(count, rng):
    return two_coordinates(count, rng, [
        {"notion": "bcdp", "epsilon": {"a": "5"}, "for_all": {"type": "weights", "factor": "11/10"}}])


def design(values, rng):
    """Values on a line, a level of log(2) for each step."""
    names = [f"v{k}" for k in range(values)]
    return {"oddsbound_design": 1, "name": "line", "domain": [{"name": "x", "values": names}], "prior": {"type": "uniform"}, "outputs": names,
            "constraints": [{"notion": "ldp", "epsilon": "log(2)"}],
            "objective": {"expected": [[str(abs(x - y)) for y in range(values)] for x in range(values)]}}


def chain(nodes, rng):
    """Each attribute depends on the one before it; each is asked by randomized response."""
    def node(k):
        rows = [[f"{p}/100", f"{100 - p}/100"] for p in (rng.randint(20, 45), rng.randint(55, 80))]
        return {"coordinate": f"x{k}", "parents": [f"x{k - 1}"] if k else [], "table": rows if k else rows[:1]}
    return {"oddsbound": 1, "name": "chain", "domain": [{"name": f"x{k}", "size": 2} for k in range(nodes)],
            "mechanism": {"type": "per_coordinate", "mechanisms": {"*": LEVEL}},
            "prior": {"type": "network", "nodes": [node(k) for k in range(nodes)]},
            "claims": [{"notion": "bcdp", "epsilon": {f"x{k}": "9" for k in range(nodes)}}]}


def dense_exp(values, rng):
    """A matrix whose entries are sums and quotients with exp."""
    rows = []
    for _ in range(values):
        weights = [rng.randint(1, 9) for _ in range(values)]
        exponents = [rng.randint(0, 3) for _ in range(values)]
        whole = " + ".join(f"{w}*exp({e}/2)" for w, e in zip(weights, exponents))
        rows.append([f"{w}*exp({e}/2)/({whole})" for w, e in zip(weights, exponents)])
    return {"oddsbound": 1, "name": "dense", "domain": [{"name": "x", "size": values}],
            "mechanism": {"type": "matrix", "outputs": [str(k) for k in range(values)], "rows": rows},
            "claims": [{"notion": "ldp", "epsilon": "9"}]}


def dense_rationals(values, rng):
    return {"oddsbound": 1, "name": "dense", "domain": [{"name": "x", "size": values}],
            "mechanism": {"type": "matrix", "outputs": [str(k) for k in range(values)], "rows": [rationals(values, rng) for _ in range(values)]},
            "claims": [{"notion": "ldp", "epsilon": "9"}]}


def unary(values, rng):
    """A unary encoding under a prior: claims about the values, and the divergences of whole rows."""
    return {"oddsbound": 1, "name": "unary", "domain": [{"name": "x", "size": values}],
            "mechanism": {"type": "unary_encoding", "epsilon": "1"},
            "claims": [{"notion": "ldp", "epsilon": "1"}, {"notion": "approximate_dp", "epsilon": "1/2", "delta": "1/2"},
                       {"notion": "zcdp", "rho": "1/2"}]}


TINY = bool(os.environ.get("ODDSBOUND_BENCH_TINY"))

# By name: a description, the unit of the size, the function that makes a request, the command, the sizes, and the tiny
# ones.
FAMILIES = {
    "sets": ("two claims over sets of priors", "inputs", sets_of_priors, "verify", [250, 500, 1000], [50, 100]),
    "weights": ("a claim over a set with weights", "inputs", sets_of_weights, "verify", [250, 500, 1000], [50, 100]),
    "design": ("a design for values on a line", "values", design, "design", [20, 40, 60, 80], [10, 20]),
    "chain": ("all levels of a chain", "nodes", chain, "verify", [25, 50, 100, 200], [10, 20]),
    "exp": ("ldp of a matrix with exp", "values", dense_exp, "verify", [10, 20, 40, 80], [4, 8]),
    "rational": ("ldp of a matrix of rationals", "values", dense_rationals, "verify", [128, 256, 512, 1024], [16, 32]),
    "unary": ("ldp, approximate_dp and zcdp of a unary encoding", "values", unary, "verify", [128, 256, 512, 1024], [32, 64]),
}


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"error: {' '.join(command)}: status {done.returncode}: {(done.stdout + done.stderr)[-300:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--name", action="append")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--runs", type=int, default=1 if TINY else 2)
    parser.add_argument("--keep", help="write the requests to this folder, and run nothing")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        start = min(processor_seconds([chosen.program, "--version"]) for _ in range(3))
        print("| what | sizes | time | exponents |\n| --- | --- | --- | --- |")
        for name, (what, unit, request, command, sizes, tiny) in FAMILIES.items():
            if chosen.name and name not in chosen.name:
                continue
            times, used = [], tiny if TINY else sizes
            for size in used:
                path = os.path.join(chosen.keep or folder, f"{name}-{size}.json")
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(request(size, random.Random(size)), file)
                if not chosen.keep:
                    limits = ["--max-seconds", "600"] if command == "design" else ["--max-seconds", "600", "--threads", chosen.threads]
                    run = [chosen.program, command, *limits, path]
                    times.append(max(1e-3, min(processor_seconds(run) for _ in range(chosen.runs)) - start))
            if chosen.keep:
                continue
            exponents = [math.log(later / earlier) / math.log(b / a) for a, b, earlier, later in zip(used, used[1:], times, times[1:])]
            print(f"| {what} | {', '.join(map(str, used))} {unit} | {', '.join(f'{time:.2f}' for time in times)} s | "
                  f"{', '.join(f'{exponent:.1f}' for exponent in exponents)} |", flush=True)


if __name__ == "__main__":
    main()
