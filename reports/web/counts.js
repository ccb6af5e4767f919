// Counts that were released: a bar from 0 to each, an error bar around its end, and what it counts above it.

import { ownTip, styled } from './look.js';
import { distinct, visibleEnd } from './numbers.js';

const rowHeight = 38;
// Pixels below the middle of a row: its label takes the upper half.
const below = 9;

/** The chart of figure-data of kind "counts": its Vega-Lite specification and legend. */
export function counts(data, colours, width) {
  const keys = distinct(data.rows.map(row => row.about));
  const ends = data.rows.flatMap(row => [row.number - (row.margin ?? 0), row.number + (row.margin ?? 0)]);
  const least = Math.min(0, ...ends);
  const most = Math.max(0, ...ends);
  const span = most - least || 1;
  const domain = [least, most + span * (width < 500 ? 0.22 : 0.12)];
  const labelLength = Math.max(10, Math.floor(width / 7.5));
  const rows = data.rows.map((row, i) => ({
    key: keys[i],
    about: row.about.length > labelLength ? `${row.about.slice(0, labelLength - 1)}…` : row.about,
    number: row.number,
    end: row.number === 0 ? visibleEnd(0, 0, span) : row.number,
    from: row.number - (row.margin ?? 0),
    to: row.number + (row.margin ?? 0),
    margin: row.margin,
    label: row.margin == null ? `${row.number}` : `${row.number} ± ${Math.round(row.margin)}`,
    labelAt: Math.max(0, row.number + (row.margin ?? 0)),
    tip: [row.about, row.margin == null ? `${row.number}` : `${row.number}, within ${Math.round(row.margin)} in 95 of 100 runs`],
  }));
  const margins = rows.filter(row => row.margin > 0);
  const at = field => ({ field, type: 'quantitative' });
  const cap = { type: 'tick', orient: 'vertical', thickness: 1.5, size: 9, opacity: 1, color: colours.ink, yOffset: below };

  const spec = styled(
    {
      height: rows.length * rowHeight,
      encoding: {
        y: {
          field: 'key',
          type: 'nominal',
          sort: null,
          scale: { domain: keys, paddingInner: 0, paddingOuter: 0 },
          axis: null,
        },
      },
      layer: [
        {
          name: 'bar',
          data: { values: rows },
          mark: { type: 'bar', orient: 'horizontal', height: 12, color: colours.series[0], opacity: 0.8, yOffset: below },
          encoding: {
            x: {
              field: 'end',
              type: 'quantitative',
              scale: { domain, nice: false, zero: true },
              axis: {
                title: data.unit,
                tickCount: Math.max(3, Math.round(width / 110)),
                tickMinStep: 1,
                grid: true,
                labelFlush: false,
              },
            },
            x2: { datum: 0 },
            tooltip: ownTip,
          },
        },
        {
          name: 'margin',
          data: { values: margins },
          mark: { type: 'rule', strokeWidth: 1.5, color: colours.ink, opacity: 1, yOffset: below },
          encoding: { x: at('from'), x2: { field: 'to' }, tooltip: ownTip },
        },
        { name: 'cap_from', data: { values: margins }, mark: cap, encoding: { x: at('from'), tooltip: ownTip } },
        { name: 'cap_to', data: { values: margins }, mark: cap, encoding: { x: at('to'), tooltip: ownTip } },
        {
          name: 'about',
          data: { values: rows },
          mark: { type: 'text', align: 'left', baseline: 'middle', yOffset: -7, fontSize: 12 },
          encoding: { x: { value: 0 }, text: { field: 'about', type: 'nominal' }, tooltip: ownTip },
        },
        {
          name: 'value',
          data: { values: rows },
          mark: { type: 'text', align: 'left', baseline: 'middle', dx: 6, yOffset: below, fontSize: 11 },
          encoding: { x: at('labelAt'), text: { field: 'label', type: 'nominal' }, tooltip: ownTip },
        },
      ],
    },
    colours,
    width,
  );

  const legend = [{ shape: 'bar', colour: colours.series[0], label: 'what was told' }];
  if (margins.length) legend.push({ shape: 'error', colour: colours.ink, label: 'within, in 95 of 100 runs' });
  return { spec, legend };
}
