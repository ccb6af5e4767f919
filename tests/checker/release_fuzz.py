"""Random releases, written as specs by the tool, against releases.py: every probability of every table, exact levels, and that
the ledger is never below them.

release_fuzz.py BINARY [--instances N] [--seed S] [--most-work W]: one line per mismatch, then "N passed, M failed". From 100
instances on it fails as well if a feature of releases did not meet.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

import concentrated
from check import check_document
from checker import Checker
from exact import Exact, at_most
from expression import level
from random_releases import MOST_WORK, STEP_TYPES, features, random_release
from reference import Spec

RARE = ["1 records", "2 records", "several steps", "1 values", "3 values", "1 attributes", "5 attributes", "counts: of",
        "counts: where", "counts: noise gaussian", "counts: consistent", "heavy_hitters: count_scale", "heavy_hitters: lists",
        "heavy_hitters: share", "heavy_hitters: test_leaves", "mwem: noise gaussian", "mwem: rounds 2", "mwem: together 2",
        "mwem: fit round", "learn: concept distribution", "learn: concept point", "learn: concept threshold",
        "learn: concept halfspace"]


def run(*arguments, allowed=(0, 1)):
    result = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=600)
    if result.returncode not in allowed:
        raise RuntimeError(f"{' '.join(arguments)}: exit status {result.returncode}\n{result.stderr}")
    return result


def written(value):
    """An exact number in the grammar of specs."""
    value = Exact.of(value)
    return f"({value.top})" + "".join(f"/({factor})^{power}" for factor, power in value.bottom.items())


def write_json(path, content):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file)


def make(binary, folder, index, r, most_work):
    """A release's file, and its spec as the tool writes it."""
    release, records = random_release(r, most_work)
    file, spec = (os.path.join(folder, f"{index:03}.{kind}json") for kind in ("release.", ""))
    write_json(file, release)
    window = ["--window", str(r.choice([0, 1]))] if r.random() < 0.2 else []
    run(binary, "release", file, "--spec", "--records", str(records), *window, "-o", spec)
    return spec, features(release, records)


def same_channel(spec):
    """A spec that tells which of two made its output by nothing but their probabilities: the tool's release, or the checker's rows
    of numbers. Nothing may be told of which it was."""
    tables = [{"name": name, "values": values} for name, values in spec.domain]
    names = [name for name, _ in spec.domain]

    def seeing(mechanism):
        return {"type": "on", "coordinates": names, "mechanism": mechanism}
    rows = {"type": "matrix", "outputs": spec.outputs, "rows": [[written(p) for p in row] for row in spec.rows]}
    both = {"type": "adaptive", "first": {"type": "on", "coordinates": ["who"], "mechanism": {
        "type": "matrix", "outputs": ["tool", "checker"], "rows": [["1", "0"], ["0", "1"]]}},
            "then": {"tool": seeing({"type": "file", "file": os.path.basename(spec.path)}), "checker": seeing(rows)}}
    told = {f"({who},{output})": output for who in ("tool", "checker") for output in spec.outputs}
    return {"oddsbound": 1, "name": "who", "domain": [{"name": "who", "values": ["tool", "checker"]}, *tables],
            "mechanism": {"type": "post_process", "mechanism": both, "map": told},
            "claims": [{"notion": "cdp", "epsilon": {"who": "0"}}]}


def below_the_level(binary, spec):
    """Lines of the ledger that claim less than is lost between tables that differ in these attributes of one record."""
    file = spec.beside(spec.json["mechanism"]["file"])
    ledger = json.loads(run(binary, "release", file, "--account", "--format", "json").stdout)["ledger"]
    names = [name for name, _ in spec.domain]
    for line in ledger:
        pairs = [pair for record in range(1, int(spec.json["mechanism"]["records"]) + 1)
                 for pair in spec.differing([names.index(f"{record}.{name}") for name in line["attributes"]])]
        pure, true = level(line["pure"]), spec.worst(pairs)
        if not at_most(true, pure):
            yield f"{line['of']}: pure {line['pure']} is below the exact level {true}"
        rho = concentrated.rho(spec, pairs)
        if rho > float(Fraction(line["rho"])) * (1 + concentrated.MARGIN):
            yield f"{line['of']}: rho {line['rho']} is below {rho}"


def read_files(document, files):
    """Those that were read. A few may be refused, for exponents too many for exact numbers, and for nothing else."""
    refused = {error["file"] for error in document.get("errors", []) if "the exponents of exp(...) are too far apart" in error["message"]}
    other = [f"{error['file']}: {error['message']}" for error in document.get("errors", []) if error["file"] not in refused]
    few = [f"{len(refused)} of {len(files)} are refused"] if len(refused) > len(files) / 20 else []
    return [file for file in files if file not in refused], other + few


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--instances", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most-work", type=int, default=MOST_WORK)
    arguments = parser.parse_args()
    binary, r = os.path.abspath(arguments.binary), random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        made = [make(binary, folder, index, r, arguments.most_work) for index in range(arguments.instances)]
        verified = run(binary, "verify", "--explain", "--format", "json", "--jobs", "2", *(file for file, _ in made), allowed=(0, 1, 2))
        document = json.loads(verified.stdout)
        files, failures = read_files(document, [file for file, _ in made])
        failures += [f"document: {problem}" for problem in check_document(document, verified.returncode, files)]
        met = collections.Counter(feature for _, found in made for feature in found)
        failures += [f"never met: {feature}" for feature in RARE if arguments.instances >= 100 and not met[feature]]
        failures += [f"no step of type {kind}" for kind in STEP_TYPES if not met[kind]]
        failed, both = len(failures), []
        for file, result in zip(files, document["specs"]):
            spec = Spec(file)
            problems = Checker(spec, result).run()
            problems += [f"claim {claim['index']} does not hold" for claim in result["claims"] if claim["verdict"] != "holds"]
            problems += below_the_level(binary, spec)
            both.append(file.replace(".json", ".both.json"))
            write_json(both[-1], same_channel(spec))
            failures += [f"{os.path.basename(file)}: {problem}" for problem in problems]
            failed += bool(problems)
        for result in json.loads(run(binary, "verify", "--format", "json", "--jobs", "2", *both).stdout)["specs"]:
            if result["claims"][0]["verdict"] != "holds":
                failures.append(f"{os.path.basename(result['file'])}: other probabilities: {str(result['claims'][0]['witness'])[:300]}")
                failed += 1
        for line in failures:
            print(line)
        print(f"{len(files) + 1 - failed} passed, {failed} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
