"""A request for a mechanism as the checker reads it: rows and outputs, losses, symmetries, constraints."""
import itertools
import json
from fractions import Fraction

from design_limits import Asked, Pair, compared_over_set, is_member, pairs_of, pairs_under, require, sufficient_pairs, texts_of, weights_of
from oddsbound_check.expression import number as parse_number
from joined import joined_lists, meant


def add_itself(found, pair):
    """P(y given a side) is at most itself times any bound >= 1."""
    for name, side in zip(pair.names, (pair.from_, pair.to)):
        for text in texts_of(name):
            known = found.setdefault((text, text), [])
            if not pair.together and not any(other.key == pair.key and other.names == (name, name) for other in known):
                known.append(Pair(pair.about, (name, name), side, side, Fraction(1), Fraction(0), False, pair.key))


class Constrained:
    """Common to requests of all objectives: rows and constraints."""

    def __init__(self, path):
        self.spec = Asked(path)
        self.json, self.inputs, self.prior = self.spec.json, self.spec.inputs, self.spec.prior
        self.names = [name for name, _ in self.spec.domain]
        self.reads = sorted(self.names.index(a) for a in self.json.get("reads", self.names))
        self.rows = list(dict.fromkeys(map(self.row_of, self.inputs)))
        self.constraints = self.json["constraints"]
        self.known = [None if "for_all" in claim else pairs_of(self.spec, claim) for claim in self.constraints]
        self.by_names = {}

    def row_of(self, x):
        """What the mechanism reads of an input; rows are distinguished by that, and by their places."""
        return tuple(x[i] for i in self.reads)

    def row_named(self, entry):
        """The row of a certificate's entry: by its place, or, in older ones, by a text that only one row may have."""
        rows = meant(self.rows, entry["row"], ", ")
        if "index" in entry:
            k = int(entry["index"])
            require(0 <= k < len(self.rows) and self.rows[k] in rows, "a row at another place")
            return self.rows[k]
        require(len(rows) == 1, f"'{entry['row']}' is the text of {len(rows)} rows")
        return rows[0]

    def candidates(self, limit, names):
        """The possible meanings of a certificate's multiplier of a limit between sides with these names."""
        k = int(limit["constraint"])
        require(0 <= k < len(self.constraints), "no such constraint")
        claim = self.constraints[k]
        require(("for_all" in claim) == ("prior" in limit), "a prior belongs to what is over a set, and only there")
        key = k, limit["about"], json.dumps(limit.get("prior"))
        if key not in self.by_names:
            pairs = pairs_under(self.spec, claim, limit["about"], limit["prior"]) if "prior" in limit else self.known[k]
            found = self.by_names[key] = {}
            for pair in pairs:
                if pair.about == limit["about"]:
                    for texts in itertools.product(*map(texts_of, pair.names)):
                        found.setdefault(texts, []).append(pair)
                    add_itself(found, pair)
        return self.by_names[key].get(names, [])

    def has_member(self, limit):
        """True if the prior named by a limit, if it has mass, is in the set of its constraint."""
        claim = self.constraints[int(limit["constraint"])]
        groups = next(groups for coordinate, groups, *_ in compared_over_set(self.spec, claim) if (coordinate or "") == limit["about"])
        return not any(parse_number(one["mass"]) for one in limit["prior"]) or \
            is_member(self.spec, claim, limit["about"] or None, groups, weights_of(self.spec, limit["prior"]))

    def pairs(self):
        """(side, side, e^level) of all constraints, as if none had a delta; those over sets as if over all priors."""
        for claim, known in zip(self.constraints, self.known):
            for pair in sufficient_pairs(self.spec, claim) if known is None else known:
                if not pair.together:
                    yield pair.from_, pair.to, pair.epsilon

    def guesses(self):
        """The pairs of every constraint about guesses."""
        return [known for known in self.known if known and known[0].together]


class Request(Constrained):
    """A request for a mechanism with given outputs and minimum loss."""

    def __init__(self, path):
        super().__init__(path)
        self.released = sorted(self.names.index(a) for a in self.json.get("release", self.names))
        self.is_listed = "outputs" in self.json
        self.labels = self.json["outputs"] if self.is_listed else joined_lists(self.tuples(self.released), ",")
        self.objective = Loss(self, self.json["objective"])
        self.ceilings = [(Loss(self, one), self.spec.number(one["at_most"])) for one in self.json.get("losses", [])]
        self.orbits = self.orbits_of()

    def output_named(self, text):
        """The place of an output that a certificate or a mechanism names; None if there is none, or more than one."""
        if self.is_listed or text in self.labels:
            return self.labels.index(text) if text in self.labels else None
        found = meant(self.tuples(self.released), text, ",")
        return self.tuples(self.released).index(found[0]) if len(found) == 1 else None

    def tuples(self, coordinates):
        return list(dict.fromkeys(tuple(x[i] for i in coordinates) for x in self.inputs))

    def orbits_of(self):
        """{(row, output): all entries in its orbit under the symmetries, as one shared list}."""
        orbits = {(row, y): [(row, y)] for row in self.rows for y in range(len(self.labels))}
        for symmetry in self.json.get("symmetries", []):
            def moved(x, coordinates, values=symmetry["values"]):
                return tuple(values[self.names[i]][dict(self.spec.domain)[self.names[i]].index(v)] if self.names[i] in values else v
                             for i, v in zip(coordinates, x))
            if self.is_listed:
                goes = [self.labels.index(label) for label in symmetry["outputs"]]
            else:
                outputs = self.tuples(self.released)
                goes = [outputs.index(moved(y, self.released)) for y in outputs]
            everything = range(len(self.names))
            for x in self.inputs:
                for y, to in enumerate(goes):
                    one, other = orbits[self.row_of(x), y], orbits[self.row_of(moved(x, everything)), to]
                    if one is not other:
                        one += other
                        orbits.update({entry: one for entry in other})
        return list({id(orbit): orbit for orbit in orbits.values()}.values())


class Loss:
    """A loss by input and output; the expected one, or the largest over all inputs."""

    def __init__(self, request, fields):
        self.request = request
        self.largest = "largest" in fields
        kind = fields["largest" if self.largest else "expected"]
        outputs = [(label,) for label in request.labels] if request.is_listed else request.tuples(request.released)
        self.inputs = [(text,) for text in joined_lists(request.inputs, ",")] if request.is_listed else \
            [tuple(x[i] for i in request.released) for x in request.inputs]
        self.table = [[self.entry(kind, k, y, output) for y, output in enumerate(outputs)] for k in range(len(request.inputs))]

    def entry(self, kind, k, y, output):
        if isinstance(kind, list):
            return self.request.spec.number(kind[k][y])
        told = self.inputs[k]
        if kind == "zero_one":
            return Fraction(told != output)
        if kind == "hamming":
            return Fraction(sum(a != b for a, b in zip(told, output)))
        off = abs(parse_number(told[0]) - parse_number(output[0]))
        return off * off if kind == "squared" else off

    def of(self, rows):
        """rows: by input, {label: probability}."""
        losses = [sum((row.get(label, 0) * loss for label, loss in zip(self.request.labels, of_input)), Fraction(0))
                  for row, of_input in zip(rows, self.table)]
        return max(losses) if self.largest else sum((p * loss for p, loss in zip(self.request.prior, losses)), Fraction(0))
