"""Certificates of the program against their checker.

Honest ones are accepted: of random specs, of surveys and of stopped searches. Tampered ones, and ones with bounds that
are too low, are rejected.

certificates.py BINARY [--specs N] [--tables N] [--seed S]: prints a line per problem, then "N passed, M failed".
"""
import argparse
import json
import os
import random
import sys
import tempfile
from fractions import Fraction

import network_certificates
from certificate_runs import Run, expect_honest, matrix, write
from random_specs import Generator
from tampering import AVERAGED, TAMPERED, TEXTS, closed, nodes


def random_specs(run, count, seed):
    """Small specs with every kind of mechanism and prior: outputs are enumerated."""
    generator, proofs = Generator(seed, run.folder, symbols=False), 0
    for index in range(count):
        spec = generator.write(index)
        text, status = run.certificate(spec)
        document = json.loads(text) if text else {"coordinates": [], "without": []}
        run.expect(text is not None and status == (3 if document["without"] else 0), f"{spec}: status {status}")
        if text:
            proofs += len(document["coordinates"])
            expect_honest(run, os.path.basename(spec), spec, text)
    run.expect(proofs > count / 2, f"only {proofs} proofs for {count} random specs")


def survey(run, r, name, attributes=9, rows=40, zeros=0.0):
    """A table with dependent attributes, each with its own mechanism; some are queried twice, some two together."""
    sizes = [r.choice([2, 2, 3]) for _ in range(attributes)]
    names = [f"a{i}" for i in range(attributes)]
    table = [[*names, "n"]]
    for _ in range(rows):
        kind = r.randrange(3)
        table.append([(kind if r.random() < 0.6 else r.randrange(size)) % size for size in sizes] + [r.randint(1, 5)])
    parts = []
    for i, size in enumerate(sizes[1:], 1):
        asked = r.choice([{"type": "k_randomized_response", "epsilon": r.choice(["1", "1/2", "log(3)"])}, matrix(r, size, 3, zeros)])
        if r.random() < 0.2:
            asked = {"type": "repeat", "mechanism": asked, "times": 3}
        parts.append({"type": "on", "coordinates": [names[i]], "mechanism": asked})
    both = r.sample(range(attributes), 2)
    parts.append({"type": "on", "coordinates": [names[i] for i in both], "mechanism": matrix(r, sizes[both[0]] * sizes[both[1]], 2, zeros)})
    spec = {"domain": [{"name": n, "size": size} for n, size in zip(names, sizes)], "mechanism": {"type": "compose", "mechanisms": parts},
            "prior": {"type": "csv", "file": name + ".csv", "columns": {n: n for n in names}, "count": "n"}}
    return write(run, name, spec, (name + ".csv", table))


def other_priors(r):
    """Priors without listed rows: a network, a mixture, independent coordinates of which some are queried together."""
    names = [f"a{i}" for i in range(6)]
    domain = [{"name": n, "values": ["u", "v"]} for n in names]
    asked = {"type": "per_coordinate", "mechanisms": {n: {"type": "k_randomized_response", "epsilon": "log(2)"} for n in names}}
    pair = {"type": "compose", "mechanisms": [asked, {"type": "on", "coordinates": names[4:2:-1], "mechanism": matrix(r, 4, 3)}]}
    chain = [{"coordinate": names[0], "parents": [], "table": [["1/3", "2/3"]]}] + [
        {"coordinate": b, "parents": [a], "table": [["3/4", "1/4"], ["1/5", "4/5"]]} for a, b in zip(names, names[1:])]
    marginals = {n: r.choice([["1/3", "2/3"], ["1/2", "1/2"], ["1", "0"]]) for n in names}
    product = {"type": "product", "marginals": marginals}
    for prior in ({"type": "network", "nodes": chain[::-1]}, product, {"type": "uniform"},
                  {"type": "mixture", "weights": ["1/4", "3/4"], "components": [product, {"type": "diagonal", "marginal": ["1/2", "1/2"]}]}):
        yield prior["type"], {"domain": domain, "mechanism": pair, "prior": prior}


