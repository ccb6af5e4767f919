"""The pytest plugin, run by a separate pytest."""
import json
import os
import pathlib
import subprocess
import sys

import oddsbound as ob

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run_pytest(folder, *arguments):
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "oddsbound.pytest_plugin", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def write_spec(path, epsilon, claimed):
    path.parent.mkdir(exist_ok=True)
    spec = ob.Spec(domain={"answer": ["no", "yes"]}, mechanism=ob.k_randomized_response(2, epsilon), name=path.stem,
                   claims=[{"notion": "ldp", "epsilon": claimed}, {"notion": "ldp", "epsilon": "9", "name": "loose"}])
    return spec.save(path)


def test_specs_are_collected_claim_by_claim(tmp_path):
    write_spec(tmp_path / "specs" / "right.json", "1", "1")
    write_spec(tmp_path / "specs" / "wrong.json", "2", "1")
    (tmp_path / "specs" / "data.json").write_text('{"people": 3}')
    (tmp_path / "test_nothing.py").write_text("def test_nothing():\n    pass\n")
    status, text = run_pytest(tmp_path, "--oddsbound", "specs", "-v")
    assert status == 1 and "1 failed, 4 passed" in text
    assert "right.json::0: ldp PASSED" in text and "wrong.json::1: loose PASSED" in text
    assert "ldp <= 1: refuted" in text and "times more likely from" in text


def test_what_is_wrong_with_a_spec_is_the_failure(tmp_path):
    (tmp_path / "broken.json").write_text('{\n  "oddsbound": 2}')
    status, text = run_pytest(tmp_path, "--oddsbound", "broken.json")
    assert status == 1 and "broken.json:2:" in text and "Traceback" not in text


def test_the_lock_is_a_test(tmp_path):
    path = write_spec(tmp_path / "specs" / "mine.json", "1", "2")
    ob.lock([path], tmp_path / "oddsbound.lock.json")
    assert run_pytest(tmp_path, "--oddsbound-lock", "oddsbound.lock.json")[0] == 0
    document = json.loads(path.read_text())
    document["mechanism"]["epsilon"] = "3/2"
    path.write_text(json.dumps(document))
    status, text = run_pytest(tmp_path, "--oddsbound-lock", "oddsbound.lock.json")
    assert status == 1 and "grew from 1 to 3/2" in text


def test_asserts_show_the_witness_in_words(tmp_path):
    (tmp_path / "test_mine.py").write_text(f"""
from oddsbound.pytest_plugin import (assert_bcdp_at_most, assert_cdp_at_most, assert_claims_hold,
                                     assert_ldp_at_most)
SPEC = {str(ROOT / 'specs/gallery/titanic.json')!r}

def test_right(oddsbound):
    result = oddsbound.analyze(SPEC)
    assert_bcdp_at_most(result, survived="0.93", sex="log(2405695/420633)")
    assert_cdp_at_most(SPEC, survived=0)
    assert_ldp_at_most(SPEC, "log(27)")
    assert_claims_hold(SPEC)

def test_wrong():
    assert_bcdp_at_most(SPEC, survived="0.92")

def test_without_prior():
    assert_bcdp_at_most({str(ROOT / 'specs/gallery/warner.json')!r}, answer="0")
""")
    status, text = run_pytest(tmp_path)
    assert status == 1 and "2 failed, 1 passed" in text
    assert "bcdp survived is log(1957115/772857) = 0.929133, above 23/25" in text
    assert "output `(1st,female,child)` is 1957115/772857 times more likely from survived=yes than from survived=no" in text
    assert "the spec has no prior" in text
