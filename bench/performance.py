"""Writes the tables of docs/performance.md: each is the output of the command in the comment before it.

performance.py BUILD [COMMAND...]: BUILD is build/release on an idle machine; all tables, or those of these programs. All
take some 30 minutes. A table whose tool is not installed stays as it is, and so do the cells of such a tool in a table; Python
modules may be in PYTHONPATH.
performance.py --check BUILD: runs the commands at a tiny size and prints the rows that the page does not have.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
PAGE = os.path.join(ROOT, "docs/performance.md")
TABLE = re.compile(r"(<!-- \$ (.*?) -->\n)(.*?)(<!-- until here -->\n)", re.DOTALL)


def run(command, build, linked, tiny):
    """The output of a command of the page. linked: the folder of the table that bench/linked_table.py writes."""
    program, *arguments = command.replace("FOLDER", linked).split()
    environment = dict(os.environ, **({"ODDSBOUND_BENCH_TINY": "1"} if tiny else {}))
    if program.endswith(".py"):
        elsewhere = [os.environ["PYTHONPATH"]] if "PYTHONPATH" in os.environ else []
        environment["PYTHONPATH"] = os.pathsep.join([os.path.join(build, "python"), *elsewhere])
        started = ["/usr/bin/python3", program, os.path.join(build, "cli/oddsbound"), *arguments]
    else:
        if tiny and arguments and arguments[-1].isdigit():
            arguments[-1] = "1"  # seconds of a search
        started = [os.path.join(build, "bench", program), *arguments]
    return subprocess.run(started, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, timeout=1200).stdout.decode().strip() + "\n"


def names_of(table):
    """The header of a table, and the first cell of each row."""
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return {*lines[:1], *(line.split("|")[1].strip() for line in lines[2:])}


# The columns of tools that may be missing: their cells stay as they are then.
OF_OTHER_TOOLS = {"bench/questions.py": ("dp_accounting", "its time")}


def with_kept_cells(command, table, shown):
    """The table, with the cells of the shown one in columns of other tools where it has none."""
    columns = OF_OTHER_TOOLS.get(command, ())
    kept = {line.split("|")[1].strip(): line.split("|") for line in shown.splitlines() if line.startswith("|")}
    rows = [line.split("|") for line in table.splitlines()]
    for row in rows:
        old = kept.get(row[1].strip()) if len(row) > 1 else None
        for k, title in enumerate(rows[0]):
            if old and len(old) == len(row) and title.strip() in columns and not row[k].strip():
                row[k] = old[k]
    return "\n".join("|".join(row) for row in rows) + "\n"


def main():
    check = sys.argv[1] == "--check"
    build, chosen = os.path.abspath(sys.argv[2 if check else 1]), sys.argv[3 if check else 2:]
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    missing = []
    with tempfile.TemporaryDirectory() as linked:
        subprocess.run([sys.executable, os.path.join(ROOT, "bench/linked_table.py"), linked], check=True)

        def written(match):
            begin, command, shown, end = match.groups()
            if chosen and command.split()[0] not in chosen:
                return match[0]
            if check and command.endswith(".py") and not os.path.isdir(os.path.join(build, "python")):
                return match[0]
            output = run(command, build, linked, check)
            if not names_of(output):  # a tool is not installed, as standard error says
                return match[0]
            missing.extend(f"{command}: {name}" for name in names_of(output) - names_of(shown))
            return begin + with_kept_cells(command, output, shown) + end
        text = TABLE.sub(written, text)
    if check:
        print("\n".join(missing) if missing else f"{len(TABLE.findall(text))} tables have the rows of the benchmarks")
        return 1 if missing else 0
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
