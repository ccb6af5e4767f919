"""Shuffled reports against their definition: all inputs of the other people, or draws from the prior; all histograms.

shuffled.py BINARY [--specs N] [--seed S]: verifies random specs, compares every result, and has the certificates of all
verdicts checked. Prints a line per problem, then "N passed, M failed".
"""
import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from oddsbound_check.cli import main as check
from oddsbound_check.exact import INFINITE, at_most
from oddsbound_check.expression import level, number
from reference import Spec, load
from scopes import scope_of

LIKE_ONE_REPORT = ("ldp", "cdp", "partial_dp", "bcdp", "secret")
ZERO = Fraction(0)


def is_shuffle(path):
    return load(path)["mechanism"]["type"] == "shuffle"


def histograms_of(rows, found):
    """The distribution of the histogram with reports drawn from these rows added."""
    for row in rows:
        after = {}
        for histogram, mass in found.items():
            for y, entry in enumerate(row):
                more = tuple(count + (k == y) for k, count in enumerate(histogram))
                after[more] = after.get(more, ZERO) + mass * entry
        found = after
    return found


def excess(p, q, bound):
    return sum((max(ZERO, p[h] - bound * q[h]) for h in p), ZERO)


class Shuffled:
    """spec: that of one person."""

    def __init__(self, spec, result):
        self.spec, self.people, self.result, self.problems, self.others = spec, spec.people, result, [], (None, None)

    def expect(self, fine, what):
        if not fine:
            self.problems.append(what)

    def label(self, histogram):
        return "{" + ",".join(f"{name}:{count}" for name, count in zip(self.spec.outputs, histogram)) + "}"

    def given(self, row, others):
        """The distribution of labels if the other people's reports have these rows."""
        if others != self.others[0]:
            self.others = others, histograms_of(others, {(0,) * len(row): Fraction(1)})
        return {self.label(h): mass for h, mass in histograms_of([row], self.others[1]).items()}

    def drawn(self):
        s = self.spec
        return [sum((p * row[y] for p, row in zip(s.prior, s.rows)), ZERO) for y in range(len(s.outputs))]

    # Sides of a witness, and the largest delta.

    def sides(self, claim, witness):
        """The distributions of both sides."""
        s = self.spec
        if claim["notion"] in ("ldp", "cdp", "partial_dp", "approximate_dp"):
            others = [s.rows[s.inputs.index(tuple(values))] for values, count in witness.get("others", []) for _ in range(int(count))]
            own = [s.rows[s.inputs.index(tuple(witness[side]))] for side in ("from", "to")]
            self.expect(len(others) == self.people - 1 or witness["p_from"] == "0", f"others: {witness}")
            return [self.given(row, others) for row in own]
        self.expect("others" not in witness, f"others: {witness}")
        place = [name for name, _ in s.domain].index(claim.get("coordinate") or witness.get("coordinate"))
        pair = scope_of(s, claim, place).of_witness(witness)
        self.expect(pair is not None, f"the witness is about nothing that is compared: {witness}")
        return [self.given(row, [self.drawn()] * (self.people - 1)) for row in pair] if pair else None

    def largest(self, claim, bound):
        s = self.spec
        if bound is INFINITE:
            return ZERO
        if claim["notion"] == "approximate_dp":
            pairs, most = s.neighbor_pairs(claim), ZERO
            for others in itertools.combinations_with_replacement(range(len(s.rows)), self.people - 1):
                of_input = [self.given(row, [s.rows[x] for x in others]) for row in s.rows]
                most = max([most, *(excess(of_input[a], of_input[b], bound) for a, b in pairs)])
            return most
        place = [name for name, _ in s.domain].index(claim["coordinate"])
        drawn = [self.drawn()] * (self.people - 1)
        return max((excess(self.given(p, drawn), self.given(q, drawn), bound) for p, q in scope_of(s, claim, place).pairs()), default=ZERO)

    # Claims.

    def run(self):
        s, r = self.spec, self.result
        for claim, result in zip(s.json.get("claims", []), r["claims"]):
            if claim["notion"] in LIKE_ONE_REPORT:
                self.levels(claim, result)
            elif claim["notion"] in ("approximate_dp", "approximate_bcdp"):
                self.delta(claim, result)
            else:
                self.expect(result["verdict"] == "undecided" and result["reason"], f"{claim}: {result['verdict']}")
        return self.problems

    def verdict(self, claim, result, true, claimed):
        """true, claimed: lists that are compared one by one."""
        holds = all(at_most(a, b) for a, b in zip(true, claimed)) and (not claim.get("tight") or all(at_most(b, a) for a, b in zip(true, claimed)))
        self.expect(result["verdict"] == ("holds" if holds else "refuted"), f"{claim}: {result['verdict']}, and the true values are {true}")

    def levels(self, claim, result):
        s = self.spec
        names = [name for name, _ in s.domain]
        if claim["notion"] == "ldp":
            true, claimed, found = [s.ldp()], [s.level(claim["epsilon"])], [result["actual"]]
        else:
            stated = claim["epsilon"] if isinstance(claim["epsilon"], dict) else {name: claim["epsilon"] for name in names}
            places = [names.index(name) for name in stated]
            true = [s.bcdp(i) if claim["notion"] == "bcdp" else s.cdp(i) for i in places]
            claimed, found = [s.level(text) for text in stated.values()], [result["actual"][name] for name in stated]
        self.verdict(claim, result, true, claimed)
        for own, one in zip(true, found):
            fine = one["epsilon"] == "inf" if own is INFINITE else "exp" in one and number(one["exp"]) == own
            self.expect(fine, f"{claim}: {one['epsilon']}, expected log({own})")
            if one["witness"]:
                self.shown(claim, one["witness"])
        if result["witness"]:
            self.shown(claim, result["witness"])

    def shown(self, claim, witness, bound=None, delta=None):
        """The probabilities of a witness, which show delta if there is one."""
        sides = self.sides(claim, witness)
        if not sides:
            return
        event = witness["outputs"] if "outputs" in witness else [witness["output"]] if "output" in witness else [y for y in sides[0] if sides[0][y] > bound * sides[1][y]]
        p, q = (sum((side[y] for y in event), ZERO) for side in sides)
        self.expect(number(witness["p_from"]) == p and number(witness["p_to"]) == q, f"{claim}: {p} and {q} for {witness}")
        self.expect(delta is None or p - bound * q == delta, f"{claim}: the event does not show delta")

    def delta(self, claim, result):
        bound = self.spec.level(claim["epsilon"])
        true, actual = self.largest(claim, bound), result["actual"]
        self.verdict(claim, result, [true], [number(str(claim["delta"]))])
        self.expect(list(actual) == ["delta", "lower", "upper", "witness"], f"{claim}: {list(actual)}")
        self.expect(number(actual["delta"]) == true, f"{claim}: {actual['delta']}, expected {true}")
        for witness in filter(None, (actual["witness"], result["witness"])):
            if bound is not INFINITE and true != 0:
                self.shown(claim, witness, bound, true)


