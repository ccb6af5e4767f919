"""Runs the program as a user would and compares what it prints with golden files.

run.py BINARY; with --update the golden files are rewritten, to be reviewed as a diff.
"""
import difflib
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", ".."))
GOLDEN = os.path.join(HERE, "golden")
GALLERY = "specs/gallery"

# name, arguments, exit status, standard input
CASES = [
    ("analyze-titanic", ["analyze", f"{GALLERY}/titanic.json"], 0, None),
    ("analyze-example-2-twice", ["analyze", f"{GALLERY}/bcdp-example-2-twice.json"], 0, None),
    ("analyze-no-prior", ["analyze", f"{GALLERY}/warner.json"], 0, None),
    ("analyze-json", ["analyze", "--format", "json", f"{GALLERY}/half-copied.json"], 0, None),
    ("analyze-tradeoff", ["analyze", "--format", "json", "--tradeoff", f"{GALLERY}/parity-secret.json"], 0, None),
    ("verify-specs-folder", ["verify", "specs"], 0, None),
    ("verify-tradeoff-secret", ["verify", "--format", "json", "--tradeoff", f"{GALLERY}/parity-secret.json"], 0, None),
    ("verify-gallery", ["verify", GALLERY], 0, None),
    ("verify-json", ["verify", "--format", "json", f"{GALLERY}/mangat.json", f"{GALLERY}/warner.json"], 0, None),
    ("verify-color", ["verify", "--color", "always", "tests/cli/specs/failing.json"], 1, None),
    ("verify-failing", ["verify", "tests/cli/specs/failing.json"], 1, None),
    ("verify-failing-json", ["verify", "--format", "json", "tests/cli/specs/failing.json"], 1, None),
    ("verify-undecided", ["verify", "--max-cells", "100", "tests/cli/specs/large.json"], 3, None),
    ("verify-undecided-json", ["verify", "--max-cells", "100", "--format", "json", "tests/cli/specs/large.json"], 3, None),
    ("verify-error-first", ["verify", "tests/cli/broken/row-sum.json", "tests/cli/specs/failing.json", "tests/cli/specs/large.json"], 2, None),
    ("verify-error-json", ["verify", "--format", "json", "tests/cli/broken/row-sum.json", f"{GALLERY}/warner.json"], 2, None),
    ("analyze-structure", ["analyze", "tests/cli/specs/wide.json"], 0, None),
    ("hostile-names", ["analyze", "tests/cli/specs/hostile-names.json"], 0, None),
    ("standard-input", ["verify", "-"], 0, f"{GALLERY}/warner.json"),
    ("standard-input-error", ["verify", "-"], 2, "tests/cli/broken/row-sum.json"),
    ("max-inputs", ["verify", "--max-inputs", "10", f"{GALLERY}/titanic.json"], 2, None),
    ("help", ["--help"], 0, None),
    ("help-verify", ["verify", "--help"], 0, None),
    ("version", ["--version"], 0, None),
    ("no-command", [], 2, None),
    ("unknown-command", ["verfy", GALLERY], 2, None),
    ("unknown-option", ["verify", "--fromat", "json", GALLERY], 2, None),
    ("bad-format", ["verify", "--format", "xml", GALLERY], 2, None),
    ("bad-jobs", ["verify", "--jobs", "0", GALLERY], 2, None),
    ("no-paths", ["verify"], 2, None),
    ("missing-file", ["verify", "no-such-file.json"], 2, None),
    ("empty-directory", ["verify", "tests/cli/broken/data"], 2, None),
]


def run(binary, arguments, source, **options):
    stdin = open(os.path.join(ROOT, source), "rb") if source else subprocess.DEVNULL
    environment = {"PATH": os.environ["PATH"], "HOME": "/"}
    return subprocess.run([binary, *arguments], cwd=ROOT, stdin=stdin, capture_output=True, timeout=120, env=environment, **options)


def compare(name, what, found, update):
    path = os.path.join(GOLDEN, f"{name}.{what}")
    if update:
        if found or os.path.exists(path):
            with open(path, "w", encoding="utf-8") as file:
                file.write(found)
        return []
    expected = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            expected = file.read()
    return list(difflib.unified_diff(expected.splitlines(), found.splitlines(), f"{name}.{what}", "found", lineterm=""))


