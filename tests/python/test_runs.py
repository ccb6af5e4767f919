"""Parameters, designs, searches, comparisons, releases, locks: the findings of the command line, as objects."""
import json
import subprocess
from fractions import Fraction

import pandas
import pytest

import oddsbound as ob

TITANIC = "specs/gallery/titanic.json"


def said(program, *arguments):
    return json.loads(subprocess.run([program, *arguments], capture_output=True, text=True).stdout)


def untimed(document):
    """The document without durations."""
    if isinstance(document, dict):
        return {key: untimed(value) for key, value in document.items() if key != "seconds"}
    return [untimed(one) for one in document] if isinstance(document, list) else document


@pytest.fixture
def warner():
    return ob.Spec(domain={"answer": ["no", "yes"]}, parameters={"eps": "1"},
                   mechanism=ob.k_randomized_response(epsilon="eps"), claims=[{"notion": "ldp", "epsilon": "3/2"}])


def test_compose_of_files_and_of_dicts(program, warner):
    found = ob.compose("specs/gallery/warner.json", times=3, delta="1/16", epsilon="log(3)")
    theirs = said(program, "compose", "specs/gallery/warner.json", "--times", "3", "--delta", "1/16", "--epsilon", "log(3)",
                  "--format", "json")
    assert found.to_dict() == theirs
    # Three truths have ratio 27, and two have ratio 3: delta at log 3 is 27/64 - 3 * 1/64.
    assert found.delta == Fraction(24, 64)
    assert found.exit_status == 0 and len(found.curve) > 10
    assert ob.compose([warner, warner], times=[2, 1]).curve
    with pytest.raises(ob.SpecError, match="found 2 numbers of runs, expected 1"):
        ob.compose("specs/gallery/warner.json", times=[1, 2])
    with pytest.raises(ob.SpecError, match="has other inputs"):
        ob.compose(["specs/gallery/warner.json", "specs/gallery/titanic.json"])


def test_tune_of_a_file_and_of_a_dict(program, warner, tmp_path):
    found = ob.tune(warner, "eps", start=0, stop=4, width="1/100")
    assert found.holds_at == Fraction(3, 2) and found.exit_status == 0
    path = warner.save(tmp_path / "warner.json")
    theirs = said(program, "tune", str(path), "--parameter", "eps", "--from", "0", "--to", "4", "--width", "1/100",
                  "--format", "json")
    ours = ob.tune(path, "eps", start=0, stop=4, width="1/100").to_dict()
    assert untimed(ours) == untimed(theirs) and "<svg" in found.render("html")
    with pytest.raises(ob.SpecError, match="nowhere"):
        ob.tune(warner, "nowhere", start=0, stop=1)


def test_compare_says_what_the_command_line_says(program):
    paths = ["specs/gallery/warner.json", "specs/gallery/half-copied.json"]
    assert ob.compare(paths).to_dict() == said(program, "compare", "--format", "json", *paths)
    with pytest.raises(ob.SpecError):
        ob.compare(["/nowhere.json", *paths])


def test_compare_of_specs_that_were_built(program, warner):
    louder = ob.Spec({**warner.to_dict(), "name": "louder", "parameters": {"eps": "2"}})
    found = ob.compare([warner, louder, "specs/gallery/warner.json"])
    assert [one.label for one in found.designs] == ["spec", "louder", "warner"] and "<svg" in found.render("html")
    paths = ["specs/gallery/warner.json", "specs/gallery/half-copied.json"]
    assert ob.compare([ob.read(path) for path in paths]).to_dict() == ob.compare(paths).to_dict()


