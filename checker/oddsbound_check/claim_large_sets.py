"""A claim over a set of priors with too many inputs to enumerate. Refuted: a prior of few rows is a member of the set,
and the quotient of an output of independent parts under it exceeds the level. Holding: parts bound all quotients, or a
search over outputs is repeated. Inputs are rows of numbered values."""
import copy
from fractions import Fraction
from itertools import product
from math import prod

from .claim_large import attains, bounds_of, inputs_of, outputs_called, probability, probability_given, require_above, row_of, rows_of, sizes_of
from .claim_ranges import Largest, exact_number, for_one_of, items
from .claim_sets import CONVEX, comes_near
from .exact import INFINITE
from .large_set_bounds import BOUNDS, Search
from .members import Members, normalized
from .set_certificates import compared
from .set_samples import Allowed
from .strict_json import fields, place_in, require

QUICK_CELLS = 2**20
KNOWN = {"notion", "name", "epsilon", "expect", "tight", "for_all", "from", "to"}


def prior_of(spec, stated):
    """The prior of a witness."""
    rows = {}
    for entry in items(stated, "the prior's rows", list):
        require(len(entry) == 2, "a row of the prior")
        row, weight = row_of(spec, entry[0]), exact_number(entry[1], "a weight")
        require(weight >= 0 and row not in rows, "the prior: a weight below 0, or an input that is there twice")
        rows[row] = weight
    return normalized(rows)


class RowMembers(Members):
    """i: the coordinate of the claim."""

    def __init__(self, spec, i):
        super().__init__(spec, spec.coordinates[i])
        self.i = i

    def prior(self, stated):
        other = copy.copy(self.spec)
        other.prior = stated
        return normalized(rows_of(other))

    def center(self):
        return normalized(rows_of(self.spec))

    def conditionals(self, w):
        found = {}
        for row, weight in w.items():
            found.setdefault(row[self.i], {})[row[:self.i] + row[self.i + 1:]] = weight
        return [normalized(rows) for rows in found.values()]

    def known(self, stated, row):
        return tuple(row[self.spec.coordinates.index(name)] for name in stated["about"])


def draws_allow(spec, stated, claim, w, i, output, places):
    """For a sample: bets on each draw decide, since inputs x outputs are many."""
    (inputs, outputs), labels = sizes_of(spec), len(spec.domain[i][1])
    require(inputs * outputs > QUICK_CELLS, "limits may decide, and are not looked at here")
    per_pair = (1 - Fraction(spec.number(stated["confidence"]))) / (outputs * len(bounds_of(spec, claim)) * labels * max(1, labels - 1))
    allowed, counts = Allowed(per_pair), rows_of(spec)
    for place in places:
        tally = []  # entry, draws, the prior's mass
        for rows, column in ((counts, 1), (w, 2)):
            for row, weight in rows.items():
                if row[i] == place:
                    entry = probability(spec, row, output)
                    own = next((own for own in tally if own[0] == entry), None)
                    if own is None:
                        tally.append(own := [entry, 0, Fraction(0)])
                    own[column] += weight
        mass = sum(share for _, _, share in tally)
        if not allowed.add([(int(count), share / mass) for _, count, share in tally]):
            return False
    return allowed.holds()


def of_readings(spec, witness, check):
    """check(output) of the first output of the witness's label that is not rejected."""
    return for_one_of(outputs_called(spec, witness.get("output")), check)


def places_of(spec, claim, witness):
    """(coordinate, its two values) of a witness, by their numbers."""
    require(claim["notion"] == "bcdp" and set(claim) <= KNOWN, "the witness: a claim over a set that is not read here")
    source, target, _, _, _, _, about = fields(
        witness, "the witness", "from", "to", "output", "p_from", "p_to", "prior", "coordinate")
    i = place_in(spec.coordinates, about, "the witness")
    places = [place_in(spec.domain[i][1], side, "the witness") for side in (source, target)]
    require(tuple(places) in compared(claim, list(spec.domain[i][1])), "the witness: labels that are not compared")
    return i, places


def shown_by(spec, claim, witness, stated, output):
    """(coordinate, p, q) of a prior that is in the set."""
    i, places = places_of(spec, claim, witness)
    rows, *_ = fields(witness["prior"], "the prior", "rows", "attains", optional=("line",))
    w = prior_of(spec, rows)
    shown = [probability_given(spec, w, i, place, output) for place in places]
    require([exact_number(witness[told], "the witness") for told in ("p_from", "p_to")] == shown, "the witness: the probabilities are others")
    if stated["type"] == "sample":
        require(draws_allow(spec, stated, claim, w, i, output, places), "the draws speak against the prior")
    else:
        require(RowMembers(spec, i).has(stated, w), "the prior is no member of the set")
    return spec.coordinates[i], *shown


