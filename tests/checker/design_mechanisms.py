"""Mechanisms against a request: whether one is within all constraints, and random ones that are."""
import copy
import itertools
import random
from fractions import Fraction

from design_limits import Rejected, compared_over_set, given, is_member, require, weights_of
from oddsbound_check.exact import INFINITE, quick
from oddsbound_check.prior_sets import Sets as PriorSets
from reference import ZERO
from oddsbound_check.sets.forms import FORMS, Question, by_squares, mixed, mixed_priors
from sets import Sets

MEMBERS = 20
MIXED = ("any_of", "mixtures_of", "side_knowledge")


def below(level):
    """A rational number of few digits that is not larger."""
    return level if isinstance(level, Fraction) else max(Fraction(1), Fraction(int(quick(level) * 1000), 1000))


def rows_of(request, spec):
    """By input, {label: probability}; a spec leaves out outputs of probability 0."""
    places = [request.output_named(output) for output in spec.outputs]
    return [{label: told.get(y, ZERO) for y, label in enumerate(request.labels)} for told in (dict(zip(places, row)) for row in spec.rows)]


def known_of(spec):
    """Coordinates and their values in order, and whether everybody knows them."""
    return [(name, list(values), bool(one.get("public"))) for (name, values), one in zip(spec.domain, spec.json["domain"])]


def told_by(request, spec):
    """Outputs and rows from a mechanism's file, and all else from the request: people, parameters, sets of priors.
    Those of the file do not count."""
    require(known_of(request.spec) == known_of(spec), "the mechanism is for another domain")
    told = copy.copy(request.spec)
    told.memory, told.outputs, told.rows = {}, spec.outputs, spec.rows
    require(all(p >= 0 for row in told.rows for p in row) and all(sum(row, ZERO) == 1 for row in told.rows), "rows of the mechanism are no distributions")
    return told


def problems_of(request, spec, certificate):
    """The constraints that a designed mechanism, read from its spec, violates. Over a set of priors with a closed
    form, all priors are checked; for other sets, random members and those of the certificate: see unproved_of."""
    try:
        told = told_by(request, spec)
    except Rejected as why:
        return [str(why)]
    problems = []
    places = [request.output_named(output) for output in spec.outputs]
    if None in places or len(set(places)) < len(places):
        problems.append(f"outputs {spec.outputs}")
    rows, entries = rows_of(request, spec), {}
    for x, row in zip(request.inputs, rows):
        for y, p in enumerate(row.values()):
            if entries.setdefault((request.row_of(x), y), p) != p:
                problems.append("more is read than may be")
    for orbit in request.orbits:
        if any(entries[entry] != entries[orbit[0]] for entry in orbit):
            problems.append(f"no such symmetry: {orbit}")
    problems += [f"loss limit {k} is exceeded" for k, (loss, at_most) in enumerate(request.ceilings) if loss.of(rows) > at_most]
    for k, claim in enumerate(request.constraints):
        if "for_all" in claim:
            problems += over_set(told, claim, [limit["prior"] for limit in certificate["limits"] if int(limit["constraint"]) == k])
        elif not told.holds(claim):
            problems.append(f"constraint {k} ({claim['notion']}) does not hold")
    return problems


def is_closed(stated):
    return stated["type"] in FORMS or stated["type"] in MIXED


def of_closed(question, y, a, b):
    """True if no prior of a set is above the bound; in the other direction, some prior attains or approaches it. The
    worst mixture is on a line between two priors."""
    if question.kind in FORMS:
        return FORMS[question.kind](question, y, a, b)
    priors = mixed_priors(question)
    forms = {Fraction(j): question.forms(prior, y, a, b) for j, prior in priors.items()}
    squares = [] if question.kind == "any_of" else [[j, k] for j, k in itertools.combinations(sorted(forms), 2)
                                                    if not mixed(question.bound, forms[j], forms[k]) >= 0]
    return by_squares(question, priors, squares, y, a, b)


def not_proved(told, claim):
    """The first (output, label, label) at which neither extremes nor the form of the set show that all its priors are
    within the level, and whether the set has such a form; None: the claim is proved."""
    stated, compared = told.set_of(claim), compared_over_set(told, claim)
    for coordinate, groups, from_, to, epsilon in compared:
        places = {x: k for k, x in enumerate(told.own_domain.rows())}
        own = PriorSets(told.reader.priors, told.own_domain, told.own_prior, False).read(stated)
        question = Question(told, own, coordinate, lambda x: [label for label, own in groups.items() if places[x] in own], epsilon, len(compared))
        labels = question.labels
        for y, a, b in itertools.product(range(len(told.outputs)), map(labels.index, from_), map(labels.index, to)) if epsilon is not INFINITE else ():
            if a != b and not question.by_extremes(y, a, b) and not (is_closed(stated) and of_closed(question, y, a, b)):
                return f"output {told.outputs[y]}, from {labels[a]} to {labels[b]}"
    return None


