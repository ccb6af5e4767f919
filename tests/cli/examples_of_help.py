"""Runs the examples in the help of every command of an installed program, and those of its man page: examples_of_help.py
PROGRAM SHARE

They name installed files, write into the current folder alone, and need no other file.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOUND = {"search": 1}  # the exit status where it is not 0: a counterexample was found
SHELLS = {"zsh": "autoload -Uz compinit && compinit -D -u && ", "fish": ""}  # what an interactive shell has done before


def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout


def commands_of(text):
    return re.findall(r"^  ([a-z]+) ", text.split("Subcommands:\n", 1)[1].split("\n\n")[0], re.MULTILINE)


def examples_in(text):
    """The commands below the last heading, with lines that go on in the next one."""
    block = re.search(r"^Examples?:\n((?:  .*\n?)+)", text, re.MULTILINE)
    assert block, text
    lines = block[1].rstrip("\n").split("\n")
    joined = []
    for line in lines:
        if joined and joined[-1].endswith(("\\", "|")):
            joined[-1] += "\n" + line
        else:
            joined.append(line.strip())
    return joined


def run(example, folder, program):
    """Runs it in bash, or not if it is for a shell or a pager that is not here."""
    start = ["bash", "-o", "pipefail", "-c", example]
    for shell, before in SHELLS.items():
        if f"completion {shell}" in example:
            if shutil.which(shell) is None:
                return
            start = [shell, "-c", before + example]
    if "man -l" in example and shutil.which("man") is None:
        return
    environment = {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": folder, "LANG": "C.UTF-8"}
    done = subprocess.run(start, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    expected = next((status for name, status in FOUND.items() if f"oddsbound {name} " in example), 0)
    assert done.returncode == expected, f"{example}: exit status {done.returncode}\n{done.stderr.decode()}"


def main():
    program, share = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    whole = help_of(program)
    texts = [whole, *(help_of(program, name) for name in commands_of(whole))]
    assert len(texts) > 15
    ran = 0
    for text in texts:
        with tempfile.TemporaryDirectory() as folder:
            for example in examples_in(text):
                assert not re.search(r"(?<![\w/])(specs|examples)/", example), f"{example} names no installed file"
                run(example, folder, program)
                ran += 1
    page = subprocess.run([program, "man"], check=True, stdout=subprocess.PIPE, text=True).stdout.replace("\\-", "-")
    named = set(re.findall(r"/usr/share/[\w./-]+[\w]", page))
    assert len(named) > 10
    for path in named:
        assert (share / path.removeprefix("/usr/share/")).exists(), f"the man page names {path}"
    print(f"{ran} examples of {len(texts)} pages of help run, and the man page names {len(named)} files that are installed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
