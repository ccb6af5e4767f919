// Levels as horizontal bars: a group per attribute, in it a bar per notion, and a tick where a claim stands.

import { levelAxis, ownColour, ownTip, rowAxis, styled } from './look.js';
import { endOfScale, short, shownAs, visibleEnd } from './numbers.js';

// Pixels: the height of a bar with its margin, and between groups.
const lane = 18;
const gap = 16;

/** The chart of figure-data of kind "bars": its Vega-Lite specification and legend. */
export function bars(data, colours, width) {
  const groups = [...new Set([...data.rows, ...data.claims].map(row => row.group))];
  const groupLabels = shownAs(groups);
  const series = [...new Set([...data.series, ...data.claims.map(claim => claim.series)])];
  const colourOf = name => colours.series[series.indexOf(name) % colours.series.length];
  const spacing = gap / (Math.max(1, series.length) * lane + gap);
  const end = endOfScale(
    [...data.rows, ...data.claims, ...data.rows.filter(row => row.upper).map(row => row.upper)].map(row =>
      row.infinite ? NaN : row.value,
    ),
    width < 500 ? 0.25 : 0.12,
  );
  const place = row => (row.infinite ? end : row.value);

  const rows = data.rows.map(row => ({
    group: groupLabels.get(row.group),
    series: row.series,
    level: visibleEnd(0, place(row), end),
    upper: row.upper && place(row.upper),
    labelAt: Math.max(clearOfClaims(row, data.claims, end), visibleEnd(0, row.upper ? place(row.upper) : 0, end)),
    label: row.infinite ? '∞' : row.upper ? `${short(row.value)} to ${shortOf(row.upper)}` : short(row.value),
    colour: row.infinite ? colours.bad : colourOf(row.series),
    infinite: row.infinite,
    tip: [row.group, `${row.series}: ${row.text}`],
  }));
  const claims = data.claims.map(claim => ({
    group: groupLabels.get(claim.group),
    series: claim.series,
    level: place(claim),
    infinite: claim.infinite,
    label: '∞',
    colour: colours.ink,
    tip: [claim.group, `${data.ticks ?? 'claimed'}, ${claim.series}: ${claim.text}`],
  }));

  const open = rows.filter(row => row.upper);
  const endless = [
    ...rows.filter(row => row.infinite).map(row => ({ ...row, colour: colours.paper })),
    ...claims.filter(
      claim =>
        claim.infinite && !rows.some(row => row.infinite && row.group === claim.group && row.series === claim.series),
    ),
  ];

  const spec = styled(
    {
      height: Math.max(1, groups.length) * (Math.max(1, series.length) * lane + gap),
      encoding: {
        y: {
          field: 'group',
          ...rowAxis([...groupLabels.values()], width, { paddingInner: spacing, paddingOuter: spacing / 2 }),
        },
        yOffset: { field: 'series', type: 'nominal', sort: null, scale: { domain: series, paddingInner: 0.12 } },
      },
      layer: [
        {
          name: 'bar',
          data: { values: rows },
          mark: { type: 'bar', orient: 'horizontal' },
          encoding: {
            x: { field: 'level', ...levelAxis(data.unit, end, width, data.measure) },
            x2: { datum: 0 },
            color: ownColour,
            tooltip: ownTip,
          },
        },
        {
          // Between what was found and what is proven.
          name: 'open',
          data: { values: open },
          mark: { type: 'bar', orient: 'horizontal', opacity: 0.35 },
          encoding: {
            x: { field: 'level', type: 'quantitative' },
            x2: { field: 'upper' },
            color: ownColour,
            tooltip: ownTip,
          },
        },
        {
          name: 'claim',
          data: { values: claims },
          mark: { type: 'tick', orient: 'vertical', thickness: 3, size: lane, opacity: 1, color: colours.ink },
          encoding: { x: { field: 'level', type: 'quantitative' }, tooltip: ownTip },
        },
        {
          name: 'value',
          data: { values: rows.filter(row => !row.infinite) },
          mark: { type: 'text', align: 'left', baseline: 'middle', dx: 5, fontSize: 11 },
          encoding: {
            x: { field: 'labelAt', type: 'quantitative' },
            text: { field: 'label', type: 'nominal' },
            tooltip: ownTip,
          },
        },
        {
          // What is infinite ends where the scale ends, so its label stands before the end: inside the bar, or left of the claim.
          name: 'endless',
          data: { values: endless },
          mark: { type: 'text', align: 'right', baseline: 'middle', dx: -6, fontSize: 15, fontWeight: 'bold' },
          encoding: {
            x: { field: 'level', type: 'quantitative' },
            color: ownColour,
            text: { field: 'label', type: 'nominal' },
            tooltip: ownTip,
          },
        },
      ],
    },
    colours,
    width,
  );

  const legend = series.map(name => ({ shape: 'bar', colour: colourOf(name), label: name }));
  if (data.rows.some(row => row.infinite))
    legend.push({ shape: 'bar', colour: colours.bad, label: '∞ (no finite level)' });
  if (open.length) legend.push({ shape: 'bar', colour: colours.grid, label: 'faint: up to what is proven' });
  if (claims.length) legend.push({ shape: 'tick', colour: colours.ink, label: data.ticks ?? 'claimed' });
  return { spec, legend };
}

const shortOf = value => (value.infinite ? '∞' : short(value.value));

/** Where a bar's label begins: after its end, or after the claims that stand where the label would be. */
function clearOfClaims(row, claims, end) {
  const room = end * 0.1;
  return claims
    .filter(claim => claim.group === row.group && claim.series === row.series && !claim.infinite)
    .map(claim => claim.value)
    .sort((a, b) => a - b)
    .reduce((at, value) => (value >= at - room * 0.1 && value < at + room ? Math.max(at, value) : at), row.value);
}
