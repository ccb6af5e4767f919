#!/usr/bin/env python3
"""Draws the CSV of mean_experiment: median errors, a row of panels per figure, a panel per way, a line per estimator.

    python3 bench/plot_means.py means.csv means.svg
"""
import csv
import math
import sys

from figure import legend_entry, panel_at, write_sheet

COLORS = {"mechanism 1": "#c8553d", "one step": "#1b6ca8", "best zeta": "#2a9d8f"}
WAYS = {"scripts": "simulated as published", "text": "as the text says", "unbiased": "unbiased (exact)", "cube": "unbiased, in the cube"}
AXES = {"3": "correlation q", "4a": "coordinates", "4b": "share at the low level"}
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 290, 230, 46, 34, 14, 44


class Scale:
    """The axes of all panels of a figure: linear across, logarithmic upward."""

    def __init__(self, rows):
        self.least, self.most = min(float(r["x"]) for r in rows), max(float(r["x"]) for r in rows)
        values = [value_of(r) for r in rows]
        self.low, self.high = min(values) / 1.2, max(values) * 1.2

    def x(self, value):
        return LEFT + (value - self.least) / (self.most - self.least) * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        share = (math.log(self.high) - math.log(value)) / (math.log(self.high) - math.log(self.low))
        return TOP + share * (HEIGHT - TOP - BOTTOM)


def value_of(row):
    return float(row["exact_mean"] or row["median"])


def panel(figure, way, rows, scale):
    middle = (LEFT + WIDTH - RIGHT) / 2
    out = [f'<text x="{middle}" y="20" class="title">Figure {figure}, {WAYS[way]}</text>']
    for power in range(math.floor(math.log10(scale.low)), math.ceil(math.log10(scale.high)) + 1):
        for digit in (1, 3):
            if scale.low <= digit * 10 ** power <= scale.high:
                y = scale.y(digit * 10 ** power)
                out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" class="grid"/>')
                out.append(f'<text x="{LEFT - 5}" y="{y + 4:.1f}" class="end">{digit * 10.0 ** power:g}</text>')
    for i in range(3):
        value = scale.least + (scale.most - scale.least) * i / 2
        out.append(f'<text x="{scale.x(value):.1f}" y="{HEIGHT - 28}" class="middle">{value:.3g}</text>')
    out.append(f'<text x="{middle}" y="{HEIGHT - 12}" class="middle">{AXES[figure]}</text>')
    for estimator, color in COLORS.items():
        points = [(scale.x(float(r["x"])), scale.y(value_of(r))) for r in rows if r["estimator"] == estimator]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = ' stroke-dasharray="5 3"' if estimator == "best zeta" else ""
        out.append(f'<polyline points="{path}" stroke="{color}"{dashes}/>')
        out.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{color}"/>' for x, y in points)
    return "\n".join(out)


def main(source, target):
    with open(source, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    width, height = len(WAYS) * WIDTH, len(AXES) * HEIGHT
    elements = []
    for i, figure in enumerate(AXES):
        shown = [row for row in rows if row["figure"] == figure]
        scale = Scale(shown)
        for j, way in enumerate(WAYS):
            elements.append(panel_at(j * WIDTH, i * HEIGHT, panel(figure, way, [row for row in shown if row["way"] == way], scale)))
    labels = {"mechanism 1": "Mechanism 1, zeta = (1 + q)/2", "one step": "one step at the least delta", "best zeta": "the best zeta"}
    elements += [legend_entry(60 + i * 260, height + 18, color, labels[estimator], 34) for i, (estimator, color) in enumerate(COLORS.items())]
    write_sheet(target, "Mean squared error of Mechanism 1 and of one step at the least delta, in four ways", 12, width, height + 40, elements)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
