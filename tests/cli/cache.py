"""Results that `--cache` keeps: a warm run prints what a cold one does, and nothing stale or damaged is ever used.

cache.py BINARY: prints a line per fault.
"""
import glob
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time

BINARY = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)


def run(*arguments, cwd=ROOT, binary=BINARY, libraries=""):
    done = subprocess.run([binary, *arguments], cwd=cwd, capture_output=True, timeout=300,
                          env={"PATH": os.environ["PATH"], "HOME": "/", "SOURCE_DATE_EPOCH": "0", "LD_LIBRARY_PATH": libraries})
    return done.returncode, done.stdout, done.stderr


def entries(cache):
    return sorted(glob.glob(os.path.join(cache, "*.result")))


def content(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def identities(cache):
    """An entry that is written anew is another file."""
    return {path: os.stat(path).st_ino for path in entries(cache)}


SPEC = {
    "oddsbound": 1, "name": "answers", "domain": [{"name": "sick", "values": ["no", "yes"]}, {"name": "old", "values": ["no", "yes"]}],
    "mechanism": {"type": "per_coordinate", "mechanisms": {"sick": {"type": "k_randomized_response", "epsilon": "1"},
                                                           "old": {"type": "k_randomized_response", "epsilon": "2"}}},
    "prior": {"type": "csv", "file": "people.csv", "published": True},
    "claims": [{"notion": "ldp", "epsilon": "3", "tight": True}, {"notion": "bcdp", "epsilon": {"sick": "2"}},
               {"notion": "bcdp", "epsilon": {"sick": "1/10"}, "expect": "refuted"}]}
TABLE = "sick,old,count\nno,no,40\nno,yes,10\nyes,no,7\nyes,yes,23\n"


def made(folder, **changes):
    """A folder with a spec and its table."""
    spec = {**SPEC, **changes}
    write(os.path.join(folder, "people.csv"), TABLE)
    write(os.path.join(folder, "spec.json"), json.dumps(spec))
    return os.path.join(folder, "spec.json")


def without_times(found):
    """Z3's time is part of a result: a warm run prints that of the cold run."""
    status, out, err = found
    return status, re.sub(rb'\d+\.\d ms|("(?:exact|smt|seconds)": )[0-9.e+-]+', b"N", out), err


def warm_is_cold():
    """Every format, of specs with unusual claims; the texts of whole folders."""
    some = ["specs/gallery/titanic.json", "specs/gallery/warner.json", "specs/sets-of-priors/two-groups.json",
            "specs/parametric/tails-and-averages.json", "specs/claims-of-the-papers/bcdp-corollary-1-case-2.json"]
    folders = ["specs/gallery", "specs/deployed", "specs/parametric"]
    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, "cache")
        for command, options, specs in [
                ("verify", ["--jobs", "2"], folders), ("verify", ["--format", "json"], some), ("verify", ["--format", "markdown"], some),
                ("verify", ["--format", "html"], some), ("verify", ["--format", "sarif"], some), ("verify", ["--explain"], some),
                ("verify", ["--quiet", "--jobs", "2"], some), ("verify", ["--max-cells", "4096"], ["tests/cli/data/many-lifts.json", *some]), ("analyze", [], some),
                ("analyze", ["--format", "json", "--tradeoff"], some)]:
            cold = run(command, *options, "--cache", cache, *specs)
            before = identities(cache)
            warm = run(command, *options, "--cache", cache, *specs)
            what = f"{command} {' '.join(options)}"
            expect(without_times(cold) == without_times(run(command, *options, *specs)), f"{what}: a run with an empty cache differs")
            expect(warm == cold, f"{what}: a warm run differs")
            expect(before and identities(cache) == before, f"{what}: a warm run writes results anew")


def most_are_kept():
    """Nearly all results of the gallery can be kept."""
    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, "cache")
        _, out, _ = run("verify", "--no-analysis", "--format", "json", "--cache", cache, "specs/gallery", "specs/claims-of-the-papers")
        specs = json.loads(out)["specs"]
        public = [spec for spec in specs if not spec.get("confidential")]
        expect(len(entries(cache)) >= len(public) - 2, f"{len(entries(cache))} of {len(public)} results are kept")


