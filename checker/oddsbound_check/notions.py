"""What a claim compares by the definition of its notion: which distributions of outputs, at which level.

A *side* is what an adversary's hypothesis makes of the outputs: the mean of some rows of the channel, by the weights of
the prior. A *comparison* says P(R | a) <= bound P(R | b) + delta for all sets R of outputs and all pairs (a, b) of its
sides. Sides are found by their names (for a witness; nothing is enumerated), or all listed in groups: every side of
the first list of a group is compared with every side of the second. Pairs of a side with itself may be listed; they
never exceed a level of at least 0. Inputs are tuples of numbers of values.
"""
from functools import lru_cache
from itertools import combinations, product

from .exact import INFINITE
from .report import NotProved, require_feasible

MOST_ROWS = 2**22
MOST_SCOPES = 2**16


class Side:
    """weights: {input: weight}. mass: their sum, which is 1 for a single input. row: set by outputs.py, if needed.
    marginals: in place of weights, {value: weight} of every coordinate, if these are independent."""
    __slots__ = ("label", "weights", "mass", "row", "marginals")

    def __init__(self, label, weights, mass, marginals=None):
        self.label, self.weights, self.mass, self.row, self.marginals = label, weights, mass, None, marginals


class Comparison:
    """about: the coordinate, if a level is claimed for one. claimed: a level is claimed for all these pairs together,
    which a tight claim attains. delta: None for a claim about quotients."""
    delta = None
    claimed = True
    is_one_of_many = False  # of a matrix, whose infinite entries say nothing

    def __init__(self, spec, about, bound):
        self.spec, self.about, self.bound = spec, about, bound

    def groups(self):
        raise NotImplementedError

    def find(self, source, target, given):
        """Both sides of these names; None if they are not compared."""
        raise NotImplementedError


class BetweenInputs(Comparison):
    """listed: yields pairs of lists of inputs; has(x, z): whether two inputs are compared; weight(x): the mass of an
    input, where it decides whether it is compared."""

    def __init__(self, spec, about, bound, listed, has, weight=lambda x: 1):
        super().__init__(spec, about, bound)
        self.listed, self.has, self.weight = listed, has, weight

    def side(self, x):
        return Side(x, {x: self.weight(x)}, self.weight(x))

    def groups(self):
        for first, second in self.listed():
            own = [self.side(x) for x in first]
            yield own, (own if second is first else [self.side(x) for x in second])

    def find(self, source, target, given):
        x, z = (self.spec.given(list(side)) if is_input(self.spec, side) else None for side in (source, target))
        if None in (x, z) or x == z or given or not self.has(x, z):
            return None
        return self.side(x), self.side(z)


def is_input(spec, names):
    return isinstance(names, (list, tuple)) and len(names) == len(spec.domain) and all(
        isinstance(name, str) and name in values for name, (_, values) in zip(names, spec.domain))


class BetweenLabels(Comparison):
    """labels_of(x): the labels that an input has. "known", "from" and "to" are those of the claim."""

    def __init__(self, spec, claim, about, bound, labels_of):
        super().__init__(spec, about, bound)
        self.labels_of, self.known = labels_of, list(claim.get("known", []))
        self.may = [{written(label) for label in claim[side]} if side in claim else None for side in ("from", "to")]
        self.found = None

    @property
    def sides(self):
        """{known values: {label: side}}, of those with mass."""
        if self.found is None:
            self.found, places = {}, [self.spec.places[name] for name in self.known]
            for x, weight in prior_rows(self.spec).items():
                own = self.found.setdefault(tuple(x[i] for i in places), {})
                for label in self.labels_of(x):
                    own.setdefault(label, {})[x] = weight
            for values, own in self.found.items():
                self.found[values] = {label: Side(label, weights, sum(weights.values())) for label, weights in own.items()}
        return self.found

    def groups(self):
        for own in self.sides.values():
            first, second = ([side for label, side in own.items() if may is None or label in may] for may in self.may)
            yield (first, first) if self.may == [None, None] else (first, second)

    def find(self, source, target, given):
        if list(given) != self.known:
            return None
        values = [self.spec.domain[self.spec.places[name]][1] for name in self.known]
        if not all(isinstance(value, str) and value in own for value, own in zip(given.values(), values)):
            return None
        known = tuple(names.index(value) for value, names in zip(given.values(), values))
        if self.about is not None and self.spec.input_count > MOST_ROWS and self.spec.independent():
            pair = self.independent(source, known), self.independent(target, known)
        else:
            own = self.sides.get(known, {})
            pair = own.get(source), own.get(target)
        allowed = all(may is None or label in may for label, may in zip((source, target), self.may))
        return pair if None not in pair and source != target and allowed else None


    def independent(self, label, known):
        """The side of a value if coordinates are independent and too many to go through; None if it has no mass."""
        i = self.spec.places[self.about]
        fixed = dict(zip((self.spec.places[name] for name in self.known), known))
        if not isinstance(label, str) or label not in self.spec.domain[i][1]:
            return None
        fixed[i] = self.spec.domain[i][1].index(label)
        found = [{v: w for v, w in enumerate(self.spec.marginal(k)) if w != 0 and fixed.get(k, v) == v} for k in everything(self.spec)]
        return Side(label, None, None, found) if all(found) else None


