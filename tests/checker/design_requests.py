"""Random requests for mechanisms."""
import itertools
import math
import random

from sets import random_set

# Values whose joined texts coincide: "a, b" and "c", "a" and "b, c".
HOSTILE = [["a", "a, b", "a,b"], ["b, c", "c", "b,c"], [",", '"', ""]]
LEVELS = ("log(2)", "log(3)", "log(3/2)", "1", "1/2", "log(9)", "0")


def epsilon_of(rng):
    return rng.choice(LEVELS)


def by_some(rng, names):
    return {name: epsilon_of(rng) for name in names if rng.random() < 0.8} or {names[0]: "1"}


def plain_request(rng):
    """A request without the newer features; its outputs may be left to find."""
    values = [rng.randrange(2, 4) for _ in range(rng.randrange(1, 4))]
    called = HOSTILE if rng.random() < 0.15 else [[str(v) for v in range(n)] for n in values]
    domain = [{"name": "abc"[i], "values": called[i][:n]} for i, n in enumerate(values)]
    names, size = [one["name"] for one in domain], math.prod(values)
    counts = [rng.choice((0, rng.randrange(1, 9), 1)) for _ in range(size)]
    counts[rng.randrange(size)] += 1
    constraints = []
    while not constraints:
        if rng.random() < 0.6:
            constraints.append({"notion": "ldp", "epsilon": epsilon_of(rng)})
        if rng.random() < 0.4:
            constraints.append({"notion": "cdp", "epsilon": by_some(rng, names)})
        if rng.random() < 0.6:
            constraints.append({"notion": "bcdp", "epsilon": by_some(rng, names)})
        if rng.random() < 0.3:
            constraints.append({"notion": "context_ldp", "epsilon": [["0" if a == b else rng.choice((epsilon_of(rng), "inf", "log(4)", "log(6)"))
                                                                       for b in range(size)] for a in range(size)]})
        if rng.random() < 0.2:
            constraints.append({"notion": "approximate_dp", "epsilon": epsilon_of(rng), "delta": rng.choice(("1/10", "1/4"))})
    request = {"oddsbound_design": 1, "name": "random", "domain": domain, "prior": {"type": "counts", "counts": [str(c) for c in counts]},
               "constraints": constraints}
    kind = rng.choice(("zero_one", "hamming", "table", "absolute"))
    if rng.random() < 0.4:
        request["release"] = rng.sample(names, rng.randrange(1, len(names) + 1))
    if rng.random() < 0.3:
        request["reads"] = rng.sample(names, rng.randrange(1, len(names) + 1))
    if kind == "absolute" and (len(request.get("release", names)) > 1 or called is HOSTILE):
        kind = "hamming"
    if kind == "table":
        request.pop("release", None)
        request["outputs"] = [f"y{k}" for k in range(rng.randrange(1, 4))]
        kind = table(rng, size, request["outputs"])
    request["objective"] = {rng.choice(("expected", "expected", "largest")): kind}
    return request


def table(rng, size, outputs):
    return [[str(rng.randrange(0, 5)) for _ in outputs] for _ in range(size)]


