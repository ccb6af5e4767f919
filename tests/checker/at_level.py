"""Claims at the true level, where `tight` may hold: replaces the placeholders "true" in a spec's claims."""
import json
import os
from fractions import Fraction

import averages
import divergence_notions
import protecting
import ratios
import renyi
from oddsbound_check.exact import compare
from ratios import level_near
from reference import Spec, load
from scopes import known_of, scope_of


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
        if notion in divergence_notions.BY_NAME:
            own = divergence_notions.BY_NAME[notion]
            if claim[own.key] == "true":
                claim[own.key] = own.near_true(s, read, random)
        if claim.get("at_most") == "true":
            true = s.posterior(read)
            near = random.choice([true, true, true, true * Fraction(999, 1000), true * Fraction(1001, 1000)])
            claim["at_most"] = str(near if compare(near, Fraction(1)) <= 0 else true)
        if claim.get("epsilon") != "true":
            continue
        if notion in ("cdp", "partial_dp"):
            claim["epsilon"] = {name: level_near(s.cdp(i), random) for i, name in enumerate(names)}
        elif notion == "bcdp":
            asked = claim.pop("about", [name for name in names if name not in known_of(claim)])
            claim["epsilon"] = {name: level_near(scope_of(s, read, names.index(name)).level(), random) for name in asked}
        elif notion == "renyi_bcdp":
            claim["epsilon"] = renyi.level_near(read, renyi.bayesian(s, read), random)
        elif notion == "information":
            claim["epsilon"] = averages.level_near(s, read, random)
        elif notion == "context_ldp":
            claim["epsilon"] = [[level_near(s.worst([(a, b)]), random) for b in range(len(s.inputs))] for a in range(len(s.inputs))]
        else:
            claim["epsilon"] = level_near(s.measured(read), random)
