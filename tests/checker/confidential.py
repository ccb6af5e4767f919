"""Which results depend on a table of people that is not declared published (docs/what-a-level-reveals.md).

Written from the text of docs/spec-format.md, like the rest of the checker.
"""
NEED_THE_PRIOR = ("bdp", "bcdp", "secret", "approximate_bcdp", "renyi_bcdp", "bayes_leakage", "information", "maximal_leakage", "pointwise_maximal_leakage", "lower_lift", "local_information_privacy", "posterior")
OF_THE_PRIOR = ("contaminated", "total_variation", "weights", "sample", "side_knowledge")  # sets that refer to the spec's prior
WITH_CELLS = ("intervals", "marginals", "network", "any_of", "mixtures_of")  # sets that name values of the domain


def has_table(part):
    """True if a part of a spec has a prior of type counts or csv without "published": true."""
    if isinstance(part, list):
        return any(map(has_table, part))
    if not isinstance(part, dict):
        return False
    if part.get("type") in ("counts", "csv") and ("counts" in part or "file" in part):
        return part.get("published") is not True
    return any(map(has_table, part.values()))


def of_set(spec, stated):
    """True if the members of a set of priors depend on such a table."""
    if isinstance(stated, str):
        stated = spec["prior_sets"][stated]
    table = has_table(spec.get("prior"))
    own_values = any(c.get("values") == "from prior" for c in spec["domain"])
    refers = stated["type"] in OF_THE_PRIOR or (stated["type"] == "marginals" and "sets" in stated)
    return has_table(stated) or (refers and table) or (stated["type"] in WITH_CELLS and own_values and table)


def of_claim(spec, claim):
    if "for_all" in claim:
        return of_set(spec, claim["for_all"])
    return claim["notion"] in NEED_THE_PRIOR and has_table(spec.get("prior"))


def of_spec(spec):
    sets = spec.get("prior_sets", {})
    return (has_table(spec.get("prior")) or any(of_set(spec, name) for name in sets) or
            any(of_claim(spec, claim) for claim in spec.get("claims", [])))
