"""A program that uses the package; mypy must report nothing about it. It is not run."""
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


def audited_in_parts(path: str) -> str:
    parts: list[ob.AuditShard] = [ob.audit_shard(path, shard=k, shards=2, seed=1, samples=1000) for k in (1, 2)]
    plan: ob.RunPlan = ob.plan_runs(path, 0.1)
    return str(ob.merge_shards(parts).verdict) + str(plan.samples)


def beside_its_table(table: Any, other: ob.Spec) -> str:
    made: ob.NewSpec = ob.new_spec(table, "log(3)", hide=["party"])
    return ob.compare([made.spec, other, "spec.json"]).render("html") + ob.Lock.of([other, "specs"]).path.name


def rooted(level: ob.Level) -> bool:
    root = ob.Root("sqrt(2)")
    return level.exp > root and root.interval(20)[0] > 1
