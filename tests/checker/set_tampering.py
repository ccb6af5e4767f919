"""Certificates of claims over sets of priors against their checker, on specs and on random small ones: it accepts the
program's certificates, which omit no claim without a reason; it rejects tampered ones, and ones with levels that are
too low.

set_tampering.py BINARY SPEC... [--random N] [--seed S]: prints a line per problem, then "N passed, M failed".
"""
import copy
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from certificate_runs import write
from checking import digest
from oddsbound_check.certificate import read
from oddsbound_check.report import ACCEPTED, NOT_PROVED, REJECTED, failed, worst
from oddsbound_check.spec import read_spec
from oddsbound_check.verdicts import Verdicts
from sets import arguments_about_sets, random_spec

FAR = str(10**6)
KINDS = ("prices", "squares", "bets", "limits", "rows")


def pairs_with(document, kind):
    """(level, proof) of every proof of a kind."""
    return [(level, pair) for claim in document["claims"] for level in claim["levels"] for pair in level.get("pairs", []) if kind in pair]


def any_pair(document):
    return random.choice([found for kind in KINDS for found in pairs_with(document, kind)])


def pair_of(document, kind):
    return random.choice([found for found in pairs_with(document, kind) if found[1][kind]])[1]


def level_of(document):
    return random.choice([level for claim in document["claims"] for level in claim["levels"]])


def mass_of(document):
    return random.choice([mass for claim in document["claims"] for level in claim["levels"] for mass in level.get("masses", [])])


def moved(numbers, sign):
    """One of the numbers, moved far up or down."""
    place = random.randrange(len(numbers))
    numbers[place] = f"{numbers[place]} {sign} {FAR}"


def swapped(pair):
    pair.update({"from": pair["to"], "to": pair["from"]})


def elsewhere(document):
    level, pair = any_pair(document)
    pair["output"] = random.choice([other["output"] for other in level["pairs"] if other["output"] != pair["output"]])


def proofs_of_rows(document, kind):
    """The nonempty parts of row proofs."""
    found, left = [], [pair["rows"]["proof"] for _, pair in pairs_with(document, "rows")]
    while left:
        proof = left.pop()
        found += [proof] if kind in proof else []
        left += proof.get("parts", [])
    return random.choice(found)


def moved_in(document, kind, change):
    numbers = random.choice([pair["rows"] for _, pair in pairs_with(document, "rows")]) if kind == "bound" else proofs_of_rows(document, kind)
    change(numbers)