def test_a_new_spec_of_a_table_is_that_of_the_command_line(program, tmp_path):
    table = "specs/gallery/data/titanic.csv"
    options = ["--epsilon", "log(3)", "--hide", "survived", "--count", "count"]
    text = subprocess.run([program, "new", table, *options], capture_output=True, text=True).stdout
    made = ob.new_spec(table, "log(3)", hide=["survived"], count="count")
    assert made.spec.text == text and made.notes == [] and ob.verify(made.spec).ok
    path = ob.new_spec(table, "log(3)", hide=["survived"], count="count", folder=tmp_path).spec.save(tmp_path / "new.json")
    assert ob.verify(path).ok
    with pytest.raises(ob.SpecError, match="survived"):
        ob.new_spec(table, "log(3)", hide=["survive"])
    with pytest.raises(ob.SpecError, match="float"):
        ob.new_spec(table, 0.5)


def test_a_new_spec_of_a_frame(tmp_path):
    people = pandas.DataFrame({"party": ["r", "d", "d", None], "age": [1, 2, 2, 1], "name": list("abcd"), 7: [1, 1, 2, 2]})
    with pytest.raises(ob.SpecError, match="^the frame: blank cells, in people: party 1 "):
        ob.new_spec(people, "1", hide=["party"], columns=["age", 7])
    made = ob.new_spec(people, ob.Level("log(3)"), hide=["party"], columns=["age", 7], missing="value", name="voters")
    assert made.spec.domain == {"party": ["d", "missing", "r"], "age": ["1", "2"], "7": ["1", "2"]}
    assert made.notes and "missing" in made.notes[0] and made._repr_html_().startswith("<iframe")
    saved = made.spec.save(tmp_path / "voters.json")
    assert ob.verify(saved).ok and (tmp_path / "voters.csv").exists()
    assert ob.new_spec(people, "1", columns=["party"], missing="drop").spec.domain == {"party": ["d", "r"]}
    with pytest.raises(ob.SpecError, match="no column 'salary'"):
        ob.new_spec(people, "1", hide=["salary"])
    with pytest.raises(ValueError, match="drop"):
        ob.new_spec(people, "1", missing="forget")


