"""Checks certificates of claims over sets of priors (docs/certificates.md): proves every claim again from the spec and
the data of the certificate. Shares no code with the tool.

set_certificates.py SPEC CERTIFICATE
  A line per claim over a set of priors. Exit status 0: each of them is proved to hold, as the spec expects; 1: a proof is
  rejected, or a claim holds that is expected to be refuted; 2: the spec or the certificate cannot be read; 3: one of them
  is not proved, or the spec has none. (Only claim_certificates.py checks claims that are refuted, or tight above 0.)
"""
import argparse
import sys
from fractions import Fraction

from .claim_ranges import exact_number, for_one_of
from .exact import INFINITE
from .outcomes import ACCEPTED, NOT_PROVED, REJECTED, Rejected, printable, require, status_of, status_of_lines
from .reference import Spec
from .set_forms import FORMS, Question, Tables, by_squares, mixed_priors
from .set_rows import ByRows
from .set_samples import Draws
from .strict_json import fields, items, read
from .strict_spec import checked

LONGEST_NUMBER = 20000


def numbers(value, count, what):
    """Exact numbers, as the tool writes them."""
    found = [exact_number(text, what, LONGEST_NUMBER) for text in items(value, what, str)]
    require(count is None or len(found) == count, f"{what}: {len(found)} numbers")
    return found


def party(value):
    return tuple(items(value, "a side", str)) if isinstance(value, list) else value


class ByForm:
    def __init__(self, question, _masses, _labels):
        require(question.kind in FORMS, f"nothing is known of sets of type {question.kind}")
        self.q = question

    def holds(self, entry, y, a, b):
        require(entry is None, "a set with a closed form, and a proof")
        return FORMS[self.q.kind](self.q, y, a, b)


class BySquares:
    def __init__(self, question, _masses, _labels):
        self.q, self.priors = question, mixed_priors(question)

    def holds(self, entry, y, a, b):
        squares = [] if entry is None else items(fields(entry, "a proof", "squares")[0], "squares", list)
        return by_squares(self.q, self.priors, squares, y, a, b)


class ByPrices:
    def __init__(self, question, masses, labels):
        self.tables, self.most, self.least = Tables(question), {}, {}
        for stated in items(masses, "masses", dict):
            label, at_most, at_least = fields(stated, "a mass", "label", "at_most", "at_least")
            require(party(label) in labels and labels.index(party(label)) not in self.most, f"no label {label}, or one that is there twice")
            place = labels.index(party(label))
            self.most[place] = self.tables.most(place, 1, numbers(at_most, None, "prices of a mass"))
            self.least[place] = -self.tables.most(place, -1, numbers(at_least, None, "prices of a mass"))

    def holds(self, entry, y, a, b):
        require(entry is not None, "prices are missing")
        require(a in self.most and b in self.most, "what shows the mass of a label is missing")
        prices = numbers(fields(entry, "a proof", "prices")[0], None, "prices")
        if self.most[a] == 0 or self.most[b] == 0:
            return True
        require(self.least[a] > 0, "a label may have no mass, or more")
        return self.tables.by_prices(prices, self.least[a], self.most[b], y, a, b)


class BySample:
    def __init__(self, question, _masses, _labels):
        self.draws = Draws(question)

    def holds(self, entry, y, a, b):
        require(entry is not None, "what the draws say is missing")
        if self.draws.by_limits(y):
            return self.draws.limits_hold(numbers(fields(entry, "a proof", "limits")[0], 2, "limits"), y, a, b)
        return self.draws.bets_hold(*numbers(fields(entry, "a proof", "bets")[0], 2, "bets"), y, a, b)


WAYS = {"network": ByRows, "marginals": ByPrices, "sample": BySample, **dict.fromkeys(("any_of", "mixtures_of", "side_knowledge"), BySquares)}


