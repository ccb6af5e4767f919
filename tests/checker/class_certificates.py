"""Certificates by classes of pairs of inputs, and of outputs ("proof": "classes"). The checker's closed forms against all rows at small
sizes, alone and in products; then proofs about up to 2^32 - 1 values, and forged ones.

class_certificates.py [--rounds N] [--seed S]: one line per problem, then "N passed, M failed".
"""
import argparse
import json
import os
import random
import sys
import tempfile
from fractions import Fraction

from oddsbound_check.losses import Neighbors
from oddsbound_check.notions import of_neighbors
from oddsbound_check.losses import written
from oddsbound_check.proofs import averages, by_losses
from oddsbound_check.proofs.brute_force import Measure
from oddsbound_check.report import NotProved, Rejected
from oddsbound_check.spec import read_spec
from oddsbound_check.verdicts import Verdicts

FACTORS = Fraction(1), Fraction(5, 4), Fraction(2), Fraction(5)
LARGE = [{"type": "k_randomized_response", "epsilon": "14"}, {"type": "hadamard_response", "epsilon": "14"}]


def family(r):
    kind = r.choice(["k_randomized_response", "hadamard_response", "subset_selection", "unary_encoding", "rappor", "optimized_local_hashing"])
    if kind == "rappor":
        return {"type": kind, "f": r.choice(["0", "1/2"]), "p": r.choice(["0", "1/4"]), "q": "3/4", "times": r.choice([1, 1, 2])}
    found = {"type": kind, "epsilon": r.choice(["0", "log(3)", "log(2)", "1", "inf"])}
    if kind == "optimized_local_hashing":
        found["buckets"] = r.choice([2, 3])
    if kind == "unary_encoding" and r.random() < 0.3:
        found.update(epsilon="2*log(2)", variant="symmetric")
    return found


def matrix(r, inputs):
    rows = [[r.choice([0, 1, 2, 5]) for _ in range(2)] + [1] for _ in range(inputs)]
    return {"type": "matrix", "outputs": 3, "rows": [[f"{w}/{sum(row)}" for w in row] for row in rows]}


def product(r):
    """Families and matrices on one to three coordinates, which they may share."""
    sizes = [r.choice([1, 2, 3, 4]) for _ in range(r.choice([1, 1, 2, 3]))]
    names, parts = [f"x{i}" for i in range(len(sizes))], []
    for _ in range(r.choice([1, 1, 2])):
        seen, inputs = sorted(r.sample(range(len(sizes)), min(len(sizes), r.choice([1, 1, 2])))), 1
        for i in seen:
            inputs *= sizes[i]
        one = family(r) if r.random() < 0.8 else matrix(r, inputs)
        if inputs <= 3 and r.random() < 0.2:
            one = {"type": "repeat", "times": 2, "mechanism": one}
        parts.append({"type": "on", "coordinates": [names[i] for i in seen], "mechanism": one})
    return {"domain": [{"name": n, "size": size} for n, size in zip(names, sizes)],
            "mechanism": parts[0] if len(parts) == 1 else {"type": "compose", "mechanisms": parts},
            "claims": [{"notion": "ldp", "epsilon": "1"}, *({"notion": "cdp", "epsilon": {n: "1"}} for n in names)]}


def together(terms):
    """{odds: sum of p}, in an order that does not depend on that of the terms."""
    found = {}
    for p, odds in terms:
        found[written(odds)] = found.get(written(odds), Fraction(0)) + p
    return found


def columns_of(rows):
    """Every output as a kind of its own."""
    return [(1, [(1, p) for p in column]) for column in zip(*rows) if any(p != 0 for p in column)]