def wide_specs(run, seed, count):
    """Too many outputs to enumerate: trees, with both kinds of inequalities."""
    r, used = random.Random(seed), {"credit": 0, "plan": 0, "enumerate": 0, "types": 0}
    made = [(f"survey-{k}", survey(run, r, f"survey-{k}", zeros=0.15 * (k % 3))) for k in range(count)]
    made += [(kind, write(run, kind, spec)) for kind, spec in other_priors(r)]
    for what, spec in made:
        text, _ = run.certificate(spec, "--max-cells", "100")
        document = json.loads(text)
        for coordinate in document["coordinates"]:
            used["enumerate"] += any("enumerate" in node for node in nodes(coordinate["tree"]))
            used["types"] += any(len(step["parts"]) > 1 for step in coordinate["steps"])
        for kind in ("credit", "plan"):
            used[kind] += len(closed(document, kind))
        expect_honest(run, what, spec, text)
    run.expect(all(number > 5 for number in used.values()), f"too little was used: {used}")


def long_table(run, r, name, rows, alike):
    """A table whose rows have few near ones; the first two attributes are asked twice. alike: all answers at
    one level; otherwise no two are."""
    sizes = [3, 3, 2, 3, 4, 2, 3, 3]
    names = [f"a{i}" for i in range(len(sizes))]
    table = [names]
    for _ in range(rows):
        kind = r.randrange(4)
        table.append([(kind if r.random() < 0.5 else r.randrange(size)) % size for size in sizes])
    levels = ["1" if alike else f"{6 + place}/9" for place in range(10)]
    parts = [{"type": "on", "coordinates": [n], "mechanism": {"type": "k_randomized_response", "epsilon": level}} for n, level in zip(names + names[:2], levels)]
    spec = {"domain": [{"name": n, "size": size} for n, size in zip(names, sizes)], "mechanism": {"type": "compose", "mechanisms": parts},
            "prior": {"type": "csv", "file": name + ".csv", "columns": {n: n for n in names}}}
    return write(run, name, spec, (name + ".csv", table))


def long_tables(run, seed, count):
    """Averaged bounds: with a base that is a quotient of the answers, and with one near 1."""
    r, of_unit, of_tangent = random.Random(seed), 0, 0
    for k in range(count):
        spec = long_table(run, r, f"long-{k}", 300, k % 2 == 0)
        text, _ = run.certificate(spec, "--max-cells", "100")
        document = json.loads(text)
        bases = [entry["averaged"]["base"] for _, _, entry in closed(document, "averaged")]
        of_unit += sum(base > 1.1 for base in bases)
        of_tangent += sum(base < 1.1 for base in bases)
        expect_honest(run, f"a long table, {k}", spec, text, most=1)
        if k == 0:
            averaged_tampered(run, spec, text)
    run.expect(of_unit > 5 and of_tangent > 5, f"too few averaged bounds: {of_unit}, {of_tangent}")


def averaged_tampered(run, spec, text):
    """Changes the bound of the witness's pair, the tightest one."""
    document = json.loads(text)
    own = next(c for c in document["coordinates"] if closed({"coordinates": [c]}, "averaged"))
    def tightest(c):
        found = closed({"coordinates": [c]}, "averaged")
        of_witness = [entry for entry in found if all(entry[2][side] == c["witness"][side] for side in ("from", "to"))]
        return (of_witness or found)[0]
    for what, tamper in AVERAGED.items():
        changed = json.loads(text)
        c = next(c for c in changed["coordinates"] if c["coordinate"] == own["coordinate"])
        tamper(changed, c, *tightest(c)[1:])
        run.expect_rejected(f"an averaged bound with {what}", spec, json.dumps(changed), "--coordinate", own["coordinate"])
    for what, number in (("NaN", "NaN"), ("infinity", "Infinity"), ("a huge number", "1e999999999"), ("endless digits", "9" * 5000)):
        run.expect_rejected(f"an averaged bound with {what}", spec, text.replace('"base":', f'"base":{number},"x":', 1))


