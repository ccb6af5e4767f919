// What all charts share: the page's colours and font, and the Vega-Lite configuration made from them.

import { axisFormat } from './numbers.js';

// The CSS properties that the page defines.
const names = {
  ink: '--ink',
  faint: '--faint',
  paper: '--paper',
  grid: '--grid',
  bad: '--bad',
  heatLow: '--heat-low',
  heatHigh: '--heat-high',
  heatBelow: '--heat-below',
};
const series = ['--series-1', '--series-2', '--series-3', '--series-4'];

/** The page's colours as they are now (light or dark), each as `rgb(r, g, b)`, and its font. */
export function pageColours() {
  // The browser turns whatever the page wrote (hexadecimal, a name, light-dark()) into rgb().
  const probe = document.body.appendChild(document.createElement('span'));
  const resolve = name => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, resolve(name)]));
  colours.series = series.map(resolve);
  colours.font = getComputedStyle(document.body).fontFamily;
  probe.remove();
  return colours;
}

const channels = colour =>
  colour
    .match(/[\d.]+/g)
    .slice(0, 3)
    .map(Number);

/** The colour at a share (0 to 1) of the way between two. */
export function mix(from, to, share) {
  const [a, b] = [channels(from), channels(to)];
  return `rgb(${a.map((x, i) => Math.round(x + (b[i] - x) * share)).join(', ')})`;
}

/** Whichever of the two colours is easier to read on a ground (contrast as WCAG 2 defines it). */
export function readable(ground, one, other) {
  const luminance = colour => {
    const [r, g, b] = channels(colour).map(c => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const contrast = colour =>
    Math.max(luminance(colour), luminance(ground)) / Math.min(luminance(colour), luminance(ground));
  return contrast(one) >= contrast(other) ? one : other;
}

/** How wide a row's label may be: on a phone the marks need the room more. */
export const labelRoom = width => Math.round(Math.min(220, width * 0.32));

/** A Vega-Lite specification of the given parts in the page's look, `width` pixels wide with its axes. */
export function styled(parts, colours, width) {
  const text = {
    labelColor: colours.ink,
    titleColor: colours.faint,
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 400,
  };
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
    width,
    autosize: { type: 'fit-x', contains: 'padding' },
    background: null,
    padding: { left: 4, right: 8, top: 6, bottom: 2 },
    ...parts,
    config: {
      // The picture is hidden from screen readers: they get the static one and the table.
      aria: false,
      font: colours.font,
      view: { stroke: null },
      axis: {
        ...text,
        domainColor: colours.grid,
        tickColor: colours.grid,
        gridColor: colours.grid,
        labelPadding: 6,
        titlePadding: 8,
      },
      text: { fontSize: 12, color: colours.ink },
    },
  };
}

/** The axis of levels, or of another measure, from 0 to the end. */
export function levelAxis(unit, end, width, measure = 'level') {
  return {
    type: 'quantitative',
    scale: { domain: [0, end], nice: false, zero: true },
    axis: {
      title: unit ? `${measure} (${unit})` : measure,
      format: axisFormat(end),
      tickCount: Math.max(3, Math.round(width / 110)),
      grid: true,
      labelFlush: false,
    },
  };
}

/** The axis with a row per label, in this order. */
export function rowAxis(labels, width, padding) {
  return {
    type: 'nominal',
    sort: null,
    title: null,
    scale: { domain: labels, ...padding },
    axis: { labelLimit: labelRoom(width), ticks: false, domain: false, labelOverlap: false },
  };
}

/** Direct colours from the data's own field `colour`. */
export const ownColour = { field: 'colour', type: 'nominal', scale: null };
/** Marks with a tooltip say so here; tooltip.js shows the lines in their field `tip`. What lies over a mark has the same. */
export const ownTip = { field: 'tip', type: 'nominal' };
/** A cross for what is wrong, so that colour is never the only sign. */
export const cross = 'M-1,-1L1,1M1,-1L-1,1';
