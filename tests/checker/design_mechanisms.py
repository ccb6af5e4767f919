"""Mechanisms against a request: whether one is within all that was asked for, and random ones that are."""
import random
from fractions import Fraction

from design_limits import compared_over_set, given, is_member, require, weights_of
from exact import INFINITE, quick
from reference import ZERO
from sets import Sets, stated_of

MEMBERS = 20


def below(level):
    """A rational number of few digits that is no larger."""
    return level if isinstance(level, Fraction) else max(Fraction(1), Fraction(int(quick(level) * 1000), 1000))


def rows_of(request, spec):
    """By input, {label: probability}; a spec leaves out what is never told."""
    places = [request.output_named(output) for output in spec.outputs]
    return [{label: told.get(y, ZERO) for y, label in enumerate(request.labels)} for told in (dict(zip(places, row)) for row in spec.rows)]


def problems_of(request, spec, certificate):
    """What a designed mechanism, read from its spec, does not keep. Over a set of priors: under random members, and under those
    that the certificate names."""
    problems = []
    places = [request.output_named(output) for output in spec.outputs]
    if None in places or len(set(places)) < len(places):
        problems.append(f"outputs {spec.outputs}")
    rows, entries = rows_of(request, spec), {}
    for x, row in zip(request.inputs, rows):
        if any(p < 0 for p in row.values()) or sum(row.values(), ZERO) != 1:
            problems.append(f"the row of {x}")
        for y, p in enumerate(row.values()):
            if entries.setdefault((request.row_of(x), y), p) != p:
                problems.append("more is read than may be")
    for orbit in request.orbits:
        if any(entries[entry] != entries[orbit[0]] for entry in orbit):
            problems.append(f"no such symmetry: {orbit}")
    problems += [f"loss limit {k} is exceeded" for k, (loss, at_most) in enumerate(request.ceilings) if loss.of(rows) > at_most]
    for k, claim in enumerate(request.constraints):
        if "for_all" in claim:
            problems += over_set(request, spec, claim, [limit["prior"] for limit in certificate["limits"] if int(limit["constraint"]) == k])
        elif not spec.holds(claim):
            problems.append(f"constraint {k} ({claim['notion']}) does not hold")
    return problems


def over_set(request, spec, claim, named):
    stated, named = stated_of(spec, claim), [weights_of(request.spec, rows) for rows in named]
    for coordinate, groups, from_, to, epsilon in compared_over_set(request.spec, claim):
        sets = Sets(request.spec, list(groups.values()), coordinate)
        members = [w for w in named if is_member(request.spec, claim, coordinate, groups, w)]
        if stated["type"] != "marginals" or members:
            sets.shown = members[0] if members else sets.shown
            members += [sets.member(stated) for _ in range(MEMBERS)]
        for weights in members if epsilon is not INFINITE else []:
            sides = {label: given(weights, group) for label, group in groups.items()}
            told = {label: [sum((p * spec.rows[x][y] for x, p in side.items()), ZERO) for y in range(len(spec.outputs))]
                    for label, side in sides.items() if side}
            if any(p > epsilon * q for a in from_ for b in to if a in told and b in told for p, q in zip(told[a], told[b])):
                return [f"{claim['notion']} does not hold for a member of {stated['type']}"]
    return []


class Drawn:
    """Random mechanisms within the constraints; where losses have limits, on the way from one that keeps these (or none does)."""

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
        """Of a mechanism that tells nothing, with which all pairs are within their levels."""
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
    """Of random mechanisms within the constraints, of which none may be better than the bound."""
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
