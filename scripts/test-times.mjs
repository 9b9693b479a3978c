// node scripts/test-times.mjs: runs npm test's tests and prints where their time goes, by folder and file, slowest
// first. Times are of the clock, so they are of use on a quiet machine.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { commandFile, ROOT, runNode } from './run.mjs';
import { setUpTests } from './set-up-tests.mjs';
import { WITHOUT_LONG } from './test-files.mjs';

const SHOWN = 40;

setUpTests();
const folder = mkdtempSync(join(tmpdir(), 'unwrite-test-times-'));
const report = join(folder, 'report.json');
const reporters = ['--reporter=./scripts/folder-reporter.mjs', '--reporter=json'];
const args = [...WITHOUT_LONG, ...reporters, `--outputFile.json=${report}`, '--silent=passed-only'];
runNode([commandFile('vitest'), 'run', ...args], { UNWRITE_TEST_MATRIX: 'one' });
const files = JSON.parse(readFileSync(report, 'utf8')).testResults.map((file) => ({
  path: relative(ROOT, file.name),
  tests: file.assertionResults.length,
  seconds: (file.endTime - file.startTime) / 1000,
}));
rmSync(folder, { recursive: true });
print(
  'folder',
  sumBy(files, ({ path }) => dirname(path).split('/').slice(0, 5).join('/')),
);
print('file', files);

function sumBy(list, keyOf) {
  return [...Map.groupBy(list, keyOf)].map(([path, group]) => ({
    path,
    tests: group.reduce((sum, { tests }) => sum + tests, 0),
    seconds: group.reduce((sum, { seconds }) => sum + seconds, 0),
  }));
}

function print(title, list) {
  console.log(`\n seconds   tests  ${title}`);
  for (const { path, tests, seconds } of list
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SHOWN))
    console.log(`${seconds.toFixed(1).padStart(8)} ${String(tests).padStart(7)}  ${path}`);
}
