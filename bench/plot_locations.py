#!/usr/bin/env python3
"""Draws what location_experiment found: where check-ins are, by squares of one degree, and errors by number of blocks.

    python3 bench/plot_locations.py places.csv locations.csv locations.svg
"""
import collections
import csv
import math
import sys

from figure import legend_entry, panel_at, write_sheet

COLORS = {"all places": "#222222", "grid": "#1b6ca8", "by check-ins": "#c8553d"}
SQUARE, LEFT, TOP = 6, 40, 34  # pixels
ROWS, COLUMNS, PLACES_OF_SQUARE = 25, 70, 5
WIDTH, HEIGHT = 400, 230


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def where(places):
    squares = collections.Counter()
    for row in places:
        squares[int(row["row"]) // PLACES_OF_SQUARE, int(row["column"]) // PLACES_OF_SQUARE] += int(row["checkins"])
    most = math.log1p(max(squares.values()))
    out = [f'<text x="{LEFT + COLUMNS * SQUARE / 2}" y="20" class="title">check-ins by squares of one degree</text>',
           f'<rect x="{LEFT}" y="{TOP}" width="{COLUMNS * SQUARE}" height="{ROWS * SQUARE}" fill="#eef2f5"/>', '<g fill="#1b6ca8">']
    for (row, column), count in sorted(squares.items()):
        out.append(f'<path d="M{LEFT + column * SQUARE} {TOP + (ROWS - 1 - row) * SQUARE}h{SQUARE}v{SQUARE}h-{SQUARE}" '
                   f'opacity="{math.log1p(count) / most:.1f}"/>')
    out.append("</g>")
    for degree in (25, 50):
        out.append(f'<text x="{LEFT - 5}" y="{TOP + (50 - degree) * SQUARE + 4}" class="end">{degree} N</text>')
    for degree in (130, 95, 60):
        out.append(f'<text x="{LEFT + (130 - degree) * SQUARE}" y="{TOP + ROWS * SQUARE + 16}" class="middle">{degree} W</text>')
    return "\n".join(out)


def bars(rows, key, title):
    most = max(float(row[key]) for row in rows)
    out = [f'<text x="{WIDTH / 2}" y="20" class="title">{title}</text>']
    groups = sorted({int(row["blocks"]) for row in rows})
    for k, blocks in enumerate(groups):
        middle = LEFT + 40 + k * 85
        out.append(f'<text x="{middle}" y="{HEIGHT - 24}" class="middle">{blocks:,} block{"s" * (blocks > 1)}</text>')
        found = [row for row in rows if int(row["blocks"]) == blocks]
        for i, row in enumerate(found):
            height = float(row[key]) / most * (HEIGHT - TOP - 60)
            x, y = middle - 17 * len(found) + 34 * i, HEIGHT - 40 - height
            out.append(f'<rect x="{x}" y="{y:.1f}" width="30" height="{height:.1f}" fill="{COLORS[row["partition"]]}"/>')
            out.append(f'<text x="{x + 15}" y="{y - 4:.1f}" class="middle">{float(row[key]):.2g}</text>')
    return "\n".join(out)


def main(places, errors, target):
    rows = rows_of(errors)
    elements = [panel_at(0, 0, where(rows_of(places))), panel_at(480, 0, bars(rows, "tv_error_projected", "error after projection")),
                panel_at(480 + WIDTH, 0, bars(rows, "tv_error", "error before projection"))]
    for i, (kind, color) in enumerate(COLORS.items()):
        label = {"all places": "1 block (LDP)", "grid": "equal blocks, a grid", "by check-ins": "unequal blocks, of as many check-ins"}[kind]
        elements.append(legend_entry(500 + i * 170, HEIGHT + 12, color, label, 32))
    write_sheet(target, "Where check-ins are, and the total variation error of Hadamard response by blocks", 13, 480 + 2 * WIDTH, HEIGHT + 30, elements)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
