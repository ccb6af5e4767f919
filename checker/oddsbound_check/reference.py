"""A spec, read and measured by brute force from the format and the definitions; shares no code with the tool."""
import csv
import itertools
import json
import os
from fractions import Fraction

from . import averages
from . import concentrated
from .exact import INFINITE, Worst, at_most, shared
from .expression import level, number, parse
from .families import Families
from .releases import Releases
from .scopes import scope_of
from .strict_json import no_constant, unique
from .tables import Table, domain_of

ONE = Fraction(1)
ZERO = Fraction(0)


def load(path):
    """Reads JSON with numbers as texts; rejects what JSON leaves open."""
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=str, parse_int=str, parse_constant=no_constant, object_pairs_hook=unique)


def path_beside(path, name):
    """A file that a spec names: relative to the spec's folder, with ".." resolved in the text, regardless of links."""
    return os.path.normpath(os.path.join(os.path.dirname(path), name))


def by_coordinate(mechanisms, names):
    """(place, mechanism) of every coordinate that has one: its own, or that of all unnamed ones ("*", unless a
    coordinate has that name)."""
    others = "not released" if "*" in names else mechanisms.get("*", "not released")
    found = [(i, mechanisms.get(name, others)) for i, name in enumerate(names)]
    return [(i, part) for i, part in found if part != "not released"]


