#!/usr/bin/env python3
"""Fails if a comment breaks a countable rule of CONTRIBUTING.md ("English"), or names a .h or .cpp file that is not in
the tree. The rules are checked outside tests, the names everywhere. Fails as well if README.md or a page of the
manual has one of PHRASES, or the description of a spec one of IN_DESCRIPTIONS. Prints file:line: text for each finding."""
import bisect
import os
import pathlib
import re
import subprocess
import sys

# A comment, or a literal that may contain "//".
TOKEN = re.compile(r'R"(?P<raw>\w*)\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|'
                   r"(?P<comment>//[^\n]*|/\*.*?\*/)", re.S)
START = re.compile(r"(?:\A|(?<=\n)\n+|(?<=[.!?])\s|(?<=\n)- )\s*(?=\S)")  # where a sentence or list entry starts
# "That" before a clause ("That a level is exact ..."), not before a noun ("That proof is valid ...").
OPENINGS = re.compile(r"(?:What|Of|Who|Whoever) |"
                      r"That (?:an?|the|no|every|each|all|any|some|it|they|there|this|these|those|one|we) (?:\S+ )*?is ")
WORDS = re.compile(r"\b(?:mend(?:s|ed|ing)?|likelier|whoever|told\s+apart|go(?:es)?\s+with|stands?\s+in|c[oa]mes?\s+to|"
                   r"gone\s+through|is\s+told)\b", re.I)
QUOTED = re.compile(r'"[^"\n]*"|`[^`\n]*`')  # output, options and keys: quoted as they are
FILE = re.compile(r"(?<![\w/.<-])[\w/.-]+\.(?:h|cpp)\b(?!\.)")

# Phrases of pages, in text whose lines are joined: a release publishes or reveals, and a sentence begins with its subject.
START_OF_CLAUSE = r"(?:^|[.!?:;)]\** +|\| |^ *[-*] +|\*\*)"
PHRASES = re.compile(rf"\b(?:tells?|told)\b(?!-)|{START_OF_CLAUSE}of [^.;:|]*?, |\bwhoever\b|{START_OF_CLAUSE}who (?![^.]*\?)|"
                     r"\b(?:to|for|of|by|from|with|than|what) who\b", re.I | re.M)

# Words in the descriptions of specs, designs, releases and plans, which reports print.
DESCRIPTION = re.compile(r'"description":\s*"((?:[^"\\]|\\.)*)"')
IN_DESCRIPTIONS = re.compile(r"\b(?:tells?|told|telling)\b|\bsays? (?:nothing|more|less|much|little|about)\b|"
                             r"\b(?:an?|the|what) shares?\b|\bshares? of\b|\bgo(?:es)? together\b|\bwho (?:has|believes|belongs)\b|"
                             + WORDS.pattern, re.I)


def blocks(text):
    """Yields the comments of a file as lists of (line, text). Lines that hold nothing but a comment form one block."""
    block = []
    for token in TOKEN.finditer(text):
        if not token["comment"]:
            continue
        line = text.count("\n", 0, token.start()) + 1
        alone = not text[text.rfind("\n", 0, token.start()) + 1:token.start()].strip()
        if block and not (alone and block[-1][0] == line - 1):
            yield block
            block = []
        lines = token["comment"].removesuffix("*/").split("\n")
        block += [(line + i, re.sub(r"^\s*(?://[/!]?<?|/\*+|\*)\s?", "", l)) for i, l in enumerate(lines)]
        if not alone:
            yield block
            block = []
    if block:
        yield block


def findings(block, in_tests, known):
    """Yields (line, text) for what is wrong in a block of comments."""
    text = "\n".join(line for _, line in block)
    starts = [i for i in range(len(text)) if i == 0 or text[i - 1] == "\n"]

    def place(offset):
        return block[bisect.bisect_right(starts, offset) - 1][0]

    for file in FILE.finditer(text):
        if not any(path.endswith("/" + file[0]) for path in known):
            yield place(file.start()), f"there is no file {file[0]}"
    if in_tests:
        return
    for start in START.finditer(text):
        sentence = re.match(r"(?:[^.?!]|[.?!](?!\s|\Z))*[.?!]?", text[start.end():])[0]
        if not sentence.endswith("?") and OPENINGS.match(" ".join(sentence.split()) + " "):
            yield place(start.end()), " ".join(sentence.split())[:90]
    for word in WORDS.finditer(QUOTED.sub(lambda quote: " " * len(quote[0]), text)):
        yield place(word.start()), f"do not write '{' '.join(word[0].split())}'"


def phrases(text):
    """Yields (line, phrase) for PHRASES in a page, outside of code. Lines of one paragraph are joined."""
    text = re.sub(r"^ *```.*?^ *```$|`[^`]*`", lambda code: re.sub(r"[^\n]", "`", code[0]), text, flags=re.M | re.S)
    joined = re.sub(r"(?<=[^\n|])\n(?= *(?:[^\s|#*-]|\*\*))", " ", text)
    for phrase in PHRASES.finditer(joined):
        yield text.count("\n", 0, phrase.end()) + 1, " ".join(joined[phrase.start():phrase.end() + 50].split("\n")[0].split())


def descriptions(text):
    """Yields (line, phrase) for IN_DESCRIPTIONS in the descriptions of a file."""
    for description in DESCRIPTION.finditer(text):
        for word in IN_DESCRIPTIONS.finditer(description[1]):
            yield text.count("\n", 0, description.start()) + 1, f"do not write '{word[0]}' in a description"


def has_descriptions(path):
    return re.match(r"(?:specs|audits|examples|tests/cli/specs)/.*\.json$", path)


def is_page(path):
    return path == "README.md" or re.fullmatch(r"docs/[^/]*\.md", path)


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    listed = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True, text=True).stdout.split("\0")
    known = ["/" + path for path in listed if path.endswith((".h", ".cpp", ".in"))]
    found = []
    for path in filter(os.path.exists, listed):
        if path.endswith((".h", ".cpp")):
            for block in blocks(pathlib.Path(path).read_text(encoding="utf-8")):
                for line, words in findings(block, path.startswith("tests/"), known):
                    found.append(f"{path}:{line}: {words}")
        if has_descriptions(path):
            for line, words in descriptions(pathlib.Path(path).read_text(encoding="utf-8")):
                found.append(f"{path}:{line}: {words}")
        if is_page(path):
            for line, words in phrases(pathlib.Path(path).read_text(encoding="utf-8")):
                found.append(f"{path}:{line}: {words}")
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
