"""A script as a user writes it; mypy must find a precise type for every expression. It is not run.

mypy reads it with --disallow-any-expr: an expression whose type has an Any is an error.
"""
from decimal import Decimal
from fractions import Fraction
from typing import Optional, Union

import oddsbound as ob
from oddsbound.pytest_plugin import assert_bcdp_at_most, assert_ldp_at_most

result = ob.analyze("specs/gallery/titanic.json", limits=ob.Limits(max_seconds=10))
survived = result.bcdp["survived"]
exponential: Union[Fraction, ob.Number, ob.Root, float] = survived.exp
witness = survived.witness
if witness is not None:
    output: str = witness.output
    ratio: Union[Fraction, ob.Number] = witness.p_from / witness.p_to
shown = round(survived, 2) + Decimal(1)
whole = round(ob.Level("log(3)")) + round(survived)
text: str = f"{survived:.2f}"
bounded: bool = survived <= 0.93 and result.ldp <= ob.Level("log(27)") and Decimal("0.9") < survived
bdp: Optional[ob.MeasuredLevel] = result.bdp
name: str = result.name

verified = ob.verify("specs/gallery/titanic.json", engine="exact")
verdicts: list[str] = [claim.verdict for claim in verified.claims if not claim.ok]
words: list[str] = [claim.words for claim in verified.claims]

report = ob.verify(["specs/gallery/titanic.json", "specs/gallery/warner.json"])
names: list[str] = [one.name for one in report.specs]
page: str = report.render("html")

found = ob.estimate("specs/gallery/warner.json", ["yes", "no"], marginals=["answer"], project=True)
errors: list[float] = [one.standard_error for one in found.marginals[0].estimates]

composed = ob.compose(["specs/gallery/warner.json"], times=[2], delta="1/16", epsilon="log(5)")
smallest_epsilon: Optional[ob.Level] = composed.epsilon
smallest_delta: Union[Fraction, ob.Number, None] = composed.delta
tuned = ob.tune("specs/parametric/warner.json", "t", from_=2, to=8, claim=0)
holds_at: Union[Fraction, ob.Number, ob.Level, None] = tuned.holds_at

assert_bcdp_at_most(result, survived=0.93)
assert_ldp_at_most("specs/gallery/warner.json", "log(3)")
families: list[str] = [one.name for one in ob.mechanisms()]
designs: list[ob.Record] = ob.compare(["specs/gallery/warner.json"]).designs
version: str = ob.__version__
