// npm run test:long: every test that `npm test` has no time for, and one summary of all at the end.
// npm run test:long -- crash: only the long tests whose paths contain that.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildConsole } from './build-console.mjs';
import { installChromium } from './install-chromium.mjs';
import { installMariadb } from './install-mariadb.mjs';
import { installPgbouncer } from './install-pgbouncer.mjs';
import { commandFile, fail, install, ROOT, runNode } from './run.mjs';
import { longTestFiles, WHOLE_RUN, WITHOUT_LONG } from './test-files.mjs';

const FOLDER = 'packages/server/test';
const texts = process.argv.slice(2);
const longTests = { name: 'long tests', args: longTestFiles(texts) };
/** Beside the long tests: what each gives to vitest, and the environment. */
const OTHERS = [
  {
    name: "npm test's end-to-end and command line tests, on a PostgreSQL store",
    args: [...WITHOUT_LONG, `${FOLDER}/e2e`, `${FOLDER}/cli`],
    env: { UNWRITE_TEST_STORE: 'postgres' },
  },
];

if (longTests.args.length === 0) {
  fail(`no path of a long test contains ${texts.join(' or ')}`);
}
const suites = texts.length > 0 ? [longTests] : [longTests, ...OTHERS];
install();
installMariadb();
installPgbouncer();
installChromium();
buildConsole();
const folder = mkdtempSync(join(tmpdir(), 'unwrite-test-long-'));
const results = suites.map(runSuite);
rmSync(folder, { recursive: true, force: true });
for (const result of results) printResult(result);
process.exit(results.every(({ passed }) => passed) ? 0 : 1);

function runSuite({ name, args, env = {} }, index) {
  console.log(`\n${name}`);
  const report = join(folder, `${index}.json`);
  const started = performance.now();
  const reporters = [...WHOLE_RUN, '--reporter=json', `--outputFile.json=${report}`];
  const passed = runNode([commandFile('vitest'), 'run', ...reporters, ...args], env);
  const minutes = (performance.now() - started) / 60_000;
  return { name, passed, minutes, ...readReport(report) };
}

/** None where vitest did not get as far as writing one. */
function readReport(file) {
  try {
    const { numPassedTests, numPendingTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
    const failed = testResults.flatMap(({ name, status, assertionResults }) => {
      const path = relative(ROOT, name);
      const titles = assertionResults
        .filter((test) => test.status === 'failed')
        .map((test) => `${path} > ${test.fullName}`);
      return titles.length === 0 && status === 'failed' ? [path] : titles;
    });
    return { counts: `${numPassedTests} passed, ${numPendingTests} skipped`, failed };
  } catch {
    return { counts: 'no report', failed: [] };
  }
}

function printResult({ name, passed, minutes, counts, failed }) {
  const outcome = passed ? 'passed' : 'FAILED';
  console.log(
    `\n${outcome}: ${name}, ${minutes.toFixed(1)} min: ${counts}, ${failed.length} failed`,
  );
  for (const title of failed) console.log(`  ${title}`);
}
