"""Specs that each attack one part of the program with numbers, arrays or texts too large for small limits.

cases() returns them as Case: files to write, and the command line, which run.py ends with a limit.
"""
import itertools
import json
import math
import random
from dataclasses import dataclass, field


# The cases of ctest: former overruns of time (minutes for a second) and of memory.
SECONDS = {"repeat-exponentials", "doubling-rationals", "doubling-exponentials", "quotient-of-powers", "long-results",
           "one-wide-coordinate", "votes-16-every-cell", "lock-repeat"}
MEMORY = {"all-inputs", "nested-mixture-prior", "many-witnesses"}


@dataclass
class Case:
    name: str
    spec: dict
    files: dict = field(default_factory=dict)
    command: list = field(default_factory=lambda: ["verify"])
    after: list = field(default_factory=list)  # words after the spec's file; {dir} is its folder
    seconds: float = 0  # at least, so that the limit is reached where it matters
    concludes: bool = False  # findings of an audit, draws and long results come after the time limit


def primes(count, above=2):
    found = []
    n = above
    while len(found) < count:
        if all(n % d for d in range(2, int(n**0.5) + 1)):
            found.append(n)
        n += 1
    return found


def values(count):
    return [f"v{i}" for i in range(count)]


def wide(*sizes):
    return [{"name": f"x{i}", "size": size} for i, size in enumerate(sizes)]


def krr(epsilon):
    return {"type": "k_randomized_response", "epsilon": epsilon}


def per_coordinate(epsilons):
    return {"type": "per_coordinate", "mechanisms": {f"x{i}": krr(e) for i, e in enumerate(epsilons)}}


LDP = [{"notion": "ldp", "epsilon": "1"}]
ALL_PRIOR = [{"notion": "ldp", "epsilon": "1"}, {"notion": "cdp", "epsilon": "1"}, {"notion": "bdp", "epsilon": "1"},
             {"notion": "bcdp", "epsilon": "1"}]


def spec(domain, mechanism, claims=None, **more):
    return {"oddsbound": 1, "name": "adversarial", **more, "domain": domain, "mechanism": mechanism,
            "claims": LDP if claims is None else claims}


def digits(rng, count):
    return str(rng.randrange(1, 10)) + "".join(rng.choices("0123456789", k=count - 1))


def fraction(rng, count):
    return f"{digits(rng, count)}/{digits(rng, count + 1)}"


def row(rng, length, count):
    """Probabilities with numerators of `count` digits; the last one is the remainder."""
    parts = [f"{digits(rng, count)}/1{'0' * (count + len(str(length)) + 1)}" for _ in range(length - 1)]
    return parts + ["1 - (" + " + ".join(parts) + ")"]


def exp_row(exponents):
    """exp(r) over the sum of all of them."""
    total = " + ".join(f"exp({r})" for r in exponents)
    return [f"exp({r})/({total})" for r in exponents]


def matrix(rows):
    return {"type": "matrix", "outputs": len(rows[0]), "rows": rows}


def votes(count, rows, rng):
    """A table of yes and no: members of a party agree three times out of four."""
    lines = [",".join(f"x{i}" for i in range(count))]
    for _ in range(rows):
        bits = -rng.getrandbits(1) ^ (rng.getrandbits(count) & rng.getrandbits(count))
        lines.append(",".join("yn"[bits >> i & 1] for i in range(count)))
    return "\n".join(lines) + "\n"


def ballot(count, rng, rows=435, epsilon="log(3)", claims=None):
    domain = [{"name": f"x{i}", "values": ["y", "n"]} for i in range(count)]
    prior = {"type": "csv", "file": "votes.csv", "columns": {f"x{i}": f"x{i}" for i in range(count)}}
    claims = ALL_PRIOR if claims is None else claims
    return spec(domain, per_coordinate([epsilon] * count), claims, prior=prior), {"votes.csv": votes(count, rows, rng)}


def repeated(count, epsilons, claims=None, **more):
    return spec(wide(*[2] * len(epsilons)), {"type": "repeat", "times": count, "mechanism": per_coordinate(epsilons)},
                claims, **more)


def doubling(levels, first, step):
    parameters = {"p0": first}
    for i in range(levels):
        parameters[f"p{i + 1}"] = step.format(p=f"p{i}")
    return parameters


def network(rng, nodes, parents):
    result = []
    for i in range(nodes):
        above = [f"x{j}" for j in range(max(0, i - parents), i)]
        table = []
        for _ in range(2 ** len(above)):
            p = rng.randrange(1, 10**6)
            table.append([f"{p}/1000003", f"{1000003 - p}/1000003"])
        result.append({"coordinate": f"x{i}", "parents": above, "table": table})
    return {"type": "network", "nodes": result}


