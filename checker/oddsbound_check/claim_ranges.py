"""Claims by their definition: no quotient in a range of outputs is above its level; and witnesses against claims. The
statements of a certificate about a range are recomputed from the spec, exactly, and must be equal; any range can be
checked alone."""
import re
from fractions import Fraction

from .exact import INFINITE, Worst
from .expression import number
from .outcomes import Rejected, require
from .strict_json import fields, items

LONGEST_NUMBER = 10**6
POWER_OF_TEN = re.compile(r"[0-9.][eE][+-]?[0-9]")


def exact_number(text, what, longest=LONGEST_NUMBER):
    """A number as the tool writes it: without powers, which a few characters could make arbitrarily large."""
    require(isinstance(text, str) and len(text) <= longest, f"{what} is no number, or a long one")
    require("^" not in text and "log" not in text and not POWER_OF_TEN.search(text), f"{what}: a number with a power in it")
    return number(text)


def party(value, what):
    if isinstance(value, list):
        return tuple(items(value, what, str))
    require(isinstance(value, str), f"{what} is no label")
    return value


def side_of(value, given, what):
    """(label, what is known), as sides are named in comparisons."""
    require(given is None or isinstance(given, dict), f"{what}: what is known is no object")
    return party(value, what), tuple((given or {}).items())


class Largest(Worst):
    """The largest quotient of the offered pairs; 0 if there are none."""

    def __init__(self):
        super().__init__()
        self.p, self.q = Fraction(0), Fraction(1)

    def of(self, a, b):
        """Also between two rows, output by output."""
        for p, q in zip(a, b):
            self.offer(p, q)
        return self


# Outputs by their labels. Tuples of labels that contain commas may be written alike, so a label may stand for
# several outputs.

MOST_EVENTS = 1000


def places_called(labels, label, what):
    """The places of all outputs with the label."""
    require(isinstance(label, str) and label in labels, f"{what}: there is no {str(label)[:40]!r}")
    return [y for y, own in enumerate(labels) if own == label]


def events_called(labels, names, what):
    """All sets of different outputs with these labels, in their order."""
    events = [[]]
    for name in names:
        events = [[*event, y] for event in events for y in places_called(labels, name, what) if y not in event]
        require(0 < len(events) <= MOST_EVENTS, f"{what}: an output is there twice, or labels that may be read in many ways")
    return events


def for_one_of(choices, check):
    """check(choice) of the first choice that is not rejected."""
    why = Rejected("there is no such output")
    for number, choice in enumerate(choices):
        try:
            return check(choice)
        except Rejected as error:
            why = why if number else error
    raise why


def is_one_of(pair, compared):
    """The comparisons that the pair of sides belongs to."""
    return [one for one in compared if pair in one.pair_set]


def with_sets(compared):
    for one in compared:
        one.pair_set = set(one.pairs)
    return compared


def finite(compared):
    return [one for one in compared if one.bound is not INFINITE]


def exceeds(p, bound, q, delta=None):
    """p > bound q + delta."""
    return p > (bound * q if delta is None else bound * q + delta)


# Ranges.

def largest_in(compared, outputs):
    """By comparison: the largest quotient within the outputs."""
    found = []
    for one in compared:
        largest = Largest()
        for a, b in one.pairs:
            p_row, q_row = one.sides[a], one.sides[b]
            for y in outputs:
                largest.offer(p_row[y], q_row[y])
        found.append(largest)
    return found


def at_most(largest, one):
    return largest.q != 0 and largest.p <= one.bound * largest.q


def check_largest(spec, compared, told, outputs, what):
    """Recomputes a range: the stated value is the largest quotient relative to its own bound, and none is above that
    bound."""
    found = largest_in(compared, outputs)
    for largest, one in zip(found, compared):
        require(at_most(largest, one), f"{what}: a quotient is larger than what is claimed")
    seen = [(largest.p / (largest.q * one.bound)) for largest, one in zip(found, compared) if largest.p != 0]
    if told is None:
        require(not seen, f"{what}: something is compared, and nothing is told")
        return
    output, source, target, p_told, q_told, given = fields(told, what, "output", "from", "to", "p_from", "p_to", optional=("given",))
    pair = (side_of(source, given, what), side_of(target, given, what))
    owners = is_one_of(pair, compared)
    require(owners, f"{what}: sides that are not compared")
    there = [y for y in places_called(spec.outputs, output, what) if y in outputs]
    require(there, f"{what}: {output} is no output of it")
    p, q = exact_number(p_told, what), exact_number(q_told, what)
    require(any((p, q) == tuple(owners[0].sides[side][y] for side in pair) for y in there), f"{what}: the probabilities are others")
    require(q != 0 and all(p / (q * owners[0].bound) >= other for other in seen), f"{what}: a quotient is larger than the one that is told")


def check_ranges(spec, compared, ranges, what, chosen):
    """chosen(n): which of n ranges are recomputed. In any case, the ranges must contain each output once."""
    entries, end, outputs = [], Fraction(0), len(spec.outputs)
    for entry in items(ranges, f"{what}: ranges", dict):
        own, told = fields(entry, f"{what}: a range", "outputs", "largest")
        begin, after = items(own, f"{what}: outputs", Fraction) if len(own) == 2 else (None, None)
        require(begin == end and after > begin and after.denominator == 1, f"{what}: ranges do not follow on each other")
        end = after
        entries.append((range(int(begin), int(after)), told))
    require(end == outputs, f"{what}: not all outputs are in a range")
    for k in chosen(len(entries)):
        own, told = entries[k]
        check_largest(spec, compared, told, own, f"{what}, outputs {own.start} to {own.stop - 1}")


