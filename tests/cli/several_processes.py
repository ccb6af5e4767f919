#!/usr/bin/env python3
"""Several processes write the same as one, byte for byte except for times; so does a run that was interrupted and
resumed: several_processes.py ODDSBOUND ODDSBOUND_MPI [--quick] [--only NAME...]."""
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "NO_COLOR": "1"}
TIME = re.compile(r'("(?:seconds|exact|smt)": )[0-9][0-9.e+-]*')
PROGRAM, PARALLEL = (os.path.abspath(path) for path in sys.argv[1:3])
QUICK = "--quick" in sys.argv
ONLY = sys.argv[sys.argv.index("--only") + 1:] if "--only" in sys.argv else []


def without_times(text):
    return TIME.sub(r"\1T", text)


def processes(ranks):
    return ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), PARALLEL]


def run(command, folder):
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=ENVIRONMENT, timeout=3000, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1, 3):
        print(done.stderr[-500:], flush=True)
    return done.returncode, without_times(done.stdout)


def children_of(pid):
    listed = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
    return sorted(int(child) for child in listed)


def is_over(pid):
    """Returns true if the process ends within a minute. After its mpirun is gone, it may remain as a zombie."""
    for _ in range(600):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.1)
    return False


def ended(command, folder, seconds, ends_by):
    """The status of a run that is ended after some seconds, or None if it finished before."""
    with open(os.path.join(folder, "written"), "w", encoding="utf-8") as output:
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, cwd=folder, env=ENVIRONMENT,
                                 stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            child.wait(seconds)
            return None
        except subprocess.TimeoutExpired:
            ranks = children_of(child.pid)
            child.send_signal(ends_by)
        try:
            status = child.wait(60)
            # The ranks notice that their mpirun is gone, and hold the checkpoint until then.
            if not all(is_over(rank) for rank in ranks):
                sys.exit(f"error: a process of {' '.join(command)} outlives it")
            return status
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            sys.exit(f"error: {' '.join(command)} did not end")


def house_votes(folder, epsilon):
    with open(os.path.join(ROOT, "specs/gallery/house-votes.json"), encoding="utf-8") as file:
        spec = json.load(file)
    spec.pop("claims")
    text = re.sub(r'("epsilon": )"[^"]*"', rf'\1"{epsilon}"', json.dumps(spec))
    text = text.replace('"data/', f'"{os.path.abspath(ROOT)}/specs/gallery/data/')
    return written(folder, f"votes-{epsilon.replace('/', '-')}.json", text)


