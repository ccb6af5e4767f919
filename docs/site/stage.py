"""Copies docs/ to a folder as MkDocs needs it, with the README, CHANGELOG.md and the reference of the command line.

stage.py BINARY FOLDER KATEX. Links to files of the repository that are not pages become the names of these files.
Lists are indented as Python-Markdown needs it.
"""
import os
import re
import shutil
import subprocess
import sys
import textwrap

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
LINK = re.compile(r"(!?)\[((?:[^][]|\[[^][]*\])*)\]\(([^()\s]+)\)")
ITEM = re.compile(r"( *)([-*]|\d+\.) +")
PAGES = {"README.md": "index.md", "CHANGELOG.md": "changes.md"}  # of the root: what they are called in the site


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def outside_fences(text, change):
    """The text with `change` applied to all that is not in a fenced block."""
    parts = re.split(r"(^ *```.*?^ *```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if i % 2 else change(part) for i, part in enumerate(parts))


def with_links(text, page):
    """page: its path in the repository. Links lead to pages; other files are named."""
    def link(match):
        picture, words, target = match.groups()
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not path:
            return match[0]
        path = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if not os.path.exists(os.path.join(ROOT, path)):
            raise SystemExit(f"{page}: there is no {path}")
        to = PAGES.get(path, path[len("docs/"):] if path.startswith("docs/") and not os.path.isdir(os.path.join(ROOT, path)) else None)
        if to is None:
            name = f"`{path}`"
            return name if words.strip("`") in (path, os.path.basename(path)) else f"{words} ({name})"
        here = PAGES.get(page, page.removeprefix("docs/"))
        return f"{picture}[{words}]({os.path.relpath(to, os.path.dirname(here) or '.')}{'#' + anchor if anchor else ''})"
    return outside_fences(text, lambda part: LINK.sub(link, part))


def with_indents(text):
    """Nested lists and paragraphs of items by four blanks, and a blank line before each list."""
    lines, offsets, fence, blank = [], [], False, True
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip():
            lines.append("")
            blank = True
            continue
        item = None if fence else ITEM.match(line)
        if not fence and (blank or item or line.lstrip().startswith("```")):
            offsets = [offset for offset in offsets if offset <= indent]
        inside = [offset for offset in offsets if offset <= indent]
        if item and not offsets and not blank:
            lines.append("")
        lines.append("    " * len(inside) + " " * (indent - (inside[-1] if inside else 0)) + line.lstrip(" "))
        if item:
            offsets.append(item.end())
        if line.lstrip().startswith("```"):
            fence = not fence
        blank = False
    return "\n".join(lines)


def help_of(command):
    """The help in 100 columns: descriptions begin at column 30."""
    text = subprocess.run(command + ["--help"], check=True, stdout=subprocess.PIPE, cwd=ROOT).stdout.decode().rstrip()
    return "\n".join(textwrap.fill(line, 100, subsequent_indent=" " * 30) if len(line) > 100 else line for line in text.split("\n"))


def commands_of(binary, command=()):
    """(command, its help) of a command and of its subcommands, in the order of the help."""
    text = help_of([binary, *command])
    yield command, text
    listed = re.search(r"^Subcommands:\n((?:  .*\n?)+)", text, re.MULTILINE)
    for name in re.findall(r"^  (\w\S*)", listed[1], re.MULTILINE) if listed else ():
        yield from commands_of(binary, (*command, name))


def command_line(binary):
    """The page of the command line, from the help of every command."""
    parts = ["# The command line\n\nThe options of every command, as `oddsbound COMMAND --help` prints them. `oddsbound man` prints the same as "
             "a manual page. Exit status: 0 all as expected, 1 a claim is not as expected, 2 the request or a file is wrong, "
             "3 something stayed undecided.\n"]
    for command, text in commands_of(binary):
        parts.append(f"{'###' if len(command) > 1 else '##'} {' '.join(('oddsbound', *command))}\n\n```text\n{text}\n```\n")
    checker = subprocess.run([sys.executable, "-m", "oddsbound_check", "--help"], check=True, stdout=subprocess.PIPE,
                             env=dict(os.environ, PYTHONPATH=os.path.join(ROOT, "checker"), COLUMNS="100")).stdout.decode()
    parts.append(f"## oddsbound-check\n\nThe checker of certificates ([trust](trust.md)).\n\n```text\n{checker}```\n")
    return "\n".join(parts)


def main():
    binary, folder, katex = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(os.path.join(ROOT, "docs"), folder)
    shutil.copytree(os.path.join(katex, "fonts"), os.path.join(folder, "site/katex/fonts"), ignore=shutil.ignore_patterns("*.ttf", "*.woff"))
    for name in ("katex.min.js", "katex.min.css"):
        shutil.copyfile(os.path.join(katex, name), os.path.join(folder, "site/katex", name))
    pages = [os.path.relpath(os.path.join(there, name), ROOT) for there, _, names in os.walk(os.path.join(ROOT, "docs"))
             for name in names if name.endswith(".md")]
    staged = {PAGES.get(page, page.removeprefix("docs/")): with_links(text_of(page), page) for page in [*pages, *PAGES]}
    staged["cli.md"] = command_line(binary)
    for name, text in staged.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(with_indents(text))


if __name__ == "__main__":
    main()
