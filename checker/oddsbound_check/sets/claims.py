"""Claims over sets of priors.

Holds: for each output and two labels, why no prior of the set makes the output more than e^epsilon times as likely from
the one as from the other (forms.py, rows.py, sample.py). Where inputs are too many to go through: by independent parts.
Refuted: a prior is a member of the set by the set's definition, and under it the quotient of an output is above the
level. A tight claim has a prior that attains each level, or a line between two members on which quotients approach it.
"""
from fractions import Fraction
from itertools import product
from math import prod

from ..certificate import exact_number, exact_numbers, fields, for_one_of, items, party
from ..exact import INFINITE, Worst, at_most
from ..notions import are_compared, labeled
from ..outputs import outputs_called, outputs_of, require_enumerable
from ..proofs.parts import largest_of_part
from ..report import Rejected, require, require_feasible
from ..surds import Surd
from .forms import FORMS, Question, Tables, by_squares, mixed_priors
from .members import CONVEX, Members, normalized
from .rows import ByRows
from .sample import Draws

WHAT = "the witness"
NOTIONS = ("bcdp", "bdp", "secret")
KEYS = {"notion", "name", "epsilon", "expect", "tight", "for_all", "from", "to", "secret"}


# The claim holds: one proof for each output and two labels, where the set has no closed form.

class ByForm:
    def __init__(self, question, _masses):
        require(question.kind in FORMS, f"nothing is known of sets of type {question.kind}")
        self.q = question

    def holds(self, entry, y, a, b):
        require(entry is None, "a set with a closed form, and a proof")
        return FORMS[self.q.kind](self.q, y, a, b)


class BySquares:
    def __init__(self, question, _masses):
        self.q, self.priors = question, mixed_priors(question)

    def holds(self, entry, y, a, b):
        squares = [] if entry is None else items(fields(entry, "a proof", "squares")[0], "squares", list)
        return by_squares(self.q, self.priors, squares, y, a, b)


class ByPrices:
    def __init__(self, question, masses):
        self.tables, self.most, self.least = Tables(question), dict[int, Fraction](), dict[int, Fraction]()
        for stated in items(masses, "masses", dict):
            label, at_most, at_least = fields(stated, "a mass", "label", "at_most", "at_least")
            place = place_of(question.labels, label)
            require(place not in self.most, f"label {label} is there twice")
            self.most[place] = self.tables.most(place, 1, exact_numbers(at_most, "prices of a mass"))
            self.least[place] = -self.tables.most(place, -1, exact_numbers(at_least, "prices of a mass"))

    def holds(self, entry, y, a, b):
        require(entry is not None, "prices are missing")
        require(a in self.most and b in self.most, "what shows the mass of a label is missing")
        prices = exact_numbers(fields(entry, "a proof", "prices")[0], "prices")
        if self.most[a] == 0 or self.most[b] == 0:
            return True
        require(self.least[a] > 0, "a label may have no mass, or more")
        return self.tables.by_prices(prices, self.least[a], self.most[b], y, a, b)


class BySample:
    def __init__(self, question, _masses):
        self.q, self.draws = question, Draws(question.spec, question.stated, len(question.labels), question.at_once)

    def holds(self, entry, y, a, b):
        require(entry is not None, "what the draws say is missing")
        if self.draws.by_limits(self.q, y):
            return self.draws.limits_hold(self.q, exact_numbers(fields(entry, "a proof", "limits")[0], "limits", 2), y, a, b)
        return self.draws.bets_hold(self.q, y, a, b, *exact_numbers(fields(entry, "a proof", "bets")[0], "bets", 2))


WAYS = {"network": ByRows, "marginals": ByPrices, "sample": BySample, **dict.fromkeys(("any_of", "mixtures_of", "side_knowledge"), BySquares)}


def place_of(labels, label):
    require(party(label, "a label") in labels, f"no label {str(label)[:40]}")
    return labels.index(party(label, "a label"))


class Entries:
    """A certificate's proofs by output and labels. An output's label may stand for several outputs: a proof is for any of
    these. Each proof must be needed."""

    def __init__(self, question, pairs, compared):
        self.outputs, self.found, self.used = question.spec.outputs, dict[tuple, list](), set[tuple]()
        for pair in items(pairs, "pairs", dict):
            entry = dict(pair)
            output, a, b = (entry.pop(key, None) for key in ("output", "from", "to"))
            require(isinstance(output, str) and output in self.outputs, f"no output {str(output)[:40]!r}")
            key = output, place_of(question.labels, a), place_of(question.labels, b)
            require(key[1:] in compared, f"{output}, {a}, {b}: not compared")
            own = self.found.setdefault(key, [])
            own.append(entry)
            require(len(own) <= self.outputs.count(output), f"{output}, {a}, {b}: there twice")

    def check(self, way, y, a, b):
        key = self.outputs[y], a, b
        own = self.found.get(key, [])

        def shown(place):
            require(way.holds(own[place] if own else None, y, a, b), "what is claimed does not follow")
            self.used.add((key, place))
        for_one_of(range(max(1, len(own))), shown)

    def require_used(self):
        for key, own in self.found.items():
            require(all((key, place) in self.used for place in range(len(own))), f"output {key[0]}: no proof is needed, and there is one")