def written(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def columns(folder, values):
    """A pass over values x values cells, for several questions."""
    spec = {"oddsbound": 1, "name": "columns", "domain": [{"name": "x", "size": values // 2}, {"name": "y", "values": ["a", "b"]}],
            "prior": {"type": "uniform"}, "mechanism": {"type": "hadamard_response", "epsilon": "1"},
            "claims": [{"notion": "ldp", "epsilon": "1"}, {"notion": "cdp", "epsilon": {"y": "1"}},
                       {"notion": "bcdp", "epsilon": {"y": "1/2"}}]}
    return written(folder, f"columns-{values}.json", json.dumps(spec))


def by_columns(folder, mechanism, values):
    """A pass over values x values cells, for one question."""
    spec = {"oddsbound": 1, "name": mechanism, "domain": [{"name": "x", "size": values}], "prior": {"type": "uniform"},
            "mechanism": {"type": mechanism, "epsilon": "1"}, "claims": [{"notion": "ldp", "epsilon": "1"}]}
    return written(folder, f"{mechanism}-{values}.json", json.dumps(spec))


def quick_cases(folder):
    """One small question of each kind that is distributed or checkpointed."""
    titanic = os.path.join(ROOT, "specs/gallery/titanic.json")
    yield "votes", ["analyze", "--format", "json", house_votes(folder, "2/5")]
    yield "columns", ["verify", "--by-columns", "--format", "json", by_columns(folder, "hadamard_response", 4096)]
    yield "audit", ["audit", "--format", "json", "--seed", "5", "--samples", "3000000", titanic]
    yield "until", ["audit", "--format", "json", "--seed", "5", "--samples", "1000000", "--until", titanic]
    yield "search", ["search", "--format", "json", "--property", "bcdp composes", "-o", "."]
    yield "tune", ["tune", os.path.join(ROOT, "specs/gallery/bcdp-mean.json"), "--parameter", "/mechanism/epsilon", "--from", "0",
                   "--to", "2", "--format", "json"]


def whole_cases(folder):
    gallery = os.path.join(ROOT, "specs/gallery")
    titanic = os.path.join(gallery, "titanic.json")
    yield from quick_cases(folder)
    yield "gallery", ["verify", "--format", "json", gallery]
    yield "levels", ["analyze", "--format", "json", "--tradeoff", gallery]
    yield "gallery, by jobs", ["verify", "--format", "json", "--jobs", "2", "--by-columns", gallery]
    yield "both engines", ["verify", "--engine", "both", "--format", "json", titanic]
    yield "claimed votes", ["verify", "--format", "json", "--max-seconds", "3000", os.path.join(gallery, "house-votes.json")]
    for epsilon in ("1/5", "3/20", "1/8", "1/10"):
        yield f"votes at {epsilon}", ["analyze", "--format", "json", "--max-seconds", "3000", house_votes(folder, epsilon)]
    for mechanism in ("k_randomized_response", "hadamard_response"):
        yield mechanism, ["analyze", "--by-columns", "--format", "json", "--max-cells", str(2**30), "--max-seconds", "3000",
                          by_columns(folder, mechanism, 8192)]
    yield "several questions", ["verify", "--by-columns", "--format", "json", "--max-seconds", "3000", columns(folder, 4096)]
    yield "many columns", ["verify", "--by-columns", "--format", "json", "--max-cells", str(2**30), "--max-seconds", "3000",
                           columns(folder, 16384)]
    yield "long audit", ["audit", "--format", "json", "--seed", "7", "--samples", "60000000", "--all-levels", titanic]
    yield "long until", ["audit", "--format", "json", "--seed", "7", "--samples", "20000000", "--until", titanic]
    for name in ("house-votes-wrong-table", "hundred-days", "thousand-answers", "rappor-hundred-days", "locations-35x25",
                 "locations-5x7"):
        yield name, ["verify", "--format", "json", "--max-seconds", "3000", os.path.join(ROOT, f"specs/large/{name}.json")]


class Case:
    """One command, the output of one process, and the comparisons with others."""

    def __init__(self, name, arguments, folder):
        self.name, self.arguments, self.folder = name, arguments, folder
        self.has_threads = arguments[0] not in ("search", "tune")
        self.failures = self.compared = self.ended = 0
        begun = time.monotonic()
        self.expected = run([PROGRAM, *arguments], folder)
        self.took = time.monotonic() - begun
        if self.expected[0] not in (0, 1, 3):
            sys.exit(f"error: {name}: {' '.join(arguments)}: status {self.expected[0]}")

    def fail(self, what):
        self.failures += 1
        print(f"FAIL: {self.name}: {what}", flush=True)

    def begun_by(self, ranks, threads):
        """0 ranks: the plain program."""
        how_many = ["--threads", str(threads)] if self.has_threads else []
        return [*(processes(ranks) if ranks else [PROGRAM]), *self.arguments, *how_many]

    def compare(self, what, command):
        self.compared += 1
        found = run(command, self.folder)
        if found == self.expected:
            return
        other = "" if found[1] == self.expected[1] else "; another result"
        self.fail(f"{what}: status {found[0]}, expected {self.expected[0]}{other}")
        for which, text in (("expected", self.expected[1]), ("found", found[1])):
            with open(f"{tempfile.gettempdir()}/{self.name.replace('/', '-')}.{which}", "w", encoding="utf-8") as file:
                file.write(text)

    def compare_after_ends(self, ways, chance):
        """A run that is ended once or more, under different numbers of processes, and is finished by the last one."""
        kept = os.path.join(self.folder, "checkpoint")
        keeps = ["--checkpoint", kept, "--checkpoint-seconds", "0.1"]
        told = []
        for (ranks, threads), ends_by in ways[:-1]:
            told.append(f"{ranks} processes ended by {ends_by.name}")
            status = ended([*self.begun_by(ranks, threads), *keeps], self.folder, chance.uniform(0.3, 0.9) * max(self.took, 0.2), ends_by)
            self.ended += status is not None
        last, _ = ways[-1]
        self.compare(f"{', '.join(told)}, gone on with by {last[0]}", [*self.begun_by(*last), *keeps])
        # An open result is left open again.
        if os.path.exists(kept) and self.expected[0] != 3:
            self.fail("a checkpoint is left of a run that is complete")
        for left in (kept, kept + ".lock"):
            if os.path.exists(left):
                os.remove(left)


def ways_to_end(case_number):
    """Ways to run: each is a number of processes and threads with the signal that ends them; the last one is not
    ended."""
    kill, term = signal.SIGKILL, signal.SIGTERM
    ways = [[((0, 1), kill), ((0, 1), None)], [((2, 1), term), ((2, 1), None)], [((0, 2), term), ((3, 1), None)],
            [((2, 2), kill), ((0, 1), None)], [((3, 1), kill), ((0, 2), term), ((2, 1), kill), ((4, 1), None)]]
    return ways[case_number % 4:case_number % 4 + 1] if QUICK else ways


def forms(case_number):
    """Numbers of processes and of threads."""
    every = [(ranks, threads) for ranks in (1, 2, 3, 4) for threads in (1, 2)]
    return [(2, 1), (3, 2), (4, 1), (2, 2)][case_number % 4:case_number % 4 + 1] if QUICK else [(0, 2), *every]


def main():
    failures = compared = ends = 0
    chance = random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, arguments) in enumerate((quick_cases if QUICK else whole_cases)(folder)):
            if ONLY and name not in ONLY:
                continue
            begun = time.monotonic()
            case = Case(name, arguments, folder)
            for ranks, threads in forms(number):
                if threads == 1 or case.has_threads or QUICK:
                    case.compare(f"{ranks} processes, {threads} threads", case.begun_by(ranks, threads))
            for ways in ways_to_end(number):
                case.compare_after_ends(ways, chance)
            failures, compared, ends = failures + case.failures, compared + case.compared, ends + case.ended
            print(f"{name}: {case.compared} results, {case.ended} ends, {time.monotonic() - begun:.1f} s, of which "
                  f"{case.took:.1f} s by one process", flush=True)
        left = [name for name in os.listdir(folder) if ".oddsbound-part-" in name]
        if left:
            failures += 1
            print("FAIL: half-written files are left:", *left)
    print(f"{compared} results compared with those of one process, after {ends} ends: {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
