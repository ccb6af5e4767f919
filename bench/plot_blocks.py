#!/usr/bin/env python3
"""Draws the CSV of block_experiment: error against samples, one panel per distribution, one line per number of blocks.

    python3 bench/plot_blocks.py blocks.csv blocks.svg
"""
import csv
import math
import sys

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
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {2 * HEIGHT + 60}" role="img">',
             "<title>Total variation error of Hadamard response (1 block) and its block-structured variant</title>",
             "<style>text{font:11px sans-serif;fill:#333}.title{font-size:13px;text-anchor:middle}.end{text-anchor:end}"
             ".middle{text-anchor:middle}.grid{stroke:#ddd}polyline{fill:none;stroke-width:1.6}</style>",
             f'<rect width="{2 * WIDTH}" height="{2 * HEIGHT + 60}" fill="#fff"/>']
    for i, name in enumerate(names):
        parts.append(f'<g transform="translate({i % 2 * WIDTH} {i // 2 * HEIGHT})">')
        parts.append(panel(name, [row for row in rows if row["distribution"] == name], low, high))
        parts.append("</g>")
    for i, (blocks, color) in enumerate(COLORS.items()):
        x = 70 + i * 125
        label = "1 block (LDP)" if blocks == 1 else f"{blocks} blocks"
        parts.append(f'<path d="M{x} {2 * HEIGHT + 30}h26" stroke="{color}" stroke-width="3"/>')
        parts.append(f'<text x="{x + 32}" y="{2 * HEIGHT + 34}">{label}</text>')
    parts.append("</svg>\n")
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(parts))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