class Drawing:
    """A random request, built feature by feature."""

    def __init__(self, rng):
        self.rng = rng
        self.request = plain_request(rng)
        while len(self.inputs()) > 12:
            self.request = plain_request(rng)
        self.names = [one["name"] for one in self.request["domain"]]

    def inputs(self):
        return [list(x) for x in itertools.product(*(one["values"] for one in self.request["domain"]))]

    def chance(self, share):
        return self.rng.random() < share

    def level(self):
        return "inf" if self.chance(0.06) else epsilon_of(self.rng)

    def levels(self, everything=False):
        if self.chance(0.3):
            return self.level()
        return {name: self.level() for name in self.names if everything or self.chance(0.7)} or {self.names[0]: self.level()}

    def partition(self, parts):
        groups = {}
        for x in self.inputs():
            groups.setdefault(self.rng.randrange(parts), []).append(x)
        return groups

    def records(self):
        groups = {}
        for name in self.names:
            groups.setdefault(self.rng.randrange(2), []).append(name)
        return list(groups.values())

    def constraint(self):
        rng, names = self.rng, self.names
        notion = rng.choice(("ldp", "bdp", "cdp", "bcdp", "secret", "context_ldp", "block_ldp", "high_low_ldp", "partial_dp",
                             "approximate_dp", "approximate_bcdp", "bayes_leakage", "over_set", "over_set", "over_set"))
        if notion == "over_set":
            return self.over_set()
        one = {"notion": notion}
        if notion in ("cdp", "bcdp"):
            one["epsilon"] = self.levels()
        elif notion == "partial_dp":
            one["epsilon"] = self.levels(True)
            if self.chance(0.4):
                one["records"] = self.records()
        elif notion == "context_ldp":
            size = len(self.inputs())
            one["epsilon"] = [["0" if a == b else rng.choice((self.level(), "inf", "log(4)")) for b in range(size)] for a in range(size)]
        else:
            one["epsilon"] = self.level()
        if notion == "secret":
            one["secret"] = self.secret()
        if notion == "block_ldp":
            one["blocks"] = rng.choice((list(self.partition(3).values()), rng.sample(names, rng.randrange(1, len(names) + 1))))
        if notion == "high_low_ldp":
            one["sensitive"] = rng.sample(self.inputs(), rng.randrange(1, 3))
        if notion in ("approximate_dp", "approximate_bcdp"):
            one["delta"] = rng.choice(("0", "1/10", "1/4", "1/100"))
        if notion == "approximate_bcdp" or notion == "bayes_leakage" and self.chance(0.5):
            one["coordinate"] = rng.choice(names)
        if notion == "approximate_dp" and self.chance(0.6):
            one["neighbors"] = rng.choice(("coordinate", "record"))
            if one["neighbors"] == "record" and self.chance(0.5):
                one["records"] = self.records()
            if self.chance(0.3):
                one["differ"] = rng.sample(names, rng.randrange(1, len(names) + 1))
        if notion in ("bcdp", "secret") and self.chance(0.3):
            self.narrow(one)
        return one

    def secret(self):
        groups = self.partition(3)
        if self.chance(0.5) or len(groups) == 1:
            return self.rng.sample(self.names, self.rng.randrange(1, len(self.names) + 1))
        return {f"s{k}": inputs for k, inputs in groups.items()}

    def narrow(self, one):
        """Restricts a claim to some sides, or to what is known."""
        if one["notion"] == "bcdp":
            about = self.rng.choice(self.names)
            one["epsilon"] = {about: self.level()}
            labels = next(c["values"] for c in self.request["domain"] if c["name"] == about)
            free = [name for name in self.names if name != about]
        else:
            labels = list(one["secret"]) if isinstance(one["secret"], dict) else None
            free = [] if labels else [name for name in self.names if name not in one["secret"]]
        if labels and self.chance(0.6):
            one[self.rng.choice(("from", "to"))] = self.rng.sample(labels, 1)
        # Certificates do not distinguish what is known: only a few combinations are used then, and no symmetries.
        if free and self.chance(0.5) and len(self.inputs()) <= 6:
            one["known"] = self.rng.sample(free, 1)

    def over_set(self):
        random.seed(self.rng.random())
        stated = {"type": "side_knowledge", "about": []}
        while stated.get("about") == []:
            stated = random_set(self.names, [tuple(x) for x in self.inputs()], self.request["domain"])
        if self.chance(0.3):
            self.request.setdefault("prior_sets", {})["stated"] = stated
            stated = "stated"
        kind = self.request["prior_sets"]["stated"]["type"] if stated == "stated" else stated["type"]
        takes_labels = kind not in ("product", "correlation", "marginals", "network")
        one = {"notion": self.rng.choice(("bcdp", "bcdp", "secret", "bdp")) if takes_labels else "bcdp", "epsilon": self.level(), "for_all": stated}
        if one["notion"] == "secret":
            one["secret"] = self.secret()
        if one["notion"] == "bcdp":
            several = kind not in ("marginals", "network", "side_knowledge") and self.chance(0.5)
            one["epsilon"] = self.levels() if several else {self.names[0]: self.level()}
            if not several and self.chance(0.3):
                one[self.rng.choice(("from", "to"))] = self.rng.sample(self.request["domain"][0]["values"], 1)
        return one

    def loss(self):
        listed = self.request.get("outputs")
        released = self.request.get("release", self.names)
        kinds = ["zero_one", "table"] + ([] if listed else ["hamming"]) + (["absolute", "squared"] if not listed and len(released) == 1 and self.request["domain"][0]["values"][0] == "0" else [])
        kind = self.rng.choice(kinds)
        if kind == "table":
            outputs = listed or range(math.prod(len(one["values"]) for one in self.request["domain"] if one["name"] in released))
            kind = table(self.rng, len(self.inputs()), outputs)
        return {self.rng.choice(("expected", "largest")): kind}

    def symmetry(self):
        rng = self.rng
        some = rng.sample(self.request["domain"], rng.randrange(1, min(2, len(self.names)) + 1))
        symmetry = {"values": {one["name"]: rng.sample(one["values"], len(one["values"])) for one in some}}
        if "outputs" in self.request:
            symmetry["outputs"] = rng.sample(self.request["outputs"], len(self.request["outputs"]))
        return symmetry

    def draw(self):
        request, rng = self.request, self.rng
        request["constraints"] = [self.constraint() for _ in range(rng.choice((1, 2, 2, 3)))]
        if self.chance(0.5):
            request["objective"] = self.loss()
        if self.chance(0.35):
            request["losses"] = [{**self.loss(), "at_most": rng.choice(("0", "1/10", "1/2", "3/4", "1", "3/2", "2", "5/2"))}
                                 for _ in range(rng.choice((1, 1, 2)))]
        if self.chance(0.3) and not any("known" in one for one in request["constraints"]):
            request["symmetries"] = [self.symmetry() for _ in range(rng.choice((1, 1, 2)))]
        if self.chance(0.15) and len(self.inputs()) <= 4:
            request["exact"] = True
        elif self.chance(0.3):
            request["denominator"] = rng.choice((7, 100, 10**6))
        if self.chance(0.2):
            self.other_prior()
        if self.chance(0.2):
            self.name_numbers()
        return request

    def other_prior(self):
        """Another prior, or none if nothing needs it."""
        request, domain = self.request, self.request["domain"]
        def marginal(size):
            counts = [self.rng.randrange(1, 4) for _ in range(size)]
            return [f"{c}/{sum(counts)}" for c in counts]
        product = {"type": "product", "marginals": {one["name"]: marginal(len(one["values"])) for one in domain}}
        request["prior"] = self.rng.choice(({"type": "uniform"}, product, {"type": "mixture", "weights": ["1/3", "2/3"],
                                                                             "components": [request["prior"], product]}))
        losses = [request["objective"], *request.get("losses", [])]
        for_none = ("ldp", "cdp", "context_ldp", "block_ldp", "high_low_ldp", "partial_dp", "approximate_dp")
        if all("largest" in loss for loss in losses) and all(one["notion"] in for_none for one in request["constraints"]):
            del request["prior"]

    def name_numbers(self):
        self.request["parameters"] = {"third": "1/3", "most": "third*9/2"}
        for one in self.request["constraints"]:
            if one["epsilon"] == "log(3)":
                one["epsilon"] = "log(1/third)"
            if one.get("delta", "0") != "0":
                one["delta"] = "third/4"
        for one in self.request.get("losses", []):
            one["at_most"] = self.rng.choice(("most", "third"))


def random_request(rng):
    return plain_request(rng) if rng.random() < 0.2 else Drawing(rng).draw()
