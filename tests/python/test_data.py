"""Frames and arrays in, frames and arrays out; floats only on request."""
import csv
import glob
import itertools
import json
import pickle
import subprocess
from fractions import Fraction

import numpy
import pandas
import pytest

import oddsbound as ob
from oddsbound._plain import json_text


@pytest.fixture
def titanic():
    table = ob.read_table("specs/gallery/data/titanic.csv").astype({"count": int})
    people = table.loc[table.index.repeat(table["count"])].drop(columns="count")
    return people.sample(frac=1, random_state=1).reset_index(drop=True)


def release(epsilon="log(3)"):
    return ob.per_attribute({"class": ob.k_randomized_response(4, epsilon), "sex": ob.k_randomized_response(2, epsilon),
                             "age": ob.k_randomized_response(2, epsilon)})


def levels(spec):
    return {name: level.level for name, level in ob.analyze(spec).bcdp.items()}


@pytest.mark.parametrize("kind", ["texts", "categories", "counted", "series", "array"])
def test_a_frame_is_the_prior_that_the_gallery_reads_from_its_table(titanic, kind):
    domain = None
    if kind == "texts":
        prior = ob.prior(titanic)
    elif kind == "categories":
        prior = ob.prior(titanic.astype({"sex": pandas.CategoricalDtype(["male", "female"])}).astype("category"))
    elif kind == "counted":
        prior = ob.prior(titanic.value_counts().rename("n").reset_index(), count="n")
    elif kind == "series":
        prior = ob.prior(titanic.value_counts())
    else:
        domain = {name: sorted(set(titanic[name])) for name in titanic.columns}
        table = titanic.value_counts().reindex(pandas.MultiIndex.from_product(domain.values()), fill_value=0)
        prior = ob.prior(table.to_numpy().reshape([len(values) for values in domain.values()]))
    spec = ob.Spec(domain=domain, prior=prior, mechanism=release())
    assert levels(spec) == levels("specs/gallery/titanic.json")


def test_missing_cells_are_what_somebody_says():
    people = pandas.DataFrame({"a": ["x", None, "y", "x"], "n": [1.0, 2.0, numpy.nan, 1.0]})
    mechanism = ob.per_attribute({"a": ob.k_randomized_response(epsilon="1"), "n": None})
    with pytest.raises(ob.SpecError, match="missing"):
        ob.Spec(prior=ob.prior(people), mechanism=mechanism)
    dropped = ob.Spec(prior=ob.prior(people, missing="drop"), mechanism=mechanism)
    assert dropped.domain == {"a": ["x", "y"], "n": ["1", "2"]}
    assert ob.analyze(dropped).tables[0].counted == "4"
    kept = ob.Spec(prior=ob.prior(people, missing="value"), mechanism=mechanism)
    assert kept.domain["n"] == ["1", "2", "missing"]
    with pytest.raises(ob.SpecError, match="no column 'b'"):
        ob.prior(people, columns=["b"])


def test_categories_are_the_domain_also_where_nobody_has_them(titanic):
    people = titanic.astype({"class": pandas.CategoricalDtype(["1st", "2nd", "3rd", "crew", "captain"])})
    spec = ob.Spec(prior=ob.prior(people), mechanism=ob.per_attribute({"class": ob.k_randomized_response(5, "1")}))
    assert spec.domain["class"][-1] == "captain"
    with pytest.raises(ob.SpecError) as raised:
        ob.Spec(prior=ob.prior(people), mechanism=ob.per_attribute({"class": ob.k_randomized_response(4, "1")}))
    assert raised.value.pointer == "/mechanism/mechanisms/class"


