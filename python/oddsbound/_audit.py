"""Audits: of Python functions, of programs, of recorded runs, of the spec's own sampler."""
from __future__ import annotations

import itertools
import json
import math
import os
import pathlib
import secrets
import tempfile
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _frames, _oddsbound
from ._errors import SpecError
from ._given import PathLike, flag, function_of, is_listed, listed, path_of, real, text_of, unexpected, whole
from ._numbers import ExactLike
from ._parts import Parts
from ._plain import printable, rounded_fraction
from ._reports import Report
from ._results import Record, as_text
from ._runs import SpecLike, as_spec
from ._settings import Limits, Progress, called
from ._specs import Spec

_SEED_BITS = 53  # as the command draws them: every program that reads JSON has these numbers exactly


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
        inputs = math.prod(len(values) for _, values, _ in self._coordinates)
        if inputs > 2**62:
            raise SpecError(f"a function is audited for at most 2^62 inputs, which have numbers, and there are {inputs}")
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
          program: str = "", transcript: PathLike = "", samples: int = 1_000_000, confidence: Union[ExactLike, float] = "99/100",
          seed: Union[int, str, None] = None, until: bool = False, all_levels: bool = False, threads: int = 1, accept_choice: bool = False,
          curve: Sequence[ExactLike] = (), exhaustive: bool = False, accept_exceptions: bool = False, bound: int = 60, program_seconds: float = 60,
          program_memory_mb: int = 4096, limits: Optional[Limits] = None, progress: Progress = None) -> "AuditResult":
    """Audits a sampler against a spec: bounds of levels, and agreement with the stated channel.

    Parameters
    ----------
    spec : Spec, path or dict
    sampler : callable, optional
        ``f(input, rng)`` returns the label of an output (or a value whose text is the label; for several parts a
        tuple). The input is a value, or a tuple of values. ``rng`` is a numpy Generator that depends on the seed: if
        the function draws all its randomness from it, the audit is reproducible. None: the spec's own sampler.
    vectorized : bool
        ``f(inputs, rng)`` gets an array of the indices of values (one column per coordinate, if there are several), and
        returns an array of labels or of indices of outputs.
    program, transcript
        Instead of a function: a command line, or a file of recorded runs (docs/auditing.md). ``program_seconds`` and
        ``program_memory_mb`` limit the program.
    samples, confidence, until, all_levels, threads, accept_choice
        As the options of ``oddsbound audit``.
    curve : sequence of levels, optional
        Audits the (epsilon, delta) curve at these epsilons in place of the claims: ``found.curve`` has a lower bound of
        delta at each of them, which hold together, beside delta of the stated channel.
    seed : int, or str of one, optional
        None: a new seed, which is in the result. ``seed=result.seed`` repeats the audit.
    exhaustive : bool
        Prove the built-in sampler instead of testing it. The spec is a path, or was read from one.
        ``accept_exceptions``: ignore choices for which nothing was proved. ``bound``: loops are cut off where less than
        2^-bound of the mass remains.

    Returns
    -------
    AuditResult

    Raises
    ------
    Exception
        Exceptions of the function propagate unchanged.

    Examples
    --------
    >>> import oddsbound as ob
    >>> def lies_half_as_often(value, rng):
    ...     return value if rng.random() < 7 / 8 else {"yes": "no", "no": "yes"}[value]
    >>> found = ob.audit("specs/gallery/warner.json", lies_half_as_often, samples=20_000, seed=1)
    >>> found.verdict
    'contradicted'
    """
    read = as_spec(spec)
    if flag(exhaustive, "exhaustive"):
        if not 10 <= whole(bound, "bound") <= 100:
            raise ValueError(f"found {bound}, expected bound: a whole number from 10 to 100")
        return _first(Report(called(_oddsbound.audit_exhaustively, [read.path], flag(accept_exceptions, "accept_exceptions"),
                                    int(bound), limits=limits, progress=progress)))
    request = _request(read.file, confidence, all_levels, samples, threads)
    request.program, request.transcript = text_of(program, "program"), path_of(transcript, "transcript: a path")
    request.set_program_limits(real(program_seconds, "program_seconds"), whole(program_memory_mb, "program_memory_mb", 16))
    request.until = flag(until, "until")
    request.set_curve(listed(curve, "curve: a list of levels"))
    request.seed = secrets.randbits(_SEED_BITS) if seed is None else _seed(seed)
    if flag(accept_choice, "accept_choice"):
        request.accept_choice()
    if sampler is None:
        return _first(Report(called(_oddsbound.audit, read._native, request, limits=limits, progress=progress)))
    request.function = _name_of(sampler)
    adapter = _Adapter(read, function_of(sampler, "sampler"), flag(vectorized, "vectorized"), limits)
    return _first(Report(called(_oddsbound.audit_function, read._native, adapter, request, limits=limits,
                                progress=progress)))


def _name_of(sampler: Callable[..., Any]) -> str:
    return getattr(sampler, "__qualname__", type(sampler).__qualname__)


def _seed(given: Any) -> int:
    """A number, or the text of one, as it is in results."""
    if isinstance(given, str) and given.isdecimal():
        return int(given)
    return whole(given, "seed")


def _request(spec: str, confidence: Any, all_levels: bool, samples: int = 1_000_000, threads: int = 1) -> _oddsbound.AuditRequest:
    request = _oddsbound.AuditRequest()
    request.spec, request.all_levels = spec, flag(all_levels, "all_levels")
    request.samples, request.threads = whole(samples, "samples"), whole(threads, "threads")
    request.set_confidence(rounded_fraction(confidence) if isinstance(confidence, float) else confidence)
    return request


