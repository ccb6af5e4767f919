"""Messages name arguments of the package, not options of the command line; wrong arguments are named."""
import inspect
import json
import pathlib
import pickle
import re

import pandas
import pytest

import oddsbound as ob
from conftest import ROOT
from oddsbound import _errors
from oddsbound._errors import in_python

WARNER, TITANIC = (f"specs/gallery/{name}.json" for name in ("warner", "titanic"))

# Messages that no function of the package gives: options without an argument, and sentences about commands.
_OF_COMMANDS = [
    "'oddsbound audit --plan'", "oddsbound release --spec --records", "oddsbound release --spec --tables", "oddsbound release --spec:", "oddsbound search --property", "`oddsbound lock accept --reason`",
    "oddsbound lock accept --reason", "-v, or --attribute NAME", "--tally counts outputs", "(--no-analysis)",
    "all of them: --samples",
]


def literals(path):
    """The string literals of a source, those in a row as one, without comments."""
    code = re.sub(r"^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    code = re.sub(r'"\s*\n\s*"', "", code)
    return re.findall(r'"((?:[^"\\\n]|\\.)*)"', code)


def sources():
    for folder in "base verifier mechanisms specs audits reports app api design releases".split():
        for path in sorted((ROOT / folder).rglob("*.[ch]*")):
            if path.suffix in (".cpp", ".h") and path.name != "command.cpp":
                yield path


def test_messages_of_the_library_name_arguments():
    found = set()
    for path in sources():
        for text in literals(path):
            if not re.search(r"(?<![\w-])--[a-z]|'oddsbound [a-z]", text):
                continue
            found.add(text)
            said = in_python(text)
            for words in _OF_COMMANDS:
                said = said.replace(words, "")
            assert not re.search(r"(?<![\w-])--[a-z]|'oddsbound [a-z]", said), f"{path.relative_to(ROOT)}: {text!r}"
    assert len(found) > 50
    gone = [words for words in _OF_COMMANDS if not any(words in text for text in found)]
    assert not gone, "no message has these words any more"


def test_the_arguments_that_messages_name_exist():
    names = set()
    for name in ob.__all__:
        thing = getattr(ob, name)
        names.add(name)
        try:
            names |= set(inspect.signature(thing).parameters)
        except (TypeError, ValueError):
            continue
        if inspect.isclass(thing):
            names |= {f".{method}" for method in vars(thing)}
    for option in _errors._LIMITS + _errors._LISTS + _errors._OTHERS:
        assert option.replace("-", "_") in names, option
    for words in _errors._SENTENCES.values():
        for name in re.findall(r"([a-z_]+)=", words):
            assert name in names, words
        for name in re.findall(r"(?<![.\w])([A-Za-z_]+)\(", words):
            assert name in names or f".{name}" in names, words


@pytest.mark.parametrize("said, shown", [
    ("(--max-cells 134217728)", "(limits=Limits(max_cells=134217728))"),
    ("too many (--max-cells)", "too many (limits=Limits(max_cells=...))"),
    ("leave it out: --exclude 'a b'", "leave it out: exclude=['a b']"),
    ("(--exclude), or raise --max-values", "(exclude), or raise max_values"),
    ("--epsilon '0'", "epsilon='0'"),
    ("say which (--from and --to, or a list of values as --grid)", "say which (from_ and to, or a list of values as grid)"),
    ("this is a design request; use 'oddsbound design'", "this is a design request; use design(path)"),
    ("a column '--count' and a file x--max-cells", "a column '--count' and a file x--max-cells"),
    ("--max-cells-of-mine", "--max-cells-of-mine"),
])
def test_options_become_arguments(said, shown):
    assert in_python(said) == shown and in_python(shown) == shown


def test_errors_name_arguments_and_keep_names_of_files(tmp_path):
    folder = tmp_path / "--max-cells 3"
    folder.mkdir()
    path = folder / "mine.json"
    document = json.loads(pathlib.Path(WARNER).read_text())
    document["domain"] = [{"name": "answer", "size": 1000}, {"name": "other", "size": 1000}]
    document["prior"] = {"type": "uniform"}
    path.write_text(json.dumps({**document, "claims": [{"notion": "ldp", "epsilon": "1"}]}))
    limits = ob.Limits(max_file_mb=0)
    with pytest.raises((ob.SpecError, ob.LimitError)) as raised:
        ob.read(path, limits=limits)
    error = raised.value
    assert "limits=Limits(max_file_mb=0)" in str(error) and error.file == str(path) and str(path) in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.message, again.file) == (str(error), error.message, error.file)
    report = ob.verify([path], limits=limits)
    assert "limits=Limits(max_file_mb=0)" in report.errors[0].message and report.errors[0].file == str(path)
    assert "--max-file-mb" in report.to_dict()["errors"][0]["message"]  # the JSON is that of the command line


