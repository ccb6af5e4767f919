// A page like those that the report's writer makes, with every kind of chart and the labels that an attacker would choose.

import { createHash } from 'node:crypto';
import { expectedMarks } from './marks.mjs';

export const hostile = [
  '</script><img src=x onerror=alert(1)>',
  '$',
  '[a].b',
  'two\nlines',
  'datum.value',
  '{"signal": "alert(1)"}',
  'a"b\'c\\d',
  '\u202eright to left\u202c',
  'مرحبا بالعالم',
  '__proto__',
  'long '.repeat(60).trim(),
];

const steps = (count, make) => Array.from({ length: count }, (_, i) => make(i));

function levels(groups) {
  const series = ['coordinate DP', 'Bayesian coordinate DP', 'bound of Proposition 4'];
  const rows = groups.flatMap((group, i) =>
    series.map((name, j) => {
      const infinite = i === 1 && j === 2;
      const value = infinite || (i === 2 && j === 0) ? 0 : (1 + ((i * 7 + j * 3) % 11)) / 8;
      return {
        group,
        series: name,
        value,
        text: infinite ? 'infinite' : `log(${Math.exp(value).toFixed(6)})`,
        infinite,
      };
    }),
  );
  const claims = groups
    .slice(0, 3)
    .map((group, i) => ({ group, series: series[i], value: [1.1, 0, 0.8][i], text: 'claim', infinite: i === 1 }));
  return { kind: 'bars', unit: 'nats', series, rows, claims };
}

function matrix(labels, options = {}) {
  const cells = labels.flatMap((from, i) =>
    labels.flatMap((to, j) => {
      if (i === j) return [];
      const infinite = i === 2 && j === 0;
      const value = infinite ? 0 : ((i * 5 + j * 3) % 17) / 9;
      const over = infinite || value > 1.5;
      return [{ from, to, value, text: `log(${Math.exp(value).toFixed(4)})`, infinite, over, claim: 'log(9/2)' }];
    }),
  );
  return {
    kind: 'heat',
    rows_are: 'from',
    columns_are: 'to',
    unit: 'nats',
    measure: 'level',
    darkest: null,
    above: '',
    below_zero: '',
    from: labels,
    to: labels,
    cells,
    ...options,
  };
}

export const figures = {
  'Levels per attribute': levels(['class', 'region', 'income bracket']),
  'Levels with hostile labels': levels(hostile),
  'No levels': { kind: 'bars', unit: 'nats', series: [], rows: [], claims: [] },
  'Levels that are all 0': {
    kind: 'bars',
    unit: 'nats',
    series: ['coordinate DP'],
    claims: [],
    rows: [{ group: 'constant', series: 'coordinate DP', value: 0, text: '0', infinite: false }],
  },
  'Counts with hostile labels, some below 0': {
    kind: 'counts',
    unit: 'people',
    rows: hostile.map((about, i) => ({ about, number: i * 40 - 60, margin: [24, null, 0][i % 3] })),
  },
  'A count of nobody': { kind: 'counts', unit: 'people', rows: [{ about: 'ill', number: 0, margin: null }] },
  'Losses between inputs': matrix(['yes', 'no', 'refused', 'unknown', 'does not apply']),
  'Losses between ten inputs': matrix(steps(10, i => `input ${i}`)),
  'Changes of hostile probabilities': {
    ...matrix(hostile, { measure: 'change', unit: 'in probability', darkest: 0.5, above: 'more', below_zero: 'less' }),
    cells: hostile.map((label, i) => ({
      ...{ from: label, to: hostile[0], value: (i % 3) / 2 - 0.5, text: '+1/2 = +0.5', written: '+1/2' },
      ...{ infinite: false, over: false, claim: null },
    })),
  },
  'Losses with hostile labels': matrix(hostile),
  'Losses between 32 inputs': matrix(steps(32, i => `0b${i.toString(2).padStart(5, '0')}`)),
  'Trade-off': {
    kind: 'curve',
    claim: 'log(3)',
    points: [
      [0, 0.92],
      [0.06, 0.7],
      [0.18, 0.4],
      [0.3, 0.28],
      [0.6, 0.08],
      [0.9, 0],
    ].map(([a, b]) => [a, b]),
    claimed: [
      [0, 1],
      [0.25, 0.25],
      [1, 0],
    ],
  },
  'Trade-off without a claim': {
    kind: 'curve',
    claim: null,
    claimed: null,
    points: [
      [0, 1],
      [0.25, 0.25],
      [1, 0],
    ],
  },
  'What the audit found': {
    kind: 'intervals',
    unit: 'nats',
    rows: [
      row('ldp', { lower: 0.9, upper: 1.2, ceiling: 5.1, exact: 1.0986, claims: [claim(1.1)] }),
      row('coordinate DP of class', {
        lower: 1.4,
        upper: 2.6,
        ceiling: 4.2,
        exact: 2.1,
        claims: [claim(1, true), claim(2.1)],
      }),
      row('no upper limit', { lower: 2, ceiling: 3.3, claims: [claim(1.5, true)] }),
      row('infinite', { lower: 3.1, exact: 0, exact_infinite: true }),
      row('nothing found', { lower: 0, upper: 0, exact: 0, claims: [claim(0)] }),
      ...hostile.map(label => row(label, { lower: 0.4, upper: 0.9 })),
      row('ldp', { lower: 0.3, upper: 0.6 }),
    ],
  },
  'Evidence against the claims': {
    kind: 'evidence',
    series: ['ldp', ...hostile.slice(0, 5)].map((label, s) => ({
      label,
      threshold: 9.21,
      points: steps(30, i => [Math.round(100 * 1.35 ** i), ((s - 1.5) * i * i) / 80 + Math.sin(i)]),
    })),
  },
  'Evidence with thresholds of their own, from 0 runs': {
    kind: 'evidence',
    series: [
      { label: 'strict', threshold: 13.8, points: steps(200, i => [i * 50, i * 0.08]) },
      { label: 'lax', threshold: 3, points: steps(200, i => [i * 50, -0.3 + i * 0.01]) },
      { label: 'a single look', threshold: 3, points: [[4000, 2]] },
      { label: 'never looked', threshold: 3, points: [] },
    ],
  },
  'A loss that turns': {
    kind: 'sweep',
    parameter: 'epsilon',
    unit: '',
    measure: 'expected zero_one loss',
    turns: hostile[0],
    found: null,
    series: [
      {
        label: 'the least',
        bound: null,
        points: steps(9, i => ({
          ...{ at: 1 + i / 4, at_text: `log(${i})`, text: `${9 - i}/10`, value: (9 - i) / 10, infinite: false },
          ...(i % 4 === 3 ? { turn: hostile[1] } : {}),
        })),
      },
    ],
  },
  'Levels over a parameter, some of them infinite': {
    kind: 'sweep',
    parameter: hostile[1],
    unit: 'nats',
    measure: 'level',
    turns: '',
    found: { at: 0.25, text: 'holds at 1/4 = 0.25' },
    series: ['ldp', ...hostile.slice(0, 5)].map((label, s) => ({
      label,
      bound: s === 1 ? null : s + 1,
      points: steps(17, i => ({
        at: i / 32,
        at_text: `${i}/32`,
        text: `${hostile[0]} ${i}`,
        value: i % 9 === 0 ? 0 : (s + 1) / i,
        infinite: i % 9 === 0,
      })),
    })),
  },
};

