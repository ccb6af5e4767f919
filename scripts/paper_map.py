#!/usr/bin/env python3
"""Checks docs/paper-map.json: for every numbered item of the papers its statement, code, tests, specs and command, with digests.

    paper_map.py [--update]

Fails if a file, a function, a test or a spec does not exist, an item of docs/paper-map.md is missing, or docs/paper-items.md is
not the page of the statements. Prints the files that changed since their digests were stored, with the items that they belong to;
that is no failure. --update stores the titles and commands of docs/paper-map.md, the specs that the commands name, and the
digests, and writes docs/paper-items.md. Statements, code and tests are written by hand; code is a path, or "path: function".
"""
import hashlib
import json
import os
import re
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
MAP, PAGE, ITEMS = (os.path.join(ROOT, "docs", name) for name in ("paper-map.json", "paper-map.md", "paper-items.md"))
HEAD = """# Every numbered item of the papers

[paper-map.md](paper-map.md#all-numbered-items) has a command for each item, and the errors in the papers. Statements are in our words and
as printed, also where they are wrong. This page is made by `scripts/paper_map.py --update` from `docs/paper-map.json`.
"""
PAPERS = {"B": "BCDP", "C": "Context-aware", "G": "Partial DP"}


def rows_of_page():
    """item -> (statement, command, remark)"""
    with open(PAGE, encoding="utf-8") as file:
        section = file.read().split("## All numbered items\n")[1].split("\n## ")[0]
    rows = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 4 and re.match(r"[BCG]-", cells[0]):
            rows[cells[0]] = (cells[1], cells[2].strip("`"), cells[3])
    return rows


def load():
    with open(MAP, encoding="utf-8") as file:
        return json.load(file)


def parts(place):
    """(path, function or "")"""
    path, _, function = place.partition(": ")
    return path, function


def problem_with(place):
    path, function = parts(place)
    if not os.path.isfile(os.path.join(ROOT, path)):
        return f"there is no file {path}"
    if function:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            if not re.search(rf"\b{re.escape(function)}\b", file.read()):
                return f"there is no {function} in {path}"
    return ""


def digest_of(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]


def places_of(item):
    return [*item["code"], *item["test"], *item["spec"]]


def problems_of(found, rows):
    for name in sorted(set(rows) - {item["item"] for item in found["items"]}):
        yield f"{name} is in docs/paper-map.md only"
    for item in found["items"]:
        if item["item"] not in rows:
            yield f"{item['item']} is in docs/paper-map.json only"
        for place in places_of(item):
            problem = problem_with(place)
            if problem:
                yield f"{item['item']}: {problem}"
    with open(ITEMS, encoding="utf-8") as file:
        if file.read() != page_of(found):
            yield "docs/paper-items.md is not that of docs/paper-map.json: run scripts/paper_map.py --update"


def page_of(found):
    def named(places):
        return ", ".join(f"`{path}`" + (f": `{function}`" if function else "") for path, function in map(parts, places))
    lines = [HEAD]
    for letter, paper in PAPERS.items():
        lines += [f"## {paper}", "", "| item | statement | code | tests |", "| --- | --- | --- | --- |"]
        lines += [f"| {item['item']} | {item['title'].split(':')[0]}. {item['statement']} | {named(item['code'])} | {named(item['test'])} |"
                  for item in found["items"] if item["item"][0] == letter]
        lines.append("")
    return "\n".join(lines)


def moved(found, rows):
    """What changed since: for reading, not a failure."""
    changed = {}
    for item in found["items"]:
        for path in sorted({parts(place)[0] for place in places_of(item)}):
            if found["digests"].get(path) != digest_of(path):
                changed.setdefault(path, []).append(item["item"])
        if item["item"] in rows and rows[item["item"]][:2] != (item["title"], item["command"]):
            changed.setdefault("docs/paper-map.md", []).append(item["item"])
    return [f"changed since: {path} ({', '.join(items)})" for path, items in sorted(changed.items())]


def update(found, rows):
    for item in found["items"]:
        title, command, _ = rows.get(item["item"], ("", "", ""))
        specs = [word for word in command.split() if word.endswith(".json")]
        item.update({"title": title, "command": command, "spec": specs})
    order = ("item", "title", "statement", "code", "test", "spec", "command")
    found["items"] = [{key: item[key] for key in order} for item in found["items"]]
    paths = sorted({parts(place)[0] for item in found["items"] for place in places_of(item) if not problem_with(place)})
    found["digests"] = {path: digest_of(path) for path in paths}
    with open(MAP, "w", encoding="utf-8") as file:
        json.dump(found, file, indent=2, ensure_ascii=False)
        file.write("\n")
    with open(ITEMS, "w", encoding="utf-8") as file:
        file.write(page_of(found))


def main():
    found, rows = load(), rows_of_page()
    if sys.argv[1:] == ["--update"]:
        update(found, rows)
    elif sys.argv[1:]:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    problems = list(problems_of(found, rows))
    print("\n".join(problems + moved(found, rows)) or f"{len(found['items'])} items, {len(found['digests'])} files, none changed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
