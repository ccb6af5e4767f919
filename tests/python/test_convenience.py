"""What a first script does: rounds levels, passes tables, asks for one marginal, looks at results in a notebook."""
import json
import pathlib
import pickle
import re
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy
import pandas
import pytest

import oddsbound as ob
from oddsbound.pytest_plugin import assert_bcdp_at_most, assert_cdp_at_most, assert_ldp_at_most

ROOT = pathlib.Path(__file__).resolve().parents[2]
TITANIC, WARNER = (str(ROOT / "specs" / "gallery" / f"{name}.json") for name in ("titanic", "warner"))


def test_the_version_is_that_of_the_build():
    assert ob.__version__ == re.search(r"project\(oddsbound VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


@pytest.mark.parametrize("text", ["log(3)", "log(15/8)", "3/10", "93/100", "1/3", "0", "1/1000000000", "123456789012345678/1000000000",
                                  "log(1 + sqrt(2))", "log(1000001/1000000)", "log(27)"])
@pytest.mark.parametrize("digits", [0, 1, 2, 3, 10, 30])
def test_levels_are_rounded_up_to_the_next_decimal(text, digits):
    level = ob.Level(text)
    shown = round(level, digits)
    assert isinstance(shown, Decimal) and shown.as_tuple().exponent == -digits
    assert level <= shown and (not level <= Fraction(shown) - Fraction(1, 10**digits) or digits > 16 and "sqrt" in text)
    assert Decimal(f"{level:.{digits}f}") == shown
    for form in ("e", "g"):
        rounded = Decimal(f"{level:.{digits}{form}}")
        assert level <= rounded


def test_formats_are_those_of_numbers():
    level = ob.Level("log(15/8)")
    assert f"{level:.2f}" == "0.63" and f"{level:8.3f}|" == "   0.629|" and f"{level:+.1e}" == "+6.3e-1"
    assert f"{level}" == "log(15/8)" and f"{level:>12}" == "   log(15/8)" and f"{level:.2%}" == "62.87%"
    assert round(level) == 1 and isinstance(round(level), int)
    assert f"{ob.Level('inf'):.2f}" == "inf" and round(ob.Level("inf"), 2) == Decimal("Infinity")
    for wrong in (".2d", "x", ".1s"):
        with pytest.raises(ValueError, match="format"):
            format(level, wrong)


def test_measured_levels_are_rounded_up_from_their_upper_bound(survey):
    level = ob.analyze(TITANIC).bcdp["survived"]
    assert round(level, 2) == Decimal("0.93") and f"{level:.4f}" == "0.9292" and level <= round(level, 2)
    open_levels = ob.analyze(survey, limits=ob.Limits(max_seconds=1)).bcdp.values()
    level = next(level for level in open_levels if level.level is None)
    assert level.at_most <= round(level, 3) if not level.at_most.is_infinite else f"{level:.3f}" == "inf"


def test_numbers_are_rounded_to_nearest():
    number = ob.Number("exp(1)")
    assert round(number, 3) == Decimal("2.718") and f"{number:.2f}" == "2.72" and round(number) == 3
    assert f"{ob.Number('1/8'):.2f}" == "0.12" and f"{ob.Root('sqrt(2)'):.3g}" == "1.41"
    assert round(-number, 1) == Decimal("-2.7")


def test_decimals_compare_exactly():
    level = ob.Level("3/10")
    assert level == Decimal("0.3") and level <= Decimal("0.3") and level < Decimal("Infinity") and not level > Decimal("0.3")
    assert ob.Level(Decimal("0.93")) == Fraction(93, 100) and ob.Number("exp(1)") > Decimal("2.718")
    assert ob.analyze(TITANIC).bcdp["survived"] <= Decimal("0.93")


FRAME = pandas.DataFrame({"a": ["x", "y"], "b": ["y", "y"]})
CALLS = {"analyze": ob.analyze, "verify": ob.verify, "Spec": ob.Spec, "read": ob.read, "compare": ob.compare,
         "compose": ob.compose,
         "release": ob.release, "repair": ob.repair, "design": ob.design, "read_report": ob.read_report,
         "read_table": ob.read_table, "audit": ob.audit, "lock": ob.lock, "Lock": ob.Lock, "merge_shards": ob.merge_shards,
         "sample": lambda spec: ob.sample(spec, ["yes"]), "estimate": lambda spec: ob.estimate(spec, ["yes"]),
         "tune": lambda spec: ob.tune(spec, "p"), "plan_runs": lambda spec: ob.plan_runs(spec, 0.1),
         "a list": lambda spec: ob.analyze([WARNER, spec]), "designs": lambda spec: ob.compare([spec]),
         "a table": lambda table: ob.release("specs/releases/titanic.release.json", table)}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("given", [FRAME, FRAME["a"], numpy.zeros((2, 2)), 3], ids=["frame", "series", "array", "int"])
def test_what_is_no_path_is_named(name, given):
    kind = type(given).__name__
    with pytest.raises(TypeError, match=f"found an? {kind}, expected"):
        CALLS[name](given)


def test_a_frame_in_place_of_a_spec_is_told_where_it_belongs():
    with pytest.raises(TypeError, match=r"new_spec\(frame, epsilon\)"):
        ob.analyze(FRAME)


def test_a_list_may_have_paths_dicts_and_specs():
    assert [one.name for one in ob.analyze([ob.read(WARNER), TITANIC])] == ["warner", "titanic"]
    built = ob.Spec(domain={"a": ["n", "y"]}, mechanism=ob.k_randomized_response(2, "log(3)"), name="built",
                    claims=[{"notion": "ldp", "epsilon": "log(3)"}])
    document = json.loads(pathlib.Path(WARNER).read_text())
    for measure in ob.verify, ob.analyze:
        report = measure([pathlib.Path(TITANIC), built, "missing.json", document, ob.read(WARNER)])
        assert [one.name for one in report.specs] == ["titanic", "built", "warner", "warner"]
        assert [one.file for one in report.errors] == ["missing.json"] and report.exit_status == 2
        assert report.specs[1].ldp == ob.Level("log(3)")
    assert ob.verify([built]).to_dict()["specs"] == ob.verify(built).report.to_dict()["specs"]
    assert ob.verify([built]).exit_status == 0 and ob.verify([]).specs == []
    with pytest.raises(TypeError, match="found an int, expected a spec: a Spec, a path or a dict"):
        ob.verify([built, 3])


def test_explain_is_the_option_of_the_command_line(program):
    said = subprocess.run([program, "analyze", "--explain", "--format", "json", TITANIC], capture_output=True, check=True)
    for measure in ob.analyze, ob.verify:
        explained = measure(TITANIC, explain=True)
        assert explained.to_dict()["effects"] == json.loads(said.stdout)["specs"][0]["effects"]
        assert explained.to_dict() == measure(TITANIC, effects=True).to_dict()
        assert "effects" not in measure(TITANIC).to_dict()
    assert "What an adversary" in str(ob.analyze(TITANIC, explain=True))


def test_a_new_spec_leaves_columns_out_and_knows_missing_cells(program, tmp_path):
    people = pandas.DataFrame({"id": [f"p{place}" for place in range(40)], "party": ["r", "d"] * 20,
                               "age": (["young", "old", "NA", "old"] * 10)})
    path = tmp_path / "people.csv"
    people.to_csv(path, index=False)
    options = {"hide": ["party"], "exclude": ["id"], "missing_cells": ["NA"], "missing": "drop"}
    said = subprocess.run([program, "new", path, "--epsilon", "log(3)", "--hide", "party", "--exclude", "id",
                           "--missing-cells", "NA", "--missing", "drop"], capture_output=True, check=True, cwd=tmp_path)
    assert ob.new_spec(path, "log(3)", folder=tmp_path, **options).spec.to_dict() == json.loads(said.stdout)
    made = ob.new_spec(people, "log(3)", **options)
    assert made.spec.domain == ob.Spec(json.loads(said.stdout), folder=tmp_path).domain
    assert [str(one.claimed) for one in ob.verify(made.spec).claims] == [
        str(one.claimed) for one in ob.verify(ob.Spec(json.loads(said.stdout), folder=tmp_path)).claims]
    assert not any("p7" in text for text in made.spec._files.values())  # identifiers are in no file
    for table in people, path:
        with pytest.raises(ob.SpecError, match="no column 'nobody'"):
            ob.new_spec(table, "1", exclude=["nobody"])
        with pytest.raises(ob.SpecError, match="'id' is excluded"):
            ob.new_spec(table, "1", exclude=["id"], hide=["id"])
        with pytest.raises(ob.SpecError, match="no column is left .*exclude, count"):
            ob.new_spec(table, "1", exclude=list(people.columns))
        with pytest.raises(ob.SpecError, match=r"blank cells.*missing='drop' leaves"):
            ob.new_spec(table, "1", exclude=["id"], missing_cells=["NA"])


def test_one_name_is_a_marginal():
    for marginals in (["answer"], "answer", [["answer"]]):
        found = ob.estimate(WARNER, ["yes"] * 60 + ["no"] * 40, marginals=marginals)
        assert [one.coordinates for one in found.marginals] == [["answer"]]
    drawn = ob.sample(TITANIC, from_prior=100, seed=1)
    found = ob.estimate(TITANIC, drawn, marginals=["age", ["class", "sex"]])
    assert [one.coordinates for one in found.marginals] == [["age"], ["class", "sex"]]


def test_projected_estimates_are_a_distribution():
    drawn = ob.sample(TITANIC, from_prior=60, seed=3)
    plain, found = ob.estimate(TITANIC, drawn), ob.estimate(TITANIC, drawn, project=True)
    values = plain.to_frame()["value"]
    assert values.min() < 0  # or this test shows nothing
    frame = found.to_frame()
    assert list(frame["value"]) == list(values) and "projected" not in plain.to_frame()
    assert frame["projected"].between(0, 1).all() and abs(frame["projected"].sum() - 1) < 1e-12
    assert frame["lower"].between(0, 1).all() and frame["upper"].between(0, 1).all()
    # The nearest distribution: what is kept was shifted by one number, and nothing dropped would be above 0 with it.
    kept = frame[frame["projected"] > 0]
    shifts = kept["value"] - kept["projected"]
    assert shifts.max() - shifts.min() < 1e-12 and (frame[frame["projected"] == 0]["value"] <= shifts.max() + 1e-12).all()
    with pytest.raises(ob.SpecError, match="unbiased"):
        ob.estimate(TITANIC, 100, project=True)


def test_intervals_are_of_95_percent():
    row = ob.estimate(WARNER, ["yes"] * 60 + ["no"] * 40).to_frame().iloc[1]
    assert row["upper"] - row["value"] == pytest.approx(1.96 * row["standard_error"], rel=1e-4)
    assert row["value"] - row["lower"] == pytest.approx(1.96 * row["standard_error"], rel=1e-4)


def test_means_are_not_projected():
    drawn = ob.sample("specs/gallery/two-copies.json", from_prior=50, seed=1)
    with pytest.raises(ob.SpecError, match="means"):
        ob.estimate("specs/gallery/two-copies.json", drawn, project=True)


def shown(result):
    page = result._repr_html_()
    assert isinstance(page, str) and page.startswith("<") and "<script" not in page
    return page


def test_every_result_has_a_page(tmp_path):
    result = ob.analyze(WARNER)
    verified = ob.verify(WARNER)
    design = {"domain": [{"name": "a", "values": ["n", "y"]}], "constraints": [{"notion": "ldp", "epsilon": "log(3)"}],
              "objective": {"largest": "zero_one"}}
    lock = ob.lock([ob.read(WARNER)], tmp_path / "oddsbound.lock.json")
    results = [result, result.ldp, result.cdp, result.ldp.witness, verified.claims[0], verified.report, result.summary
               if "summary" in result else verified.report.summary,
               ob.estimate(WARNER, ["yes"]), ob.estimate(WARNER, ["yes"]).estimates[0], ob.estimate(WARNER, 10),
               ob.plan_runs(WARNER, 0.1), ob.audit(WARNER, samples=2000, seed=1),
               ob.audit_shard(WARNER, shard=1, shards=1, seed=1, samples=2000), ob.compare([WARNER]), ob.compose(WARNER, times=2),
               ob.tune("specs/parametric/warner.json", "t", from_=2, to=8), ob.search("bcdp composes"), lock,
               lock.check(), ob.mechanisms()[0], ob.design(design)]
    for one in results:
        shown(one)
    assert "\n" in shown(ob.search("bcdp composes")) and "x0a" not in shown(ob.search("bcdp composes"))
    assert "log(3)" in shown(result.ldp) and "as locked" in shown(lock.check())


def test_pages_of_confidential_levels_are_rounded():
    people = pandas.DataFrame({"a": ["x", "y", "y"], "b": ["u", "v", "v"]})
    spec = ob.Spec(prior=ob.prior(people), mechanism=ob.per_attribute({"a": ob.k_randomized_response(2, "log(3)"), "b": None}),
                   claims=[{"notion": "bcdp", "epsilon": {"b": "2"}}])
    result = ob.verify(spec)
    level = result.bcdp["b"]
    for page in (shown(level), shown(result.bcdp), shown(result.claims[0])):
        assert str(level.level) not in page
    assert "p_from" not in shown(level.witness) and str(level.witness.p_from) not in shown(level.witness)


def test_bounds_of_asserts_may_be_floats():
    assert_bcdp_at_most(TITANIC, survived=0.93)
    assert_bcdp_at_most(TITANIC, survived=Decimal("0.93"))
    with pytest.raises(AssertionError, match="above 23/25"):
        assert_bcdp_at_most(TITANIC, survived=0.92)
    spec = ob.Spec(domain={"a": ["n", "y"]}, mechanism=ob.k_randomized_response(2, "3/10"))
    assert_ldp_at_most(spec, 0.3)  # the decimal; the float itself is below 3/10
    assert_cdp_at_most(spec, a=Fraction(3, 10))


def test_families_are_those_of_the_command_line(program):
    said = json.loads(subprocess.run([program, "mechanisms", "--format", "json"], capture_output=True, check=True).stdout)
    for mine, other in zip(ob.mechanisms(), said["families"], strict=True):
        assert (mine.name, mine.summary, mine.source) == (other["name"], other["summary"], other["source"])
        assert [(one.name, one.kind, one.required, one.description) for one in mine.parameters] == [
            (one["name"], one["kind"], one["required"], one["description"]) for one in other["parameters"]]
    assert [one.name for one in ob.mechanisms("rappor")] == ["rappor"]
    with pytest.raises(ValueError, match="no family 'rapor'"):
        ob.mechanisms("rapor")


def test_tune_has_the_names_of_the_command_line():
    asked = {"from_": 2, "to": 8, "grid": 8, "width": "1/100", "claim": 0, "proof": False}
    found = ob.tune("specs/parametric/warner.json", "t", **asked)
    same = ob.tune("specs/parametric/warner.json", "t", start=2, stop=8, parts=8, width="1/100", claims=[0], prove=False)
    assert found.to_dict() == same.to_dict()
    with pytest.raises(TypeError, match="the same"):
        ob.tune("specs/parametric/warner.json", "t", from_=0, start=0)


def test_a_bar_without_tqdm_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match="progress=True needs tqdm"):
        ob.analyze(WARNER, progress=True)
    monkeypatch.undo()
    assert ob.analyze(WARNER, progress=True).ldp.level == ob.Level("log(3)")


