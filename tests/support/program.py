"""Runs the program under test and reads its JSON: use(BINARY) first, then run and run_on."""
import json
import os
import subprocess
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
binary = ""


def use(path):
    global binary
    binary = os.path.abspath(path)


def run(*arguments, as_json=True):
    """The JSON that a command prints, or its text. Paths are relative to the project's folder."""
    words = [*arguments, "--format", "json"] if as_json else arguments
    result = subprocess.run([binary, *words], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    if result.returncode not in (0, 1):
        raise RuntimeError(f"oddsbound {' '.join(words)}: {result.stderr}")
    return json.loads(result.stdout) if as_json else result.stdout


def run_on(document, *arguments, ending=".json"):
    """The JSON that a command prints about a document. None stands for the document's path."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "made" + ending)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)
        return run(*[path if argument is None else argument for argument in arguments])


def middle(enclosure):
    """The middle of a value that the JSON states as lower and upper."""
    return (float(enclosure["lower"]) + float(enclosure["upper"])) / 2
