#!/usr/bin/env python3
"""Writes the figures and tables of the three papers as one HTML page: our values beside the published ones.

    papers.py BUILD PAGE     (scripts/papers.sh calls it)

Each section is a function that returns HTML. Published values are copied from the papers; our values are the output of the
commands that the page shows.
"""
import csv
import html
import io
import json
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
CLAIMS, GALLERY, RELEASES = "specs/claims-of-the-papers", "specs/gallery", "specs/releases"
TINY = "ODDSBOUND_BENCH_TINY" in os.environ
STYLE = ("body{font:15px/1.5 sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}table{border-collapse:collapse;margin:1rem 0}"
         "td,th{border:1px solid #ccc;padding:.2rem .6rem;text-align:left}code{background:#f3f3f3}svg{max-width:100%;background:#fff}"
         "polyline{fill:none;stroke-width:1.6}text{font:11px sans-serif;fill:#333}")


class Commands:
    def __init__(self, build):
        self.build = build

    def text(self, *arguments):
        result = subprocess.run([os.path.join(self.build, "cli", "oddsbound"), *arguments], cwd=ROOT, capture_output=True, text=True,
                                check=False, timeout=600)
        if result.returncode not in (0, 1):
            raise RuntimeError(f"oddsbound {' '.join(arguments)}: exit status {result.returncode}\n{result.stderr}")
        return result.stdout

    def json(self, *arguments):
        return json.loads(self.text(*arguments, "--format", "json"))

    def experiment(self, name, arguments, stored):
        """(rows of its CSV, where they are from)"""
        program = os.path.join(self.build, "bench", name)
        if os.access(program, os.X_OK):
            made = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=True, timeout=7200).stdout
            return list(csv.DictReader(io.StringIO(made))), "simulated now" + (", at a tiny size: meaningless" if TINY else "")
        with open(os.path.join(ROOT, stored), encoding="utf-8") as file:
            return list(csv.DictReader(file)), f"stored in {stored}: {name} is not built"


def table(head, rows):
    def line(tag, cells):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"
    return "<table>" + line("th", head) + "".join(line("td", row) for row in rows) + "</table>"


def command(*words):
    return "<p><code>" + html.escape(" ".join(words)) + "</code></p>"


def paragraph(text):
    return f"<p>{html.escape(text)}</p>"


def figure(name):
    """A stored drawing."""
    with open(os.path.join(ROOT, "docs", "figures", name), encoding="utf-8") as file:
        return file.read()