def written(label):
    return tuple(label) if isinstance(label, list) else label


def prior_rows(spec):
    """{input: weight} of the inputs with mass, not normalized."""
    if spec.input_count > MOST_ROWS and not is_listed(spec.json["prior"]):
        raise NotProved("the prior has too many inputs to go through")
    return spec.weighted_rows(list(range(len(spec.domain))))


def is_listed(prior):
    """Whether the spec, or a file, has each input with mass."""
    return all(map(is_listed, prior["components"])) if prior["type"] == "mixture" else prior["type"] in ("csv", "counts", "probabilities", "diagonal")


def all_inputs(spec):
    return list(product(*map(range, spec.sizes)))


def changed(x, z):
    return [i for i, (a, b) in enumerate(zip(x, z)) if a != b]


def lines(spec, places):
    """Lists of the inputs that differ in these coordinates only."""
    found = {}
    for x in all_inputs(spec):
        found.setdefault(tuple(v for i, v in enumerate(x) if i not in places), []).append(x)
    return list(found.values())


def within(spec, about, bound, scopes, exactly=False):
    """Between inputs that differ in coordinates of one of the scopes only (exactly: in each of them)."""
    scopes = [frozenset(scope) for scope in scopes]

    def listed():
        for scope in dict.fromkeys(scopes):
            yield from ((line, line) for line in lines(spec, scope))

    def has(x, z):
        own = frozenset(changed(x, z))
        return own in scopes if exactly else any(own <= scope for scope in scopes)
    return BetweenInputs(spec, about, bound, listed, has)


def everything(spec):
    return range(len(spec.domain))


def coordinate_levels(spec, claim):
    """{coordinate: bound}; a single level is about all coordinates that are neither public nor known."""
    epsilon = claim["epsilon"]
    if isinstance(epsilon, dict):
        return {spec.places[name]: spec.level(text) for name, text in epsilon.items()}
    bound, left_out = spec.level(epsilon), {*spec.public, *claim.get("known", [])}
    return {i: bound for i, (name, _) in enumerate(spec.domain) if name not in left_out}


def of_all(spec, claim):
    return [within(spec, None, spec.level(claim["epsilon"]), [everything(spec)])]


def of_support(spec, claim):
    rows = lru_cache(maxsize=None)(lambda: prior_rows(spec))

    def listed():
        possible = list(rows())
        return [(possible, possible)]
    return [BetweenInputs(spec, None, spec.level(claim["epsilon"]), listed, lambda x, z: {x, z} <= rows().keys(), lambda x: rows()[x])]


def of_coordinates(spec, claim):
    return [within(spec, spec.domain[i][0], bound, [[i]]) for i, bound in coordinate_levels(spec, claim).items()]


def of_records(spec, claim):
    """Inputs that differ within one record may differ by the sum of the levels of the coordinates that differ. Levels are
    at least 0, so it is enough that all inputs which differ *within* some coordinates keep to their sum."""
    epsilon = claim["epsilon"]
    levels = coordinate_levels(spec, claim) if isinstance(epsilon, dict) else dict.fromkeys(everything(spec), spec.level(epsilon))
    records, found, seen = scopes_of(spec, claim), [], set()
    require_feasible(sum(2 ** len(record) for record in records) <= MOST_SCOPES, "records of too many coordinates")
    for record in records:
        for count in range(1, len(record) + 1):
            for scope in combinations(sorted(record), count):
                if scope in seen:
                    continue
                seen.add(scope)
                bound = 1
                for i in scope:
                    bound = INFINITE if INFINITE in (bound, levels[i]) else bound * levels[i]
                one = within(spec, spec.domain[scope[0]][0] if count == 1 else None, bound, [scope], exactly=True)
                one.claimed = count == 1
                found.append(one)
    return found


def scopes_of(spec, claim):
    """The coordinates in which neighbors may differ, together."""
    kind = claim.get("neighbors", "all" if claim["notion"] != "partial_dp" else "record")
    if kind == "coordinate":
        scopes = [[i] for i in everything(spec)]
    elif kind == "record" and "records" in claim:
        scopes = [[spec.places[name] for name in record] for record in claim["records"]]
    else:
        scopes = [list(everything(spec))]
    if "differ" in claim:
        may = {spec.places[name] for name in claim["differ"]}
        scopes = [[i for i in scope if i in may] for scope in scopes]
    return scopes


