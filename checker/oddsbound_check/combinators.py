"""Mechanisms that are listed, or made of others (docs/spec-format.md, mechanism). Validates, and builds the mechanism
in the same walk; rows are computed on demand."""
from __future__ import annotations

from math import prod
from typing import Any, Callable, Optional, Sequence

from .aggregates import function_of
from .domain import MOST_CELLS, MOST_INPUTS, Domain, Row, Values, cells, labels
from .families import FAMILIES, LDP_AT_EPSILON, MOST_RUNS, ONE, ZERO, Families
from .mechanism import MOST_KINDS, Mechanism, Part, Rows, cascade, cascaded, flat, memoized, on_coordinates, product, shuffled
from .numbers import Given, Numbers, require_one, total_of
from .reading import Files, Known, either, every, fields, is_text, items, mapping, require, text, type_of, whole, within
from .report import require_feasible

MOST_PARTS = 1_000_000
MOST_NUMBERED = 1_000_000  # inputs of the second mechanism of a cascade, if their number is stated
MOST_PEOPLE = 1_000_000  # of a shuffle
MOST_SEEDS = 1_000_000
MOST_CHECKED = 1 << 20  # inputs x outputs of a part that is searched for zeros, or for equal rows

# By type: required and optional fields
MECHANISMS: Known = {
    "matrix": (("outputs",), ("rows", "file")), "cases": (("outputs", "cases"), ()), "per_coordinate": (("mechanisms",), ()),
    "on": (("coordinates", "mechanism"), ()), "compose": (("mechanisms",), ()), "repeat": (("mechanism", "times"), ()),
    "memoized": (("permanent", "report", "times"), ()), "cascade": (("first", "second"), ("inputs",)), "adaptive": (("first", "then"), ()), "mixture": (("weights", "mechanisms"), ()),
    "post_process": (("mechanism",), ("map", "rows", "outputs")), "function": (("mechanism", "function"), ()),
    "shuffle": (("mechanism", "people"), ()), "public": (("seeds", "mechanism"), ()), "bcdp_steps": (("delta", "epsilon", "q", "zeta", "mechanism"), ()), "release": (("file",), ("records", "window", "tables")),
    "file": (("file",), ()), **FAMILIES,
}


def seen_together(domain: Domain, mechanisms: Sequence[Mechanism]) -> list[set[int]]:
    """Sets of coordinates, such that each mechanism sees coordinates of one of them only."""
    groups: list[set[int]] = []
    for mechanism in mechanisms:
        seen = set(range(len(domain.names)))
        if mechanism.factors:
            seen = {i for part in mechanism.factors if not ignores_input(part.mechanism) for i in part.places}
        for group in [own for own in groups if own & seen]:
            groups.remove(group)
            seen |= group
        if seen:
            groups.append(seen)
    return groups


def ignores_input(mechanism: Mechanism) -> bool:
    """Whether it is known to ignore its input."""
    return mechanism.inputs * mechanism.outputs <= MOST_CHECKED and all(row == mechanism.rows[0] for row in mechanism.rows)


