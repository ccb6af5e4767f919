"""Claims about mechanisms of independent parts with too many inputs and outputs to enumerate. Parts bound the
quotients between inputs; a certificate of a search or along a network (certificate_search.py, certificate_network.py)
bounds those between values."""
from fractions import Fraction
from itertools import product
from math import prod

from . import certificate_network
from . import certificate_search
from .claim_ranges import Largest, exact_number, for_one_of, items, party, places_called
from .exact import INFINITE, Exact
from .outcomes import ACCEPTED
from .parts import readings
from .strict_json import fields, place_in, require

KNOWN = {"notion", "name", "epsilon", "expect", "tight"}
MOST_PAIRS = 2**22  # of inputs, for each part


def inputs_of(spec, part):
    return list(product(*(spec.domain[i][1] for i in part.places)))


def largest_of(spec, part, coordinate):
    """The largest quotient between inputs of a part; if a coordinate is given, between inputs that differ in it
    alone."""
    inputs, largest = inputs_of(spec, part), Largest()
    for a, b in product(range(len(inputs)), repeat=2):
        if a != b and compared(inputs[a], inputs[b], part, coordinate):
            largest.of(part.rows[a], part.rows[b])
    return largest


def compared(a, b, part, coordinate):
    return coordinate is None or all(x == y or i == coordinate for i, x, y in zip(part.places, a, b))


def check_part(spec, part, coordinate, told, what):
    """Checks that the stated value of a part is its largest quotient, and returns it."""
    largest = largest_of(spec, part, coordinate)
    if told is None:
        require(largest.p == 0, f"{what}: something is compared, and nothing is told")
        return Fraction(1)
    output, source, target, p_told, q_told = fields(told, what, "output", "from", "to", "p_from", "p_to")
    inputs, there = inputs_of(spec, part), places_called(part.labels, output, what)
    a, b = party(source, what), party(target, what)
    require(a in inputs and b in inputs and a != b and compared(a, b, part, coordinate), f"{what}: sides that are not compared")
    p, q = exact_number(p_told, what), exact_number(q_told, what)
    shown = [tuple(part.rows[inputs.index(side)][y] for side in (a, b)) for y in there]
    require((p, q) in shown and q != 0, f"{what}: the probabilities are others")
    require(largest.q != 0 and p * largest.q == largest.p * q, f"{what}: a quotient is larger than the one that is told")
    return p / q


def largest_between(spec, is_compared):
    """The largest product of all parts' quotients between two compared inputs."""
    sizes = [len(values) for _, values in spec.domain]
    require(prod(sizes) ** 2 * len(spec.parts) <= MOST_PAIRS, "inputs are too many to be compared with each other")
    tables, most = [[[Largest().of(a, b) for b in part.rows] for a in part.rows] for part in spec.parts], Fraction(0)
    for a, b in product(product(*map(range, sizes)), repeat=2):
        if is_compared(a, b):
            p = q = Fraction(1)
            for part, table in zip(spec.parts, tables):
                own = table[spec.line(part, a)][spec.line(part, b)]
                p, q = p * own.p, q * own.q
            require(q != 0, "an output that is possible from one input alone")
            most = max(most, p / q)
    return most


def check_parts(spec, claim, levels):
    """The product of all parts' quotients is at most the claimed level: of the largest ones, or between each two
    inputs."""
    notion = claim["notion"]
    require(notion in ("ldp", "bdp", "cdp") and set(claim) <= KNOWN, f"parts say nothing about {notion}, or about a claim with more to it")
    wanted = {i: bound for i, bound in spec.levels_of(claim).items()} if notion == "cdp" else {None: spec.level(claim["epsilon"])}
    wanted = {None if i is None else spec.domain[i][0]: bound for i, bound in wanted.items() if bound is not INFINITE}
    seen = set()
    for level in items(levels, "levels", dict):
        parts, way, about = fields(level, "a level", optional=("parts", "proof", "coordinate"))
        require(about in wanted and about not in seen, f"a level of {about} that is not claimed, or is there twice")
        seen.add(about)
        if way is not None:
            require(way == "recompute" and parts is None, "either parts, or a proof that is known")
            require(largest_between(spec, only_in(spec, about)) <= wanted[about], "two inputs are farther apart than is claimed")
            continue
        require(isinstance(parts, list) and len(parts) == len(spec.parts), "not all parts, each once")
        coordinate, most = None if about is None else spec.coordinates.index(about), Fraction(1)
        for k, (part, told) in enumerate(zip(spec.parts, parts)):
            most = most * check_part(spec, part, coordinate, told, f"part {k}")
        require(most <= wanted[about], "the parts together say more than is claimed")
    require(seen == set(wanted), "a level that is claimed is left out")


def only_in(spec, about):
    """A function that decides whether inputs differ in one coordinate alone; None: whether they differ."""
    if about is None:
        return lambda a, b: a != b
    i = spec.coordinates.index(about)
    return lambda a, b: a[i] != b[i] and a[:i] + a[i + 1:] == b[:i] + b[i + 1:]


# Rows and outputs by their labels.

def outputs_called(spec, label):
    """The outputs of all parts, by their numbers, that are written as this label."""
    require(isinstance(label, str), "the witness: no output")
    return [output for output, rest in readings(spec.tree, label) if rest == ""]