def huge_numbers(rng):
    p = [str(n) for n in primes(60, 900)]
    yield Case("repeat-exponentials", repeated(3000, ["1/7", "log(2)"]))
    yield Case("repeat-many-exponentials", repeated(10000, ["1/7", "1/11", "1/13"]))
    yield Case("repeat-rationals", repeated(10000, ["log(1000003/1000)", "log(2)"]))
    yield Case("repeat-long-rationals", repeated(10000, [f"log(1 + {fraction(rng, 400)})", "log(2)"]))
    yield Case("repeat-matrix", spec(wide(3), {"type": "repeat", "times": 10000, "mechanism": matrix(
        [row(rng, 3, 120) for _ in range(3)])}))
    yield Case("repeat-exp-matrix", spec(wide(3), {"type": "repeat", "times": 5000, "mechanism": matrix(
        [exp_row(["0", "1/3", "2/5"]), exp_row(["1/2", "0", "1/7"]), exp_row(["1/11", "1", "0"])])}))
    yield Case("compose-exponentials", spec(wide(2), {"type": "compose", "mechanisms": [krr(f"1/{n}") for n in p[:40]]}))
    yield Case("compose-rationals", spec(wide(2), {"type": "compose", "mechanisms": [
        krr(f"log(1 + {fraction(rng, 2000)})") for _ in range(150)]}))
    yield Case("compose-sums", spec(wide(2), {"type": "compose", "mechanisms": [
        matrix([exp_row(["0", f"1/{n}"]), exp_row([f"2/{n}", "0"])]) for n in range(2, 30)]}))
    yield Case("long-literals", spec(wide(12), matrix([row(rng, 12, 9000) for _ in range(12)])))
    yield Case("many-long-literals", spec(wide(60), matrix([row(rng, 60, 900) for _ in range(60)])))
    yield Case("finely-divided-exponents", spec(wide(2), matrix([exp_row([f"1/{n}" for n in p[:2]]), exp_row(["0", "1"])])))
    yield Case("many-denominators", spec(wide(8), matrix(
        [exp_row([f"{1 + (i * j) % 7}/{n}" for j, n in enumerate(["3", "5", "7", "8", "11", "9", "2", "1"])])
         for i in range(8)])))
    yield Case("sum-of-exponentials", spec(wide(4), matrix(
        [exp_row([f"{(i * 37 + j * 101) % 400}/19" for j in range(60)]) for i in range(4)])))
    yield Case("random-exp-matrix", spec(wide(6), matrix(
        [exp_row([f"{rng.randrange(3000)}/7" for j in range(30)]) for i in range(6)])))
    yield Case("doubling-rationals", spec(wide(2), matrix([["1/p19", "1 - 1/p19"], ["1/2", "1/2"]]),
                                          parameters=doubling(19, "12345679/1234567", "{p}*{p} + 1/3")))
    yield Case("doubling-exponentials", spec(wide(2), matrix([["1/p13", "1 - 1/p13"], ["1/2", "1/2"]]),
                                             parameters=doubling(13, "exp(1/3) + 2", "{p}*{p} + 1")))
    yield Case("doubling-quotients", spec(wide(2), matrix([["1/(2+p11)", "1 - 1/(2+p11)"], ["1/2", "1/2"]]),
                                          parameters=doubling(11, "exp(1) + 1/3", "({p}*{p} + 1/7)/({p} + exp(2))")))
    yield Case("tower-of-powers", spec(wide(2), krr("log(1 + (10^9999)^30)"), parameters={
        "p": "((12345678901/3)^10000)^10", "q": "(exp(1)+exp(1/2)+3)^9000"}))
    yield Case("power-of-a-sum", spec(wide(2), krr("log((exp(1)+exp(1/3)+7/3)^5000)")))
    yield Case("quotient-of-powers", spec(wide(2), krr("log(2 + (exp(1)+3)^4000/(exp(1)+5)^4000)")))
    yield Case("cancelling-powers", spec(wide(2), krr("log(2 + ((exp(1)+3)^3000 * (exp(1)+7)^3000)/((exp(1)+3)^2999 * (exp(1)+11)^3000))")))
    yield Case("near-equal", spec(wide(2), krr("log(2 + 10^9000*(exp(1/10000) - exp(1/10001)))"), [
        {"notion": "ldp", "epsilon": "log(2 + 10^9000*(exp(1/10000) - exp(1/10002)))"}]))
    yield Case("cancelling-exponentials", spec(wide(2), krr("log(2 + s)"), parameters={
        "s": "(" + " + ".join(f"{(-1)**i * 10**200}*exp({i}/1000)".replace("+ -", "- ") for i in range(2000)) + ")^2"}))
    yield Case("deep-expression", spec(wide(2), krr("log(" + "(1+1/(2+" * 90 + "exp(1/3)" + "))" * 90 + "+1)")))
    yield Case("long-expression", spec(wide(2), krr("log(1+" + "+".join(f"1/{n}" for n in range(2, 60000)) + ")")))
    yield Case("long-exp-expression", spec(wide(2), krr("log(1+" + "+".join(f"exp({n}/7)/{n}" for n in range(2, 9000)) + ")")))
    yield Case("level-of-many-logs", spec(wide(2), krr("1"), [{"notion": "ldp", "epsilon": "+".join(
        f"10000*log({n})" for n in range(10**6, 10**6 + 30))}]))


