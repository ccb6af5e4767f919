"""What a claim compares by the definition of its notion: which two distributions of outputs, at which level. A table
of notions, each a few plain loops. All checks of claims that hold and of witnesses start from these."""
from .exact import INFINITE
from .scopes import Scope, scope_of

ZERO = 0


class Compared:
    """P(R given from) <= bound P(R given to) + delta for all pairs of sides and sets R of outputs. sides: {(label,
    given): row}. about: the coordinate, if a level is claimed for one. claimed: a level is claimed for all these pairs
    together. mass: the prior probability of a side, where it decides whether the side is compared; a function if there
    are symbols."""

    def __init__(self, about, bound, sides, pairs, delta=None, claimed=True, mass=lambda side: 1):
        self.about, self.bound, self.sides, self.delta, self.claimed, self.mass = about, bound, sides, delta, claimed, mass
        self.pairs = [pair for pair in pairs if pair[0] != pair[1]]


def inputs_of(spec):
    return {(x, ()): row for x, row in zip(spec.inputs, spec.rows)}


def between_inputs(spec, pairs, bound, about=None, delta=None, claimed=True, mass=lambda side: 1):
    """pairs: of numbers of inputs."""
    return Compared(about, bound, inputs_of(spec), [((spec.inputs[a], ()), (spec.inputs[b], ())) for a, b in pairs], delta, claimed, mass)


def between_labels(spec, scope, bound, about=None, delta=None):
    """The labels of a scope that have mass, given what is known."""
    sides, pairs = {}, []
    for values in scope.combinations():
        own = {label: scope.given(label, values) for label in scope.groups}
        given = tuple(zip(scope.known, values))
        sides.update({(label, given): row for label, row in own.items() if row is not None})
        pairs += [((a, given), (b, given)) for a in scope.sides[0] for b in scope.sides[1] if own[a] is not None and own[b] is not None]
    return Compared(about, bound, sides, pairs, delta, mass=lambda side: scope.mass(side[0], tuple(value for _, value in side[1])))


def of_support(spec, claim):
    """All inputs with mass."""
    possible = [x for x, p in enumerate(spec.prior) if p != 0]
    masses = {(x, ()): p for x, p in zip(spec.inputs, spec.prior)}
    return [between_inputs(spec, spec.all_pairs(possible), spec.level(claim["epsilon"]), mass=masses.get)]


def of_coordinates(spec, levels):
    return [between_inputs(spec, spec.differing([i]), bound, spec.domain[i][0]) for i, bound in levels.items()]


def of_values(spec, claim):
    levels = spec.coordinate_levels(claim["epsilon"], claim.get("known", []))
    return [between_labels(spec, scope_of(spec, claim, i), bound, spec.domain[i][0]) for i, bound in levels.items()]


def of_records(spec, claim):
    """Inputs that differ within one record may differ by the sum of the levels of the differing coordinates."""
    levels, names = spec.levels_of(claim), [name for name, _ in spec.domain]
    records = [[names.index(c) for c in record] for record in claim.get("records", [names])]
    by_changed = {(i,): set() for i in levels}
    for record in records:
        for a, b in spec.differing(record):
            changed = tuple(i for i in range(len(names)) if spec.inputs[a][i] != spec.inputs[b][i])
            by_changed.setdefault(changed, set()).add((a, b))
    found = []
    for changed, pairs in by_changed.items():
        bound = 1
        for i in changed:
            bound = INFINITE if INFINITE in (bound, levels[i]) else bound * levels[i]
        found.append(between_inputs(spec, sorted(pairs), bound, names[changed[0]] if len(changed) == 1 else None, None, len(changed) == 1))
    return found


def of_matrix(spec, claim):
    by_bound = {}
    for a, b in spec.all_pairs():
        by_bound.setdefault(claim["epsilon"][a][b], []).append((a, b))
    return [between_inputs(spec, pairs, spec.level(text), claimed=False) for text, pairs in by_bound.items()]


def of_delta(spec, claim):
    return [between_inputs(spec, spec.neighbor_pairs(claim), spec.level(claim["epsilon"]), None, spec.number(claim["delta"]))]


def of_value_delta(spec, claim):
    i = [name for name, _ in spec.domain].index(claim["coordinate"])
    return [between_labels(spec, scope_of(spec, claim, i), spec.level(claim["epsilon"]), claim["coordinate"], spec.number(claim["delta"]))]


def of_secret(spec, claim):
    return [between_labels(spec, Scope(spec, claim, spec.secret_groups(claim["secret"])), spec.level(claim["epsilon"]))]


NOTIONS = {
    "ldp": lambda spec, claim: [between_inputs(spec, spec.all_pairs(), spec.level(claim["epsilon"]))],
    "bdp": of_support,
    "cdp": lambda spec, claim: of_coordinates(spec, spec.levels_of(claim)),
    "partial_dp": of_records,
    "bcdp": of_values,
    "secret": of_secret,
    "context_ldp": of_matrix,
    "block_ldp": lambda spec, claim: [between_inputs(spec, spec.compared_pairs(claim), spec.level(claim["epsilon"]))],
    "high_low_ldp": lambda spec, claim: [between_inputs(spec, spec.compared_pairs(claim), spec.level(claim["epsilon"]))],
    "approximate_dp": of_delta,
    "approximate_bcdp": of_value_delta,
}


def compared_by(spec, claim):
    """Everything that the claim compares; no other notion compares probabilities of outputs."""
    return NOTIONS[claim["notion"]](spec, claim)