# Changes of a document; LookupError if there is nothing of the kind.
TAMPERED = {
    "a proof that is dropped": lambda d: (lambda level, pair: level["pairs"].remove(pair))(*any_pair(d)),
    "a proof that is there twice": lambda d: (lambda level, pair: level["pairs"].append(pair))(*any_pair(d)),
    "a proof for another output": elsewhere,
    "a proof for no output": lambda d: any_pair(d)[1].update(output="nobody's"),
    "a proof the other way": lambda d: swapped(any_pair(d)[1]),
    "a proof of one label": lambda d: (lambda pair: pair.update(to=pair["from"]))(any_pair(d)[1]),
    "a proof of nobody": lambda d: any_pair(d)[1].update(to="nobody"),
    "a proof of no text": lambda d: any_pair(d)[1].update(output=[]),
    "no proofs": lambda d: any_pair(d)[0].pop("pairs"),
    "all proofs dropped": lambda d: any_pair(d)[0].update(pairs=[]),
    "nothing but words": lambda d: (lambda level: (level.pop("pairs"), level.pop("masses", 0), level.update(proof="recompute")))(any_pair(d)[0]),
    "proofs and words": lambda d: any_pair(d)[0].update(proof="recompute"),
    "a proof of two kinds": lambda d: any_pair(d)[1].update(squares=[], limits=["0", "0"]),
    "a proof of no kind": lambda d: (lambda pair: [pair.pop(kind, 0) for kind in KINDS])(any_pair(d)[1]),
    "a price that is too high": lambda d: moved(pair_of(d, "prices")["prices"], "+"),
    "a price that is too low": lambda d: moved(pair_of(d, "prices")["prices"], "-"),
    "a price that is dropped": lambda d: pair_of(d, "prices")["prices"].pop(),
    "a price too many": lambda d: pair_of(d, "prices")["prices"].append("0"),
    "a price that is a number": lambda d: pair_of(d, "prices").update(prices=[0] * len(pair_of(d, "prices")["prices"])),
    "an endless price": lambda d: pair_of(d, "prices").update(prices=["9^99999999"]),
    "a mass that is too small": lambda d: moved(mass_of(d)["at_most"], "-"),
    "a mass that is too large": lambda d: moved(mass_of(d)["at_least"], "-"),
    "a mass of nobody": lambda d: mass_of(d).update(label="nobody"),
    "a mass less": lambda d: next(level for level, _ in pairs_with(d, "prices")).pop("masses"),
    "a mass twice": lambda d: (lambda level: level["masses"].append(level["masses"][0]))(pairs_with(d, "prices")[0][0]),
    "squares that are dropped": lambda d: pair_of(d, "squares")["squares"].clear(),
    "a square that is dropped": lambda d: pair_of(d, "squares")["squares"].pop(),
    "a square that is there twice": lambda d: (lambda pair: pair["squares"].append(pair["squares"][0]))(pair_of(d, "squares")),
    "a square of nothing": lambda d: pair_of(d, "squares")["squares"].append([0, 10**6]),
    "a square of one": lambda d: (lambda pair: pair["squares"].append([pair["squares"][0][0]] * 2))(pair_of(d, "squares")),
    "bets on nothing": lambda d: pair_of(d, "bets").update(bets=["0", "0"]),
    "bets the other way": lambda d: (lambda pair: pair.update(bets=["-" + pair["bets"][0], pair["bets"][1]]))(pair_of(d, "bets")),
    "bets without a shift": lambda d: (lambda pair: pair.update(bets=[pair["bets"][0], "0"]))(pair_of(d, "bets")),
    "half a bet": lambda d: pair_of(d, "bets")["bets"].pop(),
    "bets beyond what there is": lambda d: pair_of(d, "bets")["bets"].__setitem__(1, FAR * 3),
    "no limits": lambda d: pair_of(d, "limits").update(limits=["0", "0"]),
    "a limit that is too sharp": lambda d: (lambda pair: pair.update(limits=[str((1 + Fraction(pair["limits"][0])) / 2), pair["limits"][1]]))(pair_of(d, "limits")),
    "the other limit too sharp": lambda d: (lambda pair: pair.update(limits=[pair["limits"][0], str((1 + Fraction(pair["limits"][1])) / 2)]))(pair_of(d, "limits")),
    "a limit below 0": lambda d: pair_of(d, "limits")["limits"].__setitem__(0, "-1"),
    "a limit above 1": lambda d: pair_of(d, "limits")["limits"].__setitem__(1, "2"),
    "a mean that is dropped": lambda d: moved_in(d, "means", lambda p: p["means"].pop()),
    "no means": lambda d: moved_in(d, "means", lambda p: p.update(means=[], shares=[])),
    "no share": lambda d: moved_in(d, "means", lambda p: p["shares"].pop()),
    "a mean that falls": lambda d: moved_in(d, "means", lambda p: p["means"].append("0") or p["shares"].append("0")),
    "a mean below 0": lambda d: moved_in(d, "means", lambda p: p["means"].insert(0, "-1") or p["shares"].insert(0, "1")),
    "a share above 1": lambda d: moved_in(d, "means", lambda p: p["shares"].__setitem__(0, "2")),
    "a share below 0": lambda d: moved_in(d, "means", lambda p: p["shares"].__setitem__(0, "-1")),
    "a bound above the claim": lambda d: moved_in(d, "bound", lambda p: p.update(bound=FAR)),
    "no order": lambda d: moved_in(d, "bound", lambda p: p.update(order=[])),
    "an order that is there twice": lambda d: moved_in(d, "bound", lambda p: p.update(order=p["order"] * 2)),
    "a coordinate that is none": lambda d: moved_in(d, "bound", lambda p: p["order"].__setitem__(0, 99)),
    "a point that is dropped": lambda d: moved_in(d, "points", lambda p: (p["points"].pop(), p["parts"].pop())),
    "a part that is dropped": lambda d: moved_in(d, "parts", lambda p: p["parts"].pop()),
    "a row that is none": lambda d: moved_in(d, "row", lambda p: p.update(row=10**6)),
    "words that are not known": lambda d: level_of(d).update(proof="believe"),
    "a level that is dropped": lambda d: random.choice(d["claims"])["levels"].pop(),
    "a level twice": lambda d: (lambda claim: claim["levels"].append(claim["levels"][0]))(random.choice(d["claims"])),
    "a level of another coordinate": lambda d: level_of(d).update(coordinate="nobody"),
    "a claim twice": lambda d: d["claims"].append(random.choice(d["claims"])),
    "a claim that is not there": lambda d: random.choice(d["claims"]).update(claim=10**6),
    "a claim below 0": lambda d: random.choice(d["claims"]).update(claim=-1),
    "half a claim": lambda d: random.choice(d["claims"]).update(claim=0.5),
    "a claim by another name": lambda d: random.choice(d["claims"]).update(name="another"),
    "a field that is not known": lambda d: random.choice(d["claims"]).update(proved=True),
    "a field that is missing": lambda d: random.choice(d["claims"]).pop("for_all"),
    "another kind": lambda d: d.update(certificate="search"),
    "another spec": lambda d: d.update(spec="another"),
    "claims that are none": lambda d: d.update(claims={}),
}
# Changes of its text.
TEXTS = {
    "NaN": lambda text: text.replace('"claim":', '"claim":NaN,"x":', 1),
    "a key twice": lambda text: text.replace('"certificate":', '"certificate":"claims","certificate":', 1),
    "half a file": lambda text: text[:len(text) // 2],
    "nothing": lambda text: "",
}


class Run:
    def __init__(self, binary, folder, tries):
        """tries: number of ways to tamper with each certificate; None: all."""
        self.binary, self.folder, self.tries = binary, folder, tries
        self.passed = self.failed = self.claims = self.tampered = self.searched = self.unproved = 0
        self.kinds = dict.fromkeys((*KINDS, "recompute"), 0)

    def expect(self, fine, problem):
        self.passed += bool(fine)
        self.failed += not fine
        if not fine:
            print(problem)

    def certificate(self, spec):
        """The results of the claims, and the certificate as written (None if there is none)."""
        folder = tempfile.mkdtemp(dir=self.folder)
        run = subprocess.run([self.binary, "verify", "--format", "json", "--certificates", folder, spec], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, timeout=600)
        written = os.listdir(folder)
        self.expect(run.returncode in (0, 1, 3) and len(written) < 2, f"{spec}: exit status {run.returncode}, {written}")
        results = json.loads(run.stdout)["specs"][0]["claims"]
        if not written:
            return results, run.returncode, None
        with open(os.path.join(folder, written[0]), encoding="utf-8") as file:
            document = json.load(file)
        over_sets = {k for k, claim in enumerate(read_spec(spec).claims) if claim.for_all}
        document["claims"] = [entry for entry in document["claims"] if "for_all" in entry]
        document["without"] = [told for told in document["without"] if told["claim"] in over_sets]
        document["undecided"] = []
        document["without"] = [told for told in document["without"] if results[told["claim"]]["verdict"].startswith("holds")]
        held = document["claims"] or document["without"]
        return results, run.returncode, json.dumps(document) if held else None

    def checked(self, path, text, spec=None):
        """The exit status and the lines, of the claims over sets. spec: read in place of the path's."""
        certificate, lines = os.path.join(self.folder, "checked.json"), []
        with open(certificate, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            spec = spec or read_spec(path)
            over_sets = {k for k, claim in enumerate(spec.claims) if claim.for_all}
            document = read(certificate)
            document["files"][0]["sha256"] = spec.digest  # the proof is to be refused, not the file
            for line in Verdicts(spec, document).lines(over_sets):
                lines.append(line)
        except Exception as error:  # as the command does
            lines.append(failed(error))
        return worst(line.status for line in lines), "\n".join(map(str, lines))

    def expect_rejected(self, what, path, text, spec=None):
        status, said = self.checked(path, text, spec)
        self.tampered += 1
        words = {1: "rejected:", 2: "unreadable:"}.get(status, "none")
        self.expect(any(line.startswith(words) for line in said.splitlines()), f"{path}: {what}: status {status}, {said}")

    def spec(self, path):
        with open(path, encoding="utf-8") as file:
            claims = json.load(file).get("claims", [])
        over_sets = [k for k, claim in enumerate(claims) if "for_all" in claim]
        results, status, text = self.certificate(path)
        document = json.loads(text) if text else {"claims": [], "without": []}
        proved, without = ([entry["claim"] for entry in document[key]] for key in ("claims", "without"))
        held = [k for k in over_sets if results[k]["verdict"].startswith("holds")]
        self.expect(sorted({*proved, *without}) == held and (text is None) == (not held), f"{path}: {held} hold, {proved} are proved")
        self.expect(not without or status in (1, 3), f"{path}: exit status {status}, without {without}")
        searched = [k for k in held if read_spec(path).claims[k].for_all.kind == "network"]
        self.expect({*proved, *searched} == {*held} and {*without} <= {*searched}, f"{path}: {document['without']}")
        self.searched += len(searched)
        self.unproved += len(without)
        if text is None:
            return
        status, last = self.checked(path, text)
        self.expect(status == self.honest_status(path, claims, proved), f"{path}: an honest certificate: {status}, {last}")
        self.claims += len(proved)
        for kind in self.kinds:
            self.kinds[kind] += text.count(f'"{kind}"')
        self.tamper(path, text)
        self.forge(path, document, claims, results)
        self.lower(path, document, results)

    @staticmethod
    def honest_status(path, claims, proved):
        """The status of a certificate that proves these claims: 1 over 3 over 0."""
        if any(claims[k].get("expect") == "refuted" for k in proved):
            return REJECTED
        over_sets = {k for k, claim in enumerate(claims) if "for_all" in claim}
        return ACCEPTED if over_sets == set(proved) else NOT_PROVED

    def sharpened(self, path):
        """The same spec with claims of the exact levels, or slightly larger ones: nothing holds below these."""
        results = self.certificate(path)[0]
        with open(path, encoding="utf-8") as file:
            spec = json.load(file)
        for claim, found in zip(spec["claims"], results):
            room = random.choice(["", "*101/100", "*(1 + 1/100000000)", "*exp(1/1000)"])

            def above(level):
                most = level.get("at_most", level)
                return most["epsilon"] if most["epsilon"] == "inf" else f"log(({most['exp']}){room})"
            by_coordinate = claim["notion"] == "bcdp"
            claim["epsilon"] = {name: above(level) for name, level in found["actual"].items()} if by_coordinate else above(found["actual"])
        spec["name"] += "-sharp"
        sharp = path.replace(".json", "-sharp.json")
        with open(sharp, "w", encoding="utf-8") as file:
            json.dump(spec, file)
        return sharp

    def tamper(self, path, text):
        ways = list(TAMPERED.items())
        for what, tamper in ways if self.tries is None else random.sample(ways, self.tries):
            document = json.loads(text)
            try:
                tamper(document)
            except (LookupError, StopIteration):
                continue
            self.expect_rejected(what, path, json.dumps(document))
        for what, tamper in TEXTS.items():
            self.expect_rejected(what, path, tamper(text))

    def forge(self, path, document, claims, results):
        """Proofs for refuted claims: none, and those of another claim over the same set."""
        for k, claim in enumerate(claims):
            if "for_all" not in claim or results[k]["verdict"] != "refuted" or results[k].get("a_smaller_level_holds"):
                continue
            levels = len(results[k]["actual"]) if claim["notion"] == "bcdp" else 1
            names = list(results[k]["actual"]) if claim["notion"] == "bcdp" else [None] * levels
            with_confidence = read_spec(path).claims[k].for_all.kind == "sample"
            forged = {"claim": k, "name": claim.get("name", ""), "for_all": "some priors", "notion": claim["notion"],
                      "verdict": "holds with confidence" if with_confidence else "holds",
                      "levels": [{**({"coordinate": name} if name else {}), "proof": "recompute"} for name in names]}
            self.expect_rejected(f"claim {k}, which is refuted", path, json.dumps({**document, "claims": [forged]}))
            for other in document["claims"]:
                if claims[other["claim"]]["for_all"] == claim["for_all"] and len(other["levels"]) == levels:
                    borrowed = {**forged, "levels": [{**level, **({"coordinate": name} if name else {})} for name, level in zip(names, other["levels"])]}
                    self.expect_rejected(f"claim {k} with the proofs of {other['claim']}", path, json.dumps({**document, "claims": [borrowed]}))

    def lower(self, path, document, results):
        """The same proofs for claims a millionth below the true levels."""
        for entry in document["claims"]:
            spec, k = read_spec(path), entry["claim"]
            actual = results[k]["actual"]
            claim = {key: own for key, own in spec.json["claims"][k].items() if key != "tight"}
            entry = {key: own for key, own in entry.items() if key != "attained"}
            if claim["notion"] == "bcdp":
                stated = claim["epsilon"] if isinstance(claim["epsilon"], dict) else dict.fromkeys(actual, claim["epsilon"])
                lower = next(((name, less_than(level)) for name, level in actual.items() if less_than(level)), None)
                claim["epsilon"] = dict([*stated.items(), lower]) if lower else None
            else:
                claim["epsilon"] = less_than(actual)
            if claim["epsilon"] is not None:
                spec.claims[k] = spec.claim_of(claim)
                self.expect_rejected(f"claim {k} below what is true", path, json.dumps({**document, "claims": [entry]}), spec)


def less_than(level):
    """Slightly less than a stated level; None if that is 0 or infinite."""
    shown = level.get("at_least", level)
    if shown["epsilon"] in ("inf", "0") or float(shown["lower"]) < 1e-4:
        return None
    return f"log(({shown['exp']})*999999/1000000)"


def groups(run, number):
    """People of several groups, within each of which the coordinates are independent: mixtures are worse than every
    group, and squares prove it best. Also tables, samples and learned sets, with entries that are rational or contain
    exp."""
    def shares(size):
        counts = [random.randrange(1, 8) for _ in range(size)]
        return [str(Fraction(count, sum(counts))) for count in counts]
    domain = [{"name": name, "values": [str(v) for v in range(size)]} for name, size in (("hidden", 2), ("told", random.choice([2, 3])), ("else", 2))]
    inputs = 4 * len(domain[1]["values"])
    asked = {"type": "k_randomized_response", "epsilon": random.choice(["log(3)", "log(5/2)", "1"])}
    products = [{"type": "product", "marginals": {c["name"]: shares(len(c["values"])) for c in domain}} for _ in range(random.randrange(2, 5))]
    sets = [{"type": "mixtures_of", "priors": products}, {"type": "side_knowledge", "about": ["else"]},
            {"type": "marginals", "sets": [["hidden", "told"], ["told", "else"]]}, {"type": "sample", "confidence": "9/10"}]
    claims = [{"notion": "bcdp", "epsilon": {"hidden": "inf"}, "for_all": stated} for stated in random.sample(sets, 3)]
    claims.append({"notion": "secret", "secret": ["hidden", "else"], "epsilon": "inf", "for_all": {"type": "mixtures_of", "priors": products}})
    return write(run, f"groups-{number}", {"domain": domain, "prior": {"type": "counts", "counts": [random.randrange(40) + 1 for _ in range(inputs)]},
                                           "mechanism": {"type": "per_coordinate", "mechanisms": {"told": asked, "else": asked}}, "claims": claims})


def faults(run):
    """Faults that no honest certificate has: a confidence that the spec does not state, another sample."""
    prior = {"type": "counts", "counts": ["40", "3", "5", "2"]}
    domain = [{"name": "hidden", "values": ["u", "v"]}, {"name": "told", "values": ["u", "v"]}]
    rows = [["8/10", "1/10", "1/10"], ["1/10", "8/10", "1/10"]] * 2
    spec = {"domain": domain, "prior": prior, "mechanism": {"type": "matrix", "outputs": 3, "rows": rows},
            "claims": [{"notion": "bcdp", "epsilon": {"hidden": "log(7)"}, "for_all": {"type": "sample", "confidence": "1/2"}}]}
    path = write(run, "faults", spec)
    results, _, text = run.certificate(path)
    run.expect(text is not None and run.checked(path, text)[0] == 0, f"faults: {results[0]['verdict']}")
    surer = copy.deepcopy(spec)
    surer["claims"][0]["for_all"]["confidence"] = "0.999999999"
    run.expect_rejected("more confidence", write(run, "faults", surer), text)
    fewer = copy.deepcopy(spec)
    fewer["prior"]["counts"] = ["4", "0", "1", "0"]
    run.expect_rejected("fewer draws", write(run, "faults", fewer), text)
    emptied = {**json.loads(text), "claims": [], "without": [{"claim": 0, "name": "", "reason": "none\naccepted: claim 0"}]}
    said = run.checked(path, json.dumps(emptied))[1].splitlines()
    run.expect(said == ["not proved: claim 0: none\\naccepted: claim 0"], f"what a certificate says passes for what is checked: {said}")
    emptied["without"] = []
    said = run.checked(path, json.dumps(emptied))[1].splitlines()
    run.expect(said == ["not proved: claim 0: it is not in the certificate"], f"a claim that is left out is not told: {said}")


def networks(run):
    """Proofs over networks by hand: of true claims, and similar ones of false claims. A bit x is answered by
    randomized response, 3/4 to 1/4; with p of its row for x = 1, P(output 1 | label) is 1/4 + p/2."""
    def tried(what, nodes, sides, bound, proof, fine, told=None):
        domain = [{"name": "h", "values": ["u", "v"]}, {"name": "x", "values": ["0", "1"]}]
        rr = {"type": "k_randomized_response", "epsilon": "log(3)"}
        claim = {"notion": "bcdp", "epsilon": {"h": f"log({bound})"}, "from": [sides[0]], "to": [sides[1]], "for_all": {"type": "network", "nodes": nodes}}
        path = write(run, "by-hand", {"domain": domain, "prior": {"type": "uniform"}, "claims": [claim],
                                      "mechanism": {"type": "per_coordinate", "mechanisms": {"x": rr}}})
        order = [["h", "x"].index(node["coordinate"]) for node in nodes]
        pairs = [{"output": output, "from": sides[0], "to": sides[1], "rows": {"bound": told or bound, "order": order, "proof": own}}
                 for output, own in proof.items()]
        document = {"oddsbound": 1, "certificate": "claims", "format": 1, "tool": {}, "file": "", "files": [{"file": "", "sha256": digest(path)}],
                    "spec": "by-hand", "without": [], "undecided": [], "claims": [
                        {"claim": 0, "name": "", "notion": "bcdp", "verdict": "holds", "for_all": "", "levels": [{"coordinate": "h", "pairs": pairs}]}]}
        status, last = run.checked(path, json.dumps(document))
        run.expect((status == 0) == fine, f"by hand, {what}: {last}")

    def label_first(u, v):
        return [{"coordinate": "h", "table": [["1/2", "1/2"]]}, {"coordinate": "x", "parents": ["h"], "table": [u, v]}]

    def cuts(*means, shares=()):
        return {"means": list(means), "shares": list(shares)}
    # P(1 | u) and P(1 | v) are each between 3/8 and 1/2, P(0 | .) between 1/2 and 5/8.
    loose = label_first([["1/2", "3/4"], ["1/4", "1/2"]], [["1/2", "3/4"], ["1/4", "1/2"]])
    zero = {"(0)": cuts("5/8")}
    tried("4/3", loose, "uv", "4/3", {"(1)": cuts("1/2"), **zero}, True)
    tried("13/10, the upper mean", loose, "uv", "13/10", {"(1)": cuts("39/80", "1/2", shares=["1"]), **zero}, False)
    tried("13/10, the lower mean", loose, "uv", "13/10", {"(1)": cuts("39/80", "1/2", shares=["0"]), **zero}, False)
    tried("13/10, a mean below", loose, "uv", "13/10", {"(1)": cuts("39/80"), **zero}, False)
    tried("13/10, a mean above", loose, "uv", "13/10", {"(1)": cuts("1/2"), **zero}, False)
    tried("13/10, a larger bound", loose, "uv", "13/10", {"(1)": cuts("1/2"), **zero}, False, "4/3")
    tried("13/10, means that fall", loose, "uv", "13/10", {"(1)": cuts("39/80", "1/2", "39/80", "1/2", shares=["1", "1", "0"]), **zero}, False)
    # P(1 | u) is between 7/20 and 13/20, P(1 | v) is 1/2.
    row = label_first([["1/5", "4/5"], ["1/5", "4/5"]], ["1/2", "1/2"])
    ends = [["4/5", "1/5"], ["1/5", "4/5"]]

    def by_points(points, *parts):
        return {"coordinate": 1, "row": 0, "points": points, "parts": list(parts)}
    tried("13/10, by points", row, "uv", "13/10", {"(1)": by_points(ends, cuts("1/2"), cuts("13/20")), "(0)": cuts("13/20")}, True)
    tried("11/10, a point less", row, "uv", "11/10", {"(1)": by_points(ends[:1], cuts("9/20")), "(0)": by_points(ends[1:], cuts("9/20"))}, False)

    def in_two(at, *parts):
        return {"coordinate": 1, "row": 0, "value": 1, "at": at, "parts": list(parts)}
    tried("13/10, in two", row, "uv", "13/10", {"(1)": in_two("1/2", cuts("1/2"), cuts("13/20")), "(0)": cuts("13/20")}, True)
    high, low = (label_first([["1/5", "1/2"], ["1/2", "4/5"]], ["1/2", "1/2"]), label_first([["1/2", "4/5"], ["1/5", "1/2"]], ["1/2", "1/2"]))
    tried("11/10, above", high, "uv", "11/10", {"(1)": in_two("3/5", cuts("11/20"), cuts("11/20")), "(0)": cuts("21/40")}, False)
    tried("11/10, below", low, "uv", "11/10", {"(0)": in_two("2/5", cuts("11/20"), cuts("11/20")), "(1)": cuts("21/40")}, False)
    # The label depends on the bit: at P(x = 1) = 1/10 or 9/10 the quotient is below 2, at 1/2 above it.
    bit_first = [{"coordinate": "h", "parents": ["x"], "table": [["9/10", "1/10"], ["1/10", "9/10"]]},
                 {"coordinate": "x", "table": [[["1/10", "9/10"], ["1/10", "9/10"]]]}]
    moving = by_points([["9/10", "1/10"], ["1/10", "9/10"]], cuts("253/500"), cuts("4/5"))
    tried("points of a row that moves masses", bit_first[::-1], "vu", "2", {"(1)": moving, "(0)": cuts("3/4")}, False)


def main():
    arguments = arguments_about_sets().parse_args()
    random.seed(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(os.path.abspath(arguments.binary), folder, None)
        for path in arguments.specs:
            run.spec(path)
        run.tries = 12
        for number in range(arguments.random):
            path = random_spec(folder, number)
            run.spec(path)
            run.spec(run.sharpened(path))
            if number % 4 == 0:
                run.spec(run.sharpened(groups(run, number)))
        faults(run)
        networks(run)
    run.expect(run.unproved <= run.searched / 10, f"of {run.searched} claims over networks {run.unproved} are not proved")
    print(f"{run.claims} claims proved again, {run.tampered} certificates rejected, of {run.kinds}")
    print(f"{run.passed} passed, {run.failed} failed")
    return 1 if run.failed or not run.claims else 0


if __name__ == "__main__":
    sys.exit(main())
