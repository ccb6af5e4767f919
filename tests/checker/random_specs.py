"""Seeded random specs: zeros, values without mass, one-value coordinates, ties, entries in K, symbols, tight claims at
the true level, every prior, mechanism and notion.

Of several drafts, the one with most new pairs of features is kept (features.py): wrong verdicts occur where two rare
features meet.
"""
import itertools
import json
import math
import os
import random
import re
from fractions import Fraction

import at_level
import divergence_notions
from features import Coverage
from scopes import known_of

DRAFTS = 25


class Generator:
    def __init__(self, seed, folder, symbols=True, sums=False):
        """sums: all specs have symbols, and claim notions that are conditions on sums of probabilities."""
        self.r, self.folder, self.symbols, self.sums = random.Random(seed), folder, symbols, sums
        self.coverage = Coverage()

    def write(self, index):
        drafts = [self.draft(f"random-{index}") for _ in range(DRAFTS)]
        spec, self.files = max(drafts, key=lambda draft: self.coverage.gain(*draft))
        path = os.path.join(self.folder, f"random-{index:04}.json")
        for name, text in {os.path.basename(path): json.dumps(spec), **self.files}.items():
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.coverage.add(spec, self.files)
        if any("true" in (claim.get("epsilon"), claim.get("delta"), claim.get("rho"), claim.get("at_most"), claim.get("mu")) for claim in spec["claims"]) or any(claim.get("protected") == "true" for claim in spec["claims"]):
            at_level.put(path, spec, self.r)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(spec, file)
        return path

    def draft(self, name):
        self.files = {}
        kind = 0.3 if self.sums else self.r.random()
        self.exp, self.ranges = kind < 0.25, {}
        if self.symbols and 0.25 <= kind < 0.5:
            self.ranges = self.r.choice([{"t": {"gt": "1"}}, {"t": {"ge": "1", "le": "3"}}, {"p": {"ge": "0", "le": "1"}},
                                         {"p": {"gt": "0", "lt": "1"}}, {"p": {"ge": "0", "lt": "1"}, "t": {"gt": "1"}}])
            self.exp = self.r.random() < 0.15
        return self.spec(name), self.files

    def spec(self, name):
        r = self.r
        self.name = name
        while True:
            sizes = [r.choice([1, 2, 2, 2, 3, 4]) for _ in range(r.randint(1, 5))]
            inputs = 1
            for size in sizes:
                inputs *= size
            if inputs <= (4 if self.ranges else 8 if self.exp else 32):
                break
        self.domain = [(f"x{i}", [str(v) for v in range(size)]) for i, size in enumerate(sizes)]
        self.inputs = list(itertools.product(*(values for _, values in self.domain)))
        self.hidden = r.sample(self.inputs, r.randint(1, len(self.inputs)))
        spec = {"oddsbound": 1, "name": name, "domain": []}
        for coordinate, values in self.domain:
            spec["domain"].append({"name": coordinate, "size": len(values)} if r.random() < 0.3
                                  else {"name": coordinate, "values": values})
        # A single level makes a claim about all remaining coordinates.
        self.public = r.sample([c for c, _ in self.domain], r.randint(0, len(self.domain) - 1)) if r.random() < 0.2 else []
        for coordinate in spec["domain"]:
            if coordinate["name"] in self.public:
                coordinate["public"] = True
        if self.exp:
            spec["parameters"] = {"e": "exp(eps)", "eps": "1/2"}
        if self.ranges:
            spec["symbols"] = self.ranges
        if r.random() < 0.9:
            spec["prior"] = self.prior()
            self.leave_values_open(spec)
        spec["mechanism"] = self.mechanism(self.domain, 2)
        claim = self.claim_of_sums if self.sums else self.claim
        spec["claims"] = [claim("prior" in spec, spec["mechanism"]) for _ in range(r.randint(1, 4))]
        if '"best"' in json.dumps(spec["mechanism"]):  # no spec names such outputs (checker: families.py)
            for claim in spec["claims"]:
                claim.pop("protected", None)
        return spec

    def leave_values_open(self, spec):
        """Values that the prior's table has in the same order need not be listed."""
        for coordinate, (_, values) in zip(spec["domain"], self.domain):
            if spec["prior"]["type"] == "csv" and len(values) > 1 and self.r.random() < 0.4:
                coordinate.pop("size", None)
                coordinate["values"] = "from prior"

    def missing_cells(self, prior):
        """States the rule for missing cells, and returns rows that have some."""
        r = self.r
        kind = r.choice(["none", "drop", "as", "value"])
        if kind == "none":
            return []
        prior["missing"] = {"as": "0"} if kind == "as" else kind
        # A value that is marked as missing is a declared value if it is declared, otherwise a separate one.
        prior["missing_cells"] = ["0"] if kind == "value" else ["?"]
        if kind == "value":
            return []
        return [",".join([str(r.choice([0, 3]))] + [r.choice(["", "?", value]) for value in r.choice(self.inputs)])
                for _ in range(r.randint(0, 3))]

    def distribution(self, size, exp=False):
        r = self.r
        while True:
            weights = [0 if r.random() < 0.25 else r.randint(1, 9) for _ in range(size)]
            if sum(weights):
                break
        if r.random() < 0.2:
            weights = [1] * size
        if exp and self.ranges and r.random() < 0.7:
            return self.symbolic(weights)
        if exp and self.exp and r.random() < 0.5:
            terms = [f"{w}*e" if w and r.random() < 0.4 else str(w) for w in weights]
            total = "(" + "+".join(terms) + ")"
            return [f"{t}/{total}" for t in terms]
        if r.random() < 0.2 and 10 % sum(weights) == 0:
            return [float(Fraction(w, sum(weights))) for w in weights]
        return [str(Fraction(w, sum(weights))) for w in weights]

    def symbolic(self, weights):
        """The same with a symbol: t times a weight, or p of the whole for one place."""
        r, name = self.r, self.r.choice(list(self.ranges))
        places = [k for k, w in enumerate(weights) if w]
        if name == "t" or len(places) == 1:
            terms = [f"{w}*t" if w and name == "t" and r.random() < 0.5 else str(w) for w in weights]
            total = "(" + "+".join(terms) + ")"
            return [f"{t}/{total}" for t in terms]
        place = r.choice(places)
        rest = sum(weights) - weights[place]
        return ["p" if k == place else f"(1-p)*{w}/{rest}" for k, w in enumerate(weights)]

    @staticmethod
    def perhaps_published(prior, number):
        """Publication of a table changes no exact level. It is derived from the table's number, not drawn."""
        if number % 3:
            prior["published"] = number % 3 == 1

    def prior(self, depth=1):
        r = self.r
        kinds = ["uniform", "probabilities", "counts", "counts", "csv", "product", "network"]
        if depth:
            kinds.append("mixture")
        if len({len(values) for _, values in self.domain}) == 1:
            kinds.append("diagonal")
        kind = r.choice(kinds)
        p = {"type": kind}
        if kind == "probabilities":
            p["probabilities"] = self.distribution(len(self.inputs), bool(self.ranges))
        elif kind == "counts":
            p["counts"] = [r.choice([0, 0, r.randint(1, 50), r.randint(1, 5)]) for _ in self.inputs]
            p["counts"][r.randrange(len(self.inputs))] = 3
            self.perhaps_published(p, sum(p["counts"]))
        elif kind == "csv":
            p.update(file=f"{self.name}-{r.randrange(10**9)}.csv", columns={c: "col " + c for c, _ in self.domain}, count="n")
            rows = [",".join(["n"] + ["col " + c for c, _ in self.domain])]
            for x in self.inputs:
                rows.append(",".join([str(r.choice([0, 2, 7]))] + [f'"{v}"' for v in x]))
            rows.append(",".join(["5"] + list(r.choice(self.inputs))))
            rows += self.missing_cells(p)
            # No cell of these tables has a comma. No draw: it would change all later specs.
            separator = p["separator"] = (",", ";", "\t")[len(rows) % 3]
            self.files[p["file"]] = "\n".join(rows).replace(",", separator) + "\n"
            self.perhaps_published(p, len(rows))
        elif kind == "product":
            p["marginals"] = {c: self.distribution(len(values), bool(self.ranges)) for c, values in self.domain}
        elif kind == "mixture":
            count = r.randint(1, 3)
            p.update(weights=self.distribution(count), components=[self.prior(depth - 1) for _ in range(count)])
        elif kind == "diagonal":
            p["marginal"] = self.distribution(len(self.domain[0][1]))
        elif kind == "network":
            order = list(range(len(self.domain)))
            r.shuffle(order)
            p["nodes"] = []
            for place, i in enumerate(order):
                parents = r.sample(order[:place], min(place, r.randint(0, 2)))
                rows = 1
                for j in parents:
                    rows *= len(self.domain[j][1])
                p["nodes"].append({"coordinate": self.domain[i][0], "parents": [self.domain[j][0] for j in parents],
                                   "table": [self.distribution(len(self.domain[i][1])) for _ in range(rows)]})
            r.shuffle(p["nodes"])
        return p

    def level(self):
        symbolic = ["log(t)", "log(t)", "2*log(t)", "log(t*3/2)"] if "t" in self.ranges else ["log(1+p)"] if self.ranges else []
        return self.r.choice(["0", "log(3)", "log(2)", "log(5/4)", "inf"] + symbolic +
                             (["1/2", "eps", "eps + log(2)"] if self.exp else []))

    def mechanism(self, domain, depth, outputs=None):
        r = self.r
        inputs = list(itertools.product(*(values for _, values in domain)))
        if outputs is None and len(inputs) <= 6 and r.random() < 0.35 and not self.ranges:
            return self.family(domain, inputs)
        simple = ["matrix", "matrix", "cases", "k_randomized_response", "file"]
        nested = ["per_coordinate", "on", "compose", "repeat", "memoized", "cascade", "adaptive", "mixture", "post_process", "function"]
        if len(inputs) <= 6:
            nested.append("public")
        kind = r.choice(simple if depth == 0 or outputs else simple + nested)
        if len(inputs) > 8 and kind == "k_randomized_response":
            kind = "matrix"
        m = {"type": kind}
        if kind in ("matrix", "file"):
            labels = outputs or r.choice([r.randint(1, 4), [f"o{k}" for k in range(r.randint(1, 4))]])
            count = labels if isinstance(labels, int) else len(labels)
            rows = [self.distribution(count, kind != "file" or not self.ranges) for _ in inputs]
            if r.random() < 0.5:
                rows = [r.choice(rows) for _ in rows]
            if outputs is None and not self.ranges and r.random() < 0.2:
                labels, rows = self.revealing(inputs, rows)
            m = {"type": "matrix", "outputs": labels, "rows": rows}
            if kind == "matrix" and r.random() < 0.15:
                name = f"{self.name}-rows-{r.randrange(10**9)}.csv"
                self.files[name] = "\n".join(",".join(map(str, row)) for row in m.pop("rows")) + "\n"
                m["file"] = name
            if kind == "file":
                name = f"{self.name}-part-{r.randrange(10**9)}.spec"
                other = {"oddsbound": 1, "name": "part", "mechanism": m,
                         "domain": [{"name": c, "values": values} for c, values in domain]}
                if self.exp:
                    other["parameters"] = {"e": "exp(1/2)"}
                self.files[name] = json.dumps(other)
                m = {"type": "file", "file": name}
        elif kind == "cases":
            labels = outputs or ["a", "b", "c"]
            m["outputs"], m["cases"] = labels, []
            for _ in range(r.randint(0, 3)):
                c, values = r.choice(domain)
                when = {c: r.choice([r.choice(values), r.sample(values, r.randint(1, len(values)))])}
                m["cases"].append({"when": when, "then": dict(zip(labels, self.distribution(len(labels), True)))})
            m["cases"].append({"when": {}, "then": dict(zip(labels, self.distribution(len(labels), True)))})
        elif kind == "k_randomized_response":
            m["epsilon"] = self.level()
        elif kind == "per_coordinate":
            chosen = r.sample(domain, r.randint(1, min(3, len(domain))))
            m["mechanisms"] = {c: self.mechanism([(c, values)], 0) for c, values in chosen}
            if r.random() < 0.2:
                # The others are excluded by name, or these are all that is left.
                m["mechanisms"] = {"*": {"type": "k_randomized_response", "epsilon": self.level()},
                                   **{c: "not released" for c, _ in domain if c not in m["mechanisms"]}}
        elif kind == "on":
            chosen = r.sample(domain, r.randint(1, len(domain)))
            m.update(coordinates=[c for c, _ in chosen], mechanism=self.mechanism(chosen, depth - 1))
        elif kind == "compose":
            m["mechanisms"] = [self.mechanism(domain, 0) for _ in range(r.randint(1, 2))]
        elif kind == "repeat":
            m.update(mechanism=self.mechanism(domain, 0), times=r.randint(1, 2))
        elif kind == "memoized":
            m.update(self.memoized(domain, inputs))
        elif kind == "cascade":
            m.update(self.cascade(domain, inputs))
        elif kind == "function":
            m.update(self.function(domain))
        elif kind == "public":
            seeds = r.randint(1, 3 if len(inputs) <= 4 else 2)
            m.update(seeds=seeds, mechanism=self.mechanism([("seed", [str(s) for s in range(seeds)]), *domain], 0))
        elif kind == "adaptive":
            labels = ["p", "q"]
            m["first"] = self.mechanism(domain, 0, labels)
            m["first"] = m["first"] if m["first"]["type"] in ("matrix", "cases") else {
                "type": "matrix", "outputs": labels, "rows": [self.distribution(2) for _ in inputs]}
            m["then"] = {y: self.mechanism(domain, 0) for y in labels}
        elif kind == "mixture":
            parts = []
            for _ in range(r.randint(1, 3)):
                labels = r.sample(["a", "b", "c", "d"], r.randint(1, 3))
                parts.append({"type": "matrix", "outputs": labels, "rows": [self.distribution(len(labels), True) for _ in inputs]})
            m.update(weights=self.distribution(len(parts)), mechanisms=parts)
        else:
            labels = ["a", "b", "c"]
            m["mechanism"] = {"type": "matrix", "outputs": labels, "rows": [self.distribution(3, True) for _ in inputs]}
            if r.random() < 0.5:
                m["map"] = {y: r.choice(["u", "v"]) for y in labels}
            else:
                m.update(outputs=2, rows=[self.distribution(2) for _ in labels])
        return m

    def memoized(self, domain, inputs):
        """A permanent mechanism as a whole or by parts, and reports of the whole or of each part."""
        r = self.r

        def matrix(given, outputs):
            rows = [self.distribution(len(outputs), True) for _ in range(given)]
            return {"type": "matrix", "outputs": outputs, "rows": rows}
        times, labels = r.randint(1, 3), [["a", "b"], ["a", "b", "c:1,a"]]
        kind = r.choice(["whole", "whole", "parts", "bits"])
        if kind == "bits" and len(inputs) <= 2 and not self.ranges:
            kept = {"type": "unary_encoding", "epsilon": self.level()}
            answers = [["0", "1"]] * len(inputs)
        elif kind == "parts":
            chosen = sorted(r.sample(domain, r.randint(1, min(2, len(domain)))), key=domain.index)
            answers = [r.choice(labels[:1]) for _ in chosen]
            kept = {"type": "per_coordinate", "mechanisms": {c: matrix(len(v), y) for (c, v), y in zip(chosen, answers)}}
        else:
            answers = [r.choice(labels)]
            kept = matrix(len(inputs), answers[0])
        if len(answers) > 1 and r.random() < 0.7:
            report = {"type": "per_coordinate", "mechanisms": {f"answer{k + 1}": matrix(len(y), ["u", "v"])
                                                               for k, y in enumerate(answers)}}
        else:
            count = 1
            for y in answers:
                count *= len(y)
            report = matrix(count, r.choice([["u", "v"], ["u", "v:1,u", "w"]]))
        return {"permanent": kept, "report": report, "times": times}

    def cascade(self, domain, inputs):
        """Stages as those of a memoized mechanism, or a second stage with inputs of its own."""
        r = self.r
        if r.random() < 0.6:
            stages = self.memoized(domain, inputs)
            return {"first": stages["permanent"], "second": stages["report"]}
        labels = ["a", "b", "c"]
        names = r.sample(labels + ["never"], 4) if r.random() < 0.5 else r.sample(labels, 3)
        return {"first": {"type": "matrix", "outputs": labels, "rows": [self.distribution(3, True) for _ in inputs]},
                "inputs": names, "second": {"type": "matrix", "outputs": ["u", "v"], "rows": [self.distribution(2, True) for _ in names]}}

    def function(self, domain):
        """A function of parts with numbers as labels."""
        r = self.r
        labels = r.choice([["0", "1"], ["0", "1", "3"], ["-1/2", "0.25", "1"], ["2"]])

        def matrix(given):
            size = 1
            for _, values in given:
                size *= len(values)
            return {"type": "matrix", "outputs": labels, "rows": [self.distribution(len(labels), True) for _ in range(size)]}
        kind = r.choice(["repeat", "repeat", "compose", "per_coordinate", "matrix"])
        if kind == "repeat":
            mechanism = {"type": kind, "mechanism": matrix(domain), "times": r.randint(1, 3)}
        elif kind == "compose":
            mechanism = {"type": kind, "mechanisms": [matrix(domain) for _ in range(r.randint(1, 3))]}
        elif kind == "per_coordinate":
            mechanism = {"type": kind, "mechanisms": {c: matrix([(c, v)]) for c, v in r.sample(domain, r.randint(1, min(3, len(domain))))}}
        else:
            mechanism = matrix(domain)
        count = {"count": r.choice([r.choice(labels), r.sample(labels, r.randint(1, len(labels)))])}
        base = r.choice(["sum", "max", "min", "argmax", count])
        if r.random() < 0.3 and base != "argmax":
            base = {"at_least": r.choice([1, "1/2", 0, 2]), "of": base}
        elif r.random() < 0.2 and base in ("max", "argmax"):
            base = {"one_of": ["0"] if base == "argmax" else [str(max(Fraction(label) for label in labels))], "of": base}
        elif kind == "matrix" and r.random() < 0.3:
            base = {"one_of": r.sample(labels, r.randint(1, len(labels)))}
        return {"mechanism": mechanism, "function": base}

    def family(self, domain, inputs):
        """A family that fits the domain, kept small."""
        r, k = self.r, len(inputs)
        level = self.level()
        finite = r.choice(["0", "log(3)", "log(2)", "log(9/4)"] + (["1/2", "1", "eps"] if self.exp else []))
        square = r.choice(["0", "log(4)", "2*log(3)", "inf"] + (["1", "1 + log(9)"] if self.exp else []))
        kinds = ["hadamard_response", "high_low_hadamard_response", "block_hadamard_response", "truncated_geometric",
                 "exponential_mechanism", "permute_and_flip", "subset_selection", "longitudinal_grr"]
        if k == 2:
            kinds.append("optimal_binary")
        if k <= 4:
            kinds += ["unary_encoding", "rappor", "longitudinal_unary_encoding"]
        if k <= 5:
            kinds.append("d_bit_flip")
        if len(domain) == 1 and k <= 6:
            kinds.append("optimal_partition_selection")
        if k <= 4 and self.exp and all(re.fullmatch("-?[0-9]+", v) for _, values in domain for v in values):
            kinds += ["report_noisy_max", "above_threshold"] * 2
        if k <= 3 and not self.exp:
            kinds.append("optimized_local_hashing")
        if k <= 3 and self.exp:
            kinds += ["discrete_laplace_truncated", "discrete_laplace_clamped", "discrete_laplace_wrapped", "discrete_gaussian_truncated",
                      "discrete_gaussian_wrapped"]
        if k <= 6:
            kinds.append("bcdp_steps")
        if all(len(values) == 2 for _, values in domain):
            kinds += ["duchi_hypercube", "duchi_hypercube"] + (["bcdp_mean", "bcdp_mean"] if len(domain) <= 3 else [])
        kind = r.choice(kinds)
        m = {"type": kind, "epsilon": level}
        if kind == "optimal_binary":
            m = {"type": kind, "epsilon_12": level, "epsilon_21": self.level()}
        elif kind == "high_low_hadamard_response":
            m["sensitive"] = [list(x) for x in r.sample(inputs, r.randint(1, k))]
        elif kind == "block_hadamard_response":
            if r.random() < 0.4:
                m["blocks"] = r.sample([c for c, _ in domain], r.randint(1, len(domain)))
            else:
                groups = {}
                for x in inputs:
                    groups.setdefault(r.randint(0, 2), []).append(list(x))
                m["blocks"] = list(groups.values())
        elif kind == "subset_selection" and r.random() < 0.7:
            m["size"] = r.randint(1, max(1, k - 1))
        elif kind == "unary_encoding" and r.random() < 0.6:
            m["variant"] = r.choice(["symmetric", "optimized"])
            m["epsilon"] = square if m["variant"] == "symmetric" else level
        elif kind == "rappor":
            m = {"type": kind, **{name: r.choice(["0", "1/4", "1/2", "3/4", "1"]) for name in "fpq"}}
            if k <= 3 and r.random() < 0.5:
                m["times"] = r.randint(1, 3 if k <= 2 else 2)
        elif kind == "d_bit_flip":
            m.update(epsilon=square, bits=r.randint(1, min(k, 2)))
        elif kind.startswith("longitudinal"):
            m = {"type": kind, "epsilon": r.choice(["log(9)", "log(4)", "inf"]), "first": r.choice(["0", "log(4)", "2*log(2)"])}
            if k <= 3 and r.random() < 0.5:
                m["times"] = r.randint(1, 2)
            if kind != "longitudinal_grr" and r.random() < 0.6:
                m["variant"] = r.choice(["osue", "sue", "oue"])
                if m["variant"] == "oue":
                    m["q"] = "1/4"
                    del m["first"]
        elif kind == "report_noisy_max":
            m = {"type": kind, "scale": r.choice(["1", "1/2"])}
        elif kind == "above_threshold":
            m = {"type": kind, "threshold": r.randint(-1, 2), "threshold_scale": r.choice(["1", "1/2"]), "query_scale": "1"}
            if r.random() < 0.5:
                m["answers"] = r.randint(1, len(domain))
        elif kind == "optimal_partition_selection":
            m = {"type": kind, "epsilon": finite, "delta": r.choice(["0", "1/10", "1/3", "1"])}
        elif kind == "optimized_local_hashing":
            m["epsilon"] = finite
            if r.random() < 0.6:
                m.update(epsilon=level, buckets=r.randint(2, 4))
        elif kind.startswith("discrete"):
            m = {"type": kind, "scale" if "laplace" in kind else "variance": r.choice(["1", "2", "1/2"])}
            if kind == "discrete_gaussian_wrapped":
                m["reach"] = r.randint(0, 4)
            if r.random() < 0.6:
                m.update(least=-r.randint(0, 1), greatest=k - 1 + r.randint(0, 1))
        elif kind in ("exponential_mechanism", "permute_and_flip"):
            count = r.randint(1, 3)
            m.update(epsilon=square if square != "inf" else "0", outputs=count,
                     utility=[[r.randint(0, 2) for _ in range(count)] for _ in inputs])
            if r.random() < 0.4:
                m["sensitivity"] = r.choice(["1", "2"])
            if m.get("sensitivity") != "1" and not ("sensitivity" not in m and max(map(max, m["utility"])) == 1):
                m["sensitivity"] = "1"
        elif kind == "bcdp_mean":
            m["delta"] = {c: r.choice(["log(4)", "log(9)", "log(16)", "inf"]) for c, _ in domain}
            m.update(epsilon=r.choice(["log(4)", "log(9)"]), q=r.choice(["0", "1/4", "1/2", "1"]), zeta=r.choice(["1/2", "1", "best"]))
            if r.random() < 0.3:
                m["delta"] = "log(9)"
            if len(domain) <= 2 and r.random() < 0.3:
                m["copies"] = 2
            if r.random() < 0.5:
                names = [c for c, _ in domain]
                m["q"] = {c: r.choice(["0", "1/4", "1/2", "3/4", "1"]) for c in r.sample(names, r.randint(1, len(names)))}
        elif kind == "bcdp_steps":
            names = [c for c, _ in domain]
            m = {"type": kind, "delta": {c: r.choice(["log(4)", "log(9)", "log(16)", "0"]) for c in names}, "epsilon": r.choice(["log(4)", "log(9)"]),
                 "q": r.choice(["0", "1/4", "1/2", "1"]), "zeta": r.choice(["1/2", "1"]), "mechanism": {"type": "k_randomized_response"}}
            if r.random() < 0.4:
                m["q"] = {c: r.choice(["0", "1/4", "1/2", "1"]) for c in r.sample(names, r.randint(1, len(names)))}
            if r.random() < 0.5:
                m["mechanism"] = r.choice([{"type": "hadamard_response"}, {"type": "subset_selection", "size": 1}] + ([{"type": "unary_encoding"}] if k <= 4 else []))
            if all(len(values) == 2 for _, values in domain) and r.random() < 0.3:
                m["mechanism"] = {"type": "duchi_hypercube"}
        return m

    def coordinate_levels(self, everything=False):
        r = self.r
        if r.random() < 0.3:
            return self.level()
        names = [c for c, _ in self.domain]
        chosen = names if everything else r.sample(names, r.randint(1, len(names)))
        return {c: self.level() for c in chosen}

    def partition(self):
        r = self.r
        groups = {}
        for x in self.inputs:
            groups.setdefault(r.randint(0, 2), []).append(list(x))
        return list(groups.values())

    def some_inputs(self):
        """Listed, or by a condition."""
        r = self.r
        if r.random() < 0.7:
            return [list(x) for x in r.sample(self.inputs, r.randint(1, len(self.inputs)))]
        chosen = r.sample(self.domain, r.randint(0, min(2, len(self.domain))))
        return {c: r.choice(values) if r.random() < 0.5 else r.sample(values, r.randint(1, len(values))) for c, values in chosen}

    def revealing(self, inputs, rows):
        """Adds outputs that one input has, which is not hidden."""
        r = self.r
        open_inputs = [k for k, x in enumerate(inputs) if tuple(x) not in self.hidden and r.random() < 0.7]
        rows = [r.choice(rows) for _ in rows] if r.random() < 0.5 else rows
        share = Fraction(1, r.choice([2, 4, 5]))
        kept = [[str(p) for p in row] + ["0"] * len(open_inputs) for row in rows]
        for place, k in enumerate(open_inputs):
            kept[k] = [f"({p})*({1 - share})" for p in rows[k]] + [str(share) if other == place else "0" for other in range(len(open_inputs))]
        return [f"o{y}" for y in range(len(rows[0]))] + [f"only {k}" for k in open_inputs], kept

    def records(self):
        groups = {}
        for c, _ in self.domain:
            groups.setdefault(self.r.randint(0, 1), []).append(c)
        return list(groups.values())

    def claim(self, has_prior, mechanism):
        r = self.r
        notions = ["ldp", "cdp", "block_ldp", "high_low_ldp", "partial_dp", "approximate_dp"]
        if not self.ranges:
            notions += [*r.sample(list(divergence_notions.BY_NAME), 4), "probabilistic_dp", "f_dp", "utility_optimized_ldp"]
        if len(self.inputs) <= 8:
            notions.append("context_ldp")
        if has_prior:
            notions += ["bdp", "bcdp", "bcdp", "secret", "approximate_bcdp"]
            notions += [r.choice(["bayes_leakage", "information", "maximal_leakage"])] * (not self.ranges)
            notions += [r.choice(["pointwise_maximal_leakage", "lower_lift", "local_information_privacy"]), "posterior"]
            notions += ["renyi_bcdp"] * (not self.ranges)
        if len(self.inputs) <= 4 and not self.exp and not self.ranges:
            notions.append("post_processing_of")
        notion = r.choice(notions)
        if notion == "post_processing_of":
            return self.post_processing_claim(mechanism)
        if notion in divergence_notions.BY_NAME:
            return divergence_notions.BY_NAME[notion].draw(self)
        if notion == "renyi_bcdp":
            return self.renyi_bcdp_claim()
        if notion == "posterior":
            return self.posterior_claim()
        if notion == "f_dp":
            return self.curve_claim()
        claim = {"notion": notion, "epsilon": self.level()}
        if notion in ("cdp", "bcdp"):
            claim["epsilon"] = self.coordinate_levels()
        elif notion == "secret":
            names = [c for c, _ in self.domain]
            claim["secret"] = (r.sample(names, r.randint(1, len(names))) if r.random() < 0.5
                               else {f"s{k}": group for k, group in enumerate(self.partition())})
        elif notion == "context_ldp":
            claim["epsilon"] = self.pair_levels()
        elif notion == "block_ldp":
            names = [c for c, _ in self.domain]
            claim["blocks"] = self.partition() if r.random() < 0.7 else r.sample(names, r.randint(1, len(names)))
        elif notion == "high_low_ldp":
            claim["sensitive"] = self.some_inputs()
        elif notion == "utility_optimized_ldp":
            claim["sensitive"] = [list(x) for x in self.hidden] if r.random() < 0.7 else self.some_inputs()
            if r.random() < 0.4:
                claim["protected"] = "true"
        elif notion == "partial_dp":
            claim["epsilon"] = self.coordinate_levels(True)
            if r.random() < 0.5:
                claim["records"] = self.records()
        elif notion in ("bayes_leakage", "information", "maximal_leakage"):
            if r.random() < 0.7:
                claim["coordinate"] = r.choice(self.domain)[0]
        elif notion in ("pointwise_maximal_leakage", "lower_lift", "local_information_privacy"):
            about = r.random()
            if about < 0.4:
                claim["coordinate"] = r.choice(self.domain)[0]
            elif about < 0.7:
                claim["secret"] = {f"s{k}": group for k, group in enumerate(self.partition())}
            if notion == "pointwise_maximal_leakage" and not self.ranges and r.random() < 0.6:
                claim["delta"] = r.choice(["0", "1/8", "1/4", 0.5, "1"])
                claim["epsilon"] = r.choice([self.level(), "log(6/5)", "0.2"])
        elif notion == "approximate_bcdp":
            claim["delta"] = r.choice(["0", "1/8", "1/4", 0.5, "1"])
            claim["coordinate"] = r.choice(self.domain)[0]
        elif notion in ("approximate_dp", "probabilistic_dp"):
            claim["delta"] = r.choice(["0", "1/4", 0.5, "1"])
            self.neighbors(claim)
        if not self.ranges and r.random() < 0.3:
            claim["delta" if "delta" in claim else "epsilon"] = "true"
        if notion in ("bcdp", "secret", "approximate_bcdp"):
            self.narrow(claim)
        if r.random() < 0.4:
            claim["tight"] = True
        if r.random() < 0.4:
            claim["expect"] = r.choice(["holds", "refuted"])
        if r.random() < 0.3:
            claim["name"] = "a claim"
        return claim

    def claim_of_sums(self, has_prior, mechanism):
        """Levels are those of the spec's symbols, since no draft knows the true ones."""
        r = self.r
        chosen = {notion.name: lambda notion=notion: notion.draw(self) for notion in divergence_notions.BY_NAME.values() if notion.has_polynomials}
        chosen["f_dp"] = self.curve_claim
        notion = r.choice(list(chosen) + ["probabilistic_dp", "utility_optimized_ldp"] + ["renyi_bcdp", "maximal_leakage", "bayes_leakage", "pointwise_maximal_leakage"] * has_prior)
        claim = (chosen[notion] if notion in chosen else self.renyi_bcdp_claim if notion == "renyi_bcdp" else lambda: {"notion": notion, "epsilon": self.level()})()
        if notion.startswith("renyi"):
            claim["order"] = r.choice([2, 2, 3])
        if notion == "probabilistic_dp":
            claim["delta"] = r.choice(["0", "1/4", 0.5, "1"])
            self.neighbors(claim)
        elif notion == "utility_optimized_ldp":
            claim["sensitive"] = self.some_inputs()
        elif notion == "pointwise_maximal_leakage":
            claim["delta"] = r.choice(["0", "1/8", "1/4", 0.5, "1"])
        if notion in ("maximal_leakage", "bayes_leakage", "pointwise_maximal_leakage") and r.random() < 0.7:
            claim["coordinate"] = r.choice(self.domain)[0]
        for key, value in (("epsilon", self.level()), ("delta", "1/4")):
            if claim.get(key) == "true":
                claim[key] = value
        if r.random() < 0.4:
            claim["tight"] = True
        return claim

    def posterior_claim(self):
        r = self.r
        claim = {"notion": "posterior", "at_most": "true" if not self.ranges and r.random() < 0.4 else r.choice(["0", "1/4", 0.5, "3/4", "9/10", "1"])}
        if r.random() < 0.5:
            claim["coordinate"], labels = r.choice(self.domain)
        elif r.random() < 0.5:
            claim["secret"] = {f"s{k}": group for k, group in enumerate(self.partition())}
            labels = list(claim["secret"])
        else:
            names = [c for c, _ in self.domain]
            claim["secret"] = r.sample(names, r.randint(1, len(names)))
            labels = [list(x) for x in itertools.product(*(dict(self.domain)[c] for c in claim["secret"]))]
        claim["values"] = r.sample(labels, 1 if r.random() < 0.6 else r.randint(1, len(labels)))
        if r.random() < 0.4:
            claim["tight"] = True
        if r.random() < 0.4:
            claim["expect"] = r.choice(["holds", "refuted"])
        return claim

    def renyi_bcdp_claim(self):
        r = self.r
        claim = {"notion": "renyi_bcdp", "order": r.choice([2, 2, 3, 5] if self.exp else [2, 2, 3, 4, 11, 60])}
        claim["epsilon"] = "true" if r.random() < 0.4 else r.choice(["0", "inf", "0.3", "1/7", "log(11/7)", "0.04"])
        if r.random() < 0.6:
            claim["coordinate"] = r.choice(self.domain)[0]
        else:
            claim["secret"] = {f"s{k}": group for k, group in enumerate(self.partition())}
        self.narrow(claim)
        if r.random() < 0.4:
            claim["tight"] = True
        return claim

    def curve_claim(self):
        r = self.r
        curves = [[["0", "1"], ["1", "0"]], [["0", 1], ["1/4", "1/4"], [1, "0"]], [["0", "3/4"], ["1/2", "1/8"], ["1", "0"]], [["0", 0.5], ["1/3", "0"], ["1", "0"]],
                  [["0", "9/10"], ["1/8", "1/2"], ["1/2", "1/5"], ["3/4", "1/20"], ["1", "0"]], [["0", "0"], ["1", "0"]]]
        claim = {"notion": "f_dp", "f": r.choice(curves)}
        if r.random() < 0.6:
            claim["delta"] = "true" if r.random() < 0.5 else r.choice(["0", "1/8", "1/3"])
        self.neighbors(claim)
        if r.random() < 0.4:
            claim["expect"] = r.choice(["holds", "refuted"])
        if r.random() < 0.4:
            claim["tight"] = True
        return claim

    def divergence(self, claim, key):
        """The levels of a divergence, and the neighbors."""
        r = self.r
        levels = ["0", "inf", "0.3", "1/7", "log(11/7)", "0.04"]
        claim[key] = "true" if r.random() < 0.4 else r.choice(levels)
        if r.random() < 0.3:
            names = [c for c, _ in self.domain]
            claim[key] = {c: r.choice(levels) for c in r.sample(names, r.randint(1, len(names)))}
        else:
            self.neighbors(claim)
        if r.random() < 0.4:
            claim["expect"] = r.choice(["holds", "refuted"])

    def pair_levels(self):
        """Levels of pairs of inputs: a matrix, a table, by distance, or the smaller of two."""
        r, names = self.r, [c for c, _ in self.domain]
        form = r.choice(["matrix", "matrix", "matrix", "matrix of some", "file", "metric", "metric", "min_of"])
        if form == "matrix of some":
            of = r.sample(names, r.randint(1, len(names)))
            size = math.prod(len(own) for name, own in self.domain if name in of)
            if size <= 40:
                return {"matrix": [[self.level() for _ in range(size)] for _ in range(size)], "of": of}
            form = "matrix"
        if form == "metric":
            found = {**self.relation(names, listed=False), "epsilon": r.choice([level for level in (self.level(), self.level()) if level != "inf"] or ["log(2)"])}
            found.pop("at_most")
            return found
        if form == "min_of":
            levels = ["0", "log(3)", "log(2)", "log(5/4)", "inf"] if self.ranges else [self.level() for _ in range(5)]
            own = [r.choice(levels) for _ in self.inputs]
            return {"min_of": dict(zip(self.domain[0][1], own)) if len(names) == 1 and r.random() < 0.5 else own}
        roots = not self.ranges and r.random() < 0.3
        matrix = [[r.choice(["sqrt(2)", "sqrt(1/3)", "2*sqrt(5)", "sqrt(9)"]) if roots and r.random() < 0.3 else self.level() for _ in self.inputs] for _ in self.inputs]
        if form == "matrix":
            return matrix
        labels = [x[0] if len(x) == 1 else "(" + ",".join(x) + ")" for x in self.inputs]
        columns, rows = (r.sample(range(len(labels)), len(labels)) for _ in range(2))
        separator = "," if not any("," in label for label in labels) and r.random() < 0.5 else ";"
        lines = [separator.join(["", *(labels[b] for b in columns)])] + [separator.join([labels[a], *(matrix[a][b] for b in columns)]) for a in rows]
        name = f"{self.name}-levels-{r.randrange(10**9)}.csv"
        self.files[name] = "\n".join(lines) + "\n"
        return {"file": name}

    def neighbors(self, claim):
        """The inputs that the claim compares; sometimes all of them."""
        r, names = self.r, [c for c, _ in self.domain]
        if len(self.inputs) > 1 and r.random() < 0.25:
            claim["neighbors"] = self.relation(names)
            return
        if r.random() < 0.7:
            claim["neighbors"] = r.choice(["all", "coordinate", "record"])
            if claim["neighbors"] == "record" and r.random() < 0.7:
                claim["records"] = self.records()
        if r.random() < 0.3:
            claim["differ"] = r.sample(names, r.randint(1, len(names)))

    def relation(self, names, listed=True):
        """Pairs of inputs, or a distance."""
        r = self.r
        if listed and r.random() < 0.4:
            pairs = list(itertools.combinations(self.inputs, 2))
            return {"pairs": [[list(x) for x in r.sample(pair, 2)] for pair in r.sample(pairs, r.randint(1, min(6, len(pairs))))]}
        of = r.sample(names, r.randint(1, len(names)))
        metric = "hamming"
        if all(value.lstrip("-").isdigit() for name, values in self.domain if name in of for value in values):
            metric = r.choice(["hamming", "l1", "l2", "linf", "absolute"][:5 if len(of) == 1 else 4])
        found = {"metric": metric, "at_most": r.choice([1, 1, 2, "3/2", 0.5])}
        return {**found, "of": of} if r.random() < 0.7 or metric == "absolute" or metric != "hamming" else found

    def narrow(self, claim):
        """The adversary's knowledge, and the selected values."""
        r, notion, values = self.r, claim["notion"], dict(self.domain)
        asked = claim.get("secret", claim.get("coordinate", claim["epsilon"]))
        if r.random() < 0.4:
            # One level for all, or the true ones, excludes what is known; a secret's labels may contain any inputs.
            about = [asked] if "coordinate" in claim else [] if "secret" in claim and isinstance(asked, dict) else asked
            about = [] if isinstance(about, str) else list(about)
            left = r.choice([c for c in values if c not in self.public]) if notion == "bcdp" and not about else None
            free = [c for c in values if c not in about and c != left]
            if free:
                claim["known"] = r.sample(free, r.randint(1, len(free)))
        if notion not in ("approximate_bcdp", "renyi_bcdp") and len(values) > 1 and not self.ranges and r.random() < 0.2:
            claim["known"] = "any"
        if r.random() < 0.6:
            return
        if notion == "bcdp":
            left = [c for c in values if c not in known_of(claim)]
            one = r.choice(list(asked) if isinstance(asked, dict) else left)
            if asked == "true":
                claim["about"] = [one]
            else:
                claim["epsilon"] = {one: asked[one] if isinstance(asked, dict) else asked}
            labels = values[one]
        elif "coordinate" in claim:
            labels = values[asked]
        elif isinstance(asked, dict):
            labels = list(asked)
        else:
            labels = [list(x) for x in itertools.product(*(values[c] for c in asked))]
        for side in r.choice([["from"], ["to"], ["from", "to"]]):
            claim[side] = r.sample(labels, r.randint(1, len(labels)))

    def post_processing_claim(self, mechanism):
        other = self.mechanism(self.domain, 0)
        # A nested composition may have more outputs than Z3 can enumerate.
        if self.r.random() < 0.5 and mechanism["type"] not in ("compose", "rappor", "unary_encoding"):
            other = {"type": "compose", "mechanisms": [mechanism, other]}
        claim = {"notion": "post_processing_of", "of": other}
        if self.r.random() < 0.4:
            claim["expect"] = self.r.choice(["holds", "refuted"])
        return claim
