"""Random mutations of specs, read by the program and by the strict reader (oddsbound_check.spec): the strict reader must
read none that the program rejects. Specs that only the strict reader rejects are counted by reason, and must be rare.

spec_mutations.py BINARY [--mutations N] [--seed S] [--random N]: prints every file on which they differ, then "N
passed, M failed".
"""
import argparse
import copy
import glob
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
from oddsbound_check.spec import read_spec
from random_specs import Generator
from oddsbound_check.reading import Literal, Refused

ROOT = os.path.join(HERE, "..", "..")
FOLDERS = ("specs/gallery", "specs/parametric", "specs/sets-of-priors", "specs/claims-of-the-papers", "specs/releases", "tests/cli/specs",
           "tests/cli/specs/symbols")
MOST_BYTES = 6000  # of a spec to be mutated
SECONDS = "2"  # for each; enough to read it
BATCH = 50
# Limits of time and memory, and signs that Z3 does not decide in time.
RESOURCES = ("--max-seconds", "--max-memory-mb", "could not be decided", "could not be shown to be nowhere 0")
WORDS = ("", "0", "1", "1/2", "-1", "2", "1/0", "inf", "log(2)", "exp(1)", "sqrt(2)", "log(1/2)", "0.25", "1e-3", "a", "x", "eps", "*", "missing",
         "uniform", "ldp", "bcdp", "holds", "refuted", "drop", "not released", "from prior", "(a,b)", "3/2", "1 + inf", "2^2^2", "log(sqrt(2))")
NUMBERS = ("0", "1", "2", "-1", "0.5", "1.5", "1e3", "10001", "1e999", "-0", "3", "100000")
VALUES = (None, True, False, [], {}, "", Literal("1"), [[]], {"type": "uniform"}, ["x"], "1/2")
KEYS = ("name", "notion", "epsilon", "delta", "known", "from", "to", "for_all", "tight", "expect", "coordinate", "neighbors", "records", "differ",
        "rho", "secret", "type", "outputs", "rows", "file", "times", "values", "size", "public", "missing", "count", "window", "prior", "x", "eps",
        "symbols", "parameters", "prior_sets", "source", "description", "sensitivity", "variant", "copies", "lower", "share")


def places(value, found=None):
    """[(holder, key)] of everything within."""
    found = [] if found is None else found
    for key, own in (value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()):
        found.append((value, key))
        places(own, found)
    return found


def texts_in(value):
    return [own for holder, key in places(value) for own in [holder[key]] if isinstance(own, str) and not isinstance(own, Literal)]


class Mutation:
    def __init__(self, spec, rng):
        self.spec, self.rng = copy.deepcopy(spec), rng

    def place(self, kind=object):
        found = [(holder, key) for holder, key in places(self.spec) if isinstance(holder[key], kind)]
        return self.rng.choice(found) if found else (self.spec, "name")

    def drop(self):
        holder, key = self.place()
        del holder[key]

    def drop_item(self):
        holder, key = self.place(list)
        if isinstance(holder[key], list) and holder[key]:
            holder[key].pop(self.rng.randrange(len(holder[key])))

    def repeat_item(self):
        holder, key = self.place(list)
        if isinstance(holder[key], list) and holder[key]:
            holder[key].insert(self.rng.randrange(len(holder[key])), copy.deepcopy(self.rng.choice(holder[key])))

    def swap_items(self):
        holder, key = self.place(list)
        if isinstance(holder[key], list):
            self.rng.shuffle(holder[key])

    def add_key(self):
        holder, key = self.place(dict)
        own = holder[key] if isinstance(holder.get(key) if isinstance(holder, dict) else holder[key], dict) else self.spec
        own[self.rng.choice(KEYS)] = copy.deepcopy(self.rng.choice([*VALUES, *texts_in(self.spec)]))

    def rename_key(self):
        holder, key = self.place()
        if isinstance(holder, dict):
            holder[self.rng.choice([*KEYS, key + "s", key.upper(), *texts_in(self.spec)])] = holder.pop(key)

    def other_type(self):
        holder, key = self.place()
        holder[key] = copy.deepcopy(self.rng.choice(VALUES))

    def wrapped(self):
        holder, key = self.place()
        holder[key] = self.rng.choice(([holder[key]], {"x": holder[key]}, str(holder[key])))

    def number(self):
        holder, key = self.place(str)
        if isinstance(holder[key], Literal):
            holder[key] = self.rng.choice((Literal(self.rng.choice(NUMBERS)), str(holder[key])))
        else:
            holder[key] = self.rng.choice([*WORDS, f"({holder[key]})*1", f"{holder[key]}+1/1000", f"-({holder[key]})", holder[key] + " ",
                                           f"{holder[key]}-0", Literal(self.rng.choice(NUMBERS))])

    def other_text(self):
        holder, key = self.place(str)
        holder[key] = self.rng.choice(texts_in(self.spec) or ["x"])

    def moved(self):
        """A part of the spec replaces another one."""
        holder, key = self.place()
        other, own = self.place()
        holder[key] = copy.deepcopy(other[own])

    KINDS = (drop, drop_item, repeat_item, swap_items, add_key, rename_key, other_type, wrapped, number, number, other_text, other_text, moved)

    def apply(self):
        for _ in range(self.rng.choice((1, 1, 1, 2))):
            self.rng.choice(self.KINDS)(self)
        return self.spec


