// node scripts/test-times.mjs [path …]: runs npm test's tests and prints where their processor time goes, by folder and
// file; with --long, every *.long.test.ts. The servers' own is not in it. Linux only.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { commandFile, ROOT, runNode } from './run.mjs';
import { setUpTests } from './set-up-tests.mjs';
import { longTestFiles, WITHOUT_LONG } from './test-files.mjs';

const SHOWN = 60;
const TICKS_A_SECOND = 100;

setUpTests();
const folder = mkdtempSync(join(tmpdir(), 'unwrite-test-times-'));
const notes = join(folder, 'notes');
const reporter = ['--reporter=./scripts/folder-reporter.mjs', '--silent=passed-only'];
const given = process.argv.slice(2);
const isLong = given[0] === '--long';
const files = isLong ? [...longTestFiles(), ...given.slice(1)] : [...WITHOUT_LONG, ...given];
runNode([commandFile('vitest'), 'run', ...reporter, ...files], {
  ...(isLong ? {} : { UNWRITE_TEST_MATRIX: 'one' }),
  UNWRITE_TEST_TIMES: 'on',
  UNWRITE_TEST_NOTES: notes,
});
const times = readFileSync(notes, 'utf8')
  .split('\n')
  .filter((line) => line.includes('"ticks"'))
  .map((line) => JSON.parse(line))
  .map(({ file, ticks }) => ({ path: relative(ROOT, file), seconds: ticks / TICKS_A_SECOND }));
rmSync(folder, { recursive: true });
print(
  'folder',
  sumBy(times, ({ path }) => dirname(path).split('/').slice(0, 5).join('/')),
);
print('file', times);

function sumBy(list, keyOf) {
  const sums = new Map();
  for (const file of list) sums.set(keyOf(file), (sums.get(keyOf(file)) ?? 0) + file.seconds);
  return [...sums].map(([path, seconds]) => ({ path, seconds }));
}

function print(title, list) {
  const all = list.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(`\nprocessor seconds by ${title}, ${all.toFixed(0)} in all`);
  const slowest = [...list].sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
  for (const { path, seconds } of slowest)
    console.log(`${seconds.toFixed(1).padStart(8)}  ${path}`);
}
