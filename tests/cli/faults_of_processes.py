#!/usr/bin/env python3
"""Faults of several processes and of checkpoints give one message, and nothing is half-written: faults_of_processes.py
ODDSBOUND ODDSBOUND_MPI [--kills N]."""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from several_processes import (ENVIRONMENT, PARALLEL, PROGRAM, ROOT, by_columns, children_of, house_votes, is_over, processes,
                               without_times, written)

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


def expect_error(what, command, folder, says, in_result=False, writes=None, **more):
    """Expects one line with the message, status 2, and no result, or a result with the error. writes: another process
    that is writing."""
    done = run(command, folder, **more)
    if in_result:
        done.stdout = "" if says in done.stdout else done.stdout
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    if done.returncode != 2 or len(errors) != 1 or says not in errors[0] or done.stdout:
        fail(what, f"status {done.returncode}, {errors or done.stderr[-500:]}, {len(done.stdout)} characters written")
    expect_nothing_unfinished(what, folder, writes)


def expect_nothing_unfinished(what, folder, writes=None):
    left = [name for name in os.listdir(folder) if ".oddsbound-part-" in name]
    if len(left) > (0 if writes is None else 1):
        fail(what, f"left half-written: {left}")


def begun_checkpoint(folder, command):
    """The checkpoint of an interrupted run."""
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
    other = with_another_version(folder, PROGRAM)
    expect_error("another version", [other, *analyze[1:], *keeps], folder, "another run: that had 'oddsbound ")
    lines = open(table, encoding="utf-8").read()
    open(table, "w", encoding="utf-8").write(lines + lines.splitlines()[-1] + "\n")
    expect_error("another table", [*analyze, *keeps], folder, "has changed", in_result=True)
    open(table, "w", encoding="utf-8").write(lines)
    several = [*processes(2), *analyze[1:]]
    for what, changed in (("cut short", whole[:-1]), ("nearly nothing", whole[:10]), ("nothing", b""), ("other bytes", b"x" * 200),
                          ("a bit", whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:])):
        open(path, "wb").write(changed)
        expect_error(what, [*analyze, *keeps], folder, "the checkpoint checkpoint: it is")
        if open(path, "rb").read() != changed:
            fail(what, "a checkpoint that was refused was written over")
    expect_error("a bit, for two processes", [*several, *keeps], folder, "the checkpoint checkpoint: it is")
    open(path, "wb").write(whole)
    child = subprocess.Popen([*analyze, *keeps], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, env=ENVIRONMENT)
    time.sleep(0.7)
    if child.poll() is None:
        expect_error("two runs at once", [*analyze, *keeps], folder, "another run goes on from it", writes=child.pid)
    if child.poll() is None:
        expect_error("two runs at once, one of two processes", [*several, *keeps], folder, "another run goes on from it", writes=child.pid)
    child.kill()
    child.wait()
    # Nothing can be removed by a process that is killed while it writes.
    for name in os.listdir(folder):
        if ".oddsbound-part-" in name:
            os.unlink(os.path.join(folder, name))
    bad_places(folder, analyze, several, spec)
    expect_error("standard input", [PROGRAM, "analyze", "-", *keeps], folder, "standard input")
    expect_error("no seed", [PROGRAM, "audit", TITANIC, *keeps], folder, "--seed")


def bad_places(folder, analyze, several, spec):
    """Checkpoints at impossible paths, or at paths that hold something else."""
    os.mkdir(os.path.join(folder, "a-folder"))
    os.mkfifo(os.path.join(folder, "a-pipe"))
    written(folder, "a-file", "a file")
    for name in ("a-folder", "a-pipe", "a-file", "a-file/checkpoint", "none/checkpoint", "/dev/full", spec, "kept.json"):
        expect_error(f"the checkpoint {name}", [*analyze, "--checkpoint", name], folder, "checkpoint")
    expect_error("no folder, for two processes", [*several, "--checkpoint", "none/checkpoint"], folder, "checkpoint")
    expect_error("a spec, for two processes", [*several, "--checkpoint", spec], folder, "is also a file that is read")
    for output in ("result", "./result", "kept.lock"):
        expect_error("the output as checkpoint", [*analyze, "--output", output, "--checkpoint", output.removesuffix(".lock")], folder,
                     "is also where a result is written")
    expect_error("the certificate as checkpoint", [*analyze, "--certificate", "proof", "--checkpoint", "proof"], folder,
                 "is also where a result is written")
    # A file with the name of a lock may belong to the user.
    written(folder, "mine.lock", "levels")
    expect_error("a file for a lock", [*analyze, "--checkpoint", "mine"], folder, "a file of another kind")
    if open(os.path.join(folder, "mine.lock"), encoding="utf-8").read() != "levels":
        fail("a file that has the name of a lock was written over")


