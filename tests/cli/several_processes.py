#!/usr/bin/env python3
"""Several processes write what one writes, byte for byte but for times, and so does a run that was ended and goes on:
several_processes.py ODDSBOUND ODDSBOUND_MPI [--all]."""
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
ALL = "--all" in sys.argv


def without_times(text):
    return TIME.sub(r"\1T", text)


def processes(ranks):
    return ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), PARALLEL]


def run(command, folder):
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=ENVIRONMENT, timeout=900, stdin=subprocess.DEVNULL)
    return done.returncode, without_times(done.stdout)


def ended(command, folder, seconds, ends_by):
    """The status of a run that is ended after some seconds, or None if it was through before."""
    with open(os.path.join(folder, "written"), "w", encoding="utf-8") as output:
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, cwd=folder, env=ENVIRONMENT,
                                 stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            child.wait(seconds)
            return None
        except subprocess.TimeoutExpired:
            child.send_signal(ends_by)
        try:
            return child.wait(60)
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


def cases(folder):
    gallery = os.path.join(ROOT, "specs/gallery")
    titanic = os.path.join(gallery, "titanic.json")
    yield "votes", ["analyze", "--format", "json", "--max-seconds", "3000", house_votes(folder, "1/5")]
    yield "columns", ["verify", "--by-columns", "--format", "json", columns(folder, 4096)]
    yield "audit", ["audit", "--format", "json", "--seed", "5", "--samples", "6000000", titanic]
    yield "until", ["audit", "--format", "json", "--seed", "5", "--samples", "1000000", "--until", titanic]
    yield "search", ["search", "--format", "json", "--property", "bcdp composes", "-o", "."]
    yield "tune", ["tune", os.path.join(ROOT, "specs/gallery/bcdp-mean.json"), "--parameter", "/mechanism/epsilon", "--from", "0",
                   "--to", "2", "--format", "json"]
    if not ALL:
        return
    yield "gallery", ["verify", "--format", "json", gallery]
    yield "levels", ["analyze", "--format", "json", "--tradeoff", gallery]
    yield "both engines", ["verify", "--engine", "both", "--format", "json", titanic]
    yield "hard votes", ["analyze", "--format", "json", "--max-seconds", "30000", house_votes(folder, "3/20")]
    yield "harder votes", ["analyze", "--format", "json", "--max-seconds", "30000", house_votes(folder, "1/10")]
    yield "many columns", ["verify", "--by-columns", "--format", "json", "--max-cells", str(2**30), columns(folder, 16384)]
    yield "long audit", ["audit", "--format", "json", "--seed", "7", "--samples", "60000000", "--all-levels", titanic]
    for name in ("house-votes-wrong-table", "hundred-days", "thousand-answers", "rappor-hundred-days"):
        yield name, ["verify", "--format", "json", "--max-seconds", "3000", os.path.join(ROOT, f"specs/large/{name}.json")]


def main():
    failures = 0
    chance = random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in cases(folder):
            begun = time.monotonic()
            has_threads = arguments[0] not in ("search", "tune")
            expected = run([PROGRAM, *arguments], folder)
            took = time.monotonic() - begun
            if expected[0] not in (0, 1, 3):
                sys.exit(f"error: {name}: {' '.join(arguments)}: status {expected[0]}")

            def check(what, command):
                nonlocal failures
                found = run(command, folder)
                if found != expected:
                    failures += 1
                    print(f"FAIL: {name}: {what}: status {found[0]}, expected {expected[0]}"
                          + ("" if found[1] == expected[1] else "; another result"))

            for ranks in (1, 2, 3, 4) if ALL else (2, 3):
                for threads in (("1", "2") if ALL or ranks == 2 else ("1",)) if has_threads else ("",):
                    more = ["--threads", threads] if threads else []
                    check(f"{ranks} processes, {threads or 1} threads", [*processes(ranks), *arguments, *more])
            for begin in ([PROGRAM], processes(2)):
                for ends_by in (signal.SIGKILL, signal.SIGTERM):
                    if not ALL and (begin == [PROGRAM]) != (ends_by == signal.SIGKILL):
                        continue
                    command = [*begin, *arguments, "--checkpoint", "checkpoint", "--checkpoint-seconds", "0.1"]
                    ended(command, folder, chance.uniform(0.3, 0.9) * max(took, 0.2), ends_by)
                    check(f"{len(begin)} words, ended by {ends_by.name} and gone on with", command)
                    if os.path.exists(os.path.join(folder, "checkpoint")) and expected[0] != 3:
                        failures += 1
                        print(f"FAIL: {name}: a checkpoint is left of a run that is complete")
                        os.remove(os.path.join(folder, "checkpoint"))
                    # What is left open is left open again.
                    for left in ("checkpoint", "checkpoint.lock"):
                        if os.path.exists(os.path.join(folder, left)):
                            os.remove(os.path.join(folder, left))
            print(f"{name}: {time.monotonic() - begun:.1f} s, of which {took:.1f} s by one process", flush=True)
        left = [name for name in os.listdir(folder) if ".part-" in name]
        if left:
            failures += 1
            print("FAIL: half-written files are left:", *left)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
