"""Runs the commands that the docs show, and compares their output with the text of the page.

commands.py BINARY [MPI_BINARY]; prints the differences. In a page, a block of commands has lines that begin with "$ ",
each followed by its output: "..." alone stands for any lines, at the end of a line for its rest. A block of "sh" holds
commands whose output is not shown. A block of "diff" is a change of the file that its first line names, and is
applied.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
STORIES = ["docs/tutorial.md", "docs/lock.md"]  # in an empty folder, one command after the other
OF_SEVERAL = ["docs/clusters.md"]  # the same, if oddsbound-mpi is built
PAGES = ["docs/authorities.md", "docs/compare.md", "docs/design.md", "docs/new.md", "docs/releases.md", "docs/spec-format.md",
         "docs/what-a-level-reveals.md"]  # in the checkout; they write nothing


def steps_of(page, languages):
    """The steps in order: ("run", command, shown output or None) or ("change", file, old, new)."""
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        text = file.read()
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        lines = block.splitlines()
        if language == "diff" and "diff" in languages:
            name = lines[0].removeprefix("--- ")
            old, new = ("".join(line[1:] + "\n" for line in lines[1:] if line[0] == sign) for sign in "-+")
            yield "change", name, old, new
        elif language == "sh" and "sh" in languages:
            yield from (("run", line, None) for line in lines)
        elif language == "" and lines[0].startswith("$ "):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, shown = part.split("\n", 1)
                yield "run", command, shown.rstrip("\n")


def pattern_of(shown):
    """A regular expression for the shown output, with its omissions."""
    parts = []
    for line in shown.split("\n"):
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        elif line.endswith("..."):
            parts.append(re.escape(line[:-3]) + r".*\n")
        else:
            parts.append(re.escape(line) + r"\n")
    return "".join(parts) + r"\n*"


def run(page, command, shown, folder, environment):
    result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=60)
    found = result.stdout.decode()
    if shown is None:
        return [] if result.returncode == 0 else [f"{page}: $ {command}", found]
    same = found == "" if shown == "" else re.fullmatch(pattern_of(shown), found)
    return [] if same else [f"{page}: $ {command}", found]


def change(page, name, old, new, folder):
    path = os.path.join(folder, name)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(old) != 1:
        return [f"{page}: the change of {name} does not fit", old]
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))
    return []


def follow(page, languages, folder, environment):
    problems, count = [], 0
    for step in steps_of(page, languages):
        count += 1
        problems += run(page, *step[1:], folder, environment) if step[0] == "run" else change(page, *step[1:], folder)
    return count, problems


def main():
    stories = STORIES + (OF_SEVERAL if len(sys.argv) > 2 else [])
    problems, count = [], 0
    with tempfile.TemporaryDirectory() as home:
        os.symlink(ROOT, os.path.join(home, "oddsbound"))
        programs = os.path.join(home, "bin")
        os.makedirs(programs)
        for name, binary in zip(("oddsbound", "oddsbound-mpi"), sys.argv[1:]):
            os.symlink(os.path.abspath(binary), os.path.join(programs, name))
        # As many processes as a page asks for, for any user and any number of cores.
        environment = {"PATH": programs + ":" + os.environ["PATH"], "HOME": home, "LC_ALL": "C.UTF-8",
                       "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                       "OMPI_MCA_rmaps_base_oversubscribe": "1"}
        for page in stories + PAGES:
            folder = tempfile.mkdtemp(dir=home) if page in stories else ROOT
            steps, wrong = follow(page, {"sh", "diff"} if page in stories else set(), folder, environment)
            problems += wrong if steps else [f"{page} shows no command"]
            count += steps
    print("\n".join(problems) if problems else f"{count} commands and changes do what the docs show")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
