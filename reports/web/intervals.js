// What an audit's runs say about each level: a bar from what is proved at least to what is proved at most, with the exact
// level, the claims, and the highest level that so many runs could have shown.

import { cross, levelAxis, ownColour, ownTip, rowAxis, styled } from './look.js';
import { distinct, endOfScale, visibleEnd } from './numbers.js';

const rowHeight = 42;

/** The chart of figure-data of kind "intervals": its Vega-Lite specification and legend. */
export function intervals(data, colours, width) {
  const labels = distinct(data.rows.map(row => row.label));
  const end = endOfScale(
    data.rows.flatMap(row => [
      row.lower,
      row.upper,
      row.exact_infinite ? null : row.exact,
      ...row.claims.map(claim => claim.value),
    ]),
    0.08,
  );

  const rows = data.rows.map((row, i) => ({
    label: labels[i],
    lower: row.lower ?? 0,
    upper: row.upper == null ? end : visibleEnd(row.lower ?? 0, row.upper, end),
    open: row.upper == null,
    ceiling: row.ceiling,
    exact: row.exact_infinite ? end : row.exact,
    infinite: Boolean(row.exact_infinite),
    colour: row.exact_infinite ? colours.bad : colours.series[1],
    tip: [row.label, row.text],
  }));
  const claims = data.rows.flatMap((row, i) =>
    row.claims.map(claim => ({
      label: labels[i],
      level: claim.value,
      contradicted: claim.contradicted,
      colour: claim.contradicted ? colours.bad : colours.ink,
      tip: [row.label, `claimed: ${claim.text}${claim.contradicted ? ' (contradicted)' : ''}`],
    })),
  );
  const exact = rows.filter(row => row.exact != null);
  const open = rows.filter(row => row.open);
  const ceilings = rows.filter(row => row.ceiling != null && row.ceiling <= end);
  const level = field => ({ field, type: 'quantitative' });

  const spec = styled(
    {
      height: Math.max(1, rows.length) * rowHeight,
      encoding: { y: { field: 'label', ...rowAxis(labels, width, { padding: 0 }) } },
      layer: [
        {
          name: 'interval',
          data: { values: rows },
          mark: { type: 'bar', orient: 'horizontal', height: 12, color: colours.series[0], opacity: 0.75 },
          encoding: {
            x: { field: 'lower', ...levelAxis(data.unit, end, width) },
            x2: { field: 'upper' },
            tooltip: ownTip,
          },
        },
        {
          // No upper limit: the bar runs on, as an arrow.
          name: 'open',
          data: { values: open },
          mark: {
            type: 'point',
            shape: 'triangle-right',
            size: 190,
            filled: true,
            opacity: 1,
            color: colours.series[0],
          },
          encoding: { x: level('upper'), tooltip: ownTip },
        },
        {
          name: 'ceiling',
          data: { values: ceilings },
          mark: {
            type: 'point',
            shape: 'triangle-down',
            size: 34,
            filled: true,
            opacity: 1,
            color: colours.faint,
            yOffset: -12,
          },
          encoding: { x: level('ceiling'), tooltip: ownTip },
        },
        {
          name: 'claim',
          data: { values: claims },
          mark: { type: 'tick', orient: 'vertical', thickness: 3, size: 22, opacity: 1 },
          encoding: { x: level('level'), color: ownColour, tooltip: ownTip },
        },
        {
          name: 'contradicted',
          data: { values: claims.filter(claim => claim.contradicted) },
          mark: {
            type: 'point',
            shape: cross,
            size: 30,
            stroke: colours.bad,
            strokeWidth: 2,
            fill: null,
            opacity: 1,
            yOffset: -17,
          },
          encoding: { x: level('level'), tooltip: ownTip },
        },
        {
          name: 'exact',
          data: { values: exact },
          mark: {
            type: 'point',
            shape: 'diamond',
            size: 110,
            filled: true,
            opacity: 1,
            stroke: colours.paper,
            strokeWidth: 1,
          },
          encoding: { x: level('exact'), color: ownColour, tooltip: ownTip },
        },
        {
          name: 'endless',
          data: { values: exact.filter(row => row.infinite).map(row => ({ ...row, sign: '∞' })) },
          mark: {
            type: 'text',
            align: 'right',
            dx: -9,
            yOffset: -12,
            baseline: 'middle',
            fontSize: 15,
            fontWeight: 'bold',
            color: colours.bad,
          },
          encoding: { x: level('exact'), text: { field: 'sign', type: 'nominal' }, tooltip: ownTip },
        },
      ],
    },
    colours,
    width,
  );

  const legend = [{ shape: 'bar', colour: colours.series[0], label: 'what the runs allow' }];
  if (exact.length) legend.push({ shape: 'diamond', colour: colours.series[1], label: 'exact level' });
  if (exact.some(row => row.infinite)) legend.push({ shape: 'diamond', colour: colours.bad, label: 'exact level ∞' });
  if (claims.some(claim => !claim.contradicted)) legend.push({ shape: 'tick', colour: colours.ink, label: 'claimed' });
  if (claims.some(claim => claim.contradicted))
    legend.push({ shape: 'crossed', colour: colours.bad, label: 'claimed, contradicted' });
  if (ceilings.length)
    legend.push({ shape: 'pointer', colour: colours.faint, label: 'most that these runs could show' });
  return { spec, legend };
}
