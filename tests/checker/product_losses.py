"""Claims about delta and rho of products whose outputs are too many to list: the checker proves what the program decides,
from the losses of the parts, and no claim that is false.

product_losses.py BINARY [--specs N] [--seed S]: one line per wrong answer, then "N passed, M failed".

Each spec is verified twice: first to learn delta and rho, then with claims at, just below and just above them.
"""
import argparse
import copy
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from checking import verdict as status_of

LISTED = 2**16  # inputs x outputs that are gone through
NEAR = Fraction(1, 10**9)


class Products:
    """Random products: zeros, infinite losses, equal rows, coordinates of one value or that no part sees, parts that share
    coordinates, entries in exp, and every relation between neighbors."""

    def __init__(self, seed):
        self.r = random.Random(seed)

    def spec(self, name):
        r = self.r
        sizes = [r.choice([1, 2, 2, 2, 3, 3]) for _ in range(r.randint(1, 4))]
        names = [f"x{i}" for i in range(len(sizes))]
        self.exp, cells = r.random() < 0.2, 1
        for size in sizes:
            cells *= size
        parts = []
        while cells <= LISTED or not parts:
            seen = sorted(r.sample(range(len(sizes)), min(len(sizes), r.choice([1, 1, 1, 2]))))
            inputs, times = 1, r.choice([1, 2, 5, 8]) if len(parts) < 4 else 16
            for i in seen:
                inputs *= sizes[i]
            one, outputs = self.part(inputs)
            parts.append({"type": "on", "coordinates": [names[i] for i in seen],
                          "mechanism": {"type": "repeat", "times": times, "mechanism": one} if times > 1 else one})
            cells *= outputs ** times
        return {"oddsbound": 1, "name": name, "domain": [{"name": n, "size": size} for n, size in zip(names, sizes)],
                "mechanism": {"type": "compose", "mechanisms": parts}}

    def part(self, inputs):
        r = self.r
        if inputs > 1 and r.random() < 0.4:
            level = r.choice(["1/2", "1/5"]) if self.exp else f"log({r.choice(['2', '3/2', '5/4'])})"
            return {"type": "k_randomized_response", "epsilon": level}, inputs
        outputs, zeros, rows = r.choice([2, 2, 3]), r.choice([0, 0, 0.1]), []
        for _ in range(inputs):
            weights = [0 if r.random() < zeros else r.randint(2, 6) for _ in range(outputs)]
            weights[r.randrange(outputs)] += 1
            rows.append([f"{w}/{sum(weights)}" for w in weights] if not rows or r.random() < 0.8 else rows[0])
        return {"type": "matrix", "outputs": outputs, "rows": rows}, outputs

    def neighbors(self, spec):
        r, names = self.r, [coordinate["name"] for coordinate in spec["domain"]]
        kind = r.choice(["all", "coordinate", "record", "differ", "both"])
        found = {"neighbors": "coordinate"} if kind in ("coordinate", "both") else {}
        if kind == "record":
            shuffled = r.sample(names, len(names))
            cut = r.randint(0, len(names))
            found = {"neighbors": "record", "records": [part for part in (shuffled[:cut], shuffled[cut:]) if part]}
        if kind in ("differ", "both"):
            found["differ"] = r.sample(names, r.randint(1, len(names)))
        return found


