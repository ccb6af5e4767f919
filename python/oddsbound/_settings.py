"""What a call may use, and whom it tells how far it is."""
from __future__ import annotations

from typing import Any, Callable, Optional, Union

from . import _oddsbound
from ._given import positive, unexpected, whole

Progress = Union[None, bool, Callable[[int, int, str], Any]]


class Limits(_oddsbound.Limits):
    """Limits of one call. If a limit is reached, the result is undecided, never guessed.

    Parameters
    ----------
    max_seconds, max_memory_mb, max_inputs, max_cells, max_file_mb
        As the options of the command line (docs/result-format.md, Limits).
    threads
        0: the number of cores. Results do not depend on it.
    smt_seconds, smt_memory_mb, smt_max_cells
        The limits of Z3, where it is asked: ``verify(engine="smt")``, ``search``, proofs of ``tune`` and of audits.

    Examples
    --------
    >>> import oddsbound as ob
    >>> ob.Limits(max_seconds=10, threads=1).threads
    1
    """

    def __init__(self, *, max_seconds: Optional[float] = None, max_memory_mb: Optional[int] = None,
                 max_inputs: Optional[int] = None, max_cells: Optional[int] = None, max_file_mb: Optional[int] = None,
                 threads: Optional[int] = None, smt_seconds: Optional[float] = None,
                 smt_memory_mb: Optional[int] = None, smt_max_cells: Optional[int] = None):
        super().__init__()
        settings = {"max_seconds": max_seconds, "max_memory_mb": max_memory_mb, "max_inputs": max_inputs,
                    "max_cells": max_cells, "max_file_mb": max_file_mb, "threads": threads, "smt_seconds": smt_seconds,
                    "smt_memory_mb": smt_memory_mb, "smt_max_cells": smt_max_cells}
        for name, value in settings.items():
            if value is not None:
                setattr(self, name, positive(value, name) if name.endswith("seconds") else whole(value, name))

    def __repr__(self) -> str:
        names = ("max_seconds", "max_memory_mb", "max_inputs", "max_cells", "max_file_mb", "threads", "smt_seconds",
                 "smt_memory_mb", "smt_max_cells")
        return f"Limits({', '.join(f'{name}={getattr(self, name)}' for name in names)})"


class _Bar:
    """tqdm's bar, as a function that is called with the state of the work."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm  # only who asks for a bar needs it
        except ImportError as error:
            raise ImportError("progress=True needs tqdm: install Debian's python3-tqdm, or tqdm with pip") from error
        self._bar = tqdm(total=0, leave=False)

    def __call__(self, done: int, of: int, at: str) -> None:
        self._bar.total = of
        self._bar.set_description_str(at, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def limits_of(limits: Any) -> _oddsbound.Limits:
    if limits is not None and not isinstance(limits, _oddsbound.Limits):
        raise unexpected(limits, "limits: a Limits, as Limits(max_seconds=10)")
    return limits or Limits()


def called(function: Callable[..., Any], *arguments: Any, limits: Optional[_oddsbound.Limits],
           progress: Progress) -> Any:
    """Calls the library with limits and progress, True of which is tqdm's bar."""
    if progress is not None and not isinstance(progress, bool) and not callable(progress):
        raise unexpected(progress, "progress: True, or a function of (done, of, at)")
    within = limits_of(limits)
    report = _Bar() if progress is True else progress or None
    try:
        return function(*arguments, within, report)
    finally:
        if isinstance(report, _Bar):
            report.close()