class Mechanisms(Families):
    """of_file, of_release: read the mechanism of another spec, and a release."""

    def __init__(self, numbers: Numbers, files: Files, of_file: Callable[[str, Domain], Mechanism], of_release: Callable[[Any, Domain, Files], Mechanism]):
        self.numbers, self.files, self.of_file, self.of_release = numbers, files, of_file, of_release

    def read(self, value: Any, domain: Domain) -> Mechanism:
        kind = type_of(value, "a mechanism", MECHANISMS)
        found: Mechanism = getattr(self, "m_" + kind)(value, domain)
        return found

    def part(self, value: Any, domain: Domain) -> Mechanism:
        """A mechanism that may be a part of another one."""
        found = self.read(value, domain)
        require(found.is_part, "a mechanism with such outputs, or one that is too large to be listed, cannot be part of another one")
        return found

    def parts(self, value: dict[str, Any], domain: Domain) -> list[Mechanism]:
        found: list[Mechanism] = within("mechanisms", every, items(value, "mechanisms", "mechanisms"), self.part, domain)
        require(found, "found no mechanism, expected at least one", "mechanisms")
        return found

    # Listed.

    def names(self, value: dict[str, Any], domain: Domain) -> Values:
        names: Values = within("outputs", labels, value["outputs"])
        cells(domain.listed(), len(names))
        return names

    def m_matrix(self, value: Any, domain: Domain) -> Mechanism:
        names = self.names(value, domain)
        either(value, "a matrix mechanism", "rows", "file")
        if "rows" in value:
            written = items(value, "rows", "rows")
            require(len(written) == domain.inputs, f"found {len(written)} rows, expected {domain.inputs}", "rows")
            rows = within("rows", every, written, self.numbers.distribution, len(names), "outputs")
        else:
            path = within("file", self.files.path_of, value["file"])
            rows = within("file", lambda: [within(f"line {line}", self.numbers.distribution, row, len(names), "outputs") for line, row in self.files.expected_rows(path, lambda row: len(row) == len(names))])
            require(len(rows) == domain.inputs, f"found {len(rows)} rows of numbers, expected one for each of the {domain.inputs} inputs", "file")
        return Mechanism(domain, len(names), lambda: list(names), lambda: rows)

    def m_cases(self, value: Any, domain: Domain) -> Mechanism:
        names = self.names(value, domain)
        given = within("cases", every, items(value, "cases", "cases"), self.case, domain, names)

        def row_of(x: Row) -> Optional[list[Any]]:
            return next((row for when, row in given if all(x[i] in taken for i, taken in when.items())), None)
        if all(when for when, _ in given):
            for x in domain.rows():
                require(row_of(x) is not None, f"no case matches the input {x}", "cases")
        return Mechanism(domain, len(names), lambda: list(names), lambda: [row_of(x) or [] for x in domain.rows()])

    def case(self, value: Any, domain: Domain, names: Values) -> tuple[dict[int, set[int]], list[Any]]:
        fields(value, "a case", ("when", "then"))
        when = within("when", domain.condition, value["when"])
        then = within("then", mapping, value["then"], "output to number")
        for label in then:
            require(label in names, f"there is no output {label[:60]!r}", "then", label)
        masses = within("then", every, then, self.numbers.mass)
        within("then", require_one, masses.values())
        row = [ZERO] * len(names)
        for label, mass in masses.items():
            row[names.index(label)] = mass
        return when, row

    # Independent parts.

    def m_per_coordinate(self, value: Any, domain: Domain) -> Mechanism:
        named = dict(within("mechanisms", mapping, value["mechanisms"], "coordinate to mechanism"))
        others = [named.pop("*")] if "*" in named and "*" not in domain.places else []
        for name, own in named.items():
            within(("mechanisms", name), domain.coordinate, name)
            require(not is_text(own) or own == "not released", 'expected a mechanism, or "not released"', "mechanisms", name)
        parts = []
        for i, name in enumerate(domain.names):
            if name in named and not is_text(named[name]):
                parts.append(Part([i], within(("mechanisms", name), self.part, named[name], domain.restricted([i]))))
            elif name not in named and others:
                parts.append(Part([i], within(("mechanisms", "*"), self.part, *others, domain.restricted([i]))))
        require(parts, "a mechanism per coordinate needs at least one coordinate", "mechanisms")
        return product(domain, parts)

    def m_on(self, value: Any, domain: Domain) -> Mechanism:
        places = within("coordinates", domain.coordinates, value["coordinates"])
        return on_coordinates(domain, Part(places, within("mechanism", self.part, value["mechanism"], domain.restricted(places))))

    def m_compose(self, value: Any, domain: Domain) -> Mechanism:
        return product(domain, [Part(range(len(domain.names)), part) for part in self.parts(value, domain)])

    def m_repeat(self, value: Any, domain: Domain) -> Mechanism:
        times = whole(value, "times", 1, MOST_PARTS)
        part = Part(range(len(domain.names)), within("mechanism", self.part, value["mechanism"], domain))
        require(max(1, len(part.mechanism.factors)) * times <= MOST_PARTS, f"the repetition has more than {MOST_PARTS} independent parts")
        return product(domain, [part] * times)

    def m_bcdp_steps(self, value: Any, domain: Domain) -> Mechanism:
        """Mechanism 1 of the BCDP paper with a family: step k runs it on all but the k - 1 most protected coordinates."""
        require(not (is_text(value["zeta"]) and value["zeta"] == "best"), "expected a number", "zeta")
        kind = within("mechanism", self.step_kind, value["mechanism"])
        order, steps = self.budget(value, domain)
        parts = [Part(order[k:], within("mechanism", getattr(self, "m_" + kind), {**value["mechanism"], "epsilon": Given(step)}, domain.restricted(order[k:])))
                 for k, step in enumerate(steps) if step != 1]
        if not parts:
            return Mechanism(domain, 1, lambda: ["()"], lambda: [[ONE]] * domain.listed())
        return product(domain, parts)

    @staticmethod
    def step_kind(value: Any) -> str:
        return type_of(value, "a mechanism", {kind: (tuple(name for name in FAMILIES[kind][0] if name != "epsilon"), FAMILIES[kind][1]) for kind in LDP_AT_EPSILON})

    def m_memoized(self, value: Any, domain: Domain) -> Mechanism:
        times = whole(value, "times", 1, MOST_RUNS)
        kept = within("permanent", self.part, value["permanent"], domain)
        report = within("report", self.part, value["report"], within("permanent", self.answers, kept))
        return memoized(domain, kept, report, times)

    def m_cascade(self, value: Any, domain: Domain) -> Mechanism:
        first = within("first", self.part, value["first"], domain)
        if "inputs" not in value:
            return cascaded(domain, first, within("second", self.part, value["second"], within("first", self.answers, first)))
        names: Values = within("inputs", labels, value["inputs"])
        require(not names.is_size or len(names) <= MOST_NUMBERED, f"expected at most {MOST_NUMBERED} numbered inputs", "inputs")
        known = within("first", first.distinct_labels)
        for label in known:
            require(label in names, f"the output {label[:60]!r} of the first mechanism is no input of the second", "inputs")
        second = within("second", self.part, value["second"], Domain(["answer"], [names]))
        return cascade(domain, first, second, [names.index(label) for label in known])

    @staticmethod
    def answers(kept: Mechanism) -> Domain:
        """The inputs of a report: one coordinate for each independent part."""
        values = []
        for own in [part.mechanism for part in kept.factors] or [kept]:
            cells(own.inputs, own.outputs)
            values.append(Values(own.known_labels()))
        return Domain(["answer" if len(values) == 1 else f"answer{k + 1}" for k in range(len(values))], values)

    # Depending on one another, or merged.

    def m_adaptive(self, value: Any, domain: Domain) -> Mechanism:
        first = within("first", self.part, value["first"], domain)
        names = within("first", first.distinct_labels)
        then, known = within("then", mapping, value["then"], "output to mechanism"), set(names)
        for label in then:
            require(label in known, f"there is no output {label[:60]!r}", "then", label)
        read: dict[str, Mechanism] = within("then", every, then, self.part, domain)
        for label in names:
            require(label in read, f"no mechanism is given for the first one's output {label[:60]!r}", "then")
        seconds = [read[label] for label in names]
        outputs = sum(second.outputs for second in seconds)
        is_listed = domain.inputs <= MOST_INPUTS and outputs <= MOST_CELLS // domain.inputs
        if not is_listed:
            require_possible(first)

        def rows() -> Rows:
            return [[p * q for p, own in zip(row, seconds) for q in own.rows[x]] for x, row in enumerate(first.rows)]
        return Mechanism(domain, outputs, lambda: [f"({label},{own})" for label, second in zip(names, seconds) for own in second.labels], rows,
                         is_part=is_listed, unnamed=next((second.unnamed for second in seconds if second.unnamed), ""))

    def m_public(self, value: Any, domain: Domain) -> Mechanism:
        """A uniform seed is published with the output; the mechanism reads it as its first coordinate."""
        seeds = whole(value, "seeds", 1, MOST_SEEDS)
        require("seed" not in domain.places, "a coordinate of the domain has the name 'seed'")
        cells(domain.listed(), seeds)
        inner = within("mechanism", self.part, value["mechanism"], Domain(["seed", *domain.names], [Values(seeds), *domain.values]))
        cells(domain.inputs, seeds * inner.outputs)

        def rows() -> Rows:
            found: list[list[Any]] = [[] for _ in range(domain.inputs)]
            for k, row in enumerate(inner.rows):  # the seed is the slowest coordinate
                found[k % domain.inputs] += [p / seeds for p in row]
            return found
        return Mechanism(domain, seeds * inner.outputs, lambda: [f"({seed},{label})" for seed in range(seeds) for label in inner.labels],
                         rows, unnamed=inner.unnamed)

    def m_mixture(self, value: Any, domain: Domain) -> Mechanism:
        require(items(value, "mechanisms", "mechanisms"), "a mixture needs at least one mechanism", "mechanisms")
        weights = within("weights", self.numbers.distribution, value["weights"], len(value["mechanisms"]), "mechanisms")
        parts = self.parts(value, domain)
        tuples: dict[str, Any] = {}
        merged = Merged()
        for k, part in enumerate(parts):
            names = within(("mechanisms", k), part.distinct_labels)
            # Two different tuples that are written alike would be mistaken for one output.
            for label, made in zip(names, part.tuples() if part.tuples else ()):
                require(tuples.setdefault(label, made) == made, f"the output {label[:60]!r} is made of other parts", "mechanisms", k)
            for y, label in enumerate(names):
                merged.add(label, k, y)
        outputs = len(merged.labels)
        for group in seen_together(domain, [part for weight, part in zip(weights, parts) if weight != 0]):
            cells(prod(domain.sizes[i] for i in group), outputs)

        def rows() -> Rows:
            require_feasible(domain.inputs * outputs <= MOST_CELLS, "the mixture has too many inputs and outputs to go through")
            return merged.rows(domain.inputs, [[[weight * p for p in row] for row in part.rows] for weight, part in zip(weights, parts)])
        return Mechanism(domain, outputs, lambda: list(merged.labels), rows)

    def m_post_process(self, value: Any, domain: Domain) -> Mechanism:
        inner = within("mechanism", self.part, value["mechanism"], domain)
        either(value, "a post-processing", "map", "rows")
        cells(inner.inputs, inner.outputs)
        if "rows" in value:
            require("outputs" in value, "a post-processing needs the key 'outputs'")
            names: Values = within("outputs", labels, value["outputs"])
            cells(inner.outputs, len(names))
            written = items(value, "rows", "rows")
            require(len(written) == inner.outputs, f"found {len(written)} rows, expected one for each of the mechanism's {inner.outputs} outputs", "rows")
            columns = list(zip(*within("rows", every, written, self.numbers.distribution, len(names), "outputs")))
            return Mechanism(domain, len(names), lambda: list(names),
                             lambda: [[total_of([p * q for p, q in zip(row, column)]) for column in columns] for row in inner.rows])
        require("outputs" not in value, "'outputs' needs 'rows'", "outputs")
        old = within("mechanism", inner.distinct_labels)
        renamed, known = within("map", mapping, value["map"], "output to label"), set(old)
        for label, new in renamed.items():
            require(label in known, f"there is no output {label[:60]!r}", "map", label)
            within(("map", label), text, new, "an output label")
        merged = Merged()
        for y, label in enumerate(old):
            require(label in renamed, f"the output {label[:60]!r} is not mapped", "map")
            merged.add(renamed[label], 0, y)
        return Mechanism(domain, len(merged.labels), lambda: list(merged.labels), lambda: merged.rows(domain.inputs, [inner.rows]))

    def m_function(self, value: Any, domain: Domain) -> Mechanism:
        inner = within("mechanism", self.part, value["mechanism"], domain)
        return within("function", function_of, inner, domain, value["function"], self.numbers)

    def m_shuffle(self, value: Any, domain: Domain) -> Mechanism:
        people = whole(value, "people", 1, MOST_PEOPLE)
        local = within("mechanism", self.part, value["mechanism"], domain)
        require(local.outputs <= MOST_KINDS, f"found more than {MOST_KINDS} outputs, expected at most as many reports", "mechanism")
        require(self.numbers.ring is None, "shuffled reports need numbers, and the spec has symbols")
        return shuffled(domain, local, people)

    # In other files.

    def m_release(self, value: Any, domain: Domain) -> Mechanism:
        return self.of_release(value, domain, self.files)

    def m_file(self, value: Any, domain: Domain) -> Mechanism:
        return within("file", self.of_file, within("file", self.files.path_of, value["file"]), domain)


class Merged:
    """Outputs with equal labels become one, in the order of first appearance. labels: {label: [(mechanism, output)]}"""

    def __init__(self) -> None:
        self.labels: dict[str, list[tuple[int, int]]] = {}

    def add(self, label: str, mechanism: int, output: int) -> None:
        self.labels.setdefault(label, []).append((mechanism, output))

    def rows(self, inputs: int, rows: Sequence[Rows]) -> Rows:
        return [[total_of([rows[k][x][y] for k, y in places]) for places in self.labels.values()] for x in range(inputs)]


def require_possible(mechanism: Mechanism) -> None:
    """Every output must be possible for every input."""
    for part in flat(mechanism.tree):
        inner = part.mechanism
        require(inner.inputs * inner.outputs <= MOST_CHECKED, "it is too large for this checker to find out whether all its outputs are possible")
        require(all(p != 0 for row in inner.rows for p in row), "it is too large to be listed, and an output of 'first' is impossible for some inputs")
