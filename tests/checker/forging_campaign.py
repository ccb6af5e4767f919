"""Forges certificates of random claims with a known different verdict (forging_specs.py); none may be accepted. Also
counts how many honest certificates of the same claims are accepted, not proved, and rejected; none may be rejected.

forging_campaign.py BINARY [--claims N] [--seconds N] [--seed S] [--keep FOLDER]
  Runs until N claims were forged, or the time is over. Prints one line per forged certificate that is accepted and per
  honest one that is rejected; then the counts.
"""
import argparse
import copy
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter

from checking import digest, verdict as checked
from forging_specs import FAR, FEATURES, IMPOSSIBLE, with_claim

QUERY = {"name": "q0", "text": "(check-sat)", "z3": "unsat"}
OTHER = {"holds": "refuted", "refuted": "holds"}


def write(path, document):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)


def raised(claim, by=f"log({FAR})"):
    """The claim with levels far above, or `by`; not tight."""
    def put(level):
        if isinstance(level, dict):
            return {name: put(own) for name, own in level.items()}
        return [put(own) for own in level] if isinstance(level, list) else by
    changed = {key: own for key, own in claim.items() if key != "tight"}
    changed["epsilon"] = put(claim["epsilon"])
    return {**changed, "delta": "1"} if "delta" in claim and by != "0" else changed


# Ways to forge. Each yields documents from the instance, the claim's entry (or None) in its own honest certificate
# and in those of nearby claims, and the forged verdict.

class Forger:
    def __init__(self, instance, own, others, wanted, source):
        self.instance, self.own, self.others, self.wanted, self.r = instance, own, others, wanted, source

    def head(self, **more):
        return {"claim": 0, "name": "", "notion": self.instance.claim["notion"], "verdict": self.wanted, **more}

    def entries(self):
        """(method, the entry of the claim or None, other changes)."""
        for entry in filter(None, [self.own, *self.others]):
            kept = {key: own for key, own in entry.items() if key not in ("claim", "name", "notion", "verdict", "expect")}
            yield "a proof of another verdict or claim", self.head(**copy.deepcopy(kept))
            if "attained" in kept:
                yield "without what attains it", self.head(**{key: own for key, own in kept.items() if key != "attained"})
            if "queries" in kept:
                yield "queries that were answered otherwise", self.head(**{**kept, "queries": [{**query, "z3": "unsat"} for query in kept["queries"]]})
            if "witness" in kept:
                yield from self.witnesses(kept)
            if "levels" in kept:
                yield from self.levels(kept)
        yield from self.bare()

    def witnesses(self, kept):
        own = kept["witness"]
        for change in ({"from": own["to"], "to": own["from"], **({"p_from": own["p_to"], "p_to": own["p_from"]} if "p_to" in own else {})},
                       {"p_from": "1", "p_to": "0"}, {"p_to": "0"}, {"to": own["from"]}, {"output": "nobody"}):
            yield "a witness that is changed", self.head(**{**kept, "witness": {**own, **change}})
        if "values" in kept:
            yield "at the values of a witness", self.head(values=kept["values"], proof="arithmetic")

    def levels(self, kept):
        one = copy.deepcopy(kept)
        for level in one["levels"]:
            for told in level.get("ranges", []):
                told["largest"] = None
        yield "nothing told of the ranges", self.head(**one)
        yield "a level less", self.head(**{**kept, "levels": kept["levels"][:-1]})
        yield "no levels", self.head(**{**kept, "levels": []})

    def bare(self):
        """Forgeries without any knowledge."""
        for queries in ({}, {"queries": [QUERY]}, {"queries": [{**QUERY, "cvc5": "unsat"}]}, {"queries": [{**QUERY, "z3": "sat"}]}, {"queries": [{**QUERY, "cvc5": "sat"}]},
                        {"queries": [{**QUERY, "z3": "unknown", "cvc5": "crashed"}]}):
            yield "queries", self.head(proof="queries", **queries)
        yield "arithmetic", self.head(proof="arithmetic")
        yield "cases", self.head(proof="cases")
        yield "losses", self.head(proof="losses")
        yield "bounds", self.head(proof="bounds")
        names = list(self.instance.claim["epsilon"]) if isinstance(self.instance.claim["epsilon"], dict) else [None]
        again = [{"proof": "recompute", **({"coordinate": name} if name else {})} for name in names]
        for attained in ({}, {"attained": []}):
            yield "parts", self.head(proof="parts", levels=again, **attained)
            yield "a set's form", {key: own for key, own in self.head(for_all="any", levels=again, **attained).items() if key != "proof"}
        yield "parts, attained by anything", self.head(proof="parts", levels=again, attained=[self.witness(at) for at in self.instance.points()[:1] for _ in range(4)])
        yield "parts, attained by what is impossible", self.head(proof="parts", levels=again, attained=[{**self.witness(self.instance.points()[0]), "p_from": "0", "p_to": "0"}])
        whole = {"outputs": [0, len(self.instance.rows(self.instance.points()[0])[0])], "largest": None}
        yield "ranges", self.head(proof="ranges", levels=[{"ranges": [whole], **({"coordinate": name} if name else {})} for name in names])
        for at in self.r.sample(self.instance.points(), min(3, len(self.instance.points()))):
            values = {name: str(own) for name, own in at.items()}
            yield "values", self.head(values=values, proof="arithmetic")
            sides = {key: own for key, own in self.witness(at).items() if key in ("from", "to")}
            for more in ({}, {"order": "1"}, {"order": "5"}):
                yield "losses between two inputs", self.head(proof="losses", witness={**sides, **more})
            yield "true probabilities", self.head(**({"values": values} if values else {}), proof="witness", witness=self.witness(at))
        # At a value outside the range.
        outside = {name: limits.get("gt", limits.get("lt", "-1000")) for name, limits in self.instance.symbols.items()}
        yield "values out of range", self.head(values=outside, proof="arithmetic")
        yield "nothing", None

    def witness(self, at):
        """True statements about two random inputs."""
        rows, labels = self.instance.rows(at), self.instance.labels
        a, b = self.r.sample(range(len(rows)), 2)
        y = self.r.randrange(len(rows[0]))
        names = [",".join(label) for label in itertools.product(*labels)]
        output = names[y] if len(labels) == 1 else f"({names[y]})"
        own = {"output": output, "from": list(self.instance.inputs[a]), "to": list(self.instance.inputs[b]), "p_from": str(rows[a][y]), "p_to": str(rows[b][y])}
        if isinstance(self.instance.claim["epsilon"], dict):
            own["coordinate"] = self.r.choice(list(self.instance.claim["epsilon"]))
        return own


