#!/usr/bin/env python3
"""What goes wrong with several processes and with checkpoints is one message, and nothing is half-written:
faults_of_processes.py ODDSBOUND ODDSBOUND_MPI [--kills N]."""
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from several_processes import ENVIRONMENT, PARALLEL, PROGRAM, ROOT, house_votes, processes, without_times

TITANIC = os.path.join(ROOT, "specs/gallery/titanic.json")
WARNER = os.path.join(ROOT, "specs/gallery/warner.json")
failures = 0


def fail(what, detail=""):
    global failures
    failures += 1
    print(f"FAIL: {what}" + (f": {detail}" if detail else ""), flush=True)


def run(command, folder, **more):
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=ENVIRONMENT, timeout=120,
                          stdin=subprocess.DEVNULL, **more)


def expect_error(what, command, folder, says, in_result=False, **more):
    """One line that says it, status 2, and no result, or one that has the error."""
    done = run(command, folder, **more)
    if in_result:
        done.stdout = "" if says in done.stdout and '"specs": []' in done.stdout else done.stdout
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    if done.returncode != 2 or len(errors) != 1 or says not in errors[0] or done.stdout:
        fail(what, f"status {done.returncode}, {errors or done.stderr[-500:]}, {len(done.stdout)} characters written")
    left = [name for name in os.listdir(folder) if ".part-" in name]
    if left:
        fail(what, f"left half-written: {left}")


