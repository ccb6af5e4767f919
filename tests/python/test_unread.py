"""Attributes that a mechanism never reads may be omitted from inputs; draws are the same."""
import itertools
import json
import pathlib
import subprocess
import sys

import pandas
import pytest

import oddsbound as ob

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checker"))
from random_specs import Generator  # noqa: E402
from reference import Spec as Reference  # noqa: E402

TITANIC = "specs/gallery/titanic.json"  # survived is not released


def people_of(domain):
    return [dict(zip(domain, values)) for values in itertools.product(*domain.values())]


def left_out(people, names):
    return [{name: value for name, value in one.items() if name not in names} for one in people]


def labels(spec, inputs, **options):
    return ob.sample(spec, inputs, seed=7, frame=False, **options).tolist()


def random_specs(folder, count, seed):
    """Random mechanisms, and the same ones within others that give them a part of the domain."""
    generator = Generator(seed, str(folder), symbols=False)
    for index in range(count):
        path = generator.write(index)
        yield path
        spec = ob.Spec(path).to_dict()
        spec.update(name=f"{spec['name']}-more", domain=[{"name": "more", "values": ["0", "1", "2"]}, *spec["domain"]])
        spec["mechanism"] = {"type": "on", "mechanism": spec["mechanism"],
                             "coordinates": [one["name"] for one in spec["domain"][1:]]}
        if spec.get("prior", {"type": ""})["type"] != "csv":  # its table may give values
            spec.pop("prior", None)
            spec["claims"] = []
            wider = pathlib.Path(folder) / f"more-{index:04}.json"
            wider.write_text(json.dumps(spec), encoding="utf-8")
            yield str(wider)


def test_random_mechanisms_draw_alike_without_what_they_do_not_read(tmp_path):
    seen = 0
    for path in random_specs(tmp_path, 12, 1):
        spec, reference = ob.Spec(path), Reference(path)
        names, people = list(spec.domain), people_of(spec.domain)
        unread = [names[place] for place in spec._native.unread]
        assert "more" in unread or "more" not in names
        if not unread:
            continue
        seen += 1
        drawn = labels(spec, pandas.DataFrame(people), count=20)
        less = left_out(people, unread)
        assert drawn == labels(spec, less, count=20)
        row_of = {}
        for one, row in zip(less, reference.rows):  # inputs that differ only in unread attributes
            assert row_of.setdefault(tuple(one.items()), row) == row
        if len(unread) < len(names):
            assert drawn == labels(spec, pandas.DataFrame(less), count=20)
            assert drawn == labels(spec, [tuple(one.values()) for one in less], count=20)
            read = next(name for name in names if name not in unread)
            with pytest.raises(ob.SpecError, match=f"'{read}'"):
                ob.sample(spec, left_out(people, [read]))
    assert seen >= 6


def test_forms_of_inputs_without_an_unread_attribute(program, tmp_path):
    people = people_of(ob.Spec(TITANIC).domain)
    less = left_out(people, ["survived"])
    drawn = labels(TITANIC, [tuple(one.values()) for one in people])
    assert drawn == labels(TITANIC, people) == labels(TITANIC, less)
    assert drawn == labels(TITANIC, [tuple(one.values()) for one in less])
    assert drawn == labels(TITANIC, pandas.DataFrame(less).to_numpy())
    assert drawn == labels(TITANIC, people[:1] + less[1:])
    table = tmp_path / "people.csv"
    pandas.DataFrame(less).to_csv(table, index=False)
    command = [program, "sample", TITANIC, "--seed", "7", "--inputs"]
    theirs = subprocess.run([*command, str(table)], capture_output=True, text=True, check=True).stdout
    pandas.DataFrame(people).to_csv(table, index=False)
    assert theirs == subprocess.run([*command, str(table)], capture_output=True, text=True, check=True).stdout
    assert theirs == subprocess.run([*command, "-"], input=pandas.DataFrame(less).to_csv(index=False),
                                    capture_output=True, text=True, check=True).stdout
    frame = ob.sample(TITANIC, pandas.DataFrame(less), seed=7)
    assert list(frame.columns) == ["class", "sex", "age"]
    pair = ob.Spec(domain={"asked": ["no", "yes"], "hidden": ["a", "b"]},
                   mechanism=ob.per_attribute({"asked": ob.k_randomized_response(2, "1"), "hidden": None}))
    asked = pandas.Series(["no", "yes", "yes"])
    assert labels(pair, asked) == labels(pair, asked.tolist()) == labels(pair, [(one, "b") for one in asked])


@pytest.mark.parametrize("inputs, words", [
    ([("crew", "male")], "each input has 2 values, expected one for each of the 4 coordinates (class, sex, age, survived), "
                         "or all but survived, which the mechanism does not read"),
    ([{"class": "crew", "sex": "male"}], "input 0 has no 'age' (it has: class, sex)"),
    (pandas.DataFrame({"class": ["crew"], "age": ["adult"]}), "the frame has no column 'sex' (columns: class, age)"),
    ([{"class": "crew", "sex": "male", "age": "adult", "survived": "maybe"}],
     "column 'survived' has 'maybe', which is no value of it (values: no, yes)"),
    (pandas.DataFrame({"class": ["crew"], "sex": ["male"], "age": ["adult"], "survived": [None]}),
     "column 'survived', row 0: the cell is missing, expected a value of this coordinate"),
    ({"class": "crew", "sex": "male", "age": "adult"}, "found one dict, expected a list of dicts, one for each input"),
])
def test_what_is_read_is_missed_by_name_and_what_is_given_is_checked(inputs, words):
    with pytest.raises(ob.SpecError) as raised:
        ob.sample(TITANIC, inputs)
    assert str(raised.value) == words
