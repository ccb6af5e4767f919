"""Which certificates belong to which specs, of the files and folders that were named.

A file is a certificate if it says so ("certificate"). A certificate of verdicts names the SHA-256 of its spec; of several
equal specs, the nearest one is meant: by the path that the certificate names, then by where the certificate is. What
names no hash, or that of no spec, belongs to a spec of the same file name, or to the only one."""
import hashlib
import json
import os
from pathlib import Path
from typing import Iterable, Optional, Sequence

from .reading import MOST_BYTES, unique
from .report import NOT_PROVED, UNREADABLE, Line


class File:
    """named: by the user, and not found in a folder. document: its top level; it must be JSON."""

    def __init__(self, path: str, named: bool) -> None:
        if not os.path.isfile(path) or os.path.getsize(path) > MOST_BYTES:
            raise OSError("there is no such file, or it is too large")
        with open(path, "rb") as file:
            content = file.read()
        self.path, self.named, self.digest = path, named, hashlib.sha256(content).hexdigest()
        document = json.loads(content, object_pairs_hook=unique)
        self.document = document if isinstance(document, dict) else {}

    @property
    def is_certificate(self) -> bool:
        return "certificate" in self.document

    @property
    def is_spec(self) -> bool:
        return not self.is_certificate and (self.named or ("domain" in self.document and bool(self.document.get("claims"))))

    @property
    def told_hash(self) -> Optional[str]:
        files = self.document.get("files")
        first = files[0].get("sha256") if isinstance(files, list) and files and isinstance(files[0], dict) else None
        return first if isinstance(first, str) else None

    @property
    def told_path(self) -> tuple[str, ...]:
        named = self.document.get("file")
        return Path(named).parts if isinstance(named, str) else ()


def paths_in(paths: Sequence[str]) -> Iterable[tuple[str, bool]]:
    """(path, whether it was named itself) of files, and of all JSON files in folders; each once."""
    found: dict[str, bool] = {}
    for path in paths:
        if os.path.isdir(path):
            for own in sorted(Path(path).rglob("*.json")):
                found.setdefault(str(own), False)
        else:
            found[path] = True
    return found.items()


def alike(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    """How many parts agree from the beginning on."""
    return len(os.path.commonprefix((first, second)))


def nearest(specs: Sequence[File], certificate: File) -> Optional[File]:
    def nearness(spec: File) -> tuple[int, int]:
        ends = alike(Path(spec.path).parts[::-1], certificate.told_path[::-1])
        return ends, alike(Path(os.path.abspath(spec.path)).parts, Path(os.path.abspath(certificate.path)).parts)
    return max(specs, key=nearness) if specs else None


def pairs_of(paths: Sequence[str]) -> tuple[list[tuple[str, str]], list[Line]]:
    """([(spec, certificate)], lines about files without a partner)."""
    if len(paths) == 2 and not any(map(os.path.isdir, paths)):
        return [(paths[0], paths[1])], []
    files, alone = [], []
    for path, named in paths_in(paths):
        try:
            files.append(File(path, named))
        except (OSError, ValueError, RecursionError, MemoryError) as error:
            alone.append(Line(UNREADABLE, path, f"{type(error).__name__}: {str(error)[:200]}"))
    specs, certificates = [file for file in files if file.is_spec], [file for file in files if file.is_certificate]
    found = {own.path: nearest([spec for spec in specs if spec.digest == own.told_hash], own) for own in certificates}
    known = {spec.path for spec in found.values() if spec is not None}
    for own in certificates:
        if found[own.path] is None:
            named_so = [spec for spec in specs if own.told_path and os.path.basename(spec.path) == own.told_path[-1]]
            free = [spec for spec in named_so if not own.told_hash or spec.path not in known]
            found[own.path] = nearest(free, own) or (specs[0] if len(specs) == 1 and own.named else None)
    for own in certificates:
        if found[own.path] is None:
            alone.append(Line(UNREADABLE if own.named else NOT_PROVED, own.path, "a certificate of no spec that was given"))
    pairs = sorted((spec.path, path) for path, spec in found.items() if spec is not None)
    checked = {spec for spec, _ in pairs}
    alone += [Line(NOT_PROVED, spec.path, "no certificate of it was given") for spec in specs if spec.path not in checked]
    if not files and not alone:
        alone.append(Line(UNREADABLE, "", "there are no JSON files in these folders"))
    return pairs, alone