def thousand_answers(run):
    """Numbers beyond the range of doubles."""
    spec = write(run, "thousand", {"domain": [{"name": "told", "values": ["y", "n"]}, {"name": "hidden", "values": ["y", "n"]}],
                                   "prior": {"type": "counts", "counts": [3, 1, 1, 2]},
                                   "mechanism": {"type": "repeat", "times": 300, "mechanism": {"type": "per_coordinate", "mechanisms": {"told": {"type": "k_randomized_response", "epsilon": "5"}}}}})
    expect_honest(run, "hundreds of answers", spec, run.certificate(spec)[0])


def stopped(run):
    """A search that does not end. Whether a proof ends depends on the machine, so more and more time is tried."""
    r = random.Random(5)
    names, size = ["hidden", "told"], 60
    rows = [["hidden", "told", "n"]] + [[h, t, r.randint(1, 9)] for h in range(2) for t in range(size)]
    parts = [{"type": "on", "coordinates": ["told"], "mechanism": matrix(r, size, 3)} for _ in range(24)]
    spec = write(run, "endless", {"domain": [{"name": "hidden", "size": 2}, {"name": "told", "size": size}], "mechanism": {"type": "compose", "mechanisms": parts},
                                  "prior": {"type": "csv", "file": "endless.csv", "columns": {n: n for n in names}, "count": "n"}}, ("endless.csv", rows))
    for seconds in ("0.5", "1", "2", "4", "8", "16"):
        text, _ = run.certificate(spec, "--max-seconds", seconds)
        document = json.loads(text) if text else {"coordinates": []}
        if any(Fraction(c["upper"]) - Fraction(c["lower"]) > Fraction(1, 100) for c in document["coordinates"]):
            return run.expect_accepted(f"a search that was stopped after {seconds} s", spec, text)
    return run.expect(False, "no search was stopped that has a certificate")


def tampered(run):
    """One certificate that has everything, changed in one way each."""
    spec = survey(run, random.Random(6), "tampered")
    text, _ = run.certificate(spec, "--max-cells", "100")
    document = json.loads(text)
    run.expect_accepted("before it is tampered with", spec, json.dumps(document))
    def of_both(k):
        return min(json.dumps(document["coordinates"][k]).count(kind) for kind in ("credit", "plan"))
    richest = max(range(len(document["coordinates"])), key=of_both)
    for what, tamper in TAMPERED.items():
        changed = json.loads(text)
        own = changed["coordinates"][richest]
        credit, plan = ([found for found in closed(changed, kind) if found[0] is own] for kind in ("credit", "plan"))
        tamper(changed, own, credit[-1], plan[-1])
        run.expect_rejected(what, spec, json.dumps(changed), "--coordinate", document["coordinates"][richest]["coordinate"])
    for what, tamper in TEXTS.items():
        run.expect_rejected(what, spec, tamper(text))
    with open(spec, encoding="utf-8") as file:
        weaker = json.load(file)
    for part in weaker["mechanism"]["mechanisms"]:
        if part["mechanism"]["type"] == "k_randomized_response":
            part["mechanism"]["epsilon"] = "2"
    run.expect_rejected("another spec", write(run, "tampered-weaker", {**weaker, "name": "tampered"}), text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--specs", type=int, default=40)
    parser.add_argument("--surveys", type=int, default=3)
    parser.add_argument("--tables", type=int, default=2)
    parser.add_argument("--networks", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(os.path.abspath(arguments.binary), folder)
        random_specs(run, arguments.specs, arguments.seed)
        wide_specs(run, arguments.seed, arguments.surveys)
        long_tables(run, arguments.seed, arguments.tables)
        thousand_answers(run)
        stopped(run)
        tampered(run)
        networks = Run(run.binary, folder)
        network_certificates.tests(networks, arguments.networks, arguments.seed)
    failed = len(run.problems) + len(networks.problems)
    print(f"{run.passed + networks.passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
