// Bundles the report's script into one file: node build.mjs OUTPUT.js. Needs `npm ci` before; uses no network.

import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const mostBytes = 5_000;

function fail(message) {
  console.error(`reports/web/build.mjs: ${message}`);
  exit(1);
}

if (argv.length !== 3) fail('usage: node build.mjs OUTPUT.js');
const output = resolve(argv[2]);

const { build } = await import('esbuild').catch(() => fail(`esbuild is missing: run 'npm ci' in ${here}`));
const {
  outputFiles: [{ text: script }],
} = await build({
  entryPoints: [join(here, 'page.js')],
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2020',
  charset: 'ascii',
  write: false,
}).catch(error => fail(error.message));

// The script stands inside <script>...</script>, which none of these may end or confuse.
for (const forbidden of ['</script', '<script', '<!--']) {
  if (script.toLowerCase().includes(forbidden)) fail(`the bundle contains ${forbidden}`);
}
const bytes = Buffer.byteLength(script);
if (bytes > mostBytes) fail(`the bundle has ${bytes} bytes, more than ${mostBytes}`);
try {
  writeFileSync(output, script);
} catch (error) {
  fail(error.message);
}
