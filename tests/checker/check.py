"""Compares all results of `oddsbound verify --format json` with an independent computation.

check.py BINARY [--specs N] [--seed S] [--max-cells M] [FILES...]: the program and reference.py verify random specs and
the files (default: the gallery). Prints one line per mismatch, then "N passed, M failed". Also fails if rare features
did not meet in the random specs (features.py). With a limit, undecided results must name it, and all others must be
right. Specs with symbols are compared at some of their values (symbolic.py).
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

import symbolic
from checker import Checker
from features import NO_POLYNOMIALS
from random_specs import Generator
from reference import Spec, load
from shuffled import Shuffled, is_shuffle
from tables import domain_of


def check_document(document, status, files):
    problems = []
    keys = ["oddsbound", "tool", "environment", "specs", *["errors"] * ("errors" in document), "summary"]
    if list(document) != keys:
        problems.append(f"document keys {list(document)}")
    claims = [c for s in document["specs"] for c in s["claims"]]
    ok = sum(c["ok"] for c in claims)
    undecided = sum(c["verdict"] in ("undecided", c["expect"] if "missing_opinion" in c else "undecided") for c in claims)
    summary = {"specs": len(files), "claims": len(claims), "ok": ok, "failed": len(claims) - ok - undecided, "undecided": undecided}
    if document["summary"] != summary:
        problems.append(f"summary {document['summary']}, expected {summary}")
    expected = 2 if "errors" in document else 1 if summary["failed"] else 3 if undecided else 0
    if status != expected:
        problems.append(f"exit status {status}, expected {expected}")
    if [s["file"] for s in document["specs"]] != files:
        problems.append("the files are not in order")
    return problems


def is_survey(path):
    """True if the inputs are too many to enumerate; survey.py checks such specs."""
    inputs = 1
    for _, values in domain_of(load(path), lambda name: os.path.join(os.path.dirname(path), name)):
        inputs *= len(values)
    return inputs > 10**6


def is_continuous(path):
    return load(path)["mechanism"]["type"] in ("duchi_l2_ball", "bcdp_mean_l2")


def check_continuous(result):
    """No exact level may be claimed for continuous outputs."""
    levels = [result["outputs"], *(result["analysis"][key] for key in ("ldp", "bdp", "cdp", "bcdp"))]
    fine = all(level is None for level in levels) and all(c["verdict"] == "undecided" for c in result["claims"])
    return [] if fine else ["a level is given for continuous outputs"]


def check_result(path, result, limited):
    if is_continuous(path):
        return check_continuous(result)
    if is_shuffle(path):
        return Shuffled(Spec(path), result).run()
    if "symbols" in load(path):
        return symbolic.problems(path, result)
    return Checker(Spec(path), result, limited).run()


def check_coverage(coverage):
    """Pairs of rare features must have met. There are many kinds of mechanisms, so some of their pairs may be
    missing."""
    missing = [pair for pair in coverage.missing() if not any(feature == "mechanism" for feature, _ in pair)]
    sys.stderr.write(f"{len(coverage.pairs)} pairs of features met, {len(coverage.missing())} did not\n")
    return [f"never met: {one}, {other}" for one, other in missing]


def check_verdicts(document, no_symbols):
    """Random claims that all hold, all fail, or are undecided would test little."""
    seen = {}
    # Z3 is not asked about claims that are not polynomial.
    alone = sum("missing_opinion" in claim and claim["notion"] not in NO_POLYNOMIALS and not claim.get("scope", {}).get("any_known") for spec in document["specs"] for claim in spec["claims"])
    for spec in document["specs"]:
        kind = "for all values" if "symbols" in spec["analysis"] else "exact"
        for claim in spec["claims"]:
            key = (kind, "tight" if claim.get("tight") else "plain", claim["verdict"])
            seen[key] = seen.get(key, 0) + 1
    sys.stderr.write("".join(f"{' '.join(key)}: {count}\n" for key, count in sorted(seen.items())))
    kinds = ["exact"] + ["for all values"] * (not no_symbols)
    wanted = [(kind, tight, verdict) for kind in kinds for tight in ("plain", "tight")
              for verdict in ("holds", "refuted")]
    few = [f"only {seen.get(key, 0)} claims: {' '.join(key)}" for key in wanted if seen.get(key, 0) < 3]
    total = sum(seen.values())
    left = sum(count for key, count in seen.items() if key[2] == "undecided")
    few += [f"{alone} of {total} claims lack a second opinion"] if alone > total / 200 else []
    return few + ([f"{left} of {total} claims are undecided"] if left > total / 50 else [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--specs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="exact")
    parser.add_argument("--max-cells")
    parser.add_argument("--no-symbols", action="store_true")
    parser.add_argument("--sums-of-symbols", action="store_true")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    gallery = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "specs", "gallery")
    with tempfile.TemporaryDirectory() as folder:
        generator = Generator(arguments.seed, folder, not arguments.no_symbols, arguments.sums_of_symbols)
        files = [generator.write(index) for index in range(arguments.specs)]
        if arguments.engine == "exact" and not arguments.max_cells and not arguments.sums_of_symbols:
            files += arguments.files or [path for path in sorted(glob.glob(os.path.join(gallery, "*.json"))) if not is_survey(path)]
        limit = ["--max-cells", arguments.max_cells] if arguments.max_cells else []
        run = subprocess.run([arguments.binary, "verify", "--explain", "--format", "json", "--engine", arguments.engine, "--smt-seconds", "10", "--jobs", "2", *limit, *files], capture_output=True, text=True)
        sys.stderr.write("" if limit else run.stderr)
        document = json.loads(run.stdout)
        written = len(files)
        if limit:
            # A file that cannot be read within the limit is an error that names the limit; all others have results.
            failures = [f"{error['file']}: {error['message']}" for error in document.get("errors", []) if "--max-" not in error["message"]]
            files = [s["file"] for s in document["specs"]]
            failures += [] if len(files) + len({error["file"] for error in document.get("errors", [])}) == written else ["a file is missing"]
            failures += [] if len(files) > written / 2 else ["too little is left to be checked"]
        else:
            failures = []
        failures += [f"document: {p}" for p in check_document(document, run.returncode, files)]
        if arguments.specs >= 300:
            failures += check_coverage(generator.coverage)
            failures += [] if limit else check_verdicts(document, arguments.no_symbols)
        failed = len(failures)
        for path, result in zip(files, document["specs"]):
            problems = check_result(path, result, bool(limit))
            failures += [f"{os.path.basename(path)}: {p}" for p in problems]
            failed += bool(problems)
    for line in failures:
        print(line)
    print(f"{len(files) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
