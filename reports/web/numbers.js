// How values are written beside marks, and where a scale ends. Exact values are in the tooltips and tables; these are pictures.

/** A value in a few significant digits, for a label beside a mark. */
export function short(value, digits = 3) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size < 1e-3 || size >= 1e5 ? value.toExponential(digits - 2) : String(Number(value.toPrecision(digits)));
}

/** The end of a scale from 0 that shows all of the values (null: nothing to show) and leaves room for a label after them. */
export function endOfScale(values, room = 0.15) {
  const known = values.filter(Number.isFinite);
  const most = known.reduce((a, b) => Math.max(a, b), 0);
  return most > 0 ? most * (1 + room) : 1;
}

/** Where a mark from `from` must end at least to be seen: a level of 0 still gets a sliver. */
export const visibleEnd = (from, to, end) => Math.max(to, from + end * 0.006);

/**
 * The labels, told apart where they are the same by characters without width: an axis has a place per different label.
 * Vega keeps labels as keys of plain objects, where one key has a meaning of its own, so that one counts as taken.
 */
export function distinct(labels) {
  const taken = new Set(['__proto__']);
  return labels.map(label => {
    while (taken.has(label)) label += '\u200b';
    taken.add(label);
    return label;
  });
}

/** From labels that all differ to how they are shown. */
export function shownAs(labels) {
  const shown = distinct(labels);
  return new Map(labels.map((label, i) => [label, shown[i]]));
}

/** How an axis writes its numbers: Vega's own choice, except where that would be a row of zeros. */
export const axisFormat = end => (end < 1e-3 || end >= 1e7 ? '.1~e' : undefined);
