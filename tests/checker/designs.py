"""Designed mechanisms against an independent check.

The result satisfies the constraints and has the stated loss. The certificate proves that no mechanism within the
constraints has less, or that there is none; random mechanisms within them have no less; tampered certificates are
rejected.

designs.py BINARY REQUEST... [--random N] [--seed S]: prints a line per problem, then "N passed, M failed".
"""
import collections
import json
import os
import subprocess
import sys

import design_loop
import design_mechanisms
import design_proofs
from design_limits import Rejected
from design_request import Request
from design_requests import random_request
from oddsbound_check.expression import number as parse_number
from reference import Spec, load

# Requests that take longer, with worst priors of many digits, are reported, but are no failures.
SECONDS = "20"
OPEN, CONFLICT = 3, 2


def levels_in(epsilon):
    if isinstance(epsilon, (dict, list)):
        return [level for one in (epsilon.values() if isinstance(epsilon, dict) else epsilon) for level in levels_in(one)]
    return [epsilon]


def is_logarithm(epsilon):
    """True if e^epsilon is rational."""
    return epsilon in ("0", "inf") or epsilon.startswith("log(")


def design(binary, path, folder):
    spec, certificate = os.path.join(folder, "best.json"), os.path.join(folder, "proof.json")
    for file in (spec, certificate):
        if os.path.exists(file):
            os.remove(file)
    result = subprocess.run([binary, "design", path, "--format", "json", "--output", spec, "--certificate", certificate,
                             "--max-seconds", SECONDS], capture_output=True, check=False)
    return result, spec, certificate


def is_shared(binary, path):
    """True if the optimum found has a constant part: for some sets of priors there is always a worse prior."""
    told = subprocess.run([binary, "design", "--exact", path, "--max-seconds", SECONDS], capture_output=True, check=False)
    return b"it reveals nothing" in told.stdout


def conflict_problems(request, certificate, words):
    """The constraints that are named must be those of the proof."""
    compared = [one for one in certificate["multipliers"] if one["from"] != one["to"]]
    numbers = sorted({int(certificate["limits"][int(one["limit"])]["constraint"]) for one in compared})
    expected = [f"constraint {k + 1} ({request.constraints[k]['notion']})" for k in numbers]
    needed = {int(one["loss"]) for one in certificate["losses"] if parse_number(one["times"]) != 0}
    named = [line.strip() for line in words.splitlines()[2:] if line]
    is_right = named[:len(expected)] == expected and len(named) == len(expected) + len(needed)
    return [] if is_right else [f"named: {named}, expected: {expected} and {len(needed)} losses"]


class Counted:
    def __init__(self, binary):
        self.binary, self.kinds = binary, collections.Counter()

    def problems_of(self, path, rng, folder):
        result, spec_file, certificate_file = design(self.binary, path, folder)
        words = result.stderr.decode()
        if result.returncode == OPEN and result.stderr:
            self.kinds["open"] += 1
            return []
        if result.returncode == CONFLICT and "a larger one may help" in words:
            self.kinds["open"] += 1
            return []
        is_conflict = result.returncode == CONFLICT and "no mechanism keeps all of these" in words
        if result.returncode != 0 and not is_conflict:
            return [f"exit status {result.returncode}: {words}"]
        self.kinds["conflict" if is_conflict else "designed"] += 1
        request, certificate = Request(path), load(certificate_file)
        problems = conflict_problems(request, certificate, words) if is_conflict else \
            self.mechanism_problems(request, path, Spec(spec_file), certificate)
        if not is_conflict:
            verified = subprocess.run([self.binary, "verify", spec_file], capture_output=True, check=False)
            if verified.returncode != 0:
                problems.append(f"verify: {verified.stdout.decode()}{verified.stderr.decode()}")
        try:
            design_proofs.check(request, certificate)
        except Rejected as why:
            return problems + [f"the certificate: {why}"]
        bound = parse_number(certificate["exceeded_by" if is_conflict else "at_least"])
        problems += design_mechanisms.random_problems(request, None if is_conflict else Spec(spec_file), certificate, bound, rng)
        return problems + design_proofs.accepted_tamperings(request, certificate, rng)

    def mechanism_problems(self, request, path, spec, certificate):
        problems = design_mechanisms.problems_of(request, spec, certificate)
        found, at_least = request.objective.of(design_mechanisms.rows_of(request, spec)), parse_number(certificate["at_least"])
        # If all e^level are exact, the bound is that of the mechanism itself.
        exact = request.json.get("exact") or all(is_logarithm(level) for one in request.constraints for level in levels_in(one["epsilon"]))
        if found < at_least or exact and found != at_least and not is_shared(self.binary, path):
            problems.append(f"loss {found}, bound {at_least}")
        return problems


def main():
    options = design_loop.arguments()
    counted = Counted(options.binary)
    status = design_loop.go_through(options, random_request, lambda path, rng, folder, _: counted.problems_of(path, rng, folder))
    print(", ".join(f"{number} {kind}" for kind, number in sorted(counted.kinds.items())))
    return status


if __name__ == "__main__":
    sys.exit(main())
