"""design, compare and estimate state the same errors for the same mechanism.

same_errors.py BINARY; prints the errors that differ.
"""
import json
import math
import os
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import program  # noqa: E402
from program import middle, run  # noqa: E402

folder, failures = "", []


def expect(holds, what):
    if not holds:
        failures.append(what)


def error_of_estimate(spec, samples, *marginals):
    """As it is stated, from so many people; of several marginals the sum."""
    options = [word for marginal in marginals for word in ("--marginals", marginal)]
    found = run("estimate", spec, "--samples", str(samples), *options)
    each = found.get("marginals", [found])
    return sum(middle(one["mean_squared_error"]) for one in each)


def rows_of_compare(spec, samples):
    """(quantity, coordinate or "") -> the first design's number, as it is stated"""
    other = "specs/gallery/hadamard-response.json"
    return {(row["quantity"], row.get("coordinate", "")): row["cells"][0] for row in run("compare", spec, other, "--samples", str(samples))["rows"]}


def designed(request):
    """(the error or loss that the text states, the spec that was written)"""
    if isinstance(request, dict):
        path = os.path.join(folder, "made.design.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(request, file)
        request = path
    made = os.path.join(folder, "made.json")
    run("design", request, "-o", made, as_json=False)
    stated = run("design", request, "--format", "text", as_json=False).splitlines()[1].rsplit(": ", 1)[1].split(" = ")
    try:
        return float(Fraction(stated[0])), made
    except ValueError:
        return float(stated[-1]), made


def families():
    for name in ("hadamard-response", "high-low-hadamard-response", "block-hadamard-response", "bcdp-mean", "unary-encoding"):
        spec = f"specs/gallery/{name}.json"
        for samples in (1, 1000):
            estimate = run("estimate", spec, "--samples", str(samples))
            cell = rows_of_compare(spec, samples).get((f"error of {estimate['targets']}", ""), {})
            expect(cell.get("number", {}).get("at_most") == estimate["mean_squared_error"]["value"], f"{name}: the error of compare is not that of estimate, {samples} people")
        expect(math.isclose(error_of_estimate(spec, 1), 1000 * error_of_estimate(spec, 1000), rel_tol=1e-9), f"{name}: the error from 1000 people is not a thousandth")


def frequencies():
    for level in ("log(2)", "1", "log(5)"):
        request = {"oddsbound_design": 1, "name": "made", "domain": [{"name": "x", "values": list("abcdef")}], "prior": {"type": "uniform"},
                   "constraints": [{"notion": "ldp", "epsilon": level}], "objective": {"estimate": "frequencies"}}
        stated, made = designed(request)
        expect(math.isclose(stated, error_of_estimate(made, 1), rel_tol=1e-9), f"design of frequencies at {level}: {stated}, estimate: {error_of_estimate(made, 1)}")
        cell = rows_of_compare(made, 1)["error of shares", ""]
        expect(math.isclose(stated, middle(cell["number"]), rel_tol=1e-9), f"design of frequencies at {level}: {stated}, compare has another error")
    # Weights of design may depend on the prior, those of estimate do not.
    stated, made = designed("specs/designs/passengers-estimated.design.json")
    found = error_of_estimate(made, 1)
    expect(stated * (1 - 1e-9) <= found <= 1.01 * stated, f"passengers-estimated: design states {stated}, estimate {found}")


def products():
    stated, made = designed("specs/designs/titanic-by-attribute.design.json")
    found = error_of_estimate(made, 1, "class,sex", "age")
    expect(math.isclose(stated, found, rel_tol=1e-9), f"titanic-by-attribute: design states {stated}, estimate {found}")


def losses():
    """The loss zero_one is one minus the accuracy of the best guess, since a best output is itself a best guess."""
    for weights in (["1/3", "1/3", "1/3"], ["1/2", "1/3", "1/6"]):
        for level in ("log(2)", "log(7)"):
            request = {"oddsbound_design": 1, "name": "made", "domain": [{"name": "x", "values": ["a", "b", "c"]}],
                       "prior": {"type": "probabilities", "probabilities": weights}, "constraints": [{"notion": "ldp", "epsilon": level}],
                       "objective": {"expected": "zero_one"}}
            stated, made = designed(request)
            accuracy = middle(rows_of_compare(made, 1)["right guesses", ""]["number"])
            expect(math.isclose(stated, 1 - accuracy, rel_tol=1e-9), f"zero_one at {level}, prior {weights}: design states {stated}, compare's best guess has {1 - accuracy}")
    request = {"oddsbound_design": 1, "name": "made", "domain": [{"name": "x", "values": ["a", "b", "c"]}], "prior": {"type": "uniform"},
               "constraints": [{"notion": "ldp", "epsilon": "log(3)"}], "objective": {"most": "mutual_information"}}
    stated, made = designed(request)
    information = middle(rows_of_compare(made, 1)["information", ""]["number"])
    expect(math.isclose(stated, information, rel_tol=1e-9), f"mutual information: design states {stated}, compare {information}")


def main():
    global folder
    program.use(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        families()
        frequencies()
        products()
        losses()
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
