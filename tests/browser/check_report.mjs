// Opens a report as readers do (phone and desktop, light and dark, without scripts, on paper) and lists what is wrong with it.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { desktop, phone } from './chromium.mjs';
import { examineDocument, examineFigures, examineVisibility, watch } from './examine.mjs';
import { expectedMarks } from './marks.mjs';

/**
 * All problems of a report, a line each.
 *
 * isStatic: the report was written without a script. views: "phone-light", ...: all four unless given. contains: a text that
 * readers must see as it is. screenshots: a folder for pictures of the top of the page.
 * patience: milliseconds until a figure counts as not drawn. onFigures: called once with what is known of every figure.
 */
export async function checkReport(browser, file, { isStatic = false, views, contains, patience = 120_000, screenshots, onFigures } = {}) {
  const problems = [];
  for (const device of [phone, desktop]) {
    for (const colorScheme of ['light', 'dark']) {
      const view = `${device.name}-${colorScheme}`;
      if (views && !views.includes(view)) continue;
      const { page, found, close } = await open(browser, file, { viewport: device.viewport, colorScheme });
      found.push(...(await page.evaluate(examineDocument)));
      await readThrough(page, patience);
      found.push(...(await page.evaluate(examineDocument)));
      if (contains && !(await page.evaluate(() => document.body.innerText)).includes(contains))
        found.push(`does not show the text ${contains}`);

      const figures = await page.evaluate(examineFigures);
      found.push(...figures.flatMap(figure => figureProblems(figure, isStatic)));
      if (!isStatic && figures.length && !figures.some(figure => figure.data))
        found.push('no figure has data for the script');
      if (screenshots) await page.screenshot({ path: join(screenshots, `${view}.png`) });
      found.push(...(await paperProblems(page)));
      found.push(...(await page.evaluate(() => window.observed)));
      await close();
      problems.push(...unique(found).map(problem => `${view}: ${problem}`));
      if (device === desktop) onFigures?.(figures);
    }
  }
  problems.push(...(await problemsWithoutScripts(browser, file)));
  return problems;
}

/** Opens a file in a fresh context; `found` collects everything that it says, or asks of anyone. */
export async function open(browser, file, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  const found = [];
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) found.push(`console: ${message.text()}`);
  });
  page.on('pageerror', error => found.push(`page error: ${error.message}`));
  page.on('dialog', dialog => {
    found.push(`a dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on('request', request => {
    if (request.url().split('#')[0] !== url) found.push(`a request: ${request.url().slice(0, 120)}`);
  });
  await page.addInitScript(watch);
  await page.goto(url);
  return { page, found, close: () => context.close() };
}

/** Opens all that is folded, scrolls until every figure is drawn, and back. Gives up after `patience` without a new figure. */
export async function readThrough(page, patience = 120_000) {
  await page.evaluate(async patience => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    // A window that is not shown yet draws no frames: it may not hold the check up for ever.
    const frame = () =>
      new Promise(resolve => {
        requestAnimationFrame(() => setTimeout(resolve, 20));
        setTimeout(resolve, 1000);
      });
    const undrawn = () =>
      document.querySelectorAll('figure:has(script.figure-data):not(.drawn, .failed)');
    const scripted = document.querySelector('script:not([type="application/json"])');
    // A chart that is drawn moves all below it, so the next place is looked for after every step. Without a chart there,
    // it is the next figure's turn: one that hangs shall not leave the others unread.
    let left = undrawn();
    for (let end = Date.now() + patience, turn = 0; scripted && left.length && Date.now() < end;) {
      left[turn % left.length].scrollIntoView({ block: 'start', behavior: 'instant' });
      await frame();
      const before = left.length;
      left = undrawn();
      if (left.length < before) [end, turn] = [Date.now() + patience, 0];
      else turn += 1;
    }
    scrollTo({ top: 0, behavior: 'instant' });
    await frame();
  }, patience);
}

function figureProblems(figure, isStatic) {
  const problems = pictureProblems(figure);
  if (isStatic) {
    if (figure.data) problems.push('has data for a script in a static report');
    if (figure.drawn) problems.push('is drawn by a script in a static report');
  } else if (figure.failed != null) {
    problems.push(`failed: ${figure.failed}`);
  } else if (figure.data && !figure.drawn) {
    problems.push('is not drawn');
  } else if (figure.data) {
    const expected = expectedMarks(figure.data);
    problems.push(...differences(expected, figure.liveMarks, 'the live chart'));
    problems.push(...differences(expected, figure.pictureMarks, 'the static picture'));
    problems.push(...differences(expected, figure.promised ?? {}, 'data-marks'));
    if (!figure.liveShown) problems.push('does not show its live chart');
    if (figure.pictureShown) problems.push('shows its static picture beside the live chart');
    if (figure.liveTooWide) problems.push('has a live chart wider than the figure');
  }
  return problems.map(problem => `figure ${figure.id} ${problem}`);
}

function pictureProblems({ hasPicture, role, name, promised, pictureMarks }) {
  if (!hasPicture) return ['has no static picture'];
  const problems = [];
  if (role !== 'img') problems.push('has a static picture without role="img"');
  if (!name) problems.push('has a static picture without an accessible name');
  if (promised) problems.push(...differences(promised, pictureMarks, 'the static picture'));
  else problems.push('does not say its number of marks (data-marks)');
  return problems;
}

const differences = (expected, actual, where) =>
  Object.entries(expected)
    .filter(([mark, count]) => count !== (actual[mark] ?? 0))
    .map(([mark, count]) => `has ${actual[mark] ?? 0} ${mark} marks instead of ${count} in ${where}`);

/** On paper every figure is its static picture, whatever was drawn on the screen. */
async function paperProblems(page) {
  await page.emulateMedia({ media: 'print' });
  const figures = await page.evaluate(examineVisibility);
  await page.emulateMedia({ media: 'screen' });
  return figures.flatMap(figure => [
    ...(figure.pictureShown ? [] : [`figure ${figure.id} is printed without its static picture`]),
    ...(figure.liveShown ? [`figure ${figure.id} is printed with its live chart`] : []),
  ]);
}

async function problemsWithoutScripts(browser, file) {
  const { page, found, close } = await open(browser, file, { viewport: phone.viewport, javaScriptEnabled: false });
  found.push(...(await page.evaluate(examineDocument)));
  for (const figure of await page.evaluate(examineFigures)) {
    const problems = pictureProblems(figure);
    if (figure.drawn) problems.push('is drawn though scripts are off');
    found.push(...problems.map(problem => `figure ${figure.id} ${problem}`));
  }
  await close();
  return unique(found).map(problem => `without scripts: ${problem}`);
}

const unique = list => [...new Set(list)];
