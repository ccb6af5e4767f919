"""pytest: specs as tests, asserts that show witnesses, the lock as a test.

``pytest --oddsbound specs/`` collects the specs below the folder: each claim is a test, and each spec that can be read.
``pytest --oddsbound-lock oddsbound.lock.json`` makes a test of the lock. Test functions have the fixture ``oddsbound``, and
may import ``assert_bcdp_at_most`` and the like.
"""
from __future__ import annotations

import pathlib
from decimal import Decimal
from fractions import Fraction
from typing import Any, Iterator, Mapping, Optional, Union

import pytest

import oddsbound as ob
from oddsbound._runs import SpecLike, as_spec
from oddsbound._plain import printable, rounded_fraction

Bound = Union[str, int, float, Fraction, Decimal, ob.Number, ob.Level]


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("oddsbound")
    group.addoption("--oddsbound", action="append", default=[], metavar="PATH",
                    help="make a test of every claim of the specs at PATH, a file or a folder of *.json")
    group.addoption("--oddsbound-lock", action="append", default=[], metavar="FILE",
                    help="make a test of this privacy lock")


@pytest.fixture(name="oddsbound")
def oddsbound_fixture() -> Any:
    """The package, for tests that do not import it."""
    return ob


class ClaimFailure(Exception):
    """What a claim's test fails with: its message is the report."""


class _Collected(pytest.File):
    """A file that was named by an option."""


class SpecFile(_Collected):
    """A spec: a test for each of its claims."""

    def collect(self) -> Iterator[pytest.Item]:
        shared = _Verified(self.path)
        try:
            claims = ob.read(self.path).to_dict().get("claims", [])
        except ob.SpecError:
            claims = []  # the one test says what is wrong
        if not claims:
            yield ClaimItem.from_parent(self, name="spec", verified=shared, index=None)
        for index, claim in enumerate(claims):
            name = claim.get("name") or claim.get("notion", "claim")
            yield ClaimItem.from_parent(self, name=f"{index}: {printable(name)}", verified=shared, index=index)


class _Verified:
    """A spec's verdicts, asked for once."""

    def __init__(self, path: pathlib.Path):
        self._path = path
        self._result: Optional[ob.SpecResult] = None

    def result(self) -> ob.SpecResult:
        if self._result is None:
            self._result = ob.verify(self._path)
        return self._result


class _Item(pytest.Item):
    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, (ClaimFailure, ob.SpecError, ob.LimitError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[pathlib.Path, Optional[int], str]:
        return self.path, None, printable(f"{self.path.name}: {self.name}")


class ClaimItem(_Item):
    """One claim: passes if it is as expected."""

    def __init__(self, *, verified: _Verified, index: Optional[int], **more: Any):
        super().__init__(**more)
        self._verified, self._index = verified, index

    def runtest(self) -> None:
        result = self._verified.result()
        if self._index is None:
            return
        claim = result.claims[self._index]
        if not claim.ok:
            raise ClaimFailure(f"{result._published()[2][self._index]}\n{_shown(result, claim)}")


class LockFile(_Collected):
    """A lock: one test."""

    def collect(self) -> Iterator[pytest.Item]:
        yield LockItem.from_parent(self, name="as locked")


class LockItem(_Item):
    def runtest(self) -> None:
        found = ob.Lock(self.path).check()
        if not found.ok:
            raise ClaimFailure(f"{found}\nIf this change is intended: oddsbound lock accept --reason '...'")


def _shown(result: Any, claim: Any) -> str:
    """Who leaks what: the words of the level that the claim is about."""
    words = result._published()[0].get(claim.notion, {})
    claimed = claim.to_dict().get("claimed")
    about = [name for name in words if not name or not isinstance(claimed, dict) or name in claimed]
    return "\n".join(words[name] for name in about)


def _spec_files(path: pathlib.Path) -> list[pathlib.Path]:
    return sorted(path.rglob("*.json")) if path.is_dir() else [path]


def _is_spec(path: pathlib.Path, named: bool) -> bool:
    """Folders hold data and locks as well; a file that is named is meant."""
    return named or '"mechanism"' in path.read_text(encoding="utf-8", errors="replace")


def pytest_collection_modifyitems(session: Any, config: Any, items: list[pytest.Item]) -> None:
    for given in config.getoption("--oddsbound"):
        path = pathlib.Path(given).resolve()
        for file in _spec_files(path):
            if _is_spec(file, not path.is_dir()):
                items.extend(SpecFile.from_parent(session, path=file).collect())
    for given in config.getoption("--oddsbound-lock"):
        items.extend(LockFile.from_parent(session, path=pathlib.Path(given).resolve()).collect())


def _bound_of(stated: Bound) -> ob.Level:
    """A float is the decimal that it is printed as: 0.3 is 3/10."""
    return ob.Level(rounded_fraction(stated) if isinstance(stated, float) else stated)


def _assert_at_most(notion: str, spec: Any, levels: Mapping[str, Bound]) -> None:
    result = spec if isinstance(spec, ob.SpecResult) else ob.analyze(as_spec(spec))
    if result.to_dict()["analysis"].get(notion) is None:
        reason = result.to_dict()["analysis"].get("undecided", {}).get(notion, "the spec has no prior")
        raise AssertionError(f"{notion} is not known: {reason}")
    found = result[notion]
    for coordinate, stated in levels.items():
        measured = found[coordinate] if coordinate else found
        bound = _bound_of(stated)
        if not measured <= bound:
            what = f"{notion} {coordinate}".strip()
            is_level = f"{measured} = {measured.nats:.6g}"
            words = measured.words
            if measured.confidential:  # a log is for others
                said, rounded, _ = result._published()
                is_level, words = rounded[notion][coordinate], said[notion][coordinate]
            raise AssertionError(f"{what} is {is_level}, above {bound}\n{words}")


def assert_bcdp_at_most(spec: Union[SpecLike, ob.SpecResult], **levels: Bound) -> None:
    """Fails with the witness if a BCDP level is larger: ``assert_bcdp_at_most(spec, survived=0.93)``.

    A float is the decimal that it is printed as.
    """
    __tracebackhide__ = True
    _assert_at_most("bcdp", spec, levels)


def assert_cdp_at_most(spec: Union[SpecLike, ob.SpecResult], **levels: Bound) -> None:
    """Fails with the witness if a CDP level is larger."""
    __tracebackhide__ = True
    _assert_at_most("cdp", spec, levels)


def assert_ldp_at_most(spec: Union[SpecLike, ob.SpecResult], level: Bound) -> None:
    """Fails with the witness if the LDP level is larger."""
    __tracebackhide__ = True
    _assert_at_most("ldp", spec, {"": level})


def assert_claims_hold(spec: SpecLike) -> None:
    """Fails with the report if a claim of the spec is not as expected."""
    __tracebackhide__ = True
    result = ob.verify(as_spec(spec))
    if not result.ok:
        raise AssertionError(result.report.render("text", exact=False))
