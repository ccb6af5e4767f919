"""The rare features of a spec, and which pairs of them have met in one claim so far."""
import itertools
import json

from divergence_notions import BY_NAME as DIVERGENCES

AVERAGES = ("bayes_leakage", "information", "maximal_leakage")
NO_POLYNOMIALS = ("information", *(notion.name for notion in DIVERGENCES.values() if not notion.has_polynomials))  # Z3 is not asked about these
NO_SYMBOLS = (*AVERAGES, *DIVERGENCES, "renyi_bcdp", "probabilistic_dp", "f_dp", "utility_optimized_ldp")  # random specs with symbols do not claim these
BAYESIAN = ("bdp", "bcdp", "secret", "approximate_bcdp", "renyi_bcdp", "pointwise_maximal_leakage", "lower_lift", "local_information_privacy", "posterior", *AVERAGES)
NUMBERS = {"rows", "then", "probabilities", "counts", "marginals", "marginal", "weights", "table"}


def has_zero(value, among=False):
    """True if there is a zero among the probabilities or counts of a part of a spec."""
    if isinstance(value, dict):
        return any(has_zero(v, among or k in NUMBERS) for k, v in value.items())
    if isinstance(value, list):
        return any(has_zero(v, among) for v in value)
    return among and (value == 0 or str(value) == "0" or str(value).startswith("0/") or str(value).endswith("*0/1"))


def kinds(part):
    """The types of a mechanism and of its parts, or of a prior and its components."""
    if isinstance(part, dict):
        own = [part["type"]] if isinstance(part.get("type"), str) else []
        return own + [kind for value in part.values() for kind in kinds(value)]
    return [kind for value in part for kind in kinds(value)] if isinstance(part, list) else []


def of_spec(spec, files):
    # The values of a table count as several.
    sizes = [c.get("size") or (2 if c["values"] == "from prior" else len(c["values"])) for c in spec["domain"]]
    entries = ("exp" if "parameters" in spec else "") + ("symbols" if "symbols" in spec else "")
    found = {("coordinates", "one" if len(sizes) == 1 else "several"),
             ("single value", "all" if max(sizes) == 1 else "some" if min(sizes) == 1 else "none"),
             ("entries", entries or "rational"), ("zero in the channel", has_zero(spec["mechanism"]))}
    if "prior" in spec:
        found |= {("prior", kind) for kind in kinds(spec["prior"])}
        zeros = has_zero(spec["prior"]) or any(",0," in "," + text or "\n0," in text for text in files.values())
        found.add(("zero in the prior", zeros))
    else:
        found.add(("prior", "none"))
    return found | {("mechanism", kind) for kind in kinds(spec["mechanism"])}


def relation_of(neighbors):
    return neighbors if isinstance(neighbors, str) else "pairs" if "pairs" in neighbors else neighbors["metric"]


def of_claim(claim):
    claimed = next((claim[key] for key in ("rho", "mu", "at_most", "epsilon") if key in claim), None)
    levels = json.dumps(claimed)
    variant = next((f"{key} {type(claim[key]).__name__}" for key in ("secret",) if key in claim), "")
    if "blocks" in claim:
        variant = "blocks of inputs" if isinstance(claim["blocks"][0], list) else "blocks by coordinates"
    variant += relation_of(claim.get("neighbors", "")) + (" records" if "records" in claim else "") + (" differ" if "differ" in claim else "")
    variant += "protected" if "protected" in claim else ""
    if claim["notion"] == "context_ldp" and isinstance(claimed, dict):
        variant += claimed.get("metric") or "".join(claimed)
    found = {("notion", (claim["notion"] + " " + variant).strip()), ("tight", claim.get("tight", False)),
             ("expect", claim.get("expect", "none")), ("at the true level", '"true' in json.dumps(claim)),
             ("infinite level", '"inf"' in levels), ("level 0", '"0"' in levels)}
    found |= {(side, True) for side in ("known", "from", "to") if side in claim}
    if isinstance(claimed, dict) and claim["notion"] != "context_ldp":
        found.add(("levels", "by coordinate"))
    return found


def impossible(one, other):
    """Pairs that the format, the generator's sizes or the meaning of the features excludes."""
    facts = dict([one, other])
    notion = str(facts.get("notion", ""))
    if facts.get("prior") == "none" and (notion.split(" ")[0] in BAYESIAN or "zero in the prior" in facts):
        return True
    scoped = {"known", "from", "to"} & set(facts)
    if scoped and (facts.get("prior") == "none" or (notion and notion.split(" ")[0] not in ("bcdp", "secret", "approximate_bcdp", "renyi_bcdp"))):
        return True
    if "known" in scoped and facts.get("coordinates") == "one":
        return True
    if notion == "post_processing_of":
        return (facts.get("tight") or facts.get("at the true level") or facts.get("level 0") or facts.get("infinite level")
                or "levels" in facts or facts.get("entries", "rational") != "rational"
                or str(facts.get("mechanism", "")).startswith("discrete"))
    if notion.split(" ")[0] in NO_SYMBOLS and "symbols" in facts.get("entries", ""):
        return True
    divergence = DIVERGENCES.get(notion.split(" ")[0])
    if divergence and ((facts.get("tight") and not divergence.may_be_tight) or ("levels" in facts and " " in notion)):
        return True
    if "levels" in facts and notion and not divergence and notion.split(" ")[0] not in ("cdp", "bcdp", "partial_dp"):
        return True
    mechanism, entries = facts.get("mechanism"), facts.get("entries", "")
    families = ("hadamard", "geometric", "exponential", "subset", "optimal", "unary", "rappor", "local", "discrete", "duchi", "bcdp")
    if mechanism and "symbols" in entries:
        return any(word in mechanism for word in families)
    if mechanism and mechanism.startswith("discrete"):
        return entries == "rational"
    if mechanism == "optimized_local_hashing":
        return entries == "exp"
    # "true" is a placeholder for all levels of a claim.
    if facts.get("at the true level") is True and not str(notion).startswith(("approximate", "probabilistic", "f_dp")):
        return "symbols" in entries or facts.get("level 0") is True or facts.get("infinite level") is True or "levels" in facts
    if facts.get("single value") == "some":
        return facts.get("coordinates") == "one" or facts.get("prior") == "diagonal"
    if mechanism in ("duchi_hypercube", "bcdp_mean", "bcdp_steps", "optimal_binary"):
        return facts.get("single value") in ("some", "all")
    return False


class Coverage:
    def __init__(self):
        self.pairs, self.values = {}, set()

    @staticmethod
    def met(spec, files):
        whole = of_spec(spec, files)
        for claim in spec["claims"]:
            for one, other in itertools.combinations(sorted(whole | of_claim(claim), key=str), 2):
                yield one, other

    def gain(self, spec, files):
        return len({pair for pair in self.met(spec, files) if pair not in self.pairs})

    def add(self, spec, files):
        for pair in self.met(spec, files):
            self.pairs[pair] = self.pairs.get(pair, 0) + 1
            self.values.update(pair)

    def missing(self):
        """Pairs of features of different kinds that have never met, but could."""
        every = itertools.combinations(sorted(self.values, key=str), 2)
        return [(a, b) for a, b in every if a[0] != b[0] and (a, b) not in self.pairs and not impossible(a, b)]
