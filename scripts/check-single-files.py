#!/usr/bin/env python3
"""Every source compiles by itself: batches hide missing includes.

check-single-files.py BUILD [-j N]: checks the syntax of each source with the command that CMake wrote for it in the build folder
(compile_commands.json, without unity builds). Objects are not made, so this takes a third of the time of a build. Prints what
the compiler says of those that fail. Exit status 1 if one does.
"""
import argparse
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys


def check(entry):
    words = shlex.split(entry["command"])
    place = words.index("-o")
    command = words[:place] + words[place + 2:] + ["-fsyntax-only"]
    found = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
    return entry["file"], found.returncode, found.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    with open(os.path.join(arguments.build, "compile_commands.json"), encoding="utf-8") as file:
        entries = {entry["file"]: entry for entry in json.load(file)}  # a source of several targets once
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        for path, status, said in pool.map(check, entries.values()):
            if status != 0:
                failed += 1
                print(f"{path}:\n{said}", flush=True)
    print(f"{len(entries)} sources, {failed} failed")
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
