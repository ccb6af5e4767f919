#!/usr/bin/env python3
"""What several processes gain: scaling.py ODDSBOUND ODDSBOUND_MPI BENCH_MESSAGES [--small].

Measured on this machine, in turns: the plain program, and oddsbound-mpi by one and by two processes of one thread each;
the time, the processor time and the memory of each process. Simulated beyond: a leader that hands units out one after
the other, with the measured serial part, units and messages. What is simulated is said to be."""
import heapq
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SPECS = os.path.join(HERE, "..", "specs")
RANKS = [1, 2, 4, 8, 16, 32, 64, 128]
# Begins a program, and writes what it took to a file of its own.
WRAPPER = """
import json, os, resource, sys
child = os.spawnv(os.P_NOWAIT, sys.argv[2], sys.argv[2:])
_, status, used = os.wait4(child, 0)
name = sys.argv[1] + "." + os.environ.get("OMPI_COMM_WORLD_RANK", "0")
json.dump({"cpu": used.ru_utime + used.ru_stime, "kb": used.ru_maxrss}, open(name, "w"))
sys.exit(os.waitstatus_to_exitcode(status))
"""


def house_votes(folder, epsilon):
    spec = json.load(open(os.path.join(SPECS, "gallery/house-votes.json"), encoding="utf-8"))
    text = json.dumps({key: value for key, value in spec.items() if key != "claims"})
    text = re.sub(r'("epsilon": )"[^"]*"', rf'\1"{epsilon}"', text)
    text = text.replace('"data/', f'"{os.path.abspath(SPECS)}/gallery/data/')
    path = os.path.join(folder, "votes.json")
    open(path, "w", encoding="utf-8").write(text)
    return path


def column_pass(folder, values):
    path = os.path.join(folder, "columns.json")
    json.dump({"oddsbound": 1, "name": "columns", "domain": [{"name": "x", "size": values}],
               "mechanism": {"type": "hadamard_response", "epsilon": "1"},
               "claims": [{"notion": "ldp", "epsilon": "1"}]}, open(path, "w", encoding="utf-8"))
    return path


def workloads(folder, small):
    """Name, arguments, units of each, how many are handed out at once for each process."""
    values, runs, epsilon = (8192, 10**7, "3/20") if small else (32768, 10**8, "1/10")
    return [
        (f"a pass over {values} x {values} cells", ["verify", "--by-columns", "--max-cells", str(4 * 10**9), "--threads", "1",
                                                    column_pass(folder, values)], values * values / 2**22, 64),
        (f"an audit of {runs} runs", ["audit", "--seed", "1", "--samples", str(runs), "--threads", "1", "--max-seconds", "3000",
                                      os.path.join(SPECS, "gallery/titanic.json")], runs / 2**17, 32),
        (f"House votes, epsilon {epsilon} for each vote", ["analyze", "--threads", "1", "--max-seconds", "30000",
                                                          house_votes(folder, epsilon)], None, 4),
    ]


def run(folder, command, ranks):
    """Seconds, processor seconds and kilobytes of each process, and what the first one wrote."""
    mark = os.path.join(folder, "used")
    wrapped = [sys.executable, "-c", WRAPPER, mark, *command]
    if ranks:
        wrapped = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *wrapped]
    began = time.monotonic()
    done = subprocess.run(wrapped, capture_output=True, text=True, env={
        **os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    took = time.monotonic() - began
    used = [json.load(open(f"{mark}.{rank}", encoding="utf-8")) for rank in range(max(1, ranks))]
    return took, used, re.sub(r'"seconds": [0-9.e+-]+', "", done.stdout)


def nodes_of(program, path):
    """How many nodes a search of the spec opens."""
    result = subprocess.run([program, "analyze", "--format", "json", "--max-seconds", "30000", path], capture_output=True, text=True)
    return sum(int(n) for n in re.findall(r'"nodes": (\d+)', result.stdout))


def simulate(serial, unit, units, at_once, message, ranks):
    """Seconds: rounds of units, handed out one message after the other to whoever is free first."""
    total = serial
    hands = [0.0] * ranks  # when each is free; the first one is the leader, which sends itself nothing
    left = units
    while left > 0:
        batch = min(left, at_once * ranks)
        left -= batch
        free = [(0.0, rank) for rank in range(ranks)]
        post = 0.0  # when the leader's post is free
        last = 0.0
        for _ in range(int(batch)):
            at, rank = heapq.heappop(free)
            if rank:
                post = max(post, at) + message / 2
                at = max(at, post) + message / 2
            heapq.heappush(free, (at + unit, rank))
            last = max(last, at + unit)
        total += last
    return total


def main():
    plain, parallel, messages = sys.argv[1:4]
    small = "--small" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        table = subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "2", messages], capture_output=True, text=True, env=env,
                               check=True).stdout
        print("Messages between two processes of this machine, measured:\n\n" + table)
        message = float(re.search(r"\| 1000 \| (\d+)", table)[1]) * 1e-6
        measured, simulated = [], []
        for name, arguments, units, at_once in workloads(folder, small):
            if units is None:
                units = nodes_of(plain, arguments[-1])
            best = {}
            for _ in range(1 if small else 2):
                for label, program, ranks in (("plain", plain, 0), ("one", parallel, 1), ("two", parallel, 2)):
                    took, used, text = run(folder, [program, *arguments], ranks)
                    if best.setdefault("text", text) != text:
                        sys.exit(f"error: {name}: {label} gives another result")
                    if label not in best or took < best[label][0]:
                        best[label] = (took, used)
            whole, two = best["plain"], best["two"]
            memory = max(one["kb"] for one in two[1]) / whole[1][0]["kb"]
            cpu = whole[1][0]["cpu"]
            serial = max(0.0, 2 * two[1][0]["cpu"] - cpu)  # what the leader took beside its half
            unit = (cpu - serial) / units
            measured.append(f"| {name} | {whole[0]:.2f} s | {best['one'][0]:.2f} s | {two[0]:.2f} s | {whole[0] / two[0]:.2f} | "
                            f"{two[1][0]['cpu']:.2f} s, {two[1][1]['cpu']:.2f} s | {memory:.2f} |")
            times = [simulate(serial, unit, units, at_once, message, ranks) for ranks in RANKS]
            simulated.append(f"| {name} | {serial:.2f} s | {unit * 1e3:.2f} ms | "
                             + " | ".join(f"{times[0] / one:.1f}" for one in times[1:]) + " |")
        print("Measured, one thread each:\n\n| what | the plain program | one process | two processes | times faster | processor time of both | "
              "memory of a process, of the plain one's |\n| --- | --- | --- | --- | --- | --- | --- |\n" + "\n".join(measured))
        print("\nSimulated from these, for more processes (times faster than one):\n\n| what | serial | a unit | "
              + " | ".join(map(str, RANKS[1:])) + " |\n" + "| --- " * (len(RANKS) + 2) + "|\n" + "\n".join(simulated))


if __name__ == "__main__":
    main()
