"""Releases from a table of people as the mechanism of a spec, as strictly as in the format (docs/releases.md)."""
import math
from fractions import Fraction

from .exact import INFINITE, quick
from .strict_numbers import Numbers
from .strict_reading import (Refused, array, boolean, csv_rows, csv_text, distinct, document, either, every, fields, integer, is_text, mapping,
                            require, text, text_of, type_of, within)

MOST_RECORDS = 64
MOST_WINDOW = 10**9
MOST_OF_RATIO = 1 << 20
MOST_FITTED = 1 << 20
MOST_LISTED = 1 << 26
MOST_SETS = 1 << 22
MOST_PLANES = 1 << 16
MOST_WEIGHT = 1 << 20
STEPS = ("counts", "heavy_hitters", "mwem", "learn", "declared")
CONCEPTS = ("point", "distribution", "threshold", "halfspace")
HITTERS = ("scale", "count_scale", "margin", "threshold")
KEYS = ("name", "description", "parameters", "attributes", "columns", "budget", "deltas", "steps")


def flag(value, key):
    if key in value:
        require(within(key, boolean, value[key], "true"), "expected true, or leave it out", key)
    return key in value


def whole(value, key, least, most):
    return within(key, integer, value[key], f"'{key}'", least, most) if key in value else None


def needs(value, *keys):
    for key in keys:
        require(key in value, f"it needs the key '{key}'")


