"""The comparisons of a request's constraints, by plain loops over inputs and labels: sides, which are weights by
input, and the level between them; for a constraint over a set of priors, under a prior that is a member of it."""
from dataclasses import dataclass, field
from fractions import Fraction

from oddsbound_check.claims import LIFTS
from oddsbound_check.exact import INFINITE
from oddsbound_check.expression import number as parse_number
from joined import joined, plain
from oddsbound_check.report import Rejected, require  # noqa: F401
from reference import Spec
from scopes import known_of, scope_of
from sets import Sets
from strict_design import People

ONE = Fraction(1)


class Asked(Spec):
    """The people of a request, read like a spec without a mechanism."""

    def __init__(self, path):  # pylint: disable=super-init-not-called
        self.read, self.memory = People(path).spec(), {}
        self.domain = [(name, list(own)) for name, own in self.read.domain]
        self.prior = self.read.prior


@dataclass
class Pair:
    """sum of P(y given from) and P(y given to), by weights of inputs; epsilon: e^level, or infinite. names: of both
    sides, a text or values, which distinguish pairs of one key."""
    about: str
    names: tuple
    from_: dict
    to: dict
    epsilon: object
    delta: Fraction = Fraction(0)
    together: bool = False  # only the largest excess of all pairs at an output counts
    key: tuple = field(default=())


def texts_of(side):
    """The names of a side in a certificate: a value or label, or the values of an input or of a secret's
    coordinates."""
    return {side} if isinstance(side, str) else {joined(side, ", "), plain(side, ", ")}


def between_inputs(spec, bounds, about=lambda _a, _b: "", delta=Fraction(0)):
    """bounds: {(input, input): level}."""
    return [Pair(about(a, b), (spec.inputs[a], spec.inputs[b]), {a: ONE}, {b: ONE}, epsilon, delta)
            for (a, b), epsilon in bounds.items() if a != b and epsilon is not INFINITE]


def given(prior, group):
    """Weights of a group's inputs, given the group; None without mass."""
    mass = sum((prior[x] for x in group), Fraction(0))
    return None if mass == 0 else {x: prior[x] / mass for x in group if prior[x] != 0}


def between_groups(spec, claim, i, epsilon, delta=Fraction(0)):
    """Pairs of a claim about coordinate i or a secret: under the prior, for all that may be known."""
    scope = scope_of(spec, claim, i)
    about = "" if i is None else spec.domain[i][0]
    pairs = []
    for values in scope.combinations():
        sides = {label: given(spec.prior, [x for x in group if tuple(spec.inputs[x][k] for k in scope.places) == values])
                 for label, group in scope.groups.items()}
        pairs += [Pair(about, (a, b), sides[a], sides[b], epsilon, delta, False, values)
                  for a in scope.sides[0] for b in scope.sides[1]
                  if a != b and sides[a] and sides[b] and epsilon is not INFINITE]
    return pairs


def against_everyone(spec, claim, epsilon):
    """Pairs of a value, a label or an input and all inputs under the prior."""
    about, pairs = claim.get("coordinate", ""), []
    everyone = given(spec.prior, range(len(spec.inputs)))
    for label, group in spec.lifted_groups(claim).items():
        own = given(spec.prior, group)
        if own and epsilon is not INFINITE and claim["notion"] != "lower_lift":
            pairs.append(Pair(about, (label, "everyone"), own, everyone, epsilon))
        if own and epsilon is not INFINITE and claim["notion"] != "pointwise_maximal_leakage":
            pairs.append(Pair(about, ("everyone", label), everyone, own, epsilon))
    return pairs


def at_most_after(spec, claim):
    """P(y given the values) <= (at_most / P(values)) P(y)."""
    own, everyone, p = given(spec.prior, spec.inputs_of_values(claim)), given(spec.prior, range(len(spec.inputs))), spec.mass_of_values(claim)
    return [Pair(claim.get("coordinate", ""), ("values", "everyone"), own, everyone, spec.number(claim["at_most"]) / p)] if own else []


def between_guesses(spec, claim):
    i = None if "coordinate" not in claim else [name for name, _ in spec.domain].index(claim["coordinate"])
    labels = {x: [k] for k, x in enumerate(spec.inputs)} if i is None else dict(zip(spec.domain[i][1], spec.value_groups(i)))
    sides = {label: {x: spec.prior[x] for x in group if spec.prior[x] != 0} for label, group in labels.items()}
    likeliest = max(sum(side.values(), Fraction(0)) for side in sides.values())
    epsilon = spec.level(claim["epsilon"])
    return [Pair("" if i is None else spec.domain[i][0], (label, ""), side, {}, epsilon, likeliest, True)
            for label, side in sides.items() if side and epsilon is not INFINITE]


def partial_bounds(spec, claim):
    levels, names = spec.levels_of(claim), [name for name, _ in spec.domain]
    bounds = {}
    for record in claim.get("records", [names]):
        for a, b in spec.differing([names.index(name) for name in record]):
            bound = ONE
            for i, level in levels.items():
                if spec.inputs[a][i] != spec.inputs[b][i]:
                    bound = INFINITE if INFINITE in (bound, level) else bound * level
            bounds[a, b] = bound
    return bounds


