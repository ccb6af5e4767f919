"""Makes the tables of docs/utility.md from the program's answers, and compares them with the page.

utility.py BINARY [--update]; prints the rows that the page does not have. --update writes them.
"""
import json
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import program  # noqa: E402
from program import ROOT, middle, run, run_on  # noqa: E402

PAGE = os.path.join(ROOT, "docs", "utility.md")
TABLE = re.compile(r"(<!-- table: (\w+) -->\n)(.*?)(<!-- until here -->\n)", re.DOTALL)
VALUES = list("abcdefgh")

# Eight values, uniformly distributed, and level 1 where a family has one.
PROPORTIONS = [
    ({"type": "k_randomized_response", "epsilon": "1"}, "all values"),
    ({"type": "hadamard_response", "epsilon": "1"}, "all values"),
    ({"type": "subset_selection", "epsilon": "1"}, "all values"),
    ({"type": "unary_encoding", "epsilon": "1"}, "all values"),
    ({"type": "unary_encoding", "variant": "symmetric", "epsilon": "1"}, "all values"),
    ({"type": "optimized_local_hashing", "epsilon": "1"}, "all values"),
    ({"type": "d_bit_flip", "bits": 4, "epsilon": "1"}, "all values"),
    ({"type": "rappor", "f": "1/2", "p": "1/2", "q": "3/4"}, "one report"),
    ({"type": "longitudinal_grr", "epsilon": "2", "first": "1"}, "one report; any number: 2"),
    ({"type": "longitudinal_unary_encoding", "epsilon": "2", "first": "1"}, "one report; any number: 2"),
    ({"type": "block_hadamard_response", "blocks": [[[v] for v in VALUES[:4]], [[v] for v in VALUES[4:]]], "epsilon": "1"}, "values of the same block, two blocks of four"),
    ({"type": "high_low_hadamard_response", "sensitive": [["a"], ["b"]], "epsilon": "1"}, "two sensitive values against all"),
    ({"type": "truncated_geometric", "epsilon": "1/7"}, "all values; neighbors: 1/7"),
    ({"type": "discrete_laplace_clamped", "scale": "7"}, "all values; neighbors: 1/7"),
    ({"type": "discrete_gaussian_truncated", "variance": "9"}, "all values"),
    ({"type": "exponential_mechanism", "epsilon": "1", "outputs": VALUES, "utility": [[int(i == j) for j in range(8)] for i in range(8)]}, "all values"),
    ({"type": "permute_and_flip", "epsilon": "1", "outputs": VALUES, "utility": [[int(i == j) for j in range(8)] for i in range(8)]}, "all values"),
]
MEANS = [
    ({"type": "duchi_hypercube", "epsilon": "1"}, "all inputs"),
    ({"type": "bcdp_mean", "delta": {"x": "1/2", "y": "1", "z": "1"}, "epsilon": "1", "q": "1/10", "zeta": "1/2"}, "all inputs; BCDP of x: 1/2"),
    ({"type": "bcdp_mean", "delta": {"x": "1/2", "y": "1", "z": "1"}, "epsilon": "1", "q": "1/10", "zeta": "best"}, "all inputs; BCDP of x: 1/2"),
]
RELEASES = ["survey", "parities", "graph-levels", "marginals", "consistent", "mwem-epsilon", "frequent", "learned"]


def short(number):
    return f"{number:.0f}" if 1000 <= number < 1e6 else f"{number:.3g}"


def claim_of(mechanism):
    if mechanism["type"] == "block_hadamard_response":
        return {"notion": "block_ldp", "blocks": mechanism["blocks"], "epsilon": "50"}
    if mechanism["type"] == "high_low_hadamard_response":
        return {"notion": "high_low_ldp", "sensitive": mechanism["sensitive"], "epsilon": "50"}
    return {"notion": "ldp", "epsilon": "50"}


def name_of(mechanism):
    details = [f"{key} {value}" for key, value in mechanism.items() if key in ("bits", "variant", "f", "p", "q", "scale", "variance", "zeta")]
    return f"`{mechanism['type']}`" + (", " + ", ".join(details) if details else "")


def row_of_proportions(case):
    mechanism, hidden = case
    spec = {"oddsbound": 1, "name": "made", "domain": [{"name": "x", "values": VALUES}], "prior": {"type": "uniform"}, "mechanism": mechanism,
            "claims": [claim_of(mechanism)]}
    verified, estimate = run_on(spec, "verify", None), run_on(spec, "estimate", None, "--samples", "1000")
    level, distance = verified["specs"][0]["claims"][0]["actual"], estimate["total_variation"]
    try:
        people = run_on(spec, "estimate", None, "--people-for", "1/20")["people_for"]
        enough = f"{people['too_few']} to {people['enough']}"
    except RuntimeError as error:
        if "may take more than 2^53 outputs" not in str(error):
            raise
        enough = "may be more than $2^{53}$"
    return [name_of(mechanism), hidden, short(middle(level)), short(middle(estimate["mean_squared_error"])),
            f"{short(distance['lower'])} to {short(distance['upper'])}", enough]