class AuditShard:
    """The counts of one shard of an audit, for ``merge_shards``. Can be pickled, and saved to a file.

    Attributes
    ----------
    text : str
        The text of the file. Only the version that wrote it reads it.
    """

    def __init__(self, text: str):
        self.text = text

    def save(self, path: PathLike) -> pathlib.Path:
        """Writes the file of ``oddsbound audit --shard``."""
        target = pathlib.Path(path_of(path))
        _oddsbound.write_whole(os.fsencode(target), self.text)
        return target

    def __repr__(self) -> str:
        part = json.loads(self.text)["part"]
        return f"<AuditShard {part['shard'] + 1}/{part['shards']} of {printable(part['spec'])}>"

    def _repr_html_(self) -> str:
        return as_text(repr(self))


def audit_shard(spec: Union[Spec, PathLike], sampler: Optional[Callable[..., Any]] = None, *, shard: int, shards: int,
                seed: int, vectorized: bool = False, program: str = "", samples: int = 1_000_000,
                confidence: Union[ExactLike, float] = "99/100", all_levels: bool = False, threads: int = 1,
                limits: Optional[Limits] = None, progress: Progress = None) -> AuditShard:
    """Runs one part of a long audit, for several processes or machines: shard 1 to ``shards``, with the same seed.

    Parameters
    ----------
    spec : path, or Spec that was read from one
        The merge reads it again.
    shard, shards : int
        The number of the shard, from 1, and the number of shards.
    seed : int
        The same for all shards.
    sampler, vectorized, program, samples, confidence, all_levels, threads
        As for ``audit``. ``samples`` is the number for the whole audit. A function must draw all its randomness from its
        generator, because the pilot, which every shard runs, must be the same in all of them.

    Examples
    --------
    >>> import oddsbound as ob
    >>> def answer(value, rng):
    ...     return value if rng.random() < 3 / 4 else {"yes": "no", "no": "yes"}[value]
    >>> parts = [ob.audit_shard("specs/gallery/warner.json", answer, shard=k, shards=2, seed=2, samples=50_000)
    ...          for k in (1, 2)]
    >>> parts[0]
    <AuditShard 1/2 of specs/gallery/warner.json>
    >>> ob.merge_shards(parts).verdict
    'passes'
    """
    read = as_spec(spec)
    request = _request(read.path, confidence, all_levels, samples, threads)
    request.program, request.seed = text_of(program, "program"), _seed(seed)
    if not 1 <= whole(shard, "shard") <= whole(shards, "shards"):
        raise SpecError(f"found shard {shard} of {shards}, expected one from 1 to {shards}")
    request.set_shard(shard - 1, shards)
    adapter = None
    if sampler is not None:
        request.function = _name_of(sampler)
        adapter = _Adapter(read, function_of(sampler, "sampler"), flag(vectorized, "vectorized"), limits)
    return AuditShard(called(_oddsbound.audit_shard, adapter, request, limits=limits, progress=progress))


def merge_shards(parts: Sequence[Union[AuditShard, PathLike]], *, limits: Optional[Limits] = None) -> "AuditResult":
    """Merges shards, or their files, into the result of the audit: exactly that of a single run.

    Raises
    ------
    SpecError
        If they belong to different audits, or the spec file has changed.
    """
    if not is_listed(parts):
        raise unexpected(parts, "a list of shards")
    with tempfile.TemporaryDirectory(prefix="oddsbound-") as folder:
        files = [str(one.save(pathlib.Path(folder) / f"part-{place + 1}.json")) if isinstance(one, AuditShard)
                 else path_of(one, "an AuditShard, or the path of its file") for place, one in enumerate(parts)]
        return _first(Report(called(_oddsbound.merge_shards, files, limits=limits, progress=None)))


class RunPlan(Record):
    """The number of runs that an audit needs: ``samples`` (None if it is not known for some claim), and ``claims``, each
    with its own number."""

    samples: Optional[int]
    claims: list[Record]
    file: str

    def __repr__(self) -> str:
        runs = "unknown number of" if self.samples is None else str(self.samples)
        return f"<RunPlan {printable(self._data.get('name'))}: {runs} runs>"


def plan_runs(spec: SpecLike, margin: float, *, confidence: Union[ExactLike, float] = "99/100", all_levels: bool = False,
              limits: Optional[Limits] = None, progress: Progress = None) -> RunPlan:
    """Computes how many runs detect, with probability 90 %, that a claim is wrong by a margin. Makes no runs.

    Parameters
    ----------
    spec : Spec, path or dict
    margin : float
        In nats, or a probability for delta (docs/auditing.md).

    Examples
    --------
    >>> import oddsbound as ob
    >>> plan = ob.plan_runs("specs/gallery/warner.json", 0.1)
    >>> plan.samples, plan.claims[0].what
    (55686, 'ldp')
    """
    read = as_spec(spec)
    with read._as_file() as path:
        request = _request(path, confidence, all_levels)
        planned = json.loads(called(_oddsbound.plan_runs, request, real(margin, "margin"), limits=limits, progress=progress))
    return RunPlan({**planned["plans"][0], "file": read.file})


class AuditResult(Record):
    """Result of an audit: ``verdict``, ``levels``, ``deviations``, and all other keys of its JSON."""

    verdict: str
    name: str
    samples: int
    levels: list[Record]
    deviations: list[Record]

    def __init__(self, data: Mapping[str, Any], report: Report):
        super().__init__(dict(data))
        self.report = report

    def __str__(self) -> str:
        return self.report.render("text")

    def __repr__(self) -> str:
        return f"<AuditResult {printable(self._data.get('name'))}: {printable(self._data.get('verdict'))}>"

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def _first(report: Report) -> AuditResult:
    if not report.audits:
        report._native.raise_first_error()
    return AuditResult(report.audits[0].to_dict(), report)
