"""The levels of a spec, by brute force from the definitions: what the tests compare the program and the checker with.
Reads specs with the package; measures on its own."""
import json
from functools import cached_property

import averages
import divergence_notions
import pairs_of_inputs
import protecting
import ratios
import renyi
from fractions import Fraction

from oddsbound_check.claims import LIFTS
from oddsbound_check.reading import no_constant, unique
from oddsbound_check.exact import INFINITE, Worst, at_most, shared
from oddsbound_check.spec import read_spec
from scopes import known_of, scope_of

ONE = 1
ZERO = 0


def load(path):
    """Reads JSON with numbers as texts; rejects what JSON leaves open."""
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=str, parse_int=str, parse_constant=no_constant, object_pairs_hook=unique)


class Spec:
    """read: the spec as the package reads it, which has everything else (`spec.sizes` is `spec.read.sizes`)."""

    def __init__(self, path, values=None):
        """values: of the symbols, if the spec has any."""
        read = read_spec(path, values)
        # For a shuffle: the mechanism of one person, and the number of people.
        self.people = read.shuffled[1] if read.shuffled else None
        self.read, self.memory = read.local if read.shuffled else read, {}
        self.domain = [(name, list(own)) for name, own in self.read.domain]
        self.prior, self.outputs, self.rows = self.read.prior, self.read.outputs, self.read.rows

    @cached_property
    def inputs(self):
        return list(self.read.own_domain.tuples())

    def number(self, text):
        return self.read.reader.numbers.number(text)

    def level(self, text):
        """exp of the level."""
        return self.read.reader.numbers.level(text, True)

    def __getattr__(self, name):
        if name == "read":
            raise AttributeError(name)
        return getattr(self.read, name)

    def beside(self, name):
        return self.read.reader.files.path_of(name)

    def mechanism(self, m, domain):
        """(labels, rows) of a mechanism on the spec's domain."""
        assert domain == self.domain
        found = self.read.reader.mechanisms.part(m, self.read.own_domain)
        return found.labels, found.rows

    def blocks_of(self, blocks):
        """As inputs."""
        return [[tuple(own[k] for k, (_, own) in zip(x, self.domain)) for x in block] for block in self.read.own_domain.partition(blocks)[1]()]

    def read_prior(self, stated):
        """The probabilities of all inputs."""
        return self.read.reader.priors.read(stated, self.read.own_domain).dense()

    def set_of(self, claim):
        """The set of priors of a claim over one."""
        return self.json["prior_sets"][claim["for_all"]] if isinstance(claim["for_all"], str) else claim["for_all"]

    # Levels, as exponentials.

    def worst(self, pairs):
        worst = Worst()
        for a, b in pairs:
            for p, q in zip(self.rows[a], self.rows[b]):
                worst.offer(p, q)
        return worst.value()

    def all_pairs(self, inputs=None):
        inputs = range(len(self.inputs)) if inputs is None else inputs
        return [(a, b) for a in inputs for b in inputs]

    def differing(self, coordinates):
        """Pairs that differ only within the coordinates."""
        outside = [i for i in range(len(self.domain)) if i not in coordinates]
        return [(a, b) for a, b in self.all_pairs()
                if all(self.inputs[a][i] == self.inputs[b][i] for i in outside)]

    def once(self, key, compute):
        if key not in self.memory:
            self.memory[key] = compute()
        return self.memory[key]

    def ldp(self):
        return self.once("ldp", lambda: self.worst(self.all_pairs()))

    def bdp(self):
        return self.worst(self.all_pairs([x for x, p in enumerate(self.prior) if p != 0]))

    def cdp(self, i):
        return self.once(("cdp", i), lambda: self.worst(self.differing([i])))

    def conditional(self, group):
        """The output distribution given a set of inputs, or None without mass."""
        return self.once(("given", *group), lambda: self.compute_conditional(group))

    def compute_conditional(self, group):
        mass = sum((self.prior[x] for x in group), ZERO)
        if mass == 0:
            return None
        return [sum((self.prior[x] * self.rows[x][y] for x in group), ZERO) / mass for y in range(len(self.outputs))]

    def groups_level(self, groups):
        given = shared(c for c in map(self.conditional, groups) if c is not None)
        worst = Worst()
        for p_row in given:
            for q_row in given:
                for p, q in zip(p_row, q_row):
                    worst.offer(p, q)
        return worst.value()

    def value_groups(self, i):
        return [[x for x, t in enumerate(self.inputs) if t[i] == v] for v in self.domain[i][1]]

    def bcdp(self, i):
        return self.once(("bcdp", i), lambda: self.groups_level(self.value_groups(i)))

    def correlation(self, i):
        best = ZERO
        given = []
        for group in self.value_groups(i):
            mass = sum((self.prior[x] for x in group), ZERO)
            if mass != 0:
                given.append([self.prior[x] / mass for x in group])
        for p in given:
            for q in given:
                distance = ZERO
                for a, b in zip(p, q):
                    distance = distance + (a - b if a >= b else b - a)
                distance = distance / 2
                best = distance if distance > best else best
        return best

    def composition(self, i):
        """cdp, and the largest dependence of the other coordinates on a value of this one, under the prior."""
        masses = [sum((self.prior[x] for x in group), ZERO) for group in self.value_groups(i)]
        given = [[p / mass for p in (self.prior[x] for x in group)] for mass, group in zip(masses, self.value_groups(i)) if mass != 0]
        worst = Worst()
        for p_row in given:
            for q_row in given:
                for p, q in zip(p_row, q_row):
                    worst.offer(p, q)
        cdp, shift = self.cdp(i), worst.value()
        return INFINITE if INFINITE in (cdp, shift) else cdp * shift

    def delta(self, pairs, epsilon):
        best = ZERO
        if epsilon is INFINITE:
            return best
        for a, b in pairs:
            total = ZERO
            for p, q in zip(self.rows[a], self.rows[b]):
                excess = p - epsilon * q
                if excess > 0:
                    total = total + excess
            best = total if total > best else best
        return best

    # Claims: whether they hold.

    def coordinate_levels(self, epsilon, known=()):
        """A single level is about all coordinates that are not known."""
        names = [name for name, _ in self.domain]
        if isinstance(epsilon, dict):
            return {names.index(c): self.level(e) for c, e in epsilon.items()}
        no_secret = [c["name"] for c in self.json["domain"] if c.get("public")] + list(known)
        return {i: self.level(epsilon) for i in range(len(names)) if names[i] not in no_secret}

    def levels_of(self, claim):
        """The claimed levels of a claim about cdp or partial_dp; the latter are for all coordinates."""
        if claim["notion"] == "partial_dp" and not isinstance(claim["epsilon"], dict):
            return {i: self.level(claim["epsilon"]) for i in range(len(self.domain))}
        return self.coordinate_levels(claim["epsilon"])

    def bcdp_levels(self, claim):
        """For each coordinate of a claim: the true level, and the claimed one."""
        levels = self.coordinate_levels(claim["epsilon"], known_of(claim))
        return {i: (scope_of(self, claim, i).level(), e) for i, e in levels.items()}

    def approximate_bcdp(self, claim):
        i = [name for name, _ in self.domain].index(claim["coordinate"])
        return scope_of(self, claim, i).delta(self.level(claim["epsilon"]))

    def secret_groups(self, secret):
        if isinstance(secret, dict):
            return {label: [self.inputs.index(tuple(x)) for x in inputs] for label, inputs in secret.items()}
        names = [name for name, _ in self.domain]
        places = [names.index(c) for c in secret]
        groups = {}
        for x, t in enumerate(self.inputs):
            groups.setdefault(tuple(t[i] for i in places), []).append(x)
        return groups

    def neighbor_pairs(self, claim):
        if "differ" in claim:
            names = [name for name, _ in self.domain]
            may = [names.index(c) for c in claim["differ"]]
            return [(a, b) for a, b in self.neighbor_pairs({k: v for k, v in claim.items() if k != "differ"})
                    if all(i in may or u == v for i, (u, v) in enumerate(zip(self.inputs[a], self.inputs[b])))]
        kind = claim.get("neighbors", "all")
        if isinstance(kind, dict):
            return self.given_pairs(kind)
        everything = list(range(len(self.domain)))
        if kind == "coordinate":
            return [pair for i in everything for pair in self.differing([i])]
        if kind == "record" and "records" in claim:
            names = [name for name, _ in self.domain]
            return [pair for r in claim["records"] for pair in self.differing([names.index(c) for c in r])]
        return self.all_pairs()

    def given_pairs(self, relation):
        place = {tuple(x): k for k, x in enumerate(self.inputs)}
        if "pairs" in relation:
            found = [tuple(place[tuple(x)] for x in pair) for pair in relation["pairs"]]
            return found + [(b, a) for a, b in found]
        names = [name for name, _ in self.domain]
        of = relation.get("of", names)

        def near(x, z):
            if any(u != v for name, u, v in zip(names, x, z) if name not in of):
                return False
            both = [(u, v) for name, u, v in zip(names, x, z) if name in of]
            if relation["metric"] == "hamming":
                return sum(u != v for u, v in both) <= self.number(relation["at_most"])
            steps = [abs(Fraction(u) - Fraction(v)) for u, v in both]
            size = {"absolute": sum, "l1": sum, "linf": max, "l2": lambda steps: sum(s * s for s in steps)}[relation["metric"]](steps)
            return size <= self.number(relation["at_most"]) ** (2 if relation["metric"] == "l2" else 1)
        return [(a, b) for a, b in self.all_pairs() if near(self.inputs[a], self.inputs[b])]

    def pairs_hold(self, bounds):
        """bounds: {(a, b): exp of level}; checked output by output."""
        for (a, b), bound in bounds.items():
            if bound is INFINITE:
                continue
            for p, q in zip(self.rows[a], self.rows[b]):
                if p > bound * q:
                    return False
        return True

    def measured(self, claim):
        """The true level of a claim about one level."""
        notion = claim["notion"]
        if notion in ("ldp", "bdp"):
            return {"ldp": self.ldp, "bdp": self.bdp}[notion]()
        if notion == "secret":
            return scope_of(self, claim).level()
        if notion == "bayes_leakage":
            return averages.leakage(self, claim)
        if notion == "maximal_leakage":
            return averages.maximal_leakage(self, claim)
        if notion in LIFTS:
            return self.lift(claim)
        if notion == "utility_optimized_ldp":
            return protecting.level(self, claim)
        return self.worst(self.compared_pairs(claim))

    def lift(self, claim):
        """The largest quotient of P(y given a value) and P(y), or its inverse."""
        everyone, worst = self.conditional(range(len(self.inputs))), Worst()
        for given in filter(None, map(self.conditional, self.lifted_groups(claim).values())):
            for p, q in zip(given, everyone):
                if claim["notion"] != "lower_lift":
                    worst.offer(p, q)
                if claim["notion"] != "pointwise_maximal_leakage":
                    worst.offer(q, p)
        return worst.value()

    def has_large_lift(self, claim, y):
        """True if P(y given a value) > e^epsilon P(y) for some value with mass."""
        bound, everyone = self.level(claim["epsilon"]), self.conditional(range(len(self.inputs)))
        if bound is INFINITE:
            return False
        return any(given[y] > bound * everyone[y] for given in filter(None, map(self.conditional, self.lifted_groups(claim).values())))

    def lift_tail(self, claim):
        """The probability of the outputs with a large lift."""
        everyone = self.conditional(range(len(self.inputs)))
        return sum((p for y, p in enumerate(everyone) if self.has_large_lift(claim, y)), ZERO)

    def inputs_of_values(self, claim):
        groups = self.lifted_groups(claim)
        return sorted({x for value in claim["values"] for x in groups[tuple(value) if isinstance(value, list) else value]})

    def mass_of_values(self, claim):
        return sum((self.prior[x] for x in self.inputs_of_values(claim)), ZERO)

    def posterior(self, claim):
        """The largest probability of the claim's values after an output of positive probability."""
        own, everyone = self.inputs_of_values(claim), range(len(self.inputs))
        joint = [[sum((self.prior[x] * self.rows[x][y] for x in some), ZERO) for y in range(len(self.rows[0]))] for some in (own, everyone)]
        return max(a / b for a, b in zip(*joint) if b != 0)

    def lifted_groups(self, claim):
        """{label as witnesses write it: inputs}."""
        if "coordinate" in claim:
            i = [name for name, _ in self.domain].index(claim["coordinate"])
            return dict(zip(self.domain[i][1], self.value_groups(i)))
        if "secret" in claim:
            return self.secret_groups(claim["secret"])
        return {tuple(x): [k] for k, x in enumerate(self.inputs)}

    def compared_pairs(self, claim):
        """The pairs of inputs that block_ldp and high_low_ldp compare."""
        place = {x: index for index, x in enumerate(self.inputs)}
        if claim["notion"] == "block_ldp":
            blocks = [[place[tuple(x)] for x in block] for block in self.blocks_of(claim["blocks"])]
            return [pair for block in blocks for pair in self.all_pairs(block)]
        return [(place[x], b) for x in protecting.sensitive(self, claim) for b in range(len(self.inputs))]

    def is_least(self, claim):
        """True if no smaller level holds, that is, if every claimed level is the true one."""
        notion, same = claim["notion"], lambda a, b: at_most(a, b) and at_most(b, a)
        if notion == "bcdp":
            return all(same(true, e) for true, e in self.bcdp_levels(claim).values())
        if notion in ("cdp", "partial_dp"):
            return all(same(self.cdp(i), e) for i, e in self.levels_of(claim).items())
        if notion == "approximate_bcdp":
            return self.approximate_bcdp(claim) == self.number(claim["delta"])
        if notion == "context_ldp":
            return pairs_of_inputs.is_least(self, claim)
        if notion == "approximate_dp":
            return self.delta(self.neighbor_pairs(claim), self.level(claim["epsilon"])) == self.number(claim["delta"])
        if notion in divergence_notions.BY_NAME:
            return divergence_notions.BY_NAME[notion].is_least(self, claim)
        if notion == "renyi_bcdp":
            return renyi.bayesian_holds(self, claim, least=True)
        if notion == "pointwise_maximal_leakage" and "delta" in claim:
            return self.lift_tail(claim) == self.number(claim["delta"])
        if notion == "probabilistic_dp":
            return ratios.tail(self, claim) == self.number(claim["delta"])
        if notion == "f_dp":
            return ratios.shortfall(self, claim) == self.number(claim.get("delta", "0"))
        if notion == "information":
            return averages.above(self, claim) == 0
        if notion == "posterior":
            return self.posterior(claim) == self.number(claim["at_most"])
        return same(self.measured(claim), self.level(claim["epsilon"]))

    def holds(self, claim):
        notion, eps = claim["notion"], claim.get("epsilon")
        if notion in divergence_notions.BY_NAME:
            return divergence_notions.BY_NAME[notion].holds(self, claim)
        if notion == "renyi_bcdp":
            return renyi.bayesian_holds(self, claim)
        if notion == "pointwise_maximal_leakage" and "delta" in claim:
            return self.lift_tail(claim) <= self.number(claim["delta"])
        if notion == "probabilistic_dp":
            return ratios.tail(self, claim) <= self.number(claim["delta"])
        if notion == "f_dp":
            return ratios.shortfall(self, claim) <= self.number(claim.get("delta", "0"))
        if notion == "utility_optimized_ldp":
            return at_most(self.measured(claim), self.level(eps))
        if notion == "ldp":
            return at_most(self.ldp(), self.level(eps))
        if notion == "bdp":
            return at_most(self.bdp(), self.level(eps))
        if notion == "cdp":
            return all(at_most(self.cdp(i), e) for i, e in self.coordinate_levels(eps).items())
        if notion == "bcdp":
            return all(at_most(true, e) for true, e in self.bcdp_levels(claim).values())
        if notion in ("secret", "bayes_leakage", "maximal_leakage", *LIFTS):
            return at_most(self.measured(claim), self.level(eps))
        if notion == "information":
            return averages.above(self, claim) <= 0
        if notion == "posterior":
            return self.posterior(claim) <= self.number(claim["at_most"])
        if notion == "approximate_bcdp":
            return self.approximate_bcdp(claim) <= self.number(claim["delta"])
        if notion == "context_ldp":
            return pairs_of_inputs.holds(self, claim)
        if notion in ("block_ldp", "high_low_ldp"):
            return self.pairs_hold({pair: self.level(eps) for pair in self.compared_pairs(claim)})
        if notion == "partial_dp":
            levels = self.levels_of(claim)
            names = [name for name, _ in self.domain]
            records = [[names.index(c) for c in r] for r in claim.get("records", [names])]
            bounds = {}
            for record in records:
                for a, b in self.differing(record):
                    bound = ONE
                    for i in record:
                        if self.inputs[a][i] != self.inputs[b][i]:
                            bound = INFINITE if INFINITE in (bound, levels[i]) else bound * levels[i]
                    bounds[a, b] = bound
            return self.pairs_hold(bounds)
        assert notion == "approximate_dp"
        return self.delta(self.neighbor_pairs(claim), self.level(eps)) <= self.number(claim["delta"])
