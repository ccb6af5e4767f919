// A trade-off curve: what an attacker who tells two inputs apart has to pay in errors of one kind for errors of the other.

import { ownTip, styled } from './look.js';
import { short } from './numbers.js';

/** The chart of figure-data of kind "curve": its Vega-Lite specification and legend. */
export function curve(data, colours, width) {
  const side = Math.min(width, 440);
  const points = data.points.map(([alpha, beta], order) => ({
    alpha,
    beta,
    order,
    tip: [`type I error: ${short(alpha, 6)}`, `type II error: ${short(beta, 6)}`],
  }));
  // The region ends at beta = 1 - alpha: a test better at both errors than blind guessing's complement is the same test reversed.
  const claimed = (data.claimed ?? []).map(([alpha, beta], order) => ({ alpha, beta, order, guess: 1 - alpha }));

  const axis = (field, title) => ({
    field,
    type: 'quantitative',
    scale: { domain: [0, 1], nice: false },
    axis: { title, tickCount: 5, labelFlush: false },
  });
  const at = {
    x: axis('alpha', 'type I error'),
    y: axis('beta', 'type II error'),
    order: { field: 'order', type: 'quantitative' },
  };
  const guess = { x: axis('alpha', 'type I error'), y: axis('beta', 'type II error') };

  const spec = styled(
    {
      width: side,
      height: Math.round(side * 0.85),
      layer: [
        {
          name: 'allowed',
          data: { values: claimed },
          mark: { type: 'area', color: colours.series[1], opacity: 0.18 },
          encoding: { ...guess, y2: { field: 'guess' } },
        },
        {
          name: 'perfect',
          data: {
            values: [
              { alpha: 0, beta: 1 },
              { alpha: 1, beta: 0 },
            ],
          },
          mark: { type: 'line', color: colours.faint, strokeWidth: 1 },
          encoding: guess,
        },
        {
          name: 'claimed',
          data: { values: claimed },
          mark: { type: 'line', color: colours.series[1], strokeWidth: 2, strokeDash: [6, 4] },
          encoding: at,
        },
        {
          name: 'curve',
          data: { values: points },
          mark: { type: 'line', color: colours.series[0], strokeWidth: 2 },
          encoding: at,
        },
        {
          name: 'point',
          data: { values: points },
          mark: {
            type: 'point',
            filled: true,
            size: 46,
            opacity: 1,
            color: colours.series[0],
            stroke: colours.paper,
            strokeWidth: 1,
          },
          encoding: { x: at.x, y: at.y, tooltip: ownTip },
        },
      ],
    },
    colours,
    width,
  );

  const legend = [{ shape: 'line', colour: colours.series[0], label: 'this mechanism' }];
  if (claimed.length) {
    const label = data.claim == null ? 'allowed by the claim' : `allowed by the claim ${data.claim}`;
    legend.push({ shape: 'region', colour: colours.series[1], label });
  }
  legend.push({ shape: 'line', colour: colours.faint, label: 'perfect privacy' });
  return { spec, legend };
}
