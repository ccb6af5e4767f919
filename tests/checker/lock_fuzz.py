"""Locks random specs, changes them at random, and compares the lock's findings with exact levels.

lock_fuzz.py BINARY [--specs N] [--seed S]: a spec must fail `lock check` if a level exceeds its promise, is not
promised or no longer measured, or if a claim is weaker or gone; otherwise it must pass. Half of the specs have tables
that are not published: promises that depend on these are rounded up. One line per wrong answer.
"""
import argparse
import copy
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from decimal import Decimal
from fractions import Fraction

import averages
import divergence_notions
import pairs_of_inputs
import ratios
import renyi
from oddsbound_check.claims import LIFTS
from oddsbound_check.exact import INFINITE, QUICK, at_most
from oddsbound_check.reading import Refused
from random_specs import Generator
from reference import Spec
from scopes import known_of, scope_of, written_scope


class Changes:
    """Changes of a spec and its files; each may have no effect, or break the spec."""

    def __init__(self, r, folder):
        self.r, self.folder = r, folder
        self.all = [self.rows, self.rows, self.levels, self.levels, self.parameters, self.prior, self.prior, self.table, self.table,
                    self.names, self.free_text, self.order, self.claims, self.claims, self.bounds, self.mechanism, self.values]

    def apply(self, path, spec):
        """Applies one or two changes that have an effect. Returns their description."""
        if self.r.random() < 0.03:
            os.remove(path)
            return "remove"
        done = []
        before = self.state(spec)
        while len(done) < 8 and (self.state(spec) == before or self.r.random() < 0.3):
            change = self.r.choice(self.all)
            change(path, spec)
            done.append(change.__name__)
        return done[-1]

    def state(self, spec):
        files = sorted({os.path.join(self.folder, v["file"]) for v in self.objects(spec, "file")})
        texts = []
        for name in files:
            with open(name, encoding="utf-8", newline="") as file:
                texts.append(file.read())
        return json.dumps(spec), texts

    def objects(self, value, key):
        """All objects in the spec that have the key."""
        if isinstance(value, dict):
            return [value] * (key in value) + [found for v in value.values() for found in self.objects(v, key)]
        return [found for v in value for found in self.objects(v, key)] if isinstance(value, list) else []

    def rows(self, path, spec):
        matrices = [m for m in self.objects(spec, "rows") if isinstance(m["rows"][0], list)]
        if matrices:
            rows = self.r.choice(matrices)["rows"]
            if self.r.random() < 0.5:
                rows[self.r.randrange(len(rows))] = copy.deepcopy(self.r.choice(rows))
            else:
                self.r.shuffle(rows[self.r.randrange(len(rows))])

    def levels(self, path, spec):
        families = [m for m in self.objects(spec["mechanism"], "epsilon") if isinstance(m["epsilon"], str)]
        if families:
            self.r.choice(families)["epsilon"] = self.r.choice(["0", "log(2)", "log(3)", "log(7)", "log(4)", "log(9)", "1/2", "inf"])

    def parameters(self, path, spec):
        """A parameter replaces a level, or changes its value."""
        if "e" in spec.get("parameters", {}):
            spec["parameters"]["eps"] = self.r.choice(["1/2", "1", "1/3", "2"])
        elif "parameters" not in spec:
            claims = [c for c in spec["claims"] if c["notion"] == "approximate_dp"]
            for claim in claims:
                spec["parameters"] = {"eps": self.r.choice(["log(2)", "log(3)", "log(5/4)", "0"])}
                claim["epsilon"] = "eps"

    def prior(self, path, spec):
        if "prior" not in spec:
            spec["prior"] = {"type": "uniform"}
            return
        for holder, key in (("counts", "counts"), ("probabilities", "probabilities"), ("marginal", "marginal")):
            for prior in self.objects(spec["prior"], holder):
                self.r.shuffle(prior[key])
                return
        if self.r.random() < 0.4:
            spec["prior"] = {"type": "uniform"}

    def table(self, path, spec):
        """A line of a table is removed, duplicated, or changed at its end."""
        names = [v["file"] for v in self.objects(spec, "file")]
        if not names:
            return
        name = os.path.join(self.folder, self.r.choice(names))
        with open(name, encoding="utf-8", newline="") as file:
            text = file.read()
        if name.endswith(".spec"):
            inner = json.loads(text)
            self.rows(name, inner)
            text = json.dumps(inner, indent=self.r.choice([None, 1]))
        else:
            lines = text.splitlines()
            kind = self.r.random()
            if kind < 0.4 and len(lines) > 2:
                place = self.r.randrange(1, len(lines))
                lines[place], lines[-1] = lines[-1], lines[place]
            elif kind < 0.8 and len(lines) > 1:
                lines.append(self.r.choice(lines[1:]))
            text = self.r.choice(["\n", "\r\n"]).join(lines) + "\n"
        with open(name, "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def names(self, path, spec):
        old, new = spec["domain"][0]["name"], "renamed"
        text = json.dumps(spec).replace(f'"{old}"', f'"{new}"').replace(f'"{new}": "col', f'"{new}": "col')
        spec.clear()
        spec.update(json.loads(text))

    def free_text(self, path, spec):
        spec["name"], spec["description"] = "another name", "said otherwise"
        for claim in spec["claims"]:
            claim["name"] = "another claim"

    def order(self, path, spec):
        self.r.shuffle(spec["claims"])
        items = list(spec.items())
        self.r.shuffle(items)
        spec.clear()
        spec.update(items)

    def claims(self, path, spec):
        place = self.r.randrange(len(spec["claims"]) or 1)
        if self.r.random() < 0.5:
            del spec["claims"][place:place + 1]
        else:
            spec["claims"].append({"notion": "ldp", "epsilon": "log(2)", "expect": "refuted"})

    def bounds(self, path, spec):
        """The claimed bounds, of unchanged measurements."""
        claim = self.r.choice(spec["claims"] or [{}])
        if isinstance(claim.get("epsilon"), str):
            claim["epsilon"] = self.r.choice(["0", "log(2)", "log(50)", "inf"])
        if isinstance(claim.get("epsilon"), list):
            row = claim["epsilon"][0]
            row[-1] = self.r.choice(["log(2)", "log(50)", "inf"])
        if "delta" in claim:
            claim["delta"] = "1"

    def mechanism(self, path, spec):
        if self.r.random() < 0.5:
            spec["mechanism"] = {"type": "compose", "mechanisms": [spec["mechanism"]] * 2}
        else:
            spec["mechanism"] = {"type": "mixture", "weights": ["1/2", "1/2"], "mechanisms": [spec["mechanism"]] * 2}

    def values(self, path, spec):
        """Reorders a coordinate's values."""
        coordinate = self.r.choice(spec["domain"])
        if isinstance(coordinate.get("values"), list):  # not "from prior"
            self.r.shuffle(coordinate["values"])


def tables(value):
    """Every table of people in a spec."""
    if isinstance(value, dict):
        return [value] * (value.get("type") in ("counts", "csv")) + [found for v in value.values() for found in tables(v)]
    return [found for v in value for found in tables(v)] if isinstance(value, list) else []


NEED_PRIOR = ("bdp", "bcdp", "secret", "bayes_leakage", "information", "approximate_bcdp", "renyi_bcdp", "maximal_leakage", "posterior", *LIFTS)


def notion_of(key):
    return key if isinstance(key, str) else key[0]


class Measured:
    """Everything that a lock of this spec compares, by exact values of the reference."""

    def __init__(self, path):
        self.spec = s = Spec(path)
        self.confidential = any(not table.get("published") for table in tables(s.json.get("prior", {})))
        self.claims = [self.stated(claim) for claim in s.json["claims"]]
        self.values = {"ldp": s.ldp()}
        names = [name for name, _ in s.domain]
        if s.prior is not None:
            self.values["bdp"] = s.bdp()
        for i, name in enumerate(names):
            self.values["cdp", name] = s.cdp(i)
            if s.prior is not None:
                self.values["bcdp", name] = s.bcdp(i)
        # Locked where several runs see one coordinate.
        self.composed = {} if s.prior is None else {name: s.composition(i) for i, name in enumerate(names)}
        self.deltas, self.verdicts = {}, {}
        for claim in s.json["claims"]:
            self.add(s, claim)

    def evaluated(self, value):
        """The value with parameters replaced by their numbers."""
        if isinstance(value, dict):
            return {key: self.evaluated(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.evaluated(one) for one in value]
        try:
            return text_of(self.spec.level(value))
        except Refused:  # a probability
            return text_of(self.spec.number(value))

    def stated(self, claim):
        """The question of a claim, and its claimed values."""
        if claim["notion"] == "context_ldp":
            claim = {**claim, "epsilon": pairs_of_inputs.evaluated(self.spec, claim["epsilon"], text_of)}
        else:
            claim = {key: self.evaluated(value) if key in ("epsilon", "rho", "mu", "delta", "at_most") else value for key, value in claim.items()}
        bounds = {key: claim[key] for key in ("epsilon", "rho", "mu", "delta", "at_most") if key in claim}
        if claim["notion"] in ("approximate_dp", "approximate_bcdp", "probabilistic_dp") or (claim["notion"] in LIFTS and "delta" in claim):
            bounds.pop("epsilon")
        if claim["notion"] == "approximate_zcdp":
            bounds.pop("delta")
        if claim["notion"] == "context_ldp":
            bounds = {}
        question = {k: v for k, v in claim.items() if k not in bounds and k not in ("expect", "tight", "name")}
        return json.dumps(question, sort_keys=True), json.dumps(bounds, sort_keys=True), claim.get("expect", "holds"), claim.get("tight", False)

    def add(self, s, claim):
        notion = claim["notion"]
        asked = json.dumps({k: v for k, v in claim.items() if k in ("secret", "blocks", "sensitive", "protected", "neighbors", "records", "differ", "coordinate", "known", "from", "to", "order", "values", "f")}, sort_keys=True)
        if notion in LIFTS and "delta" in claim:
            self.deltas[notion, asked, text_of(s.level(claim["epsilon"]))] = s.lift_tail(claim)
        elif notion in ("secret", "block_ldp", "high_low_ldp", "utility_optimized_ldp", "bayes_leakage", "maximal_leakage", *LIFTS):
            self.values[notion, asked] = s.measured(claim)
        elif notion in divergence_notions.BY_NAME:
            own = divergence_notions.BY_NAME[notion]
            asked += f" at delta {s.number(claim.get('delta', '0'))}"
            for name, true in own.measured(s, claim).items():
                self.values[notion, asked, name] = own.locked(true, claim)
        elif notion == "renyi_bcdp":
            total = renyi.bayesian(s, claim)
            self.values[notion, asked] = INFINITE if total is INFINITE else Decimal(f"{renyi.nats(total, renyi.order_of(claim)):.12e}")
        elif notion == "information":
            self.values[notion, asked] = QUICK.quantize(averages.nats(s, claim), Decimal("1e-33"))
        elif notion == "bcdp" and written_scope(claim):
            for i in s.coordinate_levels(claim["epsilon"], known_of(claim)):
                self.values[notion, asked, i] = scope_of(s, claim, i).level()
        elif notion == "posterior":
            self.deltas[notion, asked] = s.posterior(claim)
        elif notion == "approximate_bcdp":
            self.deltas[notion, asked, text_of(s.level(claim["epsilon"]))] = s.approximate_bcdp(claim)
        elif notion == "approximate_dp":
            epsilon = s.level(claim["epsilon"])
            self.deltas[notion, asked, text_of(epsilon)] = s.delta(s.neighbor_pairs(claim), epsilon)
        elif notion == "f_dp":
            self.deltas[notion, asked] = ratios.shortfall(s, claim)
        elif notion == "probabilistic_dp":
            self.deltas[notion, asked, text_of(s.level(claim["epsilon"]))] = ratios.tail(s, claim)
        elif notion == "context_ldp":
            bounds = pairs_of_inputs.evaluated(s, claim["epsilon"], text_of)
            holds = s.holds(claim) and (not claim.get("tight") or s.is_least(claim))
            self.verdicts[notion, str(bounds), claim.get("tight")] = (holds, claim.get("tight"))
            for a, b in s.all_pairs():
                if a != b:
                    self.values["loss", s.inputs[a], s.inputs[b]] = s.worst([(a, b)])


def text_of(level):
    return str(level)


def rounded_up(value):
    """Three significant digits, as a float with room for its own rounding; None if the value stays exact."""
    nats = float(value) if isinstance(value, (Decimal, float)) else math.log(float(value)) if value != INFINITE else math.inf
    if nats <= 1e-300 or math.isinf(nats):
        return None
    step = 10.0 ** (math.floor(math.log10(nats)) - 2)
    return nats, math.ceil(nats / step - 1e-9) * step


def exceeds(before, after, rounds):
    """True, False, or None if rounding hides it or floats do not decide."""
    if at_most(after, before):
        return False
    if not rounds:
        return True
    try:
        was, now = rounded_up(before), rounded_up(after)
    except (TypeError, ValueError, OverflowError):
        return None
    if was is None or now is None:
        return True
    return None if now[0] <= was[1] * (1 + 1e-6) else True


def weaker(before, after):
    """Claims that are not present word for word: gone, weaker, or (None) perhaps only stronger."""
    gone = [claim for claim in before.claims if claim not in after.claims]
    if not gone:
        return False
    questions = {claim[0] for claim in after.claims}
    return True if any(claim[0] not in questions for claim in gone) else None


def grew(before, after):
    """What grew, is no longer measured or is not promised; with None as a reason if either answer is right."""
    found = [f"{key} is no longer measured" for part in ("values", "deltas", "verdicts")
             for key in getattr(before, part) if key not in getattr(after, part)]
    shown = ("ldp", "bdp", "cdp", "bcdp")
    found += [f"{key} is not promised" for key in after.values
              if key not in before.values and (key in shown or (len(key) == 2 and key[0] in shown))]
    for key, value in before.values.items():
        if key in after.values:
            answer = exceeds(value, after.values[key], before.confidential and notion_of(key) in NEED_PRIOR)
            found += [] if answer is False else [f"{key} grew" if answer else None]
    for key, value in before.deltas.items():
        if key in after.deltas and not after.deltas[key] <= value:
            rounds = before.confidential and notion_of(key) in NEED_PRIOR
            within = value * Fraction(51, 50) + Fraction(1, 10**12)
            found.append(None if rounds and after.deltas[key] <= within else f"{key} grew")
    for key, (holds, tight) in before.verdicts.items():
        if key in after.verdicts and after.verdicts[key][0] != holds and (tight or holds):
            found.append(f"{key} changed")
    answer = weaker(before, after)
    found += [] if answer is False else ["a claim is weaker or gone" if answer else None]
    if any(value == INFINITE for value in (*before.values.values(), *after.values.values())):
        found.append(None)  # values behind it may have grown, or are not compared
    if not all(name in after.composed and at_most(after.composed[name], value) for name, value in before.composed.items()):
        found.append(None)
    return [reason for reason in found if reason] or found[:1]


def has_refinement(spec):
    return any(claim["notion"] == "post_processing_of" for claim in spec["claims"])


def run(binary, folder, *arguments):
    environment = {**os.environ, "ODDSBOUND_LOCK_KEY": "of the fuzzer"}
    return subprocess.run([binary, "lock", *arguments], cwd=folder, env=environment, capture_output=True, text=True)


def locked(binary, folder, files):
    """Locks the specs; those that cannot be locked are left out."""
    done = run(binary, folder, "write", "--smt-seconds", "20", "specs")
    for name in set(re.findall(r"^error: (specs/[^:]+\.json): .* is undecided", done.stderr, re.MULTILINE)):
        os.remove(os.path.join(folder, name))
        files.remove(name)
    if done.returncode == 3:
        done = run(binary, folder, "write", "--smt-seconds", "20", "specs")
    return done


def expectation(path, before, old):
    """True: must fail; False: must not; None: either. With the reason."""
    if not os.path.exists(path):
        return True, "gone"
    try:
        after = Measured(path)
    except Exception as error:  # the change broke the spec: an error of the tool as well
        return None, str(error)
    found = grew(before, after)
    if found:
        return (True, found[0]) if found[0] else (None, "")
    return (None, "") if has_refinement(old) else (False, "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--specs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.binary)
    r = random.Random(arguments.seed)
    problems, counts = [], {}
    with tempfile.TemporaryDirectory() as folder:
        specs = os.path.join(folder, "specs")
        os.mkdir(specs)
        generator = Generator(arguments.seed, specs, symbols=False)
        files = ["specs/" + os.path.basename(generator.write(index)) for index in range(arguments.specs)]
        for index, name in enumerate(files):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                spec = json.load(file)
            for table in tables(spec):
                table["published"] = index % 2 == 0
            with open(path, "w", encoding="utf-8") as file:
                json.dump(spec, file)
        done = locked(binary, folder, files)
        unchanged = run(binary, folder, "check", "--strict")
        if done.returncode != 0 or unchanged.returncode != 0:
            print(f"a lock that was just written does not pass: {done.stderr}{unchanged.stdout}{unchanged.stderr}")
            return 1
        changes, cases = Changes(r, specs), []
        for name in files:
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                old = json.load(file)
            before = Measured(path)
            spec = copy.deepcopy(old)
            what = changes.apply(path, spec)
            if os.path.exists(path):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(spec, file, indent=r.choice([None, 2]))
            cases.append((name, what, *expectation(path, before, old)))
        done = run(binary, folder, "check", "--smt-seconds", "20")
        failing = set(re.findall(r"^FAIL: ([^:]+):", done.stdout, re.MULTILINE))
        # An error names a spec, or one of its files.
        broken = {f"specs/random-{int(number):04}.json" for number in re.findall(r"^error: specs/random-(\d+)", done.stderr, re.MULTILINE)}
        limited = run(binary, folder, "check", "--smt-seconds", "20", "--max-cells", "12")
        for name, what, wanted, reason in cases:
            counts[what, wanted] = counts.get((what, wanted), 0) + 1
            if wanted is True and name not in failing | broken:
                problems.append(f"{name}: {what}: passes, but {reason}")
            if wanted is False and name in failing:
                problems.append(f"{name}: {what}: fails, but nothing grew: " + "; ".join(re.findall(rf"^FAIL: {re.escape(name)}: (.*)$", done.stdout, re.MULTILINE)))
        if limited.returncode == 0:
            problems.append("under a limit everything passes")
    for key, count in sorted(counts.items(), key=str):
        sys.stderr.write(f"{key[0]}, {'must fail' if key[1] else 'either' if key[1] is None else 'must pass'}: {count}\n")
    wrong = sum(count for key, count in counts.items() if key[1] is True) < arguments.specs / 5
    problems += ["too few changes that must fail"] if wrong else []
    print("\n".join(problems))
    print(f"{len(cases) - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