class Tester:
    def __init__(self, binary, folder):
        self.binary, self.folder, self.passed, self.failed = binary, folder, 0, 0
        self.seen = {"proved": 0, "bounded": 0, "tight": 0, "infinite": 0, "unproved": 0}

    def expect(self, fine, problem):
        self.passed += bool(fine)
        self.failed += not fine
        if not fine:
            print(problem)

    def verified(self, spec, claims):
        """The results of these claims, and the certificate."""
        self.path = os.path.join(self.folder, spec["name"] + ".json")
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump({**spec, "claims": claims}, file)
        run = subprocess.run([self.binary, "verify", "--format", "json", "--max-seconds", "60", "--certificates", self.folder, self.path],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=900)
        results = json.loads(run.stdout)["specs"][0]["claims"]
        document = os.path.join(self.folder, spec["name"] + "-certificate.json")
        if not os.path.exists(document):
            return results, None
        with open(document, encoding="utf-8") as file:
            return results, json.load(file)

    def checked(self, document, only, memory):
        path, said = os.path.join(self.folder, "checked.json"), []
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)
        status_of(self.path, path, only, said.append, memory)
        return said[-1]

    def spec(self, spec, claims):
        results, _ = self.verified(spec, claims)
        nearer = [own for claim, result in zip(claims, results) if result["verdict"] != "undecided" for own in near(claim, result["actual"])]
        if not nearer:
            return
        results, document = self.verified(spec, nearer)
        without, memory = {entry["claim"] for entry in document["without"]}, {}
        entries = {entry["claim"]: entry for entry in document["claims"]}
        for k, result in enumerate(results):
            if k not in entries:
                self.seen["unproved"] += result["verdict"] != "undecided"
                self.expect(k in without or result["verdict"] == "undecided", f"{self.path}: claim {k} is nowhere")
                continue
            said = self.checked(document, k, memory)
            self.expect(said.startswith(("accepted", "not as expected")) and f"{result['notion']} {result['verdict']}" in said, f"{self.path}: {nearer[k]}: {said}")
            self.seen["proved"] += entries[k].get("proof") == "losses"
            self.seen["tight"] += nearer[k].get("tight", False)
            self.seen["bounded"] += isinstance(result["actual"], dict) and "at_most" in result["actual"]
            self.seen["infinite"] += entries[k].get("witness", {}).get("output") is not None
            if random.random() < 0.2:
                self.forge(document, k, nearer[k], memory)

    def forge(self, document, k, claim, memory):
        """The opposite, with every witness that the document has; and the claim itself, with other data."""
        entry = next(own for own in document["claims"] if own["claim"] == k)
        turned = "holds" if entry["verdict"] == "refuted" else "refuted"
        witnesses = [own["witness"] for own in document["claims"] if own.get("proof") == "losses" and "witness" in own]
        if not claim.get("tight") and turned == "refuted":
            for witness in witnesses:
                for changed in (witness, {**witness, "from": witness["to"], "to": witness["from"]}):
                    order = {key: value for key, value in changed.items() if key != "order"}
                    self.refused(document, k, {"verdict": turned, "proof": "losses", "witness": changed if claim["notion"] == "zcdp" else order}, memory)
        self.refused(document, k, {"verdict": turned, "proof": "losses", "witness": None}, memory)
        for witness in witnesses[:1]:
            self.refused(document, k, {"verdict": "holds", "proof": "losses", "witness": witness}, memory)
            self.refused(document, k, {"verdict": "refuted", "proof": "losses", "witness": {**witness, "to": witness["from"]}}, memory)
            self.refused(document, k, {"verdict": "refuted", "proof": "losses", "witness": {**witness, "to": ["nowhere"]}}, memory)

    def refused(self, document, k, fields, memory):
        changed = copy.deepcopy(document)
        entry = next(own for own in changed["claims"] if own["claim"] == k)
        entry.pop("witness", None)
        entry.update({key: value for key, value in fields.items() if value is not None})
        said = self.checked(changed, k, memory)
        self.expect(said.startswith(("rejected", "not proved")), f"{self.path}: claim {k} with {fields}: {said}")


def near(claim, actual):
    """Claims at the actual value, and next to it."""
    low, high = (actual.get(end, "inf") for end in ("lower", "upper"))
    if "inf" in (low, high):
        return [{**claim, "rho": "1000"}]
    key, low, high = "rho" if claim["notion"] == "zcdp" else "delta", Fraction(low), Fraction(high)
    step = 1000 * NEAR if key == "rho" else NEAR
    beside = [low * (1 - step), high * (1 + step), low / 2, 2 * high]
    found = [{**claim, key: text(own)} for own in beside if own >= 0 and (key == "rho" or own <= 1)]
    if "delta" in actual and len(actual["delta"]) < 5000:
        found += [{**claim, key: actual["delta"]}] + [{**claim, key: own, "tight": True} for own in (actual["delta"], *(one[key] for one in found[:2]))]
    return found


def text(number):
    return f"{number.numerator}/{number.denominator}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--specs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        tester, products = Tester(os.path.abspath(arguments.binary), folder), Products(arguments.seed)
        for index in range(arguments.specs):
            spec = products.spec(f"product-{index}")
            claims = []
            for _ in range(products.r.choice([1, 1, 2])):
                factor = products.r.choice(["log(2)", "log(3)", "log(10)", "0", "1", "3"])
                claims.append({"notion": "approximate_dp", "epsilon": factor, "delta": "1/2", **products.neighbors(spec)})
            claims.append({"notion": "zcdp", "rho": "1", **products.neighbors(spec)})
            tester.spec(spec, claims)
        tester.expect(all(tester.seen[key] for key in ("proved", "tight")) or arguments.specs < 10, f"too little was proved: {tester.seen}")
    print(tester.seen)
    print(f"{tester.passed} passed, {tester.failed} failed")
    return 1 if tester.failed else 0


if __name__ == "__main__":
    sys.exit(main())
