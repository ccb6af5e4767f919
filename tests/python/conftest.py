"""Where the tests run: in the project's folder, with the program beside the package."""
import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture
def program():
    path = os.environ.get("ODDSBOUND_PROGRAM")
    return path or pytest.skip("ODDSBOUND_PROGRAM names no program to compare with")