def begun_checkpoint(folder, command):
    """The checkpoint of a run that was ended."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, env=ENVIRONMENT)
    path = os.path.join(folder, "checkpoint")
    while not (os.path.exists(path) and os.path.getsize(path) > 3000) and child.poll() is None:
        time.sleep(0.05)
    child.kill()
    child.wait()
    if not os.path.exists(path):
        sys.exit("error: a run was through before it could be ended")
    return path


def bad_checkpoints(folder):
    table = os.path.join(folder, "votes.csv")
    spec = house_votes(folder, "3/20")
    text = open(spec, encoding="utf-8").read()
    origin = text.split('"file": "')[1].split('"')[0]
    shutil.copy(origin, table)
    open(spec, "w", encoding="utf-8").write(text.replace(origin, table))
    analyze = [PROGRAM, "analyze", "--format", "json", "--threads", "1", "--max-seconds", "600", spec]
    keeps = ["--checkpoint", "checkpoint", "--checkpoint-seconds", "0.1"]
    path = begun_checkpoint(folder, [*analyze, *keeps])
    whole = open(path, "rb").read()
    expect_error("another command", [PROGRAM, "verify", spec, *keeps], folder, "another run")
    expect_error("another option", [*analyze, "--tradeoff", *keeps], folder, "another run")
    expect_error("another spec", [*analyze[:-1], TITANIC, *keeps], folder, "another run")
    lines = open(table, encoding="utf-8").read()
    open(table, "w", encoding="utf-8").write(lines + lines.splitlines()[-1] + "\n")
    expect_error("another table", [*analyze, *keeps], folder, "has changed", in_result=True)
    open(table, "w", encoding="utf-8").write(lines)
    for what, changed in (("cut short", whole[:-1]), ("nearly nothing", whole[:10]), ("nothing", b""), ("other bytes", b"x" * 200),
                          ("a bit", whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:])):
        open(path, "wb").write(changed)
        expect_error(what, [*analyze, *keeps], folder, "the checkpoint checkpoint: it is")
    open(path, "wb").write(whole)
    if open(path, "rb").read() != whole:
        fail("a checkpoint that was refused was written over")
    child = subprocess.Popen([*analyze, *keeps], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, env=ENVIRONMENT)
    time.sleep(0.7)
    if child.poll() is None:
        expect_error("two runs at once", [*analyze, *keeps], folder, "another run goes on from it")
    child.kill()
    child.wait()
    os.remove(path)
    os.mkdir(os.path.join(folder, "a-folder"))
    os.mkfifo(os.path.join(folder, "a-pipe"))
    for name in ("a-folder", "a-pipe", "none/checkpoint", "/dev/full", spec):
        expect_error(f"the checkpoint {name}", [*analyze, "--checkpoint", name], folder, "checkpoint")
    expect_error("the output as checkpoint", [*analyze, "--output", "result.json", "--checkpoint", "result.json"], folder, "checkpoint")
    expect_error("a full disk", [*analyze, *keeps], folder, "the checkpoint", preexec_fn=small_files)
    expect_error("standard input", [PROGRAM, "analyze", "-", *keeps], folder, "standard input")
    expect_error("no seed", [PROGRAM, "audit", TITANIC, *keeps], folder, "--seed")


def small_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def strangers(folder):
    """Processes that have come to different runs."""
    expect_error("another file", ["mpirun", "--oversubscribe", "-n", "1", PARALLEL, "verify", TITANIC, ":", "-n", "1", PARALLEL,
                                  "verify", WARNER], folder, "rank 1 on ")
    expect_error("the program that works alone", ["mpirun", "-n", "1", "--oversubscribe", PROGRAM, "verify", TITANIC, ":", "-n", "1",
                                                  "true"], folder, "oddsbound-mpi")
    other = os.path.join(folder, "other-version")
    program = open(PARALLEL, "rb").read()
    version = run([PROGRAM, "--version"], folder).stdout.split()[-1].encode()
    open(other, "wb").write(program.replace(b"oddsbound " + version + b"\n", b"oddsbound " + b"9" * len(version) + b"\n"))
    os.chmod(other, 0o755)
    expect_error("another version", ["mpirun", "--oversubscribe", "-n", "1", PARALLEL, "verify", TITANIC, ":", "-n", "1", other,
                                     "verify", TITANIC], folder, "another run: it has 'oddsbound 9")


def children_of(pid):
    listed = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
    return [int(child) for child in listed]


def kills(folder, count):
    """Runs that are killed at any moment, as a whole or one process of them, go on to what one process finds."""
    chance = random.Random(11)
    spec = house_votes(folder, "1/5")
    arguments = ["analyze", "--format", "json", "--threads", "1", "--max-seconds", "600", spec]
    begun = time.monotonic()
    expected = without_times(run([PROGRAM, *arguments], folder).stdout)
    took = time.monotonic() - begun
    killed = 0
    for turn in range(count):
        command = [*(processes(2) if turn % 2 else [PROGRAM]), *arguments, "--checkpoint", "kept", "--checkpoint-seconds", "0.05"]
        with open(os.path.join(folder, "written"), "w+", encoding="utf-8") as output:
            child = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, cwd=folder, env=ENVIRONMENT,
                                     stdin=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.05, took + (0.4 if turn % 2 else 0)))
            ranks = children_of(child.pid)
            victim = chance.choice(ranks) if turn % 2 and ranks and chance.random() < 0.7 else child.pid
            try:
                os.kill(victim, signal.SIGKILL if chance.random() < 0.8 else signal.SIGTERM)
            except ProcessLookupError:
                pass
            try:
                child.wait(60)
            except subprocess.TimeoutExpired:
                child.kill()
                fail("a run hangs after one of its processes was killed")
            for orphan in ranks:
                wait_for_end(orphan)
            output.seek(0)
            text = output.read()
        if child.returncode == 0 and without_times(text) != expected:
            fail("a run that says that it is through has another result")
        if child.returncode != 0 and text and text.rstrip()[-1] != "}":
            fail("what is written is cut short")
        killed += child.returncode != 0
        done = run([PROGRAM, *arguments, "--checkpoint", "kept"], folder) if not turn % 2 else run(
            [*processes(2), *arguments, "--checkpoint", "kept"], folder)
        if done.returncode != 0 or without_times(done.stdout) != expected:
            fail(f"kill {turn}: what goes on has another result", f"status {done.returncode} {done.stderr[-300:]}")
        left = [name for name in os.listdir(folder) if name.startswith("kept") and ".part-" not in name and ".lock" not in name]
        if left:
            fail(f"kill {turn}: left", str(left))
            for name in left:
                os.remove(os.path.join(folder, name))
    print(f"{count} runs were to be killed, {killed} were before they were through; all went on to the same result", flush=True)


def wait_for_end(pid):
    for _ in range(600):
        if not os.path.exists(f"/proc/{pid}"):
            return
        time.sleep(0.1)
    fail("a process outlives its run")


def main():
    count = int(sys.argv[sys.argv.index("--kills") + 1]) if "--kills" in sys.argv else 200
    with tempfile.TemporaryDirectory() as folder:
        bad_checkpoints(folder)
    with tempfile.TemporaryDirectory() as folder:
        strangers(folder)
    with tempfile.TemporaryDirectory() as folder:
        kills(folder, count)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
