"""Random small specs with one claim whose truth is known without the checker: this file evaluates the texts of
probabilities itself, and definitions are plain loops over fractions. Features are combined pairwise, since wrong
verdicts occur where two rare ones meet.
"""
import itertools
import re
from fractions import Fraction

FEATURES = ("symbols", "tight", "for_all", "known", "public", "from/to", "inf", "one value", "separators")
IMPOSSIBLE = {frozenset(("for_all", "known"))}
SEPARATORS = ["a", "a,b", "b,c", "c", "a, b", "b, c", 'q"t', "(a", "b)", "x=1", "{a, b}", " given x=1", "a;b", "a|b", "1/2", "'", "\\", "a\tb"]
RANGES = [{"t": {"gt": "1"}}, {"t": {"ge": "1", "le": "3"}}, {"p": {"ge": "0", "le": "1/2"}}, {"p": {"gt": "0", "lt": "1"}},
          {"p": {"ge": "0", "le": "1"}}, {"p": {"ge": "0", "lt": "1"}, "t": {"gt": "1"}}, {"s": {"lt": "-1"}}]
FAR = 10**6


# Numbers.

class Evaluator:
    """Evaluates the few operations of these specs."""

    def __init__(self):
        self.compiled = {}

    def __call__(self, text, at):
        if text not in self.compiled:
            self.compiled[text] = compile(re.sub(r"\d+", r"F(\g<0>)", text), "spec", "eval")
        return eval(self.compiled[text], {"F": Fraction, "__builtins__": {}}, at)


value = Evaluator()


def power(level, at):
    """exp of a level; None: infinite."""
    if level == "inf":
        return None
    return Fraction(1) if level == "0" else value(level[len("log"):], at)


