"""Draws and estimates."""
from __future__ import annotations

import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, Iterable, Literal, Mapping, Optional, Protocol, Sequence, Union, overload

from . import _frames, _oddsbound
from ._errors import SpecError
from ._given import PathLike, flag, listed, mapping_of, path_of, real, seed_of, text_of, unexpected, whole
from ._numbers import Exact, ExactLike, exact
from ._parts import Parts
from ._plain import printable
from ._results import Record
from ._runs import SpecLike, as_spec
from ._settings import Limits, Progress, called, limits_of
from ._specs import Spec

if TYPE_CHECKING:
    import pandas
    from numpy.typing import NDArray


class FrameLike(Protocol):
    """What is taken for a frame: a pandas DataFrame, and what looks like one."""

    @property
    def columns(self) -> Any: ...
    @property
    def iloc(self) -> Any: ...


Outputs = Union[Iterable[object], FrameLike, PathLike]


def _inputs(spec: Spec, inputs: Any, from_prior: int, seed: Optional[int], limits: Optional[Limits]) -> Any:
    native = spec._native
    if inputs is None:
        return _oddsbound.draw_inputs(native, from_prior, seed, limits_of(limits))
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


@overload
def sample(spec: SpecLike, inputs: Union[FrameLike, PathLike], *, count: int = 1, from_prior: int = 0,
           seed: Optional[int] = None, frame: Optional[Literal[True]] = None, limits: Optional[Limits] = None,
           progress: Progress = None) -> "pandas.DataFrame": ...
@overload
def sample(spec: SpecLike, inputs: Optional[Iterable[object]] = None, *, count: int = 1, from_prior: int = 0,
           seed: Optional[int] = None, frame: Literal[True], limits: Optional[Limits] = None,
           progress: Progress = None) -> "pandas.DataFrame": ...
@overload
def sample(spec: SpecLike, inputs: Optional[Iterable[object]] = None, *, count: int = 1, from_prior: int = 0,
           seed: Optional[int] = None, frame: Optional[Literal[False]] = None, limits: Optional[Limits] = None,
           progress: Progress = None) -> "NDArray[Any]": ...
def sample(spec: SpecLike, inputs: Any = None, *, count: int = 1, from_prior: int = 0, seed: Optional[int] = None,
           frame: Optional[bool] = None, limits: Optional[Limits] = None, progress: Progress = None) -> Any:
    """Draws outputs for the inputs in order, with cryptographic randomness.

    Parameters
    ----------
    spec : Spec, path or dict
    inputs : DataFrame, Series, array, list or path
        A frame, or a CSV file, with one column per coordinate; or a list of values, tuples or dicts. Values are compared
        as texts.
        Coordinates that the mechanism does not read may be omitted (docs/mechanisms.md).
    count : int
        Draws per input.
    from_prior : int
        Instead of inputs: the number of inputs to draw from the spec's prior.
    seed : int, optional
        Makes draws reproducible, and not private.
    frame : bool, optional
        True returns a frame. By default, inputs in a frame or a file give a frame.

    Returns
    -------
    array of labels, as texts such as ``"(1st,female,child)"``, or DataFrame with one categorical column per independent part
        For continuous outputs, an array of numbers with one column per coordinate.

    Examples
    --------
    >>> import oddsbound as ob
    >>> ob.sample("specs/gallery/warner.json", ["yes", "no", "yes"], seed=1).tolist()
    ['yes', 'no', 'yes']
    """
    read, count, from_prior, seed = as_spec(spec), whole(count, "count"), whole(from_prior, "from_prior"), seed_of(seed)
    if isinstance(inputs, (str, os.PathLike)):
        inputs = read_table(inputs)
    if inputs is not None and not hasattr(inputs, "__iter__"):
        raise unexpected(inputs, "inputs: a list of values, a frame, or the path of a CSV file")
    if (inputs is None) == (from_prior == 0):
        raise SpecError("draws need inputs, or from_prior, and not both")
    chosen = _inputs(read, inputs, from_prior, seed, limits)
    as_frame = _frames.is_frame(inputs) if frame is None else flag(frame, "frame")
    index = inputs.index if _frames.is_frame(inputs) and count == 1 else None
    try:
        parts = Parts.of(read, limits)
    except SpecError:
        return _values(read, chosen, count, seed, as_frame, limits, progress)
    numbers = called(_oddsbound.sample_numbers, read._native, chosen, count, seed, len(parts.each), limits=limits,
                     progress=progress)
    return _frame(read, parts, numbers, index) if as_frame else _labels(parts, numbers)