def levels_of(spec, claim):
    """(coordinate, inputs by label, exponential) of each level that a claim states, in the order of the domain."""
    if claim["notion"] == "bcdp":
        levels = spec.coordinate_levels(claim["epsilon"])
        return [(spec.domain[i][0], dict(zip(spec.domain[i][1], spec.value_groups(i))), levels[i]) for i in sorted(levels)]
    require(claim["notion"] in ("secret", "bdp"), f"a claim about {claim['notion']}")
    groups = spec.secret_groups(claim["secret"]) if claim["notion"] == "secret" else {x: [k] for k, x in enumerate(spec.inputs)}
    return [(None, groups, spec.level(claim["epsilon"]))]


def compared(claim, labels):
    sides = [[labels.index(party(x)) for x in claim.get(side, labels)] for side in ("from", "to")]
    return [(a, b) for a in sides[0] for b in sides[1] if a != b]


class Entries:
    """A certificate's entries at outputs and labels. An output's label may stand for several outputs: an entry is for
    any of these."""

    def __init__(self, spec, pairs, labels, allowed):
        self.outputs, self.found, self.used = spec.outputs, {}, set()
        for pair in items(pairs, "pairs", dict):
            entry = dict(pair)
            output, a, b = (entry.pop(key, None) for key in ("output", "from", "to"))
            require(isinstance(output, str) and output in spec.outputs, f"no output {output!r}")
            require(party(a) in labels and party(b) in labels, f"no labels {a!r}, {b!r}")
            own = self.found.setdefault((output, labels.index(party(a)), labels.index(party(b))), [])
            require((labels.index(party(a)), labels.index(party(b))) in allowed, f"{output}, {a}, {b}: not compared")
            own.append(entry)
            require(len(own) <= spec.outputs.count(output), f"{output}, {a}, {b}: there twice")

    def holds(self, way, y, a, b):
        """True if one of the entries proves it, or it holds without one."""
        key = self.outputs[y], a, b
        own = self.found.get(key, [])

        def shown(place):
            require(way.holds(own[place] if own else None, y, a, b), "what is claimed does not follow")
            self.used.add((key, place))
        for_one_of(range(max(1, len(own))), shown)

    def require_used(self):
        for key, own in self.found.items():
            require(all((key, place) in self.used for place in range(len(own))), f"output {key[0]}: no proof is needed, and there is one")


def check_level(question, level, claim, labels):
    spec, allowed = question.spec, compared(claim, labels)
    needs = ("coordinate",) if question.coordinate else ()
    fields(level, "a level", *needs, *(("pairs",) if "pairs" in level else ("proof",)), optional=("masses",) if "pairs" in level else ())
    require(level.get("coordinate") == question.coordinate, f"a level of {level.get('coordinate')}, and not {question.coordinate}")
    require(level.get("proof", "recompute") == "recompute", "a proof that is not known")
    entries = Entries(spec, level.get("pairs", []), labels, allowed)
    if question.bound is INFINITE:
        require(not entries.found, "proofs of what says nothing")
        return
    require("masses" not in level or question.kind == "marginals", "masses of a set that fixes none")
    way = WAYS.get(question.kind, ByForm)(question, level.get("masses", []), labels)
    for y, output in enumerate(spec.outputs):
        for a, b in allowed:
            if question.by_extremes(y, a, b):
                continue
            try:
                entries.holds(way, y, a, b)
            except Rejected as error:
                raise Rejected(f"output {output}, from {labels[a]} to {labels[b]}: {error}") from error
    entries.require_used()


def called(index, claim):
    name = claim.get("name", "")
    return f"claim {index}{f' ({printable(name)})' if name else ''}"


def as_expected(claim, verdict):
    """verdict: holds (maybe with confidence), or refuted."""
    return (verdict == "refuted") == (claim.get("expect", "holds") == "refuted")


def unexpected(index, claim, verdict):
    """The status and the line of a claim with a proved verdict that is not the expected one."""
    return REJECTED, f"not as expected: {called(index, claim)}: {claim['notion']} {verdict} is proved, and the spec expects '{claim.get('expect', 'holds')}'"


