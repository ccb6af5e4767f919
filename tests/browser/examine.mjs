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

/** What is known of every figure, and how many marks its picture shows. */
export function examineFigures() {
  const named = ['bar', 'claim', 'cell', 'outline', 'point', 'interval', 'exact', 'line', 'margin'];
  // A path may have several shapes: cells that look alike are one element.
  const shapes = element => (element.matches('path') ? element.getAttribute('d').match(/m/gi).length : 1);
  // Lines are not counted twice: an open bar belongs to a bar.
  const count = (svg, mark) =>
    [...svg.querySelectorAll(`.${mark}:not(.bar.open)`)].reduce((sum, element) => sum + shapes(element), 0);

  return [...document.querySelectorAll('figure')].map(figure => {
    const svg = figure.querySelector('.chart svg');
    return {
      id: figure.id || '(no id)',
      promised: figure.dataset.marks == null ? null : JSON.parse(figure.dataset.marks),
      hasPicture: Boolean(svg),
      role: svg?.getAttribute('role') ?? null,
      name: svg?.getAttribute('aria-label')?.trim() ?? '',
      description: svg?.querySelector(':scope > desc')?.textContent ?? '',
      titles: svg?.querySelectorAll('title').length ?? 0,
      marks: svg ? Object.fromEntries(named.map(mark => [mark, count(svg, mark)])) : {},
    };
  });
}

/** Walks to the first values of every figure by the keyboard, and says which do not show their tooltip. */
export function examineTooltips() {
  const problems = [];
  for (const figure of document.querySelectorAll('figure')) {
    const svg = figure.querySelector('svg');
    if (!svg) continue;
    if (svg.tabIndex !== 0) problems.push(`figure ${figure.id} is not reached by the keyboard`);
    if (svg.querySelector('title')) problems.push(`figure ${figure.id} has two kinds of tooltips`);
    const press = key => svg.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft']) {
      press(key);
      const tip = document.querySelector('.tip');
      const { left, right, top, bottom } = tip?.getBoundingClientRect() ?? {};
      if (!tip?.checkVisibility() || !tip.textContent) problems.push(`figure ${figure.id} shows no tooltip`);
      else if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight)
        problems.push(`figure ${figure.id} shows a tooltip beyond the screen`);
    }
    press('Escape');
    if (document.querySelector('.tip')?.checkVisibility()) problems.push(`figure ${figure.id} keeps its tooltip`);
  }
  scrollTo({ top: 0, behavior: 'instant' });
  return problems;
}

/** Which pictures are shown, and whether a tooltip is. */
export function examineVisibility() {
  const shown = element => Boolean(element) && element.checkVisibility();
  return {
    figures: [...document.querySelectorAll('figure')].map(figure => ({
      id: figure.id || '(no id)',
      shown: shown(figure.querySelector('.chart svg')),
    })),
    tip: shown(document.querySelector('.tip')),
  };
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