def _values(spec: Spec, inputs: Any, count: int, seed: Optional[int], as_frame: bool, limits: Optional[Limits],
            progress: Progress) -> Any:
    columns, drawn = called(_oddsbound.sample_values, spec._native, inputs, count, seed, limits=limits,
                            progress=progress)
    values = _frames.numpy().array(drawn, dtype=object if columns is None else float)
    return _frames.pandas().DataFrame(values, columns=columns) if as_frame else values


_QUANTILE = 1.959964  # of the normal distribution, at 97.5 %


class Estimates(Record):
    """Estimates from outputs: ``value`` is exact; ``standard_error`` and ``projected`` are rounded."""

    target: str
    value: Union[Exact, float]
    standard_error: float
    projected: float
    coordinates: list[str]
    estimates: list["Estimates"]
    marginals: list["Estimates"]
    outputs: int
    unbiased: Optional[bool]

    def _wrap(self, name: str, value: Any) -> Any:
        if name == "value" and isinstance(value, str):
            from ._numbers import exact
            return exact(value)
        if isinstance(value, dict):
            return Estimates(value)
        if isinstance(value, list):
            return [self._wrap(name, one) for one in value]
        return super()._wrap(name, value)

    def to_frame(self) -> "pandas.DataFrame":
        """Returns a frame with one estimate per row, rounded.

        ``lower`` and ``upper`` are the ends of the 95 % interval: the value -+ 1.96 standard errors, cut to the range
        from 0 to 1 if the estimates are projected.
        """
        rows = []
        projected = False
        for group in self._data.get("marginals") or [self._data]:
            for one in group["estimates"]:
                value, error = float(self._wrap("value", one["value"])), one["standard_error"]
                row = {"target": one["target"], "value": value, "standard_error": error,
                       "lower": value - _QUANTILE * error, "upper": value + _QUANTILE * error}
                if "projected" in one:
                    projected = True
                    row["projected"] = one["projected"]
                    row["lower"], row["upper"] = (min(max(row[end], 0.0), 1.0) for end in ("lower", "upper"))
                rows.append(row)
        names = ["target", "value", "standard_error", "lower", "upper", *(["projected"] if projected else [])]
        return _frames.pandas().DataFrame(rows, columns=names)

    def _groups(self) -> list[dict[str, Any]]:
        return self._data.get("marginals") or ([self._data] if "estimates" in self._data else [])

    def _expected_errors(self) -> list[str]:
        """What is known before there are outputs."""
        return [f"{','.join(map(printable, one.get('coordinates', []))) or 'inputs'} {float(one['mean_squared_error']['upper']):.3g}"
                for one in self._groups() if not one["estimates"] and "mean_squared_error" in one]

    def __repr__(self) -> str:
        if "target" in self._data and "value" in self._data:
            return f"<Estimates {printable(self.target)}: {float(self.value):.6g} +- {self.standard_error:.3g}>"
        head = f"Estimates {printable(self._data['name'])}" if "name" in self._data else "Estimates"
        groups, outputs = self._groups(), self._data.get("outputs")
        if not groups:
            return super().__repr__()
        of_outputs = "" if outputs is None else f" from {outputs} outputs"
        if errors := self._expected_errors():
            return f"<{head}: mean squared error{of_outputs}: {', '.join(errors)}>"
        return f"<{head}: {sum(len(one['estimates']) for one in groups)} values{of_outputs}>"

    def __str__(self) -> str:
        has_values = any(one["estimates"] for one in self._groups())
        return str(self.to_frame().to_string(index=False)) if has_values else repr(self)

    def _repr_html_(self) -> str:
        if "estimates" in self._data or "marginals" in self._data:
            return str(self.to_frame().to_html())
        return super()._repr_html_()


