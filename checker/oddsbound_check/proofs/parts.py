"""Mechanisms whose inputs and outputs are too many to go through.

Independent parts: the largest quotient is at most the product of the parts' largest quotients; between two inputs it is
exactly the product of the parts' quotients between these. Blocks: a mechanism that publishes the block of its input has
one small channel for each size of block."""
from fractions import Fraction
from itertools import product
from math import prod

from ..certificate import items, place_in
from ..exact import INFINITE, Exact, Worst, at_most
from ..notions import changed, compared_by
from ..outputs import BlockOutputs
from ..report import ACCEPTED, require, require_feasible
from . import network, search
from .witness import check_attained

PLAIN = {"notion", "name", "epsilon", "expect", "tight"}
MOST_PAIRS = 2**22  # of inputs, for each part


def quotient(*groups):
    """The largest quotient between rows of one group, as an exponential of a level."""
    worst = Worst()
    for rows in groups:
        worst.offer_rows(rows, rows)
    return worst.value()


def one_way(first, second):
    worst = Worst()
    for p, q in zip(first, second):
        worst.offer(p, q)
    return worst.value()


def times(quotients):
    found = list(quotients)
    return INFINITE if INFINITE in found else prod(found)


def largest_of_part(part, coordinate):
    """The largest quotient between inputs of a part; with a coordinate, between inputs that differ in it alone."""
    own: dict = {}
    for x, row in zip(part.mechanism.domain.rows(), part.rows):
        own.setdefault(() if coordinate is None else tuple(v for i, v in zip(part.places, x) if i != coordinate), {})[tuple(map(id, row))] = row
    return quotient(*(rows.values() for rows in own.values()))


def largest_between(spec, is_compared):
    """The largest product of all parts' quotients between two compared inputs."""
    require_feasible(prod(spec.sizes) ** 2 * len(spec.parts) <= MOST_PAIRS, "inputs are too many to be compared with each other")
    tables, most = [[[one_way(a, b) for b in part.rows] for a in part.rows] for part in spec.parts], 1
    for x, z in product(product(*map(range, spec.sizes)), repeat=2):
        if is_compared(x, z):
            # The quotient of an output is the product of the parts' quotients, each at its own worst output.
            found = times(table[part.line(x)][part.line(z)] for part, table in zip(spec.parts, tables))
            most = found if not at_most(found, most) else most
    return most


def check_parts(spec, claim, attained):
    require(claim.notion in ("ldp", "bdp", "cdp") and set(claim.json) <= PLAIN, f"parts say nothing about {claim.notion}, or about a claim with more to it")
    for i, bound in claim.levels.items():
        if bound is not INFINITE and not at_most(times(largest_of_part(part, i) for part in spec.parts), bound):
            own = largest_between(spec, lambda x, z: x != z if i is None else changed(x, z) == [i])
            require(at_most(own, bound), "two inputs are farther apart than is claimed")
    if claim.tight:
        check_attained(spec, claim, attained)
    return "part by part"


def check_bounds(spec, claim, document):
    """The certificate of upper bounds next to it proves upper ends that are at most the claimed levels; or inputs with
    different values are no farther apart, whatever the prior."""
    require(claim.notion == "bcdp" and set(claim.json) <= PLAIN and not claim.tight, "bounds are those of plain BCDP levels")
    require(isinstance(document, dict), "there are no bounds")
    kind = network if document.get("certificate") == "network" else search
    uppers = {entry.get("coordinate"): entry.get("upper") for entry in items(document.get("coordinates"), "coordinates", dict)}
    for i, bound in claim.levels.items():
        about = spec.domain[i][0]
        if bound is INFINITE:
            continue
        if about in uppers:
            for line in kind.check(spec, document, about):
                require(line.status == ACCEPTED, line.text)
            if Exact.exp(Fraction(uppers[about])) <= bound:
                continue
        place_in(spec.coordinates, about, "a bound")
        require(at_most(largest_between(spec, lambda x, z: x[i] != z[i]), bound), f"the bound of {about} is missing, or above what is claimed")
    return "by the bounds of a search"


def check_cases(spec, claim):
    require(spec.blocks is not None and claim.notion in ("ldp", "cdp", "block_ldp") and set(claim.json) <= {*PLAIN, "blocks"} and not claim.tight,
            "cases say nothing about that")
    places, sizes = BlockOutputs(spec).places, [len(block) for block in spec.blocks.blocks]
    for one in compared_by(spec, claim):
        known = {}
        for group, _ in one.groups() if one.bound is not INFINITE else ():
            own = [places[x] for side in group for x in side.weights]
            require(len({b for b, _ in own}) == 1, "inputs of several blocks are compared")
            size, within = sizes[own[0][0]], frozenset(k for _, k in own)
            if (size, within) not in known:
                known[size, within] = quotient([spec.blocks.rows_of(size)[k] for k in within])
            require(at_most(known[size, within], one.bound), "the places of a block are farther apart than is claimed")
    return "block by block"
