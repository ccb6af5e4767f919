"""Designs with one matrix per attribute against an independent check.

The result satisfies the constraints, by `verify`. Its loss is that of the inverse of the whole matrix, by brute force.
The boxes of the certificate cover all levels: no remaining box can have a smaller loss than stated, and the dropped
ones violate a constraint, by `verify` again. On a fine grid, nothing within the constraints has less loss. Tampered
certificates are rejected.

product_designs.py BINARY REQUEST... [--random N] [--seed S] [--corners K]: prints a line per problem, then "N passed,
M failed".
"""
import copy
import itertools
import json
import os
import subprocess
import sys
from fractions import Fraction

import design_loop
from design_limits import Rejected, require
from oddsbound_check.expression import number as parse_number
from matrices import inverse
from reference import Spec, load


def response(height, k):
    """The matrix of k-randomized response at log(1/(1 - height))."""
    weight = height / (1 - height) + 1 if height < 1 else None
    if weight is None:
        return [[Fraction(i == j) for j in range(k)] for i in range(k)]
    return [[(weight if i == j else 1) / (weight + k - 1) for j in range(k)] for i in range(k)]


class Request:
    def __init__(self, path, spec):
        self.json, self.spec = load(path), spec
        names = [name for name, _ in spec.domain]
        self.attributes = sorted(names.index(a) for a in self.json.get("release", names))
        self.names = names
        self.sizes = [len(spec.domain[i][1]) for i in self.attributes]
        form = self.json["form"]
        self.tied = form != "product" and form["product"].get("tied", False)
        self.gap = Fraction(1, 100) if form == "product" else parse_number(form["product"].get("gap", "1/100"))
        self.dimensions = 1 if self.tied else len(self.attributes)
        self.norms = {}

    def heights(self, corner):
        return list(corner) * len(self.attributes) if self.tied else list(corner)

    def squared_norm(self, heights, sizes):
        """The squared norm of a column of the inverse of the whole matrix: the largest and the smallest."""
        key = tuple(heights), tuple(sizes)
        if key not in self.norms:
            factors = [response(h, k) for h, k in zip(heights, sizes)]
            cells = list(itertools.product(*(range(k) for k in sizes)))
            whole = []
            for x in cells:
                row = []
                for y in cells:
                    share = Fraction(1)
                    for f, a, b in zip(factors, x, y):
                        share *= f[a][b]
                    row.append(share)
                whole.append(row)
            back = inverse(whole)
            norms = {sum(row[y] ** 2 for row in back) for y in range(len(cells))}
            require(len(norms) == 1, "columns of the inverse with different norms")
            self.norms[key] = norms.pop()
        return self.norms[key]

    def loss(self, corner):
        """The loss at a corner; None: unbounded."""
        heights, objective = self.heights(corner), self.json["objective"]
        if "estimate" not in objective:
            kind = objective.get("expected", objective.get("largest"))
            truths = [response(h, k)[0][0] for h, k in zip(heights, self.sizes)]
            if kind == "hamming":
                return sum(1 - t for t in truths)
            right = Fraction(1)
            for t in truths:
                right *= t
            return 1 - right
        weights = objective.get("weights", ["1"] * len(objective["estimate"]))
        total = Fraction(0)
        for names, weight in zip(objective["estimate"], weights):
            own = [self.attributes.index(self.names.index(name)) for name in names]
            if any(heights[i] == 0 and self.sizes[i] > 1 for i in own):
                return None
            shares = {}
            for x, p in zip(self.spec.inputs, self.spec.prior):
                value = tuple(x[self.names.index(name)] for name in names)
                shares[value] = shares.get(value, 0) + p
            norm = self.squared_norm([heights[i] for i in own], [self.sizes[i] for i in own])
            total += parse_number(weight) * (norm - sum(p * p for p in shares.values()))
        return total

    def found(self):
        """The heights of the resulting spec."""
        levels = [self.spec.json["mechanism"]["mechanisms"][self.names[i]]["epsilon"] for i in self.attributes]
        heights = [height_of(level) for level in levels]
        require(not self.tied or len(set(heights)) == 1, "different levels that should be one")
        return heights[:1] if self.tied else heights

    def check(self, certificate):
        """Raises Rejected unless the boxes prove the bound, given that points in `broken` violate a constraint.
        Returns those used."""
        at_least = parse_number(certificate["at_least"])
        broken = [[parse_number(v) for v in corner] for corner in certificate["broken"]]
        boxes, used, seen = certificate["boxes"], set(), set()
        todo = [(0, [Fraction(0)] * self.dimensions, [Fraction(1)] * self.dimensions)]
        while todo:
            number, low, high = todo.pop()
            require(number not in seen and 0 <= number < len(boxes), "a box that is there twice, or not at all")
            seen.add(number)
            box = boxes[number]
            if "coordinate" in box:
                i, at = int(box["coordinate"]), parse_number(box["at"])
                require(low[i] <= at <= high[i], "a box that is halved outside of it")
                todo.append((int(box["low"]), low, high[:i] + [at] + high[i + 1:]))
                todo.append((int(box["high"]), low[:i] + [at] + low[i + 1:], high))
            elif "broken" in box:
                require(all(b <= v for b, v in zip(broken[int(box["broken"])], low)), "a box below what is broken")
                used.add(int(box["broken"]))
            else:
                loss = self.loss(high)
                require(loss is None or loss >= at_least, f"a box whose points could lose less: {high}")
        return [broken[k] for k in sorted(used)]


