"""What a privacy lock once let pass although a level grew, and its kin: each change must fail the check.

lock_holes.py BINARY: prints a line per change that passes, or per lock that does not begin by passing.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

BINARY = os.path.abspath(sys.argv[1])
GALLERY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "specs", "gallery")
failures = []


def spec(mechanism, claims=(), size=2, **others):
    return {"oddsbound": 1, "name": "s", "domain": [{"name": "x", "size": size}], "mechanism": mechanism,
            "claims": list(claims), **others}


def matrix(*rows):
    return {"type": "matrix", "outputs": len(rows[0]), "rows": [list(row) for row in rows]}


def lock(*arguments, cwd):
    return subprocess.run([BINARY, "lock", *arguments], cwd=cwd, capture_output=True, text=True, timeout=120)


def write(folder, files):
    for name, content in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))


def story(name, before, after, status=1, options=()):
    """The specs and tables of a folder are locked, then some are changed."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, before)
        written = lock("write", "s.json", cwd=folder)
        if written.returncode != 0 or lock("check", cwd=folder).returncode != 0:
            failures.append(f"{name}: cannot be locked: {written.stderr}")
            return
        write(folder, after)
        checked = lock("check", *options, cwd=folder)
        if checked.returncode != status:
            failures.append(f"{name}: exit status {checked.returncode}, expected {status}: {checked.stdout}{checked.stderr}")


def parameters_behind_questions():
    """The level of an approximate_dp claim is part of what is asked."""
    leaks = matrix(["1/2", "99/200", "1/200"], ["1/2", "1/200", "99/200"])
    claim = {"notion": "approximate_dp", "epsilon": "eps", "delta": "1"}
    story("approximate_dp at a parameter", {"s.json": spec(leaks, [claim], parameters={"eps": "log(2)"})},
          {"s.json": spec(leaks, [claim], parameters={"eps": "log(999)"})})
    level = spec(leaks, [claim], parameters={"eps": "log(2)"})
    story("the same level, said directly", {"s.json": level},
          {"s.json": spec(leaks, [{**claim, "epsilon": "log(2)"}])}, status=0)


def bounds_of_many_pairs():
    """Beyond 48 inputs the losses of pairs are not locked one by one."""
    def many(bound, level):
        inputs = 50
        row = [["b" if a != b else "0" for b in range(inputs)] for a in range(inputs)]
        return spec({"type": "k_randomized_response", "epsilon": level}, [{"notion": "context_ldp", "epsilon": row}], size=inputs,
                    parameters={"b": bound})
    story("looser bounds by a parameter", {"s.json": many("3", "2")}, {"s.json": many("5", "2")})
    story("other losses within the bounds", {"s.json": many("3", "1")}, {"s.json": many("3", "1/2")})
    story("as it was", {"s.json": many("3", "1")}, {"s.json": {**many("3", "1"), "description": "said otherwise"}}, status=0)