class Instance:
    """A spec with one claim."""

    def __init__(self, random, features):
        self.r, self.features = random, set(features)
        r = random
        self.symbols = r.choice(RANGES) if "symbols" in self.features else {}
        self.make_domain()
        self.make_mechanism()
        self.prior = self.distribution(len(self.inputs), r.random() < 0.4)
        self.sets = {}
        self.claim = None

    # Construction.

    def texts(self, count, name):
        if "separators" in self.features:
            return self.r.sample(SEPARATORS, count)
        return [f"{name}{k}" for k in range(count)]

    def make_domain(self):
        r = self.r
        while True:
            sizes = [r.choice([1, 2, 2, 3]) for _ in range(r.choice([1, 2, 2, 3]))]
            if "one value" in self.features:
                sizes[r.randrange(len(sizes))] = 1
            elif 1 in sizes:
                continue
            inputs = 1
            for size in sizes:
                inputs *= size
            enough = len(sizes) > 1 or not self.features & {"known", "public"}
            if enough and 2 <= inputs <= (4 if self.symbols else 6):
                break
        names = self.texts(len(sizes), "x") if r.random() < 0.5 else [f"x{k}" for k in range(len(sizes))]
        self.domain = [(name, self.texts(size, "v")) for name, size in zip(names, sizes)]
        self.public = r.sample(names, r.randint(1, len(names) - 1)) if "public" in self.features else []
        self.inputs = list(itertools.product(*(values for _, values in self.domain)))

    def distribution(self, size, symbolic):
        """Texts that sum to 1."""
        r = self.r
        weights = [0 if r.random() < 0.25 else r.randint(1, 4) for _ in range(size)]
        weights[r.randrange(size)] += 1
        places = [k for k, w in enumerate(weights) if w]
        if not (symbolic and self.symbols):
            return [f"{w}/{sum(weights)}" for w in weights]
        name = r.choice(list(self.symbols))
        if name in "ts":
            one = "t" if name == "t" else "(0-s)"
            terms = [f"{w}*{one}" if w and r.random() < 0.5 else str(w) for w in weights]
            return [f"{term}/({'+'.join(terms)})" for term in terms]
        if len(places) == 1:
            return [f"{w}/{sum(weights)}" for w in weights]
        place, rest = r.choice(places), sum(weights)
        return ["p" if k == place else f"(1-p)*{w}/{rest - weights[place]}" for k, w in enumerate(weights)]

    def make_mechanism(self):
        """parts: (coordinates, rows of texts), drawn independently."""
        r = self.r
        whole = r.random() < 0.6
        seen = [list(range(len(self.domain)))] if whole else [[i] for i in sorted(r.sample(range(len(self.domain)), r.randint(1, len(self.domain))))]
        self.parts, self.labels = [], []
        for places in seen:
            count = 1
            for i in places:
                count *= len(self.domain[i][1])
            outputs = r.randint(2, 3)
            rows = [self.distribution(outputs, r.random() < 0.8) for _ in range(count)]
            if r.random() < 0.3:
                rows = [rows[0]] + [r.choice(rows) for _ in rows[1:]]
            if self.symbols and r.random() < 0.3 and count > 1:
                rows, outputs = self.response(count), count
            self.parts.append((places, rows))
            self.labels.append(self.texts(outputs, "y"))

    def response(self, size):
        """Randomized response."""
        name = next(iter(self.symbols))
        odds = {"t": "t", "s": "(0-s)", "p": "(1+p)"}[name]
        return [[f"{odds}/({odds}+{size - 1})" if x == y else f"1/({odds}+{size - 1})" for y in range(size)] for x in range(size)]

    def spec(self, claims, expect):
        """The spec as JSON. claims: the instance's own is the first; expect: of that one."""
        mechanisms = [{"type": "matrix", "outputs": labels, "rows": rows} for (_, rows), labels in zip(self.parts, self.labels)]
        if len(self.parts) == 1 and len(self.parts[0][0]) == len(self.domain):
            mechanism = mechanisms[0]
        else:
            mechanism = {"type": "per_coordinate", "mechanisms": {self.domain[places[0]][0]: own for (places, _), own in zip(self.parts, mechanisms)}}
        spec = {"oddsbound": 1, "name": "forged", "domain": [{"name": name, "values": values, **({"public": True} if name in self.public else {})}
                                                            for name, values in self.domain],
                "prior": {"type": "probabilities", "probabilities": self.prior}, "mechanism": mechanism,
                "claims": [{**claims[0], "expect": expect}, *claims[1:]]}
        if self.symbols:
            spec["symbols"] = self.symbols
        return spec

    # Evaluation.

    def points(self):
        """Values of the symbols: all ends that belong to the range, and some in between."""
        found = {}
        for name, limits in self.symbols.items():
            low, high = (next((Fraction(limits[key]) for key in keys if key in limits), None) for keys in (("ge", "gt"), ("le", "lt")))
            ends = [Fraction(limits[key]) for key in ("ge", "le") if key in limits]
            if low is None:
                found[name] = ends + [high - d for d in (Fraction(1, 100), Fraction(1, 2), 1, 3, 50)]
            elif high is None:
                found[name] = ends + [low + d for d in (Fraction(1, 100), Fraction(1, 2), 1, 3, 50)]
            else:
                found[name] = ends + [low + (high - low) * d for d in (Fraction(1, 100), Fraction(1, 3), Fraction(1, 2), Fraction(4, 5), Fraction(99, 100))]
        return [dict(zip(found, values)) for values in itertools.product(*found.values())]

    def rows(self, at):
        table = []
        for x in self.inputs:
            row = [Fraction(1)]
            for places, texts in self.parts:
                sub = list(itertools.product(*(self.domain[i][1] for i in places))).index(tuple(x[i] for i in places))
                row = [a * value(text, at) for a in row for text in texts[sub]]
            table.append(row)
        return table

    def members(self, at):
        """Priors of the claim's set, or the spec's own; and whether levels over these are those over the whole set."""
        own = [value(text, at) for text in self.prior]
        stated = self.claim.get("for_all")
        if stated is None:
            return [own], True
        kind, size = stated["type"], len(own)
        unit = [[Fraction(int(k == x)) for k in range(size)] for x in range(size)]

        def mixed(a, b, share):
            return [(1 - share) * p + share * q for p, q in zip(a, b)]
        if kind == "any_of":
            return [[value(text, at) for text in prior["probabilities"]] for prior in stated["priors"]], True
        if kind == "mixtures_of":
            priors = [[value(text, at) for text in prior["probabilities"]] for prior in stated["priors"]]
            return priors + [mixed(a, b, Fraction(k, 5)) for a in priors for b in priors for k in range(1, 5)], False
        if kind == "all":
            return [mixed(a, b, Fraction(1, 2)) for a in unit for b in unit if a != b], True
        if kind == "contaminated":
            return [own] + [mixed(own, one, value(stated["share"], at)) for one in unit], False
        if kind == "total_variation":
            radius = value(stated["radius"], at)
            return [own] + [[p - min(radius, own[a]) * u + min(radius, own[a]) * w for p, u, w in zip(own, unit[a], unit[b])]
                            for a in range(size) for b in range(size) if a != b], False
        assert kind == "weights"
        factor = value(stated["factor"], at)
        found = []
        for up in itertools.product((factor, 1 / factor), repeat=size):
            weights = [p * w for p, w in zip(own, up)]
            found.append([w / sum(weights) for w in weights])
        return found, True  # extreme points of a quotient of linear functions

    def compared(self, at, prior):
        """(bound or None, needs a least level, [(P, Q)]) of all comparisons of the claim."""
        claim, rows, names = self.claim, self.rows(at), [name for name, _ in self.domain]
        notion, everything = claim["notion"], range(len(self.inputs))

        def differing(places):
            return [(a, b) for a in everything for b in everything
                    if {i for i, (u, v) in enumerate(zip(self.inputs[a], self.inputs[b])) if u != v} == set(places)]

        def between(pairs):
            return [(rows[a], rows[b]) for a, b in pairs]

        def given(group):
            mass = sum(prior[x] for x in group)
            return None if mass == 0 else [sum(prior[x] * rows[x][y] for x in group) / mass for y in range(len(rows[0]))]

        def among(groups):
            """Comparisons of labelled inputs, for each combination of what is known."""
            known = [names.index(c) for c in claim.get("known", [])]
            found = []
            for combination in {tuple(x[i] for i in known) for x in self.inputs}:
                own = {label: given([x for x in group if tuple(self.inputs[x][i] for i in known) == combination]) for label, group in groups.items()}
                sides = [[tuple(label) if isinstance(label, list) else label for label in claim.get(side, groups)] for side in ("from", "to")]
                found += [(own[a], own[b]) for a in sides[0] for b in sides[1] if a != b and own[a] is not None and own[b] is not None]
            return found

        def by_value(name):
            i = names.index(name)
            return {v: [x for x in everything if self.inputs[x][i] == v] for v in self.domain[i][1]}
        epsilon = claim["epsilon"]
        if notion in ("ldp", "approximate_dp"):
            return [(power(epsilon, at), True, between(itertools.permutations(everything, 2)))]
        if notion == "bdp":
            return [(power(epsilon, at), True, between(itertools.permutations([x for x in everything if prior[x] > 0], 2)))]
        if notion in ("cdp", "bcdp"):
            left = [] if isinstance(epsilon, dict) else [name for name in names if name not in self.public and name not in claim.get("known", [])]
            levels = epsilon if isinstance(epsilon, dict) else dict.fromkeys(left, epsilon)
            return [(power(level, at), True, between(differing([names.index(name)])) if notion == "cdp" else among(by_value(name)))
                    for name, level in levels.items()]
        if notion == "approximate_bcdp":
            return [(power(epsilon, at), True, among(by_value(claim["coordinate"])))]
        if notion == "secret":
            if isinstance(claim["secret"], dict):
                groups = {label: [self.inputs.index(tuple(x)) for x in group] for label, group in claim["secret"].items()}
            else:
                places, groups = [names.index(c) for c in claim["secret"]], {}
                for x, t in enumerate(self.inputs):
                    groups.setdefault(tuple(t[i] for i in places), []).append(x)
            return [(power(epsilon, at), True, among(groups))]
        if notion == "context_ldp":
            return [(power(epsilon[a][b], at), True, between([(a, b)])) for a, b in itertools.permutations(everything, 2) if epsilon[a][b] != "inf"]
        if notion == "partial_dp":
            found = []
            for count in range(1, len(names) + 1):
                for places in itertools.combinations(range(len(names)), count):
                    bounds = [power(epsilon[names[i]], at) for i in places]
                    bound = None if None in bounds else Fraction(1)
                    for own in bounds if bound else ():
                        bound *= own
                    found.append((bound, count == 1, between(differing(places))))
            return found
        assert notion in ("block_ldp", "high_low_ldp")
        if notion == "block_ldp":
            blocks = [[self.inputs.index(tuple(x)) for x in block] for block in claim["blocks"]]
            return [(power(epsilon, at), True, between([pair for block in blocks for pair in itertools.permutations(block, 2)]))]
        sensitive = [self.inputs.index(tuple(x)) for x in claim["sensitive"]]
        return [(power(epsilon, at), True, between([(a, b) for a in sensitive for b in everything if a != b]))]

    def measured(self, at):
        """(bound, needs a least level, largest quotient or, with a delta, largest excess) of every level; over a set
        of priors the largest over its members. Also returns whether that is the largest over the whole set."""
        members, exact = self.members(at)
        delta = "delta" in self.claim
        found = [[(bound, least, largest_excess(bound, pairs) if delta else largest_quotient(pairs)) for bound, least, pairs in self.compared(at, prior)]
                 for prior in members]
        return [(own[0][0], own[0][1], None if any(one[2] is None for one in own) else max(one[2] for one in own)) for own in zip(*found)], exact

    def truth(self):
        """False, True, or None if the evaluated points show neither."""
        certain = not self.symbols
        for at in self.points():
            found, exact = self.measured(at)
            certain = certain and exact
            delta = value(self.claim["delta"], at) if "delta" in self.claim else None
            for bound, least, most in found:
                claimed = delta if delta is not None else bound
                if claimed is not None and (most is None or most > claimed):
                    return False
                tight = self.claim.get("tight") and least
                if tight and exact and most != claimed:
                    return False
        return True if certain else None


