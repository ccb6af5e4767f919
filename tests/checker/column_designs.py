"""Mechanisms designed as columns against an independent check: minimum error of frequency estimates, or maximum
utility.

The result satisfies the constraints and has the stated value; the certificate proves that nothing is better; random
mechanisms within the constraints are not better; tampered certificates are rejected.

column_designs.py BINARY REQUEST... [--random N] [--seed S]: prints a line per problem, then "N passed, M failed".
"""
import copy
import json
import math
import subprocess
import sys
from decimal import Context, Decimal
from fractions import Fraction

import design_loop
import designs
from design_limits import Rejected, require, sufficient_pairs
from design_mechanisms import Drawn
from design_request import Constrained
from design_requests import plain_request
from oddsbound_check.exact import compare, quick
from oddsbound_check.expression import number as parse_number
from matrices import inverse
from reference import Spec, load

DIGITS = Context(prec=60)
# Error of a few dozen terms of 60 digits each, none of which is large.
ROUNDED = Fraction(1, 10**50)


def bound_above(level, denominator):
    """e^level, or the next larger fraction with the denominator."""
    if isinstance(level, Fraction):
        return level
    parts = int(quick(level) * denominator) - 1
    while compare(Fraction(parts, denominator), level) < 0:
        parts += 1
    return Fraction(parts, denominator)


def dot(a, b):
    return sum((p * q for p, q in zip(a, b) if p and q), Fraction(0))