def losses_of_many_outputs():
    """2^16 outputs of coins that say nothing hide no loss of a pair."""
    def coins(level):
        blocks = [[[str(a * 4 + b)] for b in range(4)] for a in range(2)]
        inner = {"type": "block_hadamard_response", "epsilon": level, "blocks": blocks}
        fair = matrix(*[["1/2", "1/2"]] * 8)
        bounds = [["5" if a // 4 == b // 4 else "inf" for b in range(8)] for a in range(8)]
        return spec({"type": "compose", "mechanisms": [inner, {"type": "repeat", "times": 16, "mechanism": fair}]},
                    [{"notion": "context_ldp", "epsilon": bounds}], size=8)
    story("losses within blocks", {"s.json": coins("1")}, {"s.json": coins("4")})


def another_mechanism():
    """A claim to be a post-processing of a mechanism is about that mechanism."""
    mine = matrix(["3/5", "2/5"], ["2/5", "3/5"])
    claim = {"notion": "post_processing_of", "of": {"type": "file", "file": "other.spec"}}
    other, looser = (spec(matrix([p, q], [q, p])) for p, q in (("3/4", "1/4"), ("1", "0")))
    story("the file of the other one", {"s.json": spec(mine, [claim]), "other.spec": other}, {"other.spec": looser})
    by_level = {"notion": "post_processing_of", "of": {"type": "k_randomized_response", "epsilon": "e"}}
    story("a parameter of the other one", {"s.json": spec(mine, [by_level], parameters={"e": "log(3)"})},
          {"s.json": spec(mine, [by_level], parameters={"e": "log(30)"})})


def carriage_returns():
    """A cell that holds one is another value than the cell without."""
    prior = {"type": "csv", "file": "t.csv", "columns": {"x": "x"}, "count": "n"}
    claim = {"notion": "bcdp", "epsilon": "log(t)"}
    domain = [{"name": "x", "values": ["a", "a\rb", "ab"]}]
    symbolic = {**spec({"type": "k_randomized_response", "epsilon": "log(t)"}, [claim], prior=prior, symbols={"t": {"gt": "1"}}), "domain": domain}
    story("a carriage return in a cell", {"s.json": symbolic, "t.csv": 'x,n\na,1\n"a\rb",1\n'},
          {"t.csv": 'x,n\na,1\n"ab",1\n'})
    story("the same lines with other ends", {"s.json": symbolic, "t.csv": "x,n\na,1\nab,1\n"},
          {"t.csv": "x,n\r\na,1\r\nab,1\r\n"}, status=0)
    story("a table whose name ends in .json", {"s.json": {**symbolic, "prior": {**prior, "file": "t.json"}}, "t.json": "x,n\na,1\nab,1\n"},
          {"t.json": "x,n\na,1\nab,2\n"})


def no_levels_before():
    """What had no levels is locked by its content, also where the new content has levels."""
    ball = {"oddsbound": 1, "name": "s", "domain": [{"name": "x", "values": ["-1", "1"]}],
            "mechanism": {"type": "duchi_l2_ball", "epsilon": "1", "radius": "1"}}
    shown = {**ball, "mechanism": matrix(["1", "0"], ["0", "1"])}
    story("a continuous mechanism becomes a finite one", {"s.json": ball}, {"s.json": shown})
    symbolic = spec({"type": "k_randomized_response", "epsilon": "log(t)"}, symbols={"t": {"gt": "1", "le": "2"}})
    story("a spec with symbols and no claims loses its symbols", {"s.json": symbolic},
          {"s.json": spec({"type": "k_randomized_response", "epsilon": "log(3)"})})
    story("the range of a symbol", {"s.json": symbolic}, {"s.json": {**symbolic, "symbols": {"t": {"gt": "1"}}}})


def claims_that_measure():
    """A claim that is removed leaves something unmeasured."""
    warner = {"type": "k_randomized_response", "epsilon": "log(3)"}
    claims = [{"notion": "secret", "secret": {"a": [["0"]], "b": [["1"]]}, "epsilon": "log(3)"},
              {"notion": "approximate_dp", "epsilon": "0", "delta": "1/2"},
              {"notion": "block_ldp", "blocks": [[["0"], ["1"]]], "epsilon": "log(3)"},
              {"notion": "context_ldp", "epsilon": [["0", "log(3)"], ["log(3)", "0"]]}]
    for claim in claims:
        uniform = {"prior": {"type": "uniform"}}
        story(f"without its claim about {claim['notion']}", {"s.json": spec(warner, [claim], **uniform)}, {"s.json": spec(warner, [], **uniform)})
    story("without a claim that only repeats", {"s.json": spec(warner, [{"notion": "partial_dp", "epsilon": "log(3)"}])},
          {"s.json": spec(warner)}, status=0)


def folders_that_are_named():
    """A locked spec that is gone is missed under every name of its folder; and `check` overwrites nothing that is read."""
    warner = spec({"type": "k_randomized_response", "epsilon": "log(3)"}, prior={"type": "csv", "file": "t.csv", "columns": {"x": "x"}})
    for lock_file, paths in (("oddsbound.lock.json", ["specs", "alias", "alias/", "."]), ("specs/l.json", [".", "specs", "alias"])):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "specs"))
            os.symlink("specs", os.path.join(folder, "alias"))
            write(os.path.join(folder, "specs"), {"a.json": warner, "b.json": warner, "t.csv": "x\n0\n1\n"})
            lock("write", "--lock", lock_file, "specs", cwd=folder)
            for path in paths:
                if lock("check", "--lock", lock_file, path, cwd=folder).returncode != 0:
                    failures.append(f"{lock_file}: {path} passes at first")
            for output in (lock_file, "specs/a.json", "specs/t.csv"):
                kept = lock("check", "--lock", lock_file, "--format", "junit", "--output", output, cwd=folder)
                if kept.returncode != 2 or "would overwrite" not in kept.stderr:
                    failures.append(f"{lock_file}: check overwrites {output}")
            os.remove(os.path.join(folder, "specs", "b.json"))
            for path in paths:
                if lock("check", "--lock", lock_file, path, cwd=folder).returncode != 1:
                    failures.append(f"{lock_file}: a spec that is gone is not missed by check {path}")


def limits_leave_open():
    """What a limit leaves open is undecided, not gone: pairs of inputs, and mechanisms behind a claim."""
    rows = [["5" if a != b else "0" for b in range(20)] for a in range(20)]
    many = spec({"type": "k_randomized_response", "epsilon": "1"}, [{"notion": "context_ldp", "epsilon": rows}], size=20)
    story("pairs under a limit", {"s.json": many}, {}, status=3, options=["--max-cells", "100"])
    four = spec({"type": "k_randomized_response", "epsilon": "log(2)"}, size=4,
                claims=[{"notion": "post_processing_of", "of": {"type": "k_randomized_response", "epsilon": "log(3)"}}])
    story("another mechanism under a limit", {"s.json": four}, {}, status=3, options=["--max-cells", "10"])


def locks_of_version_0_5():
    """A lock that did not name what is locked by content is read as if it had."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(GALLERY, "duchi-l2-ball.json"), os.path.join(folder, "s.json"))
        lock("write", "s.json", cwd=folder)
        path = os.path.join(folder, "oddsbound.lock.json")
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        del content["specs"]["s.json"]["by_content"]
        write(folder, {"oddsbound.lock.json": content})
        if lock("check", cwd=folder).returncode != 0:
            failures.append("a lock of version 0.5 passes where nothing changed")
        write(folder, {"s.json": spec(matrix(["1", "0"], ["0", "1"]))})
        if lock("check", cwd=folder).returncode != 1:
            failures.append("a lock of version 0.5 passes a continuous mechanism that became another one")


for act in (parameters_behind_questions, bounds_of_many_pairs, losses_of_many_outputs, another_mechanism, carriage_returns,
            no_levels_before, claims_that_measure, folders_that_are_named, limits_leave_open, locks_of_version_0_5):
    act()
print("\n".join(failures) if failures else "nothing that grew passes")
sys.exit(1 if failures else 0)
