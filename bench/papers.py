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
STYLE = ("body{font:15px/1.5 sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#222}table{border-collapse:collapse;margin:1rem 0}"
         "td,th{border:1px solid #ccc;padding:.2rem .6rem;text-align:left;vertical-align:top}th{background:#f3f6f9}code{background:#f3f3f3}"
         "svg{max-width:100%;height:auto;background:#fff;display:block;margin:1rem 0}h2{margin-top:2.5rem;border-top:1px solid #ddd;padding-top:1rem}"
         ".own polyline{fill:none;stroke-width:1.8}.own text{font:12px sans-serif;fill:#333}.small{font-size:13px}.drawn{max-width:56rem}nav ul{columns:2}")


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

    def experiment(self, name, arguments, stored, environment=None):
        """(its CSV, where it is from)"""
        program = os.path.join(self.build, "bench", name)
        if os.access(program, os.X_OK):
            made = subprocess.run([program, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=7200).stdout
            return made, "simulated now" + (", at a tiny size: meaningless" if TINY else "")
        with open(os.path.join(ROOT, stored), encoding="utf-8") as file:
            return file.read(), f"stored in {stored}: {name} is not built"


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def drawn(script, *texts):
    """The drawing of a script of this folder, from CSV texts."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for k, text in enumerate(texts):
            paths.append(os.path.join(folder, f"{k}.csv"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(text)
        target = os.path.join(folder, "drawn.svg")
        subprocess.run([sys.executable, os.path.join(ROOT, "bench", script), *paths, target], check=True, capture_output=True)
        with open(target, encoding="utf-8") as file:
            return '<div class="drawn">' + file.read() + "</div>"


def table(head, rows, kind=""):
    def line(tag, cells):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"
    return f'<table class="{kind}">' + line("th", head) + "".join(line("td", row) for row in rows) + "</table>"


def command(*words):
    return "<p><code>" + html.escape(" ".join(words)) + "</code></p>"


def paragraph(text):
    return f"<p>{html.escape(text)}</p>"


def region_svg(title, polygon, lines, vertices, x, width=300):
    """The region of error pairs above some lines: all with numbers from 0 to 1. x: where the drawing begins."""
    def point(a, b):
        return f"{x + 40 + a * (width - 60):.1f},{width - 20 - b * (width - 60):.1f}"
    out = [f'<polygon points="{" ".join(point(a, b) for a, b in polygon)}" fill="#dcebf5"/>',
           f'<polyline stroke="#888" points="{point(0, 1)} {point(0, 0)} {point(1, 0)}"/>',
           f'<text x="{x + width / 2}" y="14" text-anchor="middle">{html.escape(title)}</text>',
           f'<text x="{x + width / 2 + 10}" y="{width}" text-anchor="middle">false alarm</text>',
           f'<text x="{x + 14}" y="{width / 2}" transform="rotate(-90 {x + 14} {width / 2})" text-anchor="middle">missed detection</text>']
    out += [f'<polyline stroke="#c8553d" stroke-dasharray="5 3" points="{point(*a)} {point(*b)}"/>' for a, b in lines]
    for a, b in vertices:
        across, up = point(a, b).split(",")
        out.append(f'<circle cx="{across}" cy="{up}" r="3.5" fill="#1b6ca8"/><text x="{float(across) + 8}" y="{float(up) - 6}">({a:.4g}, {b:.4g})</text>')
    return "".join(out)


# BCDP

ARROWS = [  # from, to, as the figure has it, the spec that shows it for one mechanism, or the property that is searched
    ("LDP", "BDP", "implies, same level", f"{CLAIMS}/bcdp-proposition-1.json", ""),
    ("BDP", "LDP", "implies, up to events without mass", f"{CLAIMS}/bcdp-proposition-1-full-support.json", ""),
    ("LDP", "CDP", "implies, same level", f"{CLAIMS}/bcdp-definition-3.json", ""),
    ("LDP", "BCDP", "implies, same level", f"{CLAIMS}/bcdp-proposition-3.json", ""),
    ("CDP", "BCDP", "implies, with the function of Proposition 4", f"{CLAIMS}/bcdp-proposition-4.json", "cdp implies bcdp"),
    ("BCDP", "LDP, BDP, CDP", "does not imply", f"{CLAIMS}/bcdp-example-1.json", "bcdp implies ldp"),
    ("BCDP", "BCDP of two runs", "does not compose", f"{CLAIMS}/bcdp-example-2-twice.json", "bcdp composes"),
]


def bcdp_figure_1(run):
    """Which notion implies which: specs that show an arrow, and counterexamples that Z3 finds for the same level."""
    rows = []
    for source, target, published, spec, name in ARROWS:
        claims = run.json("verify", spec)["specs"][0]["claims"]
        ok = all(claim["ok"] for claim in claims)
        found = ""
        if name:
            with tempfile.TemporaryDirectory() as folder:
                outcome = run.json("search", "--property", name, "-o", folder)["steps"][-1]["outcome"]
            found = {"found": "counterexample", "none": "none of this size"}.get(outcome, outcome) + f" to '{name}'"
        rows.append([source, target, published, f"{os.path.basename(spec)}: {'as published' if ok else 'differs'} ({len(claims)} claims)", found])
    return (command("oddsbound verify specs/claims-of-the-papers/NAME.json; oddsbound search --property NAME")
            + table(["from", "to", "published", "ours", "for the same level, two bits and two outputs"], rows))


def bcdp_examples(run):
    rows = []
    for name, published in (("bcdp-example-1", {"x1": "log(2)", "x2": "log(2)"}), ("bcdp-example-2-once", {"x1": "0"}), ("bcdp-example-2-twice", {"x1": "not BCDP"}),
                            ("bcdp-example-2-smallest-twice", {})):
        levels = run.json("analyze", f"{CLAIMS}/{name}.json")["specs"][0]["analysis"]["bcdp"]
        rows.append([name, ", ".join(f"{c}: {level}" for c, level in published.items()), ", ".join(f"{c}: {level['epsilon']}" for c, level in levels.items())])
    return (paragraph("Equal. The last line is a smaller example of the same effect, with two bits and two outputs.")
            + command("oddsbound analyze specs/claims-of-the-papers/NAME.json") + table(["example", "published", "ours, exact BCDP levels"], rows))


def bcdp_figure_2(run):
    """Mechanism 1: step k sees the coordinates from the k-th on."""
    note = " ".join(run.json("analyze", f"{GALLERY}/bcdp-mean.json")["specs"][0].get("notes", []))
    names, size = ["a", "b", "c"], 46
    out = ['<svg class="own" viewBox="0 0 520 230" width="520" role="img"><title>Mechanism 1: the coordinates that each step sees</title>']
    for i, name in enumerate(names):
        out.append(f'<text x="{90 + i * size}" y="24" text-anchor="middle">{name}</text>')
    for k in range(3):
        y = 36 + k * 56
        out.append(f'<rect x="{90 + k * size - 20}" y="{y}" width="{(3 - k) * size - 6}" height="34" fill="#dcebf5" stroke="#1b6ca8"/>')
        out.append(f'<text x="{90 + 3 * size}" y="{y + 22}">step {k + 1}, level c{k + 1}{" - c" + str(k) if k else ""}, weight {"c1^2/3" if k == 0 else f"(c{k + 1} - c{k})^2/{3 - k}"}</text>')
    return (paragraph("A drawing without numbers. The estimate of a coordinate is the weighted mean of the answers below it. " + note) + "".join(out) + "</svg>"
            + command("oddsbound analyze specs/gallery/bcdp-mean.json"))


def bcdp_figures_3_and_4(run):
    made, source = run.experiment("mean_experiment", ["1"] if TINY else ["400"], "docs/figures/means.csv")
    parts = [paragraph(f"Numbers: {source}. The paper states no number of these figures, and none is read off its drawings: the comparison is of shapes. "
                       "'As published' repeats what the drawings must show: a radius that is twice the right one, steps projected to balls, and in Figure 4 n = 3000 and q = 0.01 "
                       "(the text has 5000 and 0.1). The other columns are what the text describes, and the correct radius, for which the error is exact."), drawn("plot_means.py", made),
             command("build/release/bench/mean_experiment 400; python3 bench/plot_means.py means.csv means.svg")]
    axes = {"3": "q", "4a": "coordinates", "4b": "fraction at the low level"}
    for figure, axis in axes.items():
        cells, best = {}, {}
        for row in rows_of(made):
            if row["figure"] == figure:
                cells[row["x"], row["way"], row["estimator"]] = row["exact_mean"] or row["median"]
                best[row["x"]] = row["zeta"] if row["estimator"] == "best zeta" else best.get(row["x"], "")
        def pair(x, way):
            return " / ".join(f"{float(cells[x, way, one]):.4g}" for one in ("mechanism 1", "one step") if cells.get((x, way, one)))
        xs = list(dict.fromkeys(x for x, _, _ in cells))
        parts.append(f"<h3>Figure {figure}: Mechanism 1 / one step at the smallest level</h3>" + table(
            [axis, "as published, median", "as the text says, median", "unbiased, exact mean", "in the cube, median", "best zeta, exact mean"],
            [[x, pair(x, "scripts"), pair(x, "text"), pair(x, "unbiased"), pair(x, "cube"),
              f"{float(cells[x, 'unbiased', 'best zeta']):.4g} ({'one step' if best[x] == '1' else 'zeta ' + best[x]})" if (x, "unbiased", "best zeta") in cells else ""] for x in xs]))
    return "".join(parts)


def bcdp_split(run):
    found = run.json("split", "--delta", "a=1/2", "b=1", "c=3/2", "--correlation", "1/5")["splits"]
    rows = [[split["by"], level["coordinate"], level["cdp_nats"][:9], level["bcdp_nats"][:9]] for split in found for level in split["levels"]]
    return command("oddsbound split --delta a=1/2 b=1 c=3/2 --correlation 1/5") + table(["by", "coordinate", "CDP level", "BCDP at most"], rows)


# Context-aware

def context_figure_1(run):
    """(a): the region of epsilon-LDP; (b): that of levels log 3 and log 2, which the optimal mechanism attains."""
    rows, panels = [], []
    for k, (title, e12, e21) in enumerate((("(a) LDP, level log 3", 3, 3), ("(b) levels log 3 and log 2", 3, 2))):
        spec = {"oddsbound": 1, "name": "made", "domain": [{"name": "x", "values": ["1", "2"]}],
                "mechanism": {"type": "optimal_binary", "epsilon_12": f"log({e12})", "epsilon_21": f"log({e21})"}}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "made.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(spec, file)
            curve = run.json("analyze", "--tradeoff", path)["specs"][0]["analysis"]["tradeoff"]["ldp"]["vertices"]
        vertices = [(float_of(a), float_of(b)) for a, b in curve]
        corners = [((e21 - 1) / (e12 * e21 - 1), (e12 - 1) / (e12 * e21 - 1)), ((e12 - 1) / (e12 * e21 - 1), (e21 - 1) / (e12 * e21 - 1))]
        corner = vertices[1]
        named = "equal" if any(math.dist(corner, one) < 1e-12 for one in corners) else "differs"
        rows.append([title, ", ".join(f"({a}, {b})" for a, b in curve), f"({corners[0][0]:.4g}, {corners[0][1]:.4g})", f"{named}; (23) as printed: ({corners[0][0]:.4g}, {corners[0][0]:.4g})"])
        panels.append(region_svg(title, [(0, 1), corner, (1, 0), (1, 1)], [((0, 1), corner), (corner, (1, 0))], vertices, 340 * k))
    return (paragraph("The region of all error pairs (filled), between the lines (7) and (8). The printed third vertex, (23), has a wrong second coordinate; the corrected one is ours, "
                      "up to the exchange of the two hypotheses.")
            + '<svg class="own" viewBox="0 0 660 305" width="660" role="img"><title>Errors of tests</title>' + "".join(panels) + "</svg>"
            + command("oddsbound analyze --tradeoff --format json SPEC") + table(["region", "ours: vertices", "(23), corrected", "comparison"], rows))


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
    made, source = run.experiment("block_experiment", [], "docs/figures/blocks.csv")
    rows = rows_of(made)
    most = max(int(r["samples"]) for r in rows)
    names = list(dict.fromkeys(r["distribution"] for r in rows))
    cells = {(r["blocks"], r["distribution"]): r for r in rows if int(r["samples"]) == most}
    shown = [[blocks, *(f"{float(cells[blocks, name]['tv_error']):.4f} ({float(cells[blocks, name]['tv_error_projected']):.4f})" for name in names)]
             for blocks in dict.fromkeys(r["blocks"] for r in rows)]
    return (paragraph(f"Numbers: {source}. The paper states no number of this figure. Published: block-structured responses have the smaller error, and more blocks a smaller one. "
                      f"Ours, from {most} people: total variation, in brackets after projection. One block is LDP. Two distributions are not fixed by the paper (lambda of Geo and Zipf): "
                      "ours are a ratio of 0.95 and an exponent of 1.") + drawn("plot_blocks.py", made)
            + command("build/release/bench/block_experiment 10; python3 bench/plot_blocks.py blocks.csv blocks.svg") + table(["blocks", *names], shown))


def context_table_1(run):
    published = {"1": 0.591, "35": 0.298, "875": 0.108, "1750": 0.082}
    with tempfile.TemporaryDirectory() as folder:
        checkins, places = os.path.join(folder, "checkins.txt"), os.path.join(folder, "places.csv")
        for script, argument, target in (("made_checkins.py", "2000" if TINY else "200000", checkins), ("checkins.py", checkins, places)):
            with open(target, "w", encoding="utf-8") as file:
                subprocess.run([sys.executable, os.path.join(ROOT, "bench", script), argument], check=True, stdout=file, stderr=subprocess.DEVNULL)
        whole = {key: value for key, value in os.environ.items() if key != "ODDSBOUND_BENCH_TINY"}  # the places are those of the paper, also at a tiny size
        made, source = run.experiment("location_experiment", [places, "1", "20000"] if TINY else [places, "10", "3671812"], "docs/figures/locations.csv", whole)
        with open(places, encoding="utf-8") as file:
            drawing = drawn("plot_locations.py", file.read(), made)
    shown = [[r["blocks"], published.get(r["blocks"], ""), r["partition"], r["tv_error_projected"], r["tv_error"]] for r in rows_of(made)]
    return (paragraph(f"Numbers: {source}. Our check-ins are synthetic: Gowalla's table may not be redistributed; bench/checkins.py reads its format. So the numbers differ, most where "
                      "few blocks leave the distribution itself to matter. The paper does not say how its estimates become distributions; unbiased ones have an error above 1 for one block, "
                      "so its numbers must be those of projected ones. The left drawing is Figure 3, for our check-ins.") + drawing
            + command("python3 bench/made_checkins.py 200000 > checkins.txt; python3 bench/checkins.py checkins.txt > places.csv; build/release/bench/location_experiment places.csv 10 3671812")
            + table(["blocks", "published, Gowalla", "partition", "ours, projected", "ours, unbiased"], shown))


def context_people(run):
    rows = []
    for name, order, number in (("hadamard-response", "(3): k^2/(alpha epsilon)^2", 25 * 400), ("block-hadamard-response", "sum of k_i^2/(alpha epsilon)^2", 18 * 400),
                                ("high-low-hadamard-response", "s^2/(alpha epsilon)^2 + k/(alpha^2 epsilon)", 9 * 400)):
        found = run.json("estimate", f"{GALLERY}/{name}.json", "--people-for", "1/20")["people_for"]
        rows.append([name, found.get("too_few", ""), found["enough"], f"{order}: {number}", found.get("enough_by_bound", "")])
    return (paragraph("How many people an expected total variation of 1/20 takes; the last column is the paper's bound for every distribution. "
                      "Its Theorems 3 and 4 state the orders of these numbers, with epsilon = O(1): the last but one column has them for epsilon = 1, without a constant.") + command("oddsbound estimate SPEC --people-for 1/20")
            + table(["mechanism", "not enough", "enough", "published order", "published bound, (20) or (27)"], rows))


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
    rows.append(["order of the table: log(d)/(epsilon_0 alpha)", f"{math.log(3) * 10:.0f}", "published, without a constant"])
    rows.append(["order for a person, pure DP: d/(epsilon alpha)", "30", "published, without a constant"])
    return (paragraph("Third line of the table, and Theorem 15: people. Three attributes, epsilon_0 = 1, share 1/10. Ours has another proof of the same algorithm, with constants; the corrected "
                      "statement of Theorem 15 needs both scales of noise at 4/epsilon.") + command("oddsbound release specs/releases/frequent.release.json --plan")
            + table(["people", "number", "source"], rows))


def partial_mwem(run):
    found = run.json("release", f"{RELEASES}/mwem-epsilon.release.json", "--plan", "--people", "100000", "--error", "1/10")["steps"][0]
    rows = [[figure["what"], f"{figure['value']:.6g}", figure.get("source", "")] for figure in found["plan"]]
    k, d, error = 2, 3, 0.1
    rows.append(["order of the table: k^(3/2) log(d)/(epsilon_0 alpha^2), alpha = 1/10", f"{k**1.5 * math.log(d) / (0.5 * error**2):.0f}", "published, without a constant"])
    return (paragraph("Second line of the table, and (3): two-way tables of three bits, epsilon_0 = 1/2, 1000 rounds of one query. (3) is proved for one query in a round only.") + command("oddsbound release specs/releases/mwem-epsilon.release.json --plan --people 100000 --error 1/10")
            + table(["figure", "value", "source"], rows))


def partial_halfspaces(_):
    return paragraph("Last line of the table: n = O(1/(epsilon_0 alpha gamma^2)^2 + log(1/gamma)/(epsilon_0^2 alpha gamma)). No number of ours stands beside it: the order has no constant, the "
                     "step `halfspace` of a release lists its weights in place of a net, and no bound on its error is proved. tests/papers/lemmas.py checks that both terms follow from "
                     "Theorem 20, and Lemmas 22 to 25 on small cubes.")


def partial_section_7(run):
    rows = []
    for file, wanted in (("census-2020-persons", {"a person": "rho 2.56, (17.14, 1e-10)", "race, ethnicity": "rho 1.02, (7.85, 1e-6): not attained, see docs/paper-map.md"}),
                         ("census-2020", {"a person": "rho 2.63, (13.8, 1e-6)", "occupied": "(2.47, 1e-10)"})):
        for line in run.json("release", f"{RELEASES}/{file}.release.json", "--account")["ledger"]:
            if line["of"] in wanted:
                at = ", ".join(f"({float_of(one['epsilon']):.7g}, {float_of(one['delta']):.3g})" for one in line["at"])
                rows.append([file, line["of"], wanted[line["of"]], f"rho {line['rho_at_most']}, {at}"])
    return (paragraph("17.14 + 2.47 = 19.61 by basic composition. The published 7.85 is not attained at rho = 1.02: the best conversion that we know gives 7.85605. Our rho of race and "
                      "ethnicity is 1.01606, which the paper rounds to 1.02.")
            + command("oddsbound release specs/releases/census-2020.release.json --account") + table(["release", "attributes", "published", "ours, rounded up"], rows))


def printed_numbers(run):
    """Every comparison of tests/papers/statements.py that has a printed value."""
    found = subprocess.run([sys.executable, os.path.join(ROOT, "tests", "papers", "statements.py"), os.path.join(run.build, "cli", "oddsbound"), "--json"], capture_output=True, text=True,
                           check=True, timeout=300).stdout
    rows = [line for line in json.loads(found) if line[3]]
    return (paragraph("The numbers that the papers print or that follow from a printed formula, beside plain loops that share no code with the program, and the program's answers. An empty last "
                      "column: the program has no such number.") + command("python3 tests/papers/statements.py build/release/cli/oddsbound")
            + table(["paper", "item", "statement", "printed", "loops", "program"], rows, "small"))


def all_items(_):
    with open(os.path.join(ROOT, "docs", "paper-map.json"), encoding="utf-8") as file:
        items = json.load(file)["items"]
    with open(os.path.join(ROOT, "docs", "paper-map.md"), encoding="utf-8") as file:
        remarks = {line.split(" | ")[0].strip("| "): line.rstrip("|").rsplit("|", 1)[1].strip() for line in file.read().splitlines() if line[:4] in ("| B-", "| C-", "| G-")}
    rows = [[item["item"], f"{item['title'].split(':')[0]}. {item['statement']}", f"works: oddsbound {item['command']}" if item["command"] else remarks.get(item["item"], ""), ", ".join(item["code"]), ", ".join(item["test"])]
            for item in items]
    return paragraph(f"{len(items)} items.") + table(["item", "statement", "command, or why not", "code", "test"], rows, "small")


SECTIONS = [
    ("BCDP, Figure 1: relations of notions", bcdp_figure_1), ("BCDP, Examples 1 and 2", bcdp_examples), ("BCDP, Figure 2: Mechanism 1", bcdp_figure_2),
    ("BCDP, Figures 3 and 4: errors", bcdp_figures_3_and_4), ("BCDP, Propositions 4 and 6", bcdp_split),
    ("Context-aware, Figure 1: errors of tests", context_figure_1), ("Context-aware, Figure 2: synthetic distributions", context_figure_2),
    ("Context-aware, Table 1 and Figure 3: locations", context_table_1), ("Context-aware, Theorems 3 and 4: people", context_people),
    ("Partial DP, Table 1: marginals", partial_table_1), ("Partial DP, Table 1: heavy hitters", partial_heavy_hitters),
    ("Partial DP, Table 1: largest error", partial_mwem), ("Partial DP, Table 1: halfspaces", partial_halfspaces),
    ("Partial DP, Section 7: the census", partial_section_7), ("Numbers that the papers print", printed_numbers), ("All numbered items", all_items),
]


def main():
    build, page = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    run, parts = Commands(build), []
    for title, section in SECTIONS:
        print(title, file=sys.stderr)
        parts.append(f'<h2 id="s{len(parts)}">{html.escape(title)}</h2>\n{section(run)}')
    listed = "".join(f'<li><a href="#s{k}">{html.escape(title)}</a></li>' for k, (title, _) in enumerate(SECTIONS))
    text = (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Figures and tables of the papers</title><style>{STYLE}</style>'
            "<h1>Figures and tables of the papers</h1>" + paragraph("Our values beside the published ones: every figure and table of the three papers, and the numbers in their text. docs/paper-map.md lists the errors in the papers.")
            + f"<nav><ul>{listed}</ul></nav>" + "\n".join(parts) + "</html>\n")
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)
    print(page)


if __name__ == "__main__":
    main()
