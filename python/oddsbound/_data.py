"""Draws and estimates."""
from __future__ import annotations

import json
from typing import Any, Optional, Sequence

from . import _frames, _oddsbound
from ._errors import SpecError
from ._parts import Parts
from ._results import Record
from ._runs import SpecLike, as_spec
from ._settings import Limits, Progress, called
from ._specs import PathLike, Spec


def _inputs(spec: Spec, inputs: Any, from_prior: int, seed: Optional[int], limits: Optional[Limits]) -> Any:
    native = spec._native
    if inputs is None:
        return _oddsbound.draw_inputs(native, from_prior, seed, limits or Limits())
    return _oddsbound.inputs_of(native, _frames.digits_of(inputs, native.coordinates, native.unread))


def _labels(parts: Parts, numbers: Any) -> Any:
    """The label of every draw."""
    numpy = _frames.numpy()
    columns = [numpy.array(labels, dtype=object)[numbers[:, place]] for place, (labels, _) in enumerate(parts.each)]
    if not parts.tuples:
        return columns[0]
    labels = "(" + columns[0]
    for column in columns[1:]:
        labels = labels + "," + column
    return labels + ")"


def _part_columns(spec: Spec, parts: Parts) -> list[str]:
    """What the columns of a frame of outputs are called: what each part sees, where that tells them apart."""
    names = [name for name, _, _ in spec._native.coordinates]
    if not parts.tuples and len(names) > 1:
        return ["output"]
    seen = [",".join(names[place] for place in coordinates) for _, coordinates in parts.each]
    return seen if len(set(seen)) == len(seen) else [f"output{place + 1}" for place in range(len(seen))]


def _frame(spec: Spec, parts: Parts, numbers: Any, index: Any) -> Any:
    pandas = _frames.pandas()
    columns = {}
    for place, (name, (labels, _)) in enumerate(zip(_part_columns(spec, parts), parts.each)):
        codes = numbers[:, place].astype("int8" if len(labels) < 128 else "int32")
        columns[name] = pandas.Categorical.from_codes(codes, categories=labels)
    return pandas.DataFrame(columns, index=index)


def sample(spec: SpecLike, inputs: Any = None, *, count: int = 1, from_prior: int = 0, seed: Optional[int] = None,
           frame: Optional[bool] = None, limits: Optional[Limits] = None, progress: Progress = None) -> Any:
    """Draws outputs for the inputs in order, with cryptographic randomness.

    Parameters
    ----------
    spec : Spec, path or dict
    inputs : DataFrame, Series, array or list
        A frame with one column per coordinate, or a list of values, tuples or dicts. Values are compared as texts.
        Coordinates that the mechanism does not read may be omitted (docs/mechanisms.md).
    count : int
        Draws per input.
    from_prior : int
        Instead of inputs: the number of inputs to draw from the spec's prior.
    seed : int, optional
        Makes draws reproducible, and not private.
    frame : bool, optional
        Whether to return a frame. Default: if the inputs are a frame.

    Returns
    -------
    array of labels, or DataFrame with one categorical column per independent part
        For continuous outputs, an array of numbers with one column per coordinate.

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
        parts = Parts.of(read, limits)
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
    """Estimates from outputs: ``value`` is exact, ``standard_error`` is rounded."""

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
        """Returns a frame with one estimate per row, rounded."""
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
        parts = Parts.of(spec, limits)
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
    if names and array.shape[1] > len(names) and array.shape[1] % len(names) == 0:  # answers in several copies
        names = [f"{name}.{copy + 1}" for copy in range(array.shape[1] // len(names)) for name in names]
    if array.shape[1] != len(names):
        raise SpecError(f"outputs have {array.shape[1]} numbers, expected one for each of the {len(names)} coordinates")
    return _frames.pandas().DataFrame(array, columns=names).to_csv(index=False)  # type: ignore[no-any-return]


def estimate(spec: SpecLike, outputs: Any, *, marginals: Sequence[Sequence[str]] = (),
             limits: Optional[Limits] = None) -> Estimates:
    """Estimates the distribution of the inputs from collected outputs, without bias.

    Parameters
    ----------
    spec : Spec, path or dict
    outputs : array, Series or DataFrame, or int
        Labels, or a frame as ``sample`` returns it, or a frame with a column ``output`` (and ``count``). An integer:
        compute the expected error for this number of outputs.
    marginals : lists of coordinates
        The joint distributions to estimate. Default: that of all inputs.

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


def least_squares(spec: SpecLike, outputs: Any, label: str, *, radius: float = 1,
                  limits: Optional[Limits] = None) -> Record:
    """Predicts one coordinate linearly from the others, with answers in two copies (docs/mechanisms.md). Rounded.

    Parameters
    ----------
    spec : Spec, path or dict
        A mechanism with ``copies`` 2: ``bcdp_mean`` or ``bcdp_mean_l2``.
    outputs
        As for ``estimate``.
    label : str
        The coordinate to predict.
    radius : float
        The maximum length of the coefficient vector.

    Returns
    -------
    Record
        ``coefficients`` (each with ``feature`` and ``value``), ``length``, ``gain``, ``least_eigenvalue``, ``outputs``.

    Examples
    --------
    >>> import oddsbound as ob
    >>> drawn = ob.sample("specs/gallery/two-copies.json", from_prior=100_000, seed=1)
    >>> found = ob.least_squares("specs/gallery/two-copies.json", drawn, "l")
    >>> {one.feature: round(one.value, 3) for one in found.coefficients}
    {'z1': 0.446, 'z2': 0.075}
    """
    read = as_spec(spec)
    text = _outputs_text(read, outputs, limits)
    return Record(json.loads(_oddsbound.least_squares(read._native, text, "outputs", label, radius, limits or Limits())))


def read_table(path: PathLike, **options: Any) -> Any:
    """Reads a CSV file as a frame of strings, as specs read it: no cell is a number or missing."""
    return _frames.pandas().read_csv(path, dtype=str, keep_default_na=False, **options)
