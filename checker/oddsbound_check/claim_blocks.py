"""Claims about a mechanism of blocks, which publishes the block and hides the position within it, with too many inputs
and outputs to enumerate. Blocks share neither inputs nor outputs, so each is checked separately, and equal ones once.
"""
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod

from .claim_ranges import exact_number, party
from .exact import INFINITE
from .families import power_above
from .parts import Parts
from .reference import load, path_beside
from .strict_json import fields, place_in, require

KNOWN = {"notion", "name", "epsilon", "blocks", "expect", "tight"}


def has_blocks(path, most_cells):
    """True for a spec of such a mechanism with more inputs x outputs than fit in memory."""
    spec = load(path)
    mechanism = spec.get("mechanism") if isinstance(spec.get("mechanism"), dict) else {}
    if mechanism.get("type") == "file" and isinstance(mechanism.get("file"), str):
        return has_blocks(path_beside(path, mechanism["file"]), most_cells)
    if mechanism.get("type") != "block_hadamard_response" or "symbols" in spec:
        return False
    blocks = Blocks(path)
    return len(blocks.inputs) * sum(power_above(len(block)) for block in blocks.blocks) > most_cells


class Blocks(Parts):
    """Inputs are rows of numbered values."""

    def __init__(self, path):
        super().__init__(path)
        mechanism = self.json["mechanism"]
        self.inner = Blocks(self.beside(mechanism["file"])) if mechanism["type"] == "file" else None
        require(self.inner is not None or mechanism["type"] == "block_hadamard_response", "no mechanism of blocks")
        sizes = [len(values) for _, values in self.domain]
        require(prod(sizes) <= 10**6, "inputs are too many")
        self.inputs = list(product(*map(range, sizes)))
        self.blocks = self.inner.blocks if self.inner else self.grouped(mechanism["blocks"])
        self.place = {x: (b, k) for b, block in enumerate(self.blocks) for k, x in enumerate(block)}
        require(len(self.place) == len(self.inputs) == sum(map(len, self.blocks)), "blocks that are not all inputs, each once")

    def row(self, values):
        require(isinstance(values, (list, tuple)) and len(values) == len(self.domain), "no input")
        return tuple(place_in(own, value, "an input") for (_, own), value in zip(self.domain, values))

    def grouped(self, blocks):
        """Inputs grouped by some coordinates, or as listed; in the order of the domain."""
        require(isinstance(blocks, list) and blocks, "no blocks")
        if isinstance(blocks[0], str):
            places, groups = [self.coordinates.index(name) for name in blocks], {}
            for x in self.inputs:
                groups.setdefault(tuple(x[i] for i in places), []).append(x)
            return [groups[key] for key in sorted(groups)]
        return [sorted(map(self.row, block)) for block in blocks]

    @cached_property
    def level_of_block(self):
        return self.inner.level_of_block if self.inner else self.level(self.json["mechanism"]["epsilon"])

    def rows_of(self, size):
        """The rows of a block with `size` inputs, in their order."""
        if size not in self.memory:
            self.memory[size] = self.hadamard_rows(size, self.level_of_block)
        return self.memory[size]

    def output_of(self, label):
        """(block, number among its outputs)."""
        require(isinstance(label, str) and label.startswith("(") and label.endswith(")"), "no output")
        numbers = label[1:-1].split(",")
        require(len(numbers) == 2 and all(n.isdecimal() and len(n) < 10 and str(int(n)) == n for n in numbers), "no output")
        b, y = map(int, numbers)
        require(b < len(self.blocks) and y < power_above(len(self.blocks[b])), "there is no such output")
        return b, y

    def probability(self, x, output):
        (b, y), (own, k) = output, self.place[x]
        return self.rows_of(len(self.blocks[b]))[k][y] if b == own else Fraction(0)


def bounds_of(spec, claim):
    """Bounds by coordinate, or under None."""
    require(claim["notion"] in ("ldp", "cdp", "block_ldp") and set(claim) <= KNOWN, "a claim that is not read here")
    if claim["notion"] == "cdp":
        return {spec.coordinates[i]: bound for i, bound in spec.levels_of(claim).items()}
    return {None: spec.level(claim["epsilon"])}


def groups_of(spec, claim, about):
    """Groups of inputs; any two inputs of a group are compared."""
    if claim["notion"] == "block_ldp":
        return spec.grouped(claim["blocks"])
    if about is None:
        return [spec.inputs]
    i, lines = spec.coordinates.index(about), {}
    for x in spec.inputs:
        lines.setdefault(x[:i] + x[i + 1:], []).append(x)
    return list(lines.values())


def is_within(spec, size, places, bound):
    """True if no output of a block is more likely by more than the bound from one of these places than from another."""
    rows = [spec.rows_of(size)[k] for k in places]
    for y in range(power_above(size)):
        entries = {id(row[y]): row[y] for row in rows}.values()
        if max(entries) > bound * min(entries):
            return False
    return True


def check_cases(spec, claim):
    require(not claim.get("tight"), "cases do not say that no smaller level holds")
    for about, bound in bounds_of(spec, claim).items():
        known = set()
        for group in groups_of(spec, claim, about) if bound is not INFINITE else ():
            blocks = {spec.place[x][0] for x in group}
            require(len(blocks) == 1, "inputs of several blocks are compared")
            case = (len(spec.blocks[min(blocks)]), tuple(sorted(spec.place[x][1] for x in group)))
            if case not in known:
                require(is_within(spec, *case, bound), "the places of a block are farther apart than is claimed")
                known.add(case)


def check_witness(spec, claim, witness):
    source, target, label, p_told, q_told, about = fields(
        witness, "the witness", "from", "to", "output", "p_from", "p_to", optional=("coordinate",))
    bounds, output = bounds_of(spec, claim), spec.output_of(label)
    require(about in bounds and bounds[about] is not INFINITE, "the witness: no level is claimed about that")
    inputs = [spec.row(party(side, "the witness")) for side in (source, target)]
    require(inputs[0] != inputs[1] and any(set(inputs) <= set(group) for group in groups_of(spec, claim, about)),
            "the witness: inputs that are not compared")
    p, q = (spec.probability(x, output) for x in inputs)
    require([exact_number(told, "the witness") for told in (p_told, q_told)] == [p, q], "the witness: the probabilities are others")
    require(p > bounds[about] * q, "the witness: it is within what is claimed")
