"""The tests run in the project's folder, with the program next to the package."""
import os
import pathlib

import numpy
import pandas
import pytest

import oddsbound as ob

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture
def program():
    path = os.environ.get("ODDSBOUND_PROGRAM")
    return path or pytest.skip("ODDSBOUND_PROGRAM names no program to compare with")


@pytest.fixture
def survey():
    """Too many answers for a search within seconds."""
    rng = numpy.random.default_rng(1)
    group = rng.integers(0, 4, 2000)
    answers = {f"q{i:02}": numpy.where(rng.random(2000) < 0.6, group, rng.integers(0, 4, 2000)) for i in range(24)}
    people = pandas.DataFrame(answers)
    return ob.Spec(prior=ob.prior(people), mechanism=ob.per_attribute({"*": ob.k_randomized_response(4, "log(3)")}))
