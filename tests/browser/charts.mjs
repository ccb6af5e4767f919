// The report's script alone, on a page of fixtures: node tests/browser/charts.mjs (after `npm ci` in reports/web).

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkReport, open, readThrough } from './check_report.mjs';
import { desktop, launch, phone } from './chromium.mjs';
import { figures, hostile, page as fixture } from './fixture.mjs';

const folder = mkdtempSync(join(tmpdir(), 'oddsbound-charts-'));
const builder = fileURLToPath(new URL('../../reports/web/build.mjs', import.meta.url));
const built = spawnSync(process.execPath, [builder, join(folder, 'report.js')], { encoding: 'utf8' });
assert.equal(built.status, 0, built.stderr);
const script = readFileSync(join(folder, 'report.js'), 'utf8');
const browser = await launch();
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

function write(name, html) {
  const file = join(folder, name);
  writeFileSync(file, html);
  return file;
}

/** Runs a test's body on an open page with some of the figures, and asserts that the page said nothing. */
async function onPage(file, options, body) {
  const { page, found, close } = await open(browser, file, options);
  await readThrough(page);
  await body(page);
  assert.deepEqual([...found, ...(await page.evaluate(() => window.observed))], []);
  await close();
}

const bars = write('bars.html', fixture(script, { Levels: figures['Levels with hostile labels'] }));

test('every kind of chart is drawn with all of its marks, on every screen', async () => {
  assert.deepEqual(await checkReport(browser, write('all.html', fixture(script))), []);
});

test('a static report has no problems, and one with data is not taken for static', async () => {
  assert.deepEqual(await checkReport(browser, write('static.html', fixture('')), { isStatic: true }), []);
  assert(
    (await checkReport(browser, join(folder, 'static.html'), { views: ['desktop-dark'] })).includes(
      'desktop-dark: no figure has data for the script',
    ),
  );
  const problems = await checkReport(browser, bars, { isStatic: true, views: ['phone-light'] });
  assert(problems.includes('phone-light: figure f0 has data for a script in a static report'));
});

test('a tooltip shows a hostile label as text, on the screen', async () => {
  await onPage(bars, phone, async page => {
    const hover = async nth => {
      await page.locator('g.bar_marks > path').nth(nth).scrollIntoViewIfNeeded();
      await page.locator('g.bar_marks > path').nth(nth).hover();
    };
    for (const label of [0, hostile.length - 1]) {
      await hover(label * 3 + 1);
      const tip = page.locator('.tip');
      assert.equal(await tip.locator('div').first().textContent(), hostile[label]);
      assert.equal(await tip.locator('div > *').count(), 0);
      const box = await tip.boundingBox();
      assert(box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 844, JSON.stringify(box));
    }
    await page.mouse.move(1, 1);
    assert.equal(await page.locator('.tip').isVisible(), false);
  });
});

test('a tap shows the tooltip, and the next one elsewhere hides it', async () => {
  await onPage(bars, { ...phone, hasTouch: true }, async page => {
    await page.locator('g.bar_marks > path').nth(1).tap();
    assert.equal(await page.locator('.tip div').first().textContent(), hostile[0]);
    await page.locator('h1').tap();
    assert.equal(await page.locator('.tip').isVisible(), false);
  });
});

test('a cell tells its number to a pointer on its label and on its cross', async () => {
  const file = write('heat.html', fixture(script, { Losses: figures['Losses between inputs'] }));
  await onPage(file, desktop, async page => {
    for (const mark of ['g.number_marks > text', 'g.cross_marks > path']) {
      await page.locator(mark).first().hover({ force: true });
      assert.match(await page.locator('.tip').textContent(), /^from .*level: log/);
      await page.mouse.move(1, 1);
    }
  });
});

test('charts follow the colour scheme and the width of the screen', async () => {
  await onPage(bars, { ...desktop, colorScheme: 'light' }, async page => {
    const look = () =>
      page.evaluate(() => {
        const bar = document.querySelector('.bar_marks path');
        return { fill: bar.getAttribute('fill'), width: bar.ownerSVGElement.getBoundingClientRect().width };
      });
    const becomes = (condition, argument) => page.waitForFunction(condition, argument, { timeout: 5000 });
    const light = await look();
    assert.equal(light.fill, 'rgb(11, 98, 164)');
    await page.emulateMedia({ colorScheme: 'dark' });
    await becomes(() => document.querySelector('.bar_marks path')?.getAttribute('fill') === 'rgb(108, 178, 240)');
    await page.setViewportSize(phone.viewport);
    await becomes(() => document.querySelector('svg:has(.bar_marks)')?.getBoundingClientRect().width <= 358);
    assert(light.width > 600);
    assert.equal(await page.locator('.live').count(), 1);
  });
});

test('what cannot be drawn leaves the static picture and says why', async () => {
  const file = write(
    'broken.html',
    fixture(script, { Levels: figures['No levels'] }).replace('{"kind":"bars"', '{"kind":"pie"'),
  );
  await onPage(file, phone, async page => {
    const figure = page.locator('figure');
    assert.match(await figure.getAttribute('class'), /failed/);
    assert.equal(await figure.getAttribute('data-failure'), 'no chart of kind pie');
    assert.equal(await page.locator('.chart').isVisible(), true);
    assert.equal(await page.locator('.live').count(), 0);
  });
});

test('the check of reports finds what is wrong with them', async () => {
  const sound = fixture(script, { 'One row': figures['Levels that are all 0'] });
  // Each fault has to be found by a view that is opened; those of colours and sizes that are the same need not all be.
  const views = ['phone-light', 'desktop-dark'];
  // A spoilt page per list: where it is spoilt, how, and what has to be said of it.
  const spoilt = [
    [
      ['<h1>', '<h1 id="f0" style="color: red">', /the id f0 is there twice/],
      ['<h1', '<img alt="" src="data:,"><h1', /an image/],
      ['<h1', '<table><tr><td>1</td></tr></table><h1', /table without header cells/],
      ['<h1', `<pre>${'x'.repeat(200)}</pre><h1`, /phone-light: the page is \d+ pixels wide/],
      ['style=', 'style=', /desktop-dark: Content-Security-Policy violated: style-src/],
      ['data:,', 'data:,', /console: .*img-src/],
      [' lang="en"', '', /does not say its language/],
      ['role="img"', '', /without role="img"/],
      ['aria-label', 'data-label', /without an accessible name/],
      [' data-marks=', ' data-names=', /does not say its number of marks/],
      ['class="bar"', 'class="car"', /0 bar marks instead of 1 in the static picture/],
      [
        '"claims":[]',
        '"claims":[{"group":"constant","series":"coordinate DP","value":null}]',
        /0 claim marks instead of 1 in the live chart/,
      ],
      ['@media print', '@media tty', /is printed with its live chart/],
      ['.drawn .chart {', '.drawn .cart {', /shows its static picture beside the live chart/],
    ],
    [["script-src 'sha256-", "script-src 'sha256-0", /figure f0 is not drawn/]],
    [['"kind":"bars"', '"kind":"pie"', /figure f0 failed: no chart of kind pie/]],
  ];
  for (const faults of spoilt) {
    let html = sound;
    for (const [where, how] of faults) {
      assert(html.includes(where), where);
      html = html.replace(where, how);
    }
    const problems = await checkReport(browser, write('spoilt.html', html), { patience: 500, views });
    for (const [, , expected] of faults) {
      assert(
        problems.some(problem => expected.test(problem)),
        `${expected} is not said by any of\n${problems.join('\n')}`,
      );
    }
  }
});
