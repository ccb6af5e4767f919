"""Fields of claims and of mechanism families that concern inputs and coordinates: partitions, secrets, records, levels
by coordinate."""
from .strict_reading import Literal, array, distinct, every, mapping, require, text, within


class Fields:
    def __init__(self, numbers, domain):
        self.numbers, self.domain = numbers, domain

    # Fields about coordinates.

    def levels(self, value, left_out=()):
        """The coordinates with a claimed level. left_out: those that a single level for all does not concern."""
        if isinstance(value, dict):
            require(value, "found no coordinate, expected at least one")
            found = {within(name, self.domain.coordinate, name) for name in value}
            every(value, self.level)
            return sorted(found)
        require(not isinstance(value, list), "found an array, expected a level for all coordinates, or an object of levels by coordinate")
        self.level(value)
        about = [i for i in range(len(self.domain.names)) if i not in left_out]
        require(about, "every coordinate is public or known: the claim is about none")
        return about

    def level(self, value):
        return self.numbers.level(value, roots=True)

    def levels_of_all(self, value, roots=False):
        """A level for each coordinate."""
        if not isinstance(value, dict):
            require(not isinstance(value, list), "found an array, expected a level for all coordinates, or an object of levels by coordinate")
            return [self.numbers.level(value, roots)] * len(self.domain.names)
        require(value, "found no coordinate, expected at least one")
        for name in value:
            within(name, self.domain.coordinate, name)
        found = every(value, self.numbers.level, roots)
        for name in self.domain.names:
            require(name in found, f"no level is given for coordinate {name[:60]!r}")
        return [found[name] for name in self.domain.names]

    def records(self, value):
        seen = set()
        for r, record in enumerate(array(value, "records, each a list of coordinates")):
            for k, name in enumerate(within(r, array, record, "coordinates")):
                i = within((r, k), self.domain.coordinate, name)
                require(i not in seen, "a coordinate is in two records", r, k)
                seen.add(i)
        require(len(seen) == len(self.domain.names), "a coordinate is in no record")

    # Fields about inputs.

    def level_matrix(self, value):
        inputs = self.domain.listed()
        require(len(array(value, "rows of levels")) == inputs, f"found {len(value)} rows, expected one for each of the {inputs} inputs")
        for k, row in enumerate(value):
            require(len(within(k, array, row, "levels")) == inputs, f"found {len(row)} levels, expected one for each of the {inputs} inputs", k)
            within(k, every, row, self.numbers.level)

    def partition(self, value):
        """The size of each block."""
        array(value, "blocks")
        if value and isinstance(value[0], str) and not isinstance(value[0], Literal):
            places = self.domain.coordinates(value)
            blocks = self.domain.restricted(places).listed()
            return [self.domain.listed() // blocks] * blocks
        return self.cover(every(value, self.domain.given_inputs), "block")

    def cover(self, groups, what):
        seen = set()
        for k, group in enumerate(groups):
            require(not any(x in seen for x in group), f"an input is in two: {what}", k)
            seen.update(group)
        require(len(seen) == self.domain.listed(), f"an input is in no {what}")
        return [len(group) for group in groups]

    def secret(self, value):
        """The labels, and the coordinates of the secret (None: it is not made of coordinates)."""
        if isinstance(value, list):
            places = self.domain.coordinates(value)
            own = self.domain.restricted(places)
            own.listed()
            return Labels(own), places
        mapping(value, "label to inputs, or a list of coordinates")
        self.cover([within(label, self.domain.given_inputs, inputs) for label, inputs in value.items()], "label's list")
        return set(value), None

    @staticmethod
    def party(value):
        if isinstance(value, list):
            return tuple(every(value, text, "a value"))
        return text(value, "a value, or a label of the secret")

    def parties(self, value):
        found = distinct(every(array(value, "values, or labels of the secret"), self.party), "it")
        require(found, "found none, expected at least one")
        return found


class Labels:
    """The labels of a secret made of coordinates: tuples of their values, which a side gives as an array."""

    def __init__(self, domain):
        self.domain = domain

    def __contains__(self, party):
        return isinstance(party, tuple) and len(party) == len(self.domain.names) and all(value in own for value, own in zip(party, self.domain.values))
