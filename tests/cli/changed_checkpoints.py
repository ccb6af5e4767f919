"""Checkpoints with changed bytes behind a correct digest: no crash, no endless run; one line of error or a result.

changed_checkpoints.py BINARY [--tries N] [--seed N]: prints a line per run that ends otherwise. A checkpoint is
trusted (docs/clusters.md), so the result may differ.
"""
import argparse
import hashlib
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import house_votes  # noqa: E402

VOTES = os.path.join(ROOT, "specs/gallery/house-votes.json")
TITANIC = os.path.join(ROOT, "specs/gallery/titanic.json")
WARNER = os.path.join(ROOT, "specs/gallery/warner.json")
MAGIC = b"oddsbound checkpoint 1\n"
SECONDS, MEMORY = 30, 4 << 30  # limits of a run
# By name: runs that a time limit ends. SLOW_VOTES is made in the folder of the run.
SLOW_VOTES = "slow-votes.json"
CASES = {
    "a search": ["analyze", VOTES],
    "solvers' answers": ["verify", "--engine", "both", WARNER, SLOW_VOTES, "--smt-seconds", "1"],
    "an audit": ["audit", "--seed", "7", "--samples", "40000000", TITANIC],
}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def word(self):
        self.at += 8
        return int.from_bytes(self.data[self.at - 8:self.at], "little")

    def text(self):
        size = self.word()
        self.at += size
        return self.data[self.at - size:self.at]


def entries(data):
    """The ranges of the bytes of outcomes and states. The description of the run comes before them."""
    reader = Reader(data)
    reader.text()
    for _ in range(reader.word()):
        reader.text(), reader.text()
    places = []
    for _ in range(2):
        for _ in range(reader.word()):
            reader.text()
            size = len(reader.text())
            places.append((reader.at - size, size))
    if reader.at != len(data):
        sys.exit("error: this is no checkpoint")
    return [(begin, size) for begin, size in places if size > 0]


def changed(data, places, chance):
    """Changes one byte or one word of an entry."""
    begin, size = chance.choice(places)
    result = bytearray(data)
    kind = chance.randrange(4)
    if kind == 0:
        result[begin + chance.randrange(size)] ^= 1 << chance.randrange(8)
    elif kind == 1:
        result[begin + chance.randrange(size)] = chance.choice([0, 1, 0x7f, 0x80, 0xff])
    else:  # numbers are written as words
        at = begin + 8 * chance.randrange(max(1, size // 8))
        value = chance.choice([0, 1, 2, 7, 255, 2**16, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1,
                               0x7ff0000000000000, 0x7ff8000000000000, 0xfff0000000000000, 0xbff0000000000000, chance.getrandbits(64)])
        result[at:min(at + 8, begin + size)] = value.to_bytes(8, "little")[:min(8, begin + size - at)]
    return bytes(result)


def begun(binary, command, path):
    """The checkpoint of a run that was ended in time, however busy the machine is: its bytes and the ranges of its
    entries."""
    for seconds in 2 * (0.2, 0.3, 0.45, 0.6, 1, 2, 4, 8):
        if os.path.exists(path):
            os.remove(path)
        subprocess.run([binary, *command, "--max-seconds", str(seconds), "--checkpoint", path], cwd=os.path.dirname(path),
                       capture_output=True, timeout=300)
        if not os.path.exists(path):
            continue
        with open(path, "rb") as file:
            data = file.read()[len(MAGIC):-64]
        places = entries(data)
        if sum(size for _, size in places) > 200:
            return data, places
    return None, []


def write_slow_votes(path):
    """The votes with a claim that is nearly tight for an attribute whose level takes ten seconds. While the claim is
    open, a run leaves a checkpoint; a claim that a first bound decides leaves none."""
    spec = house_votes.survey("1/10")
    spec["claims"] = [{"notion": "bcdp", "epsilon": {"water-project-cost-sharing": "0.337"}}]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(spec, file)


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    failures = errors = results = 0
    for name, command in CASES.items():
        if options.only and options.only != name:
            continue
        chance = random.Random(f"{options.seed} {name}")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "checkpoint")
            write_slow_votes(os.path.join(folder, SLOW_VOTES))
            data, places = begun(binary, command, path)
            if data is None:
                print(f"{name}: no limit leaves a checkpoint")
                failures += 1
                continue
            for number in range(options.tries):
                body = MAGIC + changed(data, places, chance)
                with open(path, "wb") as file:
                    file.write(body + hashlib.sha256(body).hexdigest().encode())
                try:
                    done = subprocess.run([binary, *command, "--max-seconds", "1", "--checkpoint", path], cwd=folder, capture_output=True, text=True, errors="replace",
                                          timeout=SECONDS, preexec_fn=limited)
                    lines = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
                    good = done.returncode in (0, 1, 3) and len(lines) <= 1 or done.returncode == 2 and len(lines) == 1
                    what = f"status {done.returncode}: {done.stderr[-300:]}"
                    errors, results = errors + (done.returncode == 2), results + (done.returncode != 2)
                except subprocess.TimeoutExpired:
                    good, what = False, f"more than {SECONDS} seconds"
                if not good:
                    failures += 1
                    kept = os.path.join(tempfile.gettempdir(), f"checkpoint-{name.replace(' ', '-')}-{options.seed}-{number}")
                    with open(kept, "wb") as file:
                        file.write(body + hashlib.sha256(body).hexdigest().encode())
                    print(f"{name}, try {number}: {what} (kept as {kept})")
    print(f"{errors} errors, {results} results, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