def table_spec(rows, columns, rng, cells, values="from prior"):
    """Rows of numbers below `cells`, each answered by randomized response; the table gives the values."""
    names = [f"x{i}" for i in range(columns)]
    lines = [",".join(names), *(",".join(str(rng.randrange(cells)) for _ in names) for _ in range(rows))]
    domain = [{"name": name, "values": values} for name in names]
    claims = [{"notion": "ldp", "epsilon": str(columns)}, {"notion": "bcdp", "epsilon": "1"}]
    return (spec(domain, per_coordinate(["1"] * columns), claims, prior={"type": "csv", "file": "table.csv"}),
            {"table.csv": "\n".join(lines) + "\n"})


def million_rows(rng):
    """A million different rows of 200 bits."""
    spec_, files = table_spec(0, 200, rng, 2)
    rows = "\n".join(",".join(format(rng.getrandbits(200), "0200b")) for _ in range(10**6))
    return spec_, {"table.csv": files["table.csv"] + rows + "\n"}


def tables(rng):
    spec_, files = table_spec(400, 9, rng, 10)
    raised = ["--max-inputs", "2000000000"]
    yield Case("nine-tens", spec_, files, command=["analyze"], after=raised)
    yield Case("nine-tens-lock", spec_, files, command=["lock", "write"], after=[*raised, "--lock", "{dir}/oddsbound.lock.json"])
    yield Case("nine-tens-secret", {**spec_, "claims": [{"notion": "secret", "secret": ["x0", "x1"], "epsilon": "1"}]}, files,
               after=raised)
    names = [coordinate["name"] for coordinate in spec_["domain"]]
    whole = {"type": "on", "coordinates": names, "mechanism": krr("1")}
    yield Case("nine-tens-whole", {**spec_, "mechanism": {"type": "compose", "mechanisms": [spec_["mechanism"], whole]}}, files,
               after=raised)
    yield Case("thirty-columns", *table_spec(20000, 30, rng, 3))
    yield Case("many-values", *table_spec(200000, 3, rng, 10**9))
    yield Case("million-rows", *million_rows(rng))


