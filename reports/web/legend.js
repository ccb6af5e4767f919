// The legend as HTML rather than inside the chart: its labels wrap on a phone and are never cut.

/** A list that explains the marks: entries have a shape (a key of `drawings`), its colours, and a label. */
export function legend(entries) {
  const list = document.createElement('div');
  list.className = 'legend';
  Object.assign(list.style, {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '2px 18px',
    margin: '0 0 6px',
    fontSize: '13px',
  });
  for (const entry of entries) {
    const item = list.appendChild(document.createElement('span'));
    Object.assign(item.style, { display: 'inline-flex', alignItems: 'baseline', gap: '6px', maxWidth: '100%' });
    item.append(symbol(entry));
    const label = item.appendChild(document.createElement('span'));
    label.dir = 'auto';
    label.textContent = entry.label;
    Object.assign(label.style, { overflowWrap: 'anywhere', minWidth: '0' });
  }
  return list;
}

const stroke = (colour, width, more) => ({ stroke: colour, 'stroke-width': width, fill: 'none', ...more });

const drawings = {
  bar: ({ colour }) => [['rect', { x: 2, y: 1, width: 14, height: 10, fill: colour }]],
  tick: ({ colour }) => [['path', { d: 'M9,0V12', ...stroke(colour, 3) }]],
  error: ({ colour }) => [['path', { d: 'M3,6H15M3,2V10M15,2V10', ...stroke(colour, 1.5) }]],
  cross: ({ colour }) => [
    ['rect', { x: 3, y: 0.5, width: 12, height: 11, ...stroke(colour, 1.5) }],
    ['path', { d: 'M6,3L12,9M12,3L6,9', ...stroke(colour, 1.8) }],
  ],
  crossed: ({ colour }) => [
    ['path', { d: 'M5,0V12', ...stroke(colour, 3) }],
    ['path', { d: 'M10,3L16,9M16,3L10,9', ...stroke(colour, 2) }],
  ],
  diamond: ({ colour }) => [['path', { d: 'M9,0L14,6L9,12L4,6Z', fill: colour }]],
  pointer: ({ colour }) => [['path', { d: 'M5,3H13L9,10Z', fill: colour }]],
  line: ({ colour, dash }) => [
    ['path', { d: 'M0,6H18', ...stroke(colour, 2, dash && { 'stroke-dasharray': dash.join() }) }],
  ],
  region: ({ colour }) => [
    ['rect', { x: 0, y: 0, width: 18, height: 11, fill: colour, 'fill-opacity': 0.18 }],
    ['path', { d: 'M0,11H18', ...stroke(colour, 2, { 'stroke-dasharray': '6,3' }) }],
  ],
};

function symbol(entry) {
  if (entry.shape === 'ramp') {
    const ramp = document.createElement('span');
    const { from, to } = entry;
    Object.assign(ramp.style, {
      width: '72px',
      height: '11px',
      flex: 'none',
      background: `linear-gradient(90deg, ${from}, ${to})`,
    });
    return ramp;
  }
  const svg = element('svg', { width: 18, height: 12, viewBox: '0 0 18 12' });
  svg.style.flex = 'none';
  svg.append(...drawings[entry.shape](entry).map(([name, attributes]) => element(name, attributes)));
  return svg;
}

function element(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
