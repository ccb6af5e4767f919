"""What Python shows of a confidential table: objects are exact, rendered output is rounded."""
import json
import re
import sys

import pytest

import oddsbound as ob
from test_plugin import run_pytest

COUNTS = [10787, 3761, 2203, 6841]


def survey(published=False, **more):
    prior = {"type": "counts", "counts": COUNTS, "published": published}
    return {"oddsbound": 1, "name": "survey", "domain": [{"name": "ill", "values": ["no", "yes"]},
                                                         {"name": "income", "values": ["low", "high"]}],
            "prior": prior, "mechanism": {"type": "per_coordinate", "mechanisms": {
                "income": {"type": "k_randomized_response", "epsilon": "log(3)"}}},
            "claims": [{"notion": "bcdp", "epsilon": {"ill": "0.1"}}, {"notion": "ldp", "epsilon": "log(3)"}], **more}


def secrets(result):
    level = result.bcdp["ill"]
    fraction = str(level.exp)
    return [fraction, fraction.split("/")[0], str(level.lower)[:7], str(level.witness.p_from), *map(str, COUNTS)]


def shows(text, result):
    return [secret for secret in secrets(result) if secret in text]


def without_digests(text):
    return re.sub(r"[0-9a-f]{64}|\d{4}-\d\d-\d\d \d\d:\d\d UTC", "", text)


def test_objects_are_exact_and_say_what_is_confidential():
    result, public = ob.verify(ob.Spec(survey())), ob.verify(ob.Spec(survey(published=True)))
    assert result.confidential and not public.confidential
    assert result.bcdp["ill"].confidential and not result.ldp.confidential and not public.bcdp["ill"].confidential
    assert result.claims[0].confidential and not result.claims[1].confidential
    assert result.bcdp["ill"].witness.confidential and result.claims[0].witness.confidential
    assert result.bcdp["ill"].exp == public.bcdp["ill"].exp
    assert result.to_dict()["confidential"] is True and result["confidential"] is True


@pytest.mark.parametrize("format", ["text", "html", "markdown", "sarif", "junit", "github", "registry"])
def test_formats_are_rounded_unless_asked(format):
    result, public = ob.verify(ob.Spec(survey())), ob.verify(ob.Spec(survey(published=True)))
    drawn = {"static_figures": True}  # without the scripts of a page, which contain any number
    assert not shows(result.report.render(format, **drawn), result)
    exact = result.report.render(format, exact=True, **drawn)
    assert shows(exact, result)
    assert without_digests(exact) == without_digests(public.report.render(format, exact=False, **drawn))


def test_json_is_exact():
    result = ob.verify(ob.Spec(survey()))
    assert str(result.bcdp["ill"].exp) in result.report.render("json", exact=False)


def test_what_notebooks_and_logs_show_is_rounded():
    result = ob.verify(ob.Spec(survey()))
    level = result.bcdp["ill"]
    shown = [repr(result), str(result), str(level), f"{level}", f"{level:>60}", result._repr_html_(), repr(result.bcdp), repr(result.bcdp["ill"].witness),
             repr(result.claims), repr(result.correlation), result.claims[0].words,
             result.bcdp["ill"].words, json.dumps(result.chart().to_dict())]
    bundle = result.chart()._repr_mimebundle_()
    shown += [bundle["text/plain"], bundle["text/html"]]
    for text in shown:
        assert not shows(text, result), text[:200]
    assert "rounded up" in repr(result.bcdp["ill"])
    assert repr(result.ldp) == "MeasuredLevel('log(3)')"


def test_a_terminal_shows_exact_values(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    result = ob.verify(ob.Spec(survey()))
    assert shows(str(result), result) and shows(repr(result.bcdp["ill"]), result)
    assert shows(str(result.bcdp["ill"]), result)
    assert shows(result.claims[0].words, result) and shows(result.bcdp["ill"].words, result)
    assert not shows(result.report.render("text", exact=False), result)
    assert not shows(result.report.render("html", static_figures=True), result)


def test_comparisons_and_tuned_values_are_rounded():
    specs = [ob.Spec({**survey(), "name": name}) for name in ("one", "two")]
    found = ob.compare(specs)
    result = ob.analyze(specs[0])
    assert found.confidential
    assert not shows(found.render("text") + found.render("html") + repr(found), result)
    assert shows(found.render("html", exact=True), result)
    asked = survey(parameters={"e": "1"})
    asked["mechanism"]["mechanisms"]["income"]["epsilon"] = "e"
    tuned = ob.tune(ob.Spec(asked), "e", start=0, stop=2)
    exact = str(tuned.holds_at)
    assert tuned.confidential and exact not in tuned.render("text") and exact in tuned.render("text", exact=True)


def test_failures_of_tests_are_rounded(tmp_path):
    (tmp_path / "survey.json").write_text(json.dumps(survey()))
    (tmp_path / "test_mine.py").write_text("""
import oddsbound as ob
from oddsbound.pytest_plugin import assert_bcdp_at_most, assert_claims_hold

def test_level():
    assert_bcdp_at_most("survey.json", ill="0.1")

def test_claims():
    assert_claims_hold("survey.json")

def test_bare():
    result = ob.analyze("survey.json")
    assert result.bcdp["ill"] <= 0.1
""")
    status, text = run_pytest(tmp_path, "--oddsbound", "survey.json")
    assert status == 1 and "4 failed" in text, text
    assert "rounded up" in text and "above 1/10" in text
    assert not shows(text, ob.analyze(tmp_path / "survey.json")), text


def test_a_prior_shows_no_numbers_of_its_table():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"ill": ["no", "no", "yes"], "income": ["low", "high", "zzz"]})
    shown = repr(ob.prior(frame))
    assert shown == "<Prior: csv; table.csv; attributes ill, income; confidential>"
    assert "published" in repr(ob.prior(frame, published=True))
    assert "4711" not in repr(ob.prior(pandas.Series({"no": 4711, "yes": 3})))