def _outputs_text(spec: Spec, outputs: Any, limits: Optional[Limits]) -> str:
    if isinstance(outputs, (str, os.PathLike)):
        outputs = read_table(outputs)
    if not hasattr(outputs, "__iter__"):
        raise unexpected(outputs, "outputs: a list of labels, a frame, or the path of a CSV file")
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


def write_outputs(spec: SpecLike, outputs: Outputs, path: PathLike, *, limits: Optional[Limits] = None) -> pathlib.Path:
    """Writes outputs to the CSV file that ``oddsbound estimate`` reads.

    Parameters
    ----------
    spec : Spec, path or dict
    outputs
        As for ``estimate``: labels, or a frame as ``sample`` returns it.
    path
        The file. Each different output is written once, with its count.

    Examples
    --------
    >>> import oddsbound as ob, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = ob.write_outputs("specs/gallery/warner.json", ["yes", "no", "yes"], pathlib.Path(folder) / "answers.csv")
    ...     print(file.read_text(), end="")
    output,count
    yes,2
    no,1
    """
    text = _outputs_text(as_spec(spec), outputs, limits)
    target = pathlib.Path(path_of(path))
    _oddsbound.write_whole(os.fsencode(target), text)
    return target


def _marginals(given: Union[str, Iterable[Union[str, Sequence[str]]]]) -> list[list[str]]:
    """A name stands for the distribution of this coordinate alone."""
    example = "marginals: names of coordinates, as marginals=['smokes', ['sex', 'age']]"
    several = [given] if isinstance(given, str) else listed(given, example)
    return [[names] if isinstance(names, str) else [text_of(one, example) for one in listed(names, example)] for names in several]


def estimate(spec: SpecLike, outputs: Optional[Union[Outputs, int]] = None, *, marginals: Union[str, Iterable[Union[str, Sequence[str]]]] = (),
             project: bool = False, people_for: Optional[ExactLike] = None, theory: bool = False,
             limits: Optional[Limits] = None) -> Estimates:
    """Estimates the distribution of the inputs from collected outputs, without bias.

    Parameters
    ----------
    spec : Spec, path or dict
    outputs : array, Series or DataFrame, path, or int
        Labels, or a frame as ``sample`` returns it, or a frame or CSV file with a column ``output`` (and ``count``). An
        integer: compute the expected error for this number of outputs.
    marginals : list
        The distributions to estimate: ``["smokes", ["sex", "age"]]`` are that of one coordinate, and a joint one.
        Default: that of all inputs.
    project : bool
        Also compute ``projected``, the nearest distribution, whose shares are from 0 to 1 with sum 1. It is biased.
    people_for : number
        In place of outputs: how many people are needed for an expected total variation distance of at most this. The result has
        ``people_for`` with ``enough`` and, if some number is proved not to be enough, ``too_few``.
    theory : bool
        Also the papers' bounds on the error, for mechanisms that have some. The result has ``theory``, each with ``of``, ``source``,
        ``value`` and ``has_constant``, which is false if the paper leaves out a constant factor.

    Examples
    --------
    >>> import oddsbound as ob
    >>> ob.estimate("specs/gallery/warner.json", ["yes"] * 60 + ["no"] * 40).estimates[1].value
    Fraction(7, 10)
    """
    read = as_spec(spec)
    wanted = _marginals(marginals)
    if people_for is not None:
        if outputs is not None or flag(project, "project") or flag(theory, "theory"):
            raise SpecError("found people_for beside outputs, project or theory, expected it alone")
        return Estimates(json.loads(_oddsbound.estimate_error(read._native, 0, wanted, str(exact(people_for)), False, limits_of(limits))))
    if outputs is None:
        raise SpecError("found no outputs, expected outputs, their number, or people_for")
    if isinstance(outputs, int):
        outputs = whole(outputs, "outputs", 1)
        if flag(project, "project"):
            raise SpecError("the error to expect is that of unbiased estimates, which are not projected")
        return Estimates(json.loads(_oddsbound.estimate_error(read._native, outputs, wanted, "", flag(theory, "theory"), limits_of(limits))))
    text = _outputs_text(read, outputs, limits)
    return Estimates(json.loads(_oddsbound.estimate(read._native, text, "outputs", wanted, flag(project, "project"), flag(theory, "theory"), limits_of(limits))))