def test_a_new_spec_of_a_table_with_semicolons(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("party;age\nred;3,5\nblue;12\n", encoding="utf-8")
    for separator in (None, ";"):
        made = ob.new_spec(table, "1", separator=separator, folder=tmp_path)
        assert made.spec.domain == {"party": ["blue", "red"], "age": ["12", "3,5"]}
        assert ob.verify(made.spec).ok
    with pytest.raises(ob.SpecError, match="expected ',', ';' or a tab"):
        ob.new_spec(table, "1", separator="|", folder=tmp_path)
    frame = pandas.DataFrame({"a;b;c": ["x", "y"]})
    assert ob.new_spec(frame, "1").spec.domain == {"a;b;c": ["x", "y"]}
    with pytest.raises(ValueError, match="expected it with a path only"):
        ob.new_spec(frame, "1", separator=";")


def test_search_finds_specs_that_can_be_read():
    found = ob.search("bcdp composes")
    assert found.exit_status == 1 and found.steps[0].coordinates == [2, 2]
    for name, text in found.specs.items():
        assert name.startswith("not-bcdp-composes")
    premise = ob.Spec.from_text(found.specs["not-bcdp-composes-premise.json"])
    assert ob.verify(premise).ok
    with pytest.raises(ob.SpecError, match="known"):
        ob.search("everything composes")


def design_request():
    people = pandas.DataFrame({"sex": ["m"] * 5 + ["f"] * 5, "votes": ["y", "y", "y", "n", "y", "n", "n", "n", "n", "y"]})
    return {"name": "mine", "prior": ob.prior(people), "release": ["sex"], "reads": ["sex"],
            "constraints": [{"notion": "ldp", "epsilon": "log(3)"}], "objective": {"expected": "zero_one"}}


def test_design_of_a_frame(tmp_path):
    found = ob.design(design_request())
    assert found.loss == Fraction(1, 4) == found.at_least and json.loads(found.certificate)
    assert ob.verify(found.spec).ok and ob.analyze(found.spec).ldp == ob.Level("log(3)")
    assert found.matrix.loc["m", "m"] == Fraction(3, 4) and found.conflict == [] and len(found.curve) == 0
    saved = found.spec.save(tmp_path / "made.json")
    assert ob.verify(saved).ok and str(found)
    assert found.render("json") == found.spec.text and "<svg" in found.render("html")
    assert found._repr_html_().startswith("<iframe") and "&lt;script" not in found._repr_html_()
    with pytest.raises(ValueError, match="pdf"):
        found.render("pdf")


def test_design_of_a_file_and_of_its_dict():
    path = "specs/designs/titanic.design.json"
    with open(path) as file:
        request = json.load(file)
    by_path = ob.design(path, folder="specs/designs")
    by_dict = ob.design(request, folder="specs/designs")
    assert by_path.loss == by_dict.loss and by_path.spec.to_dict() == by_dict.spec.to_dict()


def test_what_does_not_go_together_is_named():
    request = {**design_request(), "losses": [{"expected": "zero_one", "at_most": "1/10"}]}
    found = ob.design(request)
    assert found.spec is None and found.conflict and json.loads(found.certificate)


def test_repair(tmp_path):
    spec = ob.Spec(domain={"a": ["n", "y"]}, mechanism=ob.matrix([["9/10", "1/10"], ["1/10", "9/10"]], ["n", "y"]),
                   claims=[{"notion": "ldp", "epsilon": "log(3)"}])
    assert not ob.verify(spec).ok
    found = ob.repair(spec)
    assert ob.verify(found.spec).ok and found.entries == Fraction(3, 20)
    assert "<table" in found.render("html") and found._repr_html_().startswith("<iframe")
    assert found.before.loc["y", "y"] == Fraction(9, 10) and found.after.loc["y", "y"] == Fraction(3, 4)
    people = pandas.DataFrame({"a": ["n", "n", "y"]})
    with_table = ob.Spec(prior=ob.prior(people), mechanism=ob.matrix([["9/10", "1/10"], ["1/10", "9/10"]], ["n", "y"]),
                         claims=[{"notion": "bcdp", "epsilon": {"a": "log(3)"}}])
    assert ob.verify(ob.repair(with_table, by="mixture").spec).ok
    with pytest.raises(ValueError, match="mixture"):
        ob.repair(spec, by="magic")


def test_printed_matrices(program):
    path = "examples/printed-matrix.json"
    with pytest.raises(ob.SpecError, match=r"if the numbers are rounded: verify\(..., row_tolerance=...\), or repair\(..., rounded_rows=True\)"):
        ob.verify(path)
    found = ob.verify(path, row_tolerance="1e-8")
    assert found.ok and found.ldp.at_least < found.ldp.at_most < ob.Level("7.0383")
    assert found.row_tolerance.to_dict() == {"tolerance": "1/100000000", "exact_zeros": False}
    assert found.report.to_dict() == said(program, "verify", path, "--row-tolerance", "1e-8", "--format", "json")
    assert "printed" in found.report.render("html") and found._repr_html_()
    with open(path) as file:
        spec = json.load(file)
    for tolerance in (Fraction(1, 10**8), "1/100000000"):
        assert ob.verify(spec, row_tolerance=tolerance).ldp.at_most == found.ldp.at_most
    both = ob.verify([path, spec, TITANIC], row_tolerance="1e-8")
    assert len(both.specs) == 2 and "expected 'matrix'" in both.errors[0].message
    zeros = {**spec, "mechanism": {"type": "matrix", "outputs": 2, "rows": [["1", "0"], ["0.5", "0.5"]] + [["1", "0"]] * 3}}
    assert ob.analyze(zeros, row_tolerance="1/1000").ldp.at_least == ob.Level("log(499)")
    assert ob.analyze(zeros, row_tolerance="1/1000", exact_zeros=True).ldp == ob.Level("inf")
    for wrong in (0, 1, -1, "exp(-9)"):
        with pytest.raises(ValueError, match="expected row_tolerance: a rational number above 0 and below 1"):
            ob.verify(path, row_tolerance=wrong)
    with pytest.raises(TypeError, match="expected row_tolerance too"):
        ob.verify(path, exact_zeros=True)
    with pytest.raises(TypeError, match="row_tolerance excludes figures"):
        ob.verify(path, row_tolerance="1e-8", figures=True)
    with pytest.raises(TypeError, match="row_tolerance excludes engines"):
        ob.verify(path, row_tolerance="1e-8", engine="both")
    with pytest.raises(TypeError, match="a path or a dict"):
        ob.verify(ob.Spec("specs/gallery/warner.json"), row_tolerance="1e-8")


def test_release(program):
    path = "specs/releases/survey.release.json"
    assert ob.release(path).to_dict() == said(program, "release", path, "--account", "--format", "json")
    with pytest.raises(ob.SpecError):
        ob.release("/nowhere.json")


def test_a_lock_is_kept_and_grows_only_for_a_reason(tmp_path, warner):
    path = warner.save(tmp_path / "warner.json")
    locked = ob.lock([path], tmp_path / "oddsbound.lock.json")
    assert locked.levels["warner.json"]["ldp"] == "1"
    assert ob.Lock(tmp_path / "oddsbound.lock.json").check().ok
    path.write_text(path.read_text().replace('"eps": "1"', '"eps": "2"'))
    again = ob.Lock(tmp_path / "oddsbound.lock.json")
    found = again.check()
    assert found.exit_status == 1 and "grew from 1" in str(found)
    assert again.accept("a louder answer is needed") and again.save()
    assert ob.Lock(tmp_path / "oddsbound.lock.json").check().ok
    with pytest.raises(ob.SpecError, match="no spec"):
        ob.Lock.of([])
    assert ob.Lock.of([ob.read(path)], again.path).levels == again.levels
    with pytest.raises(ob.SpecError, match="save it"):
        ob.lock([warner], again.path)


def test_the_command_line_reads_the_lock_that_python_writes(program, tmp_path, warner):
    warner.save(tmp_path / "warner.json")
    ob.lock([tmp_path / "warner.json"], tmp_path / "oddsbound.lock.json")
    assert subprocess.run([program, "lock", "check"], cwd=tmp_path, capture_output=True).returncode == 0


def test_limits_leave_open_and_are_named():
    result = ob.verify(TITANIC, limits=ob.Limits(max_cells=10))
    assert not result.ok and result.report.exit_status == 3
    assert {claim.verdict for claim in result.claims} >= {"undecided"}
    with pytest.raises(TypeError, match="unexpected keyword argument 'max_second'"):
        ob.Limits(max_second=1)


def test_levels_that_were_not_found_out_do_not_compare(survey):
    found = ob.analyze(survey, limits=ob.Limits(max_seconds=2))
    level = next(level for level in found.bcdp.values() if level is not None and level.level is None)
    assert level.at_least < level.at_most and level >= level.at_least and level <= level.at_most
    assert level.nats == float(level.at_most) and level.lower <= level.upper and " to " in str(level)
    with pytest.raises(ob.LimitError, match="undecided"):
        level <= level.at_least


def test_notebooks_show_a_page_and_a_chart():
    result = ob.analyze(TITANIC)
    page = result._repr_html_()
    assert page.startswith("<iframe srcdoc=") and "&lt;svg" in page and "&lt;script" not in page and "heat" in page
    bundle = result.chart()._repr_mimebundle_()
    rows = bundle["application/vnd.vegalite.v5+json"]["data"]["values"]
    assert len(rows) == 10 and {"notion", "coordinate", "nats", "level", "what"} <= set(rows[0])
    assert "log(3)" in bundle["text/html"]
    for shown in (ob.read(TITANIC), ob.verify(TITANIC).report, ob.compare([TITANIC])):
        assert shown._repr_html_().startswith("<iframe")


def test_bars_of_tqdm_are_told():
    assert ob.verify([TITANIC, "specs/gallery/warner.json"], progress=True).ok


def test_frames_of_results():
    levels = ob.analyze(TITANIC).to_frame().set_index(["notion", "coordinate"])
    assert levels.loc[("bcdp", "survived"), "level"] == "log(1957115/772857)"
    claims = ob.verify(TITANIC).report.to_frame()
    assert list(claims["verdict"]).count("refuted") == 3 and claims["ok"].all()


def test_nothing_that_is_printed_steers_a_terminal(tmp_path):
    name = "\x1b]0;t\x07\x9b\u202e\u061c\u200b\u2028"
    spec = ob.Spec(name=name, domain={name: [name + "1", name + "2"]}, mechanism=ob.k_randomized_response(epsilon="1"),
                   claims=[{"notion": "ldp", "epsilon": "1/2", "name": name}])
    report = ob.verify(spec)
    shown = [repr(spec), repr(report), str(report), repr(report.claims), *(repr(claim) for claim in report.claims)]
    with pytest.raises(ob.SpecError) as error:
        ob.Spec({**spec.to_dict(), name: 1})
    shown.append(str(error.value))
    for text in shown:
        assert not any(character in text for character in set(name) - set("]0;t"))


def test_files_are_written_as_a_whole(tmp_path, warner):
    path = tmp_path / "warner.json"
    (tmp_path / "warner.json.oddsbound-part-1").write_text("half")
    warner.save(path)
    assert [one.name for one in tmp_path.iterdir()] == ["warner.json"] and ob.read(path).to_dict() == warner.to_dict()
    with pytest.raises(OSError, match="No such file or directory"):
        warner.save(tmp_path / "nowhere" / "warner.json")


def test_a_delta_between_two_bounds_is_a_record_of_numbers():
    claim = ob.verify("tests/cli/specs/forty-answers.json").claims[0]
    assert claim.verdict == "holds" and claim.claimed.delta == Fraction(1, 50)
    actual = claim.actual
    assert isinstance(actual.at_least, Fraction) and 0 < actual.at_least < actual.at_most < Fraction(1, 50)
    assert actual.at_most - actual.at_least < actual.at_most / 1000
    assert actual.lower <= actual.at_least and actual.at_most <= actual.upper
    assert "two bounds" in actual.reason and "p_from" not in actual.witness
    with pytest.raises(AttributeError, match="at_least"):
        actual.delta


def test_splits_numbers_of_people_and_plans(program):
    found = ob.split(cdp={"age": "log(2)", "job": "log(3)"}, correlation="1/2").splits[0]
    assert [level.bcdp_at_most for level in found.levels] == [ob.Level("log(4)"), ob.Level("log(9/2)")]
    assert ob.split(delta={"age": 1, "job": 2}, correlation={"age": "1/10"}).to_dict() == said(
        program, "split", "--delta", "age=1", "job=2", "--correlation", "age=1/10", "--format", "json")
    with pytest.raises(ob.SpecError, match="found no levels"):
        ob.split()
    spec = "specs/gallery/block-hadamard-response.json"
    people = ob.estimate(spec, people_for="1/20")
    assert people.to_dict() == said(program, "estimate", spec, "--people-for", "1/20", "--format", "json")
    assert people.people_for.too_few < people.people_for.enough <= people.people_for.enough_by_bound
    with pytest.raises(ob.SpecError, match="found no outputs"):
        ob.estimate(spec)
    with pytest.raises(ob.SpecError, match="expected it alone"):
        ob.estimate(spec, 100, people_for="1/20")
    path = "specs/releases/survey.release.json"
    assert ob.release(path, plan=True, people=5000, error="1/100").to_dict() == said(
        program, "release", path, "--plan", "--people", "5000", "--error", "1/100", "--format", "json")
    with pytest.raises(ob.SpecError, match="for a plan"):
        ob.release(path, people=5000)
