"""Audits: of Python functions, of programs, of recorded runs, of the spec's own sampler."""
from __future__ import annotations

import itertools
import os
from typing import Any, Callable, Mapping, Optional

from . import _frames, _oddsbound
from ._errors import SpecError
from ._parts import Parts
from ._plain import rounded_fraction
from ._reports import Report
from ._results import Record
from ._runs import SpecLike, as_spec
from ._settings import Limits, Progress, called
from ._specs import PathLike, Spec


def _generator(first: int, second: int) -> Any:
    numpy = _frames.numpy()
    return numpy.random.Generator(numpy.random.Philox(key=[first, second]))


def _label(output: Any) -> str:
    return "(" + ",".join(map(str, output)) + ")" if isinstance(output, tuple) else str(output)


class _Adapter:
    """A Python function as the library asks for it: numbers of outputs for numbers of inputs, from two random words."""

    def __init__(self, spec: Spec, sampler: Callable[..., Any], vectorized: bool, limits: Optional[Limits]):
        self._sampler, self._vectorized = sampler, vectorized
        self._coordinates = spec._native.coordinates
        parts = Parts.of(spec, limits)
        self._tuples = parts.tuples
        self._numbers = {label: place for place, label in enumerate(_all_labels(parts))}
        self._shape = [len(values) for _, values, _ in self._coordinates]

    def __call__(self, inputs: Any, first: int, second: int) -> Any:
        rng = _generator(first, second)
        digits = _frames.numpy().unravel_index(inputs, self._shape)
        return self._many(digits, rng) if self._vectorized else self._one_by_one(digits, rng)

    def _one_by_one(self, digits: Any, rng: Any) -> list[int]:
        values = [[known[1][digit] for digit in column.tolist()] for known, column in zip(self._coordinates, digits)]
        sampler, number = self._sampler, self._number
        if len(values) == 1:
            return [number(sampler(value, rng)) for value in values[0]]
        return [number(sampler(value, rng)) for value in zip(*values)]

    def _many(self, digits: Any, rng: Any) -> Any:
        given = digits[0] if len(digits) == 1 else _frames.numpy().stack(digits, axis=1)
        drawn = _frames.numpy().asarray(self._sampler(given, rng))
        if drawn.dtype.kind in "iu":
            wrong = drawn[(drawn < 0) | (drawn >= len(self._numbers))]
            if wrong.size:
                raise SpecError(f"the sampler drew output number {wrong[0]} of {len(self._numbers)}")
            return drawn.astype("uint64")
        codes, labels = _frames.pandas().factorize(drawn)
        return _frames.numpy().array([self._number(label) for label in labels], dtype="uint64")[codes]

    def _number(self, output: Any) -> int:
        place = self._numbers.get(_label(output))
        if place is None and self._tuples and not isinstance(output, tuple):  # the one part's label alone
            place = self._numbers.get(f"({output})")
        if place is None:
            known = ", ".join(list(self._numbers)[:6])
            raise SpecError(f"the sampler drew {output!r}, which is no output of the spec (outputs: {known}, ...)")
        return place


def _all_labels(parts: Parts) -> list[str]:
    """The labels of all outputs, in their order: the last part fastest."""
    most = 1 << 20
    number = 1
    for labels, _ in parts.each:
        number *= len(labels)
    if number > most:
        raise SpecError(f"a function is audited for at most {most} outputs, and there are {number}")
    if not parts.tuples:
        return list(parts.each[0][0])
    return [f"({','.join(labels)})" for labels in itertools.product(*(labels for labels, _ in parts.each))]


def audit(spec: SpecLike, sampler: Optional[Callable[..., Any]] = None, *, vectorized: bool = False,
          program: str = "", transcript: PathLike = "", samples: int = 1_000_000, confidence: Any = "99/100",
          seed: int = 0, until: bool = False, all_levels: bool = False, threads: int = 1, exhaustive: bool = False,
          limits: Optional[Limits] = None, progress: Progress = None) -> "AuditResult":
    """What the runs of a sampler show against a spec: bounds of levels, agreement with the stated channel.

    Parameters
    ----------
    spec : Spec, path or dict
    sampler : callable, optional
        ``f(input, rng)`` returns an output's label (or what reads like it as text; of several parts a tuple). The
        input is a value, or a tuple of values; ``rng`` is a numpy Generator that follows from the seed: who draws from it
        alone can be audited again. None: the spec's own sampler.
    vectorized : bool
        ``f(inputs, rng)`` is given an array of the numbers of values (of several coordinates a column each), and
        returns an array of labels, or of numbers of outputs.
    program, transcript
        In place of a function: a command line, or a file of recorded runs (docs/auditing.md).
    samples, confidence, seed, until, all_levels, threads
        As the options of ``oddsbound audit``.
    exhaustive : bool
        A proof of the built-in sampler, in place of statistics; the spec is a path.

    Returns
    -------
    AuditResult

    Raises
    ------
    Exception
        Whatever the function raises.

    Examples
    --------
    >>> import oddsbound as ob
    >>> def lies_half_as_often(value, rng):
    ...     return value if rng.random() < 7 / 8 else {"yes": "no", "no": "yes"}[value]
    >>> found = ob.audit("specs/gallery/warner.json", lies_half_as_often, samples=20_000, seed=1)
    >>> found.verdict
    'contradicted'
    """
    if exhaustive:
        if not isinstance(spec, (str, os.PathLike)):
            raise SpecError("an exhaustive audit is asked of a spec's file")
        return _first(Report(called(_oddsbound.audit_exhaustively, [os.fspath(spec)], False, limits=limits,
                                    progress=progress)))
    read = as_spec(spec)
    request = _oddsbound.AuditRequest()
    request.spec, request.program, request.transcript = read.file, program, os.fspath(transcript)
    request.samples, request.seed, request.until = samples, seed, until
    request.all_levels, request.threads = all_levels, threads
    request.set_confidence(rounded_fraction(confidence) if isinstance(confidence, float) else confidence)
    if sampler is None:
        return _first(Report(called(_oddsbound.audit, read._native, request, limits=limits, progress=progress)))
    request.function = getattr(sampler, "__qualname__", type(sampler).__qualname__)
    adapter = _Adapter(read, sampler, vectorized, limits)
    return _first(Report(called(_oddsbound.audit_function, read._native, adapter, request, limits=limits,
                                progress=progress)))


class AuditResult(Record):
    """What an audit found: ``verdict``, ``levels``, ``deviations``, and whatever else its JSON has."""

    def __init__(self, data: Mapping[str, Any], report: Report):
        super().__init__(dict(data))
        self.report = report

    def __str__(self) -> str:
        return self.report.render("text")

    def __repr__(self) -> str:
        return f"<AuditResult {self._data.get('name')}: {self._data.get('verdict')}>"

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def _first(report: Report) -> AuditResult:
    if not report.audits:
        report._native.raise_first_error()
    return AuditResult(report.audits[0].to_dict(), report)
