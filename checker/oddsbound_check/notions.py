"""What a claim compares by the definition of its notion: which distributions of outputs, at which level.

A *side* is what an adversary's hypothesis makes of the outputs: the mean of some rows of the channel, by the weights of
the prior. A *comparison* says P(R | a) <= bound P(R | b) + delta for all sets R of outputs and all pairs (a, b) of its
sides. Sides are found by their names (for a witness; nothing is enumerated), or all listed in groups: every side of
the first list of a group is compared with every side of the second. Pairs of a side with itself may be listed; they
never exceed a level of at least 0. Inputs are tuples of numbers of values.
"""
from functools import cached_property, lru_cache
from itertools import combinations, permutations, product
from math import prod
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence

from .claims import LIFTS, Claim
from .domain import Row
from .exact import INFINITE
from .numbers import Level
from .priors import Weights
from .report import NotProved, require, require_feasible
from .spec import Spec

MOST_ROWS = 2**22
MOST_SCOPES = 2**16
MOST_PAIRS = 2**22  # of inputs
MOST_SETS = 2**12  # of coordinates that may be known
NOTHING: tuple[Row, Row] = ((), ())  # is known


class Side:
    """weights: {input: weight}. mass: their sum, which is 1 for a single input. row: set by outputs.py, if needed.
    marginals: in place of weights, {value: weight} of every coordinate, if these are independent."""
    __slots__ = ("label", "weights", "mass", "row", "marginals")

    def __init__(self, label: Any, weights: Any, mass: Any, marginals: Optional[list[dict[int, Any]]] = None) -> None:
        self.label, self.weights, self.mass, self.marginals = label, weights, mass, marginals
        self.row: Any = None


Pair = Optional[tuple[Side, Side]]
Groups = Iterable[tuple[list[Side], list[Side]]]


class Comparison:
    """about: the coordinate, if a level is claimed for one. claimed: a level is claimed for all these pairs together,
    which a tight claim attains. delta: None for a claim about quotients. groups(): the lists of sides that are compared."""
    delta = None
    claimed = True
    is_one_of_many = False  # of a matrix, whose infinite entries say nothing

    def __init__(self, spec: Spec, about: Optional[str], bound: Level) -> None:
        self.spec, self.about, self.bound = spec, about, bound

    def groups(self) -> Groups:
        raise NotImplementedError

    def find(self, source: Any, target: Any, given: dict[str, Any]) -> Pair:
        """Both sides of these names; None if they are not compared."""
        raise NotImplementedError


class BetweenInputs(Comparison):
    """listed: yields pairs of lists of inputs; has(x, z): whether two inputs are compared; weight(x): the mass of an
    input, where it decides whether it is compared. scopes: compared are inputs that differ within one of these."""

    def __init__(self, spec: Spec, about: Optional[str], bound: Level, listed: Callable[[], Iterable[tuple[Any, Any]]],
                 has: Callable[[Row, Row], bool], weight: Callable[[Row], Any] = lambda x: 1, scopes: Iterable[frozenset[int]] = ()) -> None:
        super().__init__(spec, about, bound)
        self.scopes = scopes
        self.listed, self.has, self.weight = listed, has, weight

    def side(self, x: Row) -> Side:
        return Side(x, {x: self.weight(x)}, self.weight(x))

    def groups(self) -> Groups:
        for first, second in self.listed():
            own = [self.side(x) for x in first]
            yield own, (own if second is first else [self.side(x) for x in second])

    def find(self, source: Any, target: Any, given: dict[str, Any]) -> Pair:
        x, z = (self.spec.given(list(side)) if self.spec.own_domain.has(side) else None for side in (source, target))
        if x is None or z is None or x == z or given or not self.has(x, z):
            return None
        return self.side(x), self.side(z)


