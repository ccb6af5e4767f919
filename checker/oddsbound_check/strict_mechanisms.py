"""Mechanisms of the spec language, as strictly as in the format (docs/spec-format.md, mechanism). None is computed: a
mechanism is represented by its numbers of inputs and outputs, the names of its outputs, and its independent parts.
"""
import itertools
import math

from .strict_families import FAMILIES, Families
from .strict_numbers import require_one
from .strict_reading import (MOST_CELLS, MOST_INPUTS, Domain, Names, array, cells, csv_rows, csv_text, either, every, fields, integer,
                            is_text, labels, mapping, require, text, type_of, within)
from .strict_shapes import Shape, memoized_shape

MOST_RUNS = 10_000
MOST_PARTS = 100_000

TYPES = ("matrix", "cases", "per_coordinate", "on", "compose", "repeat", "memoized", "adaptive", "mixture", "post_process", "release", "file")


def distinct_labels(shape):
    """The labels of outputs, if a spec refers to outputs by label: they must be distinct."""
    cells(1, shape.outputs)
    own = shape.labels()
    require(len(set(own)) == len(own), "two outputs of the mechanism have the same label")
    return own


def product(inputs, parts, is_tuple=True):
    """parts: (shape, coordinates)."""
    outputs = math.prod(shape.outputs for shape, _ in parts)

    def called():
        joined = (",".join(own) for own in itertools.product(*(shape.labels() for shape, _ in parts)))
        return [f"({own})" if is_tuple else own for own in joined]
    def tuples():
        return list(itertools.product(*(shape.made_of() for shape, _ in parts)))
    factors = []
    for shape, coordinates in parts:
        for factor, own in shape.factors or [(shape, range(len(coordinates)))]:
            factors.append((factor, [coordinates[i] for i in own]))
    return Shape(inputs, outputs, called, factors, tuples=tuples if is_tuple else parts[0][0].tuples)