def full_disks(folder):
    """Full disks for checkpoints, at once and midway, and for results, which are not lost with their checkpoints."""
    audit = ["audit", "--format", "json", "--seed", "5", "--samples", "12000000", TITANIC]
    votes = ["analyze", "--format", "json", "--threads", "1", "--max-seconds", "600", house_votes(folder, "2/5")]
    keeps = ["--checkpoint", "checkpoint", "--checkpoint-seconds", "0.01"]
    path = os.path.join(folder, "checkpoint")
    expected = without_times(run([PROGRAM, *votes], folder).stdout)
    expect_error("a full disk", [PROGRAM, *votes, *keeps], folder, "the checkpoint", preexec_fn=lambda: small_files(100))
    expect_error("a disk that gets full", [PROGRAM, *votes, *keeps], folder, "cannot write checkpoint", in_result=True,
                 preexec_fn=lambda: small_files(3000))
    for begin in ([PROGRAM], processes(2)):
        expect_same("after a disk that was full", [*begin, *votes, *keeps], folder, expected)
        expect_error("a result on a full disk", [*begin, *votes, *keeps, "--output", "/dev/full"], folder, "cannot write /dev/full")
        if not os.path.exists(path):
            fail("the checkpoint of a result that could not be written is gone")
        expect_same("after a result that could not be written", [*begin, *votes, *keeps], folder, expected)
    expect_error("an audit's disk that gets full", [PROGRAM, *audit, *keeps], folder, "cannot write checkpoint", in_result=True,
                 preexec_fn=lambda: small_files(600))


def expect_same(what, command, folder, expected):
    done = run(command, folder)
    if done.returncode not in (0, 1) or without_times(done.stdout) != expected:
        fail(what, f"another result, status {done.returncode} {done.stderr[-300:]}")
    if os.path.exists(os.path.join(folder, "checkpoint")):
        fail(what, "the checkpoint is still there")


def small_files(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def with_another_version(folder, program):
    other = os.path.join(folder, "other-version")
    text = open(program, "rb").read()
    version = run([PROGRAM, "--version"], folder).stdout.split()[-1].encode()
    open(other, "wb").write(text.replace(b"oddsbound " + version + b"\n", b"oddsbound " + b"9" * len(version) + b"\n"))
    os.chmod(other, 0o755)
    return other


def strangers(folder):
    """Processes that were started for different runs."""
    def two(first, second):
        return ["mpirun", "--oversubscribe", "-n", "1", *first, ":", "-n", "1", *second]
    own = [PARALLEL, "verify", TITANIC]
    expect_error("another file", two(own, [PARALLEL, "verify", WARNER]), folder, "rank 1 on ")
    expect_error("another command", two(own, [PARALLEL, "analyze", TITANIC]), folder, "it has 'analyze' in place of 'verify'")
    expect_error("more files", two(own, [*own, WARNER]), folder, "rank 1 on ")
    expect_error("a file that is not there", two(own, [PARALLEL, "verify", "none.json"]), folder, "rank 1 on ")
    expect_error("the program that works alone", two([PROGRAM, *own[1:]], ["true"]), folder, "oddsbound-mpi")
    other = with_another_version(folder, PARALLEL)
    expect_error("another version", two(own, [other, *own[1:]]), folder, "another run: it has 'oddsbound 9")
    expect_error("no such option", [*processes(3), "verify", "--nonsense", TITANIC], folder, "--nonsense")
    expect_error("no such file", [*processes(3), "verify", "--format", "json", "none.json"], folder, "none.json", in_result=True)


def lost_processes(folder):
    """mpirun --enable-recovery: the others continue without a lost process."""
    votes = ["analyze", "--format", "json", "--threads", "1", "--max-seconds", "600", house_votes(folder, "1/5")]
    expected = without_times(run([PROGRAM, *votes], folder).stdout)
    begin = processes(3)
    child = subprocess.Popen([begin[0], "--enable-recovery", *begin[1:], *votes, "--output", "result"], stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True, cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL)
    while len(children_of(child.pid)) < 3 and child.poll() is None:
        time.sleep(0.05)
    time.sleep(1)
    os.kill(children_of(child.pid)[1], signal.SIGKILL)
    _, told = child.communicate(timeout=120)
    found = open(os.path.join(folder, "result"), encoding="utf-8").read()
    if child.returncode != 0 or without_times(found) != expected or "rank 1 was lost" not in told:
        fail("a process was lost", f"status {child.returncode}, {told}")


def lost_launchers(folder):
    """A process whose launcher is killed while MPI_Init waits for it ends. Here MPI_Init waits forever."""
    source = written(folder, "waits.c", "#include <unistd.h>\nint MPI_Init_thread() { for (;;) pause(); }\n")
    library = os.path.join(folder, "waits.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    launcher = subprocess.Popen(["sh", "-c", '"$@" & echo $!; wait', "sh", PARALLEL, "verify", TITANIC], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, cwd=folder, env=dict(ENVIRONMENT, PMIX_RANK="0", LD_PRELOAD=library))
    process = int(launcher.stdout.readline())
    time.sleep(0.5)
    if not os.path.exists(f"/proc/{process}"):
        fail("a process did not wait for its launcher")
    launcher.kill()
    launcher.wait()
    if not is_over(process):
        fail("a launcher is killed while its process begins", "the process outlives it")
        os.kill(process, signal.SIGKILL)


class Victim:
    """A command that is killed repeatedly, and its expected result."""

    def __init__(self, arguments, folder):
        self.arguments, self.folder = [*arguments, "--output", "result"], folder
        self.result = os.path.join(folder, "result")
        begun = time.monotonic()
        self.status = run([PROGRAM, *self.arguments], folder).returncode
        self.took = time.monotonic() - begun
        self.expected = self.taken()

    def taken(self):
        """Returns the result and removes it."""
        if not os.path.exists(self.result):
            return None
        with open(self.result, encoding="utf-8") as file:
            text = file.read()
        os.remove(self.result)
        return without_times(text)

    def killed(self, begin, chance):
        """How it ended: which process got which signal, and the status."""
        command = [*begin, *self.arguments, "--checkpoint", "kept", "--checkpoint-seconds", "0.05"]
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder, env=ENVIRONMENT,
                                 stdin=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.05, self.took + (0.5 if len(begin) > 1 else 0)))
        ranks = children_of(child.pid) if len(begin) > 1 else []
        who = chance.choice(["mpirun", "leader", "helper"]) if ranks else "program"
        pid = {"leader": ranks[:1], "helper": ranks[-1:]}.get(who, [child.pid])[0]
        by = signal.SIGKILL if chance.random() < 0.75 else signal.SIGTERM
        try:
            os.kill(pid, by)
        except ProcessLookupError:
            pass
        try:
            child.wait(60)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            fail(f"a run hangs after {by.name} for its {who}")
        if not all(is_over(rank) for rank in ranks):
            fail("a process outlives its run")
        text = self.taken()
        if text is not None and not is_json(text.replace(": T", ": 0")):
            fail("what is written is cut short")
        if child.returncode == self.status and text != self.expected:
            # mpirun also uses status 1 itself.
            fail("a run that says that it is through has another result", f"{who} {by.name} status {child.returncode} "
                 + ("none" if text is None else text[-300:]))
        if who == "program" and by == signal.SIGTERM:
            expect_nothing_unfinished("after SIGTERM", self.folder)
        return f"{who} {by.name}", child.returncode != self.status

    def goes_on(self, begin):
        done = run([*begin, *self.arguments, "--checkpoint", "kept"], self.folder)
        found = self.taken()
        if done.returncode != self.status or found != self.expected:
            fail("what goes on has another result", f"status {done.returncode} {done.stderr[-300:]}")
            return False
        left = [name for name in os.listdir(self.folder) if name.startswith("kept")]
        for name in left:
            fail("left at the end", name)
            os.remove(os.path.join(self.folder, name))
        return not left


