"""The command: statuses, folders, JSON, limits of time, and files that are no certificates."""
import contextlib
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import oddsbound_check
from oddsbound_check.cli import main
from oddsbound_check.verdicts import Verdicts

DATA = pathlib.Path(__file__).parent / "data"
CHECKER = pathlib.Path(__file__).parent.parent


def run(*arguments):
    """(status, output)."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            status = main(list(map(str, arguments)))
        except SystemExit as error:
            status = error.code
    return status, said.getvalue()


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.spec, self.certificate = DATA / "averages.json", DATA / "averages-certificate.json"

    def changed(self, **more):
        path = self.folder / "changed.json"
        path.write_text(json.dumps({**json.loads(self.certificate.read_text(encoding="utf-8")), **more}), encoding="utf-8")
        return path

    def test_one_line_per_claim(self):
        status, said = run(self.spec, self.certificate)
        self.assertEqual((status, [line[:17] for line in said.splitlines()]), (0, [f"accepted: claim {k}" for k in range(3)]))

    def test_claims(self):
        status, said = run("--claims", "0,2", self.spec, self.certificate)
        self.assertEqual((status, [line[:17] for line in said.splitlines()]), (0, ["accepted: claim 0", "accepted: claim 2"]))
        self.assertEqual(run("--claims", "3", self.spec, self.certificate)[0], 2)

    def test_statuses(self):
        claims = json.loads(self.certificate.read_text(encoding="utf-8"))["claims"]
        self.assertEqual(run(self.spec, self.changed(claims=claims[:2]))[0], 3, "a claim is missing")
        self.assertEqual(run(self.spec, self.changed(claims=[{**claims[0], "verdict": "refuted"}, *claims[1:2]]))[0], 1, "1 over 3")
        self.assertEqual(run(self.spec, self.folder / "nowhere.json")[0], 2)
        self.assertEqual(run(self.spec)[0], 2, "no certificate")

    def test_files_that_are_no_certificates(self):
        for text in (b"", b"{", b"[]", b"0", b"nul", b"\xff\xfe", b"[" * 10**5, b'{"certificate": "claims"}', b'{"certificate": []}', b'{"certificate": "sets"}',
                     b'{"a": 1, "a": 2}', b'{"certificate": "claims", "format": 1e999999999}', b'{"certificate": "search"}', b"\x00" * 1000,
                     b'{"certificate": "claims", "oddsbound": 1, "format": 1, "tool": 0, "file": 0, "files": 0, "spec": 0, "without": 0, "undecided": 0, "claims": 0}'):
            path = self.folder / "bad.json"
            path.write_bytes(text)
            for paths in ((self.spec, path), (path, self.certificate), (self.folder, self.spec)):
                status, said = run(*paths)
                self.assertIn(status, (1, 2, 3), said)
                self.assertNotIn("Traceback", said)
                self.assertTrue(all(line.isprintable() for line in said.splitlines()), said)

    def test_entries_of_the_wrong_type(self):
        document = json.loads((DATA / "sets-certificate.json").read_text(encoding="utf-8"))
        for k, entry in enumerate(document["claims"]):
            for key in entry:
                for value in (None, [], {}, "", 0, [[]], [{}], True):
                    claims = [*document["claims"][:k], {**entry, key: value}, *document["claims"][k + 1:]]
                    path = self.folder / "bad.json"
                    path.write_text(json.dumps({**document, "claims": claims}), encoding="utf-8")
                    status, said = run("--claims", str(k), DATA / "sets.json", path)
                    same = (key == "for_all" and value == "") or (entry[key] == value and value is not True)
                    self.assertIn(status, (0,) if same else (1, 2), f"claim {k}, {key} = {value}: {said}")
                    self.assertNotIn("Traceback", said)

    def test_short_texts_for_large_numbers(self):
        document = json.loads((DATA / "definitions-certificate.json").read_text(encoding="utf-8"))
        entry = next(entry for entry in document["claims"] if "witness" in entry)
        product = "*".join(f"(1 + exp(1/{k}))" for k in range(2, 60))
        for number in (product, "1e999999999", "9^9^9", "exp(1e9)", "(" * 50000 + "1", "1/" * 50000 + "1", "-" * 50000 + "1"):
            own = {**entry, "witness": {**entry["witness"], "p_from": number}}
            path = self.folder / "bomb.json"
            path.write_text(json.dumps({**document, "claims": [own]}), encoding="utf-8")
            status, said = run("--claims", str(entry["claim"]), DATA / "definitions.json", path)
            self.assertIn(status, (1, 2), said)
            self.assertNotIn("Traceback", said)

    def claim(self, spec, entry, *files):
        """What is said of one claim of a spec."""
        path, certificate = self.folder / "one.json", self.folder / "one-certificate.json"
        path.write_text(json.dumps({**spec, "oddsbound": 1, "name": "s"}), encoding="utf-8")
        document = {"oddsbound": 1, "tool": {}, "certificate": "claims", "format": 1, "file": "", "spec": "s", "without": [], "undecided": [],
                    "claims": [{"claim": 0, "name": "", "notion": spec["claims"][0]["notion"], **entry}],
                    "files": [{"file": "", "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}, *files]}
        certificate.write_text(json.dumps(document), encoding="utf-8")
        return run(path, certificate)

    def test_limits_of_the_checker_say_nothing_about_a_proof(self):
        bits = [{"name": f"c{k}", "values": ["0", "1"]} for k in range(13)]
        asked = {"type": "per_coordinate", "mechanisms": {"c0": {"type": "k_randomized_response", "epsilon": "1"}}}
        many = {"domain": bits, "mechanism": asked, "claims": [{"notion": "partial_dp", "epsilon": "1"}]}
        rows = {"type": "matrix", "outputs": ["a", "a,a"], "rows": [["3/4", "1/4"], ["1/4", "3/4"]]}
        twice = {"domain": bits[:1], "mechanism": {"type": "repeat", "mechanism": rows, "times": 24}, "claims": [{"notion": "ldp", "epsilon": "1", "expect": "refuted"}]}
        witness = {"from": ["0"], "to": ["1"], "output": f"({','.join('a' * 24)})", "p_from": "1", "p_to": "0"}
        first = {"type": "k_randomized_response", "epsilon": "1"}
        long = {"domain": bits[:1], "claims": [{"notion": "ldp", "epsilon": "3", "expect": "refuted"}],
                "mechanism": {"type": "adaptive", "first": first, "then": {y: {"type": "repeat", "mechanism": first, "times": 30} for y in "01"}}}
        other = {"domain": bits[:1], "mechanism": first, "claims": [{"notion": "post_processing_of", "of": {"type": "repeat", "mechanism": first, "times": 26}}]}
        for spec, entry in ((many, {"verdict": "holds", "proof": "arithmetic"}), (long, {"verdict": "refuted", "proof": "witness", "witness": witness}),
                            (other, {"verdict": "holds", "proof": "kernel", "kernel": []}), (twice, {"verdict": "refuted", "proof": "witness", "witness": witness})):
            status, said = self.claim(spec, entry)
            self.assertEqual(status, 3, said)

    def test_parameters_that_a_spec_of_another_one_does_not_use(self):
        inner = {"oddsbound": 1, "name": "inner", "domain": [{"name": "x", "size": 2}], "parameters": {"q": "1/0"},
                 "mechanism": {"type": "matrix", "outputs": 2, "rows": [["1/2", "1/2"], ["1/3", "2/3"]]}}
        (self.folder / "inner.json").write_text(json.dumps(inner), encoding="utf-8")
        hashed = hashlib.sha256((self.folder / "inner.json").read_bytes()).hexdigest()
        spec = {"domain": inner["domain"], "mechanism": {"type": "file", "file": "inner.json"}, "claims": [{"notion": "ldp", "epsilon": "1"}]}
        entry = {"verdict": "holds", "proof": "arithmetic"}
        status, said = self.claim(spec, entry, {"file": "inner.json", "sha256": hashed})
        self.assertEqual(status, 0, said)
        self.assertEqual(self.claim(spec, entry)[0], 1, "the file is not named")
        self.assertEqual(self.claim({**inner, "claims": spec["claims"]}, entry)[0], 2)

    def test_an_independent_prior_of_too_many_inputs(self):
        names = [f"c{k}" for k in range(40)]
        asked = {"type": "per_coordinate", "mechanisms": {"*": {"type": "k_randomized_response", "epsilon": "1"}}}
        spec = {"oddsbound": 1, "name": "s", "domain": [{"name": name, "values": ["0", "1"]} for name in names], "prior": {"type": "uniform"},
                "mechanism": asked, "claims": [{"notion": "bcdp", "epsilon": {"c0": "1/2"}, "expect": "refuted"}]}
        path = self.folder / "large.json"
        path.write_text(json.dumps(spec), encoding="utf-8")
        witness = {"coordinate": "c0", "from": "0", "to": "1", "output": f"({','.join('0' * 40)})", "p_from": "1", "p_to": "0"}
        entry = {"claim": 0, "name": "", "notion": "bcdp", "verdict": "refuted", "proof": "witness", "witness": witness}
        document = {"oddsbound": 1, "tool": {}, "certificate": "claims", "format": 1, "file": "", "spec": "s", "without": [], "undecided": [], "claims": [entry],
                    "files": [{"file": "", "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}]}
        certificate = self.folder / "certificate.json"
        for p_from, p_to, status in (("1", "0", 1), ("exp(1)/(1 + exp(1))/549755813888", "1/(1 + exp(1))/549755813888", 0), ("1/4", "1/5", 1)):
            witness.update(p_from=p_from, p_to=p_to)
            certificate.write_text(json.dumps(document), encoding="utf-8")
            self.assertEqual(run(path, certificate)[0], status)

    def test_text_of_files_is_escaped(self):
        path = self.changed(claims=[], without=[{"claim": 0, "name": "", "reason": "\x1b[2J\u202e\naccepted: claim 0"}])
        status, said = run(self.spec, path)
        self.assertEqual(status, 3)
        self.assertTrue(all(line.isprintable() for line in said.splitlines()))
        self.assertFalse(any(line.startswith("accepted") for line in said.splitlines()))

    def test_folders(self):
        shutil.copytree(DATA, self.folder / "data")
        status, said = run(self.folder / "data")
        self.assertEqual(status, 0, said)
        os.remove(self.folder / "data" / "averages-certificate.json")
        status, said = run(self.folder / "data")
        self.assertEqual(status, 3)
        self.assertIn("averages.json: no certificate of it was given", said)
        os.remove(self.folder / "data" / "blocks.json")
        status, said = run(self.folder / "data")
        self.assertEqual(status, 3)
        self.assertIn("blocks-certificate.json: a certificate of no spec that was given", said)
        self.assertRegex(said.splitlines()[-1], r"^\d+ certificates: \d+ accepted, 2 not proved$")

    def test_a_proof_of_another_verdict_than_the_expected_one_is_not_called_rejected(self):
        shutil.copytree(DATA, self.folder / "data")
        path = self.folder / "data" / "averages.json"
        spec = json.loads(path.read_text(encoding="utf-8"))
        spec["claims"][0]["expect"] = "refuted"
        path.write_text(json.dumps(spec), encoding="utf-8")
        certificate = self.folder / "data" / "averages-certificate.json"
        document = json.loads(certificate.read_text(encoding="utf-8"))
        document["files"][0]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
        certificate.write_text(json.dumps(document), encoding="utf-8")
        status, said = run(self.folder / "data")
        self.assertEqual(status, 1)
        self.assertRegex(said.splitlines()[-1], r"^\d+ certificates: \d+ accepted, 1 not as expected$")

    def test_files_that_cannot_be_read(self):
        os.mkfifo(self.folder / "pipe.json")
        for path in (self.folder / "pipe.json", self.folder / "nowhere.json"):
            for paths in ((self.spec, path), (path, self.certificate), (self.spec, self.certificate, path), (path, self.certificate, self.spec)):
                status, said = run(*paths)
                self.assertEqual(status, 2, said)
                self.assertIn("no", said)
        bad = self.folder / "bad.json"
        bad.write_bytes(b"{")
        self.assertEqual(run(self.spec, self.certificate, bad)[0], 2)
        os.mkdir(self.folder / "empty")
        self.assertEqual(run(self.folder / "empty")[0], 2)

    def test_equal_specs_in_several_folders(self):
        """Each certificate is of the nearest one, whose tables may be others."""
        for name, rows in (("a", "x\n0\n0\n1\n"), ("b", "x\n0\n1\n1\n")):
            folder = self.folder / name
            os.makedirs(folder / "certs")
            (folder / "t.csv").write_text(rows, encoding="utf-8")
            spec = {"oddsbound": 1, "name": "s", "domain": [{"name": "x", "values": ["0", "1"]}], "prior": {"type": "csv", "file": "t.csv"},
                    "mechanism": {"type": "k_randomized_response", "epsilon": "1"}, "claims": [{"notion": "ldp", "epsilon": "1"}]}
            (folder / "spec.json").write_text(json.dumps(spec), encoding="utf-8")
            hashes = [{"file": own, "sha256": hashlib.sha256((folder / own).read_bytes()).hexdigest()} for own in ("spec.json", "t.csv")]
            document = {"oddsbound": 1, "tool": {}, "certificate": "claims", "format": 1, "file": "spec.json", "files": hashes, "spec": "s", "without": [],
                        "undecided": [], "claims": [{"claim": 0, "name": "", "notion": "ldp", "verdict": "holds", "proof": "arithmetic"}]}
            (folder / "certs" / "s.json").write_text(json.dumps(document), encoding="utf-8")
        status, said = run(self.folder / "a", self.folder / "b")
        self.assertEqual((status, said.count("accepted: claim 0")), (0, 2), said)

    def test_json(self):
        status, said = run("--format", "json", DATA)
        document = json.loads(said)
        self.assertEqual((status, document["status"], document["without_partner"]), (0, 0, []))
        claims = {pathlib.Path(own["certificate"]).name: own["claims"] for own in document["certificates"]}
        self.assertEqual([(claim["claim"], claim["status"]) for claim in claims["averages-certificate.json"]], [(k, "accepted") for k in range(3)])

    def test_a_limit_of_time(self):
        status, said = run("--max-seconds", "0", self.spec, self.certificate)
        self.assertEqual(status, 3)
        self.assertIn("not done within", said)
        self.assertEqual(run("--max-seconds", "100", self.spec, self.certificate)[0], 0)

    def test_a_claim_that_is_not_done_in_time(self):
        honest = Verdicts.check

        def slow(verdicts, claim, entry):
            while entry["claim"] == 1:
                pass
            return honest(verdicts, claim, entry)
        with unittest.mock.patch.object(Verdicts, "check", slow):
            status, said = run("--max-seconds", "0.2", self.spec, self.certificate)
        self.assertEqual((status, [line[:19] for line in said.splitlines()]), (3, ["accepted: claim 0: ", "not proved: claim 1", "accepted: claim 2: "]))

    def test_as_a_module_and_an_output_that_nobody_reads(self):
        command = [sys.executable, "-m", "oddsbound_check", str(self.spec), str(self.certificate)]
        self.assertEqual(subprocess.run(command, cwd=CHECKER, stdout=subprocess.DEVNULL, check=False).returncode, 0)
        child = subprocess.Popen(command, cwd=CHECKER, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdout.close()
        said = child.stderr.read()
        child.stderr.close()
        self.assertEqual((child.wait(), said), (2, b""))

    def test_the_version_is_the_programs(self):
        cmake = CHECKER.parent / "CMakeLists.txt"
        if cmake.exists():
            self.assertEqual(re.search(r"project\(oddsbound VERSION ([0-9.]+)", cmake.read_text(encoding="utf-8"))[1], oddsbound_check.__version__)


if __name__ == "__main__":
    unittest.main()
