"""Every output of the program, fed with every class of hidden character.

hostile_text.py BINARY [--all]: prints a line per output that contains a character that controls a terminal, changes
text direction, is invisible or is not UTF-8; per line that is a command to CI; and per file that is no valid JSON or
XML any more. --all: each class separately, in every format; otherwise several together.
"""
import json
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import unicodedata
import xml.dom.minidom

BINARY = os.path.abspath(sys.argv[1])
C0 = "".join(map(chr, [*range(1, 0x20)])) + "\x7f"
OTHERS = ("\x80\x85\x9b\x9f" "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" "\u200b\u2060\ufeff\u00ad"
          "\u2028\u2029" "\ufdd0\ufffe\uffff\U0001fffe" "\U000e0020")
CLASSES = {"C0": C0, "others": OTHERS, "sequences": "\x1b]0;t\x07\x1b[2J\x9b2J\r", "commands": "::error::x\n::stop-commands::y\n##[error]z",
           "links": "[a](http://example.org) ![b](http://example.org) <a href='http://example.org'>",
           "formulas": " =1+1", "wide formulas": "\uff1d1+1"}
MIXED = "::stop-commands::y\n\x1b]0;t\x07\x9b2J\x7f\u061c\u202e\u200b\u2028\ufdd0[a](http://example.org)"
ALL = "--all" in sys.argv
FORMATS = ("text", "json", "html", "markdown", "sarif", "junit", "github", "registry")
# Bytes that are not UTF-8, for file names, arguments and tables.
BYTES = b"\xff\x9b2J \xc0\x9b \xe0\x80\x9b \xf0\x80\x80\x9b \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x80"
SHOWN = {0x200c, 0x200d, *range(0xfe00, 0xfe10), *range(0xe0100, 0xe01f0)}
failures = []


def is_hidden(character):
    code = ord(character)
    return code not in SHOWN and (unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
                                  or code & 0xfffe == 0xfffe or 0xfdd0 <= code <= 0xfdef)


def check(what, output, lines=True):
    """No output shows a hidden character, and no line of text is a command."""
    try:
        text = output.decode("utf-8")
    except UnicodeDecodeError as error:
        failures.append(f"{what}: not UTF-8: {output[max(0, error.start - 30):error.start + 10]!r}")
        return
    found = {f"U+{ord(c):04X}" for c in text if is_hidden(c) and c not in "\n\t"}
    if found:
        failures.append(f"{what}: holds {', '.join(sorted(found))}")
    if lines and re.search(r"^\s*(::(?!error |warning |notice )|##(\[|vso))", text, re.M):
        failures.append(f"{what}: a line gives a command to CI: {re.search('^.*(::|##).*$', text, re.M).group()!r}")


def run(what, *arguments, cwd, status=None, lines=True, data=False):
    """data: bytes of values, which are kept."""
    done = subprocess.run([BINARY, *arguments], cwd=cwd, capture_output=True, timeout=120)
    if done.returncode not in (status or (0, 1)):
        failures.append(f"{what}: exit status {done.returncode}: {done.stderr[-300:]!r}")
    if not data:
        check(f"{what}, standard output", done.stdout, lines)
    check(f"{what}, standard error", done.stderr)
    return done


