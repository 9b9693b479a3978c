// The licences of what is built into a package: those who made it ask that their notices go with every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from './run.mjs';

const NOTICE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i;
const LINE = '-'.repeat(80);

/** `folders`: of packages, each as often as it is met. */
export function collectLicenses(folders) {
  // One that is there twice, in two places, is told once.
  const parts = new Map([...new Set(folders)].map(partOf));
  const head = 'The package "unwrite" has the following packages built in. Their licences:\n';
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
  return [head, ...sorted.map(([name, text]) => `${LINE}\n${name}\n\n${text}\n`)].join('\n');
}

function partOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (license === undefined) fail(`${name} names no licence, so it cannot be built in`, 1);
  const files = readdirSync(folder).filter((file) => NOTICE.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, texts.join('\n\n') || `Licence: ${license}`];
}