def lines_svg(title, lines, width=320, height=300):
    """lines: {label: [(x, y)]} with numbers from 0 to 1."""
    colors = ["#1b6ca8", "#c8553d", "#2a9d8f", "#8a6fb0", "#7a7a7a"]
    def point(x, y):
        return f"{40 + x * (width - 60):.1f},{height - 40 - y * (height - 70):.1f}"
    out = [f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img"><title>{html.escape(title)}</title>',
           f'<polyline stroke="#999" points="{point(0, 1)} {point(0, 0)} {point(1, 0)}"/>',
           f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">false alarm</text><text x="4" y="16">missed detection</text>']
    for k, (label, points) in enumerate(lines.items()):
        color = colors[k % len(colors)]
        out.append(f'<polyline stroke="{color}" points="{" ".join(point(x, y) for x, y in points)}"/>')
        out.append(f'<text x="{width - 150}" y="{34 + 15 * k}" style="fill:{color}">{html.escape(label)}</text>')
    return "".join(out) + "</svg>"


# BCDP

def bcdp_figure_1(run):
    """Which notion implies which: the arrows that Z3 proves for all models of a small size, and those that it refutes."""
    properties = [line.split(":")[0] for line in run.text("search", "--list").splitlines()]
    rows = []
    for name in properties:
        if " implies " in name or "composes" in name:
            found = run.json("search", "--property", name, "-o", tempfile.mkdtemp())
            rows.append([name, {"found": "counterexample", "none": "holds at this size"}.get(found["steps"][-1]["outcome"], found["steps"][-1]["outcome"])])
    return (paragraph("Published: LDP implies the others; CDP alone does not imply BCDP; BCDP implies neither CDP nor LDP, and does not compose.")
            + command("oddsbound search --property NAME") + table(["property", "ours, two bits and two outputs"], rows))


def bcdp_examples(run):
    rows = []
    for name, published in (("bcdp-example-1", "finite levels"), ("bcdp-example-2-once", "x1: 0"), ("bcdp-example-2-twice", "x1: infinite")):
        levels = run.json("analyze", f"{CLAIMS}/{name}.json")["specs"][0]["analysis"]["bcdp"]
        rows.append([name, published, ", ".join(f"{c}: {level['epsilon'] if 'epsilon' in level else level.get('level', level)}" for c, level in levels.items())])
    return command("oddsbound analyze specs/claims-of-the-papers/NAME.json") + table(["example", "published", "ours, exact BCDP levels"], rows)


def bcdp_figure_2(run):
    """Mechanism 1: step k sees the coordinates from the k-th on."""
    note = " ".join(run.json("analyze", f"{GALLERY}/bcdp-mean.json")["specs"][0].get("notes", []))
    names, size = ["a", "b", "c"], 46
    out = ['<svg viewBox="0 0 420 230" width="420" role="img"><title>Mechanism 1: the coordinates that each step sees</title>']
    for i, name in enumerate(names):
        out.append(f'<text x="{90 + i * size}" y="24" text-anchor="middle">{name}</text>')
    for k in range(3):
        y = 36 + k * 56
        out.append(f'<rect x="{90 + k * size - 20}" y="{y}" width="{(3 - k) * size - 6}" height="34" fill="#dcebf5" stroke="#1b6ca8"/>')
        out.append(f'<text x="{90 + 3 * size}" y="{y + 22}">step {k + 1}, level c{k + 1}{" - c" + str(k) if k else ""}, weight {"c1^2/3" if k == 0 else f"(c{k + 1} - c{k})^2/{3 - k}"}</text>')
    return (paragraph("The estimate of a coordinate is the weighted mean of the answers below it. " + note) + "".join(out) + "</svg>"
            + command("oddsbound analyze specs/gallery/bcdp-mean.json"))


def bcdp_figures_3_and_4(run):
    rows, source = run.experiment("mean_experiment", ["1"] if TINY else ["400"], "docs/figures/means.csv")
    shown = [[r["figure"], r["x"], r["way"], r["estimator"], r["median"], r["exact_mean"]] for r in rows if r["figure"] == "3"][:60]
    return (paragraph(f"Numbers: {source}. The published figures have no table. They are drawn with a radius that is twice the right one, and with the "
                      "other differences that docs/paper-map.md lists; the way 'scripts' repeats these.") + figure("means.svg")
            + command("build/release/bench/mean_experiment 400") + table(["figure", "x", "way", "estimator", "median", "exact mean"], shown))


def bcdp_split(run):
    found = run.json("split", "--delta", "a=1/2", "b=1", "c=3/2", "--correlation", "1/5")["splits"]
    rows = [[split["by"], level["coordinate"], level["cdp_nats"][:9], level["bcdp_nats"][:9]] for split in found for level in split["levels"]]
    return command("oddsbound split --delta a=1/2 b=1 c=3/2 --correlation 1/5") + table(["by", "coordinate", "CDP level", "BCDP at most"], rows)


# Context-aware

def context_figure_1(run):
    found = run.json("analyze", "--tradeoff", f"{CLAIMS}/context-theorem-1.json")["specs"][0]
    curves = found.get("tradeoffs") or found["analysis"].get("tradeoffs") or []
    lines = {}
    for curve in curves:
        points = [(float_of(v["type_one"]), float_of(v["type_two"])) for v in curve["vertices"]]
        lines[f"{curve['of']}: {curve['from']} against {curve['to']}"[:40]] = points
    return (paragraph("The lower boundary of all error pairs of a mechanism. Published: the region is bounded by the lines (7) and (8).")
            + lines_svg("Errors of tests", lines) + command("oddsbound analyze --tradeoff --format json specs/claims-of-the-papers/context-theorem-1.json"))


def float_of(number):
    """A number of the JSON: a fraction, or with decimals beside it."""
    if isinstance(number, dict):
        return float(number.get("lower", number.get("value", 0)))
    top, _, bottom = str(number).partition("/")
    try:
        return float(top) / float(bottom or 1)
    except ValueError:
        return math.nan


def context_figure_2(run):
    rows, source = run.experiment("block_experiment", [], "docs/figures/blocks.csv")
    most = max(int(r["samples"]) for r in rows)
    shown = [[r["distribution"], r["blocks"], r["samples"], r["tv_error"], r["tv_error_projected"]] for r in rows if int(r["samples"]) == most]
    return (paragraph(f"Numbers: {source}. Published, as a drawing without a table: more blocks have smaller errors.") + figure("blocks.svg")
            + command("build/release/bench/block_experiment 10") + table(["distribution", "blocks", "people", "total variation", "projected"], shown))


def context_table_1(run):
    published = {"1": 0.591, "35": 0.298, "875": 0.108, "1750": 0.082}
    with open(os.path.join(ROOT, "docs/figures/locations.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    shown = [[r["blocks"], published.get(r["blocks"], ""), r["partition"], r["tv_error_projected"], r["tv_error"]] for r in rows]
    return (paragraph("Stored in docs/figures/locations.csv, with synthetic check-ins. Gowalla's table may not be redistributed, and its places differ from "
                      "these; bench/checkins.py reads its format.") + figure("locations.svg")
            + command("build/release/bench/location_experiment places.csv 10 3671812")
            + table(["blocks", "published, Gowalla", "partition", "ours, projected", "ours, unbiased"], shown))


def context_people(run):
    rows = []
    for name in ("hadamard-response", "block-hadamard-response", "high-low-hadamard-response"):
        found = run.json("estimate", f"{GALLERY}/{name}.json", "--people-for", "1/20")["people_for"]
        rows.append([name, found.get("too_few", ""), found["enough"], found.get("enough_by_bound", "")])
    return (paragraph("How many people an expected total variation of 1/20 takes; the last column is the paper's bound for every distribution. "
                      "Its Theorems 3 and 4 state the orders of these numbers.") + command("oddsbound estimate SPEC --people-for 1/20")
            + table(["mechanism", "not enough", "enough", "by (20) or (27)"], rows))


# Partial DP

def partial_table_1(run):
    """k-way marginals of d bits, rho = 1/2 for each attribute or for a person, average error alpha."""
    rows = []
    for d, k, alpha in ((4, 2, "1/20"), (6, 2, "1/20"), (8, 2, "1/20"), (8, 3, "1/20"))[:2 if TINY else 4]:
        names = [f"a{i}" for i in range(d)]
        for whose, changes in (("an attribute", 2 * math.comb(d - 1, k - 1)), ("a person", 2 * math.comb(d, k))):
            release = {"oddsbound_release": 1, "name": "marginals", "attributes": [{"name": name, "values": ["0", "1"]} for name in names],
                       "steps": [{"type": "counts", "of": {"ways": k}, "noise": {"gaussian": str(changes)}, "consistent": True}]}
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "marginals.release.json")
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(release, file)
                found = run.json("release", path, "--plan", "--error", alpha)
            plan = {figure["what"]: figure["value"] for figure in found["steps"][0]["plan"]}
            people = plan["people for consistent counts with that error"]
            a = float_of(alpha)
            by_table = min(math.sqrt(k if whose == "an attribute" else d) / a ** 2, math.sqrt(math.comb(d, k) * (k / d if whose == "an attribute" else 1)) / a)
            rows.append([d, k, alpha, whose, f"{people:.0f}", f"O({by_table:.0f})"])
    return (paragraph("First line of the table, epsilon = epsilon_0 = 1: people for a root mean squared error of alpha. The published numbers are "
                      "orders without constants; ours follow from (2), with tables of all cells in place of one count for each.")
            + command("oddsbound release FILE --plan --error 1/20") + table(["d", "k", "alpha", "epsilon is that of", "ours", "published order"], rows))


def partial_heavy_hitters(run):
    found = run.json("release", f"{RELEASES}/frequent.release.json", "--plan")["steps"][0]
    rows = [["from which every frequent combination is listed in 95 of 100 runs", found.get("people_needed", ""), "ours"]]
    rows += [[figure["what"], f"{figure['value']:.0f}", figure.get("source", "")] for figure in found["plan"]]
    return (paragraph("Third line of the table, and Theorem 15: people.") + command("oddsbound release specs/releases/frequent.release.json --plan")
            + table(["people", "number", "source"], rows))


def partial_mwem(run):
    found = run.json("release", f"{RELEASES}/mwem-epsilon.release.json", "--plan", "--people", "100000", "--error", "1/10")["steps"][0]
    rows = [[figure["what"], f"{figure['value']:.6g}", figure.get("source", "")] for figure in found["plan"]]
    return (paragraph("Second line of the table, and (3).") + command("oddsbound release specs/releases/mwem-epsilon.release.json --plan --people 100000 --error 1/10")
            + table(["figure", "value", "source"], rows))


def partial_section_7(run):
    rows = []
    for file, wanted in (("census-2020-persons", {"a person": "rho 2.56, (17.14, 1e-10)", "race, ethnicity": "rho 1.02, (7.85, 1e-6): not attained, see docs/paper-map.md"}),
                         ("census-2020", {"a person": "rho 2.63, (13.8, 1e-6)", "occupied": "(2.47, 1e-10)"})):
        for line in run.json("release", f"{RELEASES}/{file}.release.json", "--account")["ledger"]:
            if line["of"] in wanted:
                at = ", ".join(f"({float_of(one['epsilon']):.7g}, {float_of(one['delta']):.3g})" for one in line["at"])
                rows.append([file, line["of"], wanted[line["of"]], f"rho {line['rho_at_most']}, {at}"])
    return command("oddsbound release specs/releases/census-2020.release.json --account") + table(["release", "attributes", "published", "ours, rounded up"], rows)


SECTIONS = [
    ("BCDP, Figure 1: relations of notions", bcdp_figure_1), ("BCDP, Examples 1 and 2", bcdp_examples), ("BCDP, Figure 2: Mechanism 1", bcdp_figure_2),
    ("BCDP, Figures 3 and 4: errors", bcdp_figures_3_and_4), ("BCDP, Propositions 4 and 6", bcdp_split),
    ("Context-aware, Figure 1: errors of tests", context_figure_1), ("Context-aware, Figure 2: synthetic distributions", context_figure_2),
    ("Context-aware, Table 1 and Figure 3: locations", context_table_1), ("Context-aware, Theorems 3 and 4: people", context_people),
    ("Partial DP, Table 1: marginals", partial_table_1), ("Partial DP, Table 1: heavy hitters", partial_heavy_hitters),
    ("Partial DP, Table 1: largest error", partial_mwem), ("Partial DP, Section 7: the census", partial_section_7),
]


def main():
    build, page = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    run, parts = Commands(build), []
    for title, section in SECTIONS:
        print(title, file=sys.stderr)
        parts.append(f"<h2>{html.escape(title)}</h2>\n{section(run)}")
    text = (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Figures and tables of the papers</title><style>{STYLE}</style>'
            "<h1>Figures and tables of the papers</h1>" + paragraph("Our values beside the published ones. docs/paper-map.md lists the errors in the papers.")
            + "\n".join(parts) + "</html>\n")
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)
    print(page)


if __name__ == "__main__":
    main()
