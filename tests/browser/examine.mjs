// What a test looks for in an open report. Each of these runs inside the page, so it may use nothing but its argument.

/** Problems of the document that do not depend on how its figures are drawn. */
export function examineDocument() {
  const problems = [];
  const describe = element => element.outerHTML.slice(0, 80);

  const ids = [...document.querySelectorAll('[id]')].map(element => element.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) problems.push(`the id ${id} is there twice`);
  for (const image of document.querySelectorAll('img, image')) problems.push(`an image: ${describe(image)}`);
  for (const table of document.querySelectorAll('table')) {
    if (!table.querySelector('th')) problems.push(`a table without header cells: ${describe(table)}`);
  }
  if (!document.title.trim()) problems.push('the page has no title');
  if (!document.documentElement.lang) problems.push('the page does not say its language');
  const { scrollWidth } = document.scrollingElement;
  if (scrollWidth > innerWidth) {
    const widest = [...document.body.querySelectorAll('*')].find(
      element => element.getBoundingClientRect().right > innerWidth + 0.5,
    );
    problems.push(
      `the page is ${scrollWidth} pixels wide on a screen of ${innerWidth}${widest ? `, by ${describe(widest)}` : ''}`,
    );
  }
  return problems;
}

/** What is known of every figure: its state, its data, and how many marks its pictures show. */
export function examineFigures() {
  const shown = element => Boolean(element) && element.checkVisibility();
  const name = svg => {
    const labelled = svg.getAttribute('aria-labelledby');
    return (
      svg.getAttribute('aria-label') ||
      svg.querySelector(':scope > title')?.textContent ||
      (labelled && document.getElementById(labelled)?.textContent) ||
      ''
    );
  };
  const named = ['bar', 'claim', 'cell', 'over', 'point', 'interval', 'exact', 'line', 'margin'];
  const count = (root, select) => Object.fromEntries(named.map(mark => [mark, root ? select(root, mark) : 0]));
  // A mark without any extent is not there for a reader (a line through a single point has none, and a point on it).
  const extended = mark => {
    const { width, height } = mark.getBoundingClientRect();
    return width + height > 0 || mark.parentElement.matches('.line_marks');
  };

  return [...document.querySelectorAll('figure')].map(figure => {
    const picture = figure.querySelector('.chart svg');
    const live = figure.querySelector('.live');
    const source = figure.querySelector('script.figure-data');
    return {
      id: figure.id || '(no id)',
      data: source ? JSON.parse(source.textContent) : null,
      promised: figure.dataset.marks == null ? null : JSON.parse(figure.dataset.marks),
      failed: figure.classList.contains('failed') ? (figure.dataset.failure ?? 'no reason given') : null,
      drawn: figure.classList.contains('drawn'),
      hasPicture: Boolean(picture),
      pictureShown: shown(picture),
      liveShown: shown(live),
      role: picture?.getAttribute('role') ?? null,
      name: picture ? name(picture).trim() : '',
      pictureMarks: count(picture, (svg, mark) => svg.querySelectorAll(`.${mark}`).length),
      liveMarks: count(
        live,
        (element, mark) => [...element.querySelectorAll(`g.${mark}_marks > *`)].filter(extended).length,
      ),
      liveTooWide: live ? live.scrollWidth > live.clientWidth : false,
    };
  });
}

/** Which pictures of every figure are shown. On paper no more has to be known, and marks take long to measure. */
export function examineVisibility() {
  const shown = element => Boolean(element) && element.checkVisibility();
  return [...document.querySelectorAll('figure')].map(figure => ({
    id: figure.id || '(no id)',
    pictureShown: shown(figure.querySelector('.chart svg')),
    liveShown: shown(figure.querySelector('.live')),
  }));
}

/** Before anything else in the page runs: notes what no report may do. */
export function watch() {
  window.observed = [];
  addEventListener('securitypolicyviolation', event =>
    window.observed.push(
      `Content-Security-Policy violated: ${event.violatedDirective} by ${event.blockedURI} ${event.sample}`,
    ),
  );
  for (const name of ['alert', 'confirm', 'prompt'])
    window[name] = () => {
      window.observed.push(`window.${name} was called`);
    };
}