def _box(given: Union[tuple[float, float], Mapping[str, tuple[float, float]], None]) -> list[tuple[str, tuple[float, float]]]:
    example = "box: the least and the greatest coefficient, as box=(-1, 1), or by coordinate, as box={'z1': (0, 1)}"
    if given is None:
        return []
    named: Any = mapping_of(given, example).items() if hasattr(given, "keys") else [("", given)]
    found = []
    for name, ends in named:
        pair = listed(ends, example)
        if len(pair) != 2:
            raise SpecError(f"found {len(pair)} numbers, expected {example}")
        found.append((text_of(name, example), (real(pair[0], "box"), real(pair[1], "box"))))
    return found


def least_squares(spec: SpecLike, outputs: Outputs, label: str, *, radius: Optional[float] = None, center: Optional[Mapping[str, float]] = None,
                  box: Union[tuple[float, float], Mapping[str, tuple[float, float]], None] = None, simplex: bool = False,
                  theory: bool = False, limits: Optional[Limits] = None) -> Record:
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
        The maximum length of the coefficient vector; 1 by default.
    center : dict
        With a radius: coefficients of this vector are the center of the ball; 0 for coordinates without one.
    box : tuple or dict
        In place of a radius: the least and the greatest coefficient, for all coordinates or by coordinate.
    simplex : bool
        In place of a radius: coefficients of at least 0 with sum 1.
    theory : bool
        Also the BCDP paper's bound on the error, as for ``estimate``.

    Returns
    -------
    Record
        ``coefficients`` (each with ``feature`` and ``value``), ``region``, ``length``, ``gain``, ``least_eigenvalue``, ``outputs``.

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
    ranges, in_simplex = _box(box), flag(simplex, "simplex")
    if (radius is not None) + (box is not None) + in_simplex > 1:
        raise SpecError("found several of radius, box and simplex, expected one: which coefficients are allowed")
    if box is not None and not ranges:
        raise SpecError("found no range of coefficients, expected box=(-1, 1), or ranges by coordinate")
    given = {} if center is None else mapping_of(center, "center: coefficients by coordinate, as center={'z1': 0.5}")
    centers = [(text_of(name, "center"), real(value, "center")) for name, value in given.items()]
    return Record(json.loads(_oddsbound.least_squares(
        read._native, text, "outputs", text_of(label, "label"), real(1 if radius is None else radius, "radius"), centers, ranges, in_simplex,
        flag(theory, "theory"), limits_of(limits))))


def read_table(path: PathLike, **options: Any) -> "pandas.DataFrame":
    """Reads a CSV file as a frame of strings, as specs read it: no cell is a number or missing."""
    file = path_of(path)
    try:
        return _frames.pandas().read_csv(file, dtype=str, keep_default_na=False, **options)
    except ValueError as error:  # of pandas' reader, and of texts that are not UTF-8
        raise SpecError(f"{file}: expected a CSV file: {error}", file=file) from error
