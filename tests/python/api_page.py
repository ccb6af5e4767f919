#!/usr/bin/env python3
"""Fails if docs/python-api.md differs from the docstrings. --update writes it anew."""
import inspect
import pathlib
import re
import sys

import oddsbound
from oddsbound import pytest_plugin

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python-api.md"
HEAD = """# Python API: every name of the package

Generated from the docstrings by `tests/python/api_page.py --update`. Start with [python.md](python.md).

"""
GROUPS = [
    ("Specs", ["Spec", "read", "prior", "Prior", "per_attribute", "k_randomized_response", "matrix", "family", "mechanisms",
               "Family", "FamilyParameter", "Mechanism", "new_spec", "NewSpec"]),
    ("Levels and verdicts", ["analyze", "verify", "SpecResult", "Report", "MeasuredLevel", "Levels", "Witness", "Claim", "Record",
                             "Chart", "read_report"]),
    ("Exact values", ["Level", "Number", "Root", "exact"]),
    ("Data", ["sample", "estimate", "Estimates", "least_squares", "read_table", "write_outputs"]),
    ("Audits", ["audit", "AuditResult", "audit_shard", "AuditShard", "merge_shards", "plan_runs", "RunPlan"]),
    ("Parameters, designs, releases", ["tune", "Tuned", "compare", "Comparison", "compose", "Composition", "split", "design", "Design", "repair", "Repair", "release",
                                       "search", "SearchFound"]),
    ("The lock", ["lock", "Lock", "LockCheck"]),
    ("Limits and errors", ["Limits", "SpecError", "LimitError", "NumberError"]),
]
PLUGIN = ["assert_bcdp_at_most", "assert_cdp_at_most", "assert_ldp_at_most", "assert_claims_hold"]


def signature_of(thing):
    try:
        text = str(inspect.signature(thing))
    except ValueError:  # types of the module itself
        return "(value)"
    # Annotations are for mypy; a reader needs names and defaults.
    names = [str(one.replace(annotation=inspect.Parameter.empty))
             for one in inspect.signature(thing).parameters.values() if one.name != "self"]
    marks = [kind.kind for kind in inspect.signature(thing).parameters.values() if kind.name != "self"]
    keyword = inspect.Parameter.KEYWORD_ONLY
    if keyword in marks and inspect.Parameter.VAR_POSITIONAL not in marks:
        names.insert(marks.index(keyword), "*")
    return f"({', '.join(names)})" if text else "()"


def section_text(title, lines):
    if title == "Examples":
        return "```python\n" + "\n".join(lines) + "\n```"
    out = [f"**{title}**", ""]
    for line in lines:
        if line and not line.startswith(" "):
            name, colon, kind = line.partition(" : ")
            out.append(f"- `{name}`" + (f": {kind}" if colon else ""))
        elif line:
            out.append("  " + line.strip())
    return "\n".join(out)


def docs_of(thing):
    lines = (inspect.getdoc(thing) or "").splitlines()
    parts, title, held = [], None, []

    def close():
        while held and not held[-1]:
            held.pop()
        if held:
            parts.append("\n".join(held) if title is None else section_text(title, list(held)))
        held.clear()

    for place, line in enumerate(lines):
        if re.fullmatch(r"-{3,}", line):
            continue
        if place + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[place + 1]):
            close()
            title = line
        else:
            held.append(line)
    close()
    return "\n\n".join(parts)


def entry(name, thing, prefix="ob."):
    called = signature_of(thing) if not inspect.isclass(thing) or thing.__module__ != "oddsbound._results" else ""
    parts = [f"### {name}", f"`{prefix}{name}{called}`", docs_of(thing)]
    if inspect.isclass(thing) and not issubclass(thing, BaseException):
        for method, value in vars(thing).items():
            if not method.startswith("_") and callable(getattr(value, "__func__", value)) and inspect.getdoc(value):
                function = getattr(value, "__func__", value)
                first = inspect.getdoc(function).split("\n\n")[0].replace("\n", " ")
                parts.append(f"- `.{method}{signature_of(function)}`: {first}".replace("(cls, ", "("))
    return "\n\n".join(parts)


def page():
    listed = [name for _, names in GROUPS for name in names]
    assert sorted(listed) == sorted(oddsbound.__all__), set(listed) ^ set(oddsbound.__all__)
    parts = []
    for title, names in GROUPS:
        parts += [f"## {title}", *(entry(name, getattr(oddsbound, name)) for name in names)]
    parts += ["## pytest", "From `oddsbound.pytest_plugin`:",
              *(entry(name, getattr(pytest_plugin, name), "") for name in PLUGIN)]
    return HEAD + "\n\n".join(parts) + "\n"


def main():
    text = page()
    if "--update" in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        print(f"{PAGE} is not what the docstrings say: tests/python/api_page.py --update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
