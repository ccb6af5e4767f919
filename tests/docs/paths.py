"""Checks that the files, folders, functions and specs named in docs/paper-map.md and CONTRIBUTING.md exist.

paths.py; prints what does not exist.
"""
import fnmatch
import os
import re
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SPECS = ["specs/gallery", "specs/parametric", "specs/claims-of-the-papers", "specs/releases", "specs"]


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def files_here():
    """All files and folders, except build results."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in ("build", "node_modules", ".git")]
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in files + folders]
    return found


FILES = files_here()


def named(path):
    """The files that a path means; it may be the end of a path, and may contain stars."""
    path = path.removeprefix("./").rstrip("/")
    return [file for file in FILES if fnmatch.fnmatch(file, path) or fnmatch.fnmatch(file, "*/" + path)]


def missing_paths(document):
    for line in text_of(document).splitlines():
        for path in re.findall(r"`([\w./*-]+)`", line):
            is_path = "/" in path or re.search(r"\w\.(cpp|h|py|md|json|sh|mjs|js|txt)$", path)
            if is_path and "my_" not in path and not named(path):
                yield f"{document}: {path}"
        for path, function in re.findall(r"`([\w./-]+\.(?:cpp|h))`: `(\w+)`", line):
            if not any(re.search(rf"\b{function}\b", text_of(file)) for file in named(path)):
                yield f"{document}: {function} in {path}"


def missing_specs(document):
    # The table of items names no specs in its last column; tests/docs/items.py runs its commands.
    for line in text_of(document).split("## All numbered items")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| ") or cells[0] == "statement" or set(cells[0]) == {"-"}:
            continue
        for name in re.findall(r"[\w./-]+", re.sub(r"whole gallery.*", "", cells[-1])):
            if not any(os.path.exists(os.path.join(ROOT, folder, name + ".json")) for folder in SPECS) and not named(name):
                yield f"{document}: the spec {name}"


def main():
    missing = [*missing_paths("docs/paper-map.md"), *missing_specs("docs/paper-map.md"), *missing_paths("CONTRIBUTING.md")]
    print("\n".join(missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
