"""Claims over sets of priors, on specs and on random small ones: every witness is a member of its set by the set's
definition and attains its level; no random member exceeds it. Shares no code with the tool.

sets.py BINARY SPEC... [--random N] [--seed S]: one line per wrong answer.
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

import members
from oddsbound_check.exact import INFINITE
from reference import Spec
from members import scaled_to_one as normalized, stated_of
from samples import Sample
from oddsbound_check.surds import Surd

WITHIN = 1 + Fraction(1, 10**6)
MEMBERS = 40


def mixed(a, b, w):
    return [(1 - w) * x + w * y for x, y in zip(a, b)]


class Sets(members.Enumerated):
    """Membership and random members by type of set. groups: the inputs by label."""

    def __init__(self, spec, groups, coordinate):
        super().__init__(spec, groups, coordinate)
        self.shown = spec.prior  # the prior of a witness

    def anything(self, size=None):
        weights = [Fraction(random.choice([0, 0, 1, 1, 2, 3, 9])) for _ in range(size or len(self.spec.inputs))]
        weights[random.randrange(len(weights))] += 1
        return normalized(weights)

    def within_rows(self, s):
        """A member: raises every row from its lower ends, value by value, as far as the sum allows."""
        w = [Fraction(1)] * len(self.spec.inputs)
        for i, of, rows in self.rows(s):
            drawn = {}
            for given, ends in rows.items():
                row, left = [least for least, _ in ends], 1 - sum(least for least, _ in ends)
                for share in (Fraction(random.choice([0, 0, 1, 5, 9]), 10), 1):
                    for k in random.sample(range(len(row)), len(row)):
                        added = min(left, ends[k][1] - row[k]) * share
                        row[k], left = row[k] + added, left - added
                drawn[given] = row
            for k, x in enumerate(self.spec.inputs):
                w[k] *= drawn[tuple(x[j] for j in of)][self.spec.domain[i][1].index(x[i])]
        return w

    def moved(self, s, w):
        """Another member: moves mass from two inputs to the two with one's coordinates up to a cut and the other's
        after it."""
        u, v, cut = random.choice(self.spec.inputs), random.choice(self.spec.inputs), random.randrange(len(self.spec.domain))
        names = [name for name, _ in self.spec.domain]
        random.shuffle(names)
        first = set(names[:cut])
        if any(first & set(of) and set(of) - first for of, _ in self.tables(s)):
            return w
        swapped = [tuple(a if name in first else b for a, b, (name, _) in zip(x, y, self.spec.domain)) for x, y in ((u, v), (v, u))]
        place, w = {x: k for k, x in enumerate(self.spec.inputs)}, list(w)
        amount = min(w[place[u]], w[place[v]]) / random.choice([1, 1, 2]) / (2 if u == v else 1)
        for x, change in ((u, -amount), (v, -amount), (swapped[0], amount), (swapped[1], amount)):
            w[place[x]] += change
        return w

    def member(self, s):
        kind, center, share = s["type"], self.spec.prior, Fraction(random.randrange(11), 10)
        if kind == "all":
            return self.anything()
        if kind in ("product", "correlation"):
            q = Fraction(0) if kind == "product" else self.at_most(s)
            common, marginal = self.anything(len(self.groups[0])), self.anything(len(self.groups))
            w = [Fraction(0)] * len(self.spec.inputs)
            for group, mass in zip(self.groups, marginal):
                for x, cell in zip(group, mixed(common, self.anything(len(group)), q)):
                    w[x] = mass * cell
            return w
        if kind == "contaminated":
            wrong = self.anything()
            if s.get("support") == "prior":
                wrong = [x if c != 0 else Fraction(0) for x, c in zip(wrong, center)]
                wrong = normalized(wrong) if any(wrong) else center
            return mixed(center, wrong, self.spec.number(s["share"]))
        if kind == "total_variation":
            radius, other = self.spec.number(s["radius"]), self.anything()
            off = members.distance(self.center(), self.by_input(other))
            return mixed(center, other, min(Fraction(1), radius / off) if off != 0 else 0)
        if kind == "weights":
            factor = self.spec.number(s["factor"])
            return normalized([c * random.choice([1, factor, 1 / factor]) for c in center])
        if kind == "network":
            return self.within_rows(s)
        if kind == "intervals":
            w, upper = self.cells(s["lower"]), self.cells(s["upper"])
            left = 1 - sum(w)
            for x in random.sample(range(len(w)), len(w)):
                added = min(left, upper[x] - w[x])
                w[x], left = w[x] + added, left - added
            return w
        if kind == "marginals":
            w = self.shown  # found to be a member
            for _ in range(12):
                w = self.moved(s, w)
            return w
        if kind in ("any_of", "mixtures_of"):
            priors = [self.spec.read_prior(p) for p in s["priors"]]
            first = random.choice(priors)
            return mixed(first, random.choice(priors), share) if kind == "mixtures_of" else first
        learned = {}
        w = [c * learned.setdefault(self.known(s, x), Fraction(random.choice([0, 1, 1, 5]))) for x, c in zip(self.spec.inputs, center)]
        return normalized(w) if any(w) else center


class Checker:
    def __init__(self, binary, both):
        self.binary, self.both = binary, both
        self.levels = self.wrong = self.again = self.claims = self.second = 0

    def expect(self, true, what):
        if not true:
            self.wrong += 1
            print(what)

    def spec(self, path):
        """Checks the levels, and that the tool finds them again under the priors that it writes."""
        with tempfile.TemporaryDirectory() as folder:
            self.decided(path, folder)
            if os.listdir(folder):
                again = subprocess.run([self.binary, "verify", folder], stdout=subprocess.PIPE, text=True, timeout=300)
                self.expect(again.returncode == 0, f"{path}: under its own priors\n{again.stdout}")
                self.again += len(os.listdir(folder))

    def decided(self, path, folder):
        engine = ["--engine", "both", "--smt-seconds", "5"] if self.both else []
        run = subprocess.run([self.binary, "verify", "--format", "json", "--write-witness", folder, *engine, path],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300)
        if run.returncode not in ((0, 1, 3) if self.both else (0, 1)):
            self.expect(False, f"{path}: exit status {run.returncode}")
            return
        spec, result = Spec(path), json.loads(run.stdout)["specs"][0]
        for claim, found in zip(spec.json["claims"], result["claims"]):
            if "for_all" in claim:
                self.second += "smt" in found["decided_by"] and "exact" in found["decided_by"]
                self.claims += stated_of(spec, claim)["type"] not in ("sample", "product", "network")
                self.claim(spec, claim, found, f"{path}: {claim.get('name', claim['for_all'])}")

    def claim(self, spec, claim, found, what):
        stated = stated_of(spec, claim)
        level = self.sample_level if stated["type"] == "sample" else self.level
        if claim["notion"] in ("secret", "bdp"):
            groups = spec.secret_groups(claim["secret"]) if claim["notion"] == "secret" else {x: [k] for k, x in enumerate(spec.inputs)}
            level(spec, stated, claim, list(groups), list(groups.values()), None, found["actual"], what)
            claimed = spec.level(claim["epsilon"])
            holds = self.stands(claimed)
        else:
            standings, names = [], [name for name, _ in spec.domain]
            claimed = spec.coordinate_levels(claim["epsilon"], [])
            self.expect([names.index(name) for name in found["actual"]] == sorted(claimed), f"{what}: about {list(found['actual'])}")
            for name, actual in found["actual"].items():
                i = names.index(name)
                level(spec, stated, claim, spec.domain[i][1], spec.value_groups(i), name, actual, what)
                standings.append(self.stands(claimed[i]))
            holds = False if False in standings else None if None in standings else True
        words = {True: "holds with confidence" if stated["type"] == "sample" else "holds", False: "refuted", None: "undecided"}
        self.expect(found["verdict"] == words[holds] or claim.get("tight"), f"{what}: {found['verdict']}")

    def stands(self, claimed):
        """Whether a claim holds for the level found last; None: the claim lies between its bounds."""
        if claimed is INFINITE or self.true <= claimed:
            return True
        return None if self.least <= claimed else False

    def compared(self, claim, labels):
        sides = [[labels.index(x) for x in claim.get(side, labels)] for side in ("from", "to")]
        return [(a, b) for a in sides[0] for b in sides[1] if a != b]

    def shown(self, spec, witness, labels, groups, what):
        """The weights of a witness, its output and labels; checks its probabilities."""
        place, weights = {x: k for k, x in enumerate(spec.inputs)}, [Fraction(0)] * len(spec.inputs)
        for x, mass in witness["prior"]["rows"]:
            weights[place[tuple(x)]] += spec.number(mass)
        a, b = (labels.index(tuple(x) if isinstance(x, list) else x) for x in (witness["from"], witness["to"]))
        y = spec.outputs.index(witness["output"])
        p, q = self.given(spec, weights, groups[a], y), self.given(spec, weights, groups[b], y)
        self.expect(all(x >= 0 for x in weights) and (p, q) == (spec.number(witness["p_from"]), spec.number(witness["p_to"])),
                    f"{what}: probabilities")
        return weights, (a, b), y, p, q

    def sample_level(self, spec, stated, claim, labels, groups, _coordinate, actual, what):
        """Leaves both ends of the exponential as self.least and self.true."""
        self.levels += 1
        spec.counts = [int(spec.own_prior.weights.get(x, 0)) for x in spec.own_domain.rows()]
        at_once = len(claim["epsilon"]) if claim["notion"] == "bcdp" else 1
        sample = Sample(spec, groups, spec.number(stated["confidence"]), at_once)
        least, most = (spec.level(actual.get(end, actual)["epsilon"]) for end in ("at_least", "at_most"))
        self.least, self.true = (10**9 if end is INFINITE else end for end in (least, most))
        pairs = self.compared(claim, labels)
        if actual["witness"]:
            weights, pair, y, p, q = self.shown(spec, actual["witness"], labels, groups, what)
            self.expect(pair in pairs and sample.allows(weights, y, pair), f"{what}: the draws speak against the prior")
            self.expect(p > 0 if least is INFINITE and q == 0 else least is not INFINITE and max(p, q) == least * q, f"{what}: {p}/{q} is not {least}")
            self.expect(least is most or most <= least * WITHIN, f"{what}: between {least} and {most}")
        for pair in pairs if most is not INFINITE else []:
            for y in range(len(spec.outputs)):
                self.expect(sample.excludes_above(most, y, pair), f"{what}: more than {most} at {spec.outputs[y]} between {pair}")

    def level(self, spec, stated, claim, labels, groups, coordinate, actual, what):
        """Leaves the exponential, or both its bounds, as self.least and self.true."""
        self.levels += 1
        sets = Sets(spec, groups, coordinate)
        pairs = self.compared(claim, labels)
        ends = [actual.get(end, actual)["epsilon"] for end in ("at_least", "at_most")]
        true, most = (INFINITE if end == "inf" else Surd.of(spec.level(end)) for end in ends)
        self.least, self.true = (Surd(10**9) if end is INFINITE else end for end in (true, most))
        self.expect(ends[0] == ends[1] or stated["type"] == "network", f"{what}: between {ends[0]} and {ends[1]}")
        witness = actual["witness"]
        if witness:
            w, pair, _, p, q = self.shown(spec, witness, labels, groups, what)
            w = normalized(w)
            sets.shown = w
            self.expect(sets.contains(stated, w), f"{what}: the prior is no member")
            self.expect(pair in pairs, f"{what}: sides that are not compared")
            if true is INFINITE:
                shown = p > 0 and (q == 0 or (not witness["prior"]["attains"] and p > q * 10**9))
            elif witness["prior"]["attains"]:
                shown = q > 0 and true == Surd.of(p / q)
            else:
                shown = q > 0 and Surd.of(p / q) <= true <= Surd.of(WITHIN * p / q)
            self.expect(shown, f"{what}: the witness shows {p}/{q}, the level is {ends[0]}")
        largest = None
        for _ in range(MEMBERS if most is not INFINITE else 0):
            w = sets.member(stated)
            for a, b in pairs:
                for y in range(len(spec.outputs)):
                    p, q = self.given(spec, w, groups[a], y), self.given(spec, w, groups[b], y)
                    if p is None or q is None or p == 0:
                        continue
                    self.expect(q != 0, f"{what}: a member has {p}/{q}")
                    if q != 0 and (largest is None or p > largest[0] * q):
                        largest = p / q, f"{p}/{q}"
        if largest is not None:
            self.expect(Surd.of(largest[0]) <= most, f"{what}: a member has {largest[1]}")

    @staticmethod
    def given(spec, w, group, y):
        mass = sum(w[x] for x in group)
        return sum(w[x] * spec.rows[x][y] for x in group) / mass if mass != 0 else None


def fraction(least=0):
    return str(Fraction(random.randrange(least, 21), 20))


def distribution(size):
    counts = [random.choice([0, 1, 1, 2, 3, 5]) for _ in range(size)]
    counts[random.randrange(size)] += 1
    return [str(Fraction(c, sum(counts))) for c in counts]


def random_network(domain):
    """Rows around distributions, some of them wider than a point."""
    nodes = []
    for coordinate in random.sample(domain, len(domain)):
        parents = [node["coordinate"] for node in nodes if random.random() < 0.6][:2]
        rows, size = 1, len(coordinate["values"])
        for parent in parents:
            rows *= next(len(c["values"]) for c in domain if c["name"] == parent)
        table = []
        for _ in range(rows):
            row = distribution(size)
            if random.random() < 0.4:
                row = [[str(Fraction(p) * Fraction(random.choice([0, 1, 3, 4]), 4)), str(min(1, Fraction(p) + Fraction(random.choice([0, 1, 3, 20]), 20)))]
                       for p in row]
            table.append(row)
        nodes.append({"coordinate": coordinate["name"], "parents": parents, "table": table})
    return {"type": "network", "nodes": random.sample(nodes, len(nodes))}


def random_set(names, inputs, domain):
    kind = random.choice(["network", "network", "all", "product", "correlation", "contaminated", "total_variation", "weights", "intervals",
                          "any_of", "mixtures_of", "mixtures_of", "side_knowledge", "marginals", "marginals"])
    if kind == "network":
        return random_network(domain)
    if kind == "correlation":
        return {"type": kind, "at_most": random.choice([fraction(), {name: fraction() for name in names}])}
    if kind == "contaminated":
        return {"type": kind, "share": fraction(), "support": random.choice(["domain", "prior"])}
    if kind == "total_variation":
        return {"type": kind, "radius": fraction()}
    if kind == "weights":
        return {"type": kind, "factor": random.choice(["1", "11/10", "3/2", "4"])}
    if kind == "intervals":
        inside = distribution(len(inputs))
        lower = [str(Fraction(p) * Fraction(random.choice([0, 1, 1, 2]), 2)) for p in inside]
        upper = [str(min(1, Fraction(p) + Fraction(random.choice([0, 0, 1, 3, 20]), 20))) for p in inside]
        return {"type": kind, "lower": lower, "upper": upper}
    if kind in ("any_of", "mixtures_of"):
        return {"type": kind, "priors": [{"type": "probabilities", "probabilities": distribution(len(inputs))}
                                         for _ in range(random.randrange(1, 5))]}
    if kind == "marginals":
        first, others = names[:1], [name for name in names[1:] if random.random() < 0.7]
        return {"type": kind, "sets": random.sample([first] + [random.choice([first, []]) + [name] for name in others], 1 + len(others))}
    return {"type": kind, "about": names[1:]} if kind == "side_knowledge" else {"type": kind}


def random_spec(folder, number):
    domain = [{"name": f"x{i}", "values": [str(v) for v in range(random.choice([1, 2, 2, 3]))]} for i in range(random.choice([1, 2, 2, 3]))]
    names, inputs = [c["name"] for c in domain], [()]
    for coordinate in domain:
        inputs = [x + (v,) for x in inputs for v in coordinate["values"]]
    outputs = [str(y) for y in range(random.choice([1, 2, 3]))]
    rows = []
    for _ in inputs:
        row = distribution(len(outputs))
        if random.random() < 0.8:  # with zeros most levels are infinite, for every set
            row = [str((9 * Fraction(p) + Fraction(1, len(outputs))) / 10) for p in row]
        rows.append(random.choice(rows) if rows and random.random() < 0.3 else row)
    claims = []
    for _ in range(4):
        stated = random_set(names, inputs, domain)
        if stated["type"] == "side_knowledge" and not stated["about"]:
            continue
        epsilon = random.choice(["0", "log(2)", "log(7/2)", "inf"])
        if stated["type"] not in ("product", "correlation", "marginals") and random.random() < 0.3 and len(inputs) > 1:
            cut = random.randrange(1, len(inputs))
            claims.append({"notion": "secret", "secret": {"a": inputs[:cut], "b": inputs[cut:]}, "epsilon": epsilon, "for_all": stated})
            continue
        if stated["type"] not in ("product", "correlation", "marginals") and random.random() < 0.15:
            claims.append({"notion": "bdp", "epsilon": epsilon, "for_all": stated})
            continue
        claims.append({"notion": "bcdp", "epsilon": {names[0]: epsilon}, "for_all": stated})
        if random.random() < 0.3:
            claims[-1].update({side: random.sample(domain[0]["values"], 1) for side in ("from", "to") if random.random() < 0.6})
    counts = [random.choice([0, 0, 1, 1, 2, 5, 30]) for _ in inputs]
    counts[random.randrange(len(counts))] += 1
    for claim in claims if random.random() < 0.3 else []:
        claim["for_all"] = {"type": "sample", "confidence": random.choice(["1/2", "19/20", "99/100"])}
        if claim["notion"] == "bcdp" and "from" not in claim and "to" not in claim:
            claim["epsilon"] = {name: claim["epsilon"][names[0]] for name in names if name == names[0] or random.random() < 0.5}
    prior = {"type": "counts", "counts": [str(c) for c in counts]}
    path = os.path.join(folder, f"sets-{number}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"oddsbound": 1, "name": f"sets-{number}", "domain": domain, "prior": prior,
                   "mechanism": {"type": "matrix", "outputs": outputs, "rows": rows}, "claims": claims}, file)
    return path


def arguments_about_sets():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("specs", nargs="*")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def main():
    parser = arguments_about_sets()
    parser.add_argument("--both", action="store_true", help="ask Z3 as well")
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    checker = Checker(arguments.binary, arguments.both)
    for path in arguments.specs:
        checker.spec(path)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.random):
            checker.spec(random_spec(folder, number))
    print(f"{checker.levels} levels over sets of priors, {checker.again} of them found again under a prior, {checker.wrong} wrong")
    if arguments.both:
        print(f"Z3 agrees on {checker.second} of {checker.claims} claims")
        checker.wrong += checker.second < checker.claims * 0.9
    return 1 if checker.wrong or not checker.again else 0


if __name__ == "__main__":
    sys.exit(main())
