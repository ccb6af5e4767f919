"""One spec's result against an independent computation: levels, witnesses and verdicts."""
import json
import os
from fractions import Fraction

import averages
import confidential
import divergence_notions
import pairs_of_inputs
import protecting
import ratios
import renyi
from effects import Effects
from oddsbound_check.exact import INFINITE, Exact, at_most
from oddsbound_check.expression import level, number, parse, require, simplest
from oddsbound_check.surds import Surd
from features import AVERAGES, NO_POLYNOMIALS, kinds
from reference import ZERO
from scopes import known_of, scope_of, written_scope
from tables import Table, tables_of

MOST_CELLS_FOR_Z3 = 1 << 15  # inputs x (inputs + outputs), by default

NOT_FOR_Z3 = "no polynomials in probabilities say"
TOO_LONG_FOR_Z3 = "the claim is too large for Z3: it has more than"


def larger(a, b):
    return INFINITE if INFINITE in (a, b) else a if a >= b else b


def surd(text):
    """A number that may contain a root."""
    value = parse(text)
    require(value.is_plain(), "a logarithm, or inf, where a number is expected")
    return value.plain if isinstance(value.plain, Surd) else simplest(value.plain)


def same_level(spec, written, claimed):
    """True if a result's level is the one that the spec claims."""
    true = spec.level(claimed)
    return true is INFINITE if written == "inf" else level(written) == true


def declares_too_little(part):
    """True if some mechanism that selects by utility has a sensitivity below the largest change of an output's utility."""
    if isinstance(part, list):
        return any(map(declares_too_little, part))
    if not isinstance(part, dict):
        return False
    if part.get("type") in ("exponential_mechanism", "permute_and_flip") and "sensitivity" in part:
        columns = [[Fraction(str(utility)) for utility in column] for column in zip(*part["utility"])]
        if Fraction(str(part["sensitivity"])) < max(max(column) - min(column) for column in columns):
            return True
    return any(map(declares_too_little, part.values()))


def stated_texts(value):
    """All numbers and texts of a claim, as texts."""
    if isinstance(value, dict):
        return [text for own in value.values() for text in stated_texts(own)]
    return [text for own in value for text in stated_texts(own)] if isinstance(value, list) else [str(value)]



