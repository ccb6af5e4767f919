"""Releases from tables: the plain loops of their steps, one after the other, on all small tables."""
import itertools
import json
from fractions import Fraction

from .exact import Exact
from .learning import learner
from .release_steps import Counts, HeavyHitters, Mwem, ONE

STEPS = {"counts": Counts, "heavy_hitters": HeavyHitters, "mwem": Mwem, "learn": learner}


class Releases:
    def m_release(self, m, domain):
        with open(self.beside(m["file"]), encoding="utf-8") as file:
            release = json.load(file, parse_float=str, parse_int=str)
        schema = [(a["name"], a["values"]) for a in release["attributes"]]
        records = int(m["records"])
        assert [(f"{k + 1}.{name}", values) for k in range(records) for name, values in schema] == [(n, list(v)) for n, v in domain]
        steps = [STEPS[step["type"]]({**step, **({"window": m["window"]} if "window" in m else {})}, schema) for step in release["steps"]]
        rows, known = [], {}
        for x in itertools.product(*(values for _, values in domain)):
            # Releases count people: no release depends on their order.
            people = tuple(sorted(x[k * len(schema):(k + 1) * len(schema)] for k in range(records)))
            if people not in known:
                found = [((), Exact.of(ONE))]
                for step in steps:
                    found = [(told + (mine,), p * q) for told, p in found for mine, q in step.distribution(people)]
                known[people] = {}
                for told, p in found:
                    label = "; ".join(",".join(map(str, mine)) for mine in told)
                    known[people][label] = known[people].get(label, Exact.of(Fraction(0))) + p
            rows.append(known[people])
        outputs = sorted({output for row in rows for output in row})
        return outputs, [[row.get(output, Exact.of(Fraction(0))) for output in outputs] for row in rows]
