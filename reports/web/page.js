// The report's script: tooltips for the marks of figures, by pointer, finger and arrow keys. A mark is an element with
// a <title>, or a cell of a matrix: the figure's table has its text. Names may contain markup: text is set as text.

const reach = 8; // how far from a mark a pointer still finds it, in units of the picture

const tip = document.body.appendChild(document.createElement('div'));
tip.className = 'tip';
tip.hidden = true;
tip.dir = 'auto';
tip.setAttribute('role', 'status');
const frame = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
frame.setAttribute('class', 'frame');
let placeAgain; // after scrolling, if keys found the mark; a pointer points at something else then

/** Elements with a <title>. Titles are removed, because browsers would show them as tooltips of their own. */
function titledMarks(svg) {
  return [...svg.querySelectorAll('title')].map(title => {
    const element = title.parentElement;
    title.remove();
    return { text: title.textContent, box: () => element.getBBox() };
  });
}

/** The cells of a matrix in rows. grid: "left top width height" of the first cell. */
function cells(figure, grid) {
  const [left, top, width, height] = grid.split(' ').map(Number);
  const columns = [...figure.querySelectorAll('thead th')].map(cell => cell.textContent);
  const rows = [...figure.querySelectorAll('tbody tr')].map(row => [...row.cells].map(cell => cell.textContent));
  return rows.flatMap(([from, ...texts], i) =>
    texts.flatMap((text, j) => {
      const box = { x: left + j * width, y: top + i * height, width, height };
      return text ? { text: `${from} → ${columns[j + 1]}: ${text}`, box: () => box } : [];
    }),
  );
}

/** The mark at a point: the smallest of those there, else the nearest within reach. */
function markAt(marks, point) {
  let [found, least] = [undefined, reach];
  for (const mark of marks) {
    const { x, y, width, height } = mark.box();
    const across = Math.max(x - point.x, 0, point.x - x - width);
    const distance = Math.hypot(across, Math.max(y - point.y, 0, point.y - y - height));
    const rank = distance < 1.5 ? width * height * 1e-9 : distance;
    if (rank < least) [found, least] = [mark, rank];
  }
  return found;
}

function hide() {
  tip.hidden = true;
  frame.remove();
  placeAgain = undefined;
}

/** Shows a mark's tooltip beside a point of the window, on the side that has room. */
function show(svg, mark, { x, y }) {
  const box = mark.box();
  const around = { x: box.x - 1, y: box.y - 1, width: box.width + 2, height: box.height + 2 };
  for (const [name, value] of Object.entries(around)) frame.setAttribute(name, value);
  svg.append(frame);
  tip.textContent = mark.text;
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const beside = (at, size, room) => {
    const wanted = at + 14 + size > room - 8 ? at - 14 - size : at + 14;
    return `${Math.max(8, Math.min(wanted, room - 8 - size))}px`;
  };
  tip.style.left = beside(x, width, innerWidth);
  tip.style.top = beside(y, height, innerHeight);
}

function enliven(figure, svg) {
  const grid = svg.querySelector('[data-grid]')?.dataset.grid;
  const titled = titledMarks(svg);
  const marks = grid ? cells(figure, grid) : titled;
  if (!marks.length) return;
  let at = 0;

  function point({ clientX: x, clientY: y }) {
    const mark = markAt(marks, new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse()));
    if (!mark) return hide();
    at = marks.indexOf(mark);
    placeAgain = undefined;
    show(svg, mark, { x, y });
  }
  function showCurrent() {
    const { x, y, width, height } = marks[at].box();
    show(svg, marks[at], new DOMPoint(x + width / 2, y + height / 2).matrixTransform(svg.getScreenCTM()));
    placeAgain = showCurrent;
  }
  function walk(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const inColumn = grid && /Up|Down/.test(event.key);
    let next = at + step;
    while (inColumn && marks[next] && marks[next].box().x !== marks[at].box().x) next += step;
    if (marks[next]) at = next;
    showCurrent();
    frame.scrollIntoView({ block: 'nearest' });
  }

  svg.tabIndex = 0;
  svg.setAttribute('role', 'application');
  svg.setAttribute('aria-roledescription', 'figure: arrow keys show its values');
  svg.addEventListener('pointermove', point);
  svg.addEventListener('click', point); // a finger does not hover
  svg.addEventListener('pointerleave', hide);
  svg.addEventListener('focus', () => svg.matches(':focus-visible') && showCurrent());
  svg.addEventListener('blur', hide);
  svg.addEventListener('keydown', walk);
}

for (const figure of document.querySelectorAll('figure')) enliven(figure, figure.querySelector('svg'));
addEventListener('scroll', () => (placeAgain ?? hide)(), { passive: true, capture: true });
addEventListener('pointerdown', hide);
addEventListener('beforeprint', hide);
addEventListener('keydown', ({ key }) => key === 'Escape' && hide());