class Checker:
    def __init__(self, spec, result, limited=False):
        self.spec, self.result, self.limited, self.problems = spec, result, limited, []
        self.names = [name for name, _ in spec.domain]

    def expect(self, condition, what):
        if not condition:
            self.problems.append(what)

    def run(self):
        r, s = self.result, self.spec
        known = ["file", "name", "description", "source", "files", "coordinates", "inputs", "outputs", "analysis", "claims"]
        keeps = any(kind in kinds(s.json) for kind in ("rappor", "memoized", "release", "bcdp_mean", "bcdp_steps", "longitudinal_grr", "longitudinal_unary_encoding")) or '"zeta": "best"' in json.dumps(s.json)
        keeps = keeps or declares_too_little(s.json)
        self.expect([key for key in r if key not in ("tables", "public", "effects", "confidential", "confidential_prior") and (key != "notes" or not keeps)] == known, f"keys {list(r)}")
        if declares_too_little(s.json.get("mechanism")):
            self.expect(any("sensitivity" in note for note in r.get("notes", [])), "no note on the declared sensitivity")
        self.tables(r.get("tables", []))
        self.public = [c["name"] for c in s.json["domain"] if c.get("public")]
        self.expect(r.get("public", []) == self.public, f"public: {r.get('public')}")
        self.expect(r.get("confidential", False) is confidential.of_spec(s.json), f"confidential: {r.get('confidential')}")
        self.expect(r.get("confidential_prior", False) is confidential.has_table(s.json.get("prior")), "confidential_prior")
        self.expect(r["name"] == s.json["name"], "name")
        self.expect(r["inputs"] == len(s.inputs), "inputs")
        self.expect(r["outputs"] == len(s.outputs), "outputs")
        self.analysis(r["analysis"])
        self.expect(("effects" in r) == (s.prior is not None), "effects, and only under a prior")
        if "effects" in r and not self.limited:
            self.problems += Effects(s, r["effects"]).run()
        self.expect(len(r["claims"]) == len(s.json.get("claims", [])), "number of claims")
        for index, (claim, result) in enumerate(zip(s.json.get("claims", []), r["claims"])):
            self.claim(index, claim, result)
        return self.problems

    def tables(self, found):
        """The accounting of missing cells, for each table with a rule for them."""
        s = self.spec
        priors = [prior for prior in tables_of(s.json.get("prior", {})) if "missing" in prior]
        paths = [os.path.normpath(s.beside(prior["file"])) for prior in priors]
        true = [Table(prior, s.json["domain"], path, path).use for prior, path in zip(priors, paths)]
        self.expect(found == true, f"tables {found}, expected {true}")

    # Levels.

    def level(self, found, true, what):
        self.expect(isinstance(found.get("nodes", 0), int), f"{what}: nodes {found.get('nodes')}")  # where outputs were searched
        if true is INFINITE:
            self.expect(set(found) - {"witness", "nodes"} == {"epsilon", "lower", "upper"} and
                        found["epsilon"] == found["lower"] == found["upper"] == "inf", f"{what}: not inf: {found}")
            return
        self.expect(set(found) - {"witness", "nodes"} == {"exp", "epsilon", "lower", "upper"}, f"{what}: keys {set(found)}")
        if "exp" not in found:
            return
        self.expect(surd(found["exp"]) == true, f"{what}: exp {found['exp']}, expected {true}")
        self.expect(level(found["epsilon"]) == true, f"{what}: epsilon {found['epsilon']}")
        self.decimals(found, true, what)

    def expect_claimed(self, written, claimed, what):
        self.expect(same_level(self.spec, written, claimed), f"{what}: claimed")

    def decimals(self, found, true, what):
        """lower <= log(true) <= upper, via exp of the decimals."""
        lower, upper = number(found["lower"]), number(found["upper"])
        self.expect(Exact.exp(lower) <= true <= Exact.exp(upper), f"{what}: {lower} .. {upper} does not enclose")
        self.expect(upper - lower <= abs(upper) / 10**12, f"{what}: decimals too far apart")

    def input(self, values, what):
        self.expect(isinstance(values, list) and tuple(values) in self.spec.inputs, f"{what}: no such input {values}")
        return self.spec.inputs.index(tuple(values))

    def output(self, label, what):
        self.expect(label in self.spec.outputs, f"{what}: no such output {label}")
        return self.spec.outputs.index(label)

    def shows(self, witness, true, p, q, what):
        """The witness's probabilities are right, and their quotient is the level."""
        self.expect(number(witness["p_from"]) == p and number(witness["p_to"]) == q, f"{what}: p_from, p_to of the witness")
        if true is INFINITE:
            self.expect(p > 0 and q == 0, f"{what}: witness of an infinite level")
        else:
            self.expect(p > 0 and p == true * q, f"{what}: the witness does not show the level")

    def input_witness(self, witness, true, what, allowed=None):
        self.expect(set(witness) - {"coordinate"} == {"output", "from", "to", "p_from", "p_to"}, f"{what}: witness keys")
        a, b = self.input(witness["from"], what), self.input(witness["to"], what)
        if allowed is not None:
            self.expect(a == b or (a, b) in allowed, f"{what}: the witness's inputs may not be compared")
        y = self.output(witness["output"], what)
        self.shows(witness, true, self.spec.rows[a][y], self.spec.rows[b][y], what)
        return a, b, y

    def group_witness(self, witness, true, groups, what):
        """groups: {written form: inputs}."""
        sides = []
        for side in ("from", "to"):
            key = witness[side] if isinstance(witness[side], str) else tuple(witness[side])
            self.expect(key in groups, f"{what}: no such value {key}")
            sides.append(self.spec.conditional(groups[key]))
        y = self.output(witness["output"], what)
        self.expect(None not in sides, f"{what}: a value without mass")
        self.shows(witness, true, sides[0][y], sides[1][y], what)

    def value_groups(self, i):
        return dict(zip(self.spec.domain[i][1], self.spec.value_groups(i)))

    def left_open(self, a, notion):
        """True if a limit left the levels of a notion open, and the result states it."""
        return self.limited and a[notion] is None and "--max-" in a.get("undecided", {}).get(notion, "")

    def analysis(self, a):
        s = self.spec
        self.expect(list(a)[:5] == ["ldp", "bdp", "cdp", "bcdp", "correlation"], f"analysis keys {list(a)}")
        self.expect(self.limited or "undecided" not in a, "undecided without a limit")
        if not self.left_open(a, "ldp"):
            true = s.ldp()
            self.level(a["ldp"], true, "ldp")
            self.input_witness(a["ldp"]["witness"], true, "ldp")
        self.given_public(a)
        self.cdp_levels = [s.cdp(i) for i in range(len(self.names))]
        if not self.left_open(a, "cdp"):
            self.expect(list(a["cdp"]) == self.names, "cdp names")
            for i, name in enumerate(self.names):
                self.level(a["cdp"][name], self.cdp_levels[i], f"cdp {name}")
                self.input_witness(a["cdp"][name]["witness"], self.cdp_levels[i], f"cdp {name}", s.differing([i]))
        if s.prior is None:
            self.expect(a["bdp"] is None and a["bcdp"] is None and a["correlation"] is None, "no prior, yet Bayesian levels")
            return
        if not self.left_open(a, "bdp"):
            true = s.bdp()
            self.level(a["bdp"], true, "bdp")
            support = [x for x, p in enumerate(s.prior) if p != 0]
            x, z, _ = self.input_witness(a["bdp"]["witness"], true, "bdp")
            self.expect(x in support and z in support, "bdp: the witness has no mass")
        for i, name in enumerate(self.names):
            if not self.left_open(a, "bcdp"):
                self.level(a["bcdp"][name], s.bcdp(i), f"bcdp {name}")
                self.group_witness(a["bcdp"][name]["witness"], s.bcdp(i), self.value_groups(i), f"bcdp {name}")
            if not self.left_open(a, "correlation"):
                self.expect(number(a["correlation"][name]) == s.correlation(i), f"correlation {name}")
            if a["proposition_4"] is not None or not self.limited:
                bound = level(a["proposition_4"][name]["epsilon"])
                self.expect(at_most(s.bcdp(i), bound), f"proposition 4 is below the exact level of {name}")

            if "composition" in a:
                self.level(a["composition"][name], s.composition(i), f"composition {name}")

    def given_public(self, a):
        """The levels for adversaries who know the public attributes, if any others are left."""
        s, others = self.spec, [name for name in self.names if name not in self.public]
        if not self.public or not others:
            self.expect("given_public" not in a, "nothing is public, or all is")
            return
        found = a["given_public"]
        self.expect(found["known"] == self.public, "what is public")
        same = s.differing([self.names.index(name) for name in others])
        support = [x for x, p in enumerate(s.prior) if p != 0] if s.prior is not None else []
        for notion, pairs in (("ldp", same), ("bdp", [(x, z) for x, z in same if x in support and z in support])):
            self.expect((notion in found) == (notion == "ldp" or s.prior is not None) or self.limited, f"{notion} given what is public")
            if notion in found:
                true = s.worst(pairs)
                self.level(found[notion], true, f"{notion} given what is public")
                self.input_witness(found[notion]["witness"], true, f"{notion} given what is public", set(pairs))
        for name in others if s.prior is not None and ("bcdp" in found or not self.limited) else ():
            scope = scope_of(s, {"notion": "bcdp", "known": self.public}, self.names.index(name))
            true = scope.level()
            self.level(found["bcdp"][name], true, f"bcdp {name} given what is public")
            self.scope_witness(found["bcdp"][name]["witness"], true, scope, f"bcdp {name} given what is public")

    # Claims.

    def claim(self, index, claim, r):
        what = f"claim {index} ({claim['notion']})"
        keys = ["index", "name", "notion", "expect", "verdict", "ok", "claimed", "actual", "decided_by", "witness"]
        optional = ["tight", "confidential", "scope", "a_smaller_level_holds", "claimed_for_pair", "seconds", "queries", "words", "place", "claimed_as_written"]
        as_written = r.get("claimed_as_written", {})
        for text in [as_written] if isinstance(as_written, str) else as_written.values():
            self.expect(text in stated_texts(claim), f"{what}: {text} is not what the spec says")
        self.expect(r.get("confidential", False) is confidential.of_claim(self.spec.json, claim), f"{what}: confidential: {r.get('confidential')}")
        # Z3 may reach its time limit; the verdict of the exact engine is checked in any case.
        alone = "missing_opinion" in r
        if alone:
            inputs, outputs = len(self.spec.inputs), len(self.spec.outputs)
            too_large = inputs * (inputs + outputs) > MOST_CELLS_FOR_Z3 and "--smt-max-cells" in r["missing_opinion"]
            too_large |= TOO_LONG_FOR_Z3 in r["missing_opinion"]
            of_average = (claim["notion"] in NO_POLYNOMIALS or claim.get("known") == "any") and NOT_FOR_Z3 in r["missing_opinion"]
            has_root = claim["notion"] == "context_ldp" and "a level that is claimed has a square root" in r["missing_opinion"]
            self.expect(too_large or of_average or has_root or "Z3 was stopped at its time limit" in r["missing_opinion"], f"{what}: {r['missing_opinion']}")
            optional.append("missing_opinion")
        if r["verdict"] == "undecided" and self.limited:
            limit = "--max-" in r["reason"] or "post-processing is decided for at most" in r["reason"]
            self.expect(limit, f"{what}: undecided without a limit: {r['reason']}")
            return
        # More than the number of inputs or outputs up to which it is decided.
        large = len(self.spec.inputs) > 256 or len(self.spec.outputs) > 1024
        words = ("Z3 was stopped", "post-processing is decided for at most" if large else "Z3 was stopped")
        stopped = r["verdict"] == "undecided" and claim["notion"] == "post_processing_of" and any(own in r["reason"] for own in words)
        optional += ["reason"] * stopped
        self.expect([key for key in r if key not in optional] == keys, f"{what}: keys {list(r)}")
        if claim["notion"] == "post_processing_of":
            if not stopped:
                self.claim_post_processing_of(claim, r, what)
            return
        obeyed = self.spec.holds(claim)
        if obeyed is None:  # rho is too close to the claimed value
            return
        holds = obeyed and (not claim.get("tight") or self.spec.is_least(claim))
        expect = claim.get("expect", "holds")
        self.expect(r["index"] == index and r["notion"] == claim["notion"] and r["expect"] == expect, f"{what}: echo")
        self.expect(r["name"] == claim.get("name", ""), f"{what}: name")
        self.expect(r.get("scope", {}) == written_scope(claim), f"{what}: scope {r.get('scope')}")
        self.expect(r["verdict"] == ("holds" if holds else "refuted"), f"{what}: {r['verdict']} is wrong")
        self.expect(r["ok"] == (r["verdict"] == expect and not alone), f"{what}: ok")
        self.expect(r.get("a_smaller_level_holds", False) == (obeyed and not holds), f"{what}: a smaller level holds")
        self.expect([who for who in r["decided_by"] if who != "smt"] in (["exact"], ["exact", "cases"], ["exact", "branch-and-bound"], ["exact", "network"], *[["exact", "output-sums"]] * self.limited), f"{what}: decided_by")
        # If nothing is compared, there is no witness.
        if claim["notion"] in AVERAGES:
            self.expect(r["witness"] is None, f"{what}: no output shows an average")
        elif claim["notion"] == "posterior" and self.spec.mass_of_values(claim) in (0, 1):
            self.expect(r["witness"] is None, f"{what}: no output is special")
        elif not obeyed or (r["actual"] is not None and not self.compares_nothing(claim)):
            self.expect((r["witness"] is None) == holds, f"{what}: a refuted claim, and only one, has a witness")
        self.obeyed = obeyed
        if claim["notion"] in divergence_notions.BY_NAME:
            divergence_notions.BY_NAME[claim["notion"]].check(self, claim, r, what)
        else:
            getattr(self, "claim_" + claim["notion"])(claim, r, what)

    def compares_nothing(self, claim):
        """True if the scope leaves no two labels with mass."""
        if claim["notion"] == "bcdp":
            about = self.spec.coordinate_levels(claim["epsilon"], known_of(claim))
        elif claim["notion"] == "secret":
            about = [None]
        elif claim["notion"] == "renyi_bcdp":
            return not any(scope_of(self.spec, claim, renyi.place_of(self.spec, claim)).pairs())
        else:
            return False
        return bool(written_scope(claim)) and not any(any(scope_of(self.spec, claim, i).pairs()) for i in about)

    def claim_post_processing_of(self, claim, r, what):
        """A kernel gives the rows of one mechanism from those of the other; a gain function has a higher value for the
        former."""
        s = self.spec
        _, other = s.mechanism(claim["of"], s.domain)
        self.expect((r["verdict"] == "holds") == (r["actual"] is not None) == (r["witness"] is None), f"{what}: what shows it")
        self.expect(r["ok"] == (r["verdict"] == claim.get("expect", "holds") and "missing_opinion" not in r), f"{what}: ok")
        outputs = range(len(s.rows[0]))
        if r["verdict"] == "holds":
            kernel = [[number(cell) for cell in row] for row in r["actual"]["kernel"]]
            self.expect(all(sum(row, ZERO) == 1 and min(row) >= 0 for row in kernel), f"{what}: the kernel's rows")
            made = [[sum((row[y] * kernel[y][z] for y in range(len(kernel))), ZERO) for z in outputs] for row in other]
            self.expect(made == [list(row) for row in s.rows], f"{what}: the kernel makes other rows")
            return
        gain = [[number(cell) for cell in row] for row in r["witness"]["gain"]]
        value = sum((gain[x][z] * s.rows[x][z] for x in range(len(gain)) for z in outputs), ZERO)
        best = sum((max(sum((gain[x][z] * other[x][y] for x in range(len(gain))), ZERO) for z in outputs)
                    for y in range(len(other[0]))), ZERO)
        self.expect(value == number(r["witness"]["value"]) and best == number(r["witness"]["best_of_the_other"]), f"{what}: values")
        self.expect(value > best, f"{what}: the gain function shows nothing")

    def one_level(self, claim, r, true, what):
        self.expect_claimed(r["claimed"], claim["epsilon"], what)
        self.level(r["actual"], true, what)
        return [w for w in (r["actual"]["witness"], r["witness"]) if w is not None or r["actual"]["witness"] is None]

    def claim_ldp(self, claim, r, what):
        true = self.spec.ldp()
        for witness in self.one_level(claim, r, true, what):
            self.input_witness(witness, true, what)

    def claim_bdp(self, claim, r, what):
        true = self.spec.bdp()
        for witness in self.one_level(claim, r, true, what):
            self.input_witness(witness, true, what)

    def by_coordinate(self, claim, r, what, level_of, check):
        levels = (self.spec.coordinate_levels(claim["epsilon"], known_of(claim)) if "known" in claim
                  else self.spec.levels_of(claim))
        wanted = [self.names[i] for i in sorted(levels)]
        self.expect(list(r["claimed"]) == wanted and list(r["actual"]) == wanted, f"{what}: coordinates")
        for i, claimed in levels.items():
            name = self.names[i]
            found = level(r["claimed"][name])
            self.expect(found is claimed or (INFINITE not in (found, claimed) and found == claimed), f"{what}: claimed {name}")
            true = level_of(i)
            self.level(r["actual"][name], true, f"{what} {name}")
            check(r["actual"][name]["witness"], true, i)
            if r["witness"] is not None and r["witness"]["coordinate"] == name:
                self.expect(self.obeyed or not at_most(true, claimed), f"{what}: the witness's coordinate holds")
                check(r["witness"], true, i)

    def claim_cdp(self, claim, r, what):
        self.by_coordinate(claim, r, what, lambda i: self.cdp_levels[i],
                           lambda w, true, i: self.input_witness(w, true, what, self.spec.differing([i])))

    claim_partial_dp = claim_cdp

    def claim_bcdp(self, claim, r, what):
        scopes = {i: scope_of(self.spec, claim, i) for i in range(len(self.names))}
        self.by_coordinate(claim, r, what, lambda i: scopes[i].level(),
                           lambda w, true, i: self.scope_witness(w, true, scopes[i], what))

    def scope_witness(self, witness, true, scope, what):
        """One output, and two labels that the claim compares; no output if it compares none."""
        if witness is None:
            self.expect(true == 1 and not any(scope.pairs()), f"{what}: there is something to show")
            return
        sides = scope.of_witness(witness)
        self.expect(sides is not None, f"{what}: the witness is about nothing that is compared: {witness}")
        y = self.output(witness["output"], what)
        self.shows(witness, true, sides[0][y], sides[1][y], what)

    def claim_secret(self, claim, r, what):
        scope = scope_of(self.spec, claim)
        true = scope.level()
        for witness in self.one_level(claim, r, true, what):
            self.scope_witness(witness, true, scope, what)

    def claim_approximate_bcdp(self, claim, r, what):
        s = self.spec
        epsilon, true = s.level(claim["epsilon"]), s.approximate_bcdp(claim)
        if not self.delta(claim, r, true, what):
            return
        scope = scope_of(s, claim, self.names.index(claim["coordinate"]))
        for witness in (r["actual"]["witness"], r["witness"]):
            if witness is None or epsilon is INFINITE or not any(scope.pairs()):
                continue
            sides = scope.of_witness(witness)
            self.expect(sides is not None, f"{what}: the witness is about nothing that is compared: {witness}")
            if "outputs" in witness:
                event = [self.output(y, what) for y in witness["outputs"]]
            else:  # described by its losses, if a limit keeps outputs from being listed
                self.expect(self.limited, f"{what}: no outputs")
                event = [y for y, (p, q) in enumerate(zip(*sides)) if p > epsilon * q]
            p, q = (sum((side[y] for y in event), ZERO) for side in sides)
            if "p_from" not in witness:
                self.expect(self.limited, f"{what}: no probabilities")
                continue
            self.expect(number(witness["p_from"]) == p and number(witness["p_to"]) == q, f"{what}: p_from, p_to")
            self.expect(p - epsilon * q == true, f"{what}: the event does not show delta")

    def is_between(self, actual, true, what):
        """Under a limit a number may lie between two bounds."""
        if not self.limited or "at_least" not in actual:
            return False
        self.expect(number(actual["at_least"]) <= true <= number(actual["at_most"]), f"{what}: {actual['at_least']} .. {actual['at_most']}, expected {true}")
        return True

    def delta(self, claim, r, true, what):
        """False if the event is not known."""
        actual = r["actual"]
        if self.is_between(actual, true, what):
            return False
        self.expect(list(actual) == ["delta", "lower", "upper", "witness"], f"{what}: keys")
        self.expect(number(actual["delta"]) == true, f"{what}: delta {actual['delta']}, expected {true}")
        self.expect(number(actual["lower"]) <= true <= number(actual["upper"]), f"{what}: decimals")
        self.expect(list(r["claimed"]) == ["epsilon", "delta"], f"{what}: claimed")
        return True

    def claim_bayes_leakage(self, claim, r, what):
        self.level({key: value for key, value in r["actual"].items() if not key.startswith("guess_")}, averages.leakage(self.spec, claim), what)
        self.claim_information(claim, r, what)

    def claim_maximal_leakage(self, claim, r, what):
        self.level(r["actual"], averages.maximal_leakage(self.spec, claim), what)
        self.claim_information(claim, r, what)

    def tail_of_lifts(self, claim, r, what):
        """The event of the outputs with a large lift, and its probability."""
        s, true = self.spec, self.spec.lift_tail(claim)
        if not self.delta(claim, r, true, what):
            return
        for witness in filter(None, (r["actual"]["witness"], r["witness"])):
            self.expect(witness["from"] == witness["to"] == [] and witness.get("coordinate") == claim.get("coordinate"), f"{what}: the sides of the event")
            if "outputs" in witness:
                event = [self.output(y, what) for y in witness["outputs"]]
                self.expect(event == [y for y in range(len(s.outputs)) if s.has_large_lift(claim, y)], f"{what}: another event")
            else:
                self.expect(self.limited, f"{what}: no outputs")
            self.expect(number(witness["p_from"]) == number(witness["p_to"]) == true, f"{what}: the event does not show delta")

    def claim_pointwise_maximal_leakage(self, claim, r, what):
        """One output, a value, and everyone, in the stated direction."""
        if "delta" in claim:
            return self.tail_of_lifts(claim, r, what)
        groups, true = self.spec.lifted_groups(claim), self.spec.lift(claim)
        for witness in self.one_level(claim, r, true, what):
            if witness is None:
                self.expect(self.limited, f"{what}: no output")
                continue
            sides = []
            for label in (witness["from"], witness["to"]):
                label = tuple(label) if isinstance(label, list) else label
                sides.append(self.spec.conditional(range(len(self.spec.inputs)) if label == () else groups[label]))
            other = {"pointwise_maximal_leakage": "from", "lower_lift": "to"}.get(claim["notion"])
            self.expect(other is None or witness[other] != [], f"{what}: the other direction")
            y = self.output(witness["output"], what)
            self.shows(witness, true, sides[0][y], sides[1][y], what)

    def claim_posterior(self, claim, r, what):
        """One output, the values, and everyone."""
        s, true, actual = self.spec, self.spec.posterior(claim), r["actual"]
        if self.is_between(actual, true, what):
            return
        self.expect(list(actual) == ["posterior", "lower", "upper", "witness"], f"{what}: keys")
        self.expect(number(actual["posterior"]) == true, f"{what}: posterior {actual['posterior']}, expected {true}")
        self.expect(number(actual["lower"]) <= true <= number(actual["upper"]), f"{what}: decimals")
        self.expect(number(r["claimed"]) == s.number(claim["at_most"]), f"{what}: claimed")
        own, mass = s.inputs_of_values(claim), s.mass_of_values(claim)
        for witness in (actual["witness"], r["witness"]):
            if witness is None or "output" not in witness:
                self.expect(witness is None or mass in (0, 1), f"{what}: no output")
                continue
            y = self.output(witness["output"], what)
            p, q = s.conditional(own)[y], s.conditional(range(len(s.inputs)))[y]
            self.expect(witness["to"] == [] and number(witness["p_from"]) == p and number(witness["p_to"]) == q, f"{what}: the witness")
            self.expect(mass * p / q == true, f"{what}: the output shows another probability")

    claim_lower_lift = claim_local_information_privacy = claim_pointwise_maximal_leakage

    def claim_information(self, claim, r, what):
        self.expect_claimed(r["claimed"], claim["epsilon"], what)
        for problem in averages.problems(self.spec, claim, r):
            self.expect(False, f"{what}: {problem}")

    def claim_renyi_bcdp(self, claim, r, what):
        self.expect_claimed(r["claimed"], claim["epsilon"], what)
        for problem in renyi.problems_under_prior(self.spec, claim, r["actual"], self.limited):
            self.expect(False, f"{what}: {problem}")
        if r["witness"] is not None:
            self.expect(r["witness"] == r["actual"]["witness"], f"{what}: another witness")

    def events(self, r, pairs, epsilon, what):
        """The event of each witness between neighbors, and its probabilities, which the witness states."""
        s = self.spec
        for witness in (r["actual"]["witness"], r["witness"]):
            if witness is None or epsilon is INFINITE:
                continue
            a, b = self.input(witness["from"], what), self.input(witness["to"], what)
            self.expect(a == b or (a, b) in pairs, f"{what}: not neighbors")
            likely = [y for y in range(len(s.rows[a])) if epsilon is not None and s.rows[a][y] > epsilon * s.rows[b][y]]
            if "event" in witness and epsilon is None:  # for some epsilon
                continue
            event = likely if "event" in witness else sorted(self.output(y, what) for y in witness["outputs"])
            p, q = (sum((s.rows[x][y] for y in event), ZERO) for x in (a, b))
            self.expect(number(witness["p_from"]) == p and number(witness["p_to"]) == q, f"{what}: p_from, p_to")
            yield event, likely, p, q

    def claim_probabilistic_dp(self, claim, r, what):
        s = self.spec
        pairs, epsilon, true = s.neighbor_pairs(claim), s.level(claim["epsilon"]), ratios.tail(s, claim)
        if not self.delta(claim, r, true, what):
            return
        for event, likely, p, _ in self.events(r, pairs, epsilon, what):
            self.expect(true == 0 or event == likely, f"{what}: another event")
            self.expect(p == true, f"{what}: the event does not show delta")

    def claim_f_dp(self, claim, r, what):
        s, true, actual = self.spec, ratios.shortfall(self.spec, claim), r["actual"]
        if self.is_between(actual, true, what):
            return
        pairs, points = s.neighbor_pairs(claim), ratios.curve(s, claim)
        self.expect(list(actual) == ["shortfall", "lower", "upper", "witness"], f"{what}: keys")
        self.expect(number(actual["shortfall"]) == true, f"{what}: shortfall {actual['shortfall']}, expected {true}")
        self.expect(number(r["claimed"]) == s.number(claim.get("delta", "0")), f"{what}: claimed")
        for _, _, p, q in self.events(r, pairs, None, what):
            shown = [ratios.value_at(points, x) - y for x, y in ((q, 1 - p), (1 - p, q))]
            self.expect(true == 0 or any(gap == true for gap in shown), f"{what}: the test does not show the shortfall")

    def claim_block_ldp(self, claim, r, what):
        pairs = set(self.spec.compared_pairs(claim))
        true = self.spec.worst(pairs)
        for witness in self.one_level(claim, r, true, what):
            self.input_witness(witness, true, what, pairs)

    claim_high_low_ldp = claim_block_ldp

    def claim_utility_optimized_ldp(self, claim, r, what):
        s, true = self.spec, protecting.level(self.spec, claim)
        sensitive = set(protecting.sensitive(s, claim))
        for witness in self.one_level(claim, r, true, what):
            a, b = self.input(witness["from"], what), self.input(witness["to"], what)
            y = self.output(witness["output"], what)
            if witness.get("unprotected"):
                self.expect(number(witness["p_from"]) == s.rows[a][y] and number(witness["p_to"]) == s.rows[b][y], f"{what}: p_from, p_to")
                self.expect(true is INFINITE and witness["output"] not in claim["protected"], f"{what}: a protected output")
                self.expect(s.rows[a][y] > 0 and s.rows[b][y] > 0 and (a != b or s.inputs[a] in sensitive), f"{what}: the output may be unprotected")
                continue
            self.shows(witness, true, s.rows[a][y], s.rows[b][y], what)
            self.expect(protecting.is_protected(s, claim, y), f"{what}: an output that is not protected")
            also = witness.get("also")
            self.expect((also is not None) == (true is INFINITE and "protected" not in claim and s.inputs[a] not in sensitive), f"{what}: another input")
            if also is not None:
                other = self.input(also["input"], what)
                self.expect(other != a and number(also["p"]) == s.rows[other][y] > 0, f"{what}: another input that has the output")

    def claim_context_ldp(self, claim, r, what):
        s, epsilon = self.spec, claim["epsilon"]
        found, function = pairs_of_inputs.excesses(s, epsilon), pairs_of_inputs.is_function(epsilon)
        if all(level is INFINITE for _, level in found.values()):
            self.expect(r["actual"] is None, f"{what}: nothing is constrained")
            return
        witness = r["actual"]["witness"]
        a, b = self.input(witness["from"], what), self.input(witness["to"], what)
        true = s.worst([(a, b)])
        self.level(r["actual"], true, what)
        self.input_witness(witness, true, what)
        sign, bound = found[a, b]
        self.expect(bound is not INFINITE, f"{what}: a pair that is not constrained")
        self.expect(("claimed_for_pair" in r) == (function or r["verdict"] == "refuted"), f"{what}: the level claimed for the pair")
        if "claimed_for_pair" in r:
            self.expect(pairs_of_inputs.is_written(s, r["claimed_for_pair"], bound), f"{what}: claimed for the pair")
        if r.get("a_smaller_level_holds"):
            self.expect(sign < 0 or function, f"{what}: no pair with a bound that could be lower")
            if not function:
                return
        self.expect((sign > 0) == (r["verdict"] == "refuted" and not r.get("a_smaller_level_holds")), f"{what}: the pair does not show the verdict")
        # Where neighbors imply all pairs, the pair of a refuted claim is the worst of the neighbors.
        if sign <= 0 or not (function and "metric" in epsilon):
            # A level of 0 that is attained says nothing of smaller levels, so another pair is shown.
            positive = {pair: one for pair, one in found.items() if not pairs_of_inputs.is_zero(one[1])}
            shows_slack = sign <= 0 and function and not pairs_of_inputs.is_zero(bound)
            most = pairs_of_inputs.largest_excess(s, positive if shows_slack else found)
            own = pairs_of_inputs.excess_of(true, bound)
            self.expect(own == most or abs(own - most) < pairs_of_inputs.CLOSE, f"{what}: not the tightest pair")

    def claim_approximate_dp(self, claim, r, what):
        s = self.spec
        pairs = s.neighbor_pairs(claim)
        epsilon = s.level(claim["epsilon"])
        true = s.delta(pairs, epsilon)
        if not self.delta(claim, r, true, what):
            return
        for _, _, p, q in self.events(r, pairs, epsilon, what):
            self.expect(p - epsilon * q == true, f"{what}: the event does not show delta")