def approaches(spec, claim, witness, stated, bound, output):
    """True if members on a line between two come arbitrarily close to the level."""
    i, places = places_of(spec, claim, witness)
    line = items(witness["prior"]["line"], "the line", list)
    require(len(line) == 2 and stated["type"] in CONVEX, "a line has two ends, in a set that is known to be convex")
    forms = []
    for end in line:
        w, form = prior_of(spec, end), []
        require(RowMembers(spec, i).has(stated, w), "an end of the line is no member of the set")
        for place in places:
            own = {row: weight for row, weight in w.items() if row[i] == place}
            form += [sum((weight * probability(spec, row, output) for row, weight in own.items()), Fraction(0)), sum(own.values(), Fraction(0))]
        forms.append(form)
    return comes_near(forms, bound) or comes_near(forms[::-1], bound)


def check_refuted(spec, claim, witness, stated):
    require_above(spec, claim, *of_readings(spec, witness, lambda output: shown_by(spec, claim, witness, stated, output)))


def check_attained(spec, claim, witnesses, stated):
    left = {about for about, bound in bounds_of(spec, claim).items() if bound != 1}
    for witness in items(witnesses, "what attains the levels", dict):
        left.discard(of_readings(spec, witness, lambda output: attained_by(spec, claim, witness, stated, output)))
    require(not left, "what attains a level is missing")


def attained_by(spec, claim, witness, stated, output):
    """The coordinate whose level a witness attains, or a line approaches."""
    about, p, q = shown_by(spec, claim, witness, stated, output)
    bound = bounds_of(spec, claim).get(about, INFINITE)
    near = "line" in witness["prior"] and approaches(spec, claim, witness, stated, bound, output)
    require(near or attains(p, q, bound), "a level is not attained")
    return about


def parts_hold(spec, stated, i, bound):
    """If labels agree except for a fraction s, a prior given a label is (1 - s) own + s anything: parts are farthest
    apart between inputs that differ in the label alone, and between any two inputs with either label. s = 1: every
    prior; s = 0: independent priors."""
    most = {"all": Fraction(1), "product": Fraction(0)}.get(stated["type"])
    if most is None:
        require(stated["type"] == "correlation", f"parts say nothing about sets of type {stated['type']}")
        most = RowMembers(spec, i).at_most(stated)
    total = Fraction(0)
    for share, alone in ((1 - most, True), (most, False)):
        if share != 0:
            total = total + share * prod((largest_of_values(spec, part, i, alone) for part in spec.parts), start=Fraction(1))
    return total <= bound


def largest_of_values(spec, part, i, alone):
    """The largest quotient of a part between inputs with different values that differ in nothing else (alone), or in
    anything."""
    largest, inputs = Largest(), inputs_of(spec, part)
    own = part.places.index(i) if i in part.places else None
    for (x, f), (z, g) in product(zip(inputs, part.rows), repeat=2):
        apart = [k for k, (v, w) in enumerate(zip(x, z)) if v != w]
        if (own is None or own in apart) and (not alone or set(apart) <= {own}):
            largest.of(f, g)
    require(largest.q != 0, "an output that is possible from one input alone")
    return largest.p / largest.q


def check_level(spec, claim, stated, level, about, bound):
    told, way = fields(level, "a level", "coordinate", "proof")
    require(told == about, f"a level of {told}, and not of {about}")
    if bound is INFINITE:
        return
    i = spec.coordinates.index(about)
    if way == "parts":
        require(parts_hold(spec, stated, i, bound), "the parts together say more than is claimed")
        return
    require(way == "search" and stated["type"] in BOUNDS, "a proof that is not known")
    values = list(spec.domain[i][1])
    rows = [{} for _ in values]
    for row, weight in rows_of(spec).items():
        if weight != 0:
            rows[row[i]][row] = weight
    Search(spec, stated, i, bound, rows).check(compared(claim, values))


def check_holds(spec, claim, levels, stated):
    require(claim["notion"] == "bcdp" and set(claim) <= KNOWN, "a claim over a set that is not read here")
    told = bounds_of(spec, claim)
    bounds = {about: told[about] for about in spec.coordinates if about in told}
    require(len(items(levels, "levels", dict)) == len(bounds), f"{len(bounds)} levels are claimed")
    for level, (about, bound) in zip(levels, bounds.items()):
        check_level(spec, claim, stated, level, about, bound)
