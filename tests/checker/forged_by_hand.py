"""Exit statuses of the certificate checkers on handmade certificates: forgeries that were once accepted, unproved
claims, and honest proofs of claims that hold only just. Control characters in a file do not reach the terminal.

forged_by_hand.py: prints a line per problem, then "N passed, M failed".
"""
import contextlib
import io
import json
import os
import sys
import tempfile

from checking import digest
from oddsbound_check import cli
from oddsbound_check.report import worst

FORGERIES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "forgeries")
ESCAPES = "\x1b[2J\x07\x9b31m\u202e\u061c\u2028\naccepted: claim 9"
QUERY = {"name": "q0", "text": "(check-sat)", "z3": "unsat"}

HALF = {"oddsbound": 1, "name": "half", "domain": [{"name": "x", "values": ["0", "1"]}],
        "mechanism": {"type": "matrix", "outputs": ["a", "b"], "rows": [["3/4", "1/4"], ["1/4", "3/4"]]}}
HOLDS = {"notion": "ldp", "epsilon": "log(3)"}
REFUTED = {"notion": "ldp", "epsilon": "log(2)"}
RANGES = [{"outputs": [k, k + 1], "largest": {"output": y, "from": [a], "to": [b], "p_from": "3/4", "p_to": "1/4"}} for k, (y, a, b) in enumerate(["a01", "b10"])]
SHOWN = {"notion": "ldp", "verdict": "holds", "proof": "ranges", "levels": [{"ranges": RANGES}]}
WITNESS = {"notion": "ldp", "verdict": "refuted", "proof": "witness", "witness": {"output": "a", "from": ["0"], "to": ["1"], "p_from": "3/4", "p_to": "1/4"}}

# Randomized response for log(t), t up to 2: its levels are those of t, and at most 1.
FOR_ALL_T = {**HALF, "symbols": {"t": {"ge": "1", "le": "2"}}, "mechanism": {"type": "k_randomized_response", "epsilon": "log(t)"}}
# The largest quotient is t (3 - t), which is 9/4 at 3/2: polynomials do not show that it is no larger.
TOUCHING = {**FOR_ALL_T, "symbols": {"t": {"ge": "1", "le": "7/4"}}, "mechanism": {"type": "k_randomized_response", "epsilon": "log(t*(3-t))"}}
TRUE = {"notion": "ldp", "epsilon": "log(9/4)"}


def of_symbols(claim, verdict="holds", **more):
    return {"notion": claim["notion"], "verdict": verdict, "proof": "queries", **more}


def zcdp(rho):
    return {"notion": "zcdp", "rho": rho}


def renyi(order, epsilon, **more):
    return {"notion": "renyi_dp", "order": order, "epsilon": epsilon, **more}


# The maximum of D_a / a is the mean loss, log(3), at a = 1.
TWICE = {**HALF, "mechanism": {"type": "repeat", "mechanism": HALF["mechanism"], "times": 2}}
# Its maximum is at an intermediate order, and has this value to 40 digits.
SKEWED = {**HALF, "mechanism": {"type": "matrix", "outputs": 2, "rows": [["1/10", "9/10"], ["1/2", "1/2"]]}}
SKEWED_RHO = "0.5324393122273161952682383892564498891589"
# The information of HALF about a uniform input, in nats, to 50 digits.
INFORMATION = "0.13081203594113695912920180623371771041011778400681"
# log(3), to 45 digits, rounded down.
LOG_3 = "1.09861228866810969139524523692252570464749055"
# log(2) / 3, the rho of randomized response with 2/3, to 44 digits; and log(3) / 2, that of HALF.
RHO_OF_THIRDS, RHO_OF_HALF = "0.23104906018664843647241070715272552269183338", "0.54930614433405484569762261846126285232374528"
# 2 Phi^-1(3/4), to 45 digits.
MU_OF_HALF = "1.34897950039216348640445402908261437077380883"
ARITHMETIC = {"verdict": "holds", "proof": "arithmetic"}
SET = {**HALF, "prior": {"type": "uniform"}}
OVER_ALL = {"notion": "bcdp", "epsilon": {"x": "log(3)"}, "for_all": {"type": "all"}}