def on_terminal(what, *arguments, cwd):
    """The output of the program if standard output is a terminal."""
    own, terminal = pty.openpty()
    process = subprocess.Popen([BINARY, *arguments], cwd=cwd, stdin=subprocess.DEVNULL, stdout=terminal, stderr=subprocess.DEVNULL,
                               env={**os.environ, "NO_COLOR": "1"})
    os.close(terminal)
    shown = b""
    while select.select([own], [], [], 60)[0]:
        try:
            part = os.read(own, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    process.wait(timeout=60)
    os.close(own)
    check(f"{what}, terminal", shown.replace(b"\r\n", b"\n"))


def write(folder, name, value):
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
        file.write(value if isinstance(value, str) else json.dumps(value))


def spec_of(text, epsilon="1"):
    """Hostile text in every field that may hold text."""
    return {"oddsbound": 1, "name": text, "description": text, "source": text,
            "domain": [{"name": text, "values": [text + "1", text + "2"]}, {"name": text + "b", "values": [text, "z"]}],
            "prior": {"type": "counts", "counts": [1, 2, 3, 4]},
            "mechanism": {"type": "matrix", "outputs": [text + "y", text + "n"],
                          "rows": [["1/2", "1/2"], ["1/4", "3/4"], ["1/3", "2/3"], ["1/5", "4/5"]]},
            "claims": [{"notion": "ldp", "epsilon": epsilon, "name": text},
                       {"notion": "bcdp", "epsilon": {text: "2", text + "b": "1/100"}, "name": text}]}


def reports(name, folder):
    for command in ("verify", "analyze"):
        for form in FORMATS:
            if command == "analyze" and form in ("sarif", "junit", "github", "registry"):
                continue
            what = f"{name}: {command} as {form}"
            # GitHub's own commands are expected there; a name must not add any.
            done = run(what, command, "--format", form, "s.json", cwd=folder, lines=form in ("text", "github"))
            if form in ("json", "sarif"):
                document = json.loads(done.stdout)
                if form == "json" and document["specs"][0]["name"] != json.load(open(os.path.join(folder, "s.json")))["name"]:
                    failures.append(f"{what}: the name is another one")
                if form == "sarif" and re.search(r"\]\(", json.dumps([result["message"] for result in document["runs"][0]["results"]])):
                    failures.append(f"{what}: a message has a link")
            if form == "junit":
                xml.dom.minidom.parseString(done.stdout)
            if form == "github":
                lines = done.stdout.decode("utf-8", "replace").splitlines()
                if not lines or not all(line.startswith(("::error file=", "::warning file=", "::notice file=")) for line in lines):
                    failures.append(f"{what}: {lines}")
                if len(lines) != sum(not claim["ok"] for claim in json.loads(
                        subprocess.run([BINARY, "verify", "--format", "json", "s.json"], cwd=folder, capture_output=True).stdout)["specs"][0]["claims"]):
                    failures.append(f"{what}: {len(lines)} lines")
        on_terminal(f"{name}: {command}", command, "s.json", cwd=folder)
    run(f"{name}: certificates", "verify", "s.json", "--certificates", "proofs", "--format", "sarif", cwd=folder, lines=False)
    for proof in os.listdir(os.path.join(folder, "proofs")):
        with open(os.path.join(folder, "proofs", proof), "rb") as file:
            check(f"{name}: certificate", file.read(), lines=False)
    run(f"{name}: audit", "audit", "--seed", "1", "--samples", "20000", "s.json", cwd=folder)
    run(f"{name}: audit as github", "audit", "--exhaustive", "--format", "github", "s.json", cwd=folder)
    run(f"{name}: compare", "compare", "s.json", "t.json", cwd=folder)


def locks(name, folder, text):
    run(f"{name}: lock write", "lock", "write", "s.json", cwd=folder, status=(0, 1, 3))
    with open(os.path.join(folder, "oddsbound.lock.json"), "rb") as file:
        check(f"{name}: the lock", file.read(), lines=False)
    changed = spec_of(text)
    changed["mechanism"]["rows"][0] = ["1/9", "8/9"]
    write(folder, "s.json", changed)
    for form in ("text", "markdown", "sarif", "junit", "github"):
        run(f"{name}: lock check as {form}", "lock", "check", "--format", form, cwd=folder, lines=form in ("text", "github"))
    run(f"{name}: lock accept", "lock", "accept", "--reason", "because " + text.replace("\0", ""), cwd=folder)


def samples(name, folder, text):
    given = json.dumps([text + "1", "z"])
    drawn = run(f"{name}: sample", "sample", "s.json", "--seed", "1", "--input", given, "--count", "20", cwd=folder, data=True)
    for output in (text + "y", text + "n"):
        if output.encode() not in drawn.stdout.replace(b'""', b'"'):
            failures.append(f"{name}: sample: the data is not what the spec says")
    run(f"{name}: sample as json", "sample", "s.json", "--seed", "1", "--input", given, "--format", "json", cwd=folder)
    on_terminal(f"{name}: sample", "sample", "s.json", "--seed", "1", "--input", given, "--count", "5", cwd=folder)
    with open(os.path.join(folder, "drawn.csv"), "wb") as file:
        file.write(drawn.stdout)
    run(f"{name}: estimate", "estimate", "s.json", "drawn.csv", cwd=folder, status=(0, 2))
    run(f"{name}: estimate as json", "estimate", "s.json", "drawn.csv", "--format", "json", cwd=folder, status=(0, 2))


def releases(name, folder, text):
    write(folder, "r.release.json", {
        "oddsbound_release": 1, "name": text, "attributes": [{"name": text, "values": [text + "1", text + "2"]}],
        "budget": [{"each": True, "epsilon": "1"}],
        "steps": [{"type": "counts", "of": [[text]], "noise": {"laplace": "4"}},
                  {"type": "counts", "where": [{"name": text, "is": {text: text + "1"}}], "noise": {"laplace": "4"}}]})
    quoted = ['"' + one.replace('"', '""') + '"' for one in (text, text + "1", text + "2")]
    write(folder, "people.csv", "\n".join(quoted) + "\n")
    for form in ("text", "json", "csv", "html"):
        what = f"{name}: release as {form}"
        done = run(what, "release", "r.release.json", "people.csv", "--seed", "1", "--format", form, cwd=folder, lines=form == "text")
        if form == "csv" and re.search(r'^\d+,"?[\s\u3000\ufffd]*[=+@\uff1d\uff0b\uff0d\uff20-]', done.stdout.decode("utf-8", "replace"), re.M):
            failures.append(f"{what}: a cell begins as a formula does: {done.stdout!r}")
    on_terminal(f"{name}: release", "release", "r.release.json", "people.csv", "--seed", "1", cwd=folder)
    run(f"{name}: new", "new", "people.csv", "--hide", text, "--epsilon", "1", "-o", "new.json", cwd=folder, status=(0, 2))


def errors(name, folder, text):
    """One line of error each, for every kind of fault."""
    spec = spec_of(text)
    broken = {"an unknown key": {**spec, text: 1}, "a type": {**spec, "mechanism": {"type": text}}, "a notion": {**spec, "claims": [{"notion": text}]},
              "a number": {**spec, "claims": [{"notion": "ldp", "epsilon": text}]}, "a coordinate": {**spec, "claims": [{"notion": "bcdp", "epsilon": {text + "?": "1"}}]},
              "a file": {**spec, "prior": {"type": "csv", "file": text + ".csv"}}, "a value twice": {**spec, "domain": [{"name": "a", "values": [text, text]}]}}
    for what, value in broken.items():
        write(folder, "broken.json", value)
        for form in FORMATS if ALL else ("text", "github"):
            done = run(f"{name}: {what} as {form}", "verify", "--format", form, "broken.json", cwd=folder, status=(2,), lines=form in ("text", "github"))
            if done.stderr.count(b"\n") != 1:
                failures.append(f"{name}: {what}: {done.stderr!r}")
    write(folder, "not.json", '{"oddsbound": 1, ' + text)
    run(f"{name}: no JSON", "verify", "not.json", cwd=folder, status=(2,))
    given = text.replace("\0", "")
    for arguments in (["verify", given], ["verify", "--format", given, "s.json"], [given], ["--" + given], ["verify", "s.json", "-o", f"none{given}/x"],
                      ["verify", "s.json", "--max-seconds", given], ["lock", "check", "--lock", given], ["sample", "s.json", "--input", given],
                      ["release", "r.release.json", given, "--seed", "1"], ["release", "r.release.json", "people.csv", "--spent", given + "/x"],
                      ["verify", "s.json", "--checkpoint", given + "/x"], ["lock", "write", "--lock", given + "/x", "s.json"],
                      ["audit", "--program", given, "s.json"], ["design", given], ["report", given], ["mechanisms", given]):
        done = run(f"{name}: {arguments}", *arguments, cwd=folder, status=(2,))
        if done.stderr.count(b"\n") != 1:
            failures.append(f"{name}: {arguments}: {done.stderr!r}")


def hostile_bytes(folder):
    """File names and table cells that are not UTF-8."""
    name = os.fsdecode(BYTES.replace(b"/", b""))
    inside = os.path.join(folder, name)
    os.mkdir(inside)
    write(inside, name + ".json", spec_of("x"))
    path = os.path.join(name, name + ".json")
    for form in FORMATS:
        run(f"bytes: verify as {form}", "verify", "--format", form, path, cwd=folder, lines=form in ("text", "github"))
    run("bytes: a folder", "verify", name, cwd=folder)
    run("bytes: lock", "lock", "write", path, cwd=folder, status=(0, 1, 2))
    run("bytes: lock check", "lock", "check", cwd=folder, status=(0, 1, 2))
    run("bytes: output", "verify", path, "-o", os.path.join(name, "none", "x.html"), cwd=folder, status=(2,))
    for cells in (b"a,b\n" + BYTES + b",0\n1,1\n", BYTES + b",b\n0,0\n", b"a,b\n\"" + BYTES):
        with open(os.path.join(folder, "t.csv"), "wb") as file:
            file.write(cells)
        write(folder, "c.json", {**spec_of("x"), "prior": {"type": "csv", "file": "t.csv"}})
        run("bytes: a table", "verify", "c.json", cwd=folder, status=(2,))
        run("bytes: new", "new", "t.csv", "--hide", "b", "--epsilon", "1", cwd=folder, status=(0, 2))
    for text in (b'{"oddsbound": 1, "name": "' + BYTES + b'"}', b'{"' + BYTES, BYTES):
        with open(os.path.join(folder, "b.json"), "wb") as file:
            file.write(text)
        run("bytes: a spec", "verify", "b.json", cwd=folder, status=(2,))
        run("bytes: a spec as github", "verify", "--format", "github", "b.json", cwd=folder, status=(2,))


def main():
    for name, text in CLASSES.items() if ALL else [("mixed", MIXED)]:
        with tempfile.TemporaryDirectory() as folder:
            write(folder, "s.json", spec_of(text))
            write(folder, "t.json", spec_of(text, "2"))
            reports(name, folder)
            samples(name, folder, text)
            locks(name, folder, text)
            releases(name, folder, text)
            errors(name, folder, text)
    for name in [] if ALL else ["formulas", "wide formulas"]:
        with tempfile.TemporaryDirectory() as folder:
            releases(name, folder, CLASSES[name])
    with tempfile.TemporaryDirectory() as folder:
        hostile_bytes(folder)
    for failure in failures:
        print(failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