function row(label, values) {
  return {
    label,
    lower: 0,
    upper: null,
    ceiling: null,
    exact: null,
    exact_infinite: false,
    claims: [],
    text: 'as the text says',
    ...values,
  };
}

function claim(value, contradicted = false) {
  return { value, text: `${value}`, contradicted };
}

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --faint: #5b6675; --paper: #ffffff; --grid: #dfe4ea; --bad: #b3261e;
  --series-1: #0b62a4; --series-2: #d1670c; --series-3: #8a93a0; --series-4: #5b3fa0; --heat-low: #eef4fa; --heat-high: #08467d; --heat-below: #8a3d05; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ecf1; --faint: #a3aebb; --paper: #14181e; --grid: #2c343e; --bad: #ff8a80;
  --series-1: #6cb2f0; --series-2: #f2a65a; --series-3: #8b96a5; --series-4: #b39df3; --heat-low: #1c2733; --heat-high: #7cc0ff; --heat-below: #f5a855; } }
body { margin: 0 auto; max-width: 52rem; padding: 0 16px; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
figure { margin: 32px 0; }
figcaption { font-weight: 600; margin-bottom: 8px; overflow-wrap: anywhere; }
.chart svg { max-width: 100%; height: auto; }
@media screen { .drawn .chart { display: none; } }
@media print { .live, .tip { display: none; } }
`;

const escape = text => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);

function figureMarkup([caption, data], i, withData) {
  const marks = expectedMarks(data);
  const picture = Object.entries(marks).flatMap(([mark, count]) =>
    steps(count, n => `<rect class="${mark}" x="${(n % 50) * 6}" y="${Math.floor(n / 50) * 6}" width="5" height="5"/>`),
  );
  return `<figure class="figure" id="f${i}" data-marks="${escape(JSON.stringify(marks))}">
<figcaption>${escape(caption)}</figcaption>
<div class="chart"><svg role="img" aria-label="${escape(caption)}" viewBox="0 0 300 140" width="300" height="140">${picture.join('')}</svg></div>
${withData ? `<script type="application/json" class="figure-data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>` : ''}
</figure>`;
}

const hash = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page with these figures and this script ('': static pictures only), under the Content-Security-Policy of the reports. */
export function page(script, shown = figures) {
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src 'none'; base-uri 'none'; form-action 'none'`;
  const markup = Object.entries(shown).map((figure, i) => figureMarkup(figure, i, script !== ''));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>Charts</title><style>${style}</style></head>
<body><h1>Charts</h1>${markup.join('\n')}${script && `<script>${script}</script>`}</body></html>`;
}
