"""Certificates of specs with too many inputs and outputs to enumerate: those of a folder are accepted, claim by claim,
and none is accepted for a false claim. A search over a set of priors is not repeated: such claims are not proved.

large_certificates.py BINARY FOLDER [--random N] [--seed S]: prints a line per problem, then "N passed, M
failed".
"""
import argparse
import glob
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from certificate_runs import write
from checking import digest, verdict
from random_specs import Generator
from oddsbound_check.certificate import read
from oddsbound_check.report import NotProved, Rejected
from oddsbound_check.spec import read_spec
from oddsbound_check.verdicts import Verdicts

SEARCHED = {("house-votes-wrong-table", 0), ("house-votes-wrong-table", 2), ("house-votes-wrong-table", 3)}
# Levels below the true ones.
FALSE = {("locations-5x7", 0): "999/1000", ("locations-5x7", 2): {"place": "999/1000"}, ("locations-35x25", 0): "999/1000",
         ("locations-35x25", 2): {"place": "999/1000"}, ("rappor-hundred-days", 0): "2*log(3) - 1/1000000",
         ("rappor-hundred-days", 2): {"page": "2*log(3) - 1/1000000", "country": "1312/1000"},
         ("house-votes-wrong-table", 4): {"party": "log((9 + exp(16))/10) - 1/1000000"},
         ("thousand-answers", 0): "1000*log(3) - 1/1000000", ("hundred-days", 0): "99"}