class Spec(Families, Releases):
    def __init__(self, path, values=None):
        """values: of the symbols, if the spec has any."""
        self.path, self.json = path, load(path)
        self.numbers, self.memory = {}, {}
        self.names = self.parameters(self.json.get("parameters", {}))
        self.names.update({name: parse(value) for name, value in (values or {}).items()})
        self.domain = domain_of(self.json, self.beside)
        self.inputs = list(itertools.product(*(values for _, values in self.domain)))
        self.prior = self.read_prior(self.json["prior"]) if "prior" in self.json else None
        self.outputs, rows = self.mechanism(self.json["mechanism"], self.domain)
        self.rows = shared(rows)

    @staticmethod
    def parameters(texts):
        class Lazy(dict):
            def __missing__(self, name):
                self[name] = parse(texts[name], self)
                return self[name]
        return Lazy()

    def number(self, text):
        if text not in self.numbers:
            self.numbers[text] = number(text, self.names)
        return self.numbers[text]

    def level(self, text):
        return level(text, self.names)

    def beside(self, name):
        return path_beside(self.path, name)

    # Priors: one probability per input.

    def read_prior(self, p):
        weights = self.weights(p)
        total = sum(weights, ZERO)
        return [w / total for w in weights]

    def weights(self, p):
        kind = p["type"]
        names = [name for name, _ in self.domain]
        sizes = [len(values) for _, values in self.domain]
        index = [{v: k for k, v in enumerate(values)} for _, values in self.domain]
        if kind == "uniform":
            weights = [ONE for _ in self.inputs]
        elif kind == "probabilities":
            weights = [self.number(t) for t in p["probabilities"]]
        elif kind == "counts":
            weights = [self.number(t) for t in p["counts"]]
        elif kind == "csv":
            counts = {x: Fraction(0) for x in self.inputs}
            for row, count in Table(p, self.json["domain"], self.beside(p["file"]), "").rows:
                counts[row] += count
            weights = [counts[x] for x in self.inputs]
        elif kind == "product":
            weights = []
            for x in self.inputs:
                weight = ONE
                for i, name in enumerate(names):
                    weight = weight * self.number(p["marginals"][name][index[i][x[i]]])
                weights.append(weight)
        elif kind == "mixture":
            parts = [self.read_prior(c) for c in p["components"]]
            shares = [self.number(t) for t in p["weights"]]
            weights = [sum((s * part[k] for s, part in zip(shares, parts)), ZERO) for k in range(len(self.inputs))]
        elif kind == "diagonal":
            weights = []
            for x in self.inputs:
                places = {index[i][v] for i, v in enumerate(x)}
                weights.append(self.number(p["marginal"][places.pop()]) if len(places) == 1 else ZERO)
        else:
            assert kind == "network"
            weights = []
            for x in self.inputs:
                weight = ONE
                for node in p["nodes"]:
                    row = 0
                    for parent in node.get("parents", []):
                        i = names.index(parent)
                        row = row * sizes[i] + index[i][x[i]]
                    i = names.index(node["coordinate"])
                    weight = weight * self.number(node["table"][row][index[i][x[i]]])
                weights.append(weight)
        return weights

    # Mechanisms: output labels and one row per input of the given domain.

    def labels(self, outputs):
        return [str(y) for y in range(int(outputs))] if isinstance(outputs, str) else outputs

    def mechanism(self, m, domain):
        return getattr(self, "m_" + m["type"])(m, domain)

    @staticmethod
    def tuples(domain):
        return list(itertools.product(*(values for _, values in domain)))

    def m_matrix(self, m, domain):
        if "file" in m:
            with open(self.beside(m["file"]), newline="", encoding="utf-8") as file:
                return self.labels(m["outputs"]), [[self.number(t) for t in row] for row in csv.reader(file) if row]
        return self.labels(m["outputs"]), [[self.number(t) for t in row] for row in m["rows"]]

    def m_cases(self, m, domain):
        labels = self.labels(m["outputs"])
        rows = []
        for x in self.tuples(domain):
            values = {name: v for (name, _), v in zip(domain, x)}
            for case in m["cases"]:
                if all(values[c] in (v if isinstance(v, list) else [v]) for c, v in case["when"].items()):
                    rows.append([self.number(case["then"].get(y, "0")) for y in labels])
                    break
        return labels, rows

    def product(self, parts, domain):
        """parts: (labels, rows, coordinates)."""
        labels = ["(" + ",".join(t) + ")" for t in itertools.product(*(p[0] for p in parts))]
        rows = []
        for x in self.tuples(domain):
            row = [ONE]
            for _, part_rows, coordinates in parts:
                own = self.tuples([domain[i] for i in coordinates]).index(tuple(x[i] for i in coordinates))
                row = [a * b for a in row for b in part_rows[own]]
            rows.append(row)
        return labels, rows

    def m_per_coordinate(self, m, domain):
        names = [name for name, _ in domain]
        parts = [(*self.mechanism(part, [domain[i]]), [i]) for i, part in by_coordinate(m["mechanisms"], names)]
        return self.product(parts, domain)

    def m_on(self, m, domain):
        names = [name for name, _ in domain]
        coordinates = [names.index(c) for c in m["coordinates"]]
        part = self.mechanism(m["mechanism"], [domain[i] for i in coordinates])
        return part[0], self.product([(*part, coordinates)], domain)[1]

    def m_compose(self, m, domain):
        everything = list(range(len(domain)))
        return self.product([(*self.mechanism(part, domain), everything) for part in m["mechanisms"]], domain)

    def m_repeat(self, m, domain):
        part = (*self.mechanism(m["mechanism"], domain), list(range(len(domain))))
        return self.product([part] * int(m["times"]), domain)

    def independent_parts(self, m, domain):
        """(labels, rows, coordinates) of each part of a mechanism made of independent parts; None for other
        mechanisms."""
        kind, everything = m["type"], list(range(len(domain)))
        if kind in ("unary_encoding", "rappor"):
            return [(labels, rows, everything) for labels, rows in self.single_bits(m, domain)]
        inner = {"compose": lambda: [(part, everything) for part in m["mechanisms"]],
                 "repeat": lambda: [(m["mechanism"], everything)] * int(m["times"]),
                 "per_coordinate": lambda: [(part, [i]) for i, part in by_coordinate(m["mechanisms"], [name for name, _ in domain])],
                 "on": lambda: [(m["mechanism"], [[name for name, _ in domain].index(c) for c in m["coordinates"]])]}
        if kind not in inner:
            return None
        parts = []
        for part, coordinates in inner[kind]():
            own = [domain[i] for i in coordinates]
            found = self.independent_parts(part, own) or [(*self.mechanism(part, own), list(range(len(own))))]
            parts += [(labels, rows, [coordinates[i] for i in places]) for labels, rows, places in found]
        return parts

    @staticmethod
    def counts_of_reports(kept, labels, reports, times):
        """kept[x][b], reports[b][y]: processes report after report, merging sequences with equal counts."""
        given = []
        for row in reports:
            sums = {(0,) * len(labels): ONE}
            for _ in range(times):
                longer = {}
                for key, share in sums.items():
                    for y, p in enumerate(row):
                        more = key[:y] + (key[y] + 1,) + key[y + 1:]
                        longer[more] = longer.get(more, ZERO) + share * p
                sums = longer
            given.append(sums)
        keys = sorted(given[0], reverse=True)
        return keys, [[sum((share * sums[key] for share, sums in zip(row, given)), ZERO) for key in keys] for row in kept]

    def m_memoized(self, m, domain):
        parts = self.memoized_parts(m, domain)
        labels, rows = self.product(parts, domain)
        return labels if len(parts) > 1 else parts[0][0], rows

    def memoized_parts(self, m, domain):
        """(labels, rows, coordinates), of independent parts if there are several."""
        times, kept = int(m["times"]), self.independent_parts(m["permanent"], domain)
        if kept is None:
            answers = [("answer", self.mechanism(m["permanent"], domain)[0])]
        else:
            answers = [("answer" + (str(k + 1) if len(kept) > 1 else ""), part[0]) for k, part in enumerate(kept)]

        def named(part, labels, reports):
            keys, rows = self.counts_of_reports(part, labels, reports, times)
            return ["{" + ",".join(f"{y}:{n}" for y, n in zip(labels, key)) + "}" for key in keys], rows
        seen = self.independent_parts(m["report"], answers)
        if kept and len(kept) > 1 and seen and sorted(places for *_, places in seen) == [[k] for k in range(len(kept))]:
            parts = []
            for k, (_, rows, coordinates) in enumerate(kept):
                labels, reports = next((labels, reports) for labels, reports, places in seen if places == [k])
                parts.append((*named(rows, labels, reports), coordinates))
            return parts
        labels, reports = self.mechanism(m["report"], answers)
        if kept and len(kept) == 1 and not seen:
            return [(*named(kept[0][1], labels, reports), kept[0][2])]
        if kept and len(kept) == 1 and [places for *_, places in seen] == [[0]]:
            return [(*named(kept[0][1], *seen[0][:2]), kept[0][2])]
        return [(*named(self.mechanism(m["permanent"], domain)[1], labels, reports), list(range(len(domain))))]

    def m_adaptive(self, m, domain):
        first, first_rows = self.mechanism(m["first"], domain)
        labels, rows = [], [[] for _ in first_rows]
        for y, label in enumerate(first):
            then, then_rows = self.mechanism(m["then"][label], domain)
            labels += [f"({label},{z})" for z in then]
            for x, row in enumerate(then_rows):
                rows[x] += [first_rows[x][y] * q for q in row]
        return labels, rows

    @staticmethod
    def merged(columns, inputs):
        """columns: (label, column); equal labels are summed."""
        labels, sums = [], {}
        for label, column in columns:
            if label not in sums:
                labels.append(label)
                sums[label] = [ZERO] * inputs
            sums[label] = [a + b for a, b in zip(sums[label], column)]
        return labels, [[sums[y][x] for y in labels] for x in range(inputs)]

    def m_mixture(self, m, domain):
        columns = []
        for weight, part in zip(m["weights"], m["mechanisms"]):
            labels, rows = self.mechanism(part, domain)
            for y, label in enumerate(labels):
                columns.append((label, [self.number(weight) * row[y] for row in rows]))
        return self.merged(columns, len(self.tuples(domain)))

    def m_post_process(self, m, domain):
        labels, rows = self.mechanism(m["mechanism"], domain)
        if "map" in m:
            return self.merged([(m["map"][y], [row[k] for row in rows]) for k, y in enumerate(labels)], len(rows))
        new = self.labels(m["outputs"])
        kernel = [[self.number(t) for t in row] for row in m["rows"]]
        return new, [[sum((row[y] * kernel[y][z] for y in range(len(row))), ZERO) for z in range(len(new))] for row in rows]

    def m_file(self, m, domain):
        other = Spec(self.beside(m["file"]))
        return other.outputs, other.rows

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
        levels = self.coordinate_levels(claim["epsilon"], claim.get("known", []))
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
        everything = list(range(len(self.domain)))
        if kind == "coordinate":
            return [pair for i in everything for pair in self.differing([i])]
        if kind == "record" and "records" in claim:
            names = [name for name, _ in self.domain]
            return [pair for r in claim["records"] for pair in self.differing([names.index(c) for c in r])]
        return self.all_pairs()

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
        return self.worst(self.compared_pairs(claim))

    def compared_pairs(self, claim):
        """The pairs of inputs that block_ldp and high_low_ldp compare."""
        place = {x: index for index, x in enumerate(self.inputs)}
        if claim["notion"] == "block_ldp":
            blocks = [[place[tuple(x)] for x in block] for block in self.blocks_of(claim["blocks"], self.domain)]
            return [pair for block in blocks for pair in self.all_pairs(block)]
        return [(place[tuple(x)], b) for x in claim["sensitive"] for b in range(len(self.inputs))]

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
            bounds = {pair: self.level(claim["epsilon"][pair[0]][pair[1]]) for pair in self.all_pairs()}
            return all(a == b or bound is INFINITE or same(self.worst([(a, b)]), bound) for (a, b), bound in bounds.items())
        if notion == "approximate_dp":
            return self.delta(self.neighbor_pairs(claim), self.level(claim["epsilon"])) == self.number(claim["delta"])
        if notion == "information":
            return averages.above(self, claim) == 0
        return same(self.measured(claim), self.level(claim["epsilon"]))

    def holds(self, claim):
        notion, eps = claim["notion"], claim.get("epsilon")
        if notion == "zcdp":
            return concentrated.holds(self, claim)
        if notion == "ldp":
            return at_most(self.ldp(), self.level(eps))
        if notion == "bdp":
            return at_most(self.bdp(), self.level(eps))
        if notion == "cdp":
            return all(at_most(self.cdp(i), e) for i, e in self.coordinate_levels(eps).items())
        if notion == "bcdp":
            return all(at_most(true, e) for true, e in self.bcdp_levels(claim).values())
        if notion in ("secret", "bayes_leakage"):
            return at_most(self.measured(claim), self.level(eps))
        if notion == "information":
            return averages.above(self, claim) <= 0
        if notion == "approximate_bcdp":
            return self.approximate_bcdp(claim) <= self.number(claim["delta"])
        if notion == "context_ldp":
            return self.pairs_hold({(a, b): self.level(eps[a][b]) for a, b in self.all_pairs()})
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