def neighbors(spec, claim):
    """(about, level as text, comparison without a bound) of zCDP."""
    if isinstance(claim["rho"], dict):
        return [(name, text, within(spec, name, None, [[spec.places[name]]])) for name, text in claim["rho"].items()]
    return [(None, claim["rho"], within(spec, None, None, scopes_of(spec, claim)))]


def of_matrix(spec, claim):
    def pair(x, z, text):
        one = BetweenInputs(spec, None, spec.level(text), lambda: [([x], [z])], lambda a, b: (a, b) == (x, z))
        one.is_one_of_many = True
        return one
    inputs = all_inputs(spec)
    return [pair(x, z, text) for x, row in zip(inputs, claim["epsilon"]) for z, text in zip(inputs, row) if x != z]


def of_blocks(spec, claim):
    blocks = spec.grouped(claim["blocks"])
    number = {x: b for b, block in enumerate(blocks) for x in block}
    return [BetweenInputs(spec, None, spec.level(claim["epsilon"]), lambda: ((block, block) for block in blocks), lambda x, z: number[x] == number[z])]


def of_sensitive(spec, claim):
    sensitive = [spec.given(x) for x in claim["sensitive"]]
    return [BetweenInputs(spec, None, spec.level(claim["epsilon"]), lambda: [(sensitive, all_inputs(spec))], lambda x, z: x in sensitive)]


def with_delta(spec, claim, one):
    one.delta = spec.number(claim["delta"])
    return [one]


def of_value(spec, claim, i, bound):
    name, values = spec.domain[i]
    return BetweenLabels(spec, claim, name, bound, lambda x: (values[x[i]],))


def of_values(spec, claim):
    return [of_value(spec, claim, i, bound) for i, bound in coordinate_levels(spec, claim).items()]


def labels_of_secret(spec, secret):
    """A function that names the labels of an input."""
    if isinstance(secret, dict):
        found = {}
        for label, inputs in secret.items():
            for x in inputs:
                found.setdefault(spec.given(x), []).append(label)
        return lambda x: found.get(x, ())
    chosen = [(spec.places[name], spec.domain[spec.places[name]][1]) for name in secret]
    return lambda x: (tuple(values[x[i]] for i, values in chosen),)


def of_secret(spec, claim):
    return [BetweenLabels(spec, claim, None, spec.level(claim["epsilon"]), labels_of_secret(spec, claim["secret"]))]


NOTIONS = {
    "ldp": of_all, "bdp": of_support, "cdp": of_coordinates, "partial_dp": of_records, "bcdp": of_values, "secret": of_secret,
    "context_ldp": of_matrix, "block_ldp": of_blocks, "high_low_ldp": of_sensitive,
    "approximate_dp": lambda spec, claim: with_delta(spec, claim, within(spec, None, spec.level(claim["epsilon"]), scopes_of(spec, claim))),
    "approximate_bcdp": lambda spec, claim: with_delta(spec, claim, of_value(spec, claim, spec.places[claim["coordinate"]], spec.level(claim["epsilon"]))),
}


def compared_by(spec, claim):
    """Everything that the claim compares; no other notion compares probabilities of outputs."""
    return NOTIONS[claim["notion"]](spec, claim)


# Claims over sets of priors compare labels, whatever the prior.

def labeled(spec, claim):
    """(coordinate, function that names the labels of an input, bound) of each level that a claim over a set states, in the
    order of the domain."""
    if claim["notion"] == "bcdp":
        def of(i):
            return lambda x: (spec.domain[i][1][x[i]],)
        return [(spec.domain[i][0], of(i), bound) for i, bound in sorted(coordinate_levels(spec, claim).items())]
    if claim["notion"] == "secret":
        return [(None, labels_of_secret(spec, claim["secret"]), spec.level(claim["epsilon"]))]
    return [(None, lambda x: (tuple(values[v] for v, (_, values) in zip(x, spec.domain)),), spec.level(claim["epsilon"]))]


def are_compared(claim, source, target):
    """Whether a claim over a set compares these labels."""
    return source != target and all(side not in claim or any(label == written(own) for own in claim[side])
                                    for side, label in (("from", source), ("to", target)))


def prior_groups(spec, claim):
    """The inputs with mass by value of the claim's coordinate (else each on its own), for averages over outputs."""
    rows = prior_rows(spec)
    if "coordinate" not in claim:
        return [{x: w} for x, w in rows.items()]
    i, found = spec.places[claim["coordinate"]], {}
    for x, w in rows.items():
        found.setdefault(x[i], {})[x] = w
    return list(found.values())