def check_level(question, level, claim):
    pairs, proof, masses, _ = fields(level, "a level", optional=("pairs", "proof", "masses", "coordinate"))
    require((pairs is None) != (proof is None) and proof in (None, "recompute"), "a proof that is not known")
    require(masses is None or (pairs is not None and question.kind == "marginals"), "masses of a set that fixes none")
    labels = question.labels
    compared = [(a, b) for a, b in product(range(len(labels)), repeat=2) if are_compared(claim.may, labels[a], labels[b])]
    entries = Entries(question, pairs or [], set(compared))
    if question.bound is INFINITE:
        require(not entries.found, "proofs of what says nothing")
        return
    way = WAYS.get(question.kind, ByForm)(question, masses or [])
    for y, output in enumerate(question.spec.outputs):
        for a, b in compared:
            if not question.by_extremes(y, a, b):
                try:
                    entries.check(way, y, a, b)
                except Rejected as error:
                    raise Rejected(f"output {output}, from {labels[a]} to {labels[b]}: {error}") from error
    entries.require_used()


def check_holds(spec, claim, levels):
    require_readable(claim)
    stated, true = claim.for_all, labeled(spec, claim)
    require(len(items(levels, "levels", dict)) == len(true), f"the claim states {len(true)} levels")
    for level, (about, bound, labels_of) in zip(levels, true):
        require(level.get("coordinate") == about, f"a level of {level.get('coordinate')}, and not of {about}")
        if level.get("proof") == "parts":
            require(about is not None and parts_hold(spec, stated, spec.places[about], bound), "the parts together say more than is claimed")
            continue
        require_feasible(level.get("proof") != "search", f"for {about} the certificate asks for a search over the set, which this checker does not repeat")
        require_enumerable(spec)
        check_level(Question(spec, stated, about, labels_of, bound, len(true)), level, claim)
    return "for every prior of the set"


def require_readable(claim):
    require(claim.notion in NOTIONS and set(claim.json) <= KEYS, "a claim over a set that is not read here")


def parts_hold(spec, stated, i, bound):
    """If labels agree except for a fraction s, a prior given a label is (1 - s) own + s anything: parts are farthest apart
    between inputs that differ in the label alone, and between any two inputs with either label. s = 1: every prior; s =
    0: independent priors."""
    require(stated.kind in ("all", "product", "correlation"), f"parts say nothing about sets of type {stated.kind}")
    most = Fraction(1) if stated.kind == "all" else stated.at_most[i]
    found = []
    for share, alone in ((1 - most, True), (most, False)):
        if share != 0:
            quotients = [largest_of_part(part, i) if alone else largest_between_values(part, i) for part in spec.parts]
            require(INFINITE not in quotients, "an output that is possible from one input alone")
            found.append(share * prod(quotients))
    return bound is INFINITE or sum(found) <= bound


def largest_between_values(part, i):
    """The largest quotient of a part between inputs with different values of a coordinate."""
    worst, rows = Worst(), list(zip(part.mechanism.domain.rows(), part.rows))
    own = part.places.index(i) if i in part.places else None
    for (x, f), (z, g) in product(rows, repeat=2):
        if own is None or x[own] != z[own]:
            for p, q in zip(f, g):
                worst.offer(p, q)
    return worst.value()


# The claim is refuted, or tight: by a prior of the set.