def large_models(rng):
    for count in (12, 16, 20):
        spec_, files = ballot(count, rng)
        yield Case(f"votes-{count}", spec_, files)
    spec_, files = ballot(16, rng)
    yield Case("votes-16-every-cell", spec_, files, after=["--max-cells", "5000000000"])
    yield Case("votes-14-every-cell", *ballot(14, rng, epsilon="1"), after=["--max-cells", "5000000000"])
    spec_, files = ballot(16, rng, rows=200000)
    yield Case("votes-long-table", spec_, files)
    spec_, files = ballot(13, rng, epsilon="1")
    yield Case("votes-exp", spec_, files)
    yield Case("many-groups", *many_groups(rng), seconds=6)
    yield Case("many-outputs-of-attributes", *many_outputs(rng), seconds=12)
    spec_, files = ballot(16, rng, claims=[{"notion": "secret", "secret": ["x0", "x3", "x5", "x6", "x7", "x8"], "epsilon": "1"}])
    yield Case("votes-secret", spec_, files)
    on_eleven = {"type": "on", "coordinates": [f"x{i}" for i in range(11)], "mechanism": {"type": "per_coordinate", "mechanisms": {
        f"x{i}": matrix([row(rng, 2, 2), row(rng, 2, 2)]) for i in range(11)}}}
    yield Case("votes-materialized", {**spec_, "mechanism": on_eleven, "claims": ALL_PRIOR}, files)
    yield Case("counts-votes-16", spec(wide(*[2] * 16), per_coordinate(["log(3)"] * 16), ALL_PRIOR, prior={
        "type": "counts", "counts": [rng.randrange(9) for _ in range(2**16)]}))
    yield Case("network", spec(wide(*[2] * 18), per_coordinate(["log(3)"] * 18), ALL_PRIOR, prior=network(rng, 18, 6)))
    yield Case("network-of-22", spec(wide(*[2] * 22), {"type": "on", "coordinates": ["x0"], "mechanism": krr("1")}, ALL_PRIOR,
                                     prior=network(rng, 22, 3)))
    prior = {"type": "uniform"}
    for _ in range(60):
        prior = {"type": "mixture", "weights": ["1/3", "2/3"], "components": [prior, {"type": "uniform"}]}
    yield Case("nested-mixture-prior", spec(wide(*[2] * 18), {"type": "on", "coordinates": ["x0"], "mechanism": krr("1")}, ALL_PRIOR, prior=prior))
    yield Case("product-of-long-marginals", spec(wide(*[2] * 16), {"type": "on", "coordinates": ["x0"], "mechanism": krr("1")}, ALL_PRIOR, prior={
        "type": "product", "marginals": {f"x{i}": row(rng, 2, 60) for i in range(16)}}))
    yield Case("exp-prior", spec(wide(*[2] * 12), per_coordinate(["log(3)"] * 4), ALL_PRIOR, prior={
        "type": "product", "marginals": {f"x{i}": exp_row(["0", f"1/{i + 2}"]) for i in range(12)}}))
    yield Case("compose-of-attributes", spec(wide(*[2] * 8000), {"type": "compose", "mechanisms": [
        {"type": "on", "coordinates": [f"x{i}"], "mechanism": krr("1")} for i in range(8000)]}))
    yield Case("repeat-of-an-attribute", spec(wide(*[2] * 1000), {"type": "repeat", "times": 100000, "mechanism":
        {"type": "on", "coordinates": ["x0"], "mechanism": krr("1")}}))
    yield Case("all-inputs", spec(wide(2**12, 2**12), {"type": "on", "coordinates": ["x0"], "mechanism": krr("1")}, ALL_PRIOR, prior={"type": "uniform"}))
    yield Case("one-wide-coordinate", spec(wide(2**23), krr("1")))
    yield Case("wide-cases", spec(wide(*[2] * 22), {"type": "cases", "outputs": ["0", "1"], "cases": [
        {"when": {"x0": "0"}, "then": {"0": "1/3", "1": "2/3"}}, {"when": {}, "then": {"1": 1}}]}))
    yield Case("many-cases", spec(wide(*[4] * 8), {"type": "cases", "outputs": 9, "cases": [
        {"when": {f"x{i % 8}": str(i % 4), f"x{(i * 3 + 1) % 8}": str(i // 7 % 4)}, "then": {str(i % 9): 1}}
        for i in range(3000)] + [{"when": {}, "then": {"0": 1}}]}))
    yield Case("many-outputs", spec(wide(2), matrix([["1/300000"] * 300000, ["1/300000"] * 300000])))
    yield Case("many-rows", spec(wide(1200), matrix([[f"{i + 1}/{1200 * 3}", f"1 - {i + 1}/{1200 * 3}"] for i in range(1200)]), [
        {"notion": "ldp", "epsilon": "1"}, {"notion": "context_ldp", "epsilon": [["9"] * 1200] * 1200}]))
    branches = {str(i): matrix([row(rng, 40, 20) for _ in range(40)]) for i in range(40)}
    yield Case("adaptive", spec(wide(40), {"type": "adaptive", "first": matrix([row(rng, 40, 20) for _ in range(40)]),
                                           "then": branches}))
    nested = matrix([row(rng, 2, 9), row(rng, 2, 9)])
    for _ in range(9):
        inner = nested
        nested = {"type": "post_process", "mechanism": {"type": "repeat", "times": 2, "mechanism": inner}, "outputs": 8,
                  "rows": [row(rng, 8, 30) for _ in range(4 if inner["type"] == "matrix" else 64)]}
    yield Case("post-process-again-and-again", spec(wide(2), nested))
    yield Case("post-process-long", spec(wide(30), {"type": "post_process", "mechanism": matrix([row(rng, 60, 500) for _ in range(30)]),
                                                    "outputs": 60, "rows": [row(rng, 60, 500) for _ in range(60)]}))
    yield Case("post-process-exp", spec(wide(8), {"type": "post_process", "mechanism": krr("1/3"), "outputs": 8,
                                                  "rows": [exp_row([f"{i * j}/11" for j in range(8)]) for i in range(8)]}))
    mixture = krr("1/2")
    for i in range(2, 14):
        mixture = {"type": "mixture", "weights": ["1/3", "2/3"], "mechanisms": [mixture, krr(f"1/{i}")]}
    yield Case("nested-mixture", spec(wide(9), mixture))
    yield Case("mixture-of-products", spec(wide(*[2] * 9), {"type": "mixture", "weights": ["1/2", "1/2"], "mechanisms": [
        per_coordinate(["1"] * 9), per_coordinate(["log(3)"] * 9)]}))
    yield Case("products-of-many-values", spec(wide(*[3] * 7), {"type": "compose", "mechanisms": [
        {"type": "on", "coordinates": [f"x{i}"], "mechanism": matrix([row(rng, 3, 8) for _ in range(3)])} for i in range(7)]},
        [{"notion": "block_ldp", "blocks": ["x0"], "epsilon": "1"}, {"notion": "cdp", "epsilon": "1"}]))
    yield Case("long-labels", spec(wide(3), {"type": "repeat", "times": 9, "mechanism": {
        "type": "matrix", "outputs": ["a" * 20000, "b" * 20000, "c" * 20000], "rows": [["1/3", "1/3", "1/3"]] * 3}},
        [{"notion": "ldp", "epsilon": "0", "name": "n" * 100000}]))
    names = ["".join(t) for t in itertools.product("abc", repeat=5)]
    labels = {f"({','.join(c * 20000 for c in name)})": name for name in names}
    yield Case("long-labels-mapped", spec(wide(3), {"type": "post_process", "map": labels, "mechanism": {
        "type": "repeat", "times": 5, "mechanism": {"type": "matrix", "outputs": [c * 20000 for c in "abc"],
                                                    "rows": [["1/3", "1/3", "1/3"]] * 3}}}))


def notions(rng):
    many = per_coordinate(["log(3)"] * 11)
    domain = wide(*[2] * 11)
    yield Case("blocks", spec(domain, many, [{"notion": "block_ldp", "blocks": ["x0", "x1"], "epsilon": "1"}]))
    sensitive = [[str(i >> b & 1) for b in range(11)] for i in range(1024)]
    yield Case("high-low", spec(domain, many, [{"notion": "high_low_ldp", "sensitive": sensitive, "epsilon": "1"}]))
    revealing = matrix([["1/2"] * 2 + ["0"] * 199] + [["1/4"] * 2 + ["1/2" if y == k else "0" for y in range(199)] for k in range(199)])
    utility = {"notion": "utility_optimized_ldp", "sensitive": {"x0": "0"}, "epsilon": "1"}
    yield Case("utility-runs", spec(wide(200), {"type": "repeat", "times": 3000, "mechanism": revealing}, [utility, {**utility, "sensitive": {}}]))
    yield Case("utility-attributes", spec(wide(200, 2, 2, 2), {"type": "per_coordinate", "mechanisms": {"x0": revealing, "*": krr("log(2)")}}, [utility]))
    yield Case("utility-all", spec(domain, many, [{**utility, "sensitive": {}}, {**utility, "sensitive": {"x3": ["0", "1"]}}]))
    yield Case("utility-named", spec(wide(200), revealing, [{**utility, "protected": ["0", "1"]}, {**utility, "protected": [str(y) for y in range(201)]}]))
    yield Case("lift-of-inputs", spec(wide(*[4] * 5), {"type": "repeat", "times": 2000, "mechanism": krr("log(2)")},
                                      [{"notion": notion, "epsilon": "1"} for notion in ("pointwise_maximal_leakage", "lower_lift")], prior={"type": "uniform"}))
    yield Case("context", spec(wide(1200), krr("1"), [{"notion": "context_ldp", "epsilon": [["log(3)"] * 1200] * 1200}]))
    grid = [{"name": name, "size": 34} for name in ("a", "b")]
    yield Case("context-by-distance", spec(grid, krr("1"), [{"notion": "context_ldp", "epsilon": {"metric": "l2", "epsilon": "log(3)"}, "tight": True}]))
    yield Case("context-ties", spec(wide(400), {"type": "truncated_geometric", "epsilon": "1"},
                                    [{"notion": "context_ldp", "epsilon": [[str(abs(i - j)) for j in range(400)] for i in range(400)], "tight": True}]))
    yield Case("context-by-input", spec(wide(1200), krr("1"), [{"notion": "context_ldp", "epsilon": {"min_of": [f"log({i + 2})" for i in range(1200)]}}]))
    yield Case("partial", spec(domain, many, [{"notion": "partial_dp", "epsilon": "1"},
                                              {"notion": "partial_dp", "epsilon": "1", "records": [[f"x{i}" for i in range(11)]], "tight": True}]))
    yield Case("partial-exp", spec(wide(*[3] * 6), per_coordinate([f"1/{n}" for n in (2, 3, 5, 7, 11, 13)]),
                                   [{"notion": "partial_dp", "epsilon": "1", "tight": True}]))
    yield Case("approximate", spec(domain, many, [{"notion": "approximate_dp", "epsilon": "1", "delta": "1/9"},
                                                  {"notion": "approximate_dp", "epsilon": "log(2)", "delta": "1/9", "tight": True}]))
    yield Case("approximate-long", spec(wide(12), matrix([row(rng, 60, 1200) for _ in range(12)]),
                                        [{"notion": "approximate_dp", "epsilon": f"log(1+{fraction(rng, 900)})", "delta": "1/9"}]))
    yield Case("approximate-exp", spec(wide(12), matrix([exp_row([f"{(i * 7 + j * 5) % 31}/13" for j in range(40)]) for i in range(12)]),
                                       [{"notion": "approximate_dp", "epsilon": "1/7", "delta": "1/9"}]))
    yield Case("zcdp-long", spec(wide(12), matrix([row(rng, 60, 1200) for _ in range(12)]), [{"notion": "zcdp", "rho": "1/9"}]))
    yield Case("zcdp-pairs", spec(wide(600), matrix([row(rng, 30, 3) for _ in range(600)]), [{"notion": "zcdp", "rho": "1/9"}]))
    other = random.Random(2)
    for name, sizes, rows in (("long", 12, [row(other, 60, 1200) for _ in range(12)]), ("pairs", 600, [row(other, 30, 3) for _ in range(600)])):
        yield Case(f"renyi-{name}", spec(wide(sizes), matrix(rows), [{"notion": "renyi_dp", "order": 1000, "epsilon": "1/9"}]))
    yield Case("renyi-exp", spec(wide(12), matrix([exp_row([f"{(i * 7 + j * 5) % 31}/13" for j in range(40)]) for i in range(12)]),
                                 [{"notion": "renyi_dp", "order": 1000, "epsilon": "1/7", "tight": True}]))
    tails = [{"notion": "pointwise_maximal_leakage", "epsilon": "log(2)", "delta": "1/2", "coordinate": "x0"}, {"notion": "approximate_zcdp", "rho": "1", "delta": "1/100"},
             {"notion": "renyi_bcdp", "order": 1000, "coordinate": "x0", "epsilon": "1"}]
    skewed = {"type": "probabilities", "probabilities": ["1/2", "1/3", "1/6"]}
    yield Case("tails-exp", spec(wide(3), {"type": "repeat", "times": 2000, "mechanism": krr("1")}, tails, prior=skewed))
    yield Case("tails-long", spec(wide(3), {"type": "repeat", "times": 30000, "mechanism": krr("log(2)")}, tails, prior=skewed))
    yield Case("tails-unlike", spec(wide(3), {"type": "compose", "mechanisms": [krr(f"{i + 1}/7") for i in range(40)]}, tails, prior=skewed))
    sums = [{"notion": "approximate_dp", "epsilon": "5", "delta": "1/1000"}, {"notion": "zcdp", "rho": "1/100"}, {"notion": "renyi_dp", "order": 3, "epsilon": "1"},
            {"notion": "probabilistic_dp", "epsilon": "1", "delta": "1/9"}, {"notion": "gaussian_dp", "mu": "1"}]
    yield Case("different-parts", spec(wide(2), {"type": "compose", "mechanisms": [krr(f"log(1+1/{k + 10})") for k in range(20000)]}, sums))
    yield Case("renyi-parts", spec(wide(*[3] * 900), per_coordinate([f"1/{i + 2}" for i in range(900)]), [{"notion": "renyi_dp", "order": 1000, "epsilon": "9"}]))
    yield Case("approximate-repeat", spec(wide(3), {"type": "repeat", "times": 11, "mechanism": krr("1/3")},
                                          [{"notion": "approximate_dp", "epsilon": "1", "delta": "1/9"}]))
    yield Case("secret-of-many-labels", spec(wide(*[2] * 10), per_coordinate(["log(3)"] * 10), [{
        "notion": "secret", "epsilon": "1", "secret": {f"s{i}": [[str(i >> b & 1) for b in range(10)]] for i in range(1024)}}],
        prior={"type": "uniform"}))
    yield Case("tight", repeated(4000, ["1/7", "log(2)"], [{"notion": "ldp", "epsilon": "1", "tight": True},
                                                          {"notion": "cdp", "epsilon": "1", "tight": True}]))
    yield Case("tradeoff", spec(domain, many, ALL_PRIOR[:2]), command=["analyze", "--tradeoff", "--format", "json"])
    yield Case("figures", spec(wide(*[2] * 8), per_coordinate(["1/3", "1/5", "1/7"] * 2), ALL_PRIOR, prior=network(rng, 8, 3)),
               command=["verify", "--figures", "--format", "json"])
    yield Case("claims-by-the-thousand", spec(wide(3), matrix([row(rng, 3, 3000) for _ in range(3)]), [
        {"notion": "ldp", "epsilon": f"log(1 + {fraction(rng, 500)})"} for i in range(4000)]), command=["verify", "--format", "json"])
    yield Case("long-results", repeated(3000, [f"log(1 + {fraction(rng, 120)})"], [
        {"notion": n, "epsilon": "1", "name": str(i)} for i in range(300) for n in ("ldp", "cdp")]), command=["verify", "--format", "json"])
    yield Case("post-processing-of", spec(wide(40), matrix([row(rng, 40, 20) for _ in range(40)]), [
        {"notion": "post_processing_of", "of": matrix([row(rng, 40, 20) for _ in range(40)])}]))
    yield Case("post-processing-of-itself", spec(wide(60), matrix([row(rng, 60, 9) for _ in range(60)]), [
        {"notion": "post_processing_of", "of": {"type": "hadamard_response", "epsilon": "log(3)"}}]))
    polynomial = "(1 + " + " + ".join(f"t{i}" for i in range(8)) + ")"
    yield Case("symbols", spec(wide(3), krr(f"log({polynomial}^3 + 1)"), symbols={f"t{i}": {"gt": "1"} for i in range(8)}))
    yield Case("symbols-divided", spec(wide(4), {"type": "repeat", "times": 3, "mechanism": krr(f"log({polynomial}^2/(1+t0*t1) + 1)")},
                                       symbols={f"t{i}": {"gt": "1"} for i in range(8)}))
    yield Case("smt", spec(wide(8), {"type": "compose", "mechanisms": [krr("1"), krr("1/3")]}, [
        {"notion": "ldp", "epsilon": "4/3"}, {"notion": "approximate_dp", "epsilon": "1", "delta": "1/9"}]),
        command=["verify", "--engine", "both"])
    yield Case("smt-long", spec(wide(8), matrix([row(rng, 8, 3000) for _ in range(8)])), command=["verify", "--engine", "smt"])
    yield Case("lift-of-many-parts", spec(wide(3), {"type": "compose", "mechanisms": [matrix([row(rng, 5, 20) for _ in range(3)]) for _ in range(60)]},
                                          [{"notion": notion, "epsilon": "1"} for notion in ("pointwise_maximal_leakage", "lower_lift")], prior={"type": "uniform"}))


def functions(rng):
    for name, times, mechanism in (("exponentials", 2000, krr("1")), ("hundred-thousand", 100000, krr("log(3)")),
                                   ("long", 300, matrix([row(rng, 3, 200) for _ in range(3)]))):
        yield Case(f"sum-of-{name}", spec(wide(3), {"type": "function", "function": "sum", "mechanism": {
            "type": "repeat", "times": times, "mechanism": mechanism}}))
    yield Case("sum-of-many-values", spec(wide(400), {"type": "function", "function": "sum", "mechanism": {
        "type": "repeat", "times": 60, "mechanism": krr("log(3)")}}))
    yield Case("sum-of-attributes", spec(wide(*[2] * 22), {"type": "function", "function": "sum", "mechanism": per_coordinate(["1"] * 22)}))
    yield Case("argmax-of-many", spec(wide(30), {"type": "function", "function": "argmax", "mechanism": {
        "type": "repeat", "times": 1500, "mechanism": krr("1")}}))
    yield Case("max-of-many", spec(wide(300), {"type": "function", "function": "max", "mechanism": {
        "type": "repeat", "times": 300, "mechanism": krr("1")}}))
    yield Case("cascade-long", spec(wide(30), {"type": "cascade", "first": matrix([row(rng, 60, 500) for _ in range(30)]),
                                               "second": matrix([row(rng, 60, 500) for _ in range(60)])}))
    bits = [{"name": f"q{k}", "size": 2} for k in range(12)]
    yield Case("above-threshold-all", spec(bits, {"type": "above_threshold", "threshold": 1, "threshold_scale": 2, "query_scale": 4, "answers": 12}))
    far = [{"name": f"q{k}", "values": ["0", "4000"]} for k in range(4)]
    yield Case("noisy-max-far", spec(far, {"type": "report_noisy_max", "scale": 1000}))
    yield Case("partition-slow", spec(wide(100000), {"type": "optimal_partition_selection", "epsilon": "1/100000", "delta": "1/100000000"}))
    yield Case("public-wide", spec(wide(15), {"type": "public", "seeds": 1000000, "mechanism": {"type": "on", "coordinates": ["x0"], "mechanism": krr("1")}}))
    yield Case("cascade-wide", spec(wide(4000), {"type": "cascade", "first": krr("1"), "second": krr("2")}))
    yield Case("permute-and-flip", spec(wide(40), {"type": "permute_and_flip", "epsilon": "1", "outputs": 60, "utility": [
        [f"{rng.randrange(1000)}/7" for _ in range(60)] for _ in range(40)]}))


def families(rng):
    yield Case("subset-selection", spec(wide(22), {"type": "subset_selection", "epsilon": "1", "size": 9}))
    yield Case("local-hashing", spec(wide(3000), {"type": "optimized_local_hashing", "epsilon": "1"}))
    yield Case("gaussian", spec(wide(300), {"type": "discrete_gaussian_truncated", "variance": "1/3", "least": -9, "greatest": 309}))
    yield Case("gaussian-finely", spec(wide(40), {"type": "discrete_gaussian_truncated", "variance": "7/3", "least": 0, "greatest": 39}))
    yield Case("laplace", spec(wide(2000), {"type": "discrete_laplace_truncated", "scale": "7/3"}))
    yield Case("laplace-long", spec(wide(200), {"type": "discrete_laplace_truncated", "scale": "1/10", "least": -500, "greatest": 700}))
    yield Case("geometric", spec(wide(3000), {"type": "truncated_geometric", "epsilon": "1/3"}))
    yield Case("geometric-long", spec(wide(1500), {"type": "truncated_geometric", "epsilon": f"log(1+{fraction(rng, 60)})"}))
    yield Case("exponential-mechanism", spec(wide(150), {"type": "exponential_mechanism", "epsilon": "1", "outputs": 150, "utility": [
        [f"{rng.randrange(60)}/7" for _ in range(150)] for _ in range(150)]}))
    yield Case("rappor", spec(wide(20), {"type": "rappor", "f": "1/2", "p": "1/4", "q": "3/4"}))
    yield Case("unary-encoding", spec(wide(18), {"type": "unary_encoding", "epsilon": "1/3"}))
    yield Case("hadamard", spec(wide(60000), {"type": "hadamard_response", "epsilon": "1/3"}))
    yield Case("block-hadamard", spec(wide(300, 100), {"type": "block_hadamard_response", "blocks": ["x0"], "epsilon": "1/3"}, [
        {"notion": "block_ldp", "blocks": ["x0"], "epsilon": "1/3"}]), command=["verify", "--by-columns"])
    yield Case("hypercube", spec(wide(*[2] * 13), {"type": "duchi_hypercube", "epsilon": "1/3"}))
    yield Case("bcdp-mean", spec(wide(*[2] * 8), {"type": "bcdp_mean", "delta": {f"x{i}": f"1/{i + 2}" for i in range(8)},
                                                 "epsilon": "3/2", "q": "1/5", "zeta": "1/2"}, ALL_PRIOR, prior={"type": "uniform"}))
    yield Case("big-krr", spec(wide(40000), krr("1"), [{"notion": "approximate_dp", "epsilon": "1/2", "delta": "1/9"}]))


def other_commands(rng):
    exps = repeated(3000, ["1/7", "log(2)"])
    yield Case("analyze-repeat", exps, command=["analyze"])
    yield Case("lock-repeat", exps, command=["lock", "write"], after=["--lock", "{dir}/oddsbound.lock.json"])
    spec_, files = ballot(16, rng)
    yield Case("lock-votes", spec_, files, command=["lock", "write"], after=["--lock", "{dir}/oddsbound.lock.json"])
    yield Case("analyze-votes", spec_, files, command=["analyze"])
    yield Case("report-of-votes", spec_, files, command=["verify", "--format", "html"])
    yield Case("sample-repeat", exps, command=["sample"], after=["--input", "0,0", "--count", "5000"], concludes=True)
    yield Case("sample-long", spec(wide(12), matrix([row(rng, 12, 9000) for _ in range(12)])), command=["sample"],
               after=["--input", "3", "--count", "100000"], concludes=True)
    yield Case("sample-votes", spec_, files, command=["sample"], after=["--from-prior", "20000"], concludes=True)
    yield Case("sample-exp", spec(wide(6), matrix([exp_row([f"{(i * 7 + j * 5) % 3001}/7" for j in range(30)]) for i in range(6)])),
               command=["sample"], after=["--input", "3", "--count", "100000"], concludes=True)
    outputs = "output\n" + "\n".join(str(rng.randrange(60)) for _ in range(2000)) + "\n"
    yield Case("estimate-long", spec(wide(60), matrix([row(rng, 60, 900) for _ in range(60)])), {"outputs.csv": outputs},
               command=["estimate"], after=["{dir}/outputs.csv"])
    yield Case("estimate-exp", spec(wide(12), matrix([exp_row([f"{(i * 7 + j * 5) % 31}/7" for j in range(30)]) for i in range(12)])),
               {"outputs.csv": "output\n" + "\n".join(str(rng.randrange(30)) for _ in range(2000)) + "\n"},
               command=["estimate"], after=["{dir}/outputs.csv"])
    yield Case("estimate-huge-table", spec(wide(3), krr("1")), {"outputs.csv": "output\n" + "0\n1\n2\n" * 3000000},
               command=["estimate"], after=["{dir}/outputs.csv"])
    yield Case("exhaustive-repeat", repeated(300, ["1/7", "log(2)"]), command=["audit", "--exhaustive"])
    yield Case("exhaustive-long", spec(wide(12), matrix([row(rng, 12, 9000) for _ in range(12)])), command=["audit", "--exhaustive"])
    yield Case("exhaustive-hadamard", spec(wide(1000), {"type": "hadamard_response", "epsilon": "1/3"}), command=["audit", "--exhaustive"])
    yield Case("exhaustive-gaussian", spec(wide(60), {"type": "discrete_gaussian_truncated", "variance": "70/3", "least": -9, "greatest": 69}),
               command=["audit", "--exhaustive"])
    yield Case("audit-votes", *ballot(9, rng), command=["audit"], after=["--samples", "2000000", "--seed", "1"], concludes=True)
    yield Case("audit-repeat", repeated(40, ["1/7", "log(2)"]), command=["audit"], after=["--samples", "200000", "--seed", "1"], concludes=True)
    chain = {f"part{i}.json": json.dumps(spec(wide(3), {"type": "post_process", "mechanism": {"type": "file", "file": f"part{i + 1}.json"},
                                                        "outputs": 3, "rows": [row(rng, 3, 1500) for _ in range(3)]})) for i in range(12)}
    chain["part12.json"] = json.dumps(spec(wide(3), matrix([row(rng, 3, 1500) for _ in range(3)])))
    yield Case("many-witnesses", spec(wide(*[2] * 4000), {"type": "on", "coordinates": ["x0"], "mechanism": krr("1")}), command=["analyze"])
    yield Case("file-chain", spec(wide(3), {"type": "repeat", "times": 40, "mechanism": {"type": "file", "file": "part0.json"}}), chain)
    table = "\n".join(",".join(["1/1500"] * 1500) for _ in range(1500)) + "\n"
    yield Case("matrix-file", spec(wide(1500), {"type": "matrix", "outputs": 1500, "file": "rows.csv"}), {"rows.csv": table})
    yield Case("json-of-many-brackets", spec(wide(2), krr("1"), description="x", claims=[{"notion": "ldp", "epsilon": "1", "name": f"{i}"}
                                                                                         for i in range(200000)]), command=["verify", "--format", "json"],
               concludes=True)  # 194 MB of JSON are written after the last claim is decided


def many_groups(rng):
    """A hidden attribute of 1,500 values, among 60,000 rows."""
    rows = [[k % 1500 if k < 1500 else rng.randrange(1500)] + [rng.randrange(4) for _ in range(8)] for k in range(60000)]
    return table_of(rows, {"type": "per_coordinate", "mechanisms": {"*": krr("1/2")}})


def many_outputs(rng):
    """20 attributes of three values; each is answered by one of 1,200 numbers, with noise like a normal distribution."""
    rows = [[k % 2] + [rng.randrange(3) for _ in range(20)] for k in range(1000)]
    weights = [[1 + int(10**6 * math.exp(-((y - 600 - 7 * x) / 200) ** 2 / 2)) for y in range(1200)] for x in range(3)]
    noisy = matrix([[f"{w}/{sum(row)}" for w in row] for row in weights])
    return table_of(rows, {"type": "per_coordinate", "mechanisms": {f"x{i}": noisy for i in range(1, 21)}})


def table_of(rows, mechanism):
    """The spec and the files of a table with a claim about its first attribute."""
    names = [f"x{i}" for i in range(len(rows[0]))]
    text = "\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]) + "\n"
    domain = [{"name": name, "values": "from prior"} for name in names]
    claims = [{"notion": "bcdp", "epsilon": {"x0": "1/2"}}]
    return spec(domain, mechanism, claims, prior={"type": "csv", "file": "table.csv"}), {"table.csv": text}


def cases():
    rng = random.Random(1)
    groups = (huge_numbers, large_models, notions, families, other_commands, tables, functions)
    for group in groups:
        yield from group(rng)