class Steps:
    """The steps of a release, without its data."""

    def __init__(self, numbers, schema):
        self.numbers, self.schema = numbers, schema

    def attributes(self, value, key="attributes"):
        needs(value, key)
        return sorted(within(key, self.schema.coordinates, value[key]))

    def ratio(self, value, key):
        needs(value, key)
        return within(key, self.numbers.positive_ratio, value[key])

    def share(self, value, key):
        share = self.ratio(value, key)
        require(share <= 1, "expected a share of all people, 1 at most", key)
        return share

    def level(self, value, key):
        level = within(key, self.numbers.level, value[key])
        require(level is not INFINITE and level != 1, "expected a finite level above 0", key)
        return level

    def positive(self, value, key):
        number = within(key, self.numbers.rational, value[key])
        require(number > 0, "expected a positive rational number", key)
        return number

    def read(self, step):
        kind = type_of(step, "a step", STEPS)
        getattr(self, kind)(step)
        return kind

    def noise(self, value):
        fields(value, "noise", (), ("laplace", "gaussian"))
        either(value, "noise", "laplace", "gaussian")
        self.ratio(value, *value)

    def pattern(self, value):
        fields(value, "a count of those who have some values", ("is",), ("name",))
        require(mapping(value["is"], "attribute to value"), "expected an object: attribute to value", "is")
        found = []
        for name, own in value["is"].items():
            i = within(("is", name), self.schema.coordinate, name)
            within(("is", name), self.schema.value, own, i)
            found.append(i)
        within("name", text, value.get("name", ""), "a name")
        return found

    def table(self, value):
        places = self.schema.coordinates(value)
        self.schema.restricted(places).listed()
        return places

    def counted(self, value):
        """The attributes of each query: of every cell of every table, and of every pattern."""
        tables = within("of", every, within("of", array, value.get("of", []), "tables"), self.table)
        patterns = within("where", every, within("where", array, value.get("where", []), "counts"), self.pattern)
        require(tables or patterns, "it needs 'of' or 'where': nothing is counted")
        return tables, patterns

    def fitted(self, tables, patterns):
        require(math.prod(len(self.schema.values[i]) for i in range(len(self.schema.names))) <= MOST_FITTED,
                f"distributions are fitted for schemas of at most {MOST_FITTED} records")
        size = lambda places: math.prod(len(self.schema.values[i]) for i in places)  # noqa: E731
        listed = sum(size(places) * (self.schema.inputs // size(places)) for places in tables) + sum(self.schema.inputs // size(p) for p in patterns)
        require(listed <= MOST_LISTED, f"queries have more than {MOST_LISTED} records together")

    def counts(self, step):
        fields(step, "counts", ("type", "noise"), ("of", "where", "window", "consistent"))
        within("noise", self.noise, step["noise"])
        tables, patterns = self.counted(step)
        if flag(step, "consistent"):
            self.fitted(tables, patterns)
        whole(step, "window", 0, MOST_WINDOW)

    def mwem(self, step):
        fields(step, "mwem", ("type", "noise", "rounds", "rate"), ("of", "where", "together", "fit", "score_bits"))
        within("noise", self.noise, step["noise"])
        tables, patterns = self.counted(step)
        for k, places in enumerate(tables):
            require(self.schema.restricted(places).inputs <= MOST_FITTED, "a table of so many cells is not for a fitted distribution", "of", k)
        whole(step, "rounds", 1, 10_000)
        self.ratio(step, "rate")
        together = whole(step, "together", 1, 64) or 1
        whole(step, "score_bits", 0, 20)
        require(is_text(step.get("fit", "all")) and step.get("fit", "all") in ("all", "round"), "expected 'all' or 'round'", "fit")
        self.fitted(tables, patterns)
        queries = [set(places) for places in tables for _ in range(self.schema.restricted(places).inputs)] + [set(p) for p in patterns]
        sets = sets_apart(queries, together)
        require(sets > 0, f"there are no {together} queries without an attribute in common")
        require(sets <= MOST_SETS, f"there are more than {MOST_SETS} sets of queries to choose from")

    def cost(self, step):
        require("epsilon" in step or "rho" in step, "a declared step has 'epsilon' or 'rho'")
        within("name", text, step["name"], "a name")
        self.attributes(step)
        if "rho" in step:
            self.positive(step, "rho")
        if "epsilon" in step:
            require(within("epsilon", self.numbers.level, step["epsilon"]) is not INFINITE, "expected a finite level", "epsilon")
        flag(step, "each")

    def declared(self, step):
        fields(step, "a declared step", ("type", "name", "attributes"), ("epsilon", "rho", "each"))
        self.cost(step)

    # Heavy hitters, which other steps use.

    def hitters(self, step, attributes, needs_counts=False):
        self.ratio(step, "scale")
        if "count_scale" in step or needs_counts:
            self.ratio(step, "count_scale")
        needs(step, "margin", "threshold")
        whole(step, "margin", 1, MOST_WINDOW)
        whole(step, "threshold", 0, MOST_WINDOW)

    def follow(self, step, what, names):
        for name in names:
            require(name not in step, f"'{name}' follows from {what}", name)

    def limits(self, step):
        whole(step, "window", 0, MOST_WINDOW)
        whole(step, "limit", 1, 1 << 24)

    def scale_for(self, level):
        """No scale exists for levels that are too small."""
        near = quick(level)
        require(near is None or near - 1 > 1e-9, "epsilon is too small for the scale of the noise", "epsilon")

    def heavy_hitters(self, step):
        fields(step, "heavy hitters", ("type", "attributes"),
               ("epsilon", "share", *HITTERS, "window", "lists", "limit", "test_leaves"))
        attributes = self.attributes(step)
        flag(step, "test_leaves")
        if "epsilon" in step:
            self.share(step, "share")
            self.follow(step, "'epsilon' and 'share'", HITTERS)
            self.scale_for(self.level(step, "epsilon"))
        else:
            require("share" not in step, "'share' goes with 'epsilon'", "share")
            self.hitters(step, attributes)
        self.limits(step)
        flag(step, "lists")

    # Learning.

    def learn(self, step):
        getattr(self, "learn_" + type_of(step, "a learning step", CONCEPTS, "concept"))(step)

    def labeled(self, step, of_two):
        inputs, label = self.attributes(step), None
        needs(step, "label")
        label = within("label", self.schema.coordinate, step["label"])
        require(len(self.schema.values[label]) == 2, "expected an attribute with two values", "label")
        require(label not in inputs, "the label is among the attributes that are to tell it", "label")
        require(not of_two or all(len(self.schema.values[i]) == 2 for i in inputs), "expected attributes with two values", "attributes")
        return inputs

    def error(self, step):
        share = self.share(step, "error")
        require(share < 1, "expected a share of all people below 1", "error")
        return share

    def small(self, number, key):
        require(0 < number.numerator <= MOST_OF_RATIO and number.denominator <= MOST_OF_RATIO, f"no fraction of integers up to {MOST_OF_RATIO}", key)

    def learn_distribution(self, step):
        fields(step, "learning a distribution", ("type", "concept", "attributes", "share"), ("epsilon", "normalise", *HITTERS, "window", "limit"))
        attributes = self.attributes(step)
        self.share(step, "share")
        if "epsilon" in step:
            self.follow(step, "'epsilon' and 'share'", HITTERS)
            self.scale_for(self.level(step, "epsilon"))
        else:
            self.hitters(step, attributes, True)
        self.limits(step)
        flag(step, "normalise")

    def learn_point(self, step):
        fields(step, "learning a point", ("type", "concept", "attributes", "label"), ("epsilon", "error", "share", *HITTERS, "limit"))
        inputs = self.labeled(step, False)
        if "epsilon" in step:
            self.follow(step, "'epsilon' and 'error'", ("share", *HITTERS))
            self.small(self.error(step) / 5, "error")
            self.scale_for(self.level(step, "epsilon"))
        else:
            require("error" not in step, "'error' goes with 'epsilon'", "error")
            self.share(step, "share")
            self.hitters(step, inputs, True)
        self.limits(step)

    def learn_threshold(self, step):
        fields(step, "learning a threshold", ("type", "concept", "attributes", "label", "error"),
               ("epsilon", "label_scale", "search_scale", *HITTERS, "rate", "limit"))
        inputs, error = self.labeled(step, True), self.error(step)
        require(len(inputs) <= 32, "expected 32 attributes at most", "attributes")
        if "epsilon" in step:
            self.follow(step, "'epsilon' and 'error'", ("label_scale", "search_scale", *HITTERS, "rate"))
            nats = self.ratio(step, "epsilon")
            steps = len(inputs).bit_length()  # of a search among len(inputs) + 1 lengths
            for number in (3 / nats, Fraction(6) * steps / nats, nats / 6):
                self.small(number, "epsilon")
            self.small(error / 100, "error")
        else:
            for key in ("label_scale", "search_scale", "rate"):
                self.ratio(step, key)
            self.hitters(step, inputs, True)
        self.limits(step)

    def learn_halfspace(self, step):
        fields(step, "learning a halfspace", ("type", "concept", "attributes", "label", "epsilon", "label_odds", "margin"),
               ("inner_margin", "weights", "most_weight"))
        inputs = self.labeled(step, True)
        odds = self.ratio(step, "label_odds")
        require(odds > 1, "expected odds above 1", "label_odds")
        epsilon = self.ratio(step, "epsilon")
        margin = whole(step, "margin", 1, len(inputs))
        inner = whole(step, "inner_margin", 0, margin - 1) or 0
        either(step, "planes", "weights", "most_weight")
        if "weights" in step:
            planes = within("weights", every, within("weights", array, step["weights"], "planes"), self.plane, len(inputs))
            require(0 < len(planes) <= MOST_PLANES, f"expected 1 to {MOST_PLANES} planes", "weights")
            within("weights", distinct, planes, "a plane")
        else:
            most = whole(step, "most_weight", 1, MOST_WEIGHT)
            require(planes_up_to(len(inputs), most) <= MOST_PLANES, f"there are more than {MOST_PLANES} planes", "most_weight")
        reach = odds.numerator + (0 if inner >= 1 else odds.denominator)
        self.small(epsilon / (2 * reach), "epsilon")

    @staticmethod
    def plane(value, inputs):
        found = tuple(every(array(value, "weights"), integer, "a weight", -MOST_WEIGHT, MOST_WEIGHT))
        require(len(found) == inputs, f"found {len(found)} weights, expected one for each of the {inputs} attributes")
        return found


def sets_apart(queries, together):
    """The number of sets of `together` queries without a common attribute; counted only just past the limit."""
    if together == 1:
        return len(queries)
    found, steps = 0, 0
    stack = [(0, frozenset(), 0)]
    while stack:
        start, used, chosen = stack.pop()
        for k in range(start, len(queries)):
            steps += 1
            require(steps <= 10**7, "too many sets of queries for this checker to count")
            if queries[k] & used:
                continue
            if chosen + 1 == together:
                found += 1
                if found > MOST_SETS:
                    return found
            else:
                stack.append((k + 1, used | queries[k], chosen + 1))
    return found


def planes_up_to(inputs, most):
    """The number of integer vectors whose absolute values sum to between 1 and most."""
    most = min(most, MOST_PLANES)
    return sum(2 ** k * math.comb(inputs, k) * math.comb(most, k) for k in range(1, min(inputs, most) + 1))


def budget_line(value, steps):
    fields(value, "a line of the budget", (), ("each", "attributes", "person", "epsilon", "delta", "rho"))
    require(("each" in value) + ("attributes" in value) + ("person" in value) == 1, "a line has one of 'each', 'attributes' and 'person'")
    if "epsilon" in value:
        within("epsilon", steps.numbers.level, value["epsilon"])
    if "rho" in value:
        steps.positive(value, "rho")
    require("epsilon" in value or "rho" in value, "a line of the budget has 'epsilon' or 'rho'")
    if "delta" in value:
        require("epsilon" in value, "'delta' goes with 'epsilon'", "delta")
        require(steps.positive(value, "delta") < 1, "expected delta below 1", "delta")
    for key in ("each", "person"):
        flag(value, key)
    if "attributes" in value:
        steps.attributes(value)


def release_delta(value, steps):
    require(0 < steps.numbers.rational(value) < 1, "expected delta: a positive rational number below 1")


def read_release(path, version_1, listed_domain):
    """The schema, the columns by attribute, and the types of the steps."""
    own = document(text_of(path))
    fields(own, "a release", ("oddsbound_release", "name", "attributes", "steps"), KEYS)
    within("oddsbound_release", version_1, own["oddsbound_release"], "the format of releases")
    numbers = Numbers(own.get("parameters", {}))
    numbers.evaluate_all()
    within("name", text, own["name"], "'name'")
    within("description", text, own.get("description", ""), "'description'")
    schema = within("attributes", listed_domain, own["attributes"])
    steps = Steps(numbers, schema)
    within("deltas", every, within("deltas", array, own.get("deltas", []), "deltas"), release_delta, steps)
    kinds = within("steps", every, within("steps", array, own["steps"], "steps"), steps.read)
    require(kinds, "a release needs at least one step", "steps")
    within("budget", every, within("budget", array, own.get("budget", []), "lines of the budget"), budget_line, steps)
    columns = {}
    for name, column in within("columns", mapping, own.get("columns", {}), "attribute to column").items():
        within(("columns", name), schema.coordinate, name)
        columns[name] = within(("columns", name), text, column, "the name of a column")
    return schema, columns, kinds


def read_people(path, schema, columns):
    """The records of a table, each a tuple of values."""
    rows = csv_rows(csv_text(path))
    _, header = next(rows, (0, None))
    require(header is not None, "the file is empty, expected a header line")
    places = []
    for name in schema.names:
        wanted = columns.get(name, name)
        require(header.count(wanted) == 1, f"there is no column {wanted[:60]!r}, or there are two")
        places.append(header.index(wanted))
    found = []
    for line, row in rows:
        require(len(row) == len(header), f"line {line}: the row has {len(row)} cells, the header has {len(header)}")
        record = tuple(row[place] for place in places)
        for value, own in zip(record, schema.values):
            require(value in own, f"line {line}: {value[:60]!r} is not a value of its attribute")
        found.append(record)
    require(found, "the table has a header and no rows")
    return found


def read_release_mechanism(value, domain, path_of, version_1, listed_domain):
    from .strict_shapes import Shape
    fields(value, "a release", ("type", "file"), ("records", "window", "tables"))
    if "tables" in value:
        for key in ("records", "window"):
            require(key not in value, f"found 'tables' and '{key}'", key)
    else:
        require("records" in value, "a release needs 'records' or 'tables'")
    path = within("file", path_of, value["file"])
    schema, columns, kinds = within("file", read_release, path, version_1, listed_domain)
    require("declared" not in kinds, "a step is declared: it cannot be run")
    if "tables" in value:
        names = within("tables", array, value["tables"], "tables")
        require(len(names) == 2, f"found {len(names)} tables, expected two", "tables")
        tables = [within(("tables", k), read_people, within(("tables", k), path_of, name), schema, columns) for k, name in enumerate(names)]
        require(len(tables[0]) == len(tables[1]), "the tables have different numbers of records", "tables")
        require(tables[0] != tables[1], "the tables have the same records", "tables")
        require(domain.names == ["table"] and list(domain.values[0]) == names, "the domain is not which table it was", "tables")
        return Shape(domain.inputs, 0, list, is_part=False)
    records = within("records", integer, value["records"], "the number of records", 1, MOST_RECORDS)
    if "window" in value:
        within("window", integer, value["window"], "the window", 0, MOST_WINDOW)
    require(domain.names == [f"{p + 1}.{name}" for p in range(records) for name in schema.names], f"the domain is not that of tables of {records} records")
    require(all(list(own) == list(schema.values[k % len(schema.names)]) for k, own in enumerate(domain.values)), "the domain has other values")
    domain.listed()

    def unknown():
        raise Refused("the outputs of a release are not known to this checker by name")
    return Shape(domain.inputs, 1, unknown)