class BetweenLabels(Comparison):
    """labels_of(x): the labels that an input has."""

    def __init__(self, spec: Spec, claim: Claim, about: Optional[str], bound: Level, labels_of: Callable[[Row], Sequence[Any]]) -> None:
        super().__init__(spec, about, bound)
        self.labels_of, self.may, self.known = labels_of, claim.may, [tuple(claim.known)]
        if claim.any_known:
            others = [i for i in everything(spec) if spec.sizes[i] > 1 and i not in claim.secret_places and spec.coordinates[i] != about]
            require_feasible(2 ** len(others) <= MOST_SETS, "more sets of coordinates may be known than can be gone through")
            self.known = [known for count in range(len(others) + 1) for known in combinations(others, count)]

    @cached_property
    def sides(self) -> dict[tuple[Row, Row], dict[Any, Side]]:
        """{(known coordinates, their values): {label: side}}, of those with mass."""
        found: dict[tuple[Row, Row], dict[Any, Weights]] = {}
        rows = prior_rows(self.spec)
        require_feasible(len(self.known) * len(rows) <= MOST_ROWS, "more inputs with mass, and sets of known coordinates, than can be gone through")
        for x, weight in rows.items():
            labels = self.labels_of(x)
            for known in self.known:
                own = found.setdefault((known, tuple(x[i] for i in known)), {})
                for label in labels:
                    own.setdefault(label, {})[x] = weight
        return {values: {label: Side(label, weights, sum(weights.values())) for label, weights in own.items()} for values, own in found.items()}

    def groups(self) -> Groups:
        for own in self.sides.values():
            first, second = ([side for label, side in own.items() if may is None or label in may] for may in self.may)
            yield (first, first) if self.may == [None, None] else (first, second)

    def find(self, source: Any, target: Any, given: dict[str, Any]) -> Pair:
        places = tuple(self.spec.places.get(name, -1) for name in given)
        if places not in self.known:
            return None
        values = [self.spec.domain[i][1] for i in places]
        if not all(isinstance(value, str) and value in own for value, own in zip(given.values(), values)):
            return None
        known = tuple(own.index(value) for value, own in zip(given.values(), values))
        if self.about is not None and self.spec.input_count > MOST_ROWS and self.spec.own_prior.marginals is not None:
            first, second = (self.independent(label, dict(zip(places, known))) for label in (source, target))
        else:
            sides = self.sides.get((places, known), {})
            first, second = sides.get(source), sides.get(target)
        return (first, second) if first and second and are_compared(self.may, source, target) else None

    def independent(self, label: Any, known: dict[int, int]) -> Optional[Side]:
        """The side of a value if coordinates are independent and too many to go through; None if it has no mass."""
        i, fixed = self.spec.places[str(self.about)], dict(known)
        if not isinstance(label, str) or label not in self.spec.domain[i][1]:
            return None
        fixed[i] = self.spec.domain[i][1].index(label)
        found = [{v: w for v, w in enumerate(marginal) if w != 0 and fixed.get(k, v) == v} for k, marginal in enumerate(self.spec.own_prior.marginals or [])]
        return Side(label, None, None, found) if all(found) else None


class AgainstEveryone(BetweenLabels):
    """Labels against all inputs under the prior, whose side has the label (), or these against labels, or both."""
    EVERYONE = ()

    def __init__(self, spec: Spec, claim: Claim, about: Optional[str], bound: Level, labels_of: Callable[[Row], Sequence[Any]]) -> None:
        super().__init__(spec, claim, about, bound, labels_of)
        self.upper, self.lower = claim.notion != "lower_lift", claim.notion != "pointwise_maximal_leakage"

    @cached_property
    def everyone(self) -> Side:
        rows = prior_rows(self.spec)
        return Side(self.EVERYONE, rows, sum(rows.values()))

    def groups(self) -> Groups:
        labels = list(self.sides[NOTHING].values())
        if self.upper:
            yield labels, [self.everyone]
        if self.lower:
            yield [self.everyone], labels

    def find(self, source: Any, target: Any, given: dict[str, Any]) -> Pair:
        if given or not (self.upper and target == self.EVERYONE or self.lower and source == self.EVERYONE):
            return None
        first, second = (self.everyone if own == self.EVERYONE else self.sides[NOTHING].get(own) for own in (source, target))
        return (first, second) if first and second and source != target else None


class OfValues(AgainstEveryone):
    """The event that the label is one of some values, against all inputs: P(y | values) <= (at_most / P(values)) P(y)."""

    def __init__(self, spec: Spec, claim: Claim, about: Optional[str], labels_of: Callable[[Row], Sequence[Any]]) -> None:
        names = [f"({', '.join(value)})" if isinstance(value, tuple) else value for value in claim.values]
        self.name = claim.values[0] if len(claim.values) == 1 else " or ".join(names)
        super().__init__(spec, claim, about, 1, lambda x: (self.name,) if labels_of(x)[0] in claim.values else ())
        self.upper, self.lower = True, False
        own = self.sides[NOTHING].get(self.name) if NOTHING in self.sides else None
        # Values without mass have probability 0 after every output.
        self.bound = claim.at_most / (own.mass / self.everyone.mass) if own else 1 if claim.at_most == 0 else 2


