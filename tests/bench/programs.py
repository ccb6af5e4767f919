"""Checks that every program of bench/ runs at a tiny size. Its numbers are meaningless then, but it must end normally.

programs.py BUILT [MPIEXEC]; BUILT is the folder of the programs. bench_messages runs if MPIEXEC is given.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
ARGUMENTS = {
    "bench_table": [],
    "bench_levels": ["--benchmark_min_time=0.001"],
    "bench_sampling": [],
    "block_experiment": [],
    "location_experiment": ["{places}", "1", "100"],
    "mean_experiment": ["1"],
    "bench_audits": [],
    "bench_networks": [],
    "bench_losses": [],
    "bench_surveys": ["specs/gallery/house-votes.json"],
    "bench_sets": ["survived", "specs/sets-of-priors/titanic-wrong-table.json"],
    "bench_heavy_hitters": [],
    "bench_fitted": [],
    "bench_designs": [],
    "bench_crews": ["1e-5", "1e-9", "1e-6", "analyze", "specs/gallery/warner.json"],
}
MESSAGES = "bench_messages"  # exchanges messages with a second process of itself


def programs():
    with open(os.path.join(ROOT, "bench/CMakeLists.txt"), encoding="utf-8") as file:
        return re.findall(r"add_executable\((\w+)", file.read())


def run(command):
    environment = dict(os.environ, ODDSBOUND_BENCH_TINY="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    result = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    text = result.stdout.decode()
    if result.returncode != 0:
        return [f"{' '.join(command)}: exit status {result.returncode}\n{text[-2000:]}"]
    return [] if len(text.splitlines()) > 1 else [f"{' '.join(command)}: printed no table"]


def main():
    built, mpiexec = sys.argv[1], sys.argv[2:]
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        places = os.path.join(folder, "places.csv")
        with open(places, "w", encoding="utf-8") as file:
            file.write("row,column,checkins\n0,0,3\n4,6,2\n20,60,5\n")
        for name in programs():
            program = os.path.join(built, name)
            if name in ARGUMENTS:
                failures += run([program, *(argument.format(places=places) for argument in ARGUMENTS[name])])
            elif name != MESSAGES:
                failures.append(f"{name}: bench/CMakeLists.txt has it, {os.path.relpath(__file__, ROOT)} has no arguments for it")
            elif mpiexec:
                failures += run([*mpiexec, "--oversubscribe", "-n", "2", program])
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
