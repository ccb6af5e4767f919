"""Every kind of proof: an honest certificate is accepted, and none for a claim whose opposite is true.

The certificates in data/ were written by oddsbound. python3 -m unittest discover -s checker/tests -t checker
"""
import hashlib
import json
import pathlib
import tempfile
import unittest
from decimal import Decimal
from fractions import Fraction
from itertools import product

from oddsbound_check.cli import check
from oddsbound_check.decimals import Arithmetic
from oddsbound_check.exact import Exact
from oddsbound_check.notions import Side
from oddsbound_check.outputs import outputs_of, shown
from oddsbound_check.prior_sets import Sets
from oddsbound_check.proofs import divergences
from oddsbound_check.proofs.averages import information_obeys, shares
from oddsbound_check.report import ACCEPTED, REJECTED, NotProved
from oddsbound_check.sets.members import Members, normalized
from oddsbound_check.spec import read_spec
from oddsbound_check.verdicts import PROOFS

DATA = pathlib.Path(__file__).parent / "data"
BOUNDS = pathlib.Path(__file__).parent / "bounds"  # of a spec with no certificate of verdicts: data/ has one for each spec
OF_VERDICTS = sorted(path.name[:-len("-certificate.json")] for path in DATA.glob("*-certificate.json"))


def load(name, folder=DATA):
    return json.loads((folder / name).read_text(encoding="utf-8"))


def at(value, claimed):
    """A claimed level, for every coordinate that has one."""
    return dict.fromkeys(claimed, value) if isinstance(claimed, dict) else value


def opposite(claim, verdict):
    """A claim like this one whose true verdict is the other one; the spec expects the false one."""
    refuted = verdict == "refuted"
    changed = {key: value for key, value in claim.items() if key != "tight"}
    level = "40" if refuted else "1/100000"
    changed.update({key: at(level, claim[key]) for key in ("epsilon", "rho") if key in claim})
    if "delta" in claim:
        changed.update(epsilon=claim["epsilon"], delta="1" if refuted else "0")
    if claim["notion"] == "post_processing_of":
        changed["of"] = {"type": "k_randomized_response", "epsilon": "log(3)" if refuted else "log(3/2)"}
    return {**changed, "expect": "refuted" if refuted else "holds"}


class Limits(unittest.TestCase):
    def test_more_inputs_than_are_gone_through(self):
        """The list of all inputs is one step of Python, which no time limit interrupts."""
        names = [f"x{i}" for i in range(40)]
        answer = {"type": "k_randomized_response", "epsilon": "1"}
        document = {"oddsbound": 1, "name": "forty", "domain": [{"name": name, "values": ["0", "1"]} for name in names],
                    "mechanism": {"type": "per_coordinate", "mechanisms": dict.fromkeys(names, answer)},
                    "claims": [{"notion": "zcdp", "rho": "40"}]}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "forty.json")
            path.write_text(json.dumps(document), encoding="utf-8")
            spec = read_spec(str(path))
        claim, = spec.claims
        with self.assertRaisesRegex(NotProved, "too many inputs"):
            divergences.obeys(spec, claim)
        self.assertLess(len(shown(2**4000)), 30)


class Decimals(unittest.TestCase):
    def test_intervals_of_negative_numbers(self):
        """Python's minus rounds to the digits of another context."""
        for digits in (40, 120):
            low, high = map(Fraction, Arithmetic(digits).signed(Fraction(-1, 3)))
            self.assertTrue(low <= Fraction(-1, 3) <= high and high - low < Fraction(1, 10**(digits - 1)))


    def test_numbers_beyond_the_range_of_the_default_context(self):
        """abs of a Decimal is 0, or an error, where the default context ends."""
        for far in (-3_000_000, 3_000_000, -3_000_000_000):
            large, small = Exact.exp(Fraction(far)) * 1100, Exact.exp(Fraction(far)) * 1000
            self.assertTrue(small < large)
            self.assertEqual((large - small).sign(), 1)
            self.assertEqual((small + Exact.exp(Fraction(far - 1)) - large).sign(), -1)


class Blocks(unittest.TestCase):
    def test_independent_coordinates_are_not_those_of_a_part(self):
        spec = read_spec(str(DATA / "blocks.json"))
        side = Side("d", None, None, [{k: 1 for k in range(6)}, {0: 1}])
        with self.assertRaises(NotProved):
            outputs_of(spec).of_side(side, (0, 0))


