"""Claims over sets of priors that are refuted, or tight: a prior is a member of the set, by the set's definition, and under it an
output is as much likelier from one label than from another. (Why a claim holds for all members: set_certificates.py.)"""
from fractions import Fraction

from claim_ranges import exact_number, fields, items, party
from exact import INFINITE
from set_certificates import compared, levels_of
from sets import Sets, normalized, stated_of
from strict_json import place_in, require
from surds import Surd


def member_of(spec, stated, witness, groups, coordinate):
    """The weights of the prior that a witness is about, normalized."""
    rows, _ = fields(witness["prior"], "the prior", "rows", "attains")
    weights, place = [Fraction(0)] * len(spec.inputs), {x: k for k, x in enumerate(spec.inputs)}
    for row in items(rows, "the prior's rows", list):
        require(len(row) == 2 and party(row[0], "a row") in place, "the prior: there is no such input")
        weight = exact_number(row[1], "a weight")
        require(weight >= 0 and weights[place[tuple(row[0])]] == 0, "the prior: a weight below 0, or an input that is there twice")
        weights[place[tuple(row[0])]] = weight
    require(any(weights), "the prior has no mass")
    weights, sets = normalized(weights), Sets(spec, list(groups.values()), coordinate)
    require(stated["type"] != "sample", "what a sample allows is not told without rounding")
    require(sets.contains(stated, weights), "the prior is no member of the set")
    return weights


def shown_by(spec, claim, witness, levels):
    """(level, p, q): what the witness shows, of which level of the claim."""
    source, target, _, p_told, q_told, _, coordinate = fields(
        witness, "the witness", "from", "to", "output", "p_from", "p_to", "prior", optional=("coordinate",))
    require(coordinate in [name for name, _, _ in levels], "the witness: no level is claimed about that")
    k = [name for name, _, _ in levels].index(coordinate)
    _, groups, _ = levels[k]
    weights = member_of(spec, stated_of(spec, claim), witness, groups, coordinate)
    labels, y = list(groups), place_in(spec.outputs, witness["output"], "the witness")
    a, b = party(source, "the witness"), party(target, "the witness")
    require(a in labels and b in labels and (labels.index(a), labels.index(b)) in compared(claim, labels), "the witness: labels that are not compared")
    shown = []
    for label in (a, b):
        mass = sum(weights[x] for x in groups[label])
        require(mass != 0, "the witness: a label without mass")
        shown.append(sum(weights[x] * spec.rows[x][y] for x in groups[label]) / mass)
    require([exact_number(told, "the witness") for told in (p_told, q_told)] == shown, "the witness: the probabilities are others")
    return k, *shown


def check_refuted(spec, claim, witness):
    levels = levels_of(spec, claim)
    k, p, q = shown_by(spec, claim, witness, levels)
    bound = levels[k][2]
    require(bound is not INFINITE and p > 0 and (q == 0 or Surd.of(bound) < Surd.of(p / q)), "the witness: it is within what is claimed")


def check_attained(spec, claim, witnesses):
    """Of a tight claim that holds: every level above 0 is attained."""
    levels = levels_of(spec, claim)
    open_levels = {k for k, (_, _, bound) in enumerate(levels) if bound != 1}
    for witness in items(witnesses, "what attains the levels", dict):
        k, p, q = shown_by(spec, claim, witness, levels)
        bound = levels[k][2]
        attains = q == 0 and p > 0 if bound is INFINITE else q != 0 and Surd.of(p / q) == Surd.of(bound)
        require(attains, "a level is not attained")
        open_levels.discard(k)
    require(not open_levels, "what attains a level is missing")
