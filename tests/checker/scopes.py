"""Claims about values and labels by plain loops: which groups of inputs are compared if the adversary knows some
coordinates ("known"), or if only some values are selected ("from", "to")."""
import itertools
from fractions import Fraction

from oddsbound_check.exact import INFINITE, Worst

ZERO = 0


def written(label):
    return tuple(label) if isinstance(label, list) else label


class Scope:
    """The groups of inputs that a claim compares: {written form: inputs}."""

    def __init__(self, spec, claim, groups):
        self.spec, self.groups = spec, groups
        self.known = claim.get("known", [])
        names = [name for name, _ in spec.domain]
        self.places = [names.index(name) for name in self.known]
        self.sides = [[written(x) for x in claim[side]] if side in claim else list(groups) for side in ("from", "to")]

    def combinations(self):
        """All combinations of known values that have mass."""
        seen = {tuple(x[i] for i in self.places) for x, p in zip(self.spec.inputs, self.spec.prior) if p != 0}
        return sorted(seen)

    def group(self, label, values):
        """The inputs of a label with these known values."""
        inputs = self.spec.inputs
        return [x for x in self.groups[label] if tuple(inputs[x][i] for i in self.places) == values]

    def given(self, label, values):
        """The distribution of outputs for a label and known values, or None without mass."""
        return self.spec.conditional(self.group(label, values))

    def mass(self, label, values):
        return sum((self.spec.prior[x] for x in self.group(label, values)), ZERO)

    def pairs(self):
        for values in self.combinations():
            for a in self.sides[0]:
                for b in self.sides[1]:
                    p, q = self.given(a, values), self.given(b, values)
                    if a != b and p is not None and q is not None:
                        yield p, q

    def level(self):
        worst = Worst()
        for p_row, q_row in self.pairs():
            for p, q in zip(p_row, q_row):
                worst.offer(p, q)
        return worst.value()

    def delta(self, epsilon):
        best = ZERO
        for p_row, q_row in self.pairs() if epsilon is not INFINITE else ():
            total = ZERO
            for p, q in zip(p_row, q_row):
                excess = p - epsilon * q
                total = total + excess if excess > 0 else total
            best = total if total > best else best
        return best

    def of_witness(self, witness):
        """Both distributions of a witness; None if the claim does not compare them."""
        given = witness.get("given", {})
        if list(given) != self.known:
            return None
        a, b = written(witness["from"]), written(witness["to"])
        if a not in self.groups or b not in self.groups or (a != b and (a not in self.sides[0] or b not in self.sides[1])):
            return None
        values = tuple(given[name] for name in self.known)
        p, q = self.given(a, values), self.given(b, values)
        return None if p is None or q is None else (p, q)


class AnyScope:
    """Of an adversary who knows any set of other coordinates: one scope for each set."""

    def __init__(self, scopes):
        self.scopes = scopes

    def pairs(self):
        return itertools.chain.from_iterable(scope.pairs() for scope in self.scopes)

    def level(self):
        worst = Worst()
        for p_row, q_row in self.pairs():
            for p, q in zip(p_row, q_row):
                worst.offer(p, q)
        return worst.value()

    def of_witness(self, witness):
        return next(filter(None, (scope.of_witness(witness) for scope in self.scopes)), None)


def known_of(claim):
    """The coordinates that are known for certain."""
    known = claim.get("known", [])
    return [] if known == "any" else known


def scope_of(spec, claim, i=None):
    """The scope of a claim about coordinate i, or about a secret."""
    if claim.get("known") == "any":
        about = [spec.domain[i][0]] if claim["notion"] != "secret" else claim["secret"] if isinstance(claim["secret"], list) else []
        others = [name for name, _ in spec.domain if name not in about]
        sets = (list(own) for count in range(len(others) + 1) for own in itertools.combinations(others, count))
        return AnyScope([scope_of(spec, {**claim, "known": own}, i) for own in sets])
    if "secret" in claim:
        return Scope(spec, claim, spec.secret_groups(claim["secret"]))
    return Scope(spec, claim, dict(zip(spec.domain[i][1], spec.value_groups(i))))


def written_scope(claim):
    """The scope as written in a result."""
    order = {"order": int(claim["order"])} if "order" in claim else {}
    if claim["notion"] == "approximate_zcdp":  # otherwise it is a claimed value
        order = {"delta": str(Fraction(str(claim["delta"])))}
    known = {"any_known": True} if claim.get("known") == "any" else {}
    keys = [key for key in ("coordinate", "known", "from", "to", "values") if key in claim and not (key == "known" and known)]
    curve = {"f": [[str(Fraction(str(number))) for number in point] for point in claim["f"]]} if "f" in claim else {}
    return {**{key: claim[key] for key in keys}, **order, **known, **curve}
