"""The examples in docstrings give the shown output."""
import doctest
import importlib
import pkgutil
import re
import sys
import types

import numpy
import pytest

import oddsbound
from conftest import ROOT
from test_plugin import run_pytest

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


def block_with(words):
    """The block of docs/python.md that contains these words and is no session."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), re.DOTALL)
    found, = [block for block in blocks if words in block and ">>>" not in block]
    return found


def test_the_adapter_that_is_shown_audits_what_has_such_an_interface(monkeypatch):
    """OpenDP is not among Debian's packages; a measurement defined here replaces it."""
    def make_randomized_response(categories, prob):
        rng = numpy.random.default_rng(1)
        return lambda value: value if rng.random() < prob else next(one for one in categories if one != value)

    prelude = types.ModuleType("opendp.prelude")
    prelude.enable_features = lambda name: None
    prelude.m = types.SimpleNamespace(make_randomized_response=make_randomized_response)
    package = types.ModuleType("opendp")
    package.prelude = prelude
    monkeypatch.setitem(sys.modules, "opendp", package)
    monkeypatch.setitem(sys.modules, "opendp.prelude", prelude)
    found = []
    audit = types.SimpleNamespace(audit=lambda *given: found.append(oddsbound.audit(*given, samples=50_000, seed=1)))
    for probability, verdict in ("0.75", "passes"), ("0.9", "contradicted"):
        exec(block_with("opendp").replace("prob=0.75", f"prob={probability}"), {"ob": audit})
        assert found.pop().verdict == verdict


def test_the_test_that_is_shown_passes(tmp_path):
    (tmp_path / "test_shown.py").write_text(block_with("assert_bcdp_at_most"))
    status, text = run_pytest(ROOT, str(tmp_path / "test_shown.py"))
    assert status == 0 and "1 passed" in text