def whole(vector):
    """The same ray in integers without a common factor."""
    over = math.lcm(*(Fraction(v).denominator for v in vector))
    numbers = [int(v * over) for v in vector]
    common = math.gcd(*numbers)
    return tuple(n // common for n in numbers)


def extreme_rays(forms, rows):
    """Extreme rays of {c >= 0 : form . c >= 0}, adding one form at a time; sets of zeros are the bits of a number."""
    rays = {tuple(int(x == z) for z in range(rows)): sum(1 << z for z in range(rows) if z != x) for x in range(rows)}
    for k, form in enumerate(sorted({whole(form) for form in forms if any(form)})):
        values = {ray: sum(f * c for f, c in zip(form, ray)) for ray in rays}
        kept = {ray: zeros | ((values[ray] == 0) << (rows + k)) for ray, zeros in rays.items() if values[ray] >= 0}
        for a in (ray for ray in rays if values[ray] > 0):
            for b in (ray for ray in rays if values[ray] < 0):
                both = rays[a] & rays[b]
                if both.bit_count() < rows - 2 or any(zeros & both == both for ray, zeros in rays.items() if ray not in (a, b)):
                    continue
                kept[whole([values[a] * q - values[b] * p for p, q in zip(a, b)])] = both | 1 << (rows + k)
        rays = kept
    return list(rays)


class ColumnRequest(Constrained):
    def __init__(self, path):
        super().__init__(path)
        require(not any("for_all" in claim and sufficient_pairs(self.spec, claim) for claim in self.constraints),
                "a constraint over a set of priors, with outputs that are found")
        require(not any(pair.together or pair.delta for known in self.known for pair in known), "a limit that adds up over outputs, which are found")
        self.labels = [str(k) for k in range(6)]
        self.orbits = [[(row, y)] for row in self.rows for y in range(len(self.labels))]
        self.place = [self.rows.index(self.row_of(x)) for x in self.inputs]
        self.mass = self.by_row([(k, p) for k, p in enumerate(self.prior)])
        self.some = [x for x, p in enumerate(self.mass) if p > 0]
        self.is_error = "estimate" in self.json["objective"]
        most = self.json["objective"].get("most")
        self.table = [self.by_row(enumerate(map(parse_number, row))) for row in most["largest_of"]] if isinstance(most, dict) else None
        denominator = int(self.json.get("denominator", 1000))
        forms = [self.form(a, b, bound_above(level, denominator)) for a, b, level in self.pairs()]
        # A form that sums to 0 over all outputs and is negative for none is 0 for each.
        forms += [[-f for f in form] for form in forms if sum(form) == 0]
        self.rays = extreme_rays(forms, len(self.rows))

    def by_row(self, weights):
        result = [Fraction(0)] * len(self.rows)
        for k, weight in weights:
            result[self.place[k]] += weight
        return result

    def form(self, a, b, bound):
        return [bound * q - p for p, q in zip(self.by_row(a.items()), self.by_row(b.items()))]

    def information_on(self, column):
        """The information of an output about the input, in nats, within ROUNDED."""
        mass, total = dot(self.mass, column), Decimal(0)
        for p, c in zip(self.mass, column):
            if p and c and c != mass:
                part, odds = p * c, Fraction(c) / mass
                part, odds = (DIGITS.divide(v.numerator, v.denominator) for v in (part, odds))
                total = DIGITS.add(total, DIGITS.multiply(part, DIGITS.ln(odds)))
        return Fraction(total)

    def use(self, column):
        return self.information_on(column) if self.table is None else max(dot(row, column) for row in self.table)

    def value(self, columns):
        """The utility of a mechanism, or the error of its estimates; None if there are none without bias."""
        if not self.is_error:
            return sum(map(self.use, columns), Fraction(0))
        information = [[Fraction(0)] * len(self.some) for _ in self.some]
        for column in columns:
            mass = dot(self.mass, column)
            for a, x in enumerate(self.some):
                for b, z in enumerate(self.some):
                    information[a][b] += column[x] * column[z] / mass if mass else 0
        found = inverse(information)
        return found and sum(found[a][a] for a in range(len(found))) - dot(self.mass, self.mass)

    def columns_of(self, rows, labels):
        """rows: by input, {label: probability}. Inputs with the same row of the request must have equal outputs."""
        for k, row in enumerate(rows):
            require(row == rows[self.place.index(self.place[k])], "more is read than may be")
        return [[rows[self.place.index(x)].get(label, Fraction(0)) for x in range(len(self.rows))] for label in labels]

    def check(self, certificate):
        """Raises Rejected unless the certificate proves its bound; returns the bound."""
        require([self.row_named(one) for one in certificate["prices"]] == self.rows, "rows")
        prices = [parse_number(one["price"]) for one in certificate["prices"]]
        told = [[parse_number(c) for c in column] for column in certificate["columns"]]
        if not any(one["notion"] == "context_ldp" for one in self.json["constraints"]):
            # If constraints follow from others, roundings of e^level may differ.
            require({whole(column) for column in told} == set(self.rays), "columns")
        if not self.is_error:
            room = ROUNDED if self.table is None else 0
            for column in self.rays:
                require(not any(column) or dot(prices, column) >= self.use(column) + (room if self.use(column) else 0),
                        f"a column of more use than its price: {column}")
            bound = parse_number(certificate["at_most"])
            require(sum(prices) <= bound, "the prices add up to more")
            return bound
        center = [[parse_number(v) for v in row] for row in certificate["center"]]
        require(len(center) == len(self.some) and all(len(row) == len(center) for row in center), "center")
        for column in self.rays:
            part, mass = [column[x] for x in self.some], dot(self.mass, column)
            gain = sum(dot(row, part)**2 for row in center) / mass if mass else 0
            require(dot(prices, column) >= gain, f"a column that gains more than its price: {column}")
        bound = parse_number(certificate["at_least"])
        proved = sum(center[a][a] for a in range(len(center)))**2 / sum(prices) - dot(self.mass, self.mass)
        require(bound <= proved, "the prices prove less")
        return bound

    def is_better(self, value, bound):
        if value is None:
            return False
        room = ROUNDED if not self.is_error and self.table is None else 0
        return value < bound if self.is_error else value > bound + room


def is_without_estimate(path):
    """True if even all columns together do not identify the distribution."""
    request = ColumnRequest(path)
    return request.value(request.rays) is None


def told_value(text):
    return parse_number(text.split("\n")[1].split(": ")[1].split(" = ")[0])


def problems_of(binary, path, rng, folder):
    result, spec_file, certificate_file = designs.design(binary, path, folder)
    if result.returncode == 2 and b"no estimate is unbiased" in result.stderr:
        return [] if is_without_estimate(path) else ["some estimate is unbiased"]
    if result.returncode != 0:
        return [f"exit status {result.returncode}: {result.stderr.decode()}"]
    verified = subprocess.run([binary, "verify", spec_file], capture_output=True, check=False)
    problems = [f"verify: {verified.stdout.decode()}{verified.stderr.decode()}"] if verified.returncode != 0 else []
    spec, certificate = Spec(spec_file), load(certificate_file)
    request = ColumnRequest(path)
    try:
        bound = request.check(certificate)
        value = request.value(request.columns_of([dict(zip(spec.outputs, row)) for row in spec.rows], spec.outputs))
    except Rejected as why:
        return problems + [f"the certificate: {why}"]
    if request.is_better(value, bound):
        problems.append("better than anything can be")
    text = subprocess.run([binary, "design", "--exact", path], capture_output=True, check=True).stdout.decode()
    told = told_value(text)
    if not (value - ROUNDED <= told if request.is_error else value + ROUNDED >= told) or abs(told - value) > abs(value) / 10**14:
        problems.append(f"it is told to be {float(told)} and is {float(value)}")
    exact = all(designs.is_logarithm(epsilon) for one in request.json["constraints"] for epsilon in designs.levels_in(one["epsilon"]))
    if exact and abs(value - bound) > abs(bound) / 10**9:
        problems.append(f"{float(value)}, and nothing is better than {float(bound)}")
    drawn = Drawn(request, None, rng)
    for _ in range(20):
        if request.is_better(request.value(request.columns_of(drawn.rows(), request.labels)), bound):
            problems.append("a random mechanism is better than any can be")
    return problems + tampered(request, certificate, rng)


def tampered(request, certificate, rng):
    """Tampered certificates that are accepted although they must not be."""
    def changed():
        more = copy.deepcopy(certificate)
        key, sign = ("at_least", 1) if request.is_error else ("at_most", -1)
        more[key] = str(parse_number(more[key]) + Fraction(sign, 1000))
        yield "a better bound", more
        more = copy.deepcopy(certificate)
        rng.choice(more["columns"]).reverse()
        if {whole([parse_number(c) for c in column]) for column in more["columns"]} != set(request.rays):
            if not any(one["notion"] == "context_ldp" for one in request.json["constraints"]):
                yield "another column", more
        if request.is_error:
            more = copy.deepcopy(certificate)
            a = rng.randrange(len(more["center"]))
            more["center"][a][a] = str(parse_number(more["center"][a][a]) + 1)
            more["at_least"] = str(parse_number(more["at_least"]) + Fraction(1, 10**6))
            yield "another center", more
        more = copy.deepcopy(certificate)
        for one in more["prices"]:
            one["price"] = str(parse_number(one["price"]) - Fraction(1, 1000))
        yield "lower prices", more
    problems = []
    for what, more in changed():
        try:
            request.check(more)
            problems.append(f"accepted: {what}")
        except Rejected:
            pass
    return problems


def random_request(rng):
    while True:
        request = plain_request(rng)
        sizes = {one["name"]: len(one["values"]) for one in request["domain"]}
        rows = math.prod(sizes[name] for name in request.get("reads", sizes))
        if 2 <= rows <= 6 and all(one["notion"] != "approximate_dp" for one in request["constraints"]):
            break
    for key in ("release", "outputs"):
        request.pop(key, None)
    table = [[str(rng.randrange(-4, 5)) for _ in range(math.prod(sizes.values()))] for _ in range(rng.randrange(1, 5))]
    request["objective"] = rng.choice(({"estimate": "frequencies"}, {"most": "mutual_information"}, {"most": {"largest_of": table}}))
    return request


def main():
    options = design_loop.arguments()
    return design_loop.go_through(options, random_request, lambda path, rng, folder, _: problems_of(options.binary, path, rng, folder))


if __name__ == "__main__":
    sys.exit(main())
