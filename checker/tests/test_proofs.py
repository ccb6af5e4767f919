"""Every kind of proof: an honest certificate is accepted, and none for a claim whose opposite is true.

The certificates in data/ were written by oddsbound. python3 -m unittest discover -s checker/tests -t checker
"""
import hashlib
import json
import pathlib
import tempfile
import unittest
from fractions import Fraction

from oddsbound_check.cli import check
from oddsbound_check.decimals import Arithmetic
from oddsbound_check.exact import Exact
from oddsbound_check.notions import Side
from oddsbound_check.outputs import outputs_of
from oddsbound_check.report import ACCEPTED, REJECTED, NotProved
from oddsbound_check.spec import read_spec
from oddsbound_check.verdicts import FIELDS

DATA = pathlib.Path(__file__).parent / "data"
OF_VERDICTS = sorted(path.name[:-len("-certificate.json")] for path in DATA.glob("*-certificate.json"))


def load(name):
    return json.loads((DATA / name).read_text(encoding="utf-8"))


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
        self.assertEqual(tried, set(FIELDS), "every kind of proof")

    def test_a_verdict_that_is_turned_around_is_rejected(self):
        for name in OF_VERDICTS:
            spec, document = load(f"{name}.json"), load(f"{name}-certificate.json")
            for entry in document["claims"]:
                turned = {**entry, "verdict": "holds" if entry["verdict"] == "refuted" else "refuted"}
                lines = self.lines(spec, {**document, "claims": [turned]})
                self.assertEqual([line.status for line in lines if line.claim == entry["claim"]], [REJECTED], f"{name}, claim {entry['claim']}")

    def test_upper_bounds(self):
        for name in ("search", "network"):
            spec, document = load(f"{name}.json"), load(f"{name}-bounds.json")
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
