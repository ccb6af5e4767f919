"""Plays through how a privacy lock guards a project: what its check rejects, what it accepts, what it leaves
untouched.

ci_story.py BINARY: prints a line per fault, and exits with 1 if there is any. docs/lock.md describes the same story.
"""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GALLERY = os.path.join(HERE, "..", "..", "specs", "gallery")
BINARY = os.path.abspath(sys.argv[1])
LOCK = "oddsbound.lock.json"
TITANIC = "specs/titanic.json"

failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)


def expect_equal(found, expected, what):
    expect(found == expected, f"{what}: found {found!r}, expected {expected!r}")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read_json(path):
    return json.loads(read(path))


def write_json(path, value):
    write(path, json.dumps(value, indent=2))


def tree():
    """Every file below the current directory, with its bytes."""
    files = {}
    for folder, _, names in os.walk("."):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                files[path] = file.read()
    return files


class Run:
    """One run of the program: its status, its lines, its findings, and whether it changed a file."""

    def __init__(self, *arguments):
        before = tree()
        done = subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=120)
        self.words = " ".join(arguments)
        self.status = done.returncode
        self.output = done.stdout
        self.errors = done.stderr.splitlines()
        self.changed = tree() != before
        self.fails = self.findings("FAIL")
        self.notes = self.findings("note")

    def findings(self, kind):
        """(file, text) of every line of this kind."""
        return re.findall(rf"^{kind}: ([^:]+): (.*)$", self.output, re.MULTILINE)

    def expect(self, status, what, changed=False):
        expect(self.status == status,
               f"{what}: '{self.words}' exits with {self.status}, expected {status}\n{self.output}{self.errors}")
        expect(self.changed == changed, f"{what}: '{self.words}' has {'' if self.changed else 'not '}changed files")
        return self


def lock_check(*options):
    return Run("lock", "check", *options)


def keys(findings):
    """The key of each finding: "bcdp survived" for "bcdp survived  0.93 -> 0.97 ..."."""
    return sorted(re.sub(r"( (was|is new|is claimed|is no longer claimed|does not apply)\b|  \S+ -> ).*", "", words) for _, words in findings)


def spec(class_level="log(3)"):
    """The gallery's release, with claims that leave room."""
    value = read_json(os.path.join(GALLERY, "titanic.json"))
    value["mechanism"]["mechanisms"]["class"]["epsilon"] = class_level
    value["claims"] = [{"notion": "ldp", "epsilon": "log(27)"}, {"notion": "bcdp", "epsilon": {"survived": "1"}}]
    return value


