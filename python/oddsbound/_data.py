"""Draws, estimates, audits."""
from __future__ import annotations

import itertools
import json
import os
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Sequence

from . import _frames, _oddsbound
from ._errors import SpecError
from ._plain import rounded_fraction
from ._reports import Report
from ._results import Record
from ._runs import SpecLike, as_spec
from ._settings import Limits, Progress, called
from ._specs import PathLike, Spec


def _inputs(spec: Spec, inputs: Any, from_prior: int, seed: Optional[int], limits: Optional[Limits]) -> Any:
    native = spec._native
    if inputs is None:
        return _oddsbound.draw_inputs(native, from_prior, seed, limits or Limits())
    return _oddsbound.inputs_of(native, _frames.digits_of(inputs, native.coordinates))


@dataclass(frozen=True)
class _Parts:
    """What outputs are made of: (labels, coordinates that it sees) of each part; whether labels are tuples of theirs."""

    tuples: bool
    each: list[tuple[list[str], list[int]]]

    @classmethod
    def of(cls, spec: Spec, limits: Optional[Limits]) -> "_Parts":
        return cls(*_oddsbound.sampled_parts(spec._native, limits or Limits()))


def _labels(parts: _Parts, numbers: Any) -> Any:
    """The label of every draw."""
    numpy = _frames.numpy()
    columns = [numpy.array(labels, dtype=object)[numbers[:, place]] for place, (labels, _) in enumerate(parts.each)]
    if not parts.tuples:
        return columns[0]
    labels = "(" + columns[0]
    for column in columns[1:]:
        labels = labels + "," + column
    return labels + ")"


def _part_columns(spec: Spec, parts: _Parts) -> list[str]:
    """What the columns of a frame of outputs are called: what each part sees, where that tells them apart."""
    names = [name for name, _, _ in spec._native.coordinates]
    if not parts.tuples and len(names) > 1:
        return ["output"]
    seen = [",".join(names[place] for place in coordinates) for _, coordinates in parts.each]
    return seen if len(set(seen)) == len(seen) else [f"output{place + 1}" for place in range(len(seen))]


def _frame(spec: Spec, parts: _Parts, numbers: Any, index: Any) -> Any:
    pandas, numpy = _frames.pandas(), _frames.numpy()
    columns = {}
    for place, (name, (labels, _)) in enumerate(zip(_part_columns(spec, parts), parts.each)):
        codes = numbers[:, place].astype("int8" if len(labels) < 128 else "int32")
        columns[name] = pandas.Categorical.from_codes(codes, categories=labels)
    return pandas.DataFrame(columns, index=index)


def sample(spec: SpecLike, inputs: Any = None, *, count: int = 1, from_prior: int = 0, seed: Optional[int] = None,
           frame: Optional[bool] = None, limits: Optional[Limits] = None, progress: Progress = None) -> Any:
    """Outputs, drawn for one input after another with cryptographic randomness.

    Parameters
    ----------
    spec : Spec, path or dict
    inputs : DataFrame, Series, array or list
        A column for every coordinate, or values or tuples; they are compared as texts.
    count : int
        Draws for each input.
    from_prior : int
        In place of inputs: so many, drawn from the spec's prior.
    seed : int, optional
        Makes draws repeatable, and not private.
    frame : bool, optional
        Whether a frame is returned; by default if inputs are one.

    Returns
    -------
    array of labels, or DataFrame with a categorical column for each independent part
        Of continuous outputs an array of numbers, with a column for every coordinate.

    Examples
    --------
    >>> import oddsbound as ob
    >>> ob.sample("specs/gallery/warner.json", ["yes", "no", "yes"], seed=1).tolist()
    ['yes', 'no', 'yes']
    """
    read = as_spec(spec)
    if (inputs is None) == (from_prior == 0):
        raise SpecError("draws need inputs, or from_prior, and not both")
    listed = _inputs(read, inputs, from_prior, seed, limits)
    as_frame = _frames.is_frame(inputs) if frame is None else frame
    index = inputs.index if _frames.is_frame(inputs) and count == 1 else None
    try:
        parts = _Parts.of(read, limits)
    except SpecError:
        return _values(read, listed, count, seed, as_frame, limits, progress)
    numbers = called(_oddsbound.sample_numbers, read._native, listed, count, seed, len(parts.each), limits=limits,
                     progress=progress)
    return _frame(read, parts, numbers, index) if as_frame else _labels(parts, numbers)