class Campaign:
    def __init__(self, binary, folder, seed, keep):
        self.binary, self.folder, self.r, self.keep = binary, folder, random.Random(seed), keep
        self.claims = self.forged = self.number = 0
        self.accepted, self.rejected, self.statuses, self.honest = [], [], Counter(), Counter()
        self.pairs, self.wrong = Counter(), []

    def features(self):
        """The pair that met least often, and some others."""
        possible = [pair for pair in itertools.combinations(FEATURES, 2) if frozenset(pair) not in IMPOSSIBLE]
        least = min(self.pairs[pair] for pair in possible)
        chosen = set(self.r.choice([pair for pair in possible if self.pairs[pair] == least]))
        chosen |= {feature for feature in FEATURES if self.r.random() < 0.2}
        return None if any(pair <= chosen for pair in IMPOSSIBLE) else chosen

    def verify(self, spec):
        """The path, the verdict of the first claim, and the certificate (None: the program rejects the spec, or writes
        none)."""
        folder = tempfile.mkdtemp(dir=self.folder)
        path = os.path.join(folder, "forged.json")
        write(path, spec)
        run = subprocess.run([self.binary, "verify", "--format", "json", "--max-seconds", "10", "--certificates", folder, path], capture_output=True, text=True, timeout=120)
        if run.returncode == 2:
            return path, None, None
        certificate = os.path.join(folder, "forged-certificate.json")
        verdict = json.loads(run.stdout)["specs"][0]["claims"][0]["verdict"]
        if not os.path.exists(certificate):
            return path, verdict, None
        with open(certificate, encoding="utf-8") as file:
            return path, verdict, json.load(file)

    def check(self, path, document, memory=None):
        said, certificate = [], os.path.join(self.folder, "checked.json")
        write(certificate, document)
        return checked(path, certificate, tell=said.append, kept=memory), said

    def instance(self):
        """One more claim, if it can be made."""
        chosen = self.features()
        instance = with_claim(self.r, chosen) if chosen is not None else None
        if instance is None:
            return
        self.number += 1
        easy = raised(instance.claim, "inf")
        path, verdict, document = self.verify(instance.spec([instance.claim, easy], "holds"))
        if verdict is None:
            self.honest["refused"] += 1
            return
        truth = instance.truth()
        if verdict != "undecided" and truth is not None and truth != verdict.startswith("holds"):
            self.wrong.append(f"{self.kept(path)}: the program says {verdict}, and it is {truth}")
            return
        self.expected(instance, easy, verdict)
        if truth is None:
            return
        self.forge(instance, easy, "refuted" if truth else "holds", document)
        self.claims += 1
        self.pairs.update(itertools.combinations([feature for feature in FEATURES if feature in instance.features], 2))

    def expected(self, instance, easy, verdict):
        """The honest certificate, if the spec expects the true verdict."""
        if verdict == "undecided":
            self.honest["undecided"] += 1
            return
        path, _, document = self.verify(instance.spec([instance.claim, easy], "refuted" if verdict == "refuted" else "holds"))
        if document is None:
            self.honest["no certificate"] += 1
            return
        status, said = self.check(path, document)
        missing = bool(document["without"] or document["undecided"]) or any("on the word of solvers" in line for line in said)
        self.honest[{0: "accepted", 3: "not proved"}.get(status, "rejected")] += 1
        if status not in (0, 3) or (status == 3 and not missing):
            self.rejected.append(f"{self.kept(path, document)}: an honest certificate: {status}, {said[-1:]}")

    def forge(self, instance, easy, wanted, document):
        spec = instance.spec([instance.claim, easy], wanted)
        folder = tempfile.mkdtemp(dir=self.folder)
        path = os.path.join(folder, "forged.json")
        write(path, spec)
        nearby = [raised(instance.claim), raised(instance.claim, "0"), {key: own for key, own in instance.claim.items() if key != "tight"},
                  {key: own for key, own in instance.claim.items() if key != "for_all"}]
        certificates = [document] + [self.verify(instance.spec([claim, easy], "holds"))[2] for claim in nearby if claim != instance.claim]
        own, *others = [{} if one is None else {entry["claim"]: entry for entry in one["claims"]} for one in certificates]
        easy_entry = next((entries[1] for entries in (own, *others) if 1 in entries), None)
        forger = Forger(instance, own.get(0), [entries.get(0) for entries in others] + [easy_entry], wanted, self.r)
        base = {"oddsbound": 1, "tool": {"name": "oddsbound", "version": "0"}, "certificate": "claims", "format": 1, "file": "forged.json",
                "files": [{"file": "forged.json", "sha256": digest(path)}], "spec": "forged", "without": [], "undecided": []}
        missing = {"claim": 0, "name": "", "reason": "accepted: claim 0"}
        memory = {}
        for how, entry in forger.entries():
            entries = [own for own in (entry, easy_entry) if own is not None]
            self.tried(path, how, {**base, "claims": entries}, memory)
            if entry is None:
                self.tried(path, "in without", {**base, "claims": entries, "without": [missing]}, memory)
                self.tried(path, "undecided", {**base, "claims": entries, "undecided": [missing]}, memory)
        write(path, {**spec, "claims": []})
        base["files"][0]["sha256"] = digest(path)
        self.tried(path, "a spec without claims", {**base, "claims": []}, {})

    def tried(self, path, how, document, memory):
        self.forged += 1
        status, said = self.check(path, document, memory)
        self.statuses[status] += 1
        if status == 0:
            self.accepted.append(f"{self.kept(path, document)}: {how}: accepted, {said[:1]}")

    def kept(self, path, document=None):
        """The path at which a faulty spec is kept."""
        if self.keep is None:
            return path
        os.makedirs(self.keep, exist_ok=True)
        name = os.path.join(self.keep, f"case-{len(os.listdir(self.keep)):03}.json")
        with open(path, encoding="utf-8") as file:
            write(name, json.load(file))
        if document is not None:
            write(name.replace(".json", "-forged.json"), document)
        return name


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--claims", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(os.path.abspath(arguments.binary), folder, arguments.seed, arguments.keep)
        end = time.monotonic() + arguments.seconds
        while campaign.claims < arguments.claims and time.monotonic() < end:
            campaign.instance()
    problems = campaign.accepted + campaign.rejected + campaign.wrong
    print("\n".join(problems))
    possible = [pair for pair in itertools.combinations(FEATURES, 2) if frozenset(pair) not in IMPOSSIBLE]
    fewest = min(possible, key=lambda pair: campaign.pairs[pair])
    print(f"{campaign.claims} claims, of {campaign.number} made; {campaign.forged} forged certificates, statuses {dict(campaign.statuses)}; "
          f"honest certificates {dict(campaign.honest)}; the rarest pair of features, {' and '.join(fewest)}, {campaign.pairs[fewest]} times")
    print(f"{campaign.claims - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