def golden_cases(binary, update):
    failures = 0
    for name, arguments, status, source in CASES:
        result = run(binary, arguments, source)
        problems = compare(name, "out", result.stdout.decode(), update) + compare(name, "err", result.stderr.decode(), update)
        if result.returncode != status:
            problems.append(f"{name}: exit status {result.returncode}, expected {status}")
        failures += bool(problems)
        print("\n".join(problems)) if problems else None
    return len(CASES), failures


def behaviours(binary):
    """Statements about whole runs that no golden file can make."""
    def closed_pipe():
        command = f"set -o pipefail; '{binary}' verify --format json {GALLERY} {GALLERY} {GALLERY} | head -c 1 > /dev/null"
        result = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, timeout=120)
        return result.returncode == 2 and b"cannot write to standard output" in result.stderr

    def full_disk():
        with open("/dev/full", "wb") as full:
            result = subprocess.run([binary, "schema"], stdout=full, stderr=subprocess.PIPE, timeout=60)
        return result.returncode == 2 and b"No space left" in result.stderr

    def jobs_agree():
        one, many = (run(binary, ["verify", "--format", "json", "--jobs", n, GALLERY], None) for n in ("1", "4"))
        return one.returncode == 0 and one.stdout == many.stdout

    def schema_is_printed():
        with open(os.path.join(ROOT, "specs/oddsbound.schema.json"), "rb") as file:
            return run(binary, ["schema"], None).stdout == file.read()

    def numbers_read_back():
        document = json.loads(run(binary, ["analyze", "--format", "json", f"{GALLERY}/titanic-half.json"], None).stdout)
        level = document["specs"][0]["analysis"]["bcdp"]["survived"]
        spec = {"oddsbound": 1, "name": "again", "domain": [{"name": "x", "size": 2}],
                "mechanism": {"type": "k_randomized_response", "epsilon": level["epsilon"]}}
        again = subprocess.run([binary, "analyze", "--format", "json", "-"], input=json.dumps(spec).encode(), capture_output=True, timeout=60)
        return json.loads(again.stdout)["specs"][0]["analysis"]["ldp"]["exp"] == level["exp"]

    def time_limit():
        result = run(binary, ["verify", "--max-seconds", "0.05", "tests/cli/specs/slow.json"], None)
        return result.returncode in (2, 3) and b"--max-seconds" in result.stdout + result.stderr

    def memory_limit():
        result = run(binary, ["verify", "--max-memory-mb", "16", "tests/cli/specs/slow.json"], None)
        return result.returncode in (2, 3) and b"--max-memory-mb" in result.stdout + result.stderr

    def many_labels():
        """134 million output labels stop at the memory limit, not at the machine's."""
        spec = {"oddsbound": 1, "name": "s", "domain": [{"name": "x", "size": 1}],
                "mechanism": {"type": "matrix", "outputs": 134217728, "rows": [[1]]}}
        result = subprocess.run([binary, "verify", "--max-memory-mb", "300", "-"], input=json.dumps(spec).encode(),
                                capture_output=True, timeout=60)
        return result.returncode == 2 and b"--max-memory-mb" in result.stderr

    def no_escape_sequences():
        results = [run(binary, arguments, None) for _, arguments, _, source in CASES if not source and "always" not in arguments]
        return all(b"\x1b" not in result.stdout + result.stderr for result in results)

    checks = [closed_pipe, full_disk, jobs_agree, schema_is_printed, numbers_read_back, time_limit, memory_limit, many_labels,
              no_escape_sequences]
    failed = [check.__name__ for check in checks if not check()]
    for name in failed:
        print("fails:", name)
    return len(checks), len(failed)


def main():
    binary = os.path.abspath(sys.argv[1])
    os.makedirs(GOLDEN, exist_ok=True)
    cases, failures = golden_cases(binary, "--update" in sys.argv)
    checks, failed = behaviours(binary)
    print(f"{cases + checks - failures - failed} passed, {failures + failed} failed")
    return 1 if failures + failed else 0


if __name__ == "__main__":
    sys.exit(main())