def test_reasons_name_arguments():
    few = ob.Limits(max_cells=3)
    result = ob.verify("specs/gallery/house-votes.json", limits=ob.Limits(max_seconds=0.2, max_cells=3))
    open_claims = [claim for claim in result.claims if claim.verdict == "undecided"]
    assert open_claims and all("--" not in claim.reason + claim.words for claim in open_claims)
    assert any("Limits(max_" in claim.reason for claim in open_claims)
    result = ob.analyze(TITANIC, figures=True, limits=few)
    assert "--" not in "".join(map(str, result.undecided.values())) if "undecided" in result.to_dict()["analysis"] else True
    z3 = ob.verify(TITANIC, engine="smt", limits=ob.Limits(smt_max_cells=1))
    assert {claim.reason for claim in z3.claims} == {
        "the model has more cells than are put to the solver (limits=Limits(smt_max_cells=...))"}


@pytest.mark.parametrize("call, words", [
    (lambda: ob.new_spec(people(), "0"), "^epsilon='0': at level 0 nothing is released"),
    (lambda: ob.new_spec(people(), "1", max_values=2), "exclude.* or raise max_values"),
    (lambda: ob.new_spec(people().assign(name=list("abcdefghijkl")), "1", max_values=5), r"leave it out: exclude=\['name'\]"),
    (lambda: ob.search("bcdp composes", level="1"), "level must be the logarithm"),
    (lambda: ob.tune(TITANIC, "/mechanism/mechanisms/sex/epsilon"), r"\(from_ and to, or a list of values as grid\)"),
    (lambda: ob.read("specs/designs/grid.design.json"), r"use design\(path\)"),
])
def test_errors_of_functions_name_their_arguments(call, words):
    with pytest.raises(ob.SpecError, match=words) as raised:
        call()
    assert "--" not in str(raised.value)


def people():
    return pandas.DataFrame({"party": ["r", "d", "d", "r"] * 3, "age": ["young", "young", "old", "middle"] * 3})


def test_notes_name_arguments():
    notes = ob.new_spec(people().assign(age="NA"), "1", hide=["party"]).notes
    assert any(note.endswith("name them with missing_cells") for note in notes), notes


def test_wrong_settings_are_named():
    for name in ("max_seconds", "smt_seconds"):
        for wrong in (-1, 0):
            with pytest.raises(ValueError, match=rf"found {wrong}, expected {name}: a number above 0"):
                ob.Limits(**{name: wrong})
    frame = pandas.DataFrame({"a": ["x", "y"]})
    for wrong in ("ignore", {"as": 3}, {"az": "x"}, {}):
        with pytest.raises(ValueError, match=r"expected missing: 'drop', 'value' or \{'as': a value\}"):
            ob.prior(frame, missing=wrong)
    with pytest.raises(TypeError, match="found a DataFrame, expected missing"):
        ob.prior(frame, missing=frame)
    for right in (None, "drop", "value", {"as": "x"}):
        assert ob.prior(frame, missing=right).json.get("missing") == right


def test_errors_in_a_list_of_specs_name_the_item():
    good = {"oddsbound": 1, "name": "good", "domain": [{"name": "a", "size": 2}],
            "mechanism": {"type": "k_randomized_response", "epsilon": 1}}
    bad = {**good, "mechanism": {"type": "k_randomised_response", "epsilon": 1}}
    for measured in (ob.analyze, ob.verify, ob.compare):
        with pytest.raises(ob.SpecError, match=r"^item 1 of the list: spec\.json:") as raised:
            measured([good, bad])
        assert raised.value.pointer == "/mechanism/type" and "unknown" in raised.value.message
        with pytest.raises(TypeError, match="^item 2 of the list: found an int, expected a spec"):
            measured([good, good, 3])


def test_the_hint_about_floats_is_in_the_text():
    with pytest.raises(ob.SpecError) as raised:
        ob.Spec(domain={"a": 2}, mechanism=ob.matrix([[0.25, 0.75], ["1/2", "1/2"]]))
    assert str(raised.value).endswith(f"({raised.value.hint})") and "Fraction(1, 4)" in raised.value.hint