def over_set(told, claim, named):
    """The reason why a constraint certainly fails for some prior of its set. The random members are always the same;
    they only refute."""
    stated, state = told.set_of(claim), random.getstate()
    if is_closed(stated) and not_proved(told, claim):
        return [f"{claim['notion']} does not hold for all of {stated['type']}: {not_proved(told, claim)}"]
    random.seed(1)
    try:
        return broken_by_members(told, claim, stated, [weights_of(told, rows) for rows in named])
    finally:
        random.setstate(state)


def broken_by_members(told, claim, stated, named):
    for coordinate, groups, from_, to, epsilon in compared_over_set(told, claim):
        sets = Sets(told, list(groups.values()), coordinate)
        members = [w for w in named if is_member(told, claim, coordinate, groups, w)]
        if stated["type"] != "marginals" or members:
            sets.shown = members[0] if members else sets.shown
            members += [sets.member(stated) for _ in range(MEMBERS)]
        for weights in members if epsilon is not INFINITE else []:
            sides = {label: given(weights, group) for label, group in groups.items()}
            outputs = {label: [sum((p * told.rows[x][y] for x, p in side.items()), ZERO) for y in range(len(told.outputs))]
                       for label, side in sides.items() if side}
            if any(p > epsilon * q for a in from_ for b in to if a in outputs and b in outputs for p, q in zip(outputs[a], outputs[b])):
                return [f"{claim['notion']} does not hold for a member of {stated['type']}"]
    return []


def unproved_of(request, spec):
    """Constraints over sets of priors that nothing here proves for a mechanism, as texts."""
    told, unproved = told_by(request, spec), []
    for k, claim in enumerate(request.constraints):
        place = not_proved(told, claim) if "for_all" in claim else None
        if place:
            unproved.append(f"constraint {k} ({claim['notion']} over a set of type {told.set_of(claim)['type']}): {place}")
    return unproved


class Drawn:
    """Random mechanisms within the constraints. If losses are limited, they lie on the way from one that satisfies
    these limits."""

    def __init__(self, request, known, rng):
        self.request, self.known, self.rng = request, known, rng
        self.limits = [(a, b, below(level)) for a, b, level in request.pairs()]

    def rows(self):
        """By input, {label: probability}; None: none is below all limits of losses."""
        entries = self.symmetric(self.random_entries())
        share = max([self.share_for_pairs(entries)] + [self.share_for_guesses(entries, pairs) for pairs in self.request.guesses()])
        each = Fraction(1, len(self.request.labels))
        rows = [{label: (1 - share) * entries[self.request.row_of(x), y] + share * each for y, label in enumerate(self.request.labels)}
                for x in self.request.inputs]
        return rows if self.known is None else self.below_losses(rows)

    def random_entries(self):
        entries, labels = {}, self.request.labels
        for row in self.request.rows:
            weights = [self.rng.choice((0, 0, 1, self.rng.randrange(1, 9))) for _ in labels]
            weights[self.rng.randrange(len(weights))] += 1
            entries.update({(row, y): Fraction(w, sum(weights)) for y, w in enumerate(weights)})
        return entries

    def symmetric(self, entries):
        return {entry: sum(entries[other] for other in orbit) / len(orbit) for orbit in self.request.orbits for entry in orbit}

    def given(self, entries, side, y):
        return sum((w * entries[self.request.row_of(self.request.inputs[k]), y] for k, w in side.items()), Fraction(0))

    def share_for_pairs(self, entries):
        """The fraction of a constant mechanism to mix in, so that all pairs are within their levels."""
        share, each = Fraction(0), Fraction(1, len(self.request.labels))
        for a, b, least in self.limits:
            for y in range(len(self.request.labels)):
                over = self.given(entries, a, y) - least * self.given(entries, b, y)
                if over > 0:
                    share = max(share, over / (over + (least - 1) * each))
        return share

    def share_for_guesses(self, entries, pairs):
        likeliest, least = pairs[0].delta, below(pairs[0].epsilon)
        right = sum(max(self.given(entries, pair.from_, y) for pair in pairs) for y in range(len(self.request.labels)))
        return Fraction(0) if right <= least * likeliest else (right - least * likeliest) / (right - likeliest)

    def below_losses(self, rows):
        share = Fraction(1)
        for loss, at_most in self.request.ceilings:
            there, here = loss.of(rows), loss.of(self.known)
            if there > at_most:
                share = min(share, (at_most - here) / (there - here))
        return [{label: (1 - share) * old[label] + share * p for label, p in new.items()} for old, new in zip(self.known, rows)]


def random_problems(request, spec, certificate, bound, rng):
    """Faults found by random mechanisms within the constraints: none may be better than the bound."""
    known = rows_of(request, spec) if spec and request.ceilings else None
    drawn = Drawn(request, known, rng)
    random.seed(rng.random())
    for _ in range(20):
        rows = drawn.rows()
        if "exceeded_by" in certificate:
            if max(loss.of(rows) - at_most for loss, at_most in request.ceilings) < bound:
                return ["a random mechanism exceeds losses by less than any can"]
        elif request.objective.of(rows) < bound:
            return ["a random mechanism has less loss than any can have"]
    require(rows, "nothing was drawn")
    return []
