"""Shared by the tests of certificates: runs the program, asks the checker, and makes certificates that must be
rejected."""
import contextlib
import copy
import io
import json
import os
import subprocess
import sys
from fractions import Fraction

from oddsbound_check.cli import main
from oddsbound_check.report import ACCEPTED, NOT_PROVED


class Run:
    def __init__(self, binary, folder):
        self.binary, self.folder, self.passed, self.problems = binary, folder, 0, []

    def certificate(self, spec, *options):
        """The certificate as written (None if there is none) and the exit status."""
        path = os.path.join(self.folder, "certificate.json")
        if os.path.exists(path):
            os.remove(path)
        run = subprocess.run([self.binary, "analyze", "--certificate", path, *options, spec], capture_output=True, text=True)
        if not os.path.exists(path):
            return None, run.returncode
        with open(path, encoding="utf-8") as file:
            return file.read(), run.returncode

    def checked(self, spec, certificate, *options):
        """The checker's exit status and its output."""
        path, said = os.path.join(self.folder, "checked.json"), io.StringIO()
        with open(path, "w", encoding="utf-8") as file:
            file.write(certificate)
        with contextlib.redirect_stdout(said):
            status = main([spec, path, *options])
        return status, said.getvalue()

    def expect(self, fine, problem):
        self.passed += bool(fine)
        if not fine:
            self.problems.append(problem)
            print(problem)

    def expect_accepted(self, what, spec, certificate):
        """Coordinates without a proof, and only these, lead to status 3."""
        status, said = self.checked(spec, certificate)
        document = json.loads(certificate)
        words = ["accepted"] * len(document["coordinates"]) + ["not proved"] * len(document["without"])
        fine = status == (NOT_PROVED if document["without"] else ACCEPTED) and [line.split(":")[0] for line in said.splitlines()] == words
        self.expect(fine, f"{what}: an honest certificate: {status}, {said.strip().splitlines()[-1:]}")

    def expect_rejected(self, what, spec, certificate, *options):
        status, said = self.checked(spec, certificate, *options)
        last = (said.splitlines() or [""])[-1]
        self.expect((status, last.split(":")[0]) in ((1, "rejected"), (2, "unreadable")), f"{what}: status {status}, {last}")


def too_low(document):
    """The same proofs, of bounds below the level that the witnesses show."""
    document = copy.deepcopy(document)
    changed = []
    for coordinate in document["coordinates"]:
        lower = Fraction(coordinate["lower"])
        if lower > Fraction(1, 1000):
            coordinate["upper"], coordinate["lower"] = f"{float(lower * Fraction(999999, 1000000)):.12f}", "0"
            changed.append(coordinate["coordinate"])
    return document, changed


def expect_honest(run, what, spec, text, most=None):
    """The certificate is accepted unchanged; every bound that is too low (at most `most` of them) is rejected."""
    run.expect_accepted(what, spec, text)
    document, changed = too_low(json.loads(text))
    for name in changed[:most]:
        run.expect_rejected(f"{what}, a bound of {name} that is too low", spec, json.dumps(document), "--coordinate", name)


def write(run, name, spec, table=None):
    if table:
        with open(os.path.join(run.folder, table[0]), "w", encoding="utf-8") as file:
            file.write("\n".join(",".join(map(str, row)) for row in table[1]) + "\n")
    path = os.path.join(run.folder, name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"oddsbound": 1, "name": name, **spec}, file)
    return path


def matrix(r, inputs, outputs, zeros=0.0):
    rows = []
    for _ in range(inputs):
        weights = [0 if r.random() < zeros else r.randint(1, 9) for _ in range(outputs)]
        weights[r.randrange(outputs)] += 1
        rows.append([str(Fraction(w, sum(weights))) for w in weights])
    return {"type": "matrix", "outputs": [f"o{k}" for k in range(outputs)], "rows": rows}
