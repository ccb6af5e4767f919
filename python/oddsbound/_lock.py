"""The privacy lock: a promise for every level, in a file that is reviewed like code."""
from __future__ import annotations

import os
import pathlib
from dataclasses import dataclass
from typing import Iterable, Iterator, Optional, Union

from . import _oddsbound
from ._errors import SpecError, in_python
from ._given import PathLike, flag, is_listed, path_of, text_of, unexpected
from ._numbers import ExactLike
from ._plain import printable
from ._results import as_table
from ._settings import Limits, Progress, called
from ._specs import Spec

LOCK_FILE = "oddsbound.lock.json"


@dataclass(frozen=True, repr=False)
class LockCheck:
    """Result of a comparison with a lock.

    Attributes
    ----------
    found : list of (outcome, file, title, message)
        Outcomes are ``"pass"``, ``"note"``, ``"fail"``, ``"undecided"``, ``"error"``.
    exit_status : int
    """

    found: list[tuple[str, str, str, str]]
    exit_status: int

    @property
    def ok(self) -> bool:
        return self.exit_status == 0

    @property
    def failures(self) -> list[str]:
        return [f"{file}: {title} {message}" for outcome, file, title, message in self.found
                if outcome not in ("pass", "note")]

    def __repr__(self) -> str:
        words = {"pass": "as locked", "fail": "failed", "note": "noted", "undecided": "undecided", "error": "with errors"}
        outcomes = [one[0] for one in self.found]
        shown = [f"{outcomes.count(outcome)} {word}" for outcome, word in words.items() if outcome in outcomes]
        return f"<LockCheck: {', '.join(shown) or 'nothing is locked'}>"

    def __str__(self) -> str:
        return "\n".join(self.failures) or "as locked"

    def _repr_html_(self) -> str:
        rows = [(f"{outcome}: {file}", f"{title} {message}") for outcome, file, title, message in self.found
                if outcome != "pass"]
        return as_table(rows or [("as locked", f"{len(self.found)} promises are kept")])


def _spec_files(specs: Union[PathLike, Spec, Iterable[Union[PathLike, Spec]]]) -> Iterator[pathlib.Path]:
    one = isinstance(specs, (str, os.PathLike, Spec))
    if not one and not is_listed(specs):
        raise unexpected(specs, "a list of files, folders and specs that were read from files")
    for spec in [specs] if one else specs:  # type: ignore[union-attr]
        path = pathlib.Path(spec.path if isinstance(spec, Spec) else path_of(spec, "the path of a spec"))
        yield from sorted(path.rglob("*.json")) if path.is_dir() else [path]


class Lock:
    """The lock of specs: a promise for every level.

    ``Lock.of(paths)`` measures the levels, ``Lock(path)`` reads a file, ``check`` finds broken promises, and ``save``
    writes. Promises that depend on a confidential table are rounded up. Such a table is compared by an HMAC with the key
    in the environment variable ``ODDSBOUND_LOCK_KEY``, or not at all.
    """

    def __init__(self, path: PathLike = LOCK_FILE):
        self.path = pathlib.Path(path_of(path))
        self._native = _oddsbound.read_lock(self.path.read_text(encoding="utf-8"), str(path))

    @classmethod
    def of(cls, specs: Union[PathLike, Spec, Iterable[Union[PathLike, Spec]]], path: PathLike = LOCK_FILE, *, headroom: ExactLike = 0,
           limits: Optional[Limits] = None, progress: Progress = None) -> "Lock":
        """Makes promises for the current levels of specs.

        path: where the lock will be; names in it are relative to its folder. headroom: how much more a promise allows
        where a level depends on the prior, as ``Fraction(1, 20)``.
        """
        lock = cls.__new__(cls)
        lock.path = pathlib.Path(path_of(path))
        named = lock._named(_spec_files(specs))
        if not named:
            raise SpecError("there is no spec to lock")
        lock._native = called(_oddsbound.write_lock, named, headroom, limits=limits, progress=progress)
        return lock

    def _named(self, files: Iterable[pathlib.Path]) -> list[tuple[str, str]]:
        return [(os.path.relpath(file, self.path.parent).replace(os.sep, "/"), str(file)) for file in files]

    def _own(self) -> list[tuple[str, str]]:
        return self._named(_spec_files(self.path.parent / one for one in self._native.paths))

    @property
    def levels(self) -> dict[str, dict[str, str]]:
        """The promised levels by spec: ``{"bcdp age": "1.05", "ldp": "log(3)"}``."""
        return self._native.levels

    def check(self, *, strict: bool = False, limits: Optional[Limits] = None, progress: Progress = None) -> LockCheck:
        """Compares the specs with the lock. A level above its promise fails. strict: new levels fail, too."""
        found, status = called(_oddsbound.Lock.check, self._native, self._own(), flag(strict, "strict"), limits=limits,
                               progress=progress)
        return LockCheck([(outcome, file, in_python(title), in_python(message)) for outcome, file, title, message in found], status)

    def accept(self, reason: str, *, headroom: ExactLike = 0, limits: Optional[Limits] = None,
               progress: Progress = None) -> list[str]:
        """Raises the broken promises, with a reason that the lock records. Returns the changes."""
        return called(_oddsbound.Lock.accept, self._native, self._own(), text_of(reason, "reason"), headroom,  # type: ignore[no-any-return]
                      limits=limits, progress=progress)

    def renew(self, *, headroom: ExactLike = 0, tighten: bool = False, limits: Optional[Limits] = None,
              progress: Progress = None) -> None:
        """Adds promises for levels that have none. Raises no promise, and lowers promises only with ``tighten``."""
        called(_oddsbound.Lock.renew, self._native, self._own(), headroom, flag(tighten, "tighten"), limits=limits,
               progress=progress)

    def upgrade(self, reason: str, *, limits: Optional[Limits] = None, progress: Progress = None) -> None:
        """Converts a lock of version 0.5, with exact levels, with a reason that the lock records."""
        called(_oddsbound.Lock.upgrade, self._native, self._own(), text_of(reason, "reason"), limits=limits,
               progress=progress)

    def save(self) -> pathlib.Path:
        self.path.write_text(str(self), encoding="utf-8")
        return self.path

    def __str__(self) -> str:
        return str(self._native)

    def __repr__(self) -> str:
        return f"<Lock {printable(self.path.name)}: {len(self.levels)} spec{'' if len(self.levels) == 1 else 's'}>"

    def _repr_html_(self) -> str:
        return as_table([(f"{file}: {level}", promised) for file, levels in self.levels.items()
                         for level, promised in levels.items()])


def lock(specs: Union[PathLike, Spec, Iterable[Union[PathLike, Spec]]], path: PathLike = LOCK_FILE, *, headroom: ExactLike = 0,
         limits: Optional[Limits] = None, progress: Progress = None) -> Lock:
    """Measures the privacy lock of specs and writes it to a file.

    Parameters
    ----------
    specs
        Files, folders, and specs that were read from files, because a lock is compared with files.
    path
        The file of the lock.
    headroom
        Margin of promises for levels that depend on the prior: ``Fraction(1, 20)``.

    Examples
    --------
    >>> import oddsbound as ob, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     spec = ob.Spec(domain={"answer": ["no", "yes"]}, mechanism=ob.k_randomized_response(2, "log(3)"))
    ...     file = spec.save(pathlib.Path(folder) / "mine.json")
    ...     ob.lock([file], pathlib.Path(folder) / "oddsbound.lock.json").levels["mine.json"]["ldp"]
    'log(3)'
    """
    made = Lock.of(specs, path, headroom=headroom, limits=limits, progress=progress)
    made.save()
    return made
