"""Claims over sets of priors that are refuted, or tight: a prior is a member of the set by the set's definition, and
under it the quotient of an output between two labels is as stated. (set_certificates.py checks that a claim holds for
all members.)"""
from fractions import Fraction

from .claim_ranges import exact_number, fields, for_one_of, items, party, places_called
from .exact import INFINITE
from .set_certificates import compared, levels_of
from .set_forms import Question
from .set_samples import Draws
from .members import Enumerated as Sets, scaled_to_one as normalized, stated_of
from .strict_json import require
from .surds import Surd

CONVEX = ("contaminated", "total_variation", "intervals", "mixtures_of", "side_knowledge")


def weights_of(spec, rows):
    """The weights of a prior given by rows, normalized."""
    weights, place = [Fraction(0)] * len(spec.inputs), {x: k for k, x in enumerate(spec.inputs)}
    for row in items(rows, "the prior's rows", list):
        require(len(row) == 2 and party(row[0], "a row") in place, "the prior: there is no such input")
        weight = exact_number(row[1], "a weight")
        require(weight >= 0 and weights[place[tuple(row[0])]] == 0, "the prior: a weight below 0, or an input that is there twice")
        weights[place[tuple(row[0])]] = weight
    require(any(weights), "the prior has no mass")
    return normalized(weights)


def readings(spec, witness):
    """The witness with every output that its label may stand for."""
    require(isinstance(witness, dict), "the witness is no object")
    return [(witness, y) for y in places_called(spec.outputs, witness.get("output"), "the witness")]


def places_of(spec, claim, reading, levels):
    """(level, its labels with their inputs, output, from, to) of a witness."""
    witness, y = reading
    source, target, _, _, _, _, coordinate = fields(
        witness, "the witness", "from", "to", "output", "p_from", "p_to", "prior", optional=("coordinate",))
    require(coordinate in [name for name, _, _ in levels], "the witness: no level is claimed about that")
    k = [name for name, _, _ in levels].index(coordinate)
    groups = levels[k][1]
    labels, a, b = list(groups), party(source, "the witness"), party(target, "the witness")
    require(a in labels and b in labels and (labels.index(a), labels.index(b)) in compared(claim, labels), "the witness: labels that are not compared")
    return k, groups, y, a, b


def shown_by(spec, claim, reading, levels):
    """(level, p, q): the quotient that the witness shows, and for which level of the claim."""
    k, groups, y, a, b = places_of(spec, claim, reading, levels)
    witness, _ = reading
    coordinate, _, bound = levels[k]
    labels, stated = list(groups), stated_of(spec, claim)
    rows, *_ = fields(witness["prior"], "the prior", "rows", "attains", optional=("line",))
    weights, shown = weights_of(spec, rows), []
    for label in (a, b):
        mass = sum(weights[x] for x in groups[label])
        require(mass != 0, "the witness: a label without mass")
        shown.append(sum(weights[x] * spec.rows[x][y] for x in groups[label]) / mass)
    require([exact_number(witness[told], "the witness") for told in ("p_from", "p_to")] == shown, "the witness: the probabilities are others")
    if stated["type"] == "sample":
        draws = Draws(Question(spec, stated, coordinate, list(groups.values()), bound, len(levels)))
        require(draws.allows(weights, y, labels.index(a), labels.index(b)), "the draws speak against the prior")
    else:
        require(Sets(spec, list(groups.values()), coordinate).contains(stated, weights), "the prior is no member of the set")
    return k, *shown


def check_refuted(spec, claim, witness):
    levels = levels_of(spec, claim)
    k, p, q = for_one_of(readings(spec, witness), lambda reading: shown_by(spec, claim, reading, levels))
    bound = levels[k][2]
    require(bound is not INFINITE and p > 0 and (q == 0 or Surd.of(bound) < Surd.of(p / q)), "the witness: it is within what is claimed")


def product(first, second):
    """The product of two polynomials of degree 1, by coefficients."""
    return [first[0] * second[0], first[0] * second[1] + first[1] * second[0], first[1] * second[1]]


def comes_near(forms, bound):
    """True if quotients on a line come arbitrarily close to the bound, and none is above it. forms: at both ends.

    Let n l / (m k) = A(t) / B(t), with all forms linear in t. Either the lowest power of t in A or B shows that A / B
    tends to the bound with t, or bound * B - A is a square with its root between the ends, where B is not 0."""
    n, m, k, l = ([begin, end - begin] for begin, end in zip(*forms))
    above, below = product(n, l), product(m, k)
    lowest = next((i for i in range(3) if above[i] != 0 or below[i] != 0), None)
    if lowest is None:
        return False
    if bound is INFINITE:
        return below[lowest] == 0 and above[lowest] > 0
    if below[lowest] > 0 and Surd.of(above[lowest]) == Surd.of(bound) * below[lowest]:
        return True
    c, b, a = (Surd.of(bound) * q - p for p, q in zip(above, below))
    inside = a > 0 and -b > 0 and -b < a * 2
    return inside and b * b == a * c * 4 and all(sum(form) + form[0] > 0 for form in (m, k, l))


def check_line(spec, claim, reading, levels):
    """The level that members of a convex set approach: on a line between two, no fraction attains it."""
    k, groups, y, a, b = places_of(spec, claim, reading, levels)
    witness, _ = reading
    coordinate, _, bound = levels[k]
    stated, line = stated_of(spec, claim), items(witness["prior"]["line"], "the line", list)
    require(len(line) == 2, "a line has two ends")
    require(stated["type"] in CONVEX, "a line between members of a set that is not known to be convex")
    ends, sets = [weights_of(spec, rows) for rows in line], Sets(spec, list(groups.values()), coordinate)
    require(all(sets.contains(stated, end) for end in ends), "an end of the line is no member of the set")
    question, labels = Question(spec, stated, coordinate, list(groups.values()), bound, len(levels)), list(groups)
    forms = [question.forms(end, y, labels.index(a), labels.index(b)) for end in ends]
    require(comes_near(forms, bound) or comes_near(forms[::-1], bound), "the level is not approached on the line")


def check_attained(spec, claim, witnesses):
    """For a tight claim that holds: every level above 0 is attained, or approached."""
    levels = levels_of(spec, claim)
    open_levels = {k for k, (_, _, bound) in enumerate(levels) if bound != 1}
    for witness in items(witnesses, "what attains the levels", dict):
        open_levels.discard(for_one_of(readings(spec, witness), lambda reading: attained_by(spec, claim, reading, levels)))
    require(not open_levels, "what attains a level is missing")


def attained_by(spec, claim, reading, levels):
    """The level that a witness attains, or a line approaches."""
    k, p, q = shown_by(spec, claim, reading, levels)
    if "line" in reading[0]["prior"]:
        check_line(spec, claim, reading, levels)
        return k
    bound = levels[k][2]
    require(p > 0 and (q == 0 if bound is INFINITE else q != 0 and Surd.of(p / q) == Surd.of(bound)), "a level is not attained")
    return k
