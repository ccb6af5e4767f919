"""What mypy says of a program that uses the package: nothing. It is not run."""
from fractions import Fraction
from typing import Any

import oddsbound as ob


def levels(path: str) -> dict[str, float]:
    result: ob.SpecResult = ob.analyze(path, limits=ob.Limits(max_seconds=10))
    return {name: level.nats for name, level in result.bcdp.items()}


def bound(level: ob.Level) -> bool:
    return level + Fraction(1, 2) <= ob.Level("log(3)")


def audited(spec: ob.Spec) -> str:
    def sampler(value: str, rng: Any) -> str:
        return value

    found: ob.AuditResult = ob.audit(spec, sampler, samples=1000)
    return str(found.verdict)