def largest_quotient(pairs):
    """At least 1; None: infinite."""
    most = Fraction(1)
    for p_row, q_row in pairs:
        for p, q in zip(p_row, q_row):
            if p > 0 and q == 0:
                return None
            most = max(most, p / q) if p > 0 else most
    return most


def largest_excess(bound, pairs):
    if bound is None:
        return Fraction(0)
    return max((sum((max(p - bound * q, Fraction(0)) for p, q in zip(*rows)), Fraction(0)) for rows in pairs), default=Fraction(0))


# Claims.

def with_claim(random, features):
    """An instance with a claim that has these features, near the truth; None if it could not be made."""
    r, instance = random, Instance(random, features)
    features, names = instance.features, [name for name, _ in instance.domain]
    notions = ["bcdp", "secret", "bdp"] if "for_all" in features else ["bcdp", "secret", "approximate_bcdp"]
    if not features & {"for_all", "known", "from/to"}:
        notions = ["ldp", "cdp", "bcdp", "bdp", "secret", "context_ldp", "partial_dp", "block_ldp", "high_low_ldp", "approximate_dp", "approximate_bcdp"]
    elif features & {"known", "from/to"}:
        notions = [notion for notion in notions if notion != "bdp"]
    notion = r.choice(["cdp", "bcdp"] if "public" in features and not features & {"from/to", "for_all"} and r.random() < 0.7 else notions)
    claim = {"notion": notion, "epsilon": "0"}
    instance.claim = claim
    left = [name for name in names if name not in instance.public]
    if "known" in features:
        claim["known"] = [r.choice(names)]
        left = [name for name in left if name not in claim["known"]]
    if not left:
        return None
    if "for_all" in features:
        claim["for_all"] = random_set(instance)
    one = r.choice(left)
    labels = None
    if notion in ("cdp", "bcdp"):
        if "from/to" in features or r.random() < 0.5:
            claim["epsilon"] = {one: "0"}
            labels = dict(instance.domain)[one]
    elif notion == "approximate_bcdp":
        claim["coordinate"], labels = one, dict(instance.domain)[one]
    elif notion == "secret":
        if r.random() < 0.5:
            claim["secret"] = [one]
            labels = [[v] for v in dict(instance.domain)[one]]
        else:
            groups = {}
            for x in instance.inputs:
                groups.setdefault(r.choice(["s, 1", "s2"]), []).append(list(x))
            claim["secret"], labels = groups, list(groups)
    elif notion == "partial_dp":
        claim["epsilon"] = dict.fromkeys(names, "0")
    elif notion == "context_ldp":
        claim["epsilon"] = [["0"] * len(instance.inputs) for _ in instance.inputs]
    elif notion == "block_ldp":
        groups = {}
        for x in instance.inputs:
            groups.setdefault(r.randrange(2), []).append(list(x))
        claim["blocks"] = list(groups.values())
    elif notion == "high_low_ldp":
        claim["sensitive"] = [list(x) for x in r.sample(instance.inputs, r.randint(1, len(instance.inputs)))]
    if "from/to" in features:
        for side in r.choice([["from"], ["to"], ["from", "to"]]):
            claim[side] = r.sample(labels, r.randint(1, len(labels)))
    if notion.startswith("approximate"):
        claim["delta"] = "0"
    if "tight" in features:
        claim["tight"] = True
    put_levels(instance)
    return instance


