"""Python gives the same output as the command line, byte for byte."""
import glob
import json
import os
import subprocess

import pytest

import oddsbound as ob

GALLERY = sorted(glob.glob("specs/gallery/*.json", root_dir=__file__.rsplit("/tests/", 1)[0]))


def said(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True,
                          env={**os.environ, "COLUMNS": "100"}).stdout


def test_the_gallery_at_once(program):
    assert len(GALLERY) > 20
    report = ob.verify(GALLERY, jobs=2)
    text = said(program, "verify", "--jobs", "2", "--format", "json", *GALLERY)
    assert report.render("json") == text
    assert report.to_dict() == json.loads(text)
    assert report.ok and [one.file for one in report.specs] == GALLERY


@pytest.mark.parametrize("path", ["specs/gallery/titanic.json", "specs/gallery/warner.json",
                                  "specs/parametric/unknown-prior.json"])
def test_a_spec_that_was_read(program, path):
    result = ob.verify(ob.read(path))
    text = said(program, "verify", "--format", "json", path)
    untimed = [json.loads(one) for one in (text, result.report.render("json"))]
    for document in untimed:
        for claim in document["specs"][0]["claims"]:
            claim.pop("seconds", None)
            for query in claim.get("queries", []):
                query.pop("seconds")
    assert untimed[0] == untimed[1]


def test_analyze_in_every_format(program, tmp_path):
    result = ob.analyze("specs/gallery/titanic.json", figures=True, effects=True)
    for name in ("text", "json", "markdown", "html"):
        path = tmp_path / f"report.{name}"
        said(program, "analyze", "--figures", "--explain", "--format", name, "--output", str(path),
             "specs/gallery/titanic.json")
        ours, theirs = (text.splitlines() for text in (result.report.render(name, width=100), path.read_text()))
        differing = [pair for pair in zip(ours, theirs) if pair[0] != pair[1]]
        assert len(ours) == len(theirs) and not differing, (name, differing[:2])


def test_a_report_comes_back_from_its_json(tmp_path):
    report = ob.verify("specs/gallery/titanic.json").report
    path = tmp_path / "result.json"
    path.write_text(report.render("json"))
    assert ob.read_report(path).render("text") == report.render("text")


def test_a_dict_is_the_same_spec_as_its_file():
    with open("specs/gallery/warner.json") as file:
        document = json.load(file)
    from_dict = ob.verify(ob.Spec(document)).to_dict()
    from_file = ob.verify("specs/gallery/warner.json").to_dict()
    for result in (from_dict, from_file):
        result.pop("file"), result.pop("files")
        for claim in result["claims"]:
            claim.pop("place")
    assert from_dict == from_file
