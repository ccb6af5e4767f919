#!/usr/bin/env python3
"""Runs the notebooks of the docs and compares their output with docs/notebooks/*.md. --update writes these anew."""
import difflib
import os
import pathlib
import sys

import nbformat
from nbconvert import MarkdownExporter
from nbconvert.preprocessors import ExecutePreprocessor

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "notebooks"


def rendered(path):
    notebook = nbformat.read(path, as_version=4)
    stored = [cell for cell in notebook.cells if cell.get("outputs")]
    assert not stored, f"{path}: outputs are kept in the .md, not in the notebook"
    ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(FOLDER)}})
    text, resources = MarkdownExporter().from_notebook_node(notebook)
    assert not resources.get("outputs"), f"{path}: pictures have no place in the page"
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return "\n".join([*lines, "", f"(The notebook: [{path.name}]({path.name}).)", ""])


def main():
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    wrong = 0
    notebooks = sorted(FOLDER.glob("*.ipynb"))
    for path in notebooks:
        page, text = path.with_suffix(".md"), rendered(path)
        if "--update" in sys.argv:
            page.write_text(text, encoding="utf-8")
        elif page.read_text(encoding="utf-8") != text:
            wrong += 1
            print("".join(difflib.unified_diff(page.read_text(encoding="utf-8").splitlines(True), text.splitlines(True),
                                               page.name, "what is printed now")))
    print(f"{len(notebooks)} notebooks, {wrong} with other results than {FOLDER.name}/*.md show")
    return 1 if wrong or not notebooks else 0


if __name__ == "__main__":
    sys.exit(main())
