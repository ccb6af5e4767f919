"""A claim over a set of priors that is refuted, where inputs are too many to go through: a prior of few rows is a member of the set, and
an output of independent parts is as much likelier under it. Weights by rows of numbered values, none of which is 0."""
import copy
from fractions import Fraction

from claim_large import bounds_of, probability, row_of, split
from claim_ranges import exact_number, items
from exact import INFINITE
from set_certificates import compared
from set_samples import Allowed
from strict_json import fields, place_in, require

QUICK_CELLS = 2**20


def normalized(rows):
    total = sum(rows.values(), Fraction(0))
    require(total > 0, "the prior has no mass")
    return {row: weight / total for row, weight in rows.items() if weight != 0}


def prior_of(spec, stated):
    """Of a witness."""
    rows = {}
    for entry in items(stated, "the prior's rows", list):
        require(len(entry) == 2, "a row of the prior")
        row, weight = row_of(spec, entry[0]), exact_number(entry[1], "a weight")
        require(weight >= 0 and row not in rows, "the prior: a weight below 0, or an input that is there twice")
        rows[row] = weight
    return normalized(rows)


def rows_of(spec, prior):
    other = copy.copy(spec)
    other.prior = prior
    return normalized(other.weighted_rows(list(range(len(spec.domain)))))


def distance(a, b):
    return sum((abs(a.get(row, 0) - b.get(row, 0)) for row in {*a, *b}), Fraction(0)) / 2


def between(w, a, b):
    """Whether w lies on the line from a to b."""
    place = next((row for row in {*a, *b} if a.get(row, 0) != b.get(row, 0)), None)
    if place is None:
        return w == a
    share = (w.get(place, 0) - a.get(place, 0)) / (b.get(place, 0) - a.get(place, 0))
    return 0 <= share <= 1 and all(w.get(row, 0) == (1 - share) * a.get(row, 0) + share * b.get(row, 0) for row in {*w, *a, *b})


def conditionals(w, i):
    """By value of a coordinate: what the others are given it."""
    found = {}
    for row, weight in w.items():
        found.setdefault(row[i], {})[row[:i] + row[i + 1:]] = weight
    return [normalized(rows) for rows in found.values()]


def contains(spec, stated, w, i):
    """Whether weights belong to a set, of which the coordinate i is asked."""
    kind = stated["type"]
    if kind == "all":
        return True
    if kind in ("product", "correlation"):
        most = stated.get("at_most", "0")
        most = spec.number(most[spec.coordinates[i]] if isinstance(most, dict) else most)
        rows = conditionals(w, i)
        return all(distance(a, b) <= most for a in rows for b in rows)
    if kind in ("any_of", "mixtures_of"):
        priors = [rows_of(spec, prior) for prior in stated["priors"]]
        return w in priors or (kind == "mixtures_of" and any(between(w, a, b) for a in priors for b in priors))
    center = rows_of(spec, spec.json["prior"])
    if kind == "contaminated":
        kept, within = 1 - spec.number(stated["share"]), stated.get("support") == "prior"
        return all(w.get(row, 0) >= kept * mass for row, mass in center.items()) and (not within or set(w) <= set(center))
    if kind == "total_variation":
        return distance(w, center) <= spec.number(stated["radius"])
    if kind == "weights":
        quotients = [w.get(row, 0) / mass for row, mass in center.items()]
        return set(w) == set(center) and max(quotients) <= min(quotients) * spec.number(stated["factor"]) ** 2
    require(kind == "side_knowledge", f"members of sets of type {kind} are not told here")
    about, learned = [spec.coordinates.index(name) for name in stated["about"]], {}
    return set(w) <= set(center) and all(
        learned.setdefault(tuple(row[k] for k in about), w.get(row, 0) / mass) == w.get(row, 0) / mass for row, mass in center.items())


def draws_allow(spec, stated, claim, w, i, output, values):
    """Of a sample: bets on each draw decide, as inputs x outputs are many."""
    cells = 1
    for part in spec.parts:
        cells *= len(part.labels)
    for _, own in spec.domain:
        cells *= len(own)
    require(cells > QUICK_CELLS, "limits may decide, and are not looked at here")
    labels, outputs = len(spec.domain[i][1]), cells
    for _, own in spec.domain:
        outputs //= len(own)
    counts = spec.weighted_rows(list(range(len(spec.domain))))
    per_pair = (1 - Fraction(spec.number(stated["confidence"]))) / (outputs * len(bounds_of(spec, claim)) * labels * max(1, labels - 1))
    allowed = Allowed(per_pair)
    for value in values:
        tally = []  # entry, draws, the prior's mass
        for rows, place in ((counts, 1), (w, 2)):
            for row, weight in rows.items():
                if row[i] == value:
                    entry = probability(spec, row, output)
                    own = next((own for own in tally if own[0] == entry), None)
                    if own is None:
                        tally.append(own := [entry, 0, Fraction(0)])
                    own[place] += weight
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
    labels, shown = spec.domain[i][1], []
    values = [place_in(labels, side, "the witness") for side in (source, target)]
    require(tuple(values) in compared(claim, list(labels)), "the witness: labels that are not compared")
    for value in values:
        own = {row: weight for row, weight in w.items() if row[i] == value}
        require(own, "the witness: a value without mass")
        shown.append(sum(weight * probability(spec, row, output) for row, weight in own.items()) / sum(own.values()))
    require([exact_number(told, "the witness") for told in (p_told, q_told)] == shown, "the witness: the probabilities are others")
    if stated["type"] == "sample":
        require(draws_allow(spec, stated, claim, w, i, output, values), "the draws speak against the prior")
    else:
        require(contains(spec, stated, w, i), "the prior is no member of the set")
    bounds, (p, q) = bounds_of(spec, claim), shown
    require(about in bounds and bounds[about] is not INFINITE and p > bounds[about] * q, "the witness: it is within what is claimed")
