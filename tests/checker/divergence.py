"""The part of the tests of random specs that depends on a notion which bounds a divergence between neighbors, at one level
or at levels by coordinate. Each notion is a subclass in a module of its own, and one line of divergence_notions.py."""
from oddsbound_check.exact import at_most


class Divergence:
    """The methods use no part of the tool; the reference's rows are exact numbers."""

    key = "epsilon"  # the field of its levels
    may_be_tight = False  # a claim may say that no smaller level holds
    has_polynomials = False  # Z3 is asked about it

    def __init__(self, name):
        self.name = name

    # Claims

    def draw(self, specs):
        """A random claim. specs: the generator of random specs (random_specs.py). "true" stands for the true level."""
        claim = {"notion": self.name}
        specs.divergence(claim, self.key)
        if self.may_be_tight and specs.r.random() < 0.4:
            claim["tight"] = True
        return claim

    def near_true(self, spec, claim, random):
        """The text of a level that is the true one, or near it."""
        raise NotImplementedError

    # The truth

    def true(self, spec, pairs, claim):
        """The largest divergence of these pairs of inputs, in the numbers that this notion compares."""
        raise NotImplementedError

    def holds(self, spec, claim):
        """None if it is too close to decide."""
        raise NotImplementedError

    def is_least(self, spec, claim):
        """Whether every claimed level is the true one."""
        raise NotImplementedError

    def exceeds(self, spec, claim, true, level):
        """Whether the true divergence is larger than the level with this text."""
        raise NotImplementedError

    def compared(self, spec, claim):
        """For every claimed level (None: the only one): its pairs."""
        names = [name for name, _ in spec.domain]
        if isinstance(claim[self.key], dict):
            return {name: spec.differing([names.index(name)]) for name in claim[self.key]}
        return {None: spec.neighbor_pairs(claim)}

    def texts(self, claim):
        written = claim[self.key]
        return written if isinstance(written, dict) else {None: written}

    def measured(self, spec, claim):
        return {name: self.true(spec, pairs, claim) for name, pairs in self.compared(spec, claim).items()}

    def locked(self, true, claim):
        """The true value to as many digits as locked bounds distinguish."""
        return true

    # Results

    def problems(self, checker, claim, found, true, pairs, what):
        """The faults in the statements about one level. checker: has the spec, and may report others about `what`."""
        raise NotImplementedError

    def check(self, checker, claim, r, what):
        """Checks a result by checker.expect."""
        spec, texts = checker.spec, self.texts(claim)
        if None not in texts:
            checker.expect(list(r["claimed"]) == [name for name in checker.names if name in texts], f"{what}: claimed")
        for name, pairs in self.compared(spec, claim).items():
            own, found = (r["claimed"], r["actual"]) if name is None else (r["claimed"][name], r["actual"][name])
            checker.expect_claimed(own, texts[name], what)
            true = self.true(spec, pairs, claim)
            for problem in self.problems(checker, claim, found, true, set(pairs), f"{what} {name or ''}"):
                checker.expect(False, f"{what} {name or ''}: {problem}")
            if r["witness"] is not None and r["witness"].get("coordinate") == name:
                checker.expect(r["witness"] == {**found["witness"], **({} if name is None else {"coordinate": name})}, f"{what}: another witness")
                checker.expect(checker.obeyed or self.exceeds(spec, claim, true, texts[name]), f"{what}: the witness's level holds")


class Exactly(Divergence):
    """A divergence that the reference knows exactly. Subclasses have `bound`: the level with a text, in the same numbers."""

    may_be_tight = has_polynomials = True

    def bound(self, spec, claim, text):
        raise NotImplementedError

    def bounded(self, spec, claim):
        return [(true, self.bound(spec, claim, self.texts(claim)[name])) for name, true in self.measured(spec, claim).items()]

    def holds(self, spec, claim):
        return all(at_most(true, bound) for true, bound in self.bounded(spec, claim))

    def is_least(self, spec, claim):
        return all(at_most(true, bound) and at_most(bound, true) for true, bound in self.bounded(spec, claim))

    def exceeds(self, spec, claim, true, level):
        return not at_most(true, self.bound(spec, claim, level))


def infinite_problems(spec, found, p, q):
    """The faults in an infinite level, whose witness is an output that is possible under P alone."""
    witness = found["witness"]
    y = spec.outputs.index(witness["output"])
    shown = p[y] != 0 and q[y] == 0 and spec.number(witness["p_from"]) == p[y] and witness["p_to"] == "0"
    return [] if found.get("epsilon") == "inf" and shown else [f"infinite: {found}"]


def distinct(spec, pairs):
    """The pairs of different rows, with equal ones only once."""
    seen = set()
    for a, b in pairs:
        key = tuple(map(id, spec.rows[a])), tuple(map(id, spec.rows[b]))
        if a != b and key not in seen:
            seen.add(key)
            yield spec.rows[a], spec.rows[b]
