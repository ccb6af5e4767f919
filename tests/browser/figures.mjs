// The figures of reports, as readers use them: node tests/browser/figures.mjs BINARY (after `npm ci` in reports/web).

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkReport, open } from './check_report.mjs';
import { desktop, launch, phone } from './chromium.mjs';

const hostileName = '</script><img src=x onerror=alert(1)>';
const binary = resolve(process.argv[2]);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'oddsbound-figures-'));
const browser = await launch();
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** Writes the report of a spec; returns its file. */
function report(name, spec, ...options) {
  const file = join(folder, name);
  const { status, stderr } = spawnSync(
    binary,
    ['verify', '--figures', '--format', 'html', ...options, '--output', file, spec],
    { cwd: root, encoding: 'utf8' },
  );
  assert([0, 1].includes(status), stderr);
  return file;
}

const titanic = report('titanic.html', 'specs/gallery/titanic.json');
const hostile = report('hostile.html', 'tests/cli/specs/hostile-report.json');

/** Runs a test's body on an open page, and asserts that the page said nothing. */
async function onPage(file, options, body) {
  const { page, found, close } = await open(browser, file, options);
  await body(page, page.locator('.tip'));
  assert.deepEqual([...found, ...(await page.evaluate(() => window.observed))], []);
  await close();
}

const figure = (page, caption) => page.locator('figure', { hasText: caption }).first();

// Figures below the first one are folded.
const unfold = page => page.locator('details.more:has(figure) > summary').first().click();

// The event of a scroll, which hides the tooltip, comes with the next frame.
const settled = page =>
  page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));

const scrolledTo = async (page, mark) => {
  await mark.scrollIntoViewIfNeeded();
  await settled(page);
};

/** The middle of a cell of the first matrix with this caption, in the window. */
const middleOf = async (page, caption, row, column) => {
  const middle = await figure(page, caption)
    .locator('svg')
    .evaluate(
      (svg, [row, column]) => {
        svg.scrollIntoView({ block: 'center', behavior: 'instant' });
        const [left, top, width, height] = svg.querySelector('.ground').dataset.grid.split(' ').map(Number);
        const { x, y } = new DOMPoint(left + (column + 0.5) * width, top + (row + 0.5) * height).matrixTransform(
          svg.getScreenCTM(),
        );
        return [x, y];
      },
      [row, column],
    );
  await settled(page);
  return middle;
};

test('figures have names, descriptions and all of their marks, on every screen', async () => {
  assert.deepEqual(await checkReport(browser, titanic), []);
});

test('a static report has the same figures and no script', async () => {
  const file = report('static.html', 'specs/gallery/titanic.json', '--static');
  assert.deepEqual(await checkReport(browser, file, { isStatic: true, views: ['phone-dark', 'desktop-light'] }), []);
  assert(!readFileSync(file, 'utf8').includes('<script'));
  assert((await checkReport(browser, titanic, { isStatic: true, views: [] })).length === 0);
  const problems = await checkReport(browser, titanic, { isStatic: true, views: ['phone-light'] });
  assert(problems.includes('phone-light: has a script in a static report'), problems.join('\n'));
});

test('the script is small', () => {
  assert(readFileSync(titanic).length < 150_000);
});

test('a tooltip shows a hostile name as text, on the screen', async () => {
  await onPage(hostile, phone, async (page, tip) => {
    const bar = page.locator('.bar').first();
    await scrolledTo(page, bar);
    await bar.hover({ force: true });
    assert((await tip.textContent()).startsWith(hostileName), await tip.textContent());
    assert.equal(await tip.locator('*').count(), 0);
    const box = await tip.boundingBox();
    assert(box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 844, JSON.stringify(box));
    await page.mouse.move(1, 1);
    assert.equal(await tip.isVisible(), false);
  });
});

test('a tap shows the tooltip, and the next one elsewhere hides it', async () => {
  await onPage(hostile, { ...phone, hasTouch: true }, async (page, tip) => {
    const bar = page.locator('.bar').first();
    await scrolledTo(page, bar);
    await bar.tap({ force: true });
    assert((await tip.textContent()).startsWith(hostileName));
    assert.equal(await tip.isVisible(), true);
    await page.locator('h2').first().tap();
    assert.equal(await tip.isVisible(), false);
  });
});