class Tester:
    def __init__(self, folder):
        self.folder, self.passed, self.failed, self.compared, self.averaged = folder, 0, 0, 0, 0

    def expect(self, fine, problem):
        self.passed += bool(fine)
        self.failed += not fine
        if not fine:
            print(problem)

    def read(self, spec):
        path = os.path.join(self.folder, "spec.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"oddsbound": 1, "name": "spec", **spec}, file)
        return read_spec(path)

    def small(self, document):
        try:
            spec = self.read(document)
        except ValueError:
            return  # a size that the family refuses
        if spec.output_count * spec.input_count > 4000:
            return
        self.compared += 1
        measure, classes, rows = Measure(spec), Neighbors(spec, True), Neighbors(spec)
        for claim in spec.claims:
            for one in of_neighbors(spec, claim):
                own, true = by_losses.largest(classes, one), measure.level(one)
                self.expect(own == true, f"{document}: {claim.notion}: {own}, by brute force {true}")
                for scope in one.scopes:
                    for factor in FACTORS:
                        found = [max(near.composed(kind).excess(factor) for kind in near.wholes(scope)) for near in (classes, rows)]
                        self.expect(found[0] == found[1], f"{document}: delta({factor}) of {scope}: {found}")
        self.averages(document)

    def averages(self, document):
        """The kinds of outputs against the table of all inputs and outputs, under the uniform prior."""
        about = [{}, *({"coordinate": own["name"]} for own in document["domain"])]
        claims = [{"notion": notion, "epsilon": "1", **one} for notion in ("information", "bayes_leakage", "maximal_leakage") for one in about]
        spec = self.read({**document, "prior": {"type": "uniform"}, "claims": claims})
        for claim in spec.claims:
            try:
                parts = averages.parts_about(spec, claim.coordinate)
            except Rejected:
                continue
            self.averaged += 1
            kinds = [(part.mechanism.inputs, part.mechanism.columns()) for part in parts]
            table, masses = averages.joint(spec, claim)
            if claim.notion == "information":
                found = [together(term for inputs, columns in kinds for term in averages.shares_of(inputs, columns))]
                true = [together(term for part in parts for term in averages.shares_of(part.mechanism.inputs, columns_of(part.mechanism.rows)))]
                if len(parts) == 1:
                    true.append(together(averages.shares(spec, claim)))
                    found *= 2
            else:
                found = Fraction(1)
                for _, columns in kinds:
                    found *= averages.largest_of(columns)
                true = sum((max(column) for column in zip(*table)), Fraction(0)) / max(masses)
            self.expect(found == true, f"{document}: {claim.notion} of {claim.coordinate}: {found}, from the table {true}")

    def entry(self, document, claim, fields, expected):
        """expected: True, or the error."""
        spec = self.read({**document, "claims": [claim]})
        checker = Verdicts.__new__(Verdicts)
        checker.spec, checker.measure, checker.without, checker.bounds = spec, None, [], None
        entry = {"claim": 0, "name": "", "notion": claim["notion"], "proof": "classes", **fields}
        try:
            found = checker.check(spec.claims[0], entry).startswith("by classes of ")
        except (Rejected, NotProved) as error:
            found = type(error)
        self.expect(found == expected, f"{document['mechanism']}: {claim}: {fields}: {found}")

    def large(self):
        holds, refuted = {"verdict": "holds"}, {"verdict": "refuted"}
        for mechanism in LARGE:
            document = {"domain": [{"name": "s", "size": 4294967295}], "mechanism": mechanism}

            def entry(claim, fields, expected):
                self.entry(document, claim, fields, expected)
            sides = {"from": ["0"], "to": ["4294967294"]}
            for notion, level, about in (("ldp", lambda own: own, {}), ("cdp", lambda own: {"s": own}, {"coordinate": "s"})):
                true, less = ({"notion": notion, "epsilon": level(own)} for own in ("14", "13.9999999"))
                entry(true, holds, True)
                entry({**true, "tight": True}, holds, True)
                entry(less, holds, Rejected)
                entry(true, refuted, Rejected)
                entry({**true, "tight": True}, refuted, Rejected)
                entry({**true, "epsilon": level("15"), "tight": True}, holds, Rejected)
                entry({**true, "epsilon": level("15"), "tight": True}, refuted, True)
                entry(less, refuted, Rejected)
                shown = {**refuted, "witness": {**sides, **about}}
                entry(less, shown, True)
                entry(true, shown, Rejected)
                entry(less, {**holds, "witness": shown["witness"]}, Rejected)
                for wrong in ({"to": ["0"]}, {"to": ["4294967295"]}, {"to": ["00"]}, {"to": "1"}, {"to": ["1", "2"]}, {"coordinate": "t"}):
                    entry(less, {**refuted, "witness": {**shown["witness"], **wrong}}, Rejected)
                entry(less, {**refuted, "witness": {**shown["witness"], "order": "2"}}, Rejected)
            # At epsilon 13, delta of one pair.
            for delta, holding in (("0", False), ("1", True)):
                claim = {"notion": "approximate_dp", "epsilon": "13", "delta": delta}
                entry(claim, holds, True if holding else Rejected)
                entry(claim, {**refuted, "witness": sides}, Rejected if holding else True)
            for rho, holding in (("14", True), ("1/1000", False)):
                claim = {"notion": "zcdp", "rho": rho}
                entry(claim, holds, True if holding else Rejected)
                entry(claim, {**refuted, "witness": {**sides, "order": "2"}}, Rejected if holding else True)
            entry({"notion": "partial_dp", "epsilon": {"s": "14"}}, holds, Rejected)
        # n reports of k values are right with probability t = e^14 / (e^14 + k - 1): the quotient of guesses is k t.
        for mechanism in LARGE[:1]:
            document = {"domain": [{"name": "s", "size": 4294967295}], "mechanism": mechanism, "prior": {"type": "uniform"}}
            for notion, near, far in (("bayes_leakage", "14", "13.9"), ("maximal_leakage", "14", "13.9"), ("information", "0.01", "0.0001")):
                self.entry(document, {"notion": notion, "epsilon": near}, holds, True)
                self.entry(document, {"notion": notion, "epsilon": near}, refuted, Rejected)
                self.entry(document, {"notion": notion, "epsilon": far}, holds, Rejected)
                self.entry(document, {"notion": notion, "epsilon": far}, refuted, True)
                self.entry(document, {"notion": notion, "epsilon": far}, {**refuted, "witness": sides}, Rejected)
                self.entry(document, {"notion": notion, "epsilon": near, "coordinate": "s"}, holds, True)
        skewed = {"domain": [{"name": "s", "size": 2}], "mechanism": LARGE[0], "prior": {"type": "probabilities", "probabilities": ["1/3", "2/3"]}}
        self.entry(skewed, {"notion": "information", "epsilon": "14"}, holds, Rejected)
        prior = {"domain": [{"name": "s", "size": 3}], "mechanism": LARGE[0], "prior": {"type": "uniform"}}
        for claim in ({"notion": "bdp", "epsilon": "14"}, {"notion": "bcdp", "epsilon": {"s": "14"}}):
            self.entry(prior, claim, holds, Rejected)
        # A part without a class whose rows are too many to go through.
        document = {"domain": [{"name": "s", "size": 50000}], "mechanism": {"type": "truncated_geometric", "epsilon": "1"}}
        self.entry(document, {"notion": "ldp", "epsilon": "49999"}, holds, NotProved)
        # Two reports of one value: levels add up, and delta does not.
        twice = {"domain": [{"name": "s", "size": 4294967295}], "mechanism": {"type": "repeat", "times": 2, "mechanism": LARGE[0]}}
        self.entry(twice, {"notion": "ldp", "epsilon": "28", "tight": True}, holds, True)
        self.entry(twice, {"notion": "ldp", "epsilon": "27.99"}, holds, Rejected)
        mixed = {"domain": [{"name": "s", "size": 4294967295}, {"name": "t", "size": 2}], "mechanism": {"type": "per_coordinate", "mechanisms": {
            "s": LARGE[1], "t": {"type": "matrix", "outputs": 2, "rows": [["1/4", "3/4"], ["1/2", "1/2"]]}}}}
        self.entry(mixed, {"notion": "ldp", "epsilon": "14 + log(2)", "tight": True}, holds, True)
        self.entry(mixed, {"notion": "cdp", "epsilon": {"s": "14", "t": "log(2)"}, "tight": True}, holds, True)
        self.entry(mixed, {"notion": "cdp", "epsilon": {"t": "0.69"}}, holds, Rejected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    r = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        tester = Tester(folder)
        for _ in range(arguments.rounds):
            tester.small(product(r))
        tester.expect(tester.compared * 2 > arguments.rounds, f"only {tester.compared} specs were compared")
        tester.expect(tester.averaged > arguments.rounds, f"only {tester.averaged} averages were compared")
        tester.large()
    print(f"{tester.passed} passed, {tester.failed} failed")
    return 1 if tester.failed else 0


if __name__ == "__main__":
    sys.exit(main())