def written(value):
    """The spec as JSON, with numbers as written."""
    if isinstance(value, Literal):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {written(own)}" for key, own in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value)


def spoiled(text, rng):
    """Changes at the level of text, not of JSON values."""
    kind = rng.randrange(4)
    if kind == 0:
        at = text.find('"name":')
        return text[:at] + '"name": "twice", ' + text[at:] if at >= 0 else text
    at = rng.randrange(len(text))
    return {1: text[:at] + text[at + 1:], 2: text[:at] + rng.choice('{}[]",:0e.-\\') + text[at:], 3: text[:at]}[kind]


def absolute(spec, folder):
    """Replaces names of existing files by absolute paths, so that the spec may be moved."""
    for holder, key in places(spec):
        if key == "file" and isinstance(holder[key], str) and os.path.exists(os.path.join(folder, holder[key])):
            holder[key] = os.path.abspath(os.path.join(folder, holder[key]))
    return spec


def seeds(folder, random_specs, seed):
    generator = Generator(seed, folder)
    paths = [generator.write(k) for k in range(random_specs)]
    for own in FOLDERS:
        paths += sorted(path for path in glob.glob(os.path.join(ROOT, own, "*.json")) if not path.endswith((".release.json", ".design.json")))
    found = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if len(text) <= MOST_BYTES and '"oddsbound"' in text:
            found.append(absolute(json.loads(text, parse_float=Literal, parse_int=Literal), os.path.dirname(path)))
    return found


def refused_by_program(binary, paths):
    """{path: message}. If a file ends the run, it is searched for by running files separately."""
    command = [binary, "verify", "--format", "json", "--max-seconds", SECONDS, "--jobs", "2", *paths]
    run = subprocess.run(command, capture_output=True, check=False)
    try:
        document = json.loads(run.stdout)
    except ValueError:
        if len(paths) == 1:
            return {paths[0]: (run.stderr.decode("utf-8", "replace").strip() or f"status {run.returncode}")[:300]} if run.returncode == 2 else {}
        return {path: message for part in (paths[:len(paths) // 2], paths[len(paths) // 2:]) for path, message in refused_by_program(binary, part).items()}
    # An error in a table names the table.
    read, messages = {spec["file"] for spec in document["specs"]}, {error["file"]: error["message"] for error in document.get("errors", [])}
    return {path: messages.get(path, "; ".join(messages.values())) for path in paths if path not in read}


def differ(strict, message, text):
    """The difference, if any. strict: the strict reader's reason for rejection; message: the program's."""
    if message is not None and strict is None and not any(word in message for word in RESOURCES):
        return f"only the program refuses it: {message}\n  {text[:1500]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--mutations", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=20)
    parser.add_argument("--verbose", action="store_true", help="also print what only the strict reader refuses")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    folder = tempfile.mkdtemp()
    failures, both, neither, stricter = [], 0, 0, []
    try:
        known = seeds(folder, arguments.random, arguments.seed)
        for start in range(0, arguments.mutations, BATCH):
            texts = {}
            for k in range(start, min(start + BATCH, arguments.mutations)):
                text = written(Mutation(rng.choice(known), rng).apply())
                path = os.path.join(folder, f"m{k}.json")
                texts[path] = spoiled(text, rng) if rng.random() < 0.05 else text
                with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
                    file.write(texts[path])
            messages = refused_by_program(arguments.binary, list(texts))
            for path, text in texts.items():
                strict, message = why_refused(path), messages.get(path)
                problem = differ(strict, message, text)
                failures += [problem] if problem else []
                both, neither = both + bool(strict and message), neither + (strict is None and message is None)
                if strict and message is None:
                    stricter.append(f"{strict}\n  {text[:1500]}")
                os.remove(path)
    finally:
        shutil.rmtree(folder)
    for line in failures + ["only the strict reader refuses it: " + line for line in stricter if arguments.verbose]:
        print(line)
    print(f"{both} refused by both, {neither} by neither, {len(stricter)} by the strict reader alone")
    # A reader that rejects everything would pass otherwise.
    failures += ["too much is refused by the strict reader alone"] if len(stricter) > arguments.mutations / 50 else []
    failures += ["too little was read"] if neither < arguments.mutations / 20 else []
    print(f"{arguments.mutations - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


def why_refused(path):
    try:
        read_spec(path)
    except Refused as error:
        return str(error)
    return None


if __name__ == "__main__":
    sys.exit(main())
