"""Specs: from files, texts, dicts, or built of parts."""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from contextlib import contextmanager
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from . import _oddsbound
from ._building import Prior, stated_values
from ._errors import SpecError, in_python
from ._given import PathLike, flag, listed, mapping_of, path_of, text_of, unexpected
from ._plain import json_text, printable
from ._settings import Limits, limits_of

_FILE = "spec.json"


class Spec:
    """A spec: a mechanism, a prior for its inputs, and claims about its privacy (docs/spec-format.md).

    Parameters
    ----------
    source : path or dict, optional
        A spec file, or its JSON. Without it, the spec is built from the parts below.
    domain : dict, list or None
        ``{"sex": ["m", "f"], "age": 90}``: the values of each attribute, or their number. Or the JSON form. None: the
        values in the prior's table, or the categories of a categorical column.
    prior : Prior, dict or None
        ``prior(frame)``, or the JSON form.
    mechanism : Mechanism or dict
    claims : sequence of dict
    name, folder
        The spec's name; the folder that file names in the spec are relative to.
    rounded : bool
        Allow floats. Each is read as the decimal that it is printed as.
    limits : Limits, optional
        Limits for reading the spec.
    **more
        Other keys of the JSON: ``parameters``, ``symbols``, ``prior_sets``, ``description``, ``source``.

    Raises
    ------
    SpecError
        With ``file``, ``line``, ``column`` and ``pointer``.

    Examples
    --------
    >>> import oddsbound as ob
    >>> spec = ob.Spec(domain={"answer": ["no", "yes"]}, mechanism=ob.k_randomized_response(2, "log(3)"),
    ...                claims=[{"notion": "ldp", "epsilon": "log(3)"}])
    >>> ob.analyze(spec).ldp
    MeasuredLevel('log(3)')
    >>> ob.verify(spec).ok
    True
    """

    def __init__(self, source: Union[None, PathLike, Mapping[str, Any]] = None, *, domain: Any = None,
                 prior: Union[None, Prior, Mapping[str, Any]] = None, mechanism: Optional[Mapping[str, Any]] = None,
                 claims: Sequence[Mapping[str, Any]] = (), name: str = "spec", folder: PathLike = ".",
                 rounded: bool = False, limits: Optional[Limits] = None, **more: Any):
        if isinstance(source, (str, os.PathLike)):
            self._read_file(os.fspath(source), limits)
            return
        if source is not None and not isinstance(source, Mapping):
            raise unexpected(source, "a spec: a path, or a dict with its JSON")
        if prior is not None and not isinstance(prior, (Prior, Mapping)):
            raise unexpected(prior, "prior: a Prior, as prior(frame) makes one, or a dict with its JSON")
        files = dict(prior.files) if isinstance(prior, Prior) else {}
        if source is None:
            source = _built(domain, prior, mechanism, claims, name, more)
        self._read_text(json_text(source, flag(rounded, "rounded")), _FILE, path_of(folder, "folder: a path"), files, limits)
        self._check_values(source.get("mechanism"))

    @classmethod
    def from_text(cls, text: str, *, name: str = _FILE, folder: PathLike = ".",
                  files: Optional[Mapping[str, str]] = None, limits: Optional[Limits] = None) -> "Spec":
        """Reads a spec from its JSON. files: texts by file name, used in place of files on disk."""
        spec = cls.__new__(cls)
        given = {text_of(file, "files: names of files"): text_of(one, "files: texts of files")
                 for file, one in mapping_of({} if files is None else files, "files: a dict of texts by file name").items()}
        spec._read_text(text_of(text, "text"), text_of(name, "name"), path_of(folder, "folder: a path"), given, limits)
        return spec

    def _read_file(self, path: str, limits: Optional[Limits]) -> None:
        if os.path.isdir(path):
            message, hint = "this is a directory, expected a spec file", f"for all of its specs: sorted(pathlib.Path({path!r}).rglob('*.json'))"
            raise SpecError(f"{path}: {message} ({hint})", file=path, message=message, hint=hint)
        self._path: Optional[str] = path
        self._text, self._file, self._folder = "", path, "."
        self._files: dict[str, str] = {}
        self._native = _oddsbound.read_path(path, limits_of(limits))

    def _read_text(self, text: str, file: str, folder: str, files: dict[str, str], limits: Optional[Limits]) -> None:
        self._path = None
        self._text, self._file, self._folder, self._files = text, file, folder, files
        self._native = _oddsbound.read_string(text, file, folder, files, limits_of(limits))

    def _check_values(self, mechanism: Any) -> None:
        values = {name: len(known) for name, known, _ in self._native.coordinates}
        inputs = 1
        for number in values.values():
            inputs *= number
        for attribute, stated in stated_values(mechanism):
            have = inputs if attribute is None else values.get(attribute, stated)
            if have != stated:
                pointer = "/mechanism" if attribute is None else f"/mechanism/mechanisms/{attribute}"
                message = f"the mechanism is for {stated} values, and there are {have}"
                raise SpecError(f"{_FILE}: {pointer}: {message}", file=_FILE, pointer=pointer, message=message)

    @property
    def name(self) -> str:
        return self._native.name

    @property
    def file(self) -> str:
        """The name of the spec's file in errors and results."""
        return self._native.file

    @property
    def path(self) -> str:
        """The file that the spec was read from. Raises SpecError if it was built, or read from a text."""
        if self._path is None:
            raise SpecError(f"this is asked of a spec's file, and '{self.name}' was not read from one: save it, and read "
                            "it from there")
        return self._path

    @property
    def notes(self) -> list[str]:
        """Parts of the spec that are probably not intended."""
        return [in_python(one) for one in self._native.notes]

    @property
    def domain(self) -> dict[str, list[str]]:
        """The values of each coordinate."""
        return {name: list(values) for name, values, _ in self._native.coordinates}

    @property
    def has_prior(self) -> bool:
        return self._native.has_prior

    @property
    def text(self) -> str:
        """The JSON, as it was read."""
        return pathlib.Path(self._path).read_text(encoding="utf-8") if self._path is not None else self._text

    def to_dict(self) -> dict[str, Any]:
        """Returns the JSON of the spec."""
        return json.loads(self.text)  # type: ignore[no-any-return]

    def save(self, path: PathLike) -> pathlib.Path:
        """Writes the spec, and next to it the tables that it was built from."""
        target = pathlib.Path(path_of(path))
        for name, text in {**self._files, target.name: self.text}.items():
            _oddsbound.write_whole(os.fsencode(target.parent / name), text)
        return target

    @contextmanager
    def _as_file(self) -> Iterator[str]:
        """A path, for what is asked of files."""
        if self._path is not None:
            yield self._path
            return
        self._require_own_files()
        with tempfile.TemporaryDirectory(prefix="oddsbound-") as folder:
            yield str(self.save(pathlib.Path(folder) / _FILE))

    def _require_own_files(self) -> None:
        if self._folder != ".":
            raise SpecError("this is asked of files: write the spec to its folder (save) and name the file")

    def __repr__(self) -> str:
        coordinates = ", ".join(f"{name} ({len(values)})" for name, values, _ in self._native.coordinates)
        return printable(f"<Spec {self.name}: {coordinates}>")

    def _repr_html_(self) -> str:
        from ._runs import analyze
        return analyze(self)._repr_html_()

    def __reduce__(self) -> Any:
        if self._path is not None:
            return Spec, (self._path,)
        return _from_parts, (self._text, self._file, self._folder, self._files)


