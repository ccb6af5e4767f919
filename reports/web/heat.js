// A level per pair of inputs as a matrix of colours. Cells above the claim are outlined and crossed, so that a reader who
// sees no colours finds them too.

import { cross, labelRoom, mix, ownColour, ownTip, readable, styled } from './look.js';
import { endOfScale, short, shownAs } from './numbers.js';

// Pixels: a letter of a label, the room of an axis title, and how wide columns become where there is room.
const letter = 6.5;
const titleRoom = 34;
const widestColumn = 96;

/** The chart of figure-data of kind "heat": its Vega-Lite specification and legend. */
export function heat(data, colours, width) {
  const [rowLabels, columnLabels] = [shownAs(data.from), shownAs(data.to)];
  const beside = Math.min(labelRoom(width), longest(data.from) * letter) + titleRoom;
  const columnWidth = Math.min(widestColumn, (width - beside) / Math.max(1, data.to.length));
  const rowHeight = Math.max(data.from.length > 40 ? 6 : 14, Math.min(34, columnWidth));
  const written = data.to.length <= 10 && columnWidth >= 22;
  const sideways = longest(data.to) * letter > columnWidth - 4;

  const most =
    data.darkest ??
    endOfScale(
      data.cells.map(cell => (cell.infinite ? NaN : Math.abs(cell.value))),
      0,
    );
  const shade = value => mix(colours.heatLow, value < 0 ? colours.heatBelow : colours.heatHigh, Math.abs(value) / most);
  // In a narrow cell two decimals have to do.
  const narrow = value => {
    const text = short(value, 2);
    return text.length * 6 > columnWidth ? value.toFixed(2) : text;
  };
  const rounded = value =>
    (data.below_zero && value > 0 ? '+' : '') + (columnWidth < 34 ? narrow(value) : short(value));
  const fits = written => written && written.length * letter <= columnWidth - 4;
  const cells = data.cells.map(cell => {
    const colour = cell.infinite ? colours.bad : shade(cell.value);
    const tip = [`${data.rows_are} ${cell.from}`, `${data.columns_are} ${cell.to}`, `${data.measure}: ${cell.text}`];
    if (cell.claim != null) tip.push(`claimed: ${cell.claim}${cell.over ? ' (above it)' : ''}`);
    return {
      from: rowLabels.get(cell.from),
      to: columnLabels.get(cell.to),
      colour,
      tip,
      over: cell.over,
      infinite: cell.infinite,
      label: cell.infinite ? '∞' : fits(cell.written) ? cell.written : rounded(cell.value),
      labelColour: readable(colour, colours.ink, colours.paper),
    };
  });
  const over = cells.filter(cell => cell.over);
  const labelled = cells.filter(cell => written || (cell.infinite && !cell.over));

  const outline = (name, colour, strokeWidth) => ({
    name,
    data: { values: over },
    mark: {
      type: 'rect',
      fill: null,
      stroke: colour,
      strokeWidth,
      width: inset(columnWidth),
      height: inset(rowHeight),
    },
    encoding: { tooltip: ownTip },
  });
  const corner = columnWidth < 34 ? 7 : 10;
  // Beside a number the cross stands in the corner.
  const [crossX, crossY] = written ? [1 - corner / columnWidth, corner / rowHeight] : [0.5, 0.5];
  const crossed = (name, colour, strokeWidth) => ({
    name,
    data: { values: over },
    mark: {
      type: 'point',
      shape: cross,
      size: written ? 26 : Math.min(40, (columnWidth * 0.4) ** 2),
      stroke: colour,
      strokeWidth,
      fill: null,
      opacity: 1,
    },
    encoding: { x: column(crossX), y: row(crossY), tooltip: ownTip },
  });
  const column = bandPosition => ({ field: 'to', type: 'nominal', bandPosition });
  const row = bandPosition => ({ field: 'from', type: 'nominal', bandPosition });

  const spec = styled(
    {
      width: Math.min(width, Math.ceil(beside + data.to.length * columnWidth)),
      height: Math.max(1, data.from.length) * rowHeight,
      encoding: {
        x: {
          field: 'to',
          type: 'nominal',
          sort: null,
          title: data.columns_are,
          scale: { domain: [...columnLabels.values()], padding: 0 },
          axis: {
            orient: 'top',
            labelAngle: sideways ? -90 : 0,
            labelLimit: 110,
            ticks: false,
            domain: false,
            labelOverlap: 'greedy',
          },
        },
        y: {
          field: 'from',
          type: 'nominal',
          sort: null,
          title: data.rows_are,
          scale: { domain: [...rowLabels.values()], padding: 0 },
          axis: { labelLimit: labelRoom(width), ticks: false, domain: false, labelOverlap: 'greedy' },
        },
      },
      layer: [
        {
          name: 'cell',
          data: { values: cells },
          mark: { type: 'rect', stroke: colours.paper, strokeWidth: columnWidth < 16 ? 0.5 : 1.5 },
          encoding: { color: ownColour, tooltip: ownTip },
        },
        // In the colour of the page below: the outline is told from any cell's colour.
        outline('halo', colours.paper, columnWidth < 16 ? 2.5 : 5),
        outline('over', colours.bad, columnWidth < 16 ? 1.2 : 2),
        {
          name: 'number',
          data: { values: labelled },
          // In a narrow cell the number makes room for the cross above it.
          mark: {
            type: 'text',
            baseline: 'middle',
            dy: written && columnWidth < 34 ? 3 : 0,
            fontSize: columnWidth < 34 ? 10 : 12,
          },
          encoding: {
            text: { field: 'label', type: 'nominal' },
            color: { field: 'labelColour', type: 'nominal', scale: null },
            tooltip: ownTip,
          },
        },
        crossed('cross_halo', colours.paper, 3.6),
        crossed('cross', colours.bad, 1.8),
      ],
    },
    colours,
    width,
  );
  spec.config.axis.titlePadding = 6;

  const ramp = (to, says) => ({
    shape: 'ramp',
    from: colours.heatLow,
    to,
    label: `0 to ${short(most)} ${data.unit}${says && `, ${says}`}`.trim(),
  });
  const legend = [ramp(colours.heatHigh, data.above)];
  if (data.below_zero) legend.push(ramp(colours.heatBelow, data.below_zero));
  if (cells.some(cell => cell.infinite))
    legend.push({ shape: 'bar', colour: colours.bad, label: '∞ (no finite level)' });
  if (over.length) legend.push({ shape: 'cross', colour: colours.bad, label: 'above the claim' });
  return { spec, legend };
}

/** A rectangle's size inside a cell that is `size` pixels long: three pixels less at each end, or less in a small cell. */
const inset = size => ({ band: 1 - Math.min(6, size * 0.18) / size });

const longest = labels => labels.reduce((most, label) => Math.max(most, label.length), 0);