class Tests:
    def __init__(self, folder):
        self.folder, self.passed, self.failed = folder, 0, 0

    def expect(self, fine, problem):
        self.passed += bool(fine)
        self.failed += not fine
        if not fine:
            print(problem)

    @staticmethod
    def run(main, *arguments):
        """The exit status and the output."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = main(list(arguments))
        return status, said.getvalue()

    def files(self, spec, document):
        path, certificate = (os.path.join(self.folder, name) for name in ("spec.json", "certificate.json"))
        with open(path, "w", encoding="utf-8") as file:
            json.dump(spec, file)
        with open(certificate, "w", encoding="utf-8") as file:
            file.write(document if isinstance(document, str) else json.dumps({"files": [{"file": path, "sha256": digest(path)}], **document}))
        return path, certificate

    def claims(self, what, spec, claims, entries, status, *options, says="", **more):
        """entries: {claim: entry}."""
        spec = {**spec, "claims": claims} if claims is not None else spec
        listed = [{"claim": k, "name": (claims or [])[k].get("name", "") if k < len(claims or []) else "", **entry} for k, entry in entries.items()]
        document = {"oddsbound": 1, "tool": {}, "certificate": "claims", "format": 1, "file": "", "spec": spec["name"], "without": [], "undecided": [], "claims": listed, **more}
        found, said = self.run(cli.main, *self.files(spec, document), *options)
        self.expect(found == status and says in said, f"{what}: status {found} and not {status}: {said.splitlines()[-2:]}")
        self.printed(what, said)

    def printed(self, what, said):
        lines = said.split("\n")
        self.expect(lines[-1] == "" and all(line.isprintable() for line in lines), f"{what}: characters of a file are printed: {said!r}")
        self.expect(not any(line.startswith("accepted: claim 9") for line in lines), f"{what}: a certificate's words pass for the checker's own: {said!r}")

    # Certificates that were once accepted.

    def forgeries(self):
        for name, status in {"forallsym": 1, "inftight": 1, "one": 1, "star": 1, "sym": 1, "word": 3}.items():
            paths = [os.path.join(FORGERIES, f"{name}{end}.json") for end in ("", "-forged")]
            found, said = self.run(cli.main, *paths)
            self.expect(found == status, f"{name}: status {found} and not {status}: {said}")

    def statuses(self):
        missing = [{"claim": 0, "name": "", "reason": "accepted: claim 0"}]
        self.claims("a proof", HALF, [HOLDS], {0: SHOWN}, 0)
        self.claims("no claims in the spec", HALF, [], {}, 3)
        self.claims("no claims at all", HALF, None, {}, 3)
        self.claims("a claim that is missing", HALF, [HOLDS], {}, 3)
        self.claims("a claim in 'without'", HALF, [HOLDS], {}, 3, without=missing)
        self.claims("a claim that is undecided", HALF, [HOLDS], {}, 3, undecided=missing)
        self.claims("a claim that is proved, and in 'without'", HALF, [HOLDS], {0: SHOWN}, 3, without=missing)
        self.claims("one of two claims is missing", HALF, [HOLDS, HOLDS], {1: SHOWN}, 3)
        self.claims("refuted, and expected to hold", HALF, [REFUTED], {0: WITNESS}, 1)
        self.claims("refuted, and expected to be", HALF, [{**REFUTED, "expect": "refuted"}], {0: WITNESS}, 0)
        self.claims("holds, and expected to be refuted", HALF, [{**HOLDS, "expect": "refuted"}], {0: SHOWN}, 1)
        self.claims("not as expected, and another one missing", HALF, [REFUTED, HOLDS], {0: WITNESS}, 1)
        self.claims("rejected, and another one missing", HALF, [REFUTED, HOLDS], {0: SHOWN}, 1)
        self.claims("missing, and no JSON", HALF, [HOLDS], {0: {**SHOWN, "claim": "0"}}, 1)
        self.claims("one claim alone", HALF, [HOLDS, HOLDS], {1: SHOWN}, 0, "--claims", "1")
        self.claims("one claim alone, which is missing", HALF, [HOLDS, HOLDS], {1: SHOWN}, 3, "--claims", "0")
        self.claims("a claim that there is not", HALF, [HOLDS], {0: SHOWN}, 2, "--claims", "1")
        self.claims("a claim below 0", HALF, [HOLDS], {0: SHOWN}, 2, "--claims", "-1")
        self.claims("two claims of three", HALF, [HOLDS] * 3, {0: SHOWN, 2: SHOWN}, 0, "--claims", "0,2")
        self.claims("ranges of a claim that is false", HALF, [REFUTED], {0: SHOWN}, 1)
        found, said = self.run(cli.main, *self.files({**HALF, "claims": [HOLDS]}, "{"))
        self.expect(found == 2, f"half a certificate: {found}, {said}")
        self.expect([worst([0, 3]), worst([3, 1, 0]), worst([1, 2, 3]), worst([])] == [3, 1, 2, 0], "the precedence of statuses")

    def symbols(self):
        true = {"notion": "ldp", "epsilon": "log(t)", "tight": True}
        self.claims("a level for all values", FOR_ALL_T, [true], {0: of_symbols(true)}, 0, says="by polynomials")
        self.claims("a level that only the last value has", FOR_ALL_T, [{**true, "epsilon": "log(2)"}], {0: of_symbols(true, queries=[QUERY])}, 1)
        for z3, cvc5, status in (("unsat", None, 3), ("unsat", "unsat", 3), ("unsat", "timeout", 3), ("unsat", "sat", 1), ("sat", "unsat", 1), ("unknown", "unsat", 1)):
            query = {**QUERY, "z3": z3, **({"cvc5": cvc5} if cvc5 else {})}
            self.claims(f"Z3 {z3}, cvc5 {cvc5}", TOUCHING, [TRUE], {0: of_symbols(TRUE, queries=[query])}, status)
        self.claims("no query", TOUCHING, [TRUE], {0: of_symbols(TRUE)}, 1)
        spurious = [{**QUERY, "z3": "sat"}, QUERY]
        self.claims("a query that is put again", TOUCHING, [TRUE], {0: of_symbols(TRUE, queries=spurious)}, 3)
        spec, over = {**FOR_ALL_T, "prior": {"type": "uniform"}}, {"notion": "bcdp", "epsilon": {"x": "log(2)"}, "for_all": {"type": "all"}}
        self.claims("for all values and priors", spec, [over], {0: of_symbols(over)}, 0, says="by polynomials")
        tight = {**over, "epsilon": {"x": "log(t)"}, "tight": True}
        self.claims("tight for all values and priors", spec, [tight], {0: of_symbols(tight, queries=[QUERY])}, 3)
        # The second query asks whether a prior attains the level.
        attained = {**QUERY, "name": "q1", "z3": "sat"}
        for what, claim, queries, status in (("attained", tight, [QUERY, attained], 3), ("a level that is not tight", over, [QUERY, attained], 1),
                                             ("attained alone", tight, [attained], 1), ("cvc5 says otherwise", tight, [QUERY, {**attained, "cvc5": "unsat"}], 1)):
            asked = {**claim, "epsilon": {"x": "log(9/4)"}}
            self.claims(f"queries about a set, {what}", {**TOUCHING, "prior": {"type": "uniform"}}, [asked], {0: of_symbols(asked, queries=queries)}, status)
        refuted = {"notion": "bcdp", "verdict": "refuted", "values": {"t": "2"}, "proof": "arithmetic"}
        # It holds under this prior, which is the only one; under the spec's own it does not.
        alone = {**over, "epsilon": {"x": "log(3/2)"}, "for_all": {"type": "any_of", "priors": [{"type": "probabilities", "probabilities": ["1", "0"]}]}, "expect": "refuted"}
        self.claims("refuted under another prior", spec, [alone], {0: refuted}, 3)
        # A prior of the set refutes it for all values.
        known = {**HALF, "symbols": FOR_ALL_T["symbols"], "prior": {"type": "uniform"}}
        prior = {"rows": [[["0"], "1/2"], [["1"], "1/2"]], "attains": True}
        witness = {"coordinate": "x", "output": "a", "from": "0", "to": "1", "p_from": "3/4", "p_to": "1/4", "prior": prior}
        for level, status in (("log(2)", 0), ("log(3)", 1)):
            self.claims(f"refuted by a prior, for any values, {level}", known, [{**OVER_ALL, "epsilon": {"x": level}, "expect": "refuted"}],
                        {0: {"notion": "bcdp", "verdict": "refuted", "proof": "witness", "witness": witness}}, status)
        self.claims("refuted beyond the range", FOR_ALL_T, [{"notion": "ldp", "epsilon": "log(2)", "expect": "refuted"}],
                    {0: {"notion": "ldp", "verdict": "refuted", "values": {"t": "3"}, "proof": "arithmetic"}}, 1)
        vanish = {**HALF, "symbols": {"p": {"ge": "0", "le": "1"}}, "prior": {"type": "probabilities", "probabilities": ["p", "1-p"]}}
        # If one of two inputs has no mass, nothing is compared, and the smallest level is 0.
        for claim in ({"notion": "bcdp", "epsilon": {"x": "log(3)"}}, {"notion": "bdp", "epsilon": "log(3)"}, {"notion": "secret", "secret": ["x"], "epsilon": "log(3)"}):
            self.claims(f"{claim['notion']} for all priors", vanish, [claim], {0: of_symbols(claim)}, 0)
            self.claims(f"{claim['notion']}, tight, where a side has no mass", vanish, [{**claim, "tight": True}], {0: of_symbols(claim, queries=[QUERY])}, 1)
            inside = {**vanish, "symbols": {"p": {"gt": "0", "lt": "1"}}}
            self.claims(f"{claim['notion']}, tight, where all sides have mass", inside, [{**claim, "tight": True}], {0: of_symbols(claim)}, 0)
        inside = {**HALF, "symbols": {"s": {"lt": "-1"}}, "mechanism": {"type": "k_randomized_response", "epsilon": "log(-s)"}}
        below = {"notion": "ldp", "epsilon": "log(-s)", "tight": True}
        self.claims("a range without a lower end", inside, [below], {0: of_symbols(below)}, 0)

    def parts(self):
        """A tight claim needs a possible output that attains its level."""
        spec = {**HALF, "mechanism": {"type": "matrix", "outputs": ["a", "b", "c"], "rows": [["3/4", "1/4", "0"], ["1/4", "3/4", "0"]]}}
        for level, output, p_from, p_to, status in (("log(3)", "a", "3/4", "1/4", 0), ("log(3)", "c", "0", "0", 1), ("log(4)", "c", "0", "0", 1), ("inf", "c", "0", "0", 1)):
            attained = [{"output": output, "from": ["0"], "to": ["1"], "p_from": p_from, "p_to": p_to}]
            entry = {"notion": "ldp", "verdict": "holds", "proof": "parts", "levels": [{"proof": "recompute"}] if level != "inf" else [], "attained": attained}
            self.claims(f"tight by parts, {level}, at {output}", spec, [{"notion": "ldp", "epsilon": level, "tight": True}], {0: entry}, status)

    def labels(self):
        """A label may stand for several outputs, and two coordinates may have values of the same name."""
        first = {"type": "matrix", "outputs": ["a", "a,b"], "rows": [["9/10", "1/10"], ["1/2", "1/2"]]}
        second = {"type": "matrix", "outputs": ["b,c", "c"], "rows": [["19/20", "1/20"], ["1/4", "3/4"]]}
        spec = {**HALF, "domain": [{"name": "u", "values": ["0", "1"]}, {"name": "v", "values": ["0", "1"]}], "prior": {"type": "uniform"},
                "mechanism": {"type": "per_coordinate", "mechanisms": {"u": first, "v": second}}}
        refuted = {"notion": "ldp", "epsilon": "log(8)", "expect": "refuted"}
        for p_from, p_to, status in (("3/8", "1/200", 0), ("1/8", "171/200", 1), ("3/8", "171/200", 1), ("1/2", "1/200", 1)):
            witness = {"output": "(a,b,c)", "from": ["1", "1"], "to": ["0", "0"], "p_from": p_from, "p_to": p_to}
            self.claims(f"one of two outputs, {p_from} against {p_to}", spec, [refuted], {0: {**WITNESS, "witness": witness}}, status)
        largest = {"output": "(a,b,c)", "from": ["1", "1"], "to": ["0", "0"], "p_from": "3/8", "p_to": "1/200"}
        self.claims("the last of two outputs", spec, [{"notion": "ldp", "epsilon": "log(75)"}], {0: {**SHOWN, "levels": [{"ranges": [{"outputs": [0, 4], "largest": largest}]}]}}, 0)
        # The quotient of v is at most log(15), which does not refute u: evidence about v is no witness about u.
        apart = {"notion": "bcdp", "epsilon": {"u": "log(5)", "v": "log(15)"}, "expect": "refuted"}
        for coordinate in ({}, {"coordinate": "u"}, {"coordinate": "v"}):
            witness = {"output": "(a,c)", "from": "1", "to": "0", "p_from": "21/40", "p_to": "7/200", **coordinate}
            self.claims(f"a witness about another coordinate, {coordinate}", spec, [apart], {0: {**WITNESS, "notion": "bcdp", "witness": witness}}, 1)

    def proofs_of_others(self, spec, claim):
        """No proof about the comparison of two sides says anything about such a claim."""
        for proof in ("losses", "classes", "parts", "cases", "bounds", "queries", "kernel"):
            entry = {"notion": claim["notion"], "verdict": "holds", "proof": proof, **({"levels": []} if proof == "parts" else {"kernel": [["1", "0"], ["0", "1"]]} if proof == "kernel" else {})}
            self.claims(f"{claim} by {proof}", spec, [claim], {0: entry}, 1)

    def tails_of_lifts(self):
        """The outputs of SET have probabilities 1/2 and lifts 3/2. Those of RARE have 3/10 and 7/10, with lifts 5/2 and 15/14."""
        leakage = {"notion": "pointwise_maximal_leakage", "coordinate": "x"}
        rare = {**HALF, "prior": {"type": "probabilities", "probabilities": ["1/10", "9/10"]}}
        for spec, epsilon, delta, tight, verdict, status in (
                (SET, "log(3/2)", "0", True, "holds", 0), (SET, "log(3/2 - 10^-90)", "0", False, "holds", 1), (SET, "log(3/2 - 10^-90)", "1", True, "holds", 0),
                (SET, "inf", "0", True, "holds", 0), (rare, "log(2)", "3/10", True, "holds", 0), (rare, "log(2)", "3/10", True, "refuted", 1),
                (rare, "log(2)", "3/10 - 10^-90", False, "holds", 1), (rare, "log(2)", "2/5", True, "holds", 1), (rare, "log(2)", "2/5", True, "refuted", 0), (rare, "log(15/14)", "1/2", False, "holds", 0),
                # The hockey-stick divergence from everyone is 3/4 - 2 3/10 = 3/20.
                (rare, "log(2)", "3/20", False, "holds", 1)):
            claim = {**leakage, "epsilon": epsilon, "delta": delta, "tight": tight, "expect": verdict}
            self.claims(f"{claim}, by arithmetic", spec, [claim], {0: {"notion": claim["notion"], "verdict": verdict, "proof": "arithmetic"}}, status)
            self.proofs_of_others(spec, {**claim, "expect": "holds"})
        for epsilon, delta, change, status in (
                ("log(2)", "1/5", {}, 0), ("log(2)", "3/10", {}, 1), ("log(5/2)", "1/5", {}, 1), ("log(2)", "1/5", {"outputs": ["b"], "p_from": "7/10", "p_to": "7/10"}, 1),
                ("log(2)", "1/5", {"outputs": ["a", "b"], "p_from": "1", "p_to": "1"}, 1), ("0", "9/10", {"outputs": ["a", "b"], "p_from": "1", "p_to": "1"}, 0), ("log(2)", "1/5", {"outputs": ["a", "a"], "p_from": "3/5", "p_to": "3/5"}, 1),
                ("log(2)", "1/5", {"p_from": "3/4"}, 1), ("log(2)", "1/5", {"p_to": "1/4"}, 1), ("log(2)", "1/5", {"from": "0", "p_from": "3/4"}, 1), ("log(2)", "1/5", {"coordinate": None}, 1),
                ("log(2)", "0", {"outputs": [], "p_from": "0", "p_to": "0"}, 1), ("inf", "1/5", {}, 1)):
            witness = {"outputs": ["a"], "from": [], "to": [], "p_from": "3/10", "p_to": "3/10", "coordinate": "x", **change}
            witness = {key: value for key, value in witness.items() if value is not None}
            entry = {**WITNESS, "notion": leakage["notion"], "witness": witness}
            self.claims(f"a tail of lifts, {epsilon}, {delta}, {change}", rare, [{**leakage, "epsilon": epsilon, "delta": delta, "expect": "refuted"}], {0: entry}, status)

    def protected_outputs(self):
        """Of three inputs two are sensitive. The third one alone has "c". The level is log(3). With GAP, the third one lacks "b" too."""
        spec = {**HALF, "domain": [{"name": "x", "values": ["0", "1", "2"]}],
                "mechanism": {"type": "matrix", "outputs": ["a", "b", "c", "d"], "rows": [["3/4", "1/4", 0, 0], ["1/4", "3/4", 0, 0], ["1/4", "1/4", "1/2", 0]]}}
        gap = {**spec, "mechanism": {**spec["mechanism"], "rows": [["1/4", 0, "3/4", 0], ["1/4", "3/4", 0, 0], ["1/4", "3/4", 0, 0]]}}
        notion = {"notion": "utility_optimized_ldp", "sensitive": [["0"], ["1"]]}
        for own, epsilon, change, tight, verdict, status in (
                (spec, "log(3)", {}, True, "holds", 0), (spec, "log(3)", {}, True, "refuted", 1), (spec, "log(3 - 10^-90)", {}, False, "holds", 1), (spec, "log(3 + 10^-90)", {}, True, "holds", 1),
                (spec, "log(3 + 10^-90)", {}, True, "refuted", 0), (spec, "inf", {}, True, "holds", 1), (spec, "inf", {}, False, "holds", 0),
                (spec, "log(3)", {"protected": ["b", "a"]}, True, "holds", 0), (spec, "log(3)", {"protected": ["a", "b", "d"]}, True, "holds", 0), (spec, "9", {"protected": ["a"]}, False, "holds", 1),
                (spec, "9", {"protected": ["a", "b", "c"]}, False, "holds", 1), (spec, "9", {"protected": ["c"]}, False, "refuted", 0), (spec, "9", {"sensitive": [["2"]]}, False, "holds", 1),
                (spec, "inf", {"sensitive": [["2"]]}, True, "holds", 0), (spec, "log(3)", {"sensitive": [["0"]]}, True, "holds", 0),
                (gap, "9", {"sensitive": [["0"]]}, False, "holds", 1), (gap, "inf", {"sensitive": [["1"]]}, True, "holds", 0)):
            claim = {**notion, "epsilon": epsilon, **change, "tight": tight, "expect": verdict}
            self.claims(f"{claim}, by arithmetic", own, [claim], {0: {"notion": claim["notion"], "verdict": verdict, "proof": "arithmetic"}}, status)
            self.proofs_of_others(own, {**claim, "expect": "holds"})
        a_over_b = {"output": "a", "from": ["0"], "to": ["1"], "p_from": "3/4", "p_to": "1/4"}
        c_alone = {"output": "c", "from": ["2"], "to": ["0"], "p_from": "1/2", "p_to": "0"}
        b_by_two = {"output": "b", "from": ["1"], "to": ["0"], "p_from": "3/4", "p_to": "0", "also": {"input": ["2"], "p": "3/4"}}
        for own, epsilon, change, witness, status in (
                (spec, "log(2)", {}, a_over_b, 0), (spec, "log(3)", {}, a_over_b, 1), (spec, "log(2)", {}, {**a_over_b, "p_from": "4/5"}, 1), (spec, "inf", {}, a_over_b, 1),
                (spec, "log(2)", {"protected": ["a", "b"]}, a_over_b, 0), (spec, "log(2)", {"protected": ["b"]}, a_over_b, 1), (spec, "log(2)", {"protected": ["b"]}, {**a_over_b, "unprotected": True}, 0),
                (spec, "log(2)", {"protected": ["a", "b"]}, {**a_over_b, "unprotected": True}, 1), (spec, "log(2)", {}, {**a_over_b, "unprotected": True}, 1), (spec, "log(2)", {}, {**a_over_b, "unprotected": 1}, 1),
                # Nothing shows that "c" is protected.
                (spec, "9", {}, c_alone, 1), (spec, "9", {"sensitive": [["2"]]}, c_alone, 0), (spec, "9", {"protected": ["a", "b", "c"]}, c_alone, 0), (spec, "9", {"protected": ["a", "b"]}, c_alone, 1),
                (spec, "9", {}, {**c_alone, "also": {"input": ["1"], "p": "1/2"}}, 1), (spec, "9", {}, {**c_alone, "also": {"input": ["2"], "p": "1/2"}}, 1), (spec, "9", {}, {**c_alone, "also": {"input": ["1"], "p": "0"}}, 1),
                (spec, "9", {"protected": ["a", "b"]}, {**c_alone, "unprotected": True}, 1), (spec, "9", {"protected": ["a"], "sensitive": [["2"]]}, {**c_alone, "to": ["2"], "p_to": "1/2", "unprotected": True}, 0),
                (spec, "9", {"protected": ["a"]}, {**c_alone, "to": ["2"], "p_to": "1/2", "unprotected": True}, 1),
                (gap, "9", {"sensitive": [["0"]]}, b_by_two, 0), (gap, "9", {"sensitive": [["0"]]}, {k: v for k, v in b_by_two.items() if k != "also"}, 1),
                (gap, "9", {"sensitive": [["0"]]}, {**b_by_two, "also": {"input": ["2"], "p": "1/4"}}, 1), (gap, "9", {"sensitive": [["0"]]}, {**b_by_two, "also": {"input": ["3"], "p": "3/4"}}, 1),
                (gap, "9", {"sensitive": [["0"]]}, {**b_by_two, "also": None}, 1), (gap, "9", {"sensitive": [["0"]], "protected": ["a", "b", "c"]}, {k: v for k, v in b_by_two.items() if k != "also"}, 0),
                (spec, "9", {}, {**c_alone, "output": "d", "p_from": "0"}, 1)):
            claim = {**notion, "epsilon": epsilon, **change, "expect": "refuted"}
            self.claims(f"{claim}, a witness {witness}", own, [claim], {0: {**WITNESS, "notion": claim["notion"], "witness": witness}}, status)

    def approximate(self):
        """delta of 1/4 turns HALF into randomized response with 2/3, whose rho is log(2) / 3. LACKING has an output with 1/10 on one
        side only. renyi_bcdp of HALF with order 2 is log(7/3) for every prior."""
        lacking = {**HALF, "mechanism": {"type": "matrix", "outputs": ["a", "b", "c"], "rows": [["1/10", "9/20", "9/20"], ["0", "1/2", "1/2"]]}}
        for spec, rho, delta, status in ((HALF, f"{RHO_OF_THIRDS} + 1e-20", "1/4", 0), (HALF, f"{RHO_OF_THIRDS} - 1e-20", "1/4", 1), (HALF, f"{RHO_OF_THIRDS} + 1e-20", "1/4 - 10^-19", 1), (HALF, "0", "1/2", 0), (HALF, "1/1000", "499/1000", 0), (HALF, "0", "499/1000", 1),
                                         (HALF, f"{RHO_OF_HALF} + 1e-20", "0", 0), (HALF, f"{RHO_OF_HALF} - 1e-20", "0", 1), (lacking, "0", "1/10", 0), (lacking, "1000", "99/1000", 1), (lacking, "inf", "0", 0)):
            claim = {"notion": "approximate_zcdp", "rho": rho, "delta": delta}
            self.claims(f"{claim}, by arithmetic", spec, [claim], {0: {"notion": claim["notion"], **ARITHMETIC}}, status)
            self.proofs_of_others(spec, claim)
        for spec, rho, delta, witness, status in (
                (HALF, f"{RHO_OF_THIRDS} - 1e-20", "1/4", {"from": ["0"], "to": ["1"], "order": "1"}, 0), (HALF, f"{RHO_OF_THIRDS} + 1e-20", "1/4", {"from": ["0"], "to": ["1"], "order": "1"}, 1), (HALF, f"{RHO_OF_THIRDS} - 1e-20", "1/4", {"from": ["0"], "to": ["1"], "order": "2"}, 1),
                (HALF, "0", "1/2", {"from": ["0"], "to": ["1"], "order": "1"}, 1), (lacking, "1", "1/20", {"from": ["0"], "to": ["1"], "output": "a", "p_from": "1/10", "p_to": "0"}, 0),
                (lacking, "1", "1/10", {"from": ["0"], "to": ["1"], "output": "a", "p_from": "1/10", "p_to": "0"}, 1), (lacking, "1", "1/20", {"from": ["0"], "to": ["1"], "outputs": ["a", "b"], "p_from": "11/20", "p_to": "1/2"}, 1),
                (lacking, "inf", "1/20", {"from": ["0"], "to": ["1"], "output": "a", "p_from": "1/10", "p_to": "0"}, 1)):
            entry = {**WITNESS, "notion": "approximate_zcdp", "witness": witness}
            self.claims(f"approximate_zcdp {rho}, {delta}, {witness}", spec, [{"notion": "approximate_zcdp", "rho": rho, "delta": delta, "expect": "refuted"}], {0: entry}, status)
        under = {"notion": "renyi_bcdp", "order": 2, "coordinate": "x"}
        for epsilon, tight, verdict, status in (("log(7/3)", True, "holds", 0), ("log(7/3 - 10^-90)", False, "holds", 1), ("log(7/3 - 10^-90)", False, "refuted", 0), ("log(7/3 + 10^-90)", True, "holds", 1), ("inf", True, "holds", 1)):
            claim = {**under, "epsilon": epsilon, "tight": tight, "expect": verdict}
            self.claims(f"{claim}, by arithmetic", SET, [claim], {0: {"notion": "renyi_bcdp", "verdict": verdict, "proof": "arithmetic"}}, status)
            self.proofs_of_others(SET, {**claim, "expect": "holds"})
        for order, epsilon, change, status in (("2", "0.84", {}, 0), ("3", "0.84", {}, 1), ("2", "log(7/3)", {}, 1), ("2", "0", {"to": "0"}, 1), ("2", "0", {"coordinate": None}, 1), ("2", "0", {"given": {"x": "0"}}, 1)):
            witness = {"from": "0", "to": "1", "order": order, "coordinate": "x", **change}
            entry = {**WITNESS, "notion": "renyi_bcdp", "witness": {key: value for key, value in witness.items() if value is not None}}
            self.claims(f"renyi_bcdp, a witness of order {order}, {change}", SET, [{**under, "epsilon": epsilon, "expect": "refuted"}], {0: entry}, status)

    def arithmetic(self):
        for what, spec, rho, status in (("the mean loss, exactly", TWICE, "log(3)", 0), ("less", TWICE, "log(3) - 1/1000000000000", 1),
                                        ("the largest loss, exactly", HALF, "log(3)", 0), ("a little more", SKEWED, f"{SKEWED_RHO} + 1e-13", 0),
                                        ("hardly more", SKEWED, f"{SKEWED_RHO} + 1e-25", 0), ("a little less", SKEWED, f"{SKEWED_RHO} - 1e-13", 1),
                                        ("hardly less", SKEWED, f"{SKEWED_RHO} - 1e-25", 1)):
            self.claims(f"zcdp, {what}", spec, [zcdp(rho)], {0: {"notion": "zcdp", **ARITHMETIC}}, status)
        for to, status in (("1", 0), ("0", 1)):
            entry = {**WITNESS, "notion": "zcdp", "witness": {"from": ["0"], "to": [to], "order": "2"}}
            self.claims(f"zcdp, 0 against {to}", HALF, [{**zcdp("0"), "expect": "refuted"}], {0: entry}, status)
        # Of HALF the sum is 7/3 at order 2; of TWICE its square is 61/9 squared at order 3, so the level is log(61/9).
        for spec, order, epsilon, tight, verdict, status in (
                (HALF, 2, "log(7/3)", True, "holds", 0), (HALF, 2, "log(7/3)", False, "holds", 0), (HALF, 2, "log(7/3 - 10^-90)", False, "holds", 1),
                (HALF, 2, "log(7/3 + 10^-90)", True, "holds", 1), (HALF, 2, "log(7/3 + 10^-90)", True, "refuted", 0), (HALF, 2, "log(7/3)", True, "refuted", 1),
                (HALF, 3, "log(7/3)", False, "holds", 1), (TWICE, 3, "log(61/9)", True, "holds", 0), (TWICE, 3, "log(61/9 - 10^-90)", False, "holds", 1),
                (HALF, 1000, "log(3)", False, "holds", 0), (HALF, 1000, "log(3)", True, "holds", 1), (HALF, 2, "inf", True, "holds", 1)):
            claim = renyi(order, epsilon, tight=tight, expect=verdict)
            entry = {"notion": "renyi_dp", "verdict": verdict, "proof": "arithmetic"}
            self.claims(f"renyi_dp of order {order}, {epsilon}, tight: {tight}, {verdict}", spec, [claim], {0: entry}, status)
        for order, to, epsilon, status in (("2", "1", "0.84", 0), ("3", "1", "0.84", 1), ("2", "0", "0", 1), ("2", "1", "log(7/3)", 1)):
            entry = {**WITNESS, "notion": "renyi_dp", "witness": {"from": ["0"], "to": [to], "order": order}}
            self.claims(f"renyi_dp, a witness of order {order} against {to}", HALF, [renyi(2, epsilon, expect="refuted")], {0: entry}, status)
        for proof in ("losses", "classes", "parts", "cases", "bounds"):
            entry = {"notion": "renyi_dp", "verdict": "holds", "proof": proof, **({"levels": []} if proof == "parts" else {})}
            self.claims(f"renyi_dp by {proof}", TWICE, [renyi(2, "log(2)")], {0: entry}, 1)
        for epsilon, order, to, status in (("0.549", "1", "1", 0), ("0.55", "1", "1", 1), ("0.549", "2", "1", 1), ("0.549", "1", "0", 1)):
            entry = {**WITNESS, "notion": "kl_dp", "witness": {"from": ["0"], "to": [to], "order": order}}
            self.claims(f"kl_dp, {epsilon}, a witness of order {order} against {to}", HALF, [{"notion": "kl_dp", "epsilon": epsilon, "expect": "refuted"}], {0: entry}, status)
        # The rows of HALF are 3/4 and 1/4: ratios 3 and 1/3, and the mass of the former is 3/4. The mean loss is 1/2 log 3.
        for notion, claimed, tight, verdict, status in (
                ("bounded_range", {"epsilon": "log(9)"}, True, "holds", 0), ("bounded_range", {"epsilon": "log(9)"}, True, "refuted", 1),
                ("bounded_range", {"epsilon": "log(9 - 10^-90)"}, False, "holds", 1), ("bounded_range", {"epsilon": "log(9 + 10^-90)"}, True, "holds", 1),
                ("bounded_range", {"epsilon": "log(9 + 10^-90)"}, True, "refuted", 0), ("bounded_range", {"epsilon": "inf"}, True, "holds", 1),
                ("kl_dp", {"epsilon": "0.55"}, False, "holds", 0), ("kl_dp", {"epsilon": "0.55"}, True, "holds", 1), ("kl_dp", {"epsilon": "0.55"}, True, "refuted", 0),
                ("kl_dp", {"epsilon": "0.549"}, False, "holds", 1), ("kl_dp", {"epsilon": "0.549"}, False, "refuted", 0), ("kl_dp", {"epsilon": "inf"}, True, "holds", 1),
                ("probabilistic_dp", {"epsilon": "log(2)", "delta": "3/4"}, True, "holds", 0), ("probabilistic_dp", {"epsilon": "log(2)", "delta": "3/4"}, True, "refuted", 1),
                ("probabilistic_dp", {"epsilon": "log(2)", "delta": "7/10"}, False, "holds", 1), ("probabilistic_dp", {"epsilon": "log(3)", "delta": "0"}, True, "holds", 0),
                ("probabilistic_dp", {"epsilon": "log(2)", "delta": "4/5"}, True, "holds", 1), ("probabilistic_dp", {"epsilon": "inf", "delta": "0"}, False, "holds", 0)):
            claim = {"notion": notion, **claimed, "tight": tight, "expect": verdict}
            self.claims(f"{claim}, by arithmetic", HALF, [claim], {0: {"notion": notion, "verdict": verdict, "proof": "arithmetic"}}, status)
            for proof in ("losses", "classes", "parts", "cases", "bounds"):
                entry = {"notion": notion, "verdict": "holds", "proof": proof, **({"levels": []} if proof == "parts" else {})}
                self.claims(f"{claim} by {proof}", HALF, [{**claim, "expect": "holds"}], {0: entry}, 1)
        # The best tests of HALF err with (0, 1), (1/4, 1/4) and (1, 0).
        exact, bent = [["0", "1"], ["1/4", "1/4"], ["1", "0"]], [["0", "1"], ["1/2", "1/4"], ["1", "0"]]
        for f, delta, tight, verdict, status in ((exact, {}, True, "holds", 0), (exact, {}, False, "refuted", 1), (bent, {}, False, "holds", 1), (bent, {"delta": "3/8"}, True, "holds", 0),
                                                 (bent, {"delta": "3/8"}, True, "refuted", 1), (bent, {"delta": "1/2"}, True, "refuted", 0), (bent, {"delta": "374/1000"}, False, "holds", 1)):
            claim = {"notion": "f_dp", "f": f, **delta, "tight": tight, "expect": verdict}
            self.claims(f"{claim}, by arithmetic", HALF, [claim], {0: {"notion": "f_dp", "verdict": verdict, "proof": "arithmetic"}}, status)
            for proof in ("losses", "classes", "parts", "cases", "bounds"):
                entry = {"notion": "f_dp", "verdict": "holds", "proof": proof, **({"levels": []} if proof == "parts" else {})}
                self.claims(f"{claim} by {proof}", HALF, [{**claim, "expect": "holds"}], {0: entry}, 1)
        for outputs, p, q, to, delta, status in ((["a"], "3/4", "1/4", "1", "1/4", 0), (["b"], "1/4", "3/4", "1", "1/4", 1), (["a"], "3/4", "1/4", "0", "1/4", 1), (["a"], "3/4", "1/4", "1", "3/8", 1),
                                                 ([], "0", "0", "1", "0", 1), (["a", "b"], "1", "1", "1", "0", 1), (["a"], "1", "1/4", "1", "1/4", 1)):
            entry = {**WITNESS, "notion": "f_dp", "witness": {"from": ["0"], "to": [to], "outputs": outputs, "p_from": p, "p_to": q}}
            if len(outputs) == 1:  # as certificates write it
                alone = {**entry, "witness": {**{k: v for k, v in entry["witness"].items() if k != "outputs"}, "output": outputs[0]}}
                self.claims(f"f_dp, a test of one output against {to}, {delta}", HALF, [{"notion": "f_dp", "f": bent, "delta": delta, "expect": "refuted"}], {0: alone}, status)
            self.claims(f"f_dp, a test {outputs} against {to}, {delta}", HALF, [{"notion": "f_dp", "f": bent, "delta": delta, "expect": "refuted"}], {0: entry}, status)
        self.tails_of_lifts()
        self.protected_outputs()
        self.approximate()
        most, least = {"output": "a", "p_from": "3/4", "p_to": "1/4"}, {"output": "b", "p_from": "1/4", "p_to": "3/4"}
        for epsilon, high, lowest, status in (("log(8)", most, least, 0), ("log(9)", most, least, 1), ("log(8)", least, most, 1), ("log(8)", most, most, 1),
                                              ("log(8)", most, None, 1), ("log(2)", most, {**least, "p_to": "1"}, 1), ("log(8)", most, {**least, "output": "c"}, 1)):
            entry = {**WITNESS, "notion": "bounded_range", "witness": {"from": ["0"], "to": ["1"], **high, **({"lowest": lowest} if lowest else {})}}
            self.claims(f"bounded_range, {epsilon}, {high}, {lowest}", HALF, [{"notion": "bounded_range", "epsilon": epsilon, "expect": "refuted"}], {0: entry}, status)
        for epsilon, delta, outputs, p, q, status in (("log(2)", "1/2", ["a"], "3/4", "1/4", 0), ("log(2)", "3/4", ["a"], "3/4", "1/4", 1), ("log(3)", "1/2", ["a"], "3/4", "1/4", 1),
                                                      ("log(2)", "4/5", ["a", "b"], "1", "1", 1), ("log(2)", "1/2", ["a", "a"], "3/2", "1/2", 1), ("log(2)", "0", ["b"], "1/4", "3/4", 1),
                                                      ("log(2)", "1/2", [], "0", "0", 1), ("log(2)", "1/2", ["a"], "3/4", "0", 1)):
            entry = {**WITNESS, "notion": "probabilistic_dp", "witness": {"from": ["0"], "to": ["1"], "outputs": outputs, "p_from": p, "p_to": q}}
            if len(outputs) == 1:
                alone = {**entry, "witness": {**{k: v for k, v in entry["witness"].items() if k != "outputs"}, "output": outputs[0]}}
                self.claims(f"probabilistic_dp, {epsilon}, {delta}, one output", HALF, [{"notion": "probabilistic_dp", "epsilon": epsilon, "delta": delta, "expect": "refuted"}], {0: alone}, status)
            self.claims(f"probabilistic_dp, {epsilon}, {delta}, {outputs}", HALF, [{"notion": "probabilistic_dp", "epsilon": epsilon, "delta": delta, "expect": "refuted"}], {0: entry}, status)
        for more, verdict, status in (("+ 1e-30", "holds", 0), ("- 1e-30", "holds", 1), ("- 1e-30", "refuted", 0)):
            claim = {"notion": "gaussian_dp", "mu": f"{MU_OF_HALF} {more}", "expect": verdict}
            self.claims(f"gaussian_dp {more}, {verdict}, by arithmetic", HALF, [claim], {0: {"notion": "gaussian_dp", "verdict": verdict, "proof": "arithmetic"}}, status)
        for spec, mu, verdict, witness, status in (
                (HALF, f"{MU_OF_HALF} - 1e-30", "refuted", {"from": ["0"], "to": ["1"]}, 0), (HALF, f"{MU_OF_HALF} + 1e-30", "refuted", {"from": ["0"], "to": ["1"]}, 1),
                (HALF, "1.3", "refuted", {"from": ["0"], "to": ["0"]}, 1), (HALF, "inf", "refuted", {"from": ["0"], "to": ["1"]}, 1), (HALF, "1.3", "refuted", None, 1),
                (TWICE, "1.6914313", "holds", None, 0), (TWICE, "1.6914311", "holds", None, 1), (TWICE, "1.6914311", "refuted", {"from": ["1"], "to": ["0"]}, 0),
                (TWICE, "1.6914313", "holds", {"from": ["1"], "to": ["0"]}, 1)):
            entry = {"notion": "gaussian_dp", "verdict": verdict, "proof": "losses", **({"witness": witness} if witness else {})}
            self.claims(f"gaussian_dp {mu}, {verdict}, by losses, {witness}", spec, [{"notion": "gaussian_dp", "mu": mu, "expect": verdict}], {0: entry}, status)
        # After "a", 0 has probability 3/4.
        for at_most, tight, verdict, status in (("3/4", True, "holds", 0), ("3/4 - 10^-50", False, "holds", 1), ("3/4 + 10^-50", True, "holds", 1),
                                                ("3/4 + 10^-50", True, "refuted", 0), ("1/4", False, "holds", 1), ("1", False, "holds", 0)):
            claim = {"notion": "posterior", "coordinate": "x", "values": ["0"], "at_most": at_most, "tight": tight, "expect": verdict}
            self.claims(f"posterior {at_most}, tight: {tight}, {verdict}", SET, [claim], {0: {"notion": "posterior", "verdict": verdict, "proof": "arithmetic"}}, status)
        for at_most, change, status in (("0.7", {}, 0), ("3/4", {}, 1), ("0.7", {"from": "1"}, 1), ("0.7", {"to": "1", "p_to": "1/4"}, 1),
                                        ("0.7", {"p_from": "4/5"}, 1), ("0.7", {"output": "b"}, 1), ("1/4", {}, 0), ("0", {}, 0)):
            claim = {"notion": "posterior", "coordinate": "x", "values": ["0"], "at_most": at_most, "expect": "refuted"}
            witness = {"output": "a", "from": "0", "to": [], "p_from": "3/4", "p_to": "1/2", "coordinate": "x", **change}
            self.claims(f"posterior {at_most}, a witness with {change}", SET, [claim], {0: {**WITNESS, "notion": "posterior", "witness": witness}}, status)
        # Three noisy counts; only neighbors are compared.
        counts = {**HALF, "domain": [{"name": "x", "size": 3}], "mechanism": {"type": "matrix", "outputs": ["a", "b"], "rows": [["1/2", "1/2"], ["1/4", "3/4"], ["1/8", "7/8"]]}}
        for neighbors, status in (({"metric": "absolute", "of": ["x"], "at_most": 1}, 0), ({"pairs": [[["0"], ["1"]], [["1"], ["2"]]]}, 0), ({"pairs": [[["0"], ["2"]]]}, 1),
                                  ({"metric": "absolute", "of": ["x"], "at_most": 2}, 1), ({"metric": "hamming", "at_most": 1}, 1)):
            for own in ({"notion": "approximate_dp", "epsilon": "0", "delta": "0"}, {"notion": "zcdp", "rho": "0"}, {"notion": "gaussian_dp", "mu": "0"}):
                for proof in ("losses", "classes", "arithmetic", "parts"):
                    entry = {"notion": own["notion"], "verdict": "holds", "proof": proof, **({"levels": []} if proof == "parts" else {})}
                    self.claims(f"neighbors {neighbors} by {proof}", counts, [{**own, "neighbors": neighbors}], {0: entry}, 1)
            claim = {"notion": "approximate_dp", "epsilon": "log(2)", "delta": "0", "neighbors": neighbors}
            self.claims(f"neighbors {neighbors}", counts, [claim], {0: {"notion": "approximate_dp", **ARITHMETIC}}, status)
            witness = {"outputs": ["a"], "from": ["0"], "to": ["2"], "p_from": "1/2", "p_to": "1/8"}
            self.claims(f"a witness of neighbors {neighbors}", counts, [{**claim, "expect": "refuted"}], {0: {**WITNESS, "notion": "approximate_dp", "witness": witness}}, 1 - status)
        # log(3) is between sqrt(1.2) and sqrt(1.21); its first 45 digits are those of LOG_3.
        for epsilon, tight, verdict, status in (
                ({"metric": "absolute", "epsilon": "log(3)"}, True, "holds", 0), ({"metric": "l2", "epsilon": f"{LOG_3}"}, False, "holds", 1),
                ({"metric": "l2", "epsilon": f"{LOG_3} + 1e-44"}, False, "holds", 0), ({"metric": "l2", "epsilon": f"{LOG_3} + 1e-44"}, True, "holds", 1),
                ({"metric": "hamming", "epsilon": "log(3)"}, True, "holds", 0), ({"metric": "hamming", "epsilon": "log(2)"}, False, "holds", 1),
                ([["0", "sqrt(6/5)"], ["sqrt(2)", "0"]], False, "holds", 1), ([["0", "sqrt(6/5)"], ["sqrt(2)", "0"]], False, "refuted", 0),
                ([["0", "sqrt(121/100)"], ["11/10*sqrt(1)", "0"]], False, "holds", 0), ([["0", "sqrt(2)"], ["sqrt(2)", "0"]], True, "holds", 1),
                ({"min_of": ["log(3)", "2"]}, True, "holds", 0), ({"min_of": ["2", "inf"]}, True, "holds", 1), ({"min_of": {"1": "log(2)", "0": "2"}}, False, "holds", 1)):
            claim = {"notion": "context_ldp", "epsilon": epsilon, "tight": tight, "expect": verdict}
            self.claims(f"levels of pairs {epsilon}, tight: {tight}, {verdict}", HALF, [claim], {0: {"notion": "context_ldp", "verdict": verdict, "proof": "arithmetic"}}, status)
        # The counts 0 and 2 differ by log(4): within twice log(2), not within sqrt(2) log(2).
        apart = {"output": "a", "from": ["0"], "to": ["2"], "p_from": "1/2", "p_to": "1/8"}
        for epsilon, change, status in (({"metric": "absolute", "epsilon": "log(2)"}, {}, 1), ({"metric": "absolute", "epsilon": "log(3/2)"}, {}, 0),
                                        ({"metric": "absolute", "epsilon": "log(3/2)"}, {"p_to": "1/16"}, 1), ({"metric": "hamming", "epsilon": "log(4)"}, {}, 1),
                                        ([["0", "1", "sqrt(2)"], ["1", "0", "1"], ["inf", "1", "0"]], {}, 1), ([["0", "1", "sqrt(19/10)"], ["1", "0", "1"], ["inf", "1", "0"]], {}, 0),
                                        ([["0", "1", "inf"], ["1", "0", "1"], ["inf", "1", "0"]], {}, 1), ({"min_of": ["1", "inf", "inf"]}, {}, 0), ({"min_of": ["inf", "1", "inf"]}, {}, 1)):
            self.claims(f"a witness with {change} of levels of pairs {epsilon}", counts, [{"notion": "context_ldp", "epsilon": epsilon, "expect": "refuted"}],
                        {0: {**WITNESS, "notion": "context_ldp", "witness": {**apart, **change}}}, status)
        # Levels of one coordinate of two: log(3) for x, log(2) for y.
        both = {**HALF, "domain": [{"name": "x", "values": ["0", "1"]}, {"name": "y", "values": ["0", "1"]}], "mechanism": {"type": "matrix", "outputs": ["a", "b", "c", "d"], "rows": [
            ["1/2", "1/4", "1/6", "1/12"], ["1/4", "1/2", "1/12", "1/6"], ["1/6", "1/12", "1/2", "1/4"], ["1/12", "1/6", "1/4", "1/2"]]}}
        for of, level, tight, verdict, status in ((["x"], "log(3)", True, "holds", 0), (["y"], "log(3)", False, "holds", 0), (["y"], "log(3)", True, "holds", 1),
                                                  (["y"], "log(2)", True, "holds", 0), (["x"], "log(2)", False, "holds", 1), (["x"], "log(2)", False, "refuted", 0)):
            claim = {"notion": "context_ldp", "epsilon": {"matrix": [["0", level], [level, "0"]], "of": of}, "tight": tight, "expect": verdict}
            self.claims(f"a matrix of {of} with {level}, tight: {tight}, {verdict}", both, [claim], {0: {"notion": "context_ldp", "verdict": verdict, "proof": "arithmetic"}}, status)
        for of, to, p_to, status in ((["x"], ["1", "0"], "1/6", 0), (["y"], ["1", "0"], "1/6", 1), (["y"], ["1", "1"], "1/12", 1), (["y"], ["0", "1"], "1/4", 0)):
            claim = {"notion": "context_ldp", "epsilon": {"matrix": [["0", "1/2"], ["1/2", "0"]], "of": of}, "expect": "refuted"}
            witness = {"output": "a", "from": ["0", "0"], "to": to, "p_from": "1/2", "p_to": p_to}
            self.claims(f"a witness of a matrix of {of} to {to}", both, [claim], {0: {**WITNESS, "notion": "context_ldp", "witness": witness}}, status)
        for tight, epsilon, status in ((True, f"{INFORMATION} + 1e-36", 1), (False, f"{INFORMATION} + 1e-36", 0), (False, f"{INFORMATION} - 1e-36", 1),
                                       (True, "inf", 1), (False, "inf", 0)):
            claim = {"notion": "information", "epsilon": epsilon, "tight": tight}
            self.claims(f"information {epsilon}, tight: {tight}", SET, [claim], {0: {"notion": "information", **ARITHMETIC}}, status)

    def escapes(self):
        """From every place of a certificate and of a spec whose text is printed."""
        reason = [{"claim": 0, "name": "", "reason": ESCAPES}]
        named = {**HOLDS, "name": ESCAPES}
        self.claims("a reason", HALF, [HOLDS], {}, 3, without=reason)
        self.claims("a claim's name", HALF, [named], {0: SHOWN}, 0)
        self.claims("a claim's name, refuted", HALF, [{**REFUTED, "name": ESCAPES}], {0: WITNESS}, 1)
        self.claims("a key", HALF, [HOLDS], {0: {**SHOWN, ESCAPES: 1}}, 1)
        self.claims("an output", HALF, [REFUTED], {0: {**WITNESS, "witness": {**WITNESS["witness"], "output": ESCAPES}}}, 1)
        self.claims("a solver's answer", TOUCHING, [TRUE], {0: of_symbols(TRUE, queries=[{**QUERY, "cvc5": ESCAPES}])}, 3)
        self.claims("a query's name", TOUCHING, [TRUE], {0: of_symbols(TRUE, queries=[{**QUERY, "name": ESCAPES, "z3": "sat"}])}, 1)
        self.claims("a number", HALF, [{**HOLDS, "epsilon": ESCAPES}], {0: SHOWN}, 2)
        bounds = {"oddsbound": 1, "tool": {}, "notion": "bcdp", "file": "", "spec": "half", "without": [{"coordinate": "x", "reason": ESCAPES}], "coordinates": []}
        for kind, more in (("search", {}), ("network", {"sets": []})):
            for document, status in (({**bounds, **more}, 3), ({**bounds, **more, ESCAPES: 1}, 1), ({**bounds, **more, "without": []}, 1), ('{"\\u001b": }', 2)):
                path, certificate = self.files(SET, document)
                if isinstance(document, dict):
                    with open(certificate, "w", encoding="utf-8") as file:
                        json.dump({**document, "certificate": kind}, file)
                found, said = self.run(cli.main, path, certificate)
                self.expect(found == status, f"{kind}: status {found} and not {status}: {said}")
                self.printed(kind, said)

    def sets(self):
        entry = {"notion": "bcdp", "verdict": "holds", "for_all": "all", "levels": [{"coordinate": "x", "proof": "recompute"}]}
        for what, claim, entries, status in (("a proof", OVER_ALL, {0: entry}, 0), ("no proof", OVER_ALL, {}, 3),
                                             ("of a claim over no set", {"notion": "bcdp", "epsilon": {"x": "log(3)"}}, {0: entry}, 1),
                                             ("expected to be refuted", {**OVER_ALL, "expect": "refuted"}, {0: entry}, 1),
                                             ("a tight one", {**OVER_ALL, "tight": True}, {0: entry}, 1),
                                             ("of less than is true", {**OVER_ALL, "epsilon": {"x": "log(2)"}}, {0: entry}, 1)):
            self.claims(f"over a set, {what}", SET, [claim], entries, status)


def main():
    with tempfile.TemporaryDirectory() as folder:
        tests = Tests(folder)
        tests.forgeries()
        tests.statuses()
        tests.symbols()
        tests.parts()
        tests.labels()
        tests.arithmetic()
        tests.escapes()
        tests.sets()
    print(f"{tests.passed} passed, {tests.failed} failed")
    return 1 if tests.failed else 0


if __name__ == "__main__":
    sys.exit(main())