def are_compared(may: Sequence[Optional[set[Any]]], source: Any, target: Any) -> bool:
    """may: the labels that each side may have, or None."""
    return source != target and all(own is None or label in own for label, own in zip((source, target), may))


def prior_rows(spec: Spec) -> Weights:
    """{input: weight} of the inputs with mass, not normalized."""
    require_feasible(spec.input_count <= MOST_ROWS or spec.own_prior.is_listed, "the prior has too many inputs to go through")
    return spec.own_prior.over(everything(spec))


def all_inputs(spec: Spec) -> list[Row]:
    require_feasible(spec.input_count <= MOST_ROWS, "too many inputs to go through")
    return list(product(*map(range, spec.sizes)))


def changed(x: Row, z: Row) -> list[int]:
    return [i for i, (a, b) in enumerate(zip(x, z)) if a != b]


def lines(spec: Spec, places: Iterable[int]) -> list[list[Row]]:
    """Lists of the inputs that differ in these coordinates only."""
    found: dict[Row, list[Row]] = {}
    for x in all_inputs(spec):
        found.setdefault(tuple(v for i, v in enumerate(x) if i not in places), []).append(x)
    return list(found.values())


def within(spec: Spec, about: Optional[str], bound: Level, scopes: Iterable[Iterable[int]], exactly: bool = False) -> BetweenInputs:
    """Between inputs that differ in coordinates of one of the scopes only (exactly: in each of them)."""
    allowed = [frozenset(scope) for scope in scopes]

    def listed() -> Iterator[tuple[list[Row], list[Row]]]:
        for scope in dict.fromkeys(allowed):
            yield from ((line, line) for line in lines(spec, scope))

    def has(x: Row, z: Row) -> bool:
        own = frozenset(changed(x, z))
        return own in allowed if exactly else any(own <= scope for scope in allowed)
    return BetweenInputs(spec, about, bound, listed, has, scopes=() if exactly else dict.fromkeys(allowed))


def everything(spec: Spec) -> range:
    return range(len(spec.domain))


def of_support(spec: Spec, claim: Claim) -> list[Comparison]:
    rows = lru_cache(maxsize=None)(lambda: prior_rows(spec))

    def listed() -> list[tuple[list[Row], list[Row]]]:
        possible = list(rows())
        return [(possible, possible)]
    return [BetweenInputs(spec, None, claim.levels[None], listed, lambda x, z: {x, z} <= rows().keys(), lambda x: rows()[x])]


def of_records(spec: Spec, claim: Claim) -> Sequence[Comparison]:
    """Inputs that differ within one record may differ by the sum of the levels of the coordinates that differ. Levels are
    at least 0, so it is enough that all inputs which differ *within* some coordinates keep to their sum."""
    found = []
    require_feasible(sum(2 ** len(record) for record in claim.scopes) <= MOST_SCOPES, "records of too many coordinates")
    for record in claim.scopes:
        for count in range(1, len(record) + 1):
            for scope in combinations(sorted(record), count):
                levels = [claim.levels[i] for i in scope]
                one = within(spec, spec.coordinates[scope[0]] if count == 1 else None, INFINITE if INFINITE in levels else prod(levels), [scope], exactly=True)
                one.claimed = count == 1
                found.append(one)
    return found


class NoScopes:
    """Of pairs that are given one by one. A proof that goes through scopes would prove nothing about them."""

    def __iter__(self) -> Iterator[frozenset[int]]:
        raise NotProved("neighbors that are given as pairs have no scopes")


def of_neighbors(spec: Spec, claim: Claim) -> list[BetweenInputs]:
    if claim.pairs is not None:
        pairs = claim.pairs
        return [BetweenInputs(spec, None, claim.levels[None], lambda: [([x], [z]) for pair in pairs for x, z in permutations(pair)], lambda x, z: frozenset((x, z)) in pairs, scopes=NoScopes())]
    return [within(spec, None, bound, claim.scopes) if i is None else within(spec, spec.coordinates[i], bound, [[i]]) for i, bound in claim.levels.items()]


def of_pair(spec: Spec, x: Row, z: Row, bound: Level) -> Comparison:
    one = BetweenInputs(spec, None, bound, lambda: [([x], [z])], lambda a, b: (a, b) == (x, z))
    one.is_one_of_many = True
    return one


