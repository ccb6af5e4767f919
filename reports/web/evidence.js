// How the evidence against each claim grew with the runs, and from where on it contradicts the claim.

import { ownTip, styled } from './look.js';
import { axisFormat, short } from './numbers.js';

const dashes = [
  [1, 0],
  [7, 3],
  [2, 3],
  [8, 3, 2, 3],
];

/** The chart of figure-data of kind "evidence": its Vega-Lite specification and legend. */
export function evidence(data, colours, width) {
  const keys = data.series.map((_, i) => i);
  const colourOf = key => colours.series[key % colours.series.length];
  const dashOf = key => dashes[Math.floor(key / colours.series.length) % dashes.length];
  const points = data.series.flatMap((series, key) =>
    series.points.map(([runs, log]) => ({
      key,
      runs,
      log,
      dot: series.points.length > 60 ? 0 : 1,
      tip: [series.label, `runs: ${runs}`, `evidence: exp(${short(log, 5)})`],
    })),
  );
  const thresholds = [...new Set(data.series.map(series => series.threshold))].map(log => ({
    log,
    note: 'contradicted from here',
    // A threshold that is not everybody's wears the colour of the line that it is for.
    colour: data.series.every(series => series.threshold === log)
      ? colours.bad
      : colourOf(data.series.findIndex(series => series.threshold === log)),
    tip: [
      ...data.series.filter(series => series.threshold === log).map(series => series.label),
      `contradicted from exp(${short(log, 5)})`,
    ],
  }));

  const [fewest, most] = extent(
    points.map(point => point.runs),
    [0, 1],
  );
  const [low, high] = extent([0, ...points.map(point => point.log), ...thresholds.map(threshold => threshold.log)]);
  const logarithmic = fewest > 0 && most / fewest > 20;
  const runs = {
    field: 'runs',
    type: 'quantitative',
    scale: {
      type: logarithmic ? 'log' : 'linear',
      domain: fewest < most ? [fewest, most] : [fewest * 0.5, most * 1.5 || 1],
      nice: false,
    },
    axis: {
      title: 'runs',
      format: logarithmic || most >= 1e5 ? '~s' : ',d',
      tickMinStep: 1,
      tickCount: Math.max(3, Math.round(width / 130)),
      grid: false,
      labelFlush: true,
    },
  };
  const log = {
    field: 'log',
    type: 'quantitative',
    scale: { domain: [low, high + (high - low || 1) * 0.12], nice: false },
    axis: { title: 'evidence (natural logarithm)', format: axisFormat(Math.max(-low, high)), tickCount: 5 },
  };
  const colour = { field: 'key', type: 'nominal', legend: null, scale: { domain: keys, range: keys.map(colourOf) } };

  // Said once, at the highest; in the colour of the page below, so that it is read across lines.
  const note = (name, look) => ({
    name,
    data: { values: thresholds.filter(threshold => threshold.log === Math.max(...thresholds.map(other => other.log))) },
    mark: { type: 'text', align: 'left', baseline: 'bottom', dx: 4, dy: -4, ...look },
    encoding: { x: { value: 0 }, y: log, text: { field: 'note', type: 'nominal' } },
  });

  const spec = styled(
    {
      height: width < 500 ? 240 : 300,
      layer: [
        {
          name: 'line',
          data: { values: points },
          mark: { type: 'line', strokeWidth: 2 },
          encoding: {
            x: runs,
            y: log,
            color: colour,
            strokeDash: {
              field: 'key',
              type: 'nominal',
              legend: null,
              scale: { domain: keys, range: keys.map(dashOf) },
            },
          },
        },
        {
          // Something to point at; invisible where the points are too many to be told apart.
          name: 'step',
          data: { values: points },
          mark: { type: 'point', filled: true, size: 26 },
          encoding: {
            x: runs,
            y: log,
            color: colour,
            opacity: { field: 'dot', type: 'quantitative', scale: null, legend: null },
            tooltip: ownTip,
          },
        },
        {
          name: 'threshold',
          data: { values: thresholds },
          mark: { type: 'rule', strokeWidth: 1.5, strokeDash: [6, 4] },
          encoding: { y: log, color: { field: 'colour', type: 'nominal', scale: null }, tooltip: ownTip },
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
    label: data.series[key].label,
  }));
  return { spec, legend };
}

function extent(values, otherwise) {
  if (!values.length) return otherwise;
  return values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
}
