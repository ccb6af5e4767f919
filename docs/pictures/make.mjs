// Makes the pictures of docs/reading-a-report.md anew:
//   node docs/pictures/make.mjs [oddsbound, else build/release/cli/oddsbound]
// The report is that of the Titanic's passengers with an audit. Needs Chromium and `npm ci` in reports/web.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from '../../tests/browser/check_report.mjs';
import { desktop, launch, phone } from '../../tests/browser/chromium.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const binary = resolve(process.argv[2] ?? join(root, 'build/release/cli/oddsbound'));
const spec = 'specs/gallery/titanic.json';
const mostBytes = 1_000_000;

/** What is seen of the page: from `top` (a selector) on; `height`: of the window, where it is not the device's own. */
const pages = [
  { name: 'report-desktop', device: desktop, colorScheme: 'light', height: 1240 },
  { name: 'report-phone', device: phone, colorScheme: 'light' },
  { name: 'report-phone-dark', device: phone, colorScheme: 'dark', top: 'figure' },
];

/** Figures by the beginning of their captions. */
const figures = [
  { name: 'figure-levels', caption: 'Levels by attribute' },
  { name: 'figure-losses', caption: 'Loss between values of class' },
  { name: 'figure-trade-off', caption: 'Trade-off curve of survived' },
  { name: 'figure-correlation', caption: 'Correlation of attributes' },
  { name: 'figure-audit', caption: 'What the runs show' },
  { name: 'figure-evidence', caption: 'Evidence against the claims' },
  { name: 'figure-numbers-dark', caption: 'Correlation of attributes', colorScheme: 'dark', unfolded: true },
];

function writeReport(folder) {
  const file = name => join(folder, name);
  const oddsbound = (...args) =>
    execFileSync(binary, args, { cwd: root, env: { ...process.env, SOURCE_DATE_EPOCH: '0' } });
  oddsbound('verify', '--figures', '--explain', '--format', 'json', '--output', file('results.json'), spec);
  oddsbound('audit', '--until', '--seed', '1', '--format', 'json', '--output', file('audit.json'), spec);
  oddsbound('report', file('results.json'), file('audit.json'), '--output', file('report.html'));
  return file('report.html');
}

async function takePage(browser, report, { name, device, colorScheme, height, top }) {
  const viewport = { ...device.viewport, height: height ?? device.viewport.height };
  const { page, close } = await open(browser, report, { viewport, colorScheme });
  if (top) await page.locator(top).first().evaluate(element => element.scrollIntoView({ behavior: 'instant' }));
  await page.screenshot({ path: picture(name) });
  await close();
}

async function takeFigure(browser, report, { name, caption, colorScheme = 'light', unfolded = false }) {
  const { page, close } = await open(browser, report, {
    viewport: desktop.viewport,
    colorScheme,
    deviceScaleFactor: 1.5,
  });
  const figure = page.locator('figure', { hasText: caption }).first();
  await figure.evaluate(element => element.closest('details')?.setAttribute('open', ''));  // most figures are folded
  await figure.evaluate(element => (element.style.alignSelf = 'start'));  // as high as itself, not as its neighbours
  if (unfolded) await figure.locator('details').evaluate(details => (details.open = true));
  await figure.screenshot({ path: picture(name) });
  await close();
}

const picture = name => fileURLToPath(new URL(`${name}.png`, import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'oddsbound-pictures-'));
const browser = await launch();
try {
  const report = writeReport(folder);
  for (const one of pages) await takePage(browser, report, one);
  for (const one of figures) await takeFigure(browser, report, one);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
const bytes = [...pages, ...figures].reduce((sum, { name }) => sum + statSync(picture(name)).size, 0);
console.log(`${pages.length + figures.length} pictures, ${bytes} bytes`);
if (bytes > mostBytes) {
  console.error(`more than ${mostBytes} bytes`);
  process.exitCode = 1;
}