def test_levels_that_do_not_exist_say_why():
    result = ob.analyze(WARNER)
    assert not result.bcdp and result.bdp is None
    with pytest.raises(KeyError, match="no prior"):
        result.bcdp["answer"]
    with pytest.raises(KeyError, match="coordinates: class, sex, age, survived"):
        ob.analyze(TITANIC).bcdp["survved"]
    assert pickle.loads(pickle.dumps(dict(result.cdp))) == dict(result.cdp)


def test_a_level_of_which_nothing_is_known_is_undecided():
    result = ob.analyze(TITANIC, limits=ob.Limits(max_cells=10))
    assert result.ldp.level is None or result.ldp.level == ob.analyze(TITANIC).ldp.level
    unknown = ob.MeasuredLevel.unknown()
    assert unknown.at_least == 0 and unknown.at_most.is_infinite and unknown >= 0 and f"{unknown:.2f}" == "inf"
    with pytest.raises(ob.LimitError):
        unknown <= 1


def test_tables_of_the_command_line_are_read_and_written(tmp_path, program):
    people = pandas.DataFrame({"class": ["1st", "crew", "3rd"] * 30, "sex": ["male", "female", "male"] * 30,
                               "age": ["adult"] * 90})
    people.to_csv(tmp_path / "people.csv", index=False)
    drawn = ob.sample(TITANIC, tmp_path / "people.csv", seed=5)
    assert drawn.equals(ob.sample(TITANIC, people, seed=5))
    answers = ob.write_outputs(TITANIC, drawn, tmp_path / "answers.csv")
    said = subprocess.run([program, "estimate", TITANIC, answers, "--format", "json"], capture_output=True, check=True)
    mine = ob.estimate(TITANIC, answers)
    assert json.loads(said.stdout)["marginals"] == mine.to_dict()["marginals"] == ob.estimate(TITANIC, drawn).to_dict()["marginals"]
    theirs = tmp_path / "theirs.csv"
    theirs.write_bytes(subprocess.run([program, "sample", TITANIC, "--inputs", tmp_path / "people.csv", "--seed", "5"],
                                      capture_output=True, check=True).stdout)
    assert ob.estimate(TITANIC, theirs).to_dict()["marginals"] == mine.to_dict()["marginals"]