def test_results_are_shown_in_one_line_with_their_main_numbers(tmp_path):
    assert repr(ob.analyze(WARNER)) == "<SpecResult warner: LDP <= 1.1, CDP <= 1.1 (answer)>"
    shown = repr(ob.verify(TITANIC))
    assert shown == ("<SpecResult titanic: 6 claims as expected, LDP <= 3.3, largest CDP <= 1.1 (class), "
                     "largest BCDP <= 1.95 (age)>")
    spec = {"oddsbound": 1, "name": "two", "domain": [{"name": "a", "size": 2}],
            "mechanism": {"type": "k_randomized_response", "epsilon": "log(3)"},
            "claims": [{"notion": "ldp", "epsilon": 2}, {"notion": "ldp", "epsilon": 1}]}
    assert repr(ob.verify(spec)).startswith("<SpecResult two: 1 of 2 claims as expected, 1 not, LDP <= 1.1, ")
    assert repr(ob.verify([TITANIC, spec, spec])) == "<Report: 3 specs, 8 of 10 claims as expected, 2 not>"
    assert repr(ob.analyze([TITANIC, tmp_path / "none.json"])) == "<Report: 1 spec, 1 error>"
    assert repr(ob.compare([TITANIC, WARNER])) == "<Comparison: titanic, warner; 41 quantities>"
    assert repr(ob.compose(WARNER, times=2, delta="1/16")).startswith(
        f"<Composition: 2 runs of {WARNER}; epsilon at delta 1/16: ")
    assert repr(ob.search("bcdp composes")) == "<SearchFound: bcdp composes: a counterexample>"
    tuned = ob.tune({**spec, "parameters": {"p": 1}, "mechanism": {"type": "k_randomized_response", "epsilon": "p"}},
                    "p", from_=0, to=4, claim=0, grid=4)
    assert repr(tuned).startswith("<Tuned: ") and "the claims hold at p = 2 " in repr(tuned)
    assert repr(ob.repair(WARNER)) == "<Repair warner: its claims hold: nothing was changed>"
    assert repr(ob.design("specs/designs/grid.design.json")).startswith("<Design a place on a grid: expected loss: 10/9")
    assert repr(ob.release("specs/releases/survey.release.json")) == "<Released: survey; privacy loss of a person: 0.625>"
    assert repr(ob.plan_runs(WARNER, 0.1)) == "<RunPlan warner: 55686 runs>"


def test_estimates_and_locks_are_shown_shortly(tmp_path):
    found = ob.estimate(WARNER, ["yes"] * 60 + ["no"] * 40)
    assert repr(found) == "<Estimates warner: 2 values from 100 outputs>"
    assert repr(found.estimates[1]).startswith("<Estimates yes: 0.7 +- 0.0")
    assert str(found).split("\n")[0].split() == ["target", "value", "standard_error", "lower", "upper"]
    assert repr(ob.estimate(WARNER, 1000)).startswith("<Estimates warner: mean squared error from 1000 outputs: ")
    path = tmp_path / "s.json"
    path.write_text(pathlib.Path(WARNER).read_text(encoding="utf-8"), encoding="utf-8")
    lock = ob.lock([path], tmp_path / "oddsbound.lock.json")
    assert repr(lock) == "<Lock oddsbound.lock.json: 1 spec>"
    assert re.fullmatch(r"<LockCheck: \d+ as locked>", repr(lock.check()))


def test_errors_name_what_to_pass(tmp_path):
    with pytest.raises(ob.SpecError, match="this is a directory, expected a spec file") as raised:
        ob.verify(str(tmp_path))
    assert raised.value.hint == f"for all of its specs: sorted(pathlib.Path({str(tmp_path)!r}).rglob('*.json'))"
    people = pandas.DataFrame({"a": ["x", "y", None], "b": ["u", "v", "v"]})
    with pytest.raises(ob.SpecError) as raised:
        ob.new_spec(people, 0.5, missing="value")
    assert str(raised.value).endswith("(write Fraction(1, 2) or '1/2')")
    made = ob.new_spec(people, 1, missing="value")
    assert repr(made) == "<NewSpec table: 2 attributes, 3 claims, 1 note>"
    with pytest.raises(TypeError, match="its attribute 'spec' is one"):
        ob.verify(made)
    with pytest.raises(ob.SpecError, match=r"frame\.fillna\('missing'\)"):
        ob.sample(made.spec, people, seed=1)
    with pytest.raises(ob.SpecError, match="each input has 1 value, expected one for each of the 4"):
        ob.sample(TITANIC, ["1st"], seed=1)
    path = tmp_path / "r.json"
    path.write_text(json.dumps({"oddsbound": 1, "name": "r", "domain": [{"name": "a", "size": 1}],
                                "mechanism": {"type": "matrix", "outputs": 2, "rows": [["1/2", "1/4"]]}}))
    with pytest.raises(ob.SpecError, match=r"expected a sum that differs from 1 by at most 1/1000 \(rounded_rows=True\)"):
        ob.repair(path, rounded_rows=True)
