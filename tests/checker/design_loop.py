"""Shared by the checkers of designs: runs given and random requests one after the other."""
import argparse
import json
import os
import random
import tempfile


def arguments(*more):
    """more: numeric options with their defaults."""
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("requests", nargs="*")
    for name, number in (("--random", 0), ("--seed", 1), *more):
        parser.add_argument(name, type=int, default=number)
    options = parser.parse_args()
    options.binary = os.path.abspath(options.binary)
    return options


def go_through(options, random_request, problems_of):
    """problems_of(path, rng, folder, is_random): the faults as texts. Prints them and the numbers; returns the exit
    status."""
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(len(options.requests) + options.random):
            rng = random.Random(options.seed * 1000003 + k)
            is_random = k >= len(options.requests)
            path = os.path.join(folder, "request.json") if is_random else options.requests[k]
            if is_random:
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(random_request(rng), file)
            problems = problems_of(path, rng, folder, is_random)
            passed, failed = passed + (not problems), failed + bool(problems)
            for problem in problems:
                print(f"{path} ({k}): {problem}")
            if problems and is_random:
                with open(path, encoding="utf-8") as file:
                    print(file.read())
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
