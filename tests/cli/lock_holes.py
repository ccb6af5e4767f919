"""Former holes of the privacy lock, where a level grew unnoticed, and similar cases: each change must fail the check.

lock_holes.py BINARY: prints a line per change that passes, or per lock that does not pass before the change.
"""
import copy
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

BINARY = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
GALLERY = os.path.join(HERE, "..", "..", "specs", "gallery")
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
    """Locks the specs and tables of a folder, then changes some of them."""
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
    """The level of an approximate_dp claim is part of the question."""
    leaks = matrix(["1/2", "99/200", "1/200"], ["1/2", "1/200", "99/200"])
    claim = {"notion": "approximate_dp", "epsilon": "eps", "delta": "1"}
    story("approximate_dp at a parameter", {"s.json": spec(leaks, [claim], parameters={"eps": "log(2)"})},
          {"s.json": spec(leaks, [claim], parameters={"eps": "log(999)"})})
    level = spec(leaks, [claim], parameters={"eps": "log(2)"})
    story("the same level, said directly", {"s.json": level},
          {"s.json": spec(leaks, [{**claim, "epsilon": "log(2)"}])}, status=0)


def bounds_of_many_pairs():
    """Beyond 48 inputs, losses of pairs are not locked one by one."""
    def many(bound, level):
        inputs = 50
        row = [["b" if a != b else "0" for b in range(inputs)] for a in range(inputs)]
        return spec({"type": "k_randomized_response", "epsilon": level}, [{"notion": "context_ldp", "epsilon": row}], size=inputs,
                    parameters={"b": bound})
    story("looser bounds by a parameter", {"s.json": many("3", "2")}, {"s.json": many("5", "2")})
    story("other losses within the bounds", {"s.json": many("3", "1")}, {"s.json": many("3", "1/2")})
    story("as it was", {"s.json": many("3", "1")}, {"s.json": {**many("3", "1"), "description": "said otherwise"}}, status=0)