class Mechanisms(Families):
    """numbers: reads numbers; path_of: from a file's name to its path; files: reads other specs and releases."""

    def __init__(self, numbers, path_of, files):
        self.numbers, self.path_of, self.files = numbers, path_of, files

    def read(self, value, domain):
        kind = type_of(value, "a mechanism", (*TYPES, *FAMILIES))
        return getattr(self, "m_" + kind)(value, domain)

    def part(self, value, domain):
        """The shape of a mechanism that may be a part of another one."""
        shape = self.read(value, domain)
        require(shape.is_part, "a mechanism with such outputs, or one that is too large to be listed, cannot be part of another one")
        return shape

    def m_matrix(self, value, domain):
        fields(value, "a matrix mechanism", ("type", "outputs"), ("rows", "file"))
        names = within("outputs", labels, value["outputs"])
        cells(domain.listed(), len(names))
        either(value, "a matrix mechanism", "rows", "file")
        if "rows" in value:
            rows = within("rows", array, value["rows"], "rows")
            require(len(rows) == domain.inputs, f"found {len(rows)} rows, expected {domain.inputs}", "rows")
            within("rows", every, rows, self.numbers.stochastic_row, len(names))
        else:
            within("file", self.rows_of, within("file", self.path_of, value["file"]), domain.inputs, len(names))
        return Shape(domain.inputs, len(names), lambda: list(names))

    def rows_of(self, path, inputs, columns):
        rows = list(csv_rows(csv_text(path)))
        require(len(rows) == inputs, f"found {len(rows)} rows of numbers, expected one for each of the {inputs} inputs")
        for line, row in rows:
            within(f"line {line}", self.numbers.stochastic_row, row, columns)

    def m_cases(self, value, domain):
        fields(value, "a mechanism by cases", ("type", "outputs", "cases"))
        names = within("outputs", labels, value["outputs"])
        cells(domain.listed(), len(names))
        given = [within(("cases", k), self.case, case, domain, names) for k, case in enumerate(within("cases", array, value["cases"], "cases"))]
        if not any(not when for when in given):
            for x in itertools.product(*(range(len(values)) for values in domain.values)):
                require(any(all(x[i] in taken for i, taken in when.items()) for when in given), f"no case matches the input {x}", "cases")
        return Shape(domain.inputs, len(names), lambda: list(names))

    def case(self, value, domain, names):
        fields(value, "a case", ("when", "then"))
        when = {}
        for name, wanted in within("when", mapping, value["when"], "coordinate to value or values").items():
            i = within(("when", name), domain.coordinate, name)
            taken = within(("when", name), every, wanted if isinstance(wanted, list) else [wanted], domain.value, i)
            when[i] = set(taken)
        then = within("then", mapping, value["then"], "output to number")
        for label in then:
            require(label in names, f"there is no output {label[:60]!r}", "then", label)
        within("then", require_one, within("then", every, then, self.numbers.mass).values())
        return when

    def m_per_coordinate(self, value, domain):
        fields(value, "a mechanism per coordinate", ("type", "mechanisms"))
        named = dict(within("mechanisms", mapping, value["mechanisms"], "coordinate to mechanism"))
        others = [named.pop("*")] if "*" in named and "*" not in domain.places else []
        for name, own in named.items():
            within(("mechanisms", name), domain.coordinate, name)
            require(not is_text(own) or own == "not released", 'expected a mechanism, or "not released"', "mechanisms", name)
        parts = []
        for i, name in enumerate(domain.names):
            if name in named and not is_text(named[name]):
                parts.append((within(("mechanisms", name), self.part, named[name], domain.restricted([i])), [i]))
            elif name not in named and others:
                parts.append((within(("mechanisms", "*"), self.part, *others, domain.restricted([i])), [i]))
        require(parts, "a mechanism per coordinate needs at least one coordinate", "mechanisms")
        return product(domain.inputs, parts)

    def m_on(self, value, domain):
        fields(value, "a mechanism on coordinates", ("type", "coordinates", "mechanism"))
        places = within("coordinates", domain.coordinates, value["coordinates"])
        part = within("mechanism", self.part, value["mechanism"], domain.restricted(places))
        return product(domain.inputs, [(part, places)], is_tuple=False)

    def m_compose(self, value, domain):
        fields(value, "a composition", ("type", "mechanisms"))
        parts = within("mechanisms", every, within("mechanisms", array, value["mechanisms"], "mechanisms"), self.part, domain)
        require(parts, "a composition needs at least one mechanism", "mechanisms")
        return product(domain.inputs, [(part, range(len(domain.names))) for part in parts])

    def m_repeat(self, value, domain):
        fields(value, "a repetition", ("type", "mechanism", "times"))
        times = within("times", integer, value["times"], "the number of runs", 1, MOST_RUNS)
        part = within("mechanism", self.part, value["mechanism"], domain)
        require(max(1, len(part.factors)) * times <= MOST_PARTS, f"the repetition has more than {MOST_PARTS} independent parts")
        return product(domain.inputs, [(part, range(len(domain.names)))] * times)

    def m_memoized(self, value, domain):
        fields(value, "a memoized mechanism", ("type", "permanent", "report", "times"))
        times = within("times", integer, value["times"], "the number of reports", 1, MOST_RUNS)
        kept = within("permanent", self.part, value["permanent"], domain)
        answers = within("permanent", self.answers, kept)
        report = within("report", self.part, value["report"], answers)
        return memoized_shape(kept, report, times, domain)

    @staticmethod
    def answers(kept):
        """The inputs of a report: one coordinate for each independent part."""
        factors = kept.factors or [(kept, None)]
        values = []
        for factor, _ in factors:
            cells(factor.inputs, factor.outputs)
            values.append(Names(factor.labels()))
        return Domain(["answer" if len(factors) == 1 else f"answer{k + 1}" for k in range(len(factors))], values)

    def m_adaptive(self, value, domain):
        fields(value, "an adaptive composition", ("type", "first", "then"))
        first = within("first", self.part, value["first"], domain)
        names = within("first", distinct_labels, first)
        then, known = within("then", mapping, value["then"], "output to mechanism"), set(names)
        for label in then:
            require(label in known, f"there is no output {label[:60]!r}", "then", label)
        seconds = within("then", every, then, self.part, domain)
        for label in names:
            require(label in seconds, f"no mechanism is given for the first one's output {label[:60]!r}", "then")
        outputs = sum(second.outputs for second in seconds.values())
        is_listed = domain.inputs <= MOST_INPUTS and outputs <= MOST_CELLS // domain.inputs
        if not is_listed:
            require(self.files.is_all_possible(value["first"], domain), "it is too large to be listed, and an output of 'first' is impossible for some inputs")
        return Shape(domain.inputs, outputs, lambda: [f"({label},{own})" for label in names for own in seconds[label].labels()], is_part=is_listed)

    def m_mixture(self, value, domain):
        fields(value, "a mixture of mechanisms", ("type", "weights", "mechanisms"))
        mechanisms = within("mechanisms", array, value["mechanisms"], "mechanisms")
        require(mechanisms, "a mixture needs at least one mechanism", "mechanisms")
        within("weights", self.numbers.distribution, value["weights"], len(mechanisms), "mechanisms")
        known, tuples = {}, {}
        for k, own in enumerate(mechanisms):
            part = within(("mechanisms", k), self.part, own, domain)
            cells(part.inputs, part.outputs)
            labels = within(("mechanisms", k), distinct_labels, part)
            known.update(dict.fromkeys(labels))
            # Two different tuples that are written alike would be mistaken for one output.
            for label, made in zip(labels, part.tuples() if part.tuples else ()):
                require(tuples.setdefault(label, made) == made, f"the output {label[:60]!r} is made of other parts", "mechanisms", k)
        cells(domain.inputs, len(known))
        return Shape(domain.inputs, len(known), lambda: list(known))

    def m_post_process(self, value, domain):
        fields(value, "a post-processing", ("type", "mechanism"), ("map", "rows", "outputs"))
        inner = within("mechanism", self.part, value["mechanism"], domain)
        either(value, "a post-processing", "map", "rows")
        if "map" not in value:
            cells(inner.inputs, inner.outputs)
            require("outputs" in value, "a post-processing needs the key 'outputs'")
            names = within("outputs", labels, value["outputs"])
            cells(inner.outputs, len(names))
            rows = within("rows", array, value["rows"], "rows")
            require(len(rows) == inner.outputs, f"found {len(rows)} rows, expected one for each of the mechanism's {inner.outputs} outputs", "rows")
            within("rows", every, rows, self.numbers.distribution, len(names), "outputs")
            return Shape(domain.inputs, len(names), lambda: list(names))
        require("outputs" not in value, "'outputs' goes with 'rows'", "outputs")
        old = within("mechanism", distinct_labels, inner)
        renamed, known = within("map", mapping, value["map"], "output to label"), set(old)
        for label, new in renamed.items():
            require(label in known, f"there is no output {label[:60]!r}", "map", label)
            within(("map", label), text, new, "an output label")
        for label in old:
            require(label in renamed, f"the output {label[:60]!r} is not mapped", "map")
        cells(inner.inputs, inner.outputs)
        return Shape(domain.inputs, len(set(renamed.values())), lambda: list(dict.fromkeys(renamed[label] for label in old)))

    def m_release(self, value, domain):
        return self.files.release(value, domain)

    def m_file(self, value, domain):
        fields(value, "a mechanism from a file", ("type", "file"))
        return within("file", self.files.mechanism, within("file", self.path_of, value["file"]), domain)