def changed(spec):
    return lambda a, b: ", ".join(name for i, (name, _) in enumerate(spec.domain) if spec.inputs[a][i] != spec.inputs[b][i])


def pairs_of(spec, claim):
    """Pairs of a constraint that is not over a set of priors."""
    notion, epsilon = claim["notion"], claim.get("epsilon")
    if notion == "cdp":
        return [pair for i, level in spec.coordinate_levels(epsilon).items()
                for pair in between_inputs(spec, {ab: level for ab in spec.differing([i])}, changed(spec))]
    if notion == "bcdp":
        return [pair for i, level in spec.coordinate_levels(epsilon, known_of(claim)).items()
                for pair in between_groups(spec, claim, i, level)]
    if notion == "partial_dp":
        return between_inputs(spec, partial_bounds(spec, claim), changed(spec))
    if notion == "context_ldp":
        return between_inputs(spec, {(a, b): spec.level(epsilon[a][b]) for a, b in spec.all_pairs()})
    if notion == "bayes_leakage":
        return between_guesses(spec, claim)
    if notion == "posterior":
        return at_most_after(spec, claim)
    level = spec.level(epsilon)
    if notion == "secret":
        return between_groups(spec, claim, None, level)
    if notion in LIFTS:
        return against_everyone(spec, claim, level)
    if notion == "approximate_bcdp":
        return between_groups(spec, claim, [name for name, _ in spec.domain].index(claim["coordinate"]), level, spec.number(claim["delta"]))
    if notion == "approximate_dp":
        return between_inputs(spec, {ab: level for ab in spec.neighbor_pairs(claim)}, delta=spec.number(claim["delta"]))
    inputs = {"ldp": spec.all_pairs, "bdp": lambda: spec.all_pairs([x for x, p in enumerate(spec.prior) if p != 0]),
              "block_ldp": lambda: spec.compared_pairs(claim), "high_low_ldp": lambda: spec.compared_pairs(claim)}
    require(notion in inputs, f"a notion that the checker does not know: {notion}")
    return between_inputs(spec, {ab: level for ab in inputs[notion]()})


def compared_over_set(spec, claim):
    """(coordinate or None, {label: inputs}, labels from, labels to, level) of a constraint over a set of priors."""
    if claim["notion"] == "bcdp":
        asked = [(i, scope_of(spec, claim, i), level) for i, level in spec.coordinate_levels(claim["epsilon"]).items()]
    elif claim["notion"] == "secret":
        asked = [(None, scope_of(spec, claim), spec.level(claim["epsilon"]))]
    else:
        require(claim["notion"] == "bdp", "a notion that is not over sets")
        inputs = {x: [k] for k, x in enumerate(spec.inputs)}
        return [(None, inputs, list(inputs), list(inputs), spec.level(claim["epsilon"]))]
    return [(None if i is None else spec.domain[i][0], scope.groups, *scope.sides, level) for i, scope, level in asked]


def is_independent(spec, weights):
    """True if all coordinates are independent under the prior."""
    alone = [{} for _ in spec.domain]
    for x, mass in zip(spec.inputs, weights):
        for i, value in enumerate(x):
            alone[i][value] = alone[i].get(value, 0) + mass
    product = []
    for x in spec.inputs:
        mass = ONE
        for i, value in enumerate(x):
            mass *= alone[i][value]
        product.append(mass)
    return product == weights


def is_member(spec, claim, coordinate, groups, weights):
    stated = spec.set_of(claim)
    require(stated["type"] != "sample", "a sample does not say the same of all mechanisms")
    if any(mass < 0 for mass in weights) or sum(weights) != 1:
        return False
    if stated["type"] == "product" and not is_independent(spec, weights):
        return False
    return Sets(spec, list(groups.values()), coordinate).contains(stated, weights)


def weights_of(spec, rows):
    """A certificate's prior, by input."""
    places = {x: k for k, x in enumerate(spec.inputs)}
    weights = [Fraction(0)] * len(spec.inputs)
    for one in rows:
        require(tuple(one["input"]) in places, "a prior of other inputs")
        weights[places[tuple(one["input"])]] += parse_number(one["mass"])
    total = sum(weights)
    require(total > 0, "a prior without mass")
    return [w / total for w in weights]


def pairs_under(spec, claim, about, rows):
    """Pairs of a constraint over a set of priors, under a prior that must be a member of it."""
    weights, pairs = weights_of(spec, rows), []
    for coordinate, groups, from_, to, epsilon in compared_over_set(spec, claim):
        if (coordinate or "") != about:
            continue
        require(is_member(spec, claim, coordinate, groups, weights), "a prior that is no member of the set")
        sides = {label: given(weights, group) for label, group in groups.items()}
        pairs += [Pair(about, (a, b), sides[a], sides[b], epsilon) for a in from_ for b in to
                  if a != b and sides[a] and sides[b] and epsilon is not INFINITE]
    return pairs


def sufficient_pairs(spec, claim):
    """Pairs of inputs: a mechanism that satisfies them satisfies the constraint under every prior."""
    bounds = []
    for _, groups, from_, to, epsilon in compared_over_set(spec, claim):
        bounds += [((x, z), epsilon) for a in from_ for b in to if a != b for x in groups[a] for z in groups[b]]
    return [pair for ab, epsilon in bounds for pair in between_inputs(spec, {ab: epsilon})]