# Random specs.

def distribution(r, size):
    weights = [r.choice([0, 1, 1, 2, 3]) for _ in range(size)]
    weights[r.randrange(size)] += 1
    return [str(Fraction(w, sum(weights))) for w in weights]


def random_spec(r, index):
    domain = [{"name": f"x{i}", "values": ["a", "b", "c"][:r.randint(1, 3)]} for i in range(r.randint(1, 2))]
    inputs = 1
    for coordinate in domain:
        inputs *= len(coordinate["values"])
    outputs = r.choice([2, 2, 3])
    rows = [distribution(r, outputs) for _ in range(inputs)]
    people = r.randint(1, 6 if inputs <= 2 else 3)
    spec = {"oddsbound": 1, "name": f"shuffled {index}", "domain": domain,
            "prior": {"type": "probabilities", "probabilities": distribution(r, inputs)},
            "mechanism": {"type": "shuffle", "people": people, "mechanism": {"type": "matrix", "outputs": outputs, "rows": rows}}, "claims": []}
    if r.random() < 0.3 and len(domain) == 1:
        spec["mechanism"]["mechanism"] = {"type": "k_randomized_response", "epsilon": r.choice(["log(3)", "log(2)"])}
    epsilon = lambda: r.choice(["0", "log(5/4)", "log(2)", "log(3)", "1/2", "inf"])
    for _ in range(6):
        name = r.choice(domain)["name"]
        claim = r.choice([
            {"notion": "approximate_dp", "epsilon": epsilon(), "delta": r.choice(["0", "1/8", "1/64"]), **r.choice([{}, {"neighbors": "coordinate"}])},
            {"notion": "approximate_bcdp", "coordinate": name, "epsilon": epsilon(), "delta": r.choice(["0", "1/8", "1/64"])},
            {"notion": "ldp", "epsilon": epsilon()}, {"notion": "cdp", "epsilon": {name: epsilon()}}, {"notion": "bcdp", "epsilon": {name: epsilon()}},
            {"notion": "zcdp", "rho": "1"}, {"notion": "information", "epsilon": "1"}])
        if r.random() < 0.3 and claim["notion"] not in ("zcdp", "information"):
            claim["tight"] = True
        spec["claims"].append(claim)
    return spec


def check_certificate(binary, path, folder, result):
    """The exit status of the checker for the certificate of all verdicts."""
    out = os.path.join(folder, "certificates")
    subprocess.run([binary, "verify", "--certificates", out, path], capture_output=True, text=True)
    names = os.listdir(out) if os.path.isdir(out) else []
    decided = [claim for claim in result["claims"] if claim["verdict"] != "undecided"]
    if not names:
        return ["no certificate"] if decided else []
    certificate = os.path.join(out, names[0])
    with open(os.devnull, "w", encoding="utf-8") as nothing:
        before, sys.stdout = sys.stdout, nothing
        try:
            status = check([path, certificate])
        finally:
            sys.stdout = before
    os.remove(certificate)
    right = all(claim["verdict"] == claim["expect"] for claim in decided)
    expected = 3 if right and len(decided) < len(result["claims"]) else 0 if right else 1
    return [] if status == expected else [f"the checker ends with {status}, expected {expected}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--specs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    r, passed, problems = random.Random(arguments.seed), 0, []
    with tempfile.TemporaryDirectory() as folder:
        for index in range(arguments.specs):
            path = os.path.join(folder, f"{index}.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(random_spec(r, index), file)
            run = subprocess.run([arguments.binary, "verify", "--format", "json", path], capture_output=True, text=True)
            if run.returncode == 2 or run.stderr:
                found = [f"status {run.returncode}: {run.stderr}"]
            else:
                result = json.loads(run.stdout)["specs"][0]
                found = Shuffled(Spec(path), result).run() + check_certificate(arguments.binary, path, folder, result)
            passed += not found
            for problem in found:
                with open(path, encoding="utf-8") as file:
                    print(f"{problem}\n  {file.read()}")
            problems += found
    print(f"{passed} passed, {arguments.specs - passed} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