def of_pairs(spec: Spec, claim: Claim) -> list[Comparison]:
    """Pairs whose levels imply all others."""
    levels = claim.pair_levels
    assert levels is not None
    if levels.along is not None:
        # A number of changed coordinates is a sum of single changes.
        return [within(spec, None, levels.level(line[0], line[1]), [[i]]) for i in levels.along for line in lines(spec, [i])[:1] if len(line) > 1]
    if levels.steps is not None:
        require_feasible(spec.input_count <= MOST_ROWS, "too many inputs to go through")
        return [of_pair(spec, x, z, levels.level(x, z)) for x, z in levels.steps()]
    inputs = all_inputs(spec)
    require_feasible(len(inputs) ** 2 <= MOST_PAIRS, "too many pairs of inputs to go through")
    bounds = ((x, z, levels.level(x, z)) for x in inputs for z in inputs if x != z)
    return [of_pair(spec, x, z, bound) for x, z, bound in bounds if not (levels.is_function and bound is INFINITE)]


def named_pair(spec: Spec, claim: Claim, source: Any, target: Any) -> Sequence[Comparison]:
    """The part of a claim with a level for each pair that is about one pair; the whole of any other claim."""
    if claim.pair_levels is None:
        return compared_by(spec, claim)
    x, z = (spec.given(list(side)) if spec.own_domain.has(side) else None for side in (source, target))
    return [] if x is None or z is None or x == z else [of_pair(spec, x, z, claim.pair_levels.level(x, z))]


def of_blocks(spec: Spec, claim: Claim) -> list[Comparison]:
    blocks = claim.blocks()
    number = {x: b for b, block in enumerate(blocks) for x in block}
    return [BetweenInputs(spec, None, claim.levels[None], lambda: ((block, block) for block in blocks), lambda x, z: number[x] == number[z])]


def of_sensitive(spec: Spec, claim: Claim) -> list[Comparison]:
    return [BetweenInputs(spec, None, claim.levels[None], lambda: [(claim.sensitive, all_inputs(spec))], lambda x, z: x in claim.sensitive)]


def of_labels(spec: Spec, claim: Claim) -> list[Comparison]:
    return [BetweenLabels(spec, claim, *level) for level in labeled(spec, claim)]


def of_divergence(spec: Spec, claim: Claim) -> Sequence[Comparison]:
    if claim.notion == "renyi_bcdp":
        return of_labels(spec, claim)
    return of_neighbors(spec, claim)


def of_lifts(spec: Spec, claim: Claim) -> list[AgainstEveryone]:
    return [AgainstEveryone(spec, claim, *level) for level in labeled(spec, claim)]


def of_values(spec: Spec, claim: Claim) -> list[Comparison]:
    if claim.coordinate is None:
        return [OfValues(spec, claim, None, claim.labels_of)]
    i: int = claim.coordinate
    return [OfValues(spec, claim, spec.coordinates[i], lambda x: (spec.domain[i][1][x[i]],))]


def labeled(spec: Spec, claim: Claim) -> list[tuple[Optional[str], Level, Callable[[Row], Sequence[Any]]]]:
    """(coordinate, bound, function that names the labels of an input) of each level, in the order of the domain. A claim
    over a set of priors compares labels, whatever the prior."""
    def of_value(i: int) -> Callable[[Row], Sequence[Any]]:
        return lambda x: (spec.domain[i][1][x[i]],)
    return [(None, bound, claim.labels_of) if i is None else (spec.coordinates[i], bound, of_value(i)) for i, bound in sorted(claim.levels.items())]


NOTIONS: dict[str, Callable[[Spec, Claim], Sequence[Comparison]]] = {
    "ldp": of_neighbors, "bdp": of_support, "cdp": of_neighbors, "partial_dp": of_records, "bcdp": of_labels, "secret": of_labels,
    "context_ldp": of_pairs, "block_ldp": of_blocks, "high_low_ldp": of_sensitive, "approximate_dp": of_neighbors, "approximate_bcdp": of_labels, **dict.fromkeys(LIFTS, of_lifts),
    "posterior": of_values,
}


def compared_by(spec: Spec, claim: Claim) -> Sequence[Comparison]:
    """Everything that the claim compares; no other notion compares probabilities of outputs."""
    require(not claim.of_tail, "a proof that says nothing about the probability of outputs with a large lift")
    compared = NOTIONS[claim.notion](spec, claim)
    for one in compared:
        one.delta = claim.delta
    return compared


def prior_groups(spec: Spec, claim: Claim) -> list[Weights]:
    """The inputs with mass by value of the claim's coordinate (else each on its own), for averages over outputs."""
    found, i = dict[Any, Weights](), claim.coordinate
    for x, w in prior_rows(spec).items():
        found.setdefault(x if i is None else x[i], {})[x] = w
    return list(found.values())
