"""Checks the links of README.md, CONTRIBUTING.md, CHANGELOG.md and docs: the file exists, and so does the heading. The
nav of mkdocs.yml has each page of docs once.

links.py; prints what is wrong. scripts/docs.sh checks the links of the built site.
"""
import os
import re
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def text_of(path):
    """The page without fenced blocks, in which nothing is a link or a heading."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return re.sub(r"^ *```.*?^ *```$", "", file.read(), flags=re.MULTILINE | re.DOTALL)


def anchors_of(path):
    """As GitHub makes them: the words of a heading in lower case, without punctuation, joined by hyphens."""
    found = set(re.findall(r'<a (?:name|id)="([^"]+)"', text_of(path)))
    for heading in re.findall(r"^#+ +(.*?)\s*$", text_of(path), re.MULTILINE):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        found.add(slug if slug not in found else next(f"{slug}-{n}" for n in range(1, 99) if f"{slug}-{n}" not in found))
    return found


def main():
    pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    for folder, _, names in os.walk(os.path.join(ROOT, "docs")):
        pages += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names if name.endswith(".md")]
    wrong, count = [], 0
    for page in sorted(pages):
        for target in re.findall(r"\]\(([^()\s]+)\)", re.sub(r"`[^`\n]*`", "``", text_of(page))):
            if re.match(r"[a-z]+:", target):
                continue
            count += 1
            path, _, anchor = target.partition("#")
            to = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(os.path.join(ROOT, to)):
                wrong.append(f"{page}: there is no {target}")
            elif anchor and to.endswith(".md") and anchor not in anchors_of(to):
                wrong.append(f"{page}: there is no heading {target}")
    with open(os.path.join(ROOT, "mkdocs.yml"), encoding="utf-8") as file:
        nav = sorted(re.findall(r"\S+\.md$", file.read().split("\nnav:\n")[1], re.MULTILINE))
    made = ["index.md", "changes.md", "cli.md"]  # by docs/site/stage.py
    if nav != sorted([page.removeprefix("docs/") for page in pages if page.startswith("docs/")] + made):
        wrong.append("mkdocs.yml: the nav does not have each page of docs once")
    print("\n".join(wrong) if wrong else f"{count} links lead to something")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
