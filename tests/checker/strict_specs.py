"""The strict reader of specs (oddsbound_check.spec) against known files: it rejects every broken spec of tests/cli/broken,
and ambiguous JSON; it reads every spec of specs/ and of the tests. Checkers end with exit status 2 on a file that is
no spec.

strict_specs.py BINARY: prints a line per problem, then "N passed, M failed".
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
from oddsbound_check.spec import read_spec
from column_designs import ColumnRequest
from oddsbound_check.report import Rejected
from oddsbound_check.reading import Refused

ROOT = os.path.join(HERE, "..", "..")
BROKEN = os.path.join(HERE, "..", "cli", "broken")
FORGERIES = os.path.join(HERE, "forgeries")
# Read by the program with --rounded-rows or --row-tolerance only, and specs that must be rejected.
NOT_READ = ("printed-matrix.json", "solved-in-floats.json", "rounded-no-claims.json", "spec-declared.json", "spec-other-domain.json")
GOOD = {"oddsbound": 1, "name": "s", "domain": [{"name": "x", "size": 2}],
        "mechanism": {"type": "matrix", "outputs": 2, "rows": [["3/4", "1/4"], ["1/4", "3/4"]]}, "claims": [{"notion": "ldp", "epsilon": "log(3)"}]}


def is_read(path):
    try:
        read_spec(path)
        return True
    except Refused as error:
        return str(error)


def written(folder, text):
    path = os.path.join(folder, "spec.json")
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return path


def changed(**parts):
    return json.dumps({**GOOD, **parts})


def row(*cells):
    return changed(mechanism={"type": "matrix", "outputs": len(cells), "rows": [list(cells), list(cells)]})


def symbols(first, second, **ranges):
    return changed(symbols=ranges, mechanism={"type": "matrix", "outputs": 2, "rows": [[first, second], [second, first]]}, claims=[])


REFUSED = {
    "a key twice": changed().replace('"name": "s"', '"name": "s", "name": "s"'),
    "a key twice, once by an escape": changed().replace('"name": "s"', '"name": "s", "\\u006eame": "s"'),
    "NaN": changed().replace("1,", "NaN,", 1),
    "half of a pair of escapes": changed().replace('"s"', '"\\ud800"'),
    "no UTF-8": changed().encode().replace(b'"s"', b'"\xff"'),
    "too deep": changed()[:-1] + ', "prior": ' + '{"type": "mixture", "weights": [1], "components": [' * 120 + "]}" * 120 + "}",
    "text behind it": changed() + "x",
    "a number that is too large": changed().replace('"oddsbound": 1', '"oddsbound": 1e999'),
    "a version as text": changed(oddsbound="1"),
    "a version that is 1.0": changed().replace('"oddsbound": 1', '"oddsbound": 1.0'),
    "a sum above 1": row("1", "1/2"),
    "inf in a sum": row("1", "inf - inf"),
    "an infinite quotient": row("1", "1/inf"),
    "a power of powers": row("1", "0^2^3"),
    "digits of another script": row("1", "\u0660"),
    "a line break in an expression": row("1", "0\n"),
    "a logarithm of 0": row("1", "0*exp(log(0))"),
    "roots in cells": row("2-sqrt(2)", "sqrt(2)-1"),
    "nothing divided by 0": row("1", "0/0"),
    "a parameter that is not used": changed(parameters={"a": "1/0"}),
    "a level below 0": changed(claims=[{"notion": "ldp", "epsilon": "log(1/2)"}]),
    "a level below 0, hardly": changed(claims=[{"notion": "ldp", "epsilon": "1 - 1 - 1e-30"}]),
    "a level of an exponential": changed(claims=[{"notion": "ldp", "epsilon": "exp(1)"}]),
    "symbols, a sum that is 1 at one value": symbols("t", "1/2", t={"ge": "0", "le": "1"}),
    "symbols, a negative entry in a part of the range": symbols("t", "1-t", t={"ge": "0", "le": "2"}),
    "symbols, a negative entry near an open end": symbols("t-1/1000", "1001/1000-t", t={"gt": "0", "le": "1"}),
    "symbols, a quotient by 0 at an end": symbols("t/t", "0", t={"ge": "0"}),
    "symbols, a quotient by 0 inside": symbols("1/2 + 0/(t-1)", "1/2", t={"gt": "0", "lt": "2"}),
    "symbols, an entry that is negative for e": symbols("t*(exp(1)-2.8)", "1-t*(exp(1)-2.8)", t={"ge": "0", "le": "1"}),
    "symbols, a level that may be negative": changed(symbols={"t": {"gt": "0"}}, claims=[{"notion": "ldp", "epsilon": "log(t)"}]),
    "a value twice": changed(domain=[{"name": "x", "values": ["a", "a"]}]),
    "two claims about it, one with a key of another notion": changed(claims=[*GOOD["claims"], {"notion": "ldp", "epsilon": "1", "delta": "0"}]),
}
READ = {
    "as it is": changed(),
    "a byte order mark": b"\xef\xbb\xbf" + changed().encode(),
    "a sum of exponentials": row("exp(1)/(1+exp(1))", "1/(1+exp(1))"),
    "a rational number in disguise": row("(exp(2)+exp(1))/(exp(1)+1)/exp(1)", "0"),
    "a logarithm that is a number": row("log(exp(1))", "0"),
    "spaces and signs": row(" 1 - - 0 ", "--0"),
    "symbols, strictly inside": symbols("t/t", "0", t={"gt": "0"}),
    "symbols without a low end": symbols("1/(1+t^2)", "t^2/(1+t^2)", t={}),
    "symbols below 0": symbols("-t", "1+t", t={"ge": "-1", "le": "0"}),
    "symbols beside e": symbols("exp(1)*t/(1+exp(1)*t)", "1/(1+exp(1)*t)", t={"ge": "0"}),
    "symbols, an entry that is positive for e": symbols("t*(exp(1)-2.7)", "1-t*(exp(1)-2.7)", t={"ge": "0", "le": "1"}),
}
# (command, spec, certificate, further arguments): exit status.
STATUSES = {("-m", "oddsbound_check", name + ".json", name + "-forged.json"): 2 for name in ("dup", "rows", "unk")}
STATUSES |= {("design_certificates.py", "comma.design.json", "comma-proof.json"): 1,
             ("design_certificates.py", "comma.design.json", "comma-proof.json", "--mechanism", "comma-best.json"): 1,
             ("design_certificates.py", "comma.design.json", "comma-honest.json"): 0,
             ("design_certificates.py", "comma.design.json", "comma-other-place.json"): 1,
             ("design_certificates.py", "comma-parts.design.json", "comma-parts-unquoted.json"): 0,
             ("design_certificates.py", "dup.json", "comma-honest.json"): 2}
# Only outputs and rows of a mechanism's file count, not its own parameters, prior or domain. (request, proof,
# mechanism): exit status.
MECHANISMS = {("levels", "levels", "levels-own"): 1, ("levels", "levels", "levels-flipped"): 1, ("levels", "levels", "levels-reversed"): 1,
              ("levels", "levels", "levels-public"): 1, ("levels", "levels", "levels-names"): 1, ("levels", "levels", "levels-best"): 0,
              ("levels", "levels", "levels-best-own"): 0, ("prior", "prior", "prior-own"): 1,
              # Over sets of priors: proved by the form of the set, or by extremes only.
              ("sets", "sets", "sets-hardly"): 1, ("sets", "sets", "sets-steps"): 1, ("sets", "sets", "sets-best"): 0,
              ("sets-mixed", "sets", "sets-steps"): 0, ("sets-mixed", "sets", "sets-steep"): 1, ("sets-network", "sets", "sets-flat"): 0,
              ("sets-network", "sets", "sets-close"): 3, ("sets-network", "sets", "sets-steep"): 1,
              ("found", "found", "found-best"): 0, ("found", "found", "found-reversed"): 1}
STATUSES |= {("design_certificates.py", f"{request}.design.json", f"{proof}-proof.json", "--mechanism", f"{mechanism}.json"): status
             for (request, proof, mechanism), status in MECHANISMS.items()}
# Rejected by the program if outputs are found: constraints over sets of priors, and those that sum over outputs.
FOUND = ("found-sets", "found-delta")
STATUSES |= {("design_certificates.py", f"{name}.design.json", f"{name}-proof.json"): 2 for name in FOUND}


def is_refused(name):
    """True if the reader of certificates also rejects it."""
    try:
        ColumnRequest(os.path.join(FORGERIES, f"{name}.design.json"))
        return False
    except Rejected:
        return True


def main():
    problems, count = [], 0
    for path in sorted(glob.glob(os.path.join(BROKEN, "*.json"))):
        count += 1
        problems += [f"read: {os.path.basename(path)}"] if is_read(path) is True else []
    for folder in ("specs", "tests/cli/specs", "tests/cli/designs", "tests/cli/releases"):
        for path in sorted(glob.glob(os.path.join(ROOT, folder, "**", "*.json"), recursive=True)):
            with open(path, encoding="utf-8") as file:
                is_spec = '"oddsbound": 1,' in file.read()
            if is_spec and os.path.basename(path) not in NOT_READ:
                count += 1
                found = is_read(path)
                problems += [] if found is True else [f"refused: {path}: {found}"]
    with tempfile.TemporaryDirectory() as folder:
        for texts, wanted in ((REFUSED, False), (READ, True)):
            for name, text in texts.items():
                count += 1
                path = written(folder, text)
                found, run = is_read(path), subprocess.run([sys.argv[1], "verify", path], capture_output=True, check=False)
                problems += [] if (found is True) == wanted else [f"{name}: {'read' if found is True else found}"]
                problems += [] if (run.returncode != 2) == wanted else [f"{name}: the program ends with {run.returncode}: {run.stderr.decode()}"]
    for (command, *arguments), status in STATUSES.items():
        count += 1
        program = command if command == "-m" else os.path.join(HERE, command)
        run = subprocess.run([sys.executable, program, *arguments], cwd=FORGERIES, capture_output=True, check=False, env={**os.environ, "PYTHONPATH": HERE})
        problems += [] if run.returncode == status else [f"{command} {arguments}: status {run.returncode}, expected {status}: {run.stdout.decode()}"]
    for name in FOUND:
        count += 1
        problems += [] if is_refused(name) else [f"found outputs, not refused: {name}"]
    for line in problems:
        print(line)
    print(f"{count - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
