"""Exact privacy levels of randomized mechanisms.

>>> import oddsbound as ob
>>> result = ob.analyze("specs/gallery/titanic.json")
>>> print(result.bcdp["survived"], "=", round(result.bcdp["survived"].nats, 3))
log(1957115/772857) = 0.929
>>> print(result.bcdp["survived"].words)
output `(1st,female,child)` is 1957115/772857 times more likely from survived=yes than from survived=no
"""
try:
    from . import _oddsbound
except ImportError as error:
    raise ImportError(f"{error}: the package needs its module, and that Debian's coinor-libclp1, libflint17, "
                      "libflint-arb2, libfmt9, libgmp10, libssl3 and libz3-4") from error
from ._audit import AuditResult, AuditShard, RunPlan, audit, audit_shard, merge_shards, plan_runs
from ._building import Mechanism, Prior, family, k_randomized_response, matrix, per_attribute, prior
from ._data import Estimates, estimate, least_squares, read_table, sample, write_outputs
from ._designs import Design, Repair, design, repair
from ._errors import LimitError, NumberError, SpecError
from ._families import Family, FamilyParameter, mechanisms
from ._lock import Lock, LockCheck, lock
from ._new import NewSpec, new_spec
from ._numbers import Level, Number, Root, exact
from ._reports import Chart, Report, SpecResult, read_report
from ._results import Claim, Levels, MeasuredLevel, Record, Witness
from ._runs import Comparison, Composition, SearchFound, Tuned, analyze, compare, compose, release, search, split, tune, verify
from ._settings import Limits
from ._specs import Spec, read

__version__: str = _oddsbound.version

__all__ = [
    "AuditResult", "AuditShard", "Chart", "Claim", "Comparison", "Composition", "Design", "Estimates", "Family",
    "FamilyParameter", "Level", "Levels", "LimitError", "Limits", "Lock", "LockCheck", "MeasuredLevel",
    "Mechanism", "NewSpec", "Number", "NumberError", "Prior", "Record", "Repair", "Report", "Root", "RunPlan",
    "SearchFound", "Spec", "SpecError", "SpecResult", "Tuned", "Witness", "analyze", "audit", "audit_shard",
    "compare", "compose", "design", "estimate", "exact", "family", "k_randomized_response", "least_squares", "lock", "matrix",
    "mechanisms", "merge_shards", "new_spec", "per_attribute", "plan_runs", "prior", "read", "read_report",
    "read_table", "release", "repair", "sample", "search", "split", "tune", "verify", "write_outputs",
]
