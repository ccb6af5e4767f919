"""Shared parts of the drawings of experiments: panels and a legend on one sheet."""


def panel_at(left, top, elements):
    return f'<g transform="translate({left} {top})">\n{elements}\n</g>'


def legend_entry(left, top, color, label, gap):
    """gap: distance from the start of the line to its label."""
    return (f'<path d="M{left} {top}h26" stroke="{color}" stroke-width="3"/>\n'
            f'<text x="{left + gap}" y="{top + 4}">{label}</text>')


def write_sheet(target, title, title_size, width, height, elements):
    sheet = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">', f"<title>{title}</title>",
             f"<style>text{{font:11px sans-serif;fill:#333}}.title{{font-size:{title_size}px;text-anchor:middle}}.end{{text-anchor:end}}"
             ".middle{text-anchor:middle}.grid{stroke:#ddd}polyline{fill:none;stroke-width:1.6}</style>",
             f'<rect width="{width}" height="{height}" fill="#fff"/>', *elements, "</svg>\n"]
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(sheet))