# Sums, for a delta.

def excess(p_row, q_row, bound):
    counts = {}
    for p, q in zip(p_row, q_row):
        key = id(p), id(q)
        counts[key] = (counts[key][0] + 1 if key in counts else 1, p, q)
    total = Fraction(0)
    for count, p, q in counts.values():
        over = p - bound * q
        total = total + count * over if over > 0 else total
    return total


def check_excesses(spec, compared, entries, what, chosen):
    """For every side that is compared with others: its excess over the worst of them."""
    by_side = {}
    for one in compared:
        for a, b in one.pairs:
            by_side.setdefault(a, []).append((one, b))
    told = {}
    for entry in items(entries, f"{what}: excesses", dict):
        source, target, total, given = fields(entry, f"{what}: an excess", "from", "to", "sum", optional=("given",))
        side = side_of(source, given, what)
        require(side in by_side and side not in told, f"{what}: {source} is not compared, or there twice")
        told[side] = side_of(target, given, what), total
    require(set(told) == set(by_side), f"{what}: a side that is compared is left out")
    sides, seen = list(by_side), {}
    for k in chosen(len(sides)):
        own, (target, total) = sides[k], told[sides[k]]
        sums = {}
        for one, b in by_side[own]:
            key = tuple(map(id, one.sides[own])), tuple(map(id, one.sides[b])), id(one)
            if key not in seen:
                seen[key] = excess(one.sides[own], one.sides[b], one.bound)
            sums[b] = seen[key]
            require(sums[b] <= one.delta, f"{what}, from {own[0]}: more than delta against {b[0]}")
        require(target in sums and exact_number(total, what) == sums[target], f"{what}, from {own[0]}: the sum is another")
        require(all(other <= sums[target] for other in sums.values()), f"{what}, from {own[0]}: another side has more")


def without_powers(text):
    """A level as the tool writes it, whose exponential is not much longer than its text."""
    factors = [*re.findall(r"([0-9]+)(?:/[0-9]+)?\*log", text), *re.findall(r"\)\*([0-9]+)", text)]
    require("^" not in text and not POWER_OF_TEN.search(text) and all(len(n) < 7 for n in factors), "a level with a power in it")
    return text


def meant(spec, compared, about, text):
    """The places of the comparisons that a level of a proof is about: those of a coordinate, those of pairs at a
    level, or all that have neither a name nor others at another level."""
    if about is not None:
        require(text is None, "a level of a coordinate and of pairs")
        return [k for k, one in enumerate(compared) if one.about == about]
    unnamed = [k for k, one in enumerate(compared) if one.about is None]
    if text is None:
        return unnamed
    require(isinstance(text, str) and len(text) <= LONGEST_NUMBER, "a level that is none, or a long one")
    bound = spec.level(without_powers(text))
    return [k for k in unnamed if bound is not INFINITE and compared[k].bound is not INFINITE and compared[k].bound == bound]


def check_levels(spec, compared, levels, chosen):
    """The levels of a proof. Together they cover everything that is compared, each comparison once."""
    compared, seen = with_sets(compared), set()
    for level in items(levels, "levels", dict):
        kind = "ranges" if "ranges" in level else "excesses"
        entries, about, text = fields(level, "a level", kind, optional=("coordinate", "level"))
        places = meant(spec, compared, about, text)
        require(places and not seen & set(places), "a level that is not claimed, or is there twice")
        seen |= set(places)
        own = [compared[k] for k in places]
        require(all((one.delta is not None) == (kind == "excesses") for one in own), "a proof of another kind")
        check = check_ranges if kind == "ranges" else check_excesses
        check(spec, finite(own), entries, f"level of {about}" if about else "level", chosen)
    left = [one for k, one in enumerate(compared) if k not in seen and (one.claimed or (one.pairs and one.bound is not INFINITE))]
    require(not left, "a level that is claimed is left out")


# Witnesses.

def check_witness(spec, compared, witness, what="the witness"):
    """Outputs and two compared sides; the first side has an excess on these outputs."""
    compared = with_sets(finite(compared))
    _, _, p_told, q_told, output, outputs, given, coordinate = fields(
        witness, what, "from", "to", "p_from", "p_to", optional=("output", "outputs", "given", "coordinate"))
    require((output is None) != (outputs is None), f"{what}: either an output or several")
    events = events_called(spec.outputs, [output] if outputs is None else items(outputs, what, str), what)
    p_told, q_told = exact_number(p_told, what), exact_number(q_told, what)
    pair = tuple(side_of(witness[side], given, what) for side in ("from", "to"))
    owners = [one for one in is_one_of(pair, compared) if coordinate in (None, one.about)]
    require(owners, f"{what}: sides that are not compared")
    # Values of two coordinates may have the same name: each comparison has its own probabilities.
    true = [one for one in owners if any((p_told, q_told) == tuple(sum((one.sides[side][y] for y in event), Fraction(0)) for side in pair) for event in events)]
    require(true, f"{what}: the probabilities are others")
    require(any(exceeds(p_told, one.bound, q_told, one.delta) for one in true), f"{what}: it is within what is claimed")