def _values(spec: Spec, inputs: Any, count: int, seed: Optional[int], as_frame: bool, limits: Optional[Limits],
            progress: Progress) -> Any:
    columns, drawn = called(_oddsbound.sample_values, spec._native, inputs, count, seed, limits=limits,
                            progress=progress)
    values = _frames.numpy().array(drawn, dtype=object if columns is None else float)
    return _frames.pandas().DataFrame(values, columns=columns) if as_frame else values


class Estimates(Record):
    """What outputs say about inputs: ``value`` is exact, ``standard_error`` is rounded."""

    def _wrap(self, name: str, value: Any) -> Any:
        if name == "value" and isinstance(value, str):
            from ._numbers import exact
            return exact(value)
        if isinstance(value, dict):
            return Estimates(value)
        if isinstance(value, list):
            return [self._wrap(name, one) for one in value]
        return super()._wrap(name, value)

    def to_frame(self) -> Any:
        """An estimate for each row, rounded."""
        rows = []
        for group in self._data.get("marginals") or [self._data]:
            for one in group["estimates"]:
                rows.append({"target": one["target"], "value": float(self._wrap("value", one["value"])),
                             "standard_error": one["standard_error"]})
        return _frames.pandas().DataFrame(rows, columns=["target", "value", "standard_error"])


def _outputs_text(spec: Spec, outputs: Any, limits: Optional[Limits]) -> str:
    if not _frames.is_frame(outputs):
        array = _frames.numpy().asarray(outputs)
        return _vectors_text(spec, array) if array.ndim == 2 else _frames.outputs_text(outputs)
    if "output" in outputs.columns:
        return outputs.to_csv(index=False)  # type: ignore[no-any-return]
    try:
        parts = _Parts.of(spec, limits)
    except SpecError:
        return outputs.to_csv(index=False)  # type: ignore[no-any-return]
    columns = _part_columns(spec, parts)
    missing = [name for name in columns if name not in outputs.columns]
    if missing:
        raise SpecError(f"the frame has no column '{missing[0]}', and none called 'output'")
    counted = outputs.groupby(columns, observed=True, sort=False).size()
    told = [",".join(map(str, key)) if isinstance(key, tuple) else str(key) for key in counted.index]
    labels = [f"({label})" for label in told] if parts.tuples else told
    return _frames.pandas().DataFrame({"output": labels, "count": counted.to_numpy()}).to_csv(index=False)  # type: ignore[no-any-return]


def _vectors_text(spec: Spec, array: Any) -> str:
    names = [name for name, _, _ in spec._native.coordinates]
    return _frames.pandas().DataFrame(array, columns=names).to_csv(index=False)  # type: ignore[no-any-return]


def estimate(spec: SpecLike, outputs: Any, *, marginals: Sequence[Sequence[str]] = (),
             limits: Optional[Limits] = None) -> Estimates:
    """Unbiased estimates of the inputs' distribution from collected outputs.

    Parameters
    ----------
    spec : Spec, path or dict
    outputs : array, Series or DataFrame, or int
        Labels; or a frame as ``sample`` returns it, or with a column ``output`` (and ``count``). A number: the error to
        expect from so many outputs, before any are collected.
    marginals : lists of coordinates
        Every joint distribution that is asked for; by default all inputs.

    Examples
    --------
    >>> import oddsbound as ob
    >>> ob.estimate("specs/gallery/warner.json", ["yes"] * 60 + ["no"] * 40).estimates[1].value
    Fraction(7, 10)
    """
    read = as_spec(spec)
    wanted = [list(names) for names in marginals]
    if isinstance(outputs, int):
        return Estimates(json.loads(_oddsbound.estimate_error(read._native, outputs, wanted, limits or Limits())))
    text = _outputs_text(read, outputs, limits)
    return Estimates(json.loads(_oddsbound.estimate(read._native, text, "outputs", wanted, limits or Limits())))


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
        parts = _Parts.of(spec, limits)
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


def _all_labels(parts: _Parts) -> list[str]:
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


def read_table(path: PathLike, **options: Any) -> Any:
    """A CSV file as a frame of texts, as specs read it: no cell is taken for a number, or for missing."""
    return _frames.pandas().read_csv(path, dtype=str, keep_default_na=False, **options)