def probability(spec, row, output):
    """row: places of values, by coordinate."""
    result = Fraction(1)
    for part, y in zip(spec.parts, output):
        result = result * part.rows[spec.line(part, row)][y]
    return result


def rows_of(spec):
    return spec.weighted_rows(list(range(len(spec.domain))))


def sizes_of(spec):
    """The numbers of inputs and outputs."""
    return prod(len(values) for _, values in spec.domain), prod(len(part.labels) for part in spec.parts)


def probability_given(spec, rows, i, place, output):
    """P(output given a value of a coordinate), under a prior given by rows."""
    own = {row: weight for row, weight in rows.items() if row[i] == place and weight != 0}
    require(own, "the witness: a value without mass")
    return sum((w * probability(spec, row, output) for row, w in own.items()), Fraction(0)) / sum(own.values(), Fraction(0))


def row_of(spec, values):
    values = party(values, "an input")
    require(isinstance(values, tuple) and len(values) == len(spec.domain), "no input")
    return tuple(place_in(own, value, "an input") for (_, own), value in zip(spec.domain, values))


def shown_by(spec, claim, witness):
    """(coordinate, p, q) of a witness between compared inputs, or between values."""
    label = fields(witness, "the witness", "output", optional=tuple(witness))[0]
    return for_one_of(outputs_called(spec, label), lambda output: shown_at(spec, claim, witness, output))


def shown_at(spec, claim, witness, output):
    source, target, _, p_told, q_told, about = fields(
        witness, "the witness", "from", "to", "output", "p_from", "p_to", optional=("coordinate",))
    notion = claim["notion"]
    if notion == "bcdp":
        require(set(claim) <= KNOWN, "the witness: a scope, which is not read here")
        require(isinstance(source, str) and isinstance(target, str) and source != target, "the witness: no two values")
        i, rows = place_in(spec.coordinates, about, "the witness"), rows_of(spec)
        places = [place_in(spec.domain[i][1], value, "the witness") for value in (source, target)]
        shown = [probability_given(spec, rows, i, place, output) for place in places]
    else:
        require(notion in ("ldp", "bdp", "cdp") and set(claim) <= KNOWN, f"no witness about {notion} is read here, or of a claim with more to it")
        rows = [row_of(spec, side) for side in (source, target)]
        changed = [i for i, (a, b) in enumerate(zip(*rows)) if a != b]
        require(notion != "cdp" or [spec.coordinates[i] for i in changed] == [about], "the witness: inputs that are not compared")
        require(notion != "bdp" or all(rows_of(spec).get(row, 0) != 0 for row in rows), "the witness: an input without mass")
        shown = [probability(spec, row, output) for row in rows]
    require([exact_number(told, "the witness") for told in (p_told, q_told)] == shown, "the witness: the probabilities are others")
    return about, *shown


def bounds_of(spec, claim):
    """Bounds by coordinate, or under None."""
    if claim["notion"] in ("ldp", "bdp"):
        return {None: spec.level(claim["epsilon"])}
    return {spec.coordinates[i]: bound for i, bound in spec.coordinate_levels(claim["epsilon"], claim.get("known", [])).items()}


def check_witness(spec, claim, witness):
    require_above(spec, claim, *shown_by(spec, claim, witness))


def require_above(spec, claim, about, p, q):
    """The quotient of the probabilities must exceed the claimed level."""
    bounds = bounds_of(spec, claim)
    require(about in bounds and bounds[about] is not INFINITE and p > bounds[about] * q, "the witness: it is within what is claimed")


def attains(p, q, bound):
    """0 equals any multiple of 0, but attains nothing."""
    return p > 0 and (q == 0 if bound is INFINITE else p == bound * q)


def check_attained(spec, claim, witnesses):
    left = {about for about, bound in bounds_of(spec, claim).items() if bound != 1}
    for witness in items(witnesses, "what attains the levels", dict):
        about, p, q = shown_by(spec, claim, witness)
        bound = bounds_of(spec, claim).get(about, INFINITE)
        require(attains(p, q, bound), "a level is not attained")
        left.discard(about)
    require(not left, "what attains a level is missing")


def check_bounds(spec, claim, document):
    """The bounds certificate next to it proves upper ends that are at most the claimed levels; or inputs are no
    farther apart."""
    require(claim["notion"] == "bcdp" and not {"known", "from", "to", "for_all"} & set(claim), "bounds are those of plain BCDP levels")
    require(isinstance(document, dict), "there are no bounds")
    kind = certificate_network if document.get("certificate") == "network" else certificate_search
    uppers = {entry.get("coordinate"): entry.get("upper") for entry in items(document.get("coordinates"), "coordinates", dict)}
    for about, bound in bounds_of(spec, claim).items():
        if bound is INFINITE:
            continue
        if about in uppers:
            for status, line in kind.check(spec, document, about):
                require(status == ACCEPTED, line)
            if Exact.exp(Fraction(uppers[about])) <= bound:
                continue
        # For any prior, values are no farther apart than the inputs that have them.
        i = place_in(spec.coordinates, about, "a bound")
        require(largest_between(spec, lambda a, b: a[i] != b[i]) <= bound, f"the bound of {about} is missing, or above what is claimed")