def losses_of_many_outputs():
    """2^16 outputs of uninformative coins do not hide the loss of a pair."""
    def coins(level):
        blocks = [[[str(a * 4 + b)] for b in range(4)] for a in range(2)]
        inner = {"type": "block_hadamard_response", "epsilon": level, "blocks": blocks}
        fair = matrix(*[["1/2", "1/2"]] * 8)
        bounds = [["5" if a // 4 == b // 4 else "inf" for b in range(8)] for a in range(8)]
        return spec({"type": "compose", "mechanisms": [inner, {"type": "repeat", "times": 16, "mechanism": fair}]},
                    [{"notion": "context_ldp", "epsilon": bounds}], size=8)
    story("losses within blocks", {"s.json": coins("1")}, {"s.json": coins("4")})


def another_mechanism():
    """A claim to be a post-processing of a mechanism depends on that mechanism."""
    mine = matrix(["3/5", "2/5"], ["2/5", "3/5"])
    claim = {"notion": "post_processing_of", "of": {"type": "file", "file": "other.spec"}}
    other, looser = (spec(matrix([p, q], [q, p])) for p, q in (("3/4", "1/4"), ("1", "0")))
    story("the file of the other one", {"s.json": spec(mine, [claim]), "other.spec": other}, {"other.spec": looser})
    by_level = {"notion": "post_processing_of", "of": {"type": "k_randomized_response", "epsilon": "e"}}
    story("a parameter of the other one", {"s.json": spec(mine, [by_level], parameters={"e": "log(3)"})},
          {"s.json": spec(mine, [by_level], parameters={"e": "log(30)"})})


def carriage_returns():
    """A cell with a carriage return is a different value from the cell without it."""
    prior = {"type": "csv", "file": "t.csv", "columns": {"x": "x"}, "count": "n", "published": True}
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
    """A spec without levels is locked by its content, also if the new content has levels."""
    ball = {"oddsbound": 1, "name": "s", "domain": [{"name": "x", "values": ["-1", "1"]}],
            "mechanism": {"type": "duchi_l2_ball", "epsilon": "1", "radius": "1"}}
    shown = {**ball, "mechanism": matrix(["1", "0"], ["0", "1"])}
    story("a continuous mechanism becomes a finite one", {"s.json": ball}, {"s.json": shown})
    symbolic = spec({"type": "k_randomized_response", "epsilon": "log(t)"}, symbols={"t": {"gt": "1", "le": "2"}})
    story("a spec with symbols and no claims loses its symbols", {"s.json": symbolic},
          {"s.json": spec({"type": "k_randomized_response", "epsilon": "log(3)"})})
    story("the range of a symbol", {"s.json": symbolic}, {"s.json": {**symbolic, "symbols": {"t": {"gt": "1"}}}})


def claims_that_measure():
    """A removed claim leaves something unmeasured."""
    warner = {"type": "k_randomized_response", "epsilon": "log(3)"}
    claims = [{"notion": "secret", "secret": {"a": [["0"]], "b": [["1"]]}, "epsilon": "log(3)"},
              {"notion": "approximate_dp", "epsilon": "0", "delta": "1/2"},
              {"notion": "block_ldp", "blocks": [[["0"], ["1"]]], "epsilon": "log(3)"},
              {"notion": "context_ldp", "epsilon": [["0", "log(3)"], ["log(3)", "0"]]}]
    for claim in claims:
        uniform = {"prior": {"type": "uniform"}}
        story(f"without its claim about {claim['notion']}", {"s.json": spec(warner, [claim], **uniform)}, {"s.json": spec(warner, [], **uniform)})
    story("without a claim that only repeats", {"s.json": spec(warner, [{"notion": "partial_dp", "epsilon": "log(3)"}])},
          {"s.json": spec(warner)})


def folders_that_are_named():
    """A locked spec that is gone is reported under every name of its folder; and `check` overwrites no input."""
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
    """What a limit leaves open is undecided, not gone: pairs of inputs, and mechanisms in a claim."""
    rows = [["5" if a != b else "0" for b in range(20)] for a in range(20)]
    many = spec({"type": "k_randomized_response", "epsilon": "1"}, [{"notion": "context_ldp", "epsilon": rows}], size=20)
    story("pairs under a limit", {"s.json": many}, {}, status=3, options=["--max-cells", "100"])
    four = spec({"type": "k_randomized_response", "epsilon": "log(2)"}, size=4,
                claims=[{"notion": "post_processing_of", "of": {"type": "k_randomized_response", "epsilon": "log(3)"}}])
    story("another mechanism under a limit", {"s.json": four}, {}, status=3, options=["--max-cells", "10"])


def locks_of_version_0_5():
    """A lock that does not list what is locked by content is read as if it did."""
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


def claims_that_weaken():
    """A claim that is looser, expected to fail, or gone is a failure, even if every level is unchanged."""
    warner = {"type": "k_randomized_response", "epsilon": "log(3)"}
    claim = {"notion": "ldp", "epsilon": "2"}
    for name, now in (("looser", [{**claim, "epsilon": "3"}]), ("gone", []), ("flipped", [{**claim, "epsilon": "1", "expect": "refuted"}]),
                      ("looser by a parameter", [{**claim, "epsilon": "2*k"}])):
        story(f"a claim that is {name}", {"s.json": spec(warner, [claim], parameters={"k": "2"})},
              {"s.json": spec(warner, now, parameters={"k": "2"})})
    story("a claim that is stronger", {"s.json": spec(warner, [claim])}, {"s.json": spec(warner, [{**claim, "epsilon": "3/2"}])}, status=0)
    story("a claim that is no longer tight", {"s.json": spec(warner, [{"notion": "ldp", "epsilon": "log(3)", "tight": True}])},
          {"s.json": spec(warner, [{"notion": "ldp", "epsilon": "log(3)"}])})


def sets_that_narrow():
    """A set of priors is part of the question, whatever parameters and files it uses."""
    mechanism = matrix(["3/4", "1/4"], ["1/4", "3/4"])
    two = {"domain": [{"name": "a", "size": 2}, {"name": "b", "size": 2}],
           "mechanism": {"type": "on", "coordinates": ["b"], "mechanism": mechanism}}

    def over(prior_set, **others):
        claim = {"notion": "bcdp", "epsilon": {"a": "10"}, "for_all": "near"}
        return {**spec(mechanism, [claim], prior_sets={"near": prior_set}, **others), **two}

    intervals = {"type": "intervals", "lower": ["1/4-p"] * 4, "upper": ["1/4+p"] * 4}
    story("intervals by a parameter", {"s.json": over(intervals, parameters={"p": "1/8"})},
          {"s.json": over(intervals, parameters={"p": "1/16"})})
    story("intervals, said otherwise", {"s.json": over(intervals, parameters={"p": "1/8"})},
          {"s.json": over({**intervals, "lower": ["0.125"] * 4}, parameters={"p": "2/16"})}, status=0)
    skewed = {"type": "mixture", "weights": ["w", "1-w"], "components": [{"type": "uniform"}, {"type": "probabilities", "probabilities": ["1/2", "0", "0", "1/2"]}]}
    either = {"type": "any_of", "priors": [{"type": "uniform"}, skewed]}
    story("weights of a prior in a list", {"s.json": over(either, parameters={"w": "1/4"})},
          {"s.json": over(either, parameters={"w": "3/4"})})
    table = {"type": "marginals", "tables": [{"of": ["a", "b"], "prior": {"type": "csv", "file": "t.csv", "count": "n", "published": True}}]}
    story("a table of marginals", {"s.json": over(table), "t.csv": "a,b,n\n0,0,4\n0,1,1\n1,0,1\n1,1,4\n"},
          {"t.csv": "a,b,n\n0,0,3\n0,1,2\n1,0,2\n1,1,3\n"})
    near = {"type": "weights", "factor": "f"}
    story("a factor around the prior", {"s.json": over(near, parameters={"f": "2"}, prior={"type": "uniform"})},
          {"s.json": over(near, parameters={"f": "3/2"}, prior={"type": "uniform"})})


def public_attributes():
    """Levels for adversaries who know the public attributes are locked. Making an attribute public changes the
    question."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(HERE, "lock", "public"), os.path.join(folder, "specs"))
        after = os.path.join(folder, "specs", "after.csv")
        text = open(after, encoding="utf-8").read()
        os.remove(after)
        if lock("write", "specs", cwd=folder).returncode != 0 or lock("check", cwd=folder).returncode != 0:
            failures.append("a spec with a public attribute cannot be locked")
        write(os.path.join(folder, "specs"), {"t.csv": text})
        checked = lock("check", cwd=folder)
        if checked.returncode != 1 or "known" not in checked.stdout:
            failures.append(f"a level given what is public grows unseen: {checked.stdout}")
    hidden = {**spec({"type": "on", "coordinates": ["a"], "mechanism": {"type": "k_randomized_response", "epsilon": "1"}}, prior={"type": "uniform"}),
              "domain": [{"name": "a", "size": 2}, {"name": "b", "size": 2}]}
    told = copy.deepcopy(hidden)
    told["domain"][1]["public"] = True
    story("an attribute becomes public", {"s.json": hidden}, {"s.json": told})
    story("an attribute is public no more", {"s.json": told}, {"s.json": hidden})


def behind_an_infinite_level():
    """If a level is infinite, delta states how often an output reveals the input."""
    rare = matrix(["1", "0"], ["0.999999999", "1e-9"])
    story("a rare output becomes a certain one", {"s.json": spec(rare)}, {"s.json": spec(matrix(["1", "0"], ["0", "1"]))})
    story("the same output, rarer", {"s.json": spec(rare)}, {"s.json": spec(matrix(["1", "0"], ["0.9999999999", "1e-10"]))}, status=0)
    claim = {"notion": "secret", "secret": {"low": [["0"]], "high": [["1"]]}, "epsilon": "inf"}
    story("a secret", {"s.json": spec(rare, [claim], prior={"type": "uniform"})},
          {"s.json": spec(matrix(["1", "0"], ["0.99", "0.01"]), [claim], prior={"type": "uniform"})})
    over = {"notion": "bcdp", "epsilon": {"x": "inf"}, "for_all": {"type": "all"}}
    story("over all priors, by content", {"s.json": spec(rare, [over])}, {"s.json": spec(matrix(["1", "0"], ["0.99", "0.01"]), [over])})


def searches_that_stop():
    """A level that was locked exactly and that a limit now leaves open is undecided, and the lock is not loosened."""
    questions = {"domain": [{"name": f"q{i}", "size": 2} for i in range(14)],
                 "prior": {"type": "csv", "file": "t.csv", "published": True},
                 "mechanism": {"type": "per_coordinate", "mechanisms": {"*": {"type": "k_randomized_response", "epsilon": "1"}}}}
    r = random.Random(5)
    people = [[r.randrange(2) for _ in range(14)] for _ in range(60)]
    for row in people:
        row[1] = row[0] if r.random() < 0.7 else row[1]
    text = ",".join(f"q{i}" for i in range(14)) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in people)
    with tempfile.TemporaryDirectory() as folder:
        write(folder, {"s.json": {**spec({}), **questions}, "t.csv": text})
        if lock("write", "s.json", cwd=folder).returncode != 0:
            failures.append("a survey cannot be locked")
        before = open(os.path.join(folder, "oddsbound.lock.json"), encoding="utf-8").read()
        write(folder, {"t.csv": text.replace("\n0,0,", "\n0,1,", 3)})
        limits = ["--max-cells", "2000"]
        checked, written = lock("check", *limits, cwd=folder), lock("write", "s.json", *limits, cwd=folder)
        if checked.returncode not in (1, 3) or written.returncode not in (1, 3):
            failures.append(f"a search that stops: check {checked.returncode}, write {written.returncode}")
        if open(os.path.join(folder, "oddsbound.lock.json"), encoding="utf-8").read() != before:
            failures.append("a search that stops loosens the lock")


def confidential_tables():
    """A lock of a confidential table has rounded promises; no digest without a key, and an HMAC with one."""
    table = "a,b,n\n0,0,3762\n0,1,6840\n1,0,10787\n1,1,4999\n"
    mechanism = {"type": "on", "coordinates": ["b"], "mechanism": {"type": "k_randomized_response", "epsilon": "1/2"}}
    own = {**spec(mechanism, [{"notion": "bcdp", "epsilon": {"a": "1"}}], prior={"type": "csv", "file": "t.csv", "count": "n"}),
           "domain": [{"name": "a", "size": 2}, {"name": "b", "size": 2}]}
    for key in ("", "0123456789abcdef"):
        environment = {**os.environ, "ODDSBOUND_LOCK_KEY": key}
        with tempfile.TemporaryDirectory() as folder:
            def run(*arguments, env=environment):
                return subprocess.run([BINARY, "lock", *arguments], cwd=folder, env=env, capture_output=True, text=True, timeout=120)
            write(folder, {"s.json": own, "t.csv": table})
            run("write", "s.json")
            with open(os.path.join(folder, "oddsbound.lock.json"), encoding="utf-8") as file:
                text = file.read()
            entry = json.loads(text)["specs"]["s.json"]
            rounded = [v for k, v in entry["levels"].items() if k.startswith("bcdp") or k == "bdp"]
            if not all(v in ("0", "inf") or re.fullmatch(r"\d\.\d{0,3}|0\.0*\d{1,3}|\d{1,3}", v) for v in rounded):
                failures.append(f"promises are not rounded: {rounded}")
            if entry["levels"]["ldp"] != "1/2":
                failures.append(f"ldp is rounded: {entry['levels']['ldp']}")
            if any(count in text for count in ("3762", "6840", "10787", "4999", "exp(")):
                failures.append("a lock has counts of a confidential table")
            if entry.get("content", "").startswith("hmac-sha256:") != bool(key) or ("content" in entry) != bool(key):
                failures.append(f"content of a confidential table: {entry.get('content')}")
            checked = run("check")
            if checked.returncode != 0 or ("Content not compared" in checked.stdout) == bool(key):
                failures.append(f"check of a confidential table: {checked.stdout}")
            # The same levels from other rows: only the content differs.
            write(folder, {"t.csv": table.replace("4999", "4999\n1,1,0")})
            checked = run("check", "--strict")
            if checked.returncode != (1 if key else 0):
                failures.append(f"other content, {'with' if key else 'without'} a key: {checked.stdout}")
            write(folder, {"t.csv": table.replace("3762", "1762")})
            for form in ("text", "sarif", "junit", "github", "markdown"):
                checked = run("check", "--format", form)
                if checked.returncode != 1 or "exp(" in checked.stdout or "1762" in checked.stdout:
                    failures.append(f"a failure as {form}: {checked.stdout}")


def locks_of_format_1():
    """Exact levels are compared as before, and converted for a reason; earlier acceptances lose their numbers."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(HERE, "lock", "format-1"), folder, dirs_exist_ok=True)
        for arguments, status in ((["check"], 0), (["write", "s.json"], 2), (["accept", "--reason", "r"], 2)):
            if (done := lock(*arguments, cwd=folder)).returncode != status:
                failures.append(f"format 1: {arguments[0]} exits with {done.returncode}: {done.stdout}{done.stderr}")
        if lock("upgrade", "--reason", "promises", cwd=folder).returncode != 0:
            failures.append("format 1 is not converted")
        with open(os.path.join(folder, "oddsbound.lock.json"), encoding="utf-8") as file:
            text = file.read()
        # The LDP level, log(3), is one of the mechanism, and no promise is above it.
        if json.loads(text)["oddsbound_lock"] != 2 or "exp(" in text or "log(" in text.replace('"log(3)"', ""):
            failures.append(f"format 2 has exact levels of a confidential table: {text}")
        if lock("check", "--strict", cwd=folder).returncode != 0 or lock("upgrade", "--reason", "r", cwd=folder).returncode != 2:
            failures.append("what was converted does not pass, or is converted twice")


def promises_stay(folder, name, key="bcdp a"):
    with open(os.path.join(folder, "oddsbound.lock.json"), encoding="utf-8") as file:
        return json.load(file)["specs"][name]["levels"][key]


def two_attributes(**others):
    """An attribute that is not released, and one that is; they correlate under the prior."""
    value = spec({"type": "on", "coordinates": ["b"], "mechanism": matrix(["3/4", "1/4"], ["1/4", "3/4"])}, **others)
    return {**value, "domain": [{"name": "a", "size": 2}, {"name": "b", "size": 2}]}


def moves_keep_promises():
    """A spec that is moved and written again keeps its promises."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "specs"))
        own = two_attributes(prior={"type": "counts", "counts": [200, 100, 100, 200], "published": True})
        write(os.path.join(folder, "specs"), {"a.json": own})
        lock("write", "--headroom", "5%", "specs", cwd=folder)
        before = promises_stay(folder, "specs/a.json")
        own["prior"]["counts"] = [201, 99, 99, 201]
        write(os.path.join(folder, "specs"), {"a.json": own})
        lock("write", "--headroom", "5%", "specs", cwd=folder)
        os.rename(os.path.join(folder, "specs/a.json"), os.path.join(folder, "specs/b.json"))
        written = lock("write", "--headroom", "5%", "specs", cwd=folder)
        if written.returncode != 0 or promises_stay(folder, "specs/b.json") != before:
            failures.append(f"a spec that moved has other promises: {written.stderr}")


def attributes_called_like_keys():
    """A set of priors over coordinates named like keys of the format changes if a number changes."""
    for name in ("file", "published", "count", "type", "of", "sets", "rows", "about", "priors", "known", "marginals"):
        def over(p, name=name):
            prior = {"type": "product", "marginals": {name: [p, f"1-{p}"], "b": ["1/2", "1/2"]}}
            value = two_attributes(prior_sets={"near": {"type": "any_of", "priors": [prior]}}, parameters={"p": "1/4", "q": "1/8"})
            value["domain"][0]["name"] = name
            value["claims"] = [{"notion": "bcdp", "epsilon": {"b": "10"}, "for_all": "near"}]
            return {"s.json": value}
        story(f"a set over an attribute '{name}'", over("p"), over("q"))


def names_that_read_like_questions():
    """No coordinate's level is mistaken for that of a claim, whatever its name is."""
    for odd in ("for_all priors under which coordinates are independent (near) x", 'for_all "priors under which coordinates are independent (near)" x'):
        def spec_of(together, odd=odd):
            names = ["x", odd, "e"]
            rest = 500 - together
            counts = [together, 0, rest, 0, rest, 0, together, 0]
            released = {"type": "on", "coordinates": ["x"], "mechanism": matrix(["3/4", "1/4"], ["1/4", "3/4"])}
            return {"s.json": {**spec(released, [{"notion": "bcdp", "epsilon": {"x": "10"}, "for_all": "near"}],
                                      prior={"type": "counts", "counts": counts, "published": True}, prior_sets={"near": {"type": "product"}}),
                               "domain": [{"name": name, "size": 2} for name in names]}}
        story(f"an attribute called {odd}", spec_of(275), spec_of(450))


def reveals(text, numbers):
    return [number for number in numbers if re.search(rf"(?<![\d.]){number}(?!\d)", text)]


def counts_that_hide():
    """Neither descriptions of a set nor errors show counts of a confidential table; refreshing it changes no
    question."""
    with tempfile.TemporaryDirectory() as folder:
        own = two_attributes(prior={"type": "counts", "counts": [371, 129, 158, 343]})
        own["claims"] = [{"notion": "bcdp", "epsilon": {"a": "10"}, "for_all": {"type": "sample", "confidence": "0.95"}}]
        write(folder, {"s.json": own})
        written = lock("write", "--headroom", "5%", "s.json", cwd=folder)
        with open(os.path.join(folder, "oddsbound.lock.json"), encoding="utf-8") as file:
            text = file.read()
        if written.returncode != 0 or reveals(text, ["1001", "371"]):
            failures.append(f"a lock names the number of respondents: {written.stderr}{text}")
        own["prior"]["counts"][3] += 1
        write(folder, {"s.json": own})
        if (checked := lock("check", cwd=folder)).returncode != 0:
            failures.append(f"one more respondent is another question: {checked.stdout}")
        own["claims"][0]["for_all"] = {"type": "marginals", "sets": [["a", "b"]], "tables": [{"of": ["a"], "prior": {"type": "uniform"}}]}
        write(folder, {"s.json": own})
        refused = lock("write", "s.json", cwd=folder)
        if refused.returncode != 2 or reveals(refused.stderr, ["1002", "500", "501", "502"]):
            failures.append(f"an error shows what a confidential table holds: {refused.stderr}")


def levels_that_become_finite():
    """An infinite level that becomes finite is an improvement; the promises behind it stay."""
    identity, noisy = matrix(["1", "0"], ["0", "1"]), matrix(["3/4", "1/4"], ["1/4", "3/4"])
    story("an infinite level becomes finite", {"s.json": spec(identity)}, {"s.json": spec(noisy)}, status=0)
    rare = matrix(["1", "0"], ["0.999999999", "1e-9"])
    with tempfile.TemporaryDirectory() as folder:
        for step, (mechanism, status) in enumerate(((rare, 0), (noisy, 0), (identity, 1))):
            write(folder, {"s.json": spec(mechanism)})
            if (done := lock("write", "s.json", cwd=folder)).returncode != status:
                failures.append(f"behind an infinite level, step {step}: {done.returncode} {done.stderr}")


def tables_that_change_their_status():
    """A table that is no longer published has rounded promises after the next write; without a key digests stay."""
    with tempfile.TemporaryDirectory() as folder:
        own = two_attributes(prior={"type": "counts", "counts": [431, 112, 97, 361], "published": True})
        write(folder, {"s.json": own})
        lock("write", "s.json", cwd=folder)
        del own["prior"]["published"]
        write(folder, {"s.json": own})
        lock("write", "s.json", cwd=folder)
        if not re.fullmatch(r"[\d.]{1,5}", promises_stay(folder, "s.json")):
            failures.append(f"an exact promise about a confidential table stays: {promises_stay(folder, 's.json')}")
    story("a table that is published, with a confidential set beside it",
          {"s.json": two_attributes(prior={"type": "counts", "counts": [431, 112, 97, 361], "published": True},
                                    claims=[{"notion": "bcdp", "epsilon": {"a": "10"}, "for_all": {"type": "any_of", "priors": [{"type": "uniform"}]}}])},
          {}, status=0)
    with tempfile.TemporaryDirectory() as folder:
        write(folder, {"s.json": two_attributes(prior={"type": "counts", "counts": [431, 112, 97, 361]})})
        for key in ("a key", ""):
            subprocess.run([BINARY, "lock", "write", "s.json"], cwd=folder, env={**os.environ, "ODDSBOUND_LOCK_KEY": key}, capture_output=True, timeout=60)
        with open(os.path.join(folder, "oddsbound.lock.json"), encoding="utf-8") as file:
            if "hmac-sha256:" not in file.read():
                failures.append("writing without the key drops what was written with it")


def harmless_orders():
    """The same content in another order is the same question."""
    published = {"type": "csv", "file": "t.csv", "published": True}
    table = {"type": "marginals", "tables": [{"of": ["a", "b"], "prior": published}]}
    own = two_attributes(prior_sets={"near": table}, claims=[{"notion": "bcdp", "epsilon": {"a": "10"}, "for_all": "near"}])
    story("rows and columns of a table within a set", {"s.json": own, "t.csv": "a,b\n0,0\n0,1\n1,0\n1,1\n1,1\n"},
          {"t.csv": "c,b,a\nx,1,1\nx,0,1\ny,1,0\nx,0,0\nx,1,1\n"}, status=0)
    priors = [{"type": "uniform"}, {"type": "probabilities", "probabilities": ["1/2", "0", "0", "1/2"]}]

    def any_of(order):
        return {"s.json": two_attributes(claims=[{"notion": "bcdp", "epsilon": {"a": "10"}, "for_all": {"type": "any_of", "priors": order}}])}
    story("priors of a list", any_of(priors), any_of(priors[::-1]), status=0)
    three = {**two_attributes(prior={"type": "uniform"}), "domain": [{"name": name, "size": 2} for name in "abc"]}

    def known(order):
        return {"s.json": {**three, "claims": [{"notion": "bcdp", "epsilon": {"a": "10"}, "known": order}]}}
    story("attributes that are known", known(["b", "c"]), known(["c", "b"]), status=0)


for act in (parameters_behind_questions, bounds_of_many_pairs, losses_of_many_outputs, another_mechanism, carriage_returns,
            no_levels_before, claims_that_measure, folders_that_are_named, limits_leave_open, locks_of_version_0_5, claims_that_weaken, sets_that_narrow,
            public_attributes, behind_an_infinite_level, searches_that_stop, confidential_tables, locks_of_format_1,
            moves_keep_promises, attributes_called_like_keys, names_that_read_like_questions, counts_that_hide, levels_that_become_finite,
            tables_that_change_their_status, harmless_orders):
    act()
print("\n".join(failures) if failures else "nothing that grew passes")
sys.exit(1 if failures else 0)
