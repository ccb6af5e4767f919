"""What docstrings show is what comes out."""
import doctest
import importlib
import pkgutil

import pytest

import oddsbound
from conftest import ROOT

MODULES = ["oddsbound", *(f"oddsbound.{module.name}" for module in pkgutil.iter_modules(oddsbound.__path__)
                          if module.name != "_oddsbound")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(name)
    extra = {name: {"Number": oddsbound.Number, "Root": oddsbound.Root, "Level": oddsbound.Level}} if name.endswith("_numbers") else {}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    tests = doctest.DocTestFinder().find(module, name)
    for kind, thing in extra.get(name, {}).items():
        tests += [doctest.DocTestParser().get_doctest(thing.__doc__, {}, kind, name, 0)]
    for test in tests:
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_everything_that_is_offered_says_what_it_is():
    for name in oddsbound.__all__:
        assert getattr(oddsbound, name).__doc__, name


@pytest.mark.parametrize("page", ["docs/python.md", "docs/coming-from.md"])
def test_what_pages_show_is_what_comes_out(page):
    failed, attempted = doctest.testfile(str(ROOT / page), module_relative=False,
                                         optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0 and attempted > 2
