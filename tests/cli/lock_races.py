"""Concurrent runs of `lock write` and `lock accept` lose nothing of each other.

lock_races.py BINARY: prints a line per loss.
"""
import json
import os
import subprocess
import sys
import tempfile

BINARY = os.path.abspath(sys.argv[1])
RUNS = 10
failures = []


def write_spec(folder, number, level):
    """Randomized response at level log(level)."""
    spec = {"oddsbound": 1, "name": f"s{number}", "domain": [{"name": "x", "size": 2}],
            "mechanism": {"type": "k_randomized_response", "epsilon": f"log({level})"}, "claims": []}
    with open(os.path.join(folder, f"s{number}.json"), "w", encoding="utf-8") as file:
        json.dump(spec, file)


def at_once(folder, commands):
    """Runs all commands concurrently; each must exit with 0 within a minute."""
    started = [subprocess.Popen([BINARY, "lock", *command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
               for command in commands]
    for process in started:
        _, errors = process.communicate(timeout=60)
        said = [line for line in errors.splitlines() if not line.startswith("waiting for another run that writes ")]
        if process.returncode != 0 or said:
            failures.append(f"{' '.join(process.args[1:])}: exit status {process.returncode}: {errors}")


def locked(folder):
    with open(os.path.join(folder, "oddsbound.lock.json"), encoding="utf-8") as file:
        return json.load(file)


def check(name, condition):
    if not condition:
        failures.append(name)


def passes(folder):
    return subprocess.run([BINARY, "lock", "check", "--strict"], cwd=folder, capture_output=True, timeout=60).returncode == 0


def main():
    names = [f"s{number}.json" for number in range(RUNS)]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(RUNS):
            write_spec(folder, number, number + 2)
        at_once(folder, [["write", name] for name in names])
        text = json.dumps(locked(folder))
        check("some spec that was locked is not in the lock", all(text.count(f'"{name}"') >= 1 for name in names))
        check("what was locked at the same time is not what is there", passes(folder))
        for number in range(RUNS):
            write_spec(folder, number, number + 3)
        at_once(folder, [["accept", "--reason", f"because of {name}", name] for name in names])
        text = json.dumps(locked(folder))
        check("some reason is not in the lock", all(f"because of {name}" in text for name in names))
        check("what was accepted at the same time is not what is there", passes(folder))
        # Both new specs and specs whose level grew.
        for number in range(RUNS // 2):
            write_spec(folder, number, number + 5)
            write_spec(folder, RUNS + number, number + 2)
        at_once(folder, [["accept", "--reason", f"again for s{number}.json", f"s{number}.json"] for number in range(RUNS // 2)]
                + [["write", f"s{RUNS + number}.json"] for number in range(RUNS // 2)])
        check("what was written and accepted at the same time is not what is there", passes(folder))
        left = [name for name in os.listdir(folder) if not name.endswith(".json")]
        check(f"left behind: {left}", not left)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