def random_set(instance):
    r, size = instance.r, len(instance.inputs)

    def priors():
        return [{"type": "probabilities", "probabilities": instance.distribution(size, False)} for _ in range(r.randint(1, 3))]
    return r.choice([lambda: {"type": "any_of", "priors": priors()}, lambda: {"type": "any_of", "priors": priors()},
                     lambda: {"type": "mixtures_of", "priors": priors()}, lambda: {"type": "all"},
                     lambda: {"type": "contaminated", "share": r.choice(["1/10", "1/3"])}, lambda: {"type": "total_variation", "radius": r.choice(["1/20", "1/4"])},
                     lambda: {"type": "weights", "factor": r.choice(["3/2", "2"])}])()


def put_levels(instance):
    """Levels at the truth, just next to it, far from it, and functions that equal the truth for some values."""
    r, claim = instance.r, instance.claim
    at = r.choice(instance.points())
    if "delta" in claim:
        claim["epsilon"] = r.choice(["0", "log(2)", "log(3/2)"] + ["inf"] * ("inf" in instance.features))
        most = max((most for _, _, most in instance.measured(at)[0]), default=Fraction(0))
        claim["delta"] = str(max(Fraction(0), min(Fraction(1), most * r.choice([1, 1, 1 - Fraction(1, FAR), Fraction(1, 2), 1 + Fraction(1, FAR)]))))
        return
    found = [most for _, least, most in instance.measured(at)[0] if least]

    def level(most):
        if "inf" in instance.features and r.random() < 0.5:
            return "inf"
        if instance.symbols and r.random() < 0.6:
            function = function_of(instance)
            if function is not None:
                return function
        if most is None:
            return r.choice(["inf", f"log({FAR})"])
        factor = r.choice([Fraction(1), Fraction(1), 1 - Fraction(1, FAR), 1 + Fraction(1, FAR), Fraction(9, 10), Fraction(6, 5)])
        power = max(most * factor, Fraction(1))
        return "0" if power == 1 else f"log({power})"
    epsilon = claim["epsilon"]
    if isinstance(epsilon, dict):
        for name, most in zip(list(epsilon), found):
            epsilon[name] = level(most)
        if claim["notion"] == "partial_dp":
            claim["epsilon"] = {name: level(most) for name, most in zip(epsilon, found)}
    elif isinstance(epsilon, list):
        size = len(epsilon)
        for (a, b), most in zip(itertools.permutations(range(size), 2), found):
            epsilon[a][b] = level(most)
    else:
        finite = [most for most in found if most is not None]
        claim["epsilon"] = level(None if len(finite) < len(found) else max(finite, default=Fraction(1)))


def function_of(instance):
    """The quotient of two entries of a column as a level, if it is at least 1 at all points."""
    r = instance.r
    for _ in range(20):
        _, rows = r.choice(instance.parts)
        a, b, y = r.randrange(len(rows)), r.randrange(len(rows)), r.randrange(len(rows[0]))
        p, q = rows[a][y], rows[b][y]
        text = f"log(({p})/({q}))"
        try:
            values = [power(text, at) for at in instance.points()]
        except ZeroDivisionError:
            continue
        if min(values) >= 1 and len(set(values)) > 1:
            return text
    return None