def _from_parts(text: str, file: str, folder: str, files: dict[str, str]) -> Spec:
    return Spec.from_text(text, name=file, folder=folder, files=files)


def _built(domain: Any, prior: Any, mechanism: Any, claims: Any, name: str, more: Mapping[str, Any]) -> dict[str, Any]:
    if mechanism is None:
        raise SpecError("a spec needs a mechanism")
    if not isinstance(mechanism, Mapping):
        raise unexpected(mechanism, "mechanism: as family(name) or matrix(rows) makes one, or a dict with its JSON")
    shown = prior.domain if isinstance(prior, Prior) else None
    document: dict[str, Any] = {"oddsbound": 1, "name": name, **more, "domain": _domain(domain, shown)}
    if prior is not None:
        document["prior"] = prior.json if isinstance(prior, Prior) else prior
    return {**document, "mechanism": mechanism, "claims": listed(claims, "claims: a list of dicts")}


def _domain(domain: Any, shown: Optional[list[dict[str, Any]]]) -> Any:
    if domain is None:
        if shown is None:
            raise SpecError("a spec needs a domain, as {'sex': ['m', 'f']}: no table shows its values")
        return shown
    if not isinstance(domain, Mapping):
        return domain
    return [{"name": name, "size" if isinstance(values, int) else "values": values} for name, values in domain.items()]


def read(path: PathLike, *, limits: Optional[Limits] = None) -> Spec:
    """Reads a spec file.

    Examples
    --------
    >>> import oddsbound as ob
    >>> ob.read("specs/gallery/warner.json")
    <Spec warner: answer (2)>
    """
    return Spec(path_of(path, "the path of a spec"), limits=limits)