def proportions():
    with ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(row_of_proportions, PROPORTIONS))
    return [["mechanism", "hides", "level", "squared error, 1,000 people", "total variation, 1,000 people", "people for 1/20"], *rows]


def means():
    rows = []
    for mechanism, hidden in MEANS:
        spec = {"oddsbound": 1, "name": "made", "domain": [{"name": name, "values": ["-1", "1"]} for name in "xyz"], "prior": {"type": "uniform"}, "mechanism": mechanism}
        analysis, estimate = run_on(spec, "analyze", None), run_on(spec, "estimate", None, "--samples", "1000")
        error = middle(estimate["mean_squared_error"])
        rows.append([name_of(mechanism), hidden, short(middle(analysis["specs"][0]["analysis"]["ldp"])), short(error), short(error * 1000 / 0.05**2)])
    return [["mechanism", "hides", "LDP level", "squared error, 1,000 people", "people for a root mean squared error of 1/20"], *rows]


def designs():
    rows = []
    for limit, words in (([{"notion": "ldp", "epsilon": "1"}], "LDP level 1"), ([{"notion": "ldp", "epsilon": "log(3)"}], "LDP level log 3")):
        request = {"oddsbound_design": 1, "name": "made", "domain": [{"name": "x", "values": VALUES}], "prior": {"type": "uniform"}, "constraints": limit,
                   "objective": {"estimate": "frequencies"}}
        with tempfile.TemporaryDirectory() as folder:
            path, made = os.path.join(folder, "made.design.json"), os.path.join(folder, "made.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(request, file)
            words_of_design = run("design", path, "--format", "text", as_json=False)
            run("design", path, "-o", made, as_json=False)
            estimate = run("estimate", made, "--samples", "1")
            people = run("estimate", made, "--people-for", "1/20")["people_for"]
        rows.append([words, re.search(r"it is (.*)", words_of_design).group(1), short(middle(estimate["mean_squared_error"]) / 1000), f"{people['too_few']} to {people['enough']}"])
    return [["constraint", "the best mechanism is", "squared error, 1,000 people", "people for 1/20"], *rows]


def releases():
    rows = []
    for name in RELEASES:
        found = run("release", f"specs/releases/{name}.release.json", "--plan", "--error", "1/20")
        lines = {line["of"]: line for line in found["ledger"]}
        person = lines.pop("a person")
        single = [line for line in lines.values() if len(line["attributes"]) == 1]

        def cost(line):
            return short(float(line["pure_at_most"])) if line["pure_at_most"] != "inf" else f"rho {short(float(line['rho_at_most']))}"
        worst = max(single, key=lambda line: (float(line["pure_at_most"]), float(line["rho_at_most"])))
        for k, step in enumerate(found["steps"]):
            figures = {figure["what"]: figure["value"] for figure in step.get("plan", [])}
            errors = [short(value) for what, value in figures.items() if what.startswith("mean squared error of a number")]
            largest = [short(value) for what, value in figures.items() if what.startswith("expected") and "error of the" in what]
            people = [f"none: {short(value)} is the limit" for what, value in figures.items() if what.startswith("smallest error")]
            people += [f"{value:.0f}" for what, value in figures.items() if what.startswith(("people for an expected largest error", "people who are enough to list"))]
            proved = [match.group(1) for note in step.get("notes", []) for match in [re.search(r"with (\d+) people or more", note)] if match]
            what = step["what"].replace("; of ", ", of ")
            what = what if len(what) < 70 else what[:60].rsplit(" ", 1)[0] + " ..."
            rows.append([f"[{name}](../specs/releases/{name}.release.json)" if k == 0 else "", what, cost(worst) if k == 0 else "", cost(person) if k == 0 else "",
                         *(first[0] if first else "" for first in (errors, largest, people, proved))])
    return [["release", "step", "an attribute costs at most", "a person costs", "squared error of a count", "largest error", "people needed for 1/20, or by a paper's bound", "people proved to be enough"], *rows]


def rendered(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]]) + "\n"


def main():
    program.use(sys.argv[1])
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    missing = []

    def made(match):
        text = rendered({"proportions": proportions, "means": means, "designs": designs, "releases": releases}[match.group(2)]())
        missing.extend(f"docs/utility.md: {line}" for line in text.splitlines() if line not in match.group(3).splitlines())
        return match.group(1) + text + match.group(4)
    written = TABLE.sub(made, page)
    if sys.argv[2:] == ["--update"]:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(written)
        return 0
    print("\n".join(missing))
    return 1 if missing or written != page else 0


if __name__ == "__main__":
    sys.exit(main())
