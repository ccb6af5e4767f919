#!/usr/bin/env python3
"""Draws the CSV of block_experiment: error against samples, one panel per distribution, one line per number of blocks.

    python3 bench/plot_blocks.py blocks.csv blocks.svg
"""
import csv
import math
import sys

from figure import legend_entry, panel_at, write_sheet

COLORS = {1: "#222222", 10: "#1b6ca8", 20: "#2a9d8f", 50: "#e9a03b", 100: "#c8553d"}
WIDTH, HEIGHT, LEFT, TOP, RIGHT = 370, 260, 62, 40, 36


def position(samples, error, low, high):
    x = LEFT + (math.log2(samples / 1000) / 9) * (WIDTH - LEFT - RIGHT)
    y = TOP + (math.log10(high) - math.log10(error)) / (math.log10(high) - math.log10(low)) * (HEIGHT - TOP - 46)
    return x, y


def panel(title, rows, low, high):
    out = [f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="22" class="title">{title}: total variation error</text>']
    for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
        if not low <= 10 ** power <= high:
            continue
        _, y = position(1000, 10 ** power, low, high)
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" class="grid"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" class="tick end">{10.0 ** power:g}</text>')
    for samples in (1000, 8000, 64000, 512000):
        x, _ = position(samples, low, low, high)
        out.append(f'<text x="{x:.1f}" y="{HEIGHT - 28}" class="tick middle">{samples:,}</text>')
    for blocks in sorted({int(row["blocks"]) for row in rows}):
        points = [position(int(r["samples"]), float(r["tv_error"]), low, high) for r in rows if int(r["blocks"]) == blocks]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" stroke="{COLORS[blocks]}"/>')
        out.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{COLORS[blocks]}"/>' for x, y in points)
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" class="tick middle">samples</text>')
    return "\n".join(out)


def main(source, target):
    with open(source, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = list(dict.fromkeys(row["distribution"] for row in rows))
    errors = [float(row["tv_error"]) for row in rows]
    low, high = min(errors) / 1.2, max(errors) * 1.2
    elements = [panel_at(i % 2 * WIDTH, i // 2 * HEIGHT, panel(name, [row for row in rows if row["distribution"] == name], low, high))
                for i, name in enumerate(names)]
    for i, (blocks, color) in enumerate(COLORS.items()):
        label = "1 block (LDP)" if blocks == 1 else f"{blocks} blocks"
        elements.append(legend_entry(70 + i * 125, 2 * HEIGHT + 30, color, label, 32))
    write_sheet(target, "Total variation error of Hadamard response (1 block) and its block-structured variant", 13, 2 * WIDTH,
                2 * HEIGHT + 60, elements)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