class Run:
    def __init__(self, binary, folder):
        self.binary, self.folder = os.path.abspath(binary), folder
        self.passed = self.failed = 0
        self.kinds = {}

    def expect(self, fine, problem):
        self.passed += bool(fine)
        self.failed += not fine
        if not fine:
            print(problem)

    def spec(self, path):
        folder, name = tempfile.mkdtemp(dir=self.folder), os.path.basename(path)[:-len(".json")]
        run = subprocess.run([self.binary, "verify", "--format", "json", "--certificates", folder, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=600)
        results = json.loads(run.stdout)["specs"][0]["claims"]
        document = read(os.path.join(folder, f"{name}-certificate.json"))
        proved = {int(entry["claim"]): entry for entry in document["claims"]}
        expected = [k for k in range(len(results)) if (name, k) not in SEARCHED]
        status = 0 if len(expected) == len(results) else 3
        self.expect(run.returncode == status and sorted(proved) == expected, f"{path}: status {run.returncode}, proved {sorted(proved)}")
        checker = Verdicts(read_spec(path), document)
        for k, entry in proved.items():
            self.claim(checker, name, k, entry)

    def claim(self, checker, name, k, entry):
        true = checker.spec.json["claims"][k]
        self.expect(self.accepts(checker, true, entry), f"{name}: claim {k} is rejected")
        if (name, k) in FALSE:
            # Tightness alone would be a reason for rejection.
            lower = {**true, "epsilon": FALSE[name, k], "tight": False}
            alone = {key: value for key, value in entry.items() if key != "attained"}
            self.expect(not self.accepts(checker, lower, alone), f"{name}: claim {k}, of less than is true")
        if entry["verdict"] == "refuted":
            more = {about: "inf" for about in true["epsilon"]} if isinstance(true["epsilon"], dict) else "inf"
            self.expect(not self.accepts(checker, {**true, "epsilon": more}, entry), f"{name}: claim {k} is refuted whatever it says")

    @staticmethod
    def accepts(checker, claim, entry):
        """None: not proved."""
        try:
            checker.check(checker.spec.claim_of(claim), entry)
        except Rejected:
            return False
        except NotProved:
            return None
        return True

    def forged(self):
        """Proofs by parts for a claim about a set of priors, and by blocks for a spec without blocks."""
        rows = [["1/4", "3/4"], ["1/2", "1/2"], ["3/4", "1/4"]]
        spec = {"domain": [{"name": "a", "values": ["x", "y", "z"]}], "prior": {"type": "uniform"},
                "mechanism": {"type": "matrix", "outputs": ["0", "1"], "rows": rows},
                "claims": [{"notion": "bdp", "epsilon": "log(3)", "tight": True, "for_all": {
                    "type": "any_of", "priors": [{"type": "probabilities", "probabilities": ["1/2", "1/2", "0"]}]}},
                    {"notion": "ldp", "epsilon": "log(3)"}]}
        path = write(self, "forged", spec)
        attained = [{"from": ["z"], "to": ["x"], "output": "0", "p_from": "3/4", "p_to": "1/4"}]
        forged = {"claim": 0, "name": "", "notion": "bdp", "verdict": "holds", "proof": "parts", "levels": [{"proof": "recompute"}], "attained": attained}
        cases = {"claim": 1, "name": "", "notion": "ldp", "verdict": "holds", "proof": "cases"}
        for entry, true in ((forged, {**forged, "claim": 1, "notion": "ldp"}), (cases, None)):
            document = {"oddsbound": 1, "certificate": "claims", "format": 1, "tool": {}, "file": "", "spec": "forged", "without": [], "undecided": [],
                        "files": [{"file": "", "sha256": digest(path)}], "claims": [entry]}
            certificate = os.path.join(self.folder, "forged-certificate.json")
            with open(certificate, "w", encoding="utf-8") as file:
                json.dump(document, file)
            said = []
            self.expect(verdict(path, certificate, tell=said.append) in (1, 2), f"a forged proof: {said[-1:]}")
            if true:
                del true["attained"]
                document["claims"] = [true]
                with open(certificate, "w", encoding="utf-8") as file:
                    json.dump(document, file)
                self.expect(verdict(path, certificate, only=1, tell=said.append) == 0, f"a true proof: {said[-1:]}")

    def random(self, number):
        self.at_level(number)
        self.without_cells(Generator(random.randrange(10**6), self.folder, symbols=False).write(number))

    def without_cells(self, path, statuses=(0, 1, 2, 3)):
        """A small spec whose inputs and outputs are not enumerated, if its parts are small enough."""
        folder = tempfile.mkdtemp(dir=self.folder)
        run = subprocess.run([self.binary, "verify", "--max-cells", "16", "--max-seconds", "5", "--certificates", folder, path],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
        self.expect(run.returncode in statuses, f"{path}: status {run.returncode}")
        for certificate in glob.glob(os.path.join(folder, "*.json")):
            said = []
            status, document = verdict(path, certificate, tell=said.append), read(certificate)
            proved = {entry["claim"] for entry in document["claims"]} - {entry["claim"] for entry in document["without"]}
            words = [line.split(":")[0] for line in said]
            self.expect(status != 2 and words.count("accepted") + words.count("not as expected") == len(proved), f"{path}: an honest certificate: {said[-1:]}")
            for entry in document["claims"]:
                kind = entry.get("proof", "for_all")
                self.kinds[kind] = self.kinds.get(kind, 0) + 1

    def at_level(self, number):
        """A random spec with claims at the true level, or slightly above."""
        path = random_spec(self, number)
        run = subprocess.run([self.binary, "verify", "--format", "json", path], stdout=subprocess.PIPE, timeout=300)
        found = json.loads(run.stdout)["specs"][0]["claims"]
        with open(path, encoding="utf-8") as file:
            claimed = json.load(file)
        for claim, result in zip(claimed["claims"], found):
            raise_to(claim, result["actual"].get("hidden", result["actual"]))
        with open(path, "w", encoding="utf-8") as file:
            json.dump(claimed, file)
        self.without_cells(path, (0, 1, 3))


def raise_to(claim, level):
    most = level.get("at_most", level)
    text = most["epsilon"] if most["epsilon"] == "inf" or random.random() < 0.4 else f"{most['upper']} + 1/10000000"
    claim["epsilon"] = {"hidden": text} if isinstance(claim["epsilon"], dict) else text
    if text == most["epsilon"] and random.random() < 0.5:
        claim["tight"] = True


def random_spec(run, number):
    """Labels, some of them without mass, and two or three attributes; each part of the mechanism sees one, and maybe
    the label."""
    labels = random.choice([2, 2, 3])
    domain = [{"name": "hidden", "values": [f"v{k}" for k in range(labels)]}]
    domain += [{"name": f"a{k}", "values": [f"u{j}" for j in range(random.choice([2, 2, 3]))]} for k in range(random.choice([2, 3]))]
    parts = []
    for coordinate in domain[random.randrange(2):]:
        parts.append({"type": "on", "coordinates": [coordinate["name"]], "mechanism": random_rows(len(coordinate["values"]))})
    inputs = 1
    for coordinate in domain:
        inputs *= len(coordinate["values"])
    counts = [random.choice([0, 0, 1, 2, 5, 30]) for _ in range(inputs)]
    counts[random.randrange(inputs)] += 1
    if random.random() < 0.2:
        counts[:inputs // labels] = [0] * (inputs // labels)
        counts[-1] += 1
    sets = [{"type": "weights", "factor": random.choice(["5/4", "2", "1"])},
            {"type": "contaminated", "share": random.choice(["1/20", "1/2", "0"]), "support": random.choice(["prior", "domain"])},
            {"type": "total_variation", "radius": random.choice(["1/50", "1/3", "0"])}]
    sets += [{"type": "all"}, {"type": "product"}, {"type": "correlation", "at_most": "1/10"}]
    claims = [{"notion": "bcdp", "epsilon": {"hidden": "1"}, "for_all": stated} for stated in sets]
    claims += [{"notion": "ldp", "epsilon": "1"}, {"notion": "cdp", "epsilon": {"hidden": "1"}}, {"notion": "bcdp", "epsilon": {"hidden": "1"}}]
    return write(run, f"large-{number}", {"domain": domain, "prior": {"type": "counts", "counts": [str(c) for c in counts]},
                                          "mechanism": {"type": "compose", "mechanisms": parts}, "claims": claims})


def random_rows(size):
    if random.random() < 0.5:
        return {"type": "k_randomized_response", "epsilon": random.choice(["1", "log(3)", "1/2"])}
    rows = []
    for _ in range(size):
        weights = [random.choice([0, 1, 1, 2, 3, 7]) for _ in range(3)]
        weights[random.randrange(3)] += 1
        rows.append([str(Fraction(w, sum(weights))) for w in weights])
    return {"type": "matrix", "outputs": ["x", "y", "z"], "rows": rows}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(arguments.binary, folder)
        for path in sorted(glob.glob(os.path.join(arguments.folder, "*.json"))):
            run.spec(path)
        for number in range(arguments.random):
            run.random(number)
        run.forged()
    print(f"where nobody goes through inputs and outputs, proofs of {run.kinds}")
    print(f"{run.passed} passed, {run.failed} failed")
    return 1 if run.failed else 0


if __name__ == "__main__":
    sys.exit(main())