def modes():
    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, "new", "cache")
        before = os.umask(0)
        try:
            run("verify", "--cache", cache, made(folder))
        finally:
            os.umask(before)
        expect(stat.S_IMODE(os.stat(cache).st_mode) == 0o700, "the directory is open to others")
        expect(len(entries(cache)) == 1, f"not one entry: {os.listdir(cache)}")
        for name in os.listdir(cache):
            expect(stat.S_IMODE(os.stat(os.path.join(cache, name)).st_mode) == 0o600, f"{name} is open to others")
        expect(content(os.path.join(cache, ".gitignore")) == b"*\n", "version control sees the entries")
        for mode in (0o755, 0o770, 0o701):
            os.chmod(cache, mode)
            status, out, err = run("verify", "--cache", cache, os.path.join(folder, "spec.json"))
            expect(status == 2 and not out and err.count(b"\n") == 1 and b"0700" in err, f"mode {mode:o}: {status} {err}")
        os.chmod(cache, 0o700)
        new = os.path.join(folder, "above", "new")
        status, _, err = run("verify", "--cache", new + "//", os.path.join(folder, "spec.json"))
        expect(status == 0 and not err and len(entries(new)) == 1, f"a new directory with a slash at the end: {status} {err}")
        os.chmod(entries(cache)[0], 0o644)
        before = identities(cache)
        run("verify", "--cache", cache, os.path.join(folder, "spec.json"))
        expect(identities(cache) != before, "an entry that is open to others is used")
        status, _, err = run("verify", "--cache", os.path.join(folder, "people.csv"), os.path.join(folder, "spec.json"))
        expect(status == 2 and b"not a directory" in err, f"a file as the directory: {err}")


def changes_are_seen():
    """Table, spec, options, path and program: each makes another result, or another entry."""
    with tempfile.TemporaryDirectory() as folder:
        cache, spec = os.path.join(folder, "cache"), made(folder)

        def recomputes(what, *options, path=spec, binary=BINARY, libraries=""):
            before = identities(cache)
            found = run("verify", *options, "--cache", cache, path, binary=binary, libraries=libraries)
            expect(identities(cache) != before, f"{what}: an old result is used")
            expect(found == run("verify", *options, path, binary=binary), f"{what}: another result than without a cache")
            again = identities(cache)
            run("verify", *options, "--cache", cache, path, binary=binary, libraries=libraries)
            expect(identities(cache) == again, f"{what}: the new result is not kept")

        recomputes("at first")
        write(os.path.join(folder, "people.csv"), TABLE.replace("23", "2300"))
        recomputes("a changed table")
        write(os.path.join(folder, "people.csv"), TABLE)
        recomputes("the old table again")  # one entry for each spec
        made(folder, claims=SPEC["claims"][:2])
        recomputes("a changed spec")
        made(folder, claims=[{"notion": "ldp", "epsilon": "1"}])
        status, out, _ = run("verify", "--cache", cache, spec)
        expect(status == 1 and b"1 not" in out, "a claim that does not hold any more")
        made(folder)
        for options in (["--max-cells", "100000"], ["--max-seconds", "299"], ["--by-columns"], ["--max-inputs", "1000"], ["--explain"],
                        ["--smt-seconds", "59"], ["--format", "json"], ["--format", "json", "--tradeoff"], ["--format", "json", "--figures"]):
            recomputes(" ".join(options), *options)
        os.mkdir(os.path.join(folder, "copy"))
        recomputes("another path", path=made(os.path.join(folder, "copy")))
        program = os.path.join(folder, "oddsbound")
        shutil.copy(BINARY, program)
        with open(program, "ab") as file:
            file.write(b"\n")
        recomputes("another program", binary=program)
        loaded = re.search(r"=> (\S*/libfmt\.\S+)", subprocess.run(["ldd", BINARY], capture_output=True, text=True, check=True).stdout)
        expect(loaded, "the program does not load libfmt: choose another library")
        shutil.copy(loaded[1], folder)
        recomputes("another library", libraries=folder)
        os.remove(os.path.join(folder, "people.csv"))
        status, _, err = run("verify", "--cache", cache, spec)
        expect(status == 2 and b"people.csv" in err, f"a missing table: {status} {err}")