class Averages(unittest.TestCase):
    def test_a_level_that_the_first_digits_do_not_tell_apart_from_the_true_one(self):
        spec = read_spec(str(DATA / "averages.json"))
        claim = next(claim for claim in spec.json["claims"] if claim["notion"] == "information")
        at = Arithmetic(150)
        total = Decimal(0), Decimal(0)
        for p, odds in shares(spec, spec.claim_of(claim)):
            total = at.add(total, at.times(at.of(p), at.ln(at.of(odds))))
        step = Decimal(10) ** -100
        self.assertLess(Fraction(total[1]) - Fraction(total[0]), Fraction(step) / 10)
        least = Fraction(total[0]) // Fraction(step)
        above, below = (f"{int(least + k)}e-100" for k in (2, -1))
        self.assertTrue(information_obeys(spec, spec.claim_of({**claim, "epsilon": above, "tight": False})))
        self.assertFalse(information_obeys(spec, spec.claim_of({**claim, "epsilon": below, "tight": False})))


class MembersOfSets(unittest.TestCase):
    """A member of every kind of set at its border, and a prior just beyond it."""

    CENTER = dict(zip(product((0, 1), repeat=2), (Fraction(n, 10) for n in (4, 1, 2, 3))))

    def setUp(self):
        self.members = Members(read_spec(str(DATA / "sets.json")), "a")

    def check(self, stated, member, other):
        spec = self.members.spec
        found = Sets(spec.reader.priors, spec.own_domain, spec.own_prior, False).read(stated)
        for prior, expected in ((member, True), (other, False)):
            self.assertEqual(sum(prior.values()), 1)
            self.assertEqual(self.members.has(found, prior), expected, f"{stated}: {prior}")

    def moved(self, mass):
        return {**self.CENTER, (0, 0): self.CENTER[0, 0] - mass, (0, 1): self.CENTER[0, 1] + mass}

    def network(self, a, *b):
        return {(i, j): pa * pb for i, pa in enumerate((a, 1 - a)) for j, pb in enumerate((b[i], 1 - b[i]))}

    def test_neighborhoods_of_the_prior(self):
        self.check({"type": "total_variation", "radius": "1/9"}, self.moved(Fraction(1, 9)), self.moved(Fraction(113, 1000)))
        for support in ({}, {"support": "prior"}):
            self.check({"type": "contaminated", "share": "1/9", **support}, self.moved(self.CENTER[0, 0] / 9), self.moved(self.CENTER[0, 0] * Fraction(113, 1000)))
        heavier = lambda factor: normalized({**self.CENTER, (0, 0): self.CENTER[0, 0] * factor})
        self.check({"type": "weights", "factor": "3/2"}, heavier(Fraction(9, 4)), heavier(Fraction(2251, 1000)))
        for lower, upper in ((["2/5", "0", "0", "0"], ["1"] * 4), (["0"] * 4, ["1", "1/10", "1", "1"])):
            self.check({"type": "intervals", "lower": lower, "upper": upper}, self.CENTER, self.moved(Fraction(1, 1000)))

    def test_dependence(self):
        independent = self.network(Fraction(1, 2), Fraction(3, 5), Fraction(3, 5))
        self.check({"type": "product"}, independent, self.network(Fraction(1, 2), Fraction(3, 5), Fraction(599, 1000)))
        self.check({"type": "correlation", "at_most": "2/5"}, self.CENTER, self.moved(Fraction(-1, 1000)))

    def test_networks(self):
        stated = {"type": "network", "nodes": [
            {"coordinate": "a", "table": [[["1/3", "1/2"], ["1/2", "2/3"]]]},
            {"coordinate": "b", "parents": ["a"], "table": [[["1/4", "1/2"], ["1/2", "3/4"]], ["1/2", "1/2"]]}]}
        third, half, quarter = Fraction(1, 3), Fraction(1, 2), Fraction(1, 4)
        for other in ((Fraction(333, 1000), half, half), (Fraction(501, 1000), half, half), (half, Fraction(249, 1000), half), (half, Fraction(501, 1000), half),
                      (half, half, Fraction(499, 1000))):
            for member in ((third, quarter, half), (half, half, half)):
                self.check(stated, self.network(*member), self.network(*other))
        alone = {"type": "network", "nodes": [{"coordinate": "a", "table": [["1/2", "1/2"]]}, {"coordinate": "b", "table": [[["0", "1"], ["0", "1"]]]}]}
        self.check(alone, self.network(half, third, third), self.network(half, third, quarter))
        for interval in (["0", "1/3"], ["1/3", "1"]):  # the other interval excludes nothing
            alone["nodes"][1]["table"] = [[interval, ["0", "1"]]]
            self.check(alone, self.network(half, third, third), self.network(half, *[third + Fraction(1 if interval[0] == "0" else -1, 1000)] * 2))

    def test_mixtures_and_tables(self):
        ends = [{"type": "probabilities", "probabilities": p} for p in (["1/2", "1/6", "1/6", "1/6"], ["1/10", "2/10", "3/10", "4/10"])]
        vertices = [normalized(dict(zip(self.CENTER, map(Fraction, own["probabilities"])))) for own in ends]
        between = {x: (vertices[0][x] + vertices[1][x] * 2) / 3 for x in self.CENTER}
        self.check({"type": "mixtures_of", "priors": ends}, between, self.CENTER)
        beyond = {x: (vertices[1][x] * 9 - vertices[0][x]) / 8 for x in self.CENTER}
        self.check({"type": "mixtures_of", "priors": ends}, vertices[0], beyond)
        self.check({"type": "any_of", "priors": ends}, vertices[1], between)
        independent = self.network(half := Fraction(1, 2), Fraction(3, 5), Fraction(3, 5))
        self.check({"type": "marginals", "sets": [["a"], ["b"]]}, independent, self.network(half, half, Fraction(3, 5)))
        rest = {x: self.CENTER[x] * factor for x, factor in zip(self.CENTER, map(Fraction, ("3/2", "3/2", "1/2", "1/2")))}
        self.check({"type": "side_knowledge", "about": ["a"]}, rest, self.moved(Fraction(1, 1000)))


