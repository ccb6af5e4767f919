"""Designed mechanisms against an independent check: what comes out keeps what was asked, has the loss that is said, and the
certificate proves that nothing within the constraints has less; random mechanisms within them have more; what is tampered with is
rejected.

designs.py BINARY REQUEST... [--random N] [--seed S]: prints a line per problem, then "N passed, M failed".
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

from exact import Exact, compare
from expression import level as parse_level
from expression import number as parse_number
from reference import Spec, load

BETWEEN_ANY = ("ldp", "approximate_dp")


class Rejected(Exception):
    pass


def require(holds, why):
    if not holds:
        raise Rejected(why)


class Request:
    """What was asked for, read from the request and, for its domain and prior, from the spec that came out."""

    def __init__(self, path, spec):
        self.json, self.spec = load(path), spec
        self.names = [name for name, _ in spec.domain]
        self.released = [self.names.index(a) for a in self.json.get("release", self.names)]
        self.released.sort()
        self.labels = self.json.get("outputs")
        if self.labels is None:
            self.labels = [",".join(x) for x in self.tuples(self.released)]
        self.reads = sorted(self.names.index(a) for a in self.json.get("reads", self.names))
        self.largest = "largest" in self.json["objective"]
        self.kind = self.json["objective"]["largest" if self.largest else "expected"]

    def tuples(self, coordinates):
        found = {}
        for x in self.spec.inputs:
            found[tuple(x[i] for i in coordinates)] = True
        return list(found)

    def row_of(self, x):
        return ", ".join(x[i] for i in self.reads)

    def loss(self, k, y):
        if isinstance(self.kind, list):
            return parse_number(self.kind[k][y])
        x = self.spec.inputs[k]
        told = [x[i] for i in self.released] if "outputs" not in self.json else [",".join(x)]
        output = self.tuples(self.released)[y] if "outputs" not in self.json else (self.labels[y],)
        if self.kind == "zero_one":
            return Fraction(told != list(output))
        if self.kind == "hamming":
            return Fraction(sum(a != b for a, b in zip(told, output)))
        off = abs(parse_number(told[0]) - parse_number(output[0]))
        return off * off if self.kind == "squared" else off

    def side(self, constraint, about, name):
        """Weights by input, of what a probability is given."""
        if constraint["notion"] == "bcdp":
            i = self.names.index(about)
            mass = sum((p for x, p in zip(self.spec.inputs, self.spec.prior) if x[i] == name), Fraction(0))
            require(mass > 0, "a value without mass")
            return {k: p / mass for k, (x, p) in enumerate(zip(self.spec.inputs, self.spec.prior)) if x[i] == name and p > 0}
        return {k: Fraction(1) for k, x in enumerate(self.spec.inputs) if ", ".join(x) == name}

    def level(self, constraint, about, from_, to):
        """That the constraint has between two sides."""
        epsilon = constraint["epsilon"]
        if constraint["notion"] in ("cdp", "bcdp"):
            require(about in self.names, "no such coordinate")
            i = self.names.index(about)
            if constraint["notion"] == "cdp":
                a, b = from_.split(", "), to.split(", ")
                require([v for k, v in enumerate(a) if k != i] == [v for k, v in enumerate(b) if k != i], "inputs that differ elsewhere")
            epsilon = epsilon[about] if isinstance(epsilon, dict) else epsilon
        elif constraint["notion"] == "context_ldp":
            places = {", ".join(x): k for k, x in enumerate(self.spec.inputs)}
            epsilon = epsilon[places[from_]][places[to]]
            require(epsilon != "inf", "inputs between which there is no limit")
        else:
            require(constraint["notion"] in BETWEEN_ANY, "a notion that the checker does not know")
        return parse_level(epsilon)

    def check(self, certificate):
        """Throws Rejected unless the certificate proves its bound."""
        inputs = self.spec.inputs
        limits = certificate["limits"]
        gains = {(self.row_of(x), y): Fraction(0) for x in inputs for y in range(len(self.labels))}
        weights = [parse_number(w) for w in certificate["weights"]] if self.largest else self.spec.prior
        require(all(w >= 0 for w in weights) and len(weights) == len(inputs) and sum(weights) <= 1, "weights")
        for k, x in enumerate(inputs):
            for y in range(len(self.labels)):
                gains[self.row_of(x), y] += weights[k] * self.loss(k, y)
        excess = {}
        for one in certificate["multipliers"]:
            limit, times = limits[int(one["limit"])], parse_number(one["times"])
            constraint = self.json["constraints"][int(limit["constraint"])]
            bound = parse_number(limit["bound"])
            require(times >= 0, "a negative multiplier")
            require(compare(bound, self.level(constraint, limit["about"], one["from"], one["to"])) >= 0, "a bound below e^level")
            y = self.labels.index(one["output"])
            for name, sign in ((one["from"], 1), (one["to"], -bound)):
                for k, weight in self.side(constraint, limit["about"], name).items():
                    gains[self.row_of(inputs[k]), y] += sign * times * weight
            pair = int(one["limit"]), one["from"], one["to"]
            excess[pair] = max(excess.get(pair, 0), times)
        prices = {one["row"]: parse_number(one["price"]) for one in certificate["prices"]}
        for (row, y), gain in gains.items():
            require(gain >= prices[row], f"the price of {row} is above what {self.labels[y]} gains")
        delta = sum(times * parse_number(self.json["constraints"][int(limits[limit]["constraint"])].get("delta", "0"))
                    for (limit, _, _), times in excess.items())
        require(sum(prices.values()) - delta == parse_number(certificate["at_least"]), "the prices do not add up")

    def loss_of(self, rows):
        """rows: by input, {label: probability}."""
        losses = [sum((p * self.loss(k, y) for y, label in enumerate(self.labels) for p in [row.get(label, 0)] if p), Fraction(0))
                  for k, row in enumerate(rows)]
        return max(losses) if self.largest else sum(p * loss for p, loss in zip(self.spec.prior, losses))

    def pairs(self):
        """(side, side, e^level) of all constraints, as if none had a delta."""
        inputs = self.spec.inputs
        for constraint in self.json["constraints"]:
            if constraint["notion"] in ("ldp", "cdp", "approximate_dp"):
                for a, x in enumerate(inputs):
                    for b, z in enumerate(inputs):
                        differ = [i for i in range(len(x)) if x[i] != z[i]]
                        if not differ or constraint["notion"] == "cdp" and len(differ) > 1:
                            continue
                        epsilon = constraint["epsilon"]
                        if isinstance(epsilon, dict):
                            if self.names[differ[0]] not in epsilon:
                                continue
                            epsilon = epsilon[self.names[differ[0]]]
                        yield {a: Fraction(1)}, {b: Fraction(1)}, parse_level(epsilon)
            elif constraint["notion"] == "context_ldp":
                for a, row in enumerate(constraint["epsilon"]):
                    for b, epsilon in enumerate(row):
                        if a != b and epsilon != "inf":
                            yield {a: Fraction(1)}, {b: Fraction(1)}, parse_level(epsilon)
            elif constraint["notion"] == "bcdp":
                for name, epsilon in constraint["epsilon"].items():
                    i = self.names.index(name)
                    some = {x[i] for x, p in zip(inputs, self.spec.prior) if p > 0}
                    for v in some:
                        for w in some - {v}:
                            yield self.side(constraint, name, v), self.side(constraint, name, w), parse_level(epsilon)

    def random_rows(self, rng):
        """A mechanism within all constraints: a random one, mixed with one that looks at nothing until they hold."""
        by_row = {}
        for x in self.spec.inputs:
            weights = [rng.choice((0, 0, 1, rng.randrange(1, 9))) for _ in self.labels]
            weights[rng.randrange(len(weights))] += 1
            by_row.setdefault(self.row_of(x), [Fraction(w, sum(weights)) for w in weights])
        constant = [Fraction(1, len(self.labels))] * len(self.labels)
        rows = [by_row[self.row_of(x)] for x in self.spec.inputs]
        share = Fraction(0)
        for a, b, bound in self.pairs():
            # A rational bound below is kept as well.
            least = Fraction(int(bound * 1000) if isinstance(bound, Fraction) else int(float(str_of(bound)) * 999), 1000)
            for y in range(len(self.labels)):
                over = sum(w * rows[k][y] for k, w in a.items()) - least * sum(w * rows[k][y] for k, w in b.items())
                if over > 0:
                    share = max(share, over / (over + (least - 1) * constant[y]) if least > 1 else Fraction(1))
        return [{label: (1 - share) * p + share * q for label, p, q in zip(self.labels, row, constant)} for row in rows]


def str_of(number):
    return str(number.decimal if getattr(number, "decimal", None) else Exact.of(number).top.evaluate(30)[0])


def levels_in(epsilon):
    if isinstance(epsilon, (dict, list)):
        return [level for one in (epsilon.values() if isinstance(epsilon, dict) else epsilon) for level in levels_in(one)]
    return [epsilon]


def is_logarithm(epsilon):
    """Whether e^epsilon is rational."""
    return epsilon in ("0", "inf") or epsilon.startswith("log(")


def design(binary, path, folder):
    spec, certificate = os.path.join(folder, "best.json"), os.path.join(folder, "proof.json")
    for file in (spec, certificate):
        if os.path.exists(file):
            os.remove(file)
    result = subprocess.run([binary, "design", path, "--format", "json", "--output", spec, "--certificate", certificate],
                            capture_output=True, check=False)
    return result, spec, certificate


def problems_of(binary, path, rng, folder):
    result, spec_file, certificate_file = design(binary, path, folder)
    if result.returncode != 0:
        return [f"exit status {result.returncode}: {result.stderr.decode()}"]
    verified = subprocess.run([binary, "verify", spec_file], capture_output=True, check=False)
    problems = [f"verify: {verified.stdout.decode()}{verified.stderr.decode()}"] if verified.returncode != 0 else []
    spec, certificate = Spec(spec_file), load(certificate_file)
    request = Request(path, spec)
    try:
        request.check(certificate)
    except Rejected as why:
        problems.append(f"the certificate: {why}")
    at_least = parse_number(certificate["at_least"])
    found = request.loss_of([dict(zip(spec.outputs, row)) for row in spec.rows])
    # Where all e^level are rational the bound is that of the mechanism itself.
    exact = all(is_logarithm(epsilon) for constraint in request.json["constraints"] for epsilon in levels_in(constraint["epsilon"]))
    if found < at_least or exact and found != at_least:
        problems.append(f"loss {found}, bound {at_least}")
    for _ in range(20):
        if request.loss_of(request.random_rows(rng)) < at_least:
            problems.append("a random mechanism has less loss than any can have")
    problems += tampered(request, certificate, rng)
    return problems


def tampered(request, certificate, rng):
    """What passes although it should not."""
    def changed():
        more = copy.deepcopy(certificate)
        more["at_least"] = str(parse_number(more["at_least"]) + Fraction(1, 1000))
        yield "a larger bound", more
        more = copy.deepcopy(more)
        one = rng.choice(more["prices"])
        one["price"] = str(parse_number(one["price"]) + Fraction(1, 1000))
        yield "a larger price", more
        if certificate["multipliers"]:
            more = copy.deepcopy(certificate)
            rng.choice(more["multipliers"])["times"] = "-1"
            yield "a negative multiplier", more
            more = copy.deepcopy(certificate)
            one = rng.choice(more["multipliers"])
            more["limits"][int(one["limit"])]["bound"] = "1"
            level = request.level(request.json["constraints"][int(more["limits"][int(one["limit"])]["constraint"])],
                                  more["limits"][int(one["limit"])]["about"], one["from"], one["to"])
            if compare(level, Fraction(1)) > 0:
                yield "a bound below e^level", more
    problems = []
    for what, more in changed():
        try:
            request.check(more)
            problems.append(f"accepted: {what}")
        except Rejected:
            pass
    return problems


def random_request(rng):
    values = [rng.randrange(2, 4) for _ in range(rng.randrange(1, 4))]
    domain = [{"name": "abc"[i], "values": [str(v) for v in range(n)]} for i, n in enumerate(values)]
    names = [one["name"] for one in domain]
    size = 1
    for n in values:
        size *= n
    counts = [rng.choice((0, rng.randrange(1, 9), 1)) for _ in range(size)]
    counts[rng.randrange(size)] += 1

    def epsilon():
        return rng.choice(("log(2)", "log(3)", "log(3/2)", "1", "1/2", "log(9)", "0"))
    constraints = []
    while not constraints:
        if rng.random() < 0.6:
            constraints.append({"notion": "ldp", "epsilon": epsilon()})
        if rng.random() < 0.4:
            constraints.append({"notion": "cdp", "epsilon": {name: epsilon() for name in names if rng.random() < 0.8} or {names[0]: "1"}})
        if rng.random() < 0.6:
            constraints.append({"notion": "bcdp", "epsilon": {name: epsilon() for name in names if rng.random() < 0.8} or {names[0]: "1"}})
        if rng.random() < 0.3:
            constraints.append({"notion": "context_ldp", "epsilon": [["0" if a == b else rng.choice((epsilon(), "inf", "log(4)", "log(6)"))
                                                                       for b in range(size)] for a in range(size)]})
        if rng.random() < 0.2:
            constraints.append({"notion": "approximate_dp", "epsilon": epsilon(), "delta": rng.choice(("1/10", "1/4"))})
    request = {"oddsbound_design": 1, "name": "random", "domain": domain, "prior": {"type": "counts", "counts": [str(c) for c in counts]},
               "constraints": constraints}
    kind = rng.choice(("zero_one", "hamming", "table", "absolute"))
    if rng.random() < 0.4:
        request["release"] = rng.sample(names, rng.randrange(1, len(names) + 1))
    if rng.random() < 0.3:
        request["reads"] = rng.sample(names, rng.randrange(1, len(names) + 1))
    if kind == "absolute" and len(request.get("release", names)) > 1:
        kind = "hamming"
    if kind == "table":
        request.pop("release", None)
        request["outputs"] = [f"y{k}" for k in range(rng.randrange(1, 4))]
        kind = [[str(rng.randrange(0, 5)) for _ in request["outputs"]] for _ in range(size)]
    request["objective"] = {rng.choice(("expected", "expected", "largest")): kind}
    return request


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("requests", nargs="*")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(len(options.requests) + options.random):
            rng = random.Random(options.seed * 1000003 + k)
            path = options.requests[k] if k < len(options.requests) else os.path.join(folder, "request.json")
            if k >= len(options.requests):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(random_request(rng), file)
            problems = problems_of(os.path.abspath(options.binary), path, rng, folder)
            passed, failed = passed + (not problems), failed + bool(problems)
            for problem in problems:
                print(f"{path} ({k}): {problem}")
                if k >= len(options.requests):
                    with open(path, encoding="utf-8") as file:
                        print(file.read())
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
