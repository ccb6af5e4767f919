// Checks a written report in a browser:
//   node tests/browser/report.mjs REPORT.html [--static] [--views phone-light,desktop-dark] [--contains TEXT]
//     [--screenshots DIR] [--print-counts]
// Prints a line per problem and exits with 1 if there is any.

import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkReport } from './check_report.mjs';
import { launch } from './chromium.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    static: { type: 'boolean' },
    views: { type: 'string' },
    contains: { type: 'string' },
    screenshots: { type: 'string' },
    'print-counts': { type: 'boolean' },
  },
});
if (positionals.length !== 1 || !existsSync(positionals[0])) {
  console.error('usage: node tests/browser/report.mjs REPORT.html [--static] [--views V,W] [--contains TEXT] [--screenshots DIR]');
  process.exit(2);
}
if (values.screenshots) mkdirSync(values.screenshots, { recursive: true });

function printCounts(figures) {
  for (const { id, promised } of figures) {
    const counts = Object.fromEntries(Object.entries(promised ?? {}).filter(([, count]) => count > 0));
    console.log(`${id} ${JSON.stringify(counts)}`);
  }
}

const browser = await launch();
try {
  const problems = await checkReport(browser, resolve(positionals[0]), {
    isStatic: values.static,
    views: values.views?.split(','),
    contains: values.contains,
    screenshots: values.screenshots,
    onFigures: values['print-counts'] ? printCounts : undefined,
  });
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length ? 1 : 0;
} finally {
  await browser.close();
}