def test_names_that_need_quotes_stay_names(tmp_path):
    people = pandas.DataFrame({'a "b", c': ["x,y", 'q"', "x,y"], "count": ["é", "ü", "é"]})
    prior = ob.prior(people)
    spec = ob.Spec(prior=prior, mechanism=ob.per_attribute({"count": ob.k_randomized_response(2, "1")}))
    assert spec.domain == {'a "b", c': ['q"', "x,y"], "count": ["é", "ü"]}
    spec.save(tmp_path / "mine.json")
    assert levels(tmp_path / "mine.json") == levels(spec)
    with open(tmp_path / "table.csv", newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == [['a "b", c', "count", "count_"], ["x,y", "é", "2"], ['q"', "ü", "1"]]


def test_floats_are_refused_with_what_to_write_instead():
    parts = {"domain": {"a": 2}, "mechanism": {"type": "matrix", "outputs": 2, "rows": [[0.25, 0.75], ["1/2", "1/2"]]}}
    with pytest.raises(ob.SpecError) as raised:
        ob.Spec(**parts)
    assert raised.value.pointer == "/mechanism/rows/0/0" and "Fraction(1, 4)" in raised.value.hint
    assert "rounded=True" in raised.value.hint
    assert ob.analyze(ob.Spec(**parts, rounded=True)).ldp.exp == 2
    third = ob.matrix([[1 / 3, 2 / 3], [2 / 3, 1 / 3]], rounded=True)
    assert sum(third["rows"][0]) == 1 and all(isinstance(one, Fraction) for one in third["rows"][0])
    with pytest.raises(ob.SpecError, match="float"):
        ob.Spec(domain={"a": 2}, prior=ob.prior(numpy.array([0.5, 0.5])), mechanism=third)
    assert ob.Spec(domain={"a": 2}, prior=ob.prior(numpy.array([0.1, 0.2]), rounded=True), mechanism=third).has_prior
    for wrong in (float("nan"), float("inf")):
        with pytest.raises(ob.SpecError, match="finite"):
            ob.Spec(domain={"a": 2}, mechanism={"type": "matrix", "outputs": 1, "rows": [[wrong], [1]]}, rounded=True)


def test_a_table_is_confidential_unless_it_is_published():
    people = pandas.DataFrame({"a": ["x", "y", "y"], "b": ["u", "u", "v"]})
    released = ob.per_attribute({"a": ob.k_randomized_response(2, "1"), "b": None})
    for data in (people, people.value_counts()):
        for published in (False, True):
            prior = ob.prior(data, published=published)
            assert prior.json.get("published", False) is published
            assert ob.analyze(ob.Spec(prior=prior, mechanism=released)).confidential is not published
    assert ob.prior([3, 1], published=True).json == {"type": "counts", "counts": [3, 1], "published": True}
    with pytest.raises(ob.SpecError, match="published"):
        ob.prior([Fraction(1, 2), Fraction(1, 2)], published=True)


def test_numpy_values_and_exact_ones_are_taken_as_they_are():
    rows = [[Fraction(1, 4), ob.exact("3/4")], [ob.Number("exp(1)") / (1 + ob.Number("exp(1)")), "1/(1 + exp(1))"]]
    spec = ob.Spec(domain={"a": int(numpy.int64(2))}, prior={"type": "counts", "counts": numpy.array([1, 2])},
                   mechanism={"type": "matrix", "outputs": numpy.int64(2), "rows": rows},
                   claims=[{"notion": "ldp", "epsilon": ob.Level("log(3)") + 1}])
    assert ob.verify(spec).ok


@pytest.mark.parametrize("form", ["frame", "categories", "tuples", "array"])
def test_inputs_in_every_form_draw_the_same(titanic, form):
    inputs = titanic.head(2000)
    if form == "categories":
        inputs = inputs.astype("category")
    elif form == "tuples":
        inputs = list(inputs.itertuples(index=False, name=None))
    elif form == "array":
        inputs = inputs.to_numpy()
    drawn = ob.sample("specs/gallery/titanic.json", inputs, seed=7, frame=False)
    assert drawn.tolist() == ob.sample("specs/gallery/titanic.json", titanic.head(2000), seed=7, frame=False).tolist()
    assert drawn[0].count(",") == 2 and len(set(drawn)) > 8


def test_draws_are_those_of_the_command_line(program, tmp_path):
    import subprocess
    spec = "specs/gallery/titanic.json"
    typed = subprocess.run([program, "sample", spec, "--input", "1st,male,adult,no", "--count", "50", "--seed", "3"],
                           capture_output=True, text=True, check=True).stdout
    told = [row[0] for row in csv.reader(typed.splitlines())][1:]
    assert ob.sample(spec, [("1st", "male", "adult", "no")], count=50, seed=3).tolist() == told


def test_a_frame_comes_back_as_one_and_estimates_are_near(titanic):
    spec = ob.Spec(prior=ob.prior(titanic), mechanism=release())
    drawn = ob.sample(spec, titanic, seed=1)
    assert list(drawn.columns) == ["class", "sex", "age"] and drawn.index.equals(titanic.index)
    assert str(drawn["class"].dtype) == "category"
    found = ob.estimate(spec, drawn, marginals=[["sex"]])
    by_label = ob.estimate(spec, ob.sample(spec, titanic, seed=1, frame=False), marginals=[["sex"]])
    assert found.to_dict()["marginals"] == by_label.to_dict()["marginals"]
    shares = found.to_frame().set_index("target")
    assert abs(shares.loc["male", "value"] - (titanic["sex"] == "male").mean()) < 5 * shares.loc["male", "standard_error"]
    assert isinstance(found.marginals[0].estimates[0].value, Fraction)
    assert ob.estimate(spec, 1000, marginals=[["sex"]]).marginals[0].mean_squared_error.value > 0


def test_a_release_of_one_attribute_of_several_is_a_tuple_of_one():
    spec = ob.Spec(domain={"a": ["n", "y"], "b": 2}, mechanism=ob.per_attribute({"a": ob.k_randomized_response(2, "1")}))
    drawn = ob.sample(spec, [("n", "0")] * 100, seed=1)
    assert set(drawn) == {"(n)", "(y)"}
    frame = ob.sample(spec, pandas.DataFrame({"a": ["n"] * 100, "b": "0"}), seed=1)
    assert list(frame.columns) == ["a"] and ("(" + frame["a"].astype(str) + ")").tolist() == drawn.tolist()
    assert ob.estimate(spec, frame, marginals=[["a"]]) == ob.estimate(spec, drawn, marginals=[["a"]])

    def bare(person, rng):
        return person[0] if rng.random() < 0.5 else "n"

    assert ob.audit(spec, bare, samples=2000, seed=1).runs == ob.audit(spec, lambda x, rng: (bare(x, rng),), samples=2000, seed=1).runs


def test_draws_from_the_prior_and_without_any_seed():
    drawn = ob.sample("specs/gallery/titanic.json", from_prior=3000)
    assert len(drawn) == 3000 and len(set(drawn)) == 16
    with pytest.raises(ob.SpecError, match="from_prior"):
        ob.sample("specs/gallery/titanic.json")


def test_mechanisms_without_a_list_of_outputs():
    spec = ob.Spec(domain={"a": ["-1", "1"], "b": ["-1", "1"]},
                   mechanism=ob.family("duchi_l2_ball", epsilon="1", radius="2"))
    drawn = ob.sample(spec, [("1", "-1")], count=20000, seed=1)
    assert drawn.shape == (20000, 2) and drawn.dtype == float
    means = ob.estimate(spec, drawn).to_frame().set_index("target")["value"]
    assert abs(means["a"] - 1) < 0.1 and abs(means["b"] + 1) < 0.1
    assert list(ob.sample(spec, [("1", "-1")], seed=1, frame=True).columns) == ["a", "b"]


@pytest.mark.parametrize("wrong, words", [
    (pandas.DataFrame({"class": ["1st"]}), "no column 'sex'"),
    (pandas.DataFrame({"class": ["4th"], "sex": ["male"], "age": ["adult"], "survived": ["no"]}), "'4th'"),
    (pandas.DataFrame({"class": [None], "sex": ["male"], "age": ["adult"], "survived": ["no"]}), "missing"),
    ([("1st", "male")], "2 values"),
])
def test_inputs_that_are_none_are_errors(wrong, words):
    with pytest.raises(ob.SpecError, match=words):
        ob.sample("specs/gallery/titanic.json", wrong)


def test_specs_and_results_are_pickled(titanic):
    spec = ob.Spec(prior=ob.prior(titanic), mechanism=release(), name="mine")
    again = pickle.loads(pickle.dumps(spec))
    assert again.name == "mine" and levels(again) == levels(spec)
    result = ob.analyze(spec)
    assert pickle.loads(pickle.dumps(result)).to_dict() == result.to_dict()
    assert pickle.loads(pickle.dumps(result.bcdp["sex"])) == result.bcdp["sex"]


def test_an_error_says_where():
    with pytest.raises(ob.SpecError) as raised:
        ob.read("tests/cli/broken/no-such.json")
    assert raised.value.file.endswith("no-such.json")
    with pytest.raises(ob.SpecError) as raised:
        ob.Spec.from_text('{\n  "oddsbound": 1,\n  "name": 3}', name="mine.json")
    error = pickle.loads(pickle.dumps(raised.value))
    assert (error.file, error.line, error.column, error.pointer) == ("mine.json", 3, 11, "/name")


def test_one_coordinate_is_predicted_by_the_others(program):
    path = "specs/gallery/two-copies.json"
    drawn = ob.sample(path, from_prior=20_000, seed=1)
    found = ob.least_squares(path, drawn, "l", radius=2)
    table = pandas.DataFrame({"output": drawn}).to_csv(index=False)
    done = subprocess.run([program, "estimate", path, "-", "--least-squares", "l", "--radius", "2", "--format", "json"],
                          input=table, capture_output=True, text=True)
    theirs = json.loads(done.stdout)
    assert [(one.feature, one.value) for one in found.coefficients] == [
        (one["feature"], one["value"]) for one in theirs["coefficients"]]
    assert found.outputs == 20_000 and found.length == theirs["length"]
    with pytest.raises(ob.SpecError, match="2 copies"):
        ob.least_squares("specs/gallery/warner.json", ["yes"], "answer")


@pytest.mark.parametrize("arguments, options", [
    ({"radius": 0.25, "center": {"z1": 0.5}}, ["--radius", "1/4", "--center", "z1=1/2"]),
    ({"box": (0, 0.25)}, ["--box", "0,1/4"]),
    ({"box": {"z1": (0, 0.25), "z2": [-1, 1]}}, ["--box", "z1=0,1/4", "--box", "z2=-1,1"]),
    ({"simplex": True, "theory": True}, ["--simplex", "--theory"]),
])
def test_coefficients_are_in_a_ball_a_box_or_a_simplex(program, arguments, options):
    path, outputs = "specs/gallery/two-copies.json", "tests/cli/data/two-copies.csv"
    done = subprocess.run([program, "estimate", path, outputs, "--least-squares", "l", *options, "--format", "json"],
                          capture_output=True, text=True, check=True)
    theirs = json.loads(done.stdout)
    found = ob.least_squares(path, outputs, "l", **arguments).to_dict()
    assert found["coefficients"] == theirs["coefficients"] and found["region"] == theirs["region"]
    assert found.get("theory") == theirs.get("theory")


def test_contradictions_about_coefficients_are_refused():
    path, outputs = "specs/gallery/two-copies.json", "tests/cli/data/two-copies.csv"
    for arguments in ({"radius": 1, "simplex": True}, {"box": (0, 1), "simplex": True}, {"box": {"z1": (0, 1)}, "radius": 1}):
        with pytest.raises(ob.SpecError, match="found several of radius, box and simplex"):
            ob.least_squares(path, outputs, "l", **arguments)
    for arguments, why in (({"box": (0, 1), "center": {"z1": 1}}, "leave one out"), ({"box": {}}, "found no range"),
                           ({"box": (0, 1, 2)}, "found 3 numbers"), ({"box": (1, 0)}, "not below it"), ({"box": {"z1": (0, 1)}}, "no range for"),
                           ({"center": {"l": 1}}, "has no coefficient")):
        with pytest.raises(ob.SpecError, match=why):
            ob.least_squares(path, outputs, "l", **arguments)


def test_bounds_of_the_papers(program):
    path = "specs/gallery/bcdp-mean.json"
    done = subprocess.run([program, "estimate", path, "--samples", "10000", "--theory", "--format", "json"], capture_output=True, text=True, check=True)
    found = ob.estimate(path, 10_000, theory=True)
    assert found.to_dict() == json.loads(done.stdout)
    printed, proven = found.theory
    assert (printed.has_constant, proven.has_constant) == (False, True)
    assert found.mean_squared_error.value <= proven.value
    with pytest.raises(ob.SpecError, match="no bound of the papers"):
        ob.estimate("specs/gallery/warner.json", 100, theory=True)
    with pytest.raises(ob.SpecError, match="expected it alone"):
        ob.estimate("specs/gallery/block-hadamard-response.json", people_for="1/20", theory=True)


def test_vectors_in_two_copies_have_a_column_for_each():
    document = ob.read("specs/gallery/bcdp-mean-l2.json").to_dict()
    document["mechanism"]["copies"] = 2
    spec = ob.Spec({**document, "claims": []})
    names, people = list(spec.domain), list(itertools.product(*spec.domain.values()))
    drawn = ob.sample(spec, people * 500, seed=1)
    assert drawn.shape == (500 * len(people), 2 * len(names))
    of_array = ob.least_squares(spec, drawn, names[0])
    of_frame = ob.least_squares(spec, ob.sample(spec, people * 500, seed=1, frame=True), names[0])
    assert of_array.to_dict() == of_frame.to_dict()
    with pytest.raises(ob.SpecError, match=f"{2 * len(names) - 1} numbers"):
        ob.least_squares(spec, drawn[:, 1:], names[0])


def test_specs_are_written_as_json_would():
    for path in glob.glob("specs/*/*.json"):
        with open(path) as file:
            document = json.load(file, parse_float=str)
        assert json_text(document) == json.dumps(document, indent=1, ensure_ascii=False)
    odd = {"a": [], "b": {}, "c": None, "d": [True, -1, {"é\n\"": "\u2028"}]}
    assert json_text(odd) == json.dumps(odd, indent=1, ensure_ascii=False)


def test_a_category_that_nobody_has_may_be_none_of_the_spec():
    column = pandas.Categorical(["no", "yes", "no"], ["no", "maybe", "yes"])
    assert len(ob.sample("specs/gallery/warner.json", pandas.DataFrame({"answer": column}), seed=1)) == 3
    with pytest.raises(ob.SpecError, match="'maybe'"):
        ob.sample("specs/gallery/warner.json", pandas.DataFrame({"answer": ["no", "maybe"]}))
