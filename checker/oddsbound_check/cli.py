"""The command: which certificates are checked against which specs, for how long, and how the results are written.

oddsbound-check SPEC... CERTIFICATE... (pairing.py says which belong together)"""
import argparse
import io
import json
import os
import signal
import sys
import time
from typing import Any, Iterator, Optional

from . import __version__
from .certificate import read
from .pairing import pairs_of
from .proofs import network, search
from .report import ACCEPTED, NOT_AS_EXPECTED, PRECEDENCE, UNREADABLE, WORDS, Line, OutOfTime, failed, printable, require, worst
from .spec import Spec, read_spec
from .verdicts import Verdicts

UPPER_BOUNDS = {"search": search.check, "network": network.check}


class Limit:
    """A context that raises OutOfTime in the main thread after some seconds."""

    def __init__(self, seconds: Optional[float]) -> None:
        self.seconds = seconds

    def __enter__(self) -> None:
        if self.seconds is not None:
            signal.signal(signal.SIGALRM, self.end)
            # Again and again: an exception is lost if it is raised where Python ignores exceptions.
            signal.setitimer(signal.ITIMER_REAL, max(self.seconds, 1e-6), 0.1)

    def __exit__(self, *_: Any) -> None:
        if self.seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def end(self, *_: Any) -> None:
        raise OutOfTime(f"{self.seconds:g}")


def check(spec: str, path: str, only: Optional[set[int]] = None, seconds: Optional[float] = None, kept: Optional[dict[str, Spec]] = None,
          coordinate: Optional[str] = None) -> Iterator[Line]:
    """Yields the lines of one certificate. only: numbers of claims; coordinate: of upper bounds; kept: {path: spec} of the
    specs that were read before."""
    try:
        for own in (spec, path):
            if not os.path.isfile(own):  # a device or a pipe may never end
                raise FileNotFoundError(f"there is no file {own}")
        with Limit(seconds):
            kept = {} if kept is None else kept
            kept[spec] = kept.get(spec) or read_spec(spec)
            document = read(path)
            require(isinstance(document, dict), "a certificate is a JSON object")
        kind = document.get("certificate")
        if kind == "claims":
            for claim in only or ():
                if claim not in range(len(kept[spec].claims)):
                    raise LookupError(f"the spec has no claim {claim}")
            verdicts = Verdicts(kept[spec], document)
            try:
                yield from verdicts.lines(only, Limit(seconds))
            finally:
                kept[spec] = verdicts.spec  # another one, if a claim was not done in time
            return
        require(isinstance(kind, str) and kind in UPPER_BOUNDS, "this is no certificate of verdicts, nor of upper bounds")
        require(only is None, "it is not about claims")
        lines = UPPER_BOUNDS[kind](kept[spec], document, coordinate)
        while True:
            with Limit(seconds):
                line = next(lines, None)
            if line is None:
                return
            yield line
    except BrokenPipeError:
        raise
    except (Exception, OutOfTime) as error:  # whatever a file makes of the readers: no traceback
        yield failed(error)


# Output.

class Output:
    """as_json: everything at the end; else line by line, each certificate after its name if there are several."""

    def __init__(self, as_json: bool, several: bool) -> None:
        self.as_json, self.several, self.documents, self.lines = as_json, several, list[dict[str, Any]](), list[Line]()
        self.shows_progress, self.shown = sys.stderr.isatty(), False

    def begin(self, spec: str, path: str) -> None:
        self.documents.append({"spec": printable(spec), "certificate": printable(path), "claims": []})
        if self.several and not self.as_json:
            print(printable(f"{spec}: {path}"))

    def progress(self, text: str) -> None:
        """One line on a terminal, which the next one replaces."""
        if self.shows_progress:
            print(f"\r\x1b[K{printable(text)[:100]}", end="", file=sys.stderr, flush=True)
            self.shown = bool(text)

    def line(self, line: Line) -> None:
        if self.shown:
            self.progress("")
        self.lines.append(line)
        if self.documents:
            self.documents[-1]["claims"].append(line.document())
        if not self.as_json:
            print("  " * self.several + str(line), flush=True)

    def end(self, alone: list[Line]) -> int:
        for line in alone:
            self.lines.append(line)
            if not self.as_json:
                print(line)
        status = worst(line.status for line in self.lines)
        words = (WORDS[ACCEPTED], NOT_AS_EXPECTED, *(WORDS[own] for own in PRECEDENCE[:3]))
        counts = {word: sum(line.said == word for line in self.lines) for word in words}
        if self.as_json:
            json.dump({"oddsbound_check": 1, "version": __version__, "status": status, "counts": counts, "certificates": self.documents,
                       "without_partner": [line.document() for line in alone]}, sys.stdout)
            print()
        elif self.several:
            print(f"{len(self.documents)} certificates: " + ", ".join(f"{count} {word}" for word, count in counts.items() if count))
        return status


def numbers(text: str) -> set[int]:
    return {int(number) for number in text.split(",")}


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="oddsbound-check", description="Checks certificates of oddsbound against specs, without oddsbound.",
                                     epilog="Exit status: 0 every claim is proved and as expected, 1 a proof is rejected or a verdict is not the expected "
                                     "one, 2 a file cannot be read, 3 a claim is not proved.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a spec, and its certificates; or folders of specs and of certificates")
    parser.add_argument("--claims", type=numbers, metavar="N,M", help="check these claims only")
    parser.add_argument("--coordinate", metavar="NAME", help="of a certificate of upper bounds, check this coordinate only")
    parser.add_argument("--max-seconds", type=float, metavar="S", help="for each claim; one that is not done in time is not proved")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--version", action="version", version=f"oddsbound-check {__version__}")
    return parser


def main(given: Optional[list[str]] = None) -> int:
    arguments = options().parse_args(given)
    if len(arguments.files) < 2 and not os.path.isdir(arguments.files[0]):
        options().error("a spec and a certificate are needed, or folders of them")
    pairs, alone = pairs_of(arguments.files)
    output, kept = Output(arguments.format == "json", len(pairs) + len(alone) > 1), dict[str, Spec]()
    for number, (spec, path) in enumerate(pairs):
        begun, done = time.monotonic(), 0
        output.begin(spec, path)
        kept = {spec: kept[spec]} if kept.get(spec) else {}
        output.progress(f"certificate {number + 1} of {len(pairs)}: {path}")
        for line in check(spec, path, arguments.claims, arguments.max_seconds, kept, arguments.coordinate):
            output.line(line)
            done += 1
            output.progress(f"certificate {number + 1} of {len(pairs)}: {path}: {done} claims, {time.monotonic() - begun:.0f} s")
        output.progress("")
    return output.end(alone)


def run() -> int:
    """The command; 2 if its output is not read to the end."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        status = main()
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREADABLE
    except KeyboardInterrupt:
        return 130
