"""Certificates by classes of pairs of inputs ("proof": "classes"). The checker's closed forms against all rows at small
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
from oddsbound_check.proofs import by_losses
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


class Tester:
    def __init__(self, folder):
        self.folder, self.passed, self.failed, self.compared = folder, 0, 0, 0

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

    def entry(self, document, claim, fields, expected):
        """expected: True, or the error."""
        spec = self.read({**document, "claims": [claim]})
        checker = Verdicts.__new__(Verdicts)
        checker.spec, checker.measure, checker.without, checker.bounds = spec, None, [], None
        entry = {"claim": 0, "name": "", "notion": claim["notion"], "proof": "classes", **fields}
        try:
            found = checker.check(spec.claims[0], entry) == "by classes of pairs of inputs"
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
        tester.large()
    print(f"{tester.passed} passed, {tester.failed} failed")
    return 1 if tester.failed else 0


if __name__ == "__main__":
    sys.exit(main())
