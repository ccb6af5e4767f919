// Opens a report as readers do (phone and desktop, light and dark, without scripts, on paper) and lists what is wrong with it.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { desktop, phone } from './chromium.mjs';
import { examineDocument, examineFigures, examineTooltips, examineVisibility, watch } from './examine.mjs';

/**
 * All problems of a report, a line each.
 *
 * isStatic: the report was written without a script. views: "phone-light", ...: all four unless given. contains: a text that
 * readers must see as it is. screenshots: a folder for pictures of the top of the page.
 * onFigures: called once with what is known of every figure.
 */
export async function checkReport(browser, file, { isStatic = false, views, contains, screenshots, onFigures } = {}) {
  const problems = [];
  for (const device of [phone, desktop]) {
    for (const colorScheme of ['light', 'dark']) {
      const view = `${device.name}-${colorScheme}`;
      if (views && !views.includes(view)) continue;
      const { page, found, close } = await open(browser, file, { viewport: device.viewport, colorScheme });
      found.push(...(await page.evaluate(examineDocument)));
      await unfold(page);
      found.push(...(await page.evaluate(examineDocument)));
      if (contains && !(await page.evaluate(() => document.body.innerText)).includes(contains))
        found.push(`does not show the text ${contains}`);

      const figures = await page.evaluate(examineFigures);
      found.push(...figures.flatMap(figure => figureProblems(figure, isStatic ? 'img' : 'application')));
      if (isStatic && (await page.locator('script').count())) found.push('has a script in a static report');
      if (!isStatic) found.push(...(await page.evaluate(examineTooltips)));
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

/** Opens all that is folded. */
const unfold = page =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

function figureProblems({ id, hasPicture, role, name, description, promised, marks }, expectedRole) {
  const problems = [];
  if (!hasPicture) problems.push('has no picture');
  else if (role !== expectedRole) problems.push(`has a picture without role="${expectedRole}"`);
  if (!name) problems.push('has a picture without an accessible name');
  if (!/\p{L}.*\.$/su.test(description)) problems.push('has a picture without a description');
  if (promised) problems.push(...differences(promised, marks));
  else problems.push('does not say its number of marks (data-marks)');
  return problems.map(problem => `figure ${id} ${problem}`);
}

const differences = (expected, actual) =>
  Object.entries(expected)
    .filter(([mark, count]) => count !== (actual[mark] ?? 0))
    .map(([mark, count]) => `has ${actual[mark] ?? 0} ${mark} marks instead of ${count}`);

/** On paper every figure is its picture, without a tooltip. */
async function paperProblems(page) {
  await page.emulateMedia({ media: 'print' });
  const { figures, tip } = await page.evaluate(examineVisibility);
  await page.emulateMedia({ media: 'screen' });
  return [
    ...figures.filter(({ shown }) => !shown).map(({ id }) => `figure ${id} is printed without its picture`),
    ...(tip ? ['a tooltip is printed'] : []),
  ];
}

async function problemsWithoutScripts(browser, file) {
  const { page, found, close } = await open(browser, file, { viewport: phone.viewport, javaScriptEnabled: false });
  found.push(...(await page.evaluate(examineDocument)));
  const figures = await page.evaluate(examineFigures);
  found.push(...figures.flatMap(figure => figureProblems(figure, 'img')));
  found.push(...figures.filter(figure => !figure.titles).map(({ id }) => `figure ${id} has no tooltips of the browser`));
  await close();
  return unique(found).map(problem => `without scripts: ${problem}`);
}

const unique = list => [...new Set(list)];