def move_survivors(count):
    """Counts some men of the crew as dead who were survivors. The classes and sexes of the travellers stay the same."""
    with open("specs/data/titanic.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if (row["class"], row["sex"], row["age"]) == ("crew", "male", "adult"):
            row["count"] = int(row["count"]) + (count if row["survived"] == "no" else -count)
    with open("specs/data/titanic.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def begin():
    """Makes a project with two specs and a fresh lock in an empty folder."""
    for name in os.listdir("."):
        shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
    os.makedirs("specs/data")
    shutil.copy(os.path.join(GALLERY, "data", "titanic.csv"), "specs/data")
    shutil.copy(os.path.join(GALLERY, "warner.json"), "specs")
    write_json(TITANIC, spec())
    Run("verify", "specs").expect(0, "the claims hold")
    lock_check().expect(2, "there is no lock yet")
    Run("lock", "write", "specs").expect(0, "the lock is written", changed=True)
    lock_check("--strict").expect(0, "nothing has changed since")


GROWN = ["bcdp survived", "bound of Proposition 4: bcdp survived"]


def one_level_grows():
    """The main story: another table, the same local DP, but survival leaks more than before."""
    begin()
    locked = read_json(LOCK)["specs"][TITANIC]["levels"]
    expect_equal((locked["ldp"], locked["cdp survived"]), ("log(27)", "0"), "locked levels")

    move_survivors(30)
    Run("verify", "specs").expect(0, "the claims leave room")
    for options in [], ["--strict"], [TITANIC], ["--strict", "specs"]:
        check = lock_check("-v", *options).expect(1, "one level grew")
        expect_equal(keys(check.fails), GROWN, f"what '{check.words}' names")
        expect_equal({file for file, _ in check.fails}, {TITANIC}, f"where '{check.words}' finds it")
        expect_equal(check.notes, [], f"notes of '{check.words}'")
        expect(locked["bcdp survived"] in check.output, "the check says what the level was")
        expect("survived=yes" in check.output and "(1st,female,child)" in check.output, "the check says who leaks what")
        expect("lock accept --reason" in check.output, "the check says what to do")
    lock_check("specs/warner.json").expect(0, "the other spec is as locked")
    for form, start in ("github", f"::error file={TITANIC},"), ("junit", '    <testcase name="bcdp survived"'):
        lines = lock_check("--format", form).expect(1, f"as {form}").output.splitlines()
        count = len([line for line in lines if line.startswith(start)])
        expect_equal(count, 2 if form == "github" else 1, f"findings as {form}")
    results = json.loads(lock_check("--format", "sarif").expect(1, "as SARIF").output)["runs"][0]["results"]
    expect(results[0]["properties"]["locked"].startswith(locked["bcdp survived"]), f"findings as SARIF: {results}")

    Run("lock", "write", "specs").expect(1, "writing anew is no way around the check")
    for reason in [], ["--reason"], ["--reason", ""], ["--reason", " \t"]:
        expect(Run("lock", "accept", *reason).expect(2, "a change is accepted for a reason").errors, "and says so")
    reason = "the revised count, see issue 12"
    Run("lock", "accept", "--reason", reason).expect(0, "it is accepted", changed=True)
    lock_check("--strict").expect(0, "what is accepted passes")

    lock = read_json(LOCK)
    expect_equal([one["reason"] for one in lock["accepted"]], [reason], "reasons in the lock")
    changes = lock["accepted"][0]["changes"]
    expect(len(changes) == 2 and changes[0].startswith(f"{TITANIC}: bcdp survived grew from {locked['bcdp survived']}"),
           f"changes in the lock: {changes}")
    now = lock["specs"][TITANIC]["levels"]
    expect_equal([key for key in now if now[key] != locked.get(key)], ["bcdp survived"], "levels that were replaced")
    Run("lock", "accept", "--reason", "again").expect(0, "there is nothing to accept")


def harmless_changes():
    """Changes that affect no level and no meaning pass silently."""
    def reformat(value):
        write(TITANIC, json.dumps(value, indent=7).replace("\n", "\r\n"))

    def describe(value):
        write_json(TITANIC, {**value, "description": "in other words", "source": "the same"})

    def turn_around(value):
        write_json(TITANIC, dict(reversed(value.items())))

    for change in reformat, describe, turn_around:
        begin()
        change(spec())
        for options in [], ["--strict"]:
            check = lock_check(*options).expect(0, change.__name__)
            expect_equal((check.fails, check.notes), ([], []), f"findings after {change.__name__}")


def a_level_shrinks():
    """A level below its promise passes; only `--tighten` lowers the promise."""
    begin()
    before = read_json(LOCK)["specs"][TITANIC]["levels"]
    write_json(TITANIC, spec(class_level="log(2)"))
    check = lock_check().expect(0, "less leaks")
    expect_equal((check.fails, keys(check.notes)), ([], ["the spec has changed; every level is within its promise"]), "findings where less leaks")
    Run("lock", "write", "specs").expect(0, "the new content is taken in", changed=True)
    expect_equal(read_json(LOCK)["specs"][TITANIC]["levels"], before, "promises after writing")
    lock_check("--strict").expect(0, "nothing is stale")
    write_json(TITANIC, spec())
    lock_check().expect(0, "the way back is within the promises")
    write_json(TITANIC, spec(class_level="log(2)"))
    Run("lock", "write", "--tighten", "specs").expect(0, "promises are lowered", changed=True)
    after = read_json(LOCK)["specs"][TITANIC]["levels"]
    lowered = sorted(key for key in after if after[key] != before[key])
    expect("ldp" in lowered and "cdp class" in lowered and "bcdp survived" in lowered, f"what was lowered: {lowered}")
    write_json(TITANIC, spec())
    fails = keys(lock_check().expect(1, "the way back is guarded").fails)
    expect_equal([key for key in fails if not key.startswith("bound")], lowered, "what grew back")


def more_and_fewer():
    """Specs are added and removed, and levels are no longer measured."""
    begin()
    shutil.copy(os.path.join(GALLERY, "mangat.json"), "specs")
    check = lock_check().expect(0, "a new spec")
    expect_equal([file for file, _ in check.notes], ["specs/mangat.json"], "new specs that are named")
    strict = lock_check("--strict").expect(1, "a new spec, strictly")
    expect_equal([file for file, _ in strict.fails], ["specs/mangat.json"], "new specs that are named strictly")
    Run("lock", "write", "specs").expect(0, "it is locked without a reason", changed=True)
    lock_check("--strict").expect(0, "and known from then on")

    os.remove("specs/mangat.json")
    check = lock_check().expect(1, "a removed spec")
    expect_equal([file for file, _ in check.fails], ["specs/mangat.json"], "removed specs that are named")
    Run("lock", "accept", "--reason", "not asked any more").expect(0, "its end is accepted", changed=True)
    lock_check("--strict").expect(0, "and it is forgotten")

    without_prior = spec()
    del without_prior["prior"], without_prior["claims"]
    write_json(TITANIC, without_prior)
    fails = keys(lock_check().expect(1, "a prior is gone").fails)
    expect_equal(fails, ["bcdp age", "bcdp class", "bcdp sex", "bcdp survived", "bcdp survived", "bdp", "ldp"],
                 "no longer measured, and two claims that are gone")


def broken_locks():
    """Every fault of a lock gives one line with its place, and no byte is changed."""
    begin()
    good = read(LOCK)
    lines = good.splitlines(keepends=True)
    level = next(number for number, line in enumerate(lines) if '"bcdp survived"' in line)
    conflict = (lines[:level] + ["<<<<<<< HEAD\n", lines[level], "=======\n", lines[level], ">>>>>>> topic\n"] +
                lines[level + 1:])
    for what, text, place in [
        ("a merge conflict", "".join(conflict), f":{level + 1}:1: "),
        ("a truncated lock", good[:len(good) // 2], r":\d+:\d+: "),
        ("an empty lock", "", ":1:1: "),
        ("another version", good.replace('"oddsbound_lock": 2', '"oddsbound_lock": 3'), ":2:21: /oddsbound_lock: "),
        ("no level", good.replace('"ldp": "log(27)"', '"ldp": "much"'), rf":\d+:\d+: /specs/.*ldp: "),
        ("an unknown key", good.replace('"paths"', '"path"'), r":\d+:\d+: /path: "),
        ("no lock", None, ": there is no privacy lock here "),
    ]:
        expect(text != good, f"{what}: the lock is broken on purpose")
        os.remove(LOCK) if text is None else write(LOCK, text)
        for command in ["check"], ["check", "--strict"], ["accept", "--reason", "why"], ["write", "specs"]:
            if text is None and command[0] == "write":
                continue
            run = Run("lock", *command).expect(2, what)
            expect(len(run.errors) == 1 and re.match(f"error: {re.escape(LOCK)}{place}", run.errors[0]),
                   f"{what}: '{run.words}' says {run.errors}")
        write(LOCK, good)
    move_survivors(30)
    for path in f"nowhere/{LOCK}", "specs":
        for command in ["write", "specs"], ["check"], ["accept", "--reason", "why"]:
            run = Run("lock", *command, "--lock", path).expect(2, "a lock that cannot be written or read")
            expect(len(run.errors) == 1 and run.errors[0].startswith("error: ") and path in run.errors[0],
                   f"'{run.words}' says {run.errors}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for part in one_level_grows, harmless_changes, a_level_shrinks, more_and_fewer, broken_locks:
        try:
            part()
        except (AttributeError, LookupError, OSError, TypeError, ValueError) as problem:
            failures.append(f"{part.__name__} ends early: {problem!r}")
    os.chdir(HERE)

for failure in failures:
    print("FAIL", failure)
print("the story ends differently" if failures else "the story is as told")
sys.exit(1 if failures else 0)