def check_claim(spec, entry, known):
    index, name, for_all, levels = fields(entry, "a claim", "claim", "name", "for_all", "levels")
    require(isinstance(index, Fraction) and index in range(len(known)), f"no claim {index}")
    claim = known[int(index)]
    stated = claim.get("for_all")
    require(stated is not None and claim.get("name", "") == name, f"claim {index} is another one")
    require(isinstance(for_all, str), "words that are none")
    over = f"the set '{printable(stated)}'" if isinstance(stated, str) else f"a set of type {printable(stated['type'])}"
    stated = spec.json["prior_sets"][stated] if isinstance(stated, str) else stated
    true = levels_of(spec, claim)
    require(len(items(levels, "levels", dict)) == len(true), f"claim {index} states {len(true)} levels")
    for (coordinate, groups, bound), level in zip(true, levels):
        question = Question(spec, stated, coordinate, list(groups.values()), bound, len(true))
        check_level(question, level, claim, list(groups))
    confidence = f" with confidence {stated['confidence']}" if stated["type"] == "sample" else ""
    return int(index), f"{called(index, claim)}: {claim['notion']} over {over}{confidence}"


def of_sets_alone(spec, document):
    """The entries of a certificate of all verdicts (claim_certificates.py) for claims over sets of priors that hold."""
    known = spec.json.get("claims", [])
    kept = {key: document.get(key) for key in ("oddsbound", "tool", "file", "spec", "without", "claims")}
    kept["certificate"] = "sets"
    kept["claims"] = [{key: claim[key] for key in ("claim", "name", "for_all", "levels")} for claim in items(kept["claims"], "claims", dict)
                      if "for_all" in claim]
    told = items(kept["without"], "without", dict)
    kept["without"] = [own for own in told if own.get("claim") in range(len(known)) and "for_all" in known[int(own["claim"])]]
    return kept


def check(spec, document):
    """Yields (status, line) for proved and unproved claims; raises Rejected."""
    if document.get("certificate") == "claims":
        document = of_sets_alone(spec, document)
    head, kind, _, _, name, without, claims = fields(document, "the certificate", "oddsbound", "certificate", "tool", "file", "spec", "without", "claims")
    require(head == 1 and kind == "sets", "no certificate of claims over sets of priors")
    require(name == spec.json["name"], f"a certificate of {name}")
    known, seen, missing = spec.json.get("claims", []), set(), {}
    for entry in items(without, "without", dict):
        index, _, reason = fields(entry, "what is not proved", "claim", "name", "reason")
        require(isinstance(index, Fraction) and index in range(len(known)), f"no claim {index}")
        missing.setdefault(int(index), []).append(reason)
    for entry in items(claims, "claims", dict):
        try:
            index, line = check_claim(spec, entry, known)
        except Rejected as error:
            raise Rejected(f"claim {entry.get('claim')}: {error}") from error
        require(index not in seen, f"claim {index} is there twice")
        seen.add(index)
        claim = known[index]
        yield (ACCEPTED, f"accepted: {line}") if as_expected(claim, "holds") else unexpected(index, claim, "holds")
        if is_above_zero(spec, claim):
            missing.setdefault(index, []).append("that no smaller level holds is checked by claim_certificates.py alone")
    over_sets = [index for index, claim in enumerate(known) if "for_all" in claim]
    for index in over_sets:
        if index not in seen and index not in missing:
            missing[index] = ["it is not in the certificate"]
    for index, reasons in missing.items():
        for reason in reasons:
            yield NOT_PROVED, f"not proved: {called(index, known[index])}: {reason}"
    if not over_sets:
        yield NOT_PROVED, "not proved: the spec has no claims over sets of priors"


def is_above_zero(spec, claim):
    """True if the claim is tight, and some level must be attained."""
    return bool(claim.get("tight")) and any(bound != 1 for _, _, bound in levels_of(spec, claim))


def verdict(read_spec, certificate):
    """Prints what is proved, and returns the exit status."""
    def lines():
        yield from check(read_spec(), read(certificate))
    return status_of_lines(lines())


def main(given=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("spec")
    parser.add_argument("certificate")
    arguments = parser.parse_args(given)
    return verdict(lambda: checked(arguments.spec, Spec), arguments.certificate)


if __name__ == "__main__":
    sys.exit(status_of(main))