def height_of(level):
    if level == "inf":
        return Fraction(1)
    if level == "0":
        return Fraction(0)
    require(level.startswith("log(") and level.endswith(")"), f"a level that is no logarithm: {level}")
    return 1 - 1 / parse_number(level[4:-1])


def level_of(height):
    return "inf" if height == 1 else "0" if height == 0 else f"log({1 / (1 - height)})"


HOLD, BROKEN = 0, 1  # exit statuses; others leave it open


def verified_at(binary, request, spec_json, corner, folder):
    """The exit status of `verify` at a point."""
    spec = copy.deepcopy(spec_json)
    for i, height in zip(request.attributes, request.heights(corner)):
        spec["mechanism"]["mechanisms"][request.names[i]]["epsilon"] = level_of(height)
    path = os.path.join(folder, "corner.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(spec, file)
    status = subprocess.run([binary, "verify", path], capture_output=True, check=False).returncode
    assert status != 2, "a spec that cannot be read would say nothing of its limits"
    return status


def design(binary, path, folder):
    spec, certificate = os.path.join(folder, "best.json"), os.path.join(folder, "proof.json")
    result = subprocess.run([binary, "design", path, "--format", "json", "--output", spec, "--certificate", certificate],
                            capture_output=True, check=False)
    return result, spec, certificate


def problems_of(binary, path, rng, folder, corners, grid):
    result, spec_file, certificate_file = design(binary, path, folder)
    if result.returncode != 0:
        return [f"exit status {result.returncode}: {result.stderr.decode()}"]
    verified = subprocess.run([binary, "verify", spec_file], capture_output=True, check=False)
    problems = [f"verify: {verified.stdout.decode()}{verified.stderr.decode()}"] if verified.returncode != 0 else []
    spec, certificate = Spec(spec_file), load(certificate_file)
    with open(spec_file, encoding="utf-8") as file:
        written = json.load(file)
    request = Request(path, spec)
    try:
        used = request.check(certificate)
        found = request.loss(request.found())
    except Rejected as why:
        return problems + [f"the certificate: {why}"]
    at_least = parse_number(certificate["at_least"])
    if not (1 - request.gap) * found <= at_least <= found:
        problems.append(f"loss {found}, bound {at_least}")
    for corner in rng.sample(used, min(corners, len(used))):
        if verified_at(binary, request, written, corner, folder) != BROKEN:
            problems.append(f"the limits are not refuted at {corner}, of which it is said that one is broken")
    steps = [Fraction(k, grid) for k in range(grid + 1)] if grid else []
    for corner in itertools.product(steps, repeat=request.dimensions):
        loss = request.loss(corner)
        if loss is not None and loss < at_least and verified_at(binary, request, written, corner, folder) == HOLD:
            problems.append(f"{corner} loses less than any can: {loss}")
    return problems + tampered(request, certificate)


def tampered(request, certificate):
    """Tampered certificates that are accepted although they must not be."""
    problems = []
    changes = []
    more = copy.deepcopy(certificate)
    least = min(request.loss(high) for high in open_corners(request, certificate))
    more["at_least"] = str(least + Fraction(1, 10 ** 9))
    changes.append(("a larger bound", more))
    halved = next((k for k, box in enumerate(certificate["boxes"]) if "coordinate" in box), None)
    if halved is not None:
        more = copy.deepcopy(certificate)
        more["boxes"][halved]["high"] = more["boxes"][halved]["low"]
        changes.append(("a half that is there twice", more))
    left_out = next((k for k, box in enumerate(certificate["boxes"]) if "broken" in box), None)
    if left_out is not None:
        more = copy.deepcopy(certificate)
        more["broken"][int(more["boxes"][left_out]["broken"])] = ["1"] * request.dimensions
        changes.append(("a box that reaches below what is broken", more))
    for what, changed in changes:
        try:
            request.check(changed)
            problems.append(f"accepted: {what}")
        except Rejected:
            pass
    return problems


def open_corners(request, certificate):
    todo = [(0, [Fraction(1)] * request.dimensions)]
    while todo:
        number, high = todo.pop()
        box = certificate["boxes"][number]
        if "coordinate" in box:
            i, at = int(box["coordinate"]), parse_number(box["at"])
            todo += [(int(box["low"]), high[:i] + [at] + high[i + 1:]), (int(box["high"]), high)]
        elif "broken" not in box:
            yield high


def random_request(rng):
    sizes = [rng.randrange(2, 4) for _ in range(rng.randrange(2, 4))]
    names = "abc"[:len(sizes)]
    domain = [{"name": name, "values": [str(v) for v in range(n)]} for name, n in zip(names, sizes)]
    size = 1
    for n in sizes:
        size *= n
    counts = [rng.randrange(1, 9) for _ in range(size)]

    def epsilon():
        return rng.choice(("log(2)", "log(3)", "1", "1/2", "log(9)", "inf"))

    def levels():
        return {name: epsilon() for name in names if rng.random() < 0.7} or {names[0]: "1"}
    constraints = [{"notion": "ldp", "epsilon": rng.choice(("log(5)", "log(12)", "2"))}] if rng.random() < 0.5 else []
    if rng.random() < 0.3:
        constraints.append({"notion": "cdp", "epsilon": levels()})
    if rng.random() < 0.3:
        constraints.append({"notion": "approximate_dp", "epsilon": "log(2)", "delta": "1/8"})
    if not constraints or rng.random() < 0.6:
        constraints.append({"notion": "bcdp", "epsilon": levels()})
    request = {"oddsbound_design": 1, "name": "random", "domain": domain, "prior": {"type": "counts", "counts": [str(c) for c in counts]},
               "constraints": constraints, "form": {"product": {"gap": rng.choice(("1/20", "1/50")), "tied": rng.random() < 0.3}}}
    released = sorted(rng.sample(names, rng.randrange(1, len(names) + 1)))
    request["release"] = released
    kind = rng.choice(("estimate", "estimate", "zero_one", "hamming"))
    if kind != "estimate":
        request["objective"] = {rng.choice(("expected", "largest")): kind}
        return request
    marginals = [released] if len(released) < 2 or rng.random() < 0.5 else [[name] for name in released]
    request["objective"] = {"estimate": marginals, "weights": [rng.choice(("1", "2", "1/3")) for _ in marginals]}
    return request


def main():
    options = design_loop.arguments(("--corners", 3))

    # Specs name the tables of their priors relative to their own folder.
    def problems(path, rng, folder, is_random):
        return problems_of(options.binary, path, rng, folder, options.corners, 8 if is_random else 0)
    return design_loop.go_through(options, random_request, problems)


if __name__ == "__main__":
    sys.exit(main())