test('keys reach a figure, walk through its marks, and put the tooltip away', async () => {
  await onPage(titanic, desktop, async (page, tip) => {
    const svg = figure(page, 'Levels by attribute').locator('svg');
    for (let presses = 0; presses < 20 && !(await svg.evaluate(it => it === document.activeElement)); ++presses) {
      await page.keyboard.press('Tab');
    }
    assert.match(await tip.textContent(), /^class, coordinate DP: /);
    await page.keyboard.press('ArrowRight');
    assert.match(await tip.textContent(), /^sex, coordinate DP: /);
    assert.equal(await page.locator('.frame').count(), 1);
    await page.keyboard.press('Escape');
    assert.equal(await tip.isVisible(), false);
    await page.keyboard.press('ArrowLeft');
    assert.match(await tip.textContent(), /^class, coordinate DP: /);
    await page.keyboard.press('Tab');
    assert.equal(await tip.isVisible(), false);
  });
});

test('a cell of a matrix says its row, its column and its value, by pointer and by keys', async () => {
  for (const device of [phone, desktop]) {
    await onPage(titanic, device, async (page, tip) => {
      await unfold(page);
      await page.mouse.move(...(await middleOf(page, 'Loss between inputs', 2, 5)));
      const cell = await figure(page, 'Loss between inputs').evaluate(it => {
        const row = it.querySelectorAll('tbody tr')[2];
        const [label, level] = [row.cells[0], row.cells[6]].map(one => one.textContent);
        return `${label} → ${it.querySelectorAll('thead th')[6].textContent}: ${level}`;
      });
      assert.equal(await tip.textContent(), cell);
      const [from, to] = cell.split(/ → |: /);
      await figure(page, 'Loss between inputs').locator('svg').press('ArrowDown');
      const below = await tip.textContent();
      assert(below.includes(` → ${to}: `) && !below.startsWith(`${from} `), below);
      // The diagonal has no cell.
      await page.mouse.move(...(await middleOf(page, 'Loss between values of class', 1, 1)));
      assert.equal(await tip.isVisible(), false);
    });
  }
});

test('a pointer near a point of a curve finds it', async () => {
  await onPage(titanic, desktop, async (page, tip) => {
    await unfold(page);
    const point = figure(page, 'Trade-off curve of sex').locator('.point').nth(3);
    await scrolledTo(page, point);
    const box = await point.boundingBox();
    await page.mouse.move(box.x + box.width / 2 + 5, box.y + box.height / 2);
    assert.match(await tip.textContent(), /^type I error [\d.e-]+, type II error [\d.e-]+$/);
  });
});

test('the check of reports finds what is wrong with them', async () => {
  const sound = readFileSync(titanic, 'utf8');
  const script = sound.match(/<script>([^]*)<\/script>/)[1];
  const hash = text => createHash('sha256').update(text).digest('base64');
  // Each fault has to be found by a view that is opened.
  const views = ['phone-light', 'desktop-dark'];
  // A spoilt page per list: where it is spoilt, how, and what has to be said of it.
  const spoilt = [
    [
      ['<h1>', '<h1 id="f1" style="color: red">', /the id f1 is there twice/],
      ['<h1', '<img alt="" src="data:,"><h1', /an image/],
      ['<h1', '<table><tr><td>1</td></tr></table><h1', /table without header cells/],
      ['<h1', `<pre>${'x'.repeat(200)}</pre><h1`, /phone-light: the page is \d+ pixels wide/],
      ['style=', 'style=', /desktop-dark: Content-Security-Policy violated: style-src/],
      ['data:,', 'data:,', /console: .*img-src/],
      [' lang="en"', '', /does not say its language/],
      ['role="img"', '', /without scripts: figure f1 has a picture without role="img"/],
      ['aria-label="Levels', 'data-label="Levels', /without an accessible name/],
      [/<desc>[^<]*/, '<desc>', /without a description/],
      [' data-marks=', ' data-names=', /does not say its number of marks/],
      ['class="cell"', 'class="call"', /figure f\d+ has \d+ cell marks instead of \d+/],
    ],
    [["script-src 'sha256-", "script-src 'sha256-0", /figure f1 is not reached by the keyboard/]],
    [[script, `${script};document.querySelector('.tip').className='tap'`, /figure f1 shows no tooltip/]],
  ];
  for (const faults of spoilt) {
    let html = sound;
    for (const [where, how] of faults) {
      assert(typeof where === 'string' ? html.includes(where) : where.test(html), where);
      html = html.replace(where, () => how);
    }
    html = html.replace(hash(script), hash(html.match(/<script>([^]*)<\/script>/)[1]));
    const file = join(folder, 'spoilt.html');
    writeFileSync(file, html);
    const problems = await checkReport(browser, file, { views });
    for (const [, , expected] of faults) {
      assert(
        problems.some(problem => expected.test(problem)),
        `${expected} is not said by any of\n${problems.join('\n')}`,
      );
    }
  }
});
