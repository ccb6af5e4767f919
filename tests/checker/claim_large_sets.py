"""A claim over a set of priors that is refuted, where inputs are too many to go through: a prior of few rows is a member of the set, and
an output of independent parts is as much likelier under it. Inputs are rows of numbered values."""
import copy
from fractions import Fraction

from claim_large import bounds_of, probability, probability_given, require_above, row_of, rows_of, sizes_of, split
from claim_ranges import exact_number, items
from members import Members, normalized
from set_certificates import compared
from set_samples import Allowed
from strict_json import fields, place_in, require

QUICK_CELLS = 2**20


def prior_of(spec, stated):
    """Of a witness."""
    rows = {}
    for entry in items(stated, "the prior's rows", list):
        require(len(entry) == 2, "a row of the prior")
        row, weight = row_of(spec, entry[0]), exact_number(entry[1], "a weight")
        require(weight >= 0 and row not in rows, "the prior: a weight below 0, or an input that is there twice")
        rows[row] = weight
    return normalized(rows)


class RowMembers(Members):
    """i: the coordinate that is asked."""

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
    """Of a sample: bets on each draw decide, as inputs x outputs are many."""
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


def check_refuted(spec, claim, witness, stated):
    require(claim["notion"] == "bcdp" and set(claim) <= {"notion", "name", "epsilon", "expect", "tight", "for_all", "from", "to"},
            "the witness: a claim over a set that is not read here")
    source, target, label, p_told, q_told, prior, about = fields(
        witness, "the witness", "from", "to", "output", "p_from", "p_to", "prior", "coordinate")
    rows, *_ = fields(prior, "the prior", "rows", "attains", optional=("line",))
    w, output, i = prior_of(spec, rows), split(spec, label), place_in(spec.coordinates, about, "the witness")
    places = [place_in(spec.domain[i][1], side, "the witness") for side in (source, target)]
    require(tuple(places) in compared(claim, list(spec.domain[i][1])), "the witness: labels that are not compared")
    shown = [probability_given(spec, w, i, place, output) for place in places]
    require([exact_number(told, "the witness") for told in (p_told, q_told)] == shown, "the witness: the probabilities are others")
    if stated["type"] == "sample":
        require(draws_allow(spec, stated, claim, w, i, output, places), "the draws speak against the prior")
    else:
        require(RowMembers(spec, i).has(stated, w), "the prior is no member of the set")
    require_above(spec, claim, about, *shown)
