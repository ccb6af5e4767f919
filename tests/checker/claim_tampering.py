"""The checker accepts honest certificates of verdicts and rejects all tampered ones, including proofs of other claims,
of other mechanisms and of false claims.

claim_tampering.py BINARY SPEC_OR_FOLDER... [--tries N] [--seed S] [--random N]: one line per wrong answer, then "N
passed, M failed". --tries: N faults per spec (default: all); --random: also N random specs.
"""
import argparse
import copy
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

from checking import verdict as status_of
from claim_faults import DOCUMENTS, FAULTS, TEXTS
from random_specs import Generator
from reference import Spec

FAR = "40"  # nats that every finite level is below


def write(path, spec):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(spec, file)


class Tamperer:
    def __init__(self, binary, folder, tries):
        self.binary, self.folder, self.tries = binary, folder, tries
        self.passed = self.failed = self.believed = 0
        self.proofs, self.faults = {}, dict.fromkeys((*FAULTS, *DOCUMENTS, *TEXTS), 0)

    def expect(self, fine, problem):
        self.passed += bool(fine)
        self.failed += not fine
        if not fine:
            print(problem)

    def verified(self, path):
        """The results of the claims, and the certificate (None if there is none)."""
        folder = tempfile.mkdtemp(dir=self.folder)
        run = subprocess.run([self.binary, "verify", "--format", "json", "--certificates", folder, path], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, timeout=900)
        specs = json.loads(run.stdout)["specs"]
        written = os.listdir(folder)
        if not specs or not written:
            return (specs[0]["claims"] if specs else []), None
        with open(os.path.join(folder, written[0]), encoding="utf-8") as file:
            document = json.load(file)
        told = "not proved" in run.stderr
        self.expect(told == bool(document["without"]) and (not told or run.returncode in (1, 3)), f"{path}: what is not proved is told, and in the status")
        return specs[0]["claims"], document

    def checked(self, path, text, only=None, memory=None):
        """The exit status and the lines."""
        certificate, said = os.path.join(self.folder, "checked.json"), []
        with open(certificate, "w", encoding="utf-8") as file:
            file.write(text)
        return status_of(path, certificate, only, said.append, memory), said

    def refused(self, what, path, document, only=None, memory=None, may_be_unproved=False):
        """may_be_unproved: limits of the checker may end it."""
        text = document if isinstance(document, str) else json.dumps(document)
        status, said = self.checked(path, text, only, memory)
        refusal = {1: "rejected:", 2: "unreadable:", 3: "not proved:" if may_be_unproved else "none"}.get(status, "none")
        self.expect(any(line.startswith(refusal) for line in said), f"{path}: {what}: accepted: {status}, {said[-1:]}")

    def spec(self, path):
        results, document = self.verified(path)
        decided = [r["index"] for r in results if r["verdict"] != "undecided"]
        self.expect((document is not None) == bool(decided), f"{path}: a certificate where something is decided")
        if document is None:
            return
        self.honest(path, results, document)
        memory = {}
        self.tamper(path, document, memory)
        self.forge(path, results, document)

    def honest(self, path, results, document):
        status, said = self.checked(path, json.dumps(document))
        without = {entry["claim"] for entry in document["without"]}
        believed = sum("on the word" in line for line in said)
        unexpected = decided = 0
        for r in results:
            lines = [line for line in said if re.match(f"(accepted|not as expected|not proved): claim {r['index']}[ :]", line)]
            proved = [line for line in lines if not line.startswith("not proved")]
            if r["verdict"] == "undecided" or r["index"] in without:
                self.expect(lines and lines[-1].startswith("not proved"), f"{path}: claim {r['index']}: {lines}")
                continue
            decided += 1
            self.expect(len(lines) == 1 and f"{r['notion']} {r['verdict']}" in lines[0], f"{path}: claim {r['index']}: {lines}")
            as_expected = (r["verdict"] == "refuted") == (r.get("expect", "holds") == "refuted")
            unexpected += not as_expected
            self.expect(not proved or proved[0].startswith("accepted") == as_expected, f"{path}: claim {r['index']}, expected {r.get('expect')}: {lines}")
        right = 1 if unexpected and any(line.startswith("not as expected") for line in said) else 0 if decided == len(results) > 0 and not believed else 3
        self.expect(status == right, f"{path}: an honest certificate: {status} and not {right}, {said[-1:]}")
        self.believed += believed
        for entry in document["claims"]:
            kind = entry.get("proof", "for_all")
            self.proofs[kind] = self.proofs.get(kind, 0) + 1

    def tamper(self, path, document, memory):
        possible = [(name, k) for name in FAULTS for k in range(len(document["claims"]))]
        random.shuffle(possible)
        tried = 0
        for name, k in possible:
            changed = copy.deepcopy(document)
            if self.tries is not None and tried >= self.tries or not FAULTS[name](changed["claims"][k], random):
                continue
            tried += 1
            self.faults[name] += 1
            self.refused(name, path, changed, changed["claims"][k].get("claim"), memory)
        for name, change in DOCUMENTS.items():
            changed = copy.deepcopy(document)
            change(changed)
            self.faults[name] += 1
            self.refused(name, path, changed, None, memory)
        text = json.dumps(document)
        for name, change in TEXTS.items():
            self.faults[name] += 1
            self.refused(name, path, change(text), None, memory)

    def forge(self, path, results, document):
        """Proofs of the same spec with levels that hold do not prove refuted ones; those of another mechanism do not
        prove this one."""
        with open(path, encoding="utf-8") as file:
            spec = json.load(file)
        if "symbols" in spec or not any(r["verdict"] == "refuted" for r in results):
            return
        folder = self.beside(path)
        raised = copy.deepcopy(spec)
        raised["claims"] = [self.raised(claim) for claim in spec["claims"]]
        other = os.path.join(folder, "raised.json")
        write(other, raised)
        _, forged = self.verified(other)
        self.expect(forged is not None, f"{path}: no certificate of the spec with levels that nothing exceeds")
        if forged is None:
            return
        self.refused("a certificate of a spec that claims more", path, forged)
        forged["files"][0] = document["files"][0]
        by_claim = {entry["claim"]: entry for entry in forged["claims"]}
        for r in results:
            if r["verdict"] == "refuted" and by_claim.get(r["index"], {}).get("verdict", "").startswith("holds"):
                self.refused("a proof of a claim that is false", path, forged, r["index"], may_be_unproved=True)

    def beside(self, path):
        """A folder with links to the contents of the spec's folder, next to links to that folder's neighbors."""
        own = os.path.dirname(os.path.abspath(path))
        base = tempfile.mkdtemp(dir=self.folder)
        for name in os.listdir(os.path.dirname(own)):
            if name != os.path.basename(own):
                os.symlink(os.path.join(os.path.dirname(own), name), os.path.join(base, name))
        folder = os.path.join(base, os.path.basename(own))
        os.mkdir(folder)
        for name in os.listdir(own):
            os.symlink(os.path.join(own, name), os.path.join(folder, name))
        return folder

    @staticmethod
    def raised(claim):
        """With levels that nothing exceeds."""
        claim = {key: value for key, value in claim.items() if key not in ("tight", "expect")}

        def far(value):
            if isinstance(value, dict) and "metric" in value:
                return {**value, "epsilon": FAR}
            if isinstance(value, dict):
                return {key: far(own) for key, own in value.items()}
            return [far(own) for own in value] if isinstance(value, list) else FAR
        if "delta" in claim:
            return {**claim, "delta": "1"}
        return {**claim, **{key: far(claim[key]) for key in ("epsilon", "rho") if key in claim}}

    def draws(self):
        """A prior that refutes a claim over a sample is just allowed by the draws: one somewhat farther out is
        rejected."""
        domain = [{"name": "hidden", "values": ["u", "v"]}, {"name": "told", "values": ["1", "2", "3"]}]
        two = {"type": "per_coordinate", "mechanisms": {"told": {"type": "k_randomized_response", "epsilon": "log(5)"}}}
        three = {"type": "matrix", "outputs": 2, "rows": [["9/10", "1/10"], ["1/2", "1/2"], ["1/5", "4/5"]] * 2}
        for name, mechanism, least in (("limits", two, "log(3/2)"), ("bets", three, "log(6/5)")):
            spec = {"oddsbound": 1, "name": name, "domain": domain, "prior": {"type": "counts", "counts": ["50", "30", "20", "20", "30", "45"]},
                    "mechanism": mechanism, "claims": [{"notion": "bcdp", "epsilon": {"hidden": least}, "expect": "refuted",
                                                        "for_all": {"type": "sample", "confidence": "19/20"}}]}
            path = os.path.join(self.folder, f"{name}.json")
            write(path, spec)
            _, document = self.verified(path)
            self.expect(document is not None and not document["without"] and self.checked(path, json.dumps(document))[0] == 0, f"{path}: an honest certificate")
            for share in (Fraction(1, 1000), Fraction(1, 100)):
                farther = copy.deepcopy(document)
                self.move(Spec(path), farther["claims"][0]["witness"], share)
                status, said = self.checked(path, json.dumps(farther))
                self.expect(status == 1 and "the draws speak against the prior" in said[-1], f"{path}: a prior {share} farther out: {said[-1:]}")

    def unread(self, path):
        """The reader of the checker's output is gone."""
        folder = tempfile.mkdtemp(dir=self.folder)
        subprocess.run([self.binary, "verify", "--certificates", folder, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=900, check=True)
        checker = [sys.executable, "-m", "oddsbound_check", os.path.abspath(path), os.path.join(folder, os.listdir(folder)[0])]
        child = subprocess.Popen(checker, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 cwd=os.path.dirname(os.path.abspath(__file__)))
        child.stdout.close()
        said = child.stderr.read()
        self.expect(child.wait() == 2 and not said, f"{path}: a checker that nobody reads: {child.returncode}, {said[-200:]}")

    def surveys(self):
        """Surveys with too many inputs to enumerate: the prior that refutes a claim over a set is a member; other
        priors are not."""
        names = [f"q{k}" for k in range(17)]
        rows = [[random.choice("ny") for _ in names] for _ in range(12)]
        folder = tempfile.mkdtemp(dir=self.folder)
        with open(os.path.join(folder, "rows.csv"), "w", encoding="utf-8") as file:
            file.write("\n".join([",".join(names), *map(",".join, rows)]) + "\n")
        table = {"type": "csv", "file": "rows.csv"}
        sets = [{"type": "all"}, {"type": "product"}, {"type": "correlation", "at_most": "1/3"}, {"type": "contaminated", "share": "1/9"},
                {"type": "contaminated", "share": "1/9", "support": "prior"}, {"type": "total_variation", "radius": "1/9"},
                {"type": "weights", "factor": "3/2"}, {"type": "side_knowledge", "about": names[1:5]}, {"type": "sample", "confidence": "9/10"},
                {"type": "any_of", "priors": [table]}, {"type": "mixtures_of", "priors": [table, {"type": "csv", "file": "other.csv"}]}]
        with open(os.path.join(folder, "other.csv"), "w", encoding="utf-8") as file:
            file.write("\n".join([",".join(names), *(",".join(reversed(row)) for row in rows)]) + "\n")
        asked = {"type": "k_randomized_response", "epsilon": "1/4"}
        spec = {"oddsbound": 1, "name": "survey", "domain": [{"name": name, "values": ["n", "y"]} for name in names], "prior": table,
                "mechanism": {"type": "per_coordinate", "mechanisms": {name: asked for name in names[:8]}},
                "claims": [{"notion": "bcdp", "epsilon": {"q0": "1/100"}, "for_all": stated, "expect": "refuted"} for stated in sets]}
        path = os.path.join(folder, "survey.json")
        write(path, spec)
        results, document = self.verified(path)
        self.expect(document is not None, f"{path}: no certificate of a survey")
        if document is None:
            return
        self.honest(path, results, document)
        found = {entry["claim"]: entry for entry in document["claims"]}
        self.expect(len(found) >= 9, f"{path}: {len(found)} of {len(sets)} claims are proved")
        anybody = found.get(0, {}).get("witness")  # of all priors
        for index in found:
            changed = copy.deepcopy(document)
            own = next(own for own in changed["claims"] if own["claim"] == index)["witness"]
            if anybody is not None and sets[index]["type"] not in ("all", "product", "correlation"):
                own.update(copy.deepcopy(anybody))
                status, said = self.checked(path, json.dumps(changed), index)
                self.expect(status == 1 and ("no member" in said[-1] or "speak against" in said[-1]), f"{path}: the prior of another set, {sets[index]}: {said[-1:]}")
            for what in ("p_from", "p_to"):
                changed = copy.deepcopy(document)
                next(own for own in changed["claims"] if own["claim"] == index)["witness"][what] = "1/7"
                self.refused(f"another {what}", path, changed, index)

    @staticmethod
    def move(spec, witness, share):
        """Moves mass of the label `from` to the input most likely to give the output."""
        rows = {tuple(x): Fraction(weight) for x, weight in witness["prior"]["rows"]}
        y, label = spec.outputs.index(witness["output"]), witness["from"]
        own = [k for k, x in enumerate(spec.inputs) if x[0] == label]
        mass = sum(rows.get(spec.inputs[k], 0) for k in own)
        best = max(own, key=lambda k: spec.rows[k][y])
        for k in own:
            rows[spec.inputs[k]] = rows.get(spec.inputs[k], 0) * (1 - share) + (mass * share if k == best else 0)
        witness["prior"]["rows"] = [[list(x), str(weight)] for x, weight in rows.items()]
        witness["p_from"] = str(sum(rows[spec.inputs[k]] * spec.rows[k][y] for k in own) / mass)

    def swap(self, paths):
        """The certificate of each spec is rejected for the next one, also with that one's hash."""
        found = [(path, self.verified(path)[1]) for path in paths]
        found = [(path, document) for path, document in found if document is not None]
        for (path, own), (_, other) in zip(found, found[1:] + found[:1]):
            if len(found) < 2:
                continue
            self.refused("another spec's certificate", path, other)
            disguised = {**copy.deepcopy(other), "files": own["files"], "spec": own["spec"]}
            self.refused("another spec's certificate under this one's name", path, disguised)


def files_of(paths):
    found = []
    for path in paths:
        inside = sorted(glob.glob(os.path.join(path, "*.json"))) if os.path.isdir(path) else [path]
        found += [file for file in inside if not file.endswith((".release.json", ".design.json"))]
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("specs", nargs="*")
    parser.add_argument("--tries", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--every-fault", action="store_true", help="fail if some fault never had anything to change")
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        tamperer, generator = Tamperer(arguments.binary, folder, arguments.tries), Generator(arguments.seed, folder, True)
        paths = files_of(arguments.specs)
        for path in paths + [generator.write(index) for index in range(arguments.random)]:
            tamperer.spec(path)
        tamperer.swap(paths[:12])
        tamperer.draws()
        tamperer.surveys()
        if paths:
            tamperer.unread(paths[0])
        if arguments.every_fault:
            never = [name for name, count in tamperer.faults.items() if count == 0]
            tamperer.expect(not never, f"faults that were never tried: {never}")
    print(f"{sum(tamperer.proofs.values())} claims, {tamperer.proofs}, {tamperer.believed} on the word of solvers; {sum(tamperer.faults.values())} times tampered")
    print(f"{tamperer.passed} passed, {tamperer.failed} failed")
    return 1 if tamperer.failed else 0


if __name__ == "__main__":
    sys.exit(main())