def damage():
    """Whatever happens to an entry: the result is computed, and the entry is replaced."""
    with tempfile.TemporaryDirectory() as folder:
        cache, spec = os.path.join(folder, "cache"), made(folder)
        right = run("verify", "--cache", cache, spec)
        [path] = entries(cache)
        whole = content(path)
        other = os.path.join(folder, "other")
        os.mkdir(other)
        run("verify", "--cache", cache, made(other, claims=[{"notion": "ldp", "epsilon": "9"}]))
        [stranger] = set(entries(cache)) - {path}
        forged = whole.replace(b'"verdict": "holds"', b'"verdict": "refuted"', 1).replace(b'"verdict":"holds"', b'"verdict":"refuted"', 1)
        expect(forged != whole, "the entry has no verdict to change")
        cases = [b"", b"\n", whole[:1], whole[:20], whole[:90], whole[:160], whole[:len(whole) // 2], whole[:-1], whole + b"x", forged,
                 content(stranger), b"\0" * len(whole), whole.replace(b"oddsbound cache 1", b"oddsbound cache 2")]
        cases += [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:] for at in range(0, len(whole), max(1, len(whole) // 25))]
        for number, bad in enumerate(cases):
            with open(path, "wb") as file:
                file.write(bad)
            expect(run("verify", "--cache", cache, spec) == right, f"damage {number} is seen")
            expect(content(path) == whole, f"damage {number} stays")
        os.remove(path)
        os.symlink(os.path.join(folder, "elsewhere"), path)
        expect(run("verify", "--cache", cache, spec) == right and not os.path.exists(os.path.join(folder, "elsewhere")), "a link is followed")
        os.remove(path)
        os.mkdir(path)
        done = run("verify", "--cache", cache, spec)
        expect(done[:2] == right[:2] and b"note: cannot keep a result" in done[2], f"a directory in the place of an entry: {done}")


def sizes():
    """Past the limit the entries that were used least recently go; parts of killed runs go after an hour."""
    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, "cache")
        big = {"oddsbound": 1, "domain": [{"name": "x", "size": 60}], "mechanism": {"type": "k_randomized_response", "epsilon": "1"},
               "claims": [{"notion": "ldp", "epsilon": "1"}]}
        paths = []
        for number in range(12):
            path = os.path.join(folder, f"spec-{number:02}.json")
            write(path, json.dumps({**big, "name": f"spec {number}", "description": str(number) * 150_000}))
            paths.append(path)
        for path in paths[:6]:
            run("verify", "--cache", cache, path)
        expect(len(entries(cache)) == 6, f"{len(entries(cache))} of 6 entries")
        now = time.time()
        for age, path in enumerate(entries(cache)):
            os.utime(path, (now - 7200 + age, now - 7200 + age))
        before = set(entries(cache))
        run("verify", "--cache", cache, paths[0])
        used = [path for path in before if os.stat(path).st_mtime > now - 60]
        expect(len(used) == 1, "use does not renew an entry")
        for name, age in (("part-killed", 7200), ("part-alive", 60)):
            path = os.path.join(cache, name)
            write(path, "")
            os.utime(path, (now - age, now - age))
        run("verify", "--cache", cache, "--cache-max-mb", "1", *paths[6:])
        total = sum(os.path.getsize(path) for path in entries(cache))
        expect(0 < total <= 1 << 20, f"{total} bytes are kept")
        left = before.intersection(entries(cache))
        expect(left <= set(used), "an older entry outlives a newer one")
        expect(not os.path.exists(os.path.join(cache, "part-killed")) and os.path.exists(os.path.join(cache, "part-alive")), "parts")
        write(paths[0], json.dumps({**big, "name": "huge", "description": "x" * 2_000_000}))
        kept = set(entries(cache))
        run("verify", "--cache", cache, "--cache-max-mb", "1", paths[0])
        expect(set(entries(cache)) <= kept, "an entry above the limit is kept")


def confidential():
    """What depends on a confidential table is kept only if that is asked for, and used only then."""
    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, "cache")
        spec = made(folder, prior={"type": "csv", "file": "people.csv"})
        plain = run("verify", spec)
        expect(run("verify", "--cache", cache, spec) == plain and not entries(cache), "a confidential result is kept")
        expect(run("verify", "--cache", cache, "--cache-confidential", spec) == plain and len(entries(cache)) == 1, "it is not kept when asked for")
        before = identities(cache)
        expect(run("verify", "--cache", cache, "--cache-confidential", spec) == plain and identities(cache) == before, "it is not used")
        os.utime(entries(cache)[0], (1, 1))
        expect(run("verify", "--cache", cache, spec) == plain and len(entries(cache)) == 1, "without the option")
        counts = made(folder, prior={"type": "counts", "counts": [40, 10, 7, 23]})
        run("verify", "--cache", cache, counts)
        expect(len(entries(cache)) == 1, "a confidential result with counts is kept")
        status, _, err = run("verify", "--cache-confidential", spec)
        expect(status == 2 and b"--cache" in err, f"--cache-confidential alone: {err}")


def limits():
    """What a limit of time left open is not kept; what a limit of size left open is."""
    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, "cache")
        names = [f"x{k}" for k in range(300)]
        nodes = [{"coordinate": name, "parents": names[k - 1:k] if k else [],
                  "table": [["1/3", "2/3"], [f"{k % 40 + 50}/101", f"{51 - k % 40}/101"]][:2 if k else 1]} for k, name in enumerate(names)]
        path = os.path.join(folder, "chain.json")
        write(path, json.dumps({"oddsbound": 1, "name": "chain", "domain": [{"name": name, "size": 2} for name in names],
                                "mechanism": {"type": "per_coordinate", "mechanisms": {"*": {"type": "k_randomized_response", "epsilon": "1"}}},
                                "prior": {"type": "network", "nodes": nodes}, "claims": [{"notion": "bcdp", "epsilon": {name: "1" for name in names}}]}))
        status, out, _ = run("verify", "--max-seconds", "1", "--cache", cache, path)
        expect(status == 3 and b"--max-seconds" in out and not entries(cache), f"a result cut short is kept: {status} {out[-300:]}")
        spec = os.path.join(ROOT, "tests/cli/data/many-lifts.json")
        done = run("verify", "--max-cells", "4096", "--cache", cache, spec)
        expect(done[0] == 3 and b"--max-cells" in done[1] and len(entries(cache)) == 1, f"a result within limits of size: {done}")
        before = identities(cache)
        expect(run("verify", "--max-cells", "4096", "--cache", cache, spec) == done and identities(cache) == before, "it is not used")


