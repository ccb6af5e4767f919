// Levels over the values of a parameter: what was decided at each, the bounds that are claimed, and the value that was found.

import { ownTip, styled } from './look.js';
import { axisFormat, endOfScale, short } from './numbers.js';

const dashes = [
  [1, 0],
  [7, 3],
];

/** The chart of figure-data of kind "sweep": its Vega-Lite specification and legend. */
export function sweep(data, colours, width) {
  const keys = data.series.map((_, i) => i);
  const colourOf = key => colours.series[key % colours.series.length];
  const dashOf = key => dashes[Math.floor(key / colours.series.length) % dashes.length];
  const end = endOfScale(
    data.series.flatMap(series => [series.bound, ...series.points.map(point => (point.infinite ? null : point.value))]),
    0.08,
  );

  // Lines end where a level is infinite, and begin anew behind it; what is infinite stands at the upper edge.
  const points = data.series.flatMap((series, key) => {
    let stretch = 0;
    return series.points.map(point => ({
      key,
      stretch: `${key}.${point.infinite ? ++stretch : stretch}`,
      at: point.at,
      level: point.infinite ? end : point.value,
      infinite: point.infinite,
      turns: point.turn != null,
      colour: point.infinite ? colours.bad : point.turn != null ? colours.series[1] : colourOf(key),
      tip: [series.label, `${data.parameter}: ${point.at_text}`, point.text, ...(point.turn == null ? [] : [point.turn])],
    }));
  });
  const bounds = data.series.flatMap((series, key) =>
    series.bound == null
      ? []
      : [{ level: series.bound, colour: colourOf(key), tip: [series.label, `bound: ${short(series.bound, 6)}`] }],
  );
  const found = data.found == null ? [] : [{ at: data.found.at, note: data.found.text, tip: [data.found.text] }];

  const values = points.map(point => point.at);
  const at = {
    field: 'at',
    type: 'quantitative',
    scale: { domain: [Math.min(...values), Math.max(...values)], nice: false, zero: false },
    axis: { title: data.parameter, tickCount: Math.max(3, Math.round(width / 130)), grid: false, labelFlush: true },
  };
  const level = {
    field: 'level',
    type: 'quantitative',
    scale: { domain: [0, end], nice: false },
    axis: { title: data.unit ? `${data.measure} (${data.unit})` : data.measure, format: axisFormat(end), tickCount: 5 },
  };
  const colour = { field: 'colour', type: 'nominal', scale: null };
  const right = found.length > 0 && found[0].at > (Math.min(...values) + Math.max(...values)) / 2;
  const note = (name, look) => ({
    name,
    data: { values: found },
    mark: { type: 'text', align: right ? 'right' : 'left', baseline: 'top', dx: right ? -6 : 6, ...look },
    encoding: { x: at, y: { value: 2 }, text: { field: 'note', type: 'nominal' } },
  });

  const spec = styled(
    {
      height: width < 500 ? 240 : 300,
      layer: [
        {
          name: 'found',
          data: { values: found },
          mark: { type: 'rule', color: colours.ink, strokeWidth: 1.5 },
          encoding: { x: at, tooltip: ownTip },
        },
        {
          name: 'bound',
          data: { values: bounds },
          mark: { type: 'rule', strokeWidth: 1.5, strokeDash: [6, 4] },
          encoding: { y: level, color: colour, tooltip: ownTip },
        },
        {
          name: 'line',
          data: { values: points.filter(point => !point.infinite) },
          mark: { type: 'line', strokeWidth: 2 },
          encoding: {
            x: at,
            y: level,
            color: colour,
            detail: { field: 'stretch', type: 'nominal' },
            strokeDash: { field: 'key', type: 'nominal', legend: null, scale: { domain: keys, range: keys.map(dashOf) } },
          },
        },
        {
          name: 'point',
          data: { values: points },
          mark: { type: 'point', filled: true, opacity: 1 },
          encoding: {
            x: at,
            y: level,
            color: colour,
            // What is marked by its colour is marked by its shape too.
            shape: { condition: { test: 'datum.turns', value: 'diamond' }, value: 'circle' },
            size: { condition: { test: 'datum.turns', value: 130 }, value: 36 },
            tooltip: ownTip,
          },
        },
        note('note_halo', { stroke: colours.paper, strokeWidth: 4, strokeJoin: 'round' }),
        note('note', {}),
      ],
    },
    colours,
    width,
  );

  const legend = keys.map(key => ({
    shape: 'line',
    colour: colourOf(key),
    dash: dashOf(key),
    label:
      data.series[key].label + (data.series[key].bound == null ? '' : `, bound ${short(data.series[key].bound, 4)} (dashed)`),
  }));
  if (data.turns) legend.push({ shape: 'diamond', colour: colours.series[1], label: data.turns });
  return { spec, legend };
}
