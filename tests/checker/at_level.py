"""Claims at the true level, where `tight` may hold: replaces the placeholders "true" in a spec's claims."""
import json
import os
from fractions import Fraction

import averages
import concentrated
import gaussian
import protecting
import ratios
import renyi
from oddsbound_check.exact import INFINITE, compare
from reference import Spec, load
from scopes import known_of, scope_of


def level_text(value):
    return "inf" if value is INFINITE else f"log({value})"


def without_claims(path, spec):
    """The spec as the reader accepts it: placeholders are no levels."""
    beside = path + ".without-claims"
    with open(beside, "w", encoding="utf-8") as file:
        json.dump({**spec, "claims": []}, file)
    found = Spec(beside)
    os.remove(beside)
    return found


def put(path, spec, random):
    s = without_claims(path, spec)

    def level(value):
        """Sometimes just above the true level, or just below it."""
        factor = random.choice([None, None, None, "1001/1000", "999/1000"])
        if value is INFINITE or value == 1 or factor is None:
            return level_text(value)
        if factor == "999/1000" and compare(value, Fraction(1000, 999)) < 0:  # no level is below 0
            return level_text(value)
        return f"log({value}*{factor})"

    names = [name for name, _ in s.domain]
    for claim, read in zip(spec["claims"], load(path)["claims"]):
        notion = claim["notion"]
        if claim.get("protected") == "true":
            claim["protected"] = read["protected"] = protecting.named(s, read, random)
            if claim["protected"] is None:
                del claim["protected"], read["protected"]
        if claim.get("delta") == "true":
            claim["delta"] = str(s.approximate_bcdp(read) if notion == "approximate_bcdp" else ratios.tail(s, read) if notion == "probabilistic_dp" else s.lift_tail(read) if notion == "pointwise_maximal_leakage" else ratios.shortfall(s, read) if notion == "f_dp"
                                 else s.delta(s.neighbor_pairs(read), s.level(claim["epsilon"])))
        if claim.get("rho") == "true":
            claim["rho"] = concentrated.near_true(s, read, random)
        if claim.get("mu") == "true":
            claim["mu"] = gaussian.near_true(s, read, random)
        if claim.get("at_most") == "true":
            true = s.posterior(read)
            near = random.choice([true, true, true, true * Fraction(999, 1000), true * Fraction(1001, 1000)])
            claim["at_most"] = str(near if compare(near, Fraction(1)) <= 0 else true)
        if claim.get("epsilon") != "true":
            continue
        if notion in ("cdp", "partial_dp"):
            claim["epsilon"] = {name: level(s.cdp(i)) for i, name in enumerate(names)}
        elif notion == "bcdp":
            asked = claim.pop("about", [name for name in names if name not in known_of(claim)])
            claim["epsilon"] = {name: level(scope_of(s, read, names.index(name)).level()) for name in asked}
        elif notion in ("renyi_dp", "renyi_bcdp"):
            claim["epsilon"] = renyi.near_true(s, read, random)
        elif notion == "bounded_range":
            claim["epsilon"] = level(ratios.widest(s, s.neighbor_pairs(read)))
        elif notion == "information":
            claim["epsilon"] = averages.level_near(s, read, random)
        elif notion == "context_ldp":
            claim["epsilon"] = [[level(s.worst([(a, b)])) for b in range(len(s.inputs))] for a in range(len(s.inputs))]
        else:
            claim["epsilon"] = level(s.measured(read))