def is_json(text):
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


def kills(folder, count):
    """Runs that are killed at any moment, as a whole or one process of them, resume and give the result of one
    process."""
    chance = random.Random(int(os.environ.get("SEED", "11")))
    victims = [Victim(["analyze", "--format", "json", "--threads", "1", "--max-seconds", "600", house_votes(folder, "2/5")], folder),
               Victim(["audit", "--format", "json", "--seed", "5", "--samples", "5000000", "--threads", "1", TITANIC], folder),
               Victim(["verify", "--by-columns", "--format", "json", "--threads", "1", by_columns(folder, "hadamard_response", 4096)], folder),
               Victim(["tune", os.path.join(ROOT, "specs/gallery/bcdp-mean.json"), "--parameter", "/mechanism/epsilon", "--from", "0", "--to",
                       "2", "--format", "json"], folder)]
    ways, ended, same = {}, 0, 0
    for turn in range(count):
        victim = victims[turn // 2 % len(victims)]
        begin = processes(chance.choice((2, 3))) if turn % 2 else [PROGRAM]
        way, was_ended = victim.killed(begin, chance)
        ways[way] = ways.get(way, 0) + 1
        ended += was_ended
        same += victim.goes_on(begin)
        if (turn + 1) % 10 == 0:
            print(f"{turn + 1} kills: {same} went on to the same result", flush=True)
    print(f"{count} runs were to be killed, {ended} were before they were through, {same} went on to the same result: "
          + ", ".join(f"{way} {times}" for way, times in sorted(ways.items())), flush=True)


def main():
    count = int(sys.argv[sys.argv.index("--kills") + 1]) if "--kills" in sys.argv else 200
    for part in (bad_checkpoints, full_disks, strangers, lost_processes, lost_launchers, kills):
        with tempfile.TemporaryDirectory() as folder:
            begun = time.monotonic()
            part(folder, count) if part is kills else part(folder)
            print(f"{part.__name__}: {time.monotonic() - begun:.1f} s", flush=True)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
