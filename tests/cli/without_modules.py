"""without_modules.py PROGRAM: the program of the core alone verifies specs, and names none of the modules' commands.

A spec with a mechanism of a module gets the usual message for an unknown type. Exit status 1: something differs.
"""
import glob
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(program, *arguments):
    return subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=600)


def main():
    program = os.path.abspath(sys.argv[1])
    faults = []
    listed = run(program, "--help")
    commands = [line.split()[0] for line in listed.stdout.split("Subcommands:")[-1].splitlines() if line.startswith("  ")]
    for command in ("analyze", "verify", "audit", "lock"):
        if command not in commands:
            faults.append(f"--help does not list {command}")
    for command in ("release", "design", "repair"):
        if command in commands or run(program, command).returncode != 2:
            faults.append(f"{command} is a command of a module that is not built")
    specs = sorted(glob.glob(os.path.join(ROOT, "specs", "gallery", "[a-h]*.json")))
    verified = run(program, "verify", *specs)
    if verified.returncode != 0:
        faults.append(f"verify of the gallery ends with {verified.returncode}: {verified.stdout[-500:]}{verified.stderr[-500:]}")
    released = run(program, "verify", "specs/releases/survey-1.json")
    if released.returncode != 2 or "release" not in released.stderr:
        faults.append(f"a release's spec ends with {released.returncode}: {released.stderr}")
    print("\n".join(faults) or f"{len(specs)} specs and {len(commands)} commands")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