def around_the_cache():
    """Options that ask for more than results neither read nor write entries; several processes and checkpoints refuse."""
    with tempfile.TemporaryDirectory() as folder:
        cache, spec = os.path.join(folder, "cache"), made(folder)
        for options in (["--certificates", os.path.join(folder, "proofs")], ["--engine", "both"], ["--engine", "smt"],
                        ["--timings", "--format", "json"], ["--write-witness", os.path.join(folder, "priors")],
                        ["--emit-smt2", os.path.join(folder, "queries")]):
            run("verify", *options, "--cache", cache, spec)
            expect(not os.path.exists(cache) or not entries(cache), f"{options[0]} writes an entry")
        expect(glob.glob(os.path.join(folder, "proofs", "*")), "no certificate is written")
        run("verify", "--cache", cache, spec)
        shutil.rmtree(os.path.join(folder, "proofs"))
        run("verify", "--certificates", os.path.join(folder, "proofs"), "--cache", cache, spec)
        expect(glob.glob(os.path.join(folder, "proofs", "*")), "a warm run writes no certificate")
        if b"--checkpoint" in run("verify", "--help")[1]:
            status, _, err = run("verify", "--checkpoint", os.path.join(folder, "state"), "--cache", cache, spec)
            expect(status == 2 and b"--checkpoint" in err, f"with a checkpoint: {status} {err}")
        with open(spec, "rb") as source:
            done = subprocess.run([BINARY, "verify", "--cache", cache, "-"], stdin=source, cwd=folder, capture_output=True, timeout=60)
        expect(done.returncode == 0 and len(entries(cache)) == 1, f"standard input: {done}")
        wrong = os.path.join(folder, "wrong.json")
        write(wrong, json.dumps({**SPEC, "claims": 3}))
        first = run("verify", "--cache", cache, wrong)
        expect(first[0] == 2 and run("verify", "--cache", cache, wrong) == first and len(entries(cache)) == 1, "an error is kept")


def at_once():
    """Runs that share a directory, with a size limit that makes them remove each other's entries."""
    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, "cache")
        command = [BINARY, "verify", "--cache", cache, "--cache-max-mb", "1", "--jobs", "2", "specs/claims-of-the-papers"]
        right = run("verify", "specs/claims-of-the-papers")
        for _ in range(2):
            runs = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
            for one in runs:
                out, err = one.communicate(timeout=300)
                expect((one.returncode, out, err) == right, f"one of three runs at once differs: {err[:500]}")
        expect(not glob.glob(os.path.join(cache, "part-*")), "parts are left")


def locks():
    """A lock is measured anew: no entry changes it."""
    with tempfile.TemporaryDirectory() as folder:
        cache, spec = os.path.join(folder, "cache"), made(folder)
        run("verify", "--format", "json", "--cache", cache, spec)
        status, _, err = run("lock", "write", "--cache", cache, "spec.json", cwd=folder)
        expect(status == 2 and b"--cache" in err, f"lock write takes a cache: {err}")


for check in (warm_is_cold, most_are_kept, modes, changes_are_seen, damage, sizes, confidential, limits, around_the_cache, at_once, locks):
    check()
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
