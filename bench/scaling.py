#!/usr/bin/env python3
"""Gain of a second process: scaling.py ODDSBOUND ODDSBOUND_MPI BENCH_MESSAGES [--small].

Measures on this machine, in turns, the plain program and oddsbound-mpi with one and with two processes of one thread
each: the time, the processor time and the memory of each process (resident memory, and its proportional part if
libraries are shared among processes). bench_crews simulates more processes."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SPECS = os.path.join(HERE, "..", "specs")
# Starts a program and writes its resource use to a file.
WRAPPER = """
import json, os, resource, sys, threading, time
child, share = os.spawnv(os.P_NOWAIT, sys.argv[2], sys.argv[2:]), 0

def look():  # seldom: it takes time from what is measured
    global share
    while True:
        time.sleep(0.7)
        try:
            lines = open(f"/proc/{child}/smaps_rollup").read().splitlines()
        except OSError:
            return
        share = max([share] + [int(line.split()[1]) for line in lines if line.startswith("Pss:")])

threading.Thread(target=look, daemon=True).start()
_, status, used = os.wait4(child, 0)
name = sys.argv[1] + "." + os.environ.get("OMPI_COMM_WORLD_RANK", "0")
json.dump({"cpu": used.ru_utime + used.ru_stime, "kb": used.ru_maxrss, "share": share}, open(name, "w"))
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
    """Name and arguments of each workload."""
    values, runs, epsilons = (8192, [10**7], ["3/20"]) if small else (32768, [10**8, 4 * 10**8], ["1/10", "1/13"])
    yield f"passes over {values} x {2 * values} cells", [
        "verify", "--by-columns", "--max-cells", str(4 * 10**9), "--threads", "1", column_pass(folder, values)]
    for count in runs:
        yield f"an audit of {count} runs", ["audit", "--seed", "1", "--samples", str(count), "--threads", "1", "--max-seconds",
                                            "3000", os.path.join(SPECS, "gallery/titanic.json")]
    for epsilon in epsilons:
        yield f"House votes, epsilon {epsilon} for each vote", [
            "analyze", "--threads", "1", "--max-seconds", "30000", house_votes(folder, epsilon)]


def run(folder, command, ranks):
    """Returns seconds, processor seconds and kilobytes of each process, and the output of the first one."""
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


def main():
    plain, parallel, messages = sys.argv[1:4]
    small = "--small" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        table = subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "2", messages], capture_output=True, text=True, env=env,
                               check=True).stdout
        print("Messages between two processes of this machine:\n\n" + table)
        print("One thread each:\n\n| what | `oddsbound` | one process | two processes | speedup over one | CPU time of both | "
              "memory of each process, and of `oddsbound` | proportional share, and of `oddsbound` |\n"
              "| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
        for name, arguments in workloads(folder, small):
            best = {}
            for _ in range(1 if small else 2):
                for label, program, ranks in (("plain", plain, 0), ("one", parallel, 1), ("two", parallel, 2)):
                    took, used, text = run(folder, [program, *arguments], ranks)
                    if best.setdefault("text", text) != text:
                        sys.exit(f"error: {name}: {label} gives another result")
                    if label not in best or took < best[label][0]:
                        best[label] = (took, used)
            whole, one, two = best["plain"], best["one"], best["two"]
            memory, share = ("; ".join(f"{used[key] / 1000:.0f} of {whole[1][0][key] / 1000:.0f} MB" for used in two[1])
                             for key in ("kb", "share"))
            print(f"| {name} | {whole[0]:.2f} s | {one[0]:.2f} s | {two[0]:.2f} s | {one[0] / two[0]:.2f} | "
                  f"{two[1][0]['cpu']:.2f} s, {two[1][1]['cpu']:.2f} s | {memory} | {share} |", flush=True)


if __name__ == "__main__":
    main()