class Shown:
    """What a witness with a prior shows: at one output, for one level of the claim."""

    def __init__(self, spec, claim, witness, output):
        self.spec, self.stated, self.output = spec, claim.for_all, output
        source, target, _, p_stated, q_stated, prior, about = fields(
            witness, WHAT, "from", "to", "output", "p_from", "p_to", "prior", optional=("coordinate",))
        levels = labeled(spec, claim)
        found = [level for level in levels if level[0] == about]
        require(found, f"{WHAT}: no level is claimed about that")
        (self.about, self.bound, self.labels_of), = found
        self.sides = party(source, WHAT), party(target, WHAT)
        require(are_compared(claim.may, *self.sides), f"{WHAT}: labels that are not compared")
        rows, _, self.line = fields(prior, "the prior", "rows", "attains", optional=("line",))
        weights = self.prior(rows)
        joint, masses = zip(*self.forms(weights))
        require(all(mass != 0 for mass in masses), f"{WHAT}: a label without mass")
        self.p, self.q = (own / mass for own, mass in zip(joint, masses))
        require([exact_number(text, WHAT) for text in (p_stated, q_stated)] == [self.p, self.q], f"{WHAT}: the probabilities are others")
        if self.stated.kind == "sample":
            require(self.is_allowed(weights, len(levels)), "the draws speak against the prior")
        else:
            require(self.is_member(weights), "the prior is no member of the set")

    def prior(self, stated):
        rows = {}
        for entry in items(stated, "the prior's rows", list):
            require(len(entry) == 2 and self.spec.own_domain.has(entry[0]), "the prior: there is no such input")
            x, weight = self.spec.given(entry[0]), exact_number(entry[1], "a weight")
            require(weight >= 0 and x not in rows, "the prior: a weight below 0, or an input that is there twice")
            rows[x] = weight
        return normalized(rows)

    def of_label(self, weights, label):
        return {x: w for x, w in weights.items() if label in self.labels_of(x)}

    def forms(self, weights):
        """[(P(output and label), P(label))] of both labels."""
        return [outputs_of(self.spec).given(self.of_label(weights, label), self.output) for label in self.sides]

    def is_member(self, weights):
        return Members(self.spec, self.about).has(self.stated, weights)

    def is_allowed(self, weights, at_once):
        spec = self.spec
        if self.about is not None:
            labels = len(spec.domain[spec.places[self.about]][1])
        else:
            labels = len({label for x in product(*map(range, spec.sizes)) for label in self.labels_of(x)})
        draws = Draws(spec, self.stated, labels, at_once)
        both = {**dict.fromkeys(draws.counts, Fraction(0)), **weights}
        by_limits = draws.is_small and self.has_few_entries()
        return draws.allow([self.of_label(both, label) for label in self.sides], lambda x: outputs_of(spec).probability(x, self.output), by_limits)

    def has_few_entries(self):
        """At most two different probabilities of the output given each label."""
        seen: dict[object, list] = {}
        for x in product(*map(range, self.spec.sizes)):
            p = outputs_of(self.spec).probability(x, self.output)
            for label in self.labels_of(x):
                own = seen.setdefault(label, [])
                if not any(p == other for other in own):
                    own.append(p)
        return all(len(own) <= 2 for own in seen.values())

    def attains(self):
        if self.line is not None and self.approaches():
            return True
        return self.p > 0 and (self.q == 0 if self.bound is INFINITE else self.q != 0 and Surd.of(self.p / self.q) == Surd.of(self.bound))

    def approaches(self):
        """Members on a line between two come arbitrarily close to the level."""
        require(len(items(self.line, "the line", list)) == 2, "a line has two ends")
        require(self.stated.kind in CONVEX, "a line between members of a set that is not known to be convex")
        forms = []
        for end in map(self.prior, self.line):
            require(self.is_member(end), "an end of the line is no member of the set")
            forms.append([form for side in self.forms(end) for form in side])
        return comes_near(forms, self.bound) or comes_near(forms[::-1], self.bound)


def product_of(first, second):
    """The product of two polynomials of degree 1, by coefficients."""
    return [first[0] * second[0], first[0] * second[1] + first[1] * second[0], first[1] * second[1]]


def comes_near(forms, bound):
    """True if quotients on a line come arbitrarily close to the bound, and none is above it. forms: at both ends.

    Let n l / (m k) = A(t) / B(t), with all forms linear in t. Either the lowest power of t in A or B shows that A / B tends
    to the bound with t, or bound * B - A is a square with its root between the ends, where B is not 0."""
    n, m, k, l = ([begin, end - begin] for begin, end in zip(*forms))
    above, below = product_of(n, l), product_of(m, k)
    lowest = next((i for i in range(3) if above[i] != 0 or below[i] != 0), None)
    if lowest is None:
        return False
    if bound is INFINITE:
        return below[lowest] == 0 and above[lowest] > 0
    if below[lowest] > 0 and Surd.of(above[lowest]) == Surd.of(bound) * below[lowest]:
        return True
    c, b, a = (Surd.of(bound) * q - p for p, q in zip(above, below))
    inside = a > 0 and -b > 0 and -b < a * 2
    return inside and b * b == a * c * 4 and all(sum(form) + form[0] > 0 for form in (m, k, l))


def shown_by(spec, claim, witness, check):
    require_readable(claim)
    require(isinstance(witness, dict), f"{WHAT} is no object")
    return for_one_of(outputs_called(spec, witness.get("output"), WHAT), lambda output: check(Shown(spec, claim, witness, output)))


def check_refuted(spec, claim, witness):
    def check(shown):
        above = shown.bound is not INFINITE and shown.p > 0 and (shown.q == 0 or Surd.of(shown.bound) < Surd.of(shown.p / shown.q))
        require(above, f"{WHAT}: it is within what is claimed")
    shown_by(spec, claim, witness, check)
    return "by a prior of the set"


def check_attained(spec, claim, witnesses):
    """For a tight claim that holds: every level above 0 is attained, or approached."""
    def check(shown):
        require(shown.attains(), "a level is not attained")
        return shown.about
    left = {about for about, bound, _ in labeled(spec, claim) if bound is INFINITE or bound != 1}
    for witness in items(witnesses, "what attains the levels", dict):
        left.discard(shown_by(spec, claim, witness, check))
    require(not left, "what attains a level is missing")
