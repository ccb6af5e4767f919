// The licences of the bundled packages ask that they go with every copy: this collects them into one comment.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Vega's packages share a repository and its licence; some are published without the file, this one is with it.
const vegaLicence = 'node_modules/vega-view/LICENSE';

/** A comment with the licences of all packages among the bundled files; calls `fail` on a package that has none. */
export function licences(folder, files, fail) {
  const read = path => readFileSync(join(folder, path), 'utf8').replaceAll('\r', '').trim();
  const packages = new Set(files.flatMap(file => file.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? []));
  const namesByText = new Map();
  const add = (text, name) => namesByText.set(text, [...(namesByText.get(text) ?? []), name]);

  for (const path of [...packages].sort()) {
    const { name, version, license } = JSON.parse(read(`${path}/package.json`));
    const own = readdirSync(join(folder, path)).find(entry => /^licen[cs]e(\.|$)/i.test(entry));
    const file = own
      ? `${path}/${own}`
      : /^vega(-|$)/.test(name) && license === 'BSD-3-Clause'
        ? vegaLicence
        : undefined;
    if (!file) fail(`${name} ${version} has no licence file`);
    add(read(file), `${name} ${version} (${license})`);
  }
  // Code that those packages took over carries its licence in a comment, which minifying removes.
  for (const path of files.filter(path => path.includes('node_modules/'))) {
    for (const [comment] of read(path).matchAll(/\/\*[^]*?\*\/|\/\/.*/g)) {
      if (/copyright \d|copyright \(c\) \d/i.test(comment)) {
        add(comment.replace(/^\/\*+|\*\/$|^\/\//g, '').trim(), `code in ${path.replace(/^.*node_modules\//, '')}`);
      }
    }
  }

  const notice = [...namesByText].map(([text, names]) => `${names.join(', ')}\n\n${text}`).join('\n\n----\n\n');
  if (notice.includes('*/')) fail('a licence contains the end of a comment');
  return `/*! This script contains:\n\n${notice}\n*/\n`;
}
