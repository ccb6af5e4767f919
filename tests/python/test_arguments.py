"""A wrong argument of any public function is an error that says what was found and what is expected."""
import inspect
import shutil

import numpy
import pandas
import pytest

import oddsbound as ob
from conftest import ROOT
from oddsbound import pytest_plugin

WARNER, TITANIC, MEAN = (f"specs/gallery/{name}.json" for name in ("warner", "titanic", "two-copies"))
PEOPLE = pandas.DataFrame({"party": ["r", "d"] * 10, "age": ["young", "young", "old", "old"] * 5})


def answer(value, rng):
    return value


# A valid call of each function, with every parameter that has no wrong value of its own below.
CALLS = {
    "analyze": (ob.analyze, {"spec": WARNER}),
    "verify": (ob.verify, {"spec": [WARNER]}),
    "read": (ob.read, {"path": WARNER}),
    "Spec": (ob.Spec, {"domain": {"a": ["n", "y"]}, "mechanism": ob.k_randomized_response(2, "1")}),
    "Spec.from_text": (ob.Spec.from_text, {"text": (ROOT / WARNER).read_text()}),
    "prior": (ob.prior, {"data": PEOPLE}),
    "family": (ob.family, {"name": "rappor"}),
    "k_randomized_response": (ob.k_randomized_response, {"values": 2, "epsilon": "1"}),
    "per_attribute": (ob.per_attribute, {"mechanisms": {"a": ob.k_randomized_response(2, "1")}}),
    "matrix": (ob.matrix, {"rows": [["1/2", "1/2"], ["1/3", "2/3"]]}),
    "mechanisms": (ob.mechanisms, {}),
    "new_spec": (ob.new_spec, {"table": PEOPLE, "epsilon": "1"}),
    "sample": (ob.sample, {"spec": WARNER, "inputs": ["yes"]}),
    "estimate": (ob.estimate, {"spec": WARNER, "outputs": ["yes", "no"]}),
    "least_squares": (ob.least_squares, {"spec": MEAN, "outputs": numpy.zeros((3, 6)), "label": "l"}),
    "write_outputs": (ob.write_outputs, {"spec": WARNER, "outputs": ["yes"], "path": "/dev/null"}),
    "read_table": (ob.read_table, {"path": "specs/gallery/titanic.csv"}),
    "read_report": (ob.read_report, {"path": WARNER}),
    "audit": (ob.audit, {"spec": WARNER, "sampler": answer, "samples": 10}),
    "audit_shard": (ob.audit_shard, {"spec": WARNER, "shard": 1, "shards": 2, "seed": 1, "samples": 1000}),
    "merge_shards": (ob.merge_shards, {"parts": []}),
    "plan_runs": (ob.plan_runs, {"spec": WARNER, "margin": 0.1}),
    "tune": (ob.tune, {"spec": TITANIC, "parameter": "/mechanism/mechanisms/sex/epsilon", "from_": 0, "to": 1, "grid": 1,
                       "proof": False, "width": 1}),
    "compose": (ob.compose, {"specs": WARNER, "times": 2}),
    "compare": (ob.compare, {"specs": [WARNER]}),
    "search": (ob.search, {"name": "bcdp composes"}),
    "design": (ob.design, {"request": "specs/designs/grid.design.json"}),
    "repair": (ob.repair, {"spec": WARNER}),
    "release": (ob.release, {"path": "specs/releases/titanic.release.json"}),
    "lock": (ob.lock, {"specs": [WARNER], "path": "/dev/null"}),
    "Lock": (ob.Lock, {"path": WARNER}),
    "Limits": (ob.Limits, {}),
    "Level": (ob.Level, {"value": "1"}),
    "Number": (ob.Number, {"value": "1"}),
    "Root": (ob.Root, {"value": "1"}),
    "exact": (ob.exact, {"value": "1"}),
    "assert_ldp_at_most": (pytest_plugin.assert_ldp_at_most, {"spec": WARNER, "level": "log(3)"}),
}
WRONG = [None, 3, -1, 0.5, "word", True, b"bytes", [3], [None], ["word", 3.5], {"a": 1}, object(), PEOPLE, PEOPLE["age"],
         numpy.zeros((2, 2)), lambda *given: 1, WARNER, [WARNER], (), 10**30, float("nan")]
CLEAR = (ob.SpecError, ob.LimitError, ob.NumberError, OSError)


def parameters_of(function, given):
    try:
        found = inspect.signature(function).parameters.values()
    except ValueError:  # types of the module itself
        return list(given)
    return [one.name for one in found if one.name != "self" and one.kind is not one.VAR_KEYWORD]


ALL = [(name, parameter) for name, (function, given) in CALLS.items() for parameter in parameters_of(function, given)]


def wrong_call(function, given, parameter, value):
    if parameter == "names":  # of mechanisms(*names)
        return function(value)
    return function(**{**given, parameter: value})


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """Specs that calls may overwrite."""
    folder = tmp_path_factory.mktemp("copies")
    for one in "gallery", "designs", "releases":
        shutil.copytree(ROOT / "specs" / one, folder / "specs" / one)
    return folder


@pytest.mark.parametrize("name, parameter", ALL, ids=[f"{name}-{parameter}" for name, parameter in ALL])
def test_a_wrong_argument_is_named(name, parameter, copies, monkeypatch):
    monkeypatch.chdir(copies)
    function, given = CALLS[name]
    limits = {} if parameter == "limits" or "limits" not in parameters_of(function, given) else {"limits": ob.Limits(max_seconds=5)}
    for value in WRONG:
        try:
            wrong_call(function, {**limits, **given}, parameter, value)
        except CLEAR:
            pass
        except (TypeError, ValueError) as error:
            clear = any(words in str(error) for words in ("expected", "there is no", "give one of them"))
            assert clear and "incompatible function arguments" not in str(error), f"{type(value).__name__}: {error}"
        except AssertionError:
            assert name.startswith("assert_")