class Proofs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def lines(self, spec, document):
        """What is said of a certificate of these contents, which names the spec's file."""
        path, certificate = self.folder / "spec.json", self.folder / "certificate.json"
        path.write_text(json.dumps(spec), encoding="utf-8")
        if "files" in document:
            document = {**document, "files": [{"file": "spec.json", "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}]}
        certificate.write_text(json.dumps(document), encoding="utf-8")
        return list(check(str(path), str(certificate)))

    def test_honest_certificates_are_accepted(self):
        for name in OF_VERDICTS:
            lines = self.lines(load(f"{name}.json"), load(f"{name}-certificate.json"))
            self.assertEqual({line.status for line in lines}, {ACCEPTED}, [str(line) for line in lines])

    def test_no_proof_of_a_false_claim_is_accepted(self):
        tried = set()
        for name in OF_VERDICTS:
            spec, document = load(f"{name}.json"), load(f"{name}-certificate.json")
            for entry in document["claims"]:
                k = entry["claim"]
                claims = [opposite(claim, entry["verdict"]) if k == number else claim for number, claim in enumerate(spec["claims"])]
                own = {key: value for key, value in entry.items() if key != "attained"}
                lines = self.lines({**spec, "claims": claims}, {**document, "claims": [own]})
                said = [line for line in lines if line.claim == k]
                self.assertEqual([line.status for line in said], [REJECTED], f"{name}, claim {k}: {said[0]}")
                self.assertEqual(str(said[0]).split(":")[0], "rejected")
                tried.add(entry.get("proof", "for_all"))
        self.assertEqual(tried, set(PROOFS), "every kind of proof")

    def test_a_verdict_that_is_turned_around_is_rejected(self):
        for name in OF_VERDICTS:
            spec, document = load(f"{name}.json"), load(f"{name}-certificate.json")
            for entry in document["claims"]:
                turned = {**entry, "verdict": "holds" if entry["verdict"] == "refuted" else "refuted"}
                lines = self.lines(spec, {**document, "claims": [turned]})
                self.assertEqual([line.status for line in lines if line.claim == entry["claim"]], [REJECTED], f"{name}, claim {entry['claim']}")

    def test_upper_bounds(self):
        (self.folder / "averaged.csv").write_bytes((BOUNDS / "averaged.csv").read_bytes())
        for name, folder in (("search", DATA), ("averaged", BOUNDS), ("network", DATA)):
            spec, document = load(f"{name}.json", folder), load(f"{name}-bounds.json", folder)
            lines = self.lines(spec, document)
            self.assertEqual([line.status for line in lines], [ACCEPTED] * len(spec["domain"]), [str(line) for line in lines])
            for coordinate in document["coordinates"]:
                coordinate.update(upper=f"{float(coordinate['lower']) * 0.999:.12f}", lower="0")
            self.assertEqual(self.lines(spec, document)[-1].status, REJECTED)

    def test_the_files_are_those_that_the_certificate_names(self):
        spec, document = load("definitions.json"), load("definitions-certificate.json")
        path = self.folder / "other.json"
        path.write_text(json.dumps({**spec, "description": "another one"}), encoding="utf-8")
        line, = check(str(path), str(DATA / "definitions-certificate.json"))
        self.assertEqual(line.status, REJECTED)
        self.assertIn("SHA-256", line.text)


if __name__ == "__main__":
    unittest.main()
