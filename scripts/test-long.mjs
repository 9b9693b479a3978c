// npm run test:long: what npm test has no time for, and one summary at the end.
// npm run test:long -- crash --rounds 50: one suite; npm run test:long -- --help lists them with what each takes.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { isLong, plantFaults, readFaults } from './faults.mjs';
import { fetchMysql } from './fetch-debian.mjs';
import { BEFORE_RELEASE, SUITES, WITHOUT_ARGUMENT } from './long-suites.mjs';
import {
  anySeed,
  checkNumbers,
  commandFile,
  describeFlags,
  fail,
  ROOT,
  readFlags,
  runNode,
} from './run.mjs';
import { setUpTests } from './set-up-tests.mjs';
import { WHOLE_RUN } from './test-files.mjs';

const RELEASE_FLAGS = {
  scale: { type: 'string', default: '1', help: 'X: multiplies every count, 0.001 to 10' },
  seed: {
    type: 'string',
    help: 'N: what inputs and attacks are made from (without it: any, which is printed)',
  },
};
const FAULT_FLAGS = {
  only: {
    type: 'string',
    multiple: true,
    default: [],
    help: 'PART: the faults of one file of scripts/faults',
  },
};
const LEAST_PEOPLE = 20;

const [name, ...args] = process.argv.slice(2);
if (name === '--help' || args.includes('--help')) printHelp();
else if (name === undefined)
  process.exit(runAll(WITHOUT_ARGUMENT.map((each) => [each, readValues(each, [])])));
else if (name === 'faults') await runFaults();
else if (name === 'release') process.exit(runRelease());
else process.exit(runAll([[name, readValues(name, args)]]));

function readValues(suite, flags) {
  if (!Object.hasOwn(SUITES, suite))
    fail(`${suite} is none of the suites; npm run test:long -- --help lists them`);
  const { flags: options = {}, numbers = {}, check = () => false } = SUITES[suite];
  const values = readFlags(flags, options);
  for (const [flag, limits] of Object.entries(numbers)) checkNumbers(values, [flag], limits);
  if (values.store !== undefined && !/^(sqlite|postgres)$/.test(values.store))
    fail('--store must be sqlite or postgres');
  const problem = check(values);
  if (problem) fail(problem);
  return values;
}

/** Answers the exit code. */
function runAll(suites) {
  setUpTests();
  const folder = mkdtempSync(join(tmpdir(), 'unwrite-test-long-'));
  const results = suites.flatMap(([suite, values]) => runSuite(suite, values, folder));
  rmSync(folder, { recursive: true, force: true });
  for (const result of results) printResult(result);
  return results.every(({ passed }) => passed) ? 0 : 1;
}

function runSuite(suite, values, folder) {
  const { about, needs, runs } = SUITES[suite];
  const environment = {};
  if (
    (typeof needs === 'function' ? needs(values) : needs) === 'mysql' &&
    !process.env.UNWRITE_TEST_MYSQL_URL
  ) {
    const { path, reason } = fetchMysql();
    if (path === undefined)
      return [
        {
          suite,
          passed: true,
          counts: `not run, because no MySQL can be had: ${reason}; name a server in UNWRITE_TEST_MYSQL_URL`,
          failed: [],
        },
      ];
    environment.UNWRITE_TEST_MYSQL_FOLDER = path;
    // What was built for another release does not run on every kernel: then the end of the run says so, and that is no
    // failure.
    environment.CI = '';
  }
  return runs(values).map(({ args: given, env = {} }, index) => {
    const said = Object.entries(env).filter(([, value]) => value !== undefined);
    const shown = said.map(([key, value]) => `${key}=${value}`).join(' ');
    console.log(`\n${suite}: ${about}${shown && `\n${shown}`}`);
    const report = join(folder, `${suite}-${index}.json`);
    const started = performance.now();
    const reporters = [...WHOLE_RUN, '--reporter=json', `--outputFile.json=${report}`];
    const passed = runNode([commandFile('vitest'), 'run', ...reporters, ...given], {
      ...environment,
      ...Object.fromEntries(said),
    });
    const minutes = (performance.now() - started) / 60_000;
    return { suite, passed, minutes, ...readReport(report) };
  });
}

/** None where vitest did not get as far as writing one. */
function readReport(file) {
  try {
    const { numPassedTests, numPendingTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
    const failed = testResults.flatMap(({ name: path, status, assertionResults }) => {
      const titles = assertionResults
        .filter((test) => test.status === 'failed')
        .map((test) => `${relative(ROOT, path)} > ${test.fullName}`);
      return titles.length === 0 && status === 'failed' ? [relative(ROOT, path)] : titles;
    });
    return {
      counts: `${numPassedTests} passed, ${numPendingTests} skipped, ${failed.length} failed`,
      failed,
    };
  } catch {
    return { counts: 'no report', failed: [] };
  }
}

function printResult({ suite, passed, minutes, counts, failed }) {
  const took = minutes === undefined ? '' : ` in ${minutes.toFixed(1)} min`;
  console.log(`\n${passed ? 'passed' : 'FAILED'}: ${suite}${took}: ${counts}`);
  for (const title of failed) console.log(`  ${title}`);
}

async function runFaults() {
  const { only } = readFlags(args, FAULT_FLAGS);
  const faults = await readFaults(only).catch(({ message }) => fail(`--only: ${message}`));
  setUpTests();
  const missed = await plantFaults(faults);
  const long = faults.filter(isLong).length;
  console.log(
    `\n${faults.length} faults: ${faults.length - missed.length} caught (${long} of all by long tests alone), ${missed.length} not`,
  );
  for (const { part, what, problem } of missed) console.log(`  ${part}: ${what}: ${problem}`);
  process.exit(missed.length > 0 ? 1 : 0);
}

function runRelease() {
  const values = readFlags(args, RELEASE_FLAGS);
  const scale = Number(values.scale);
  if (!(scale >= 0.001 && scale <= 10)) fail('--scale must be a number from 0.001 to 10');
  checkNumbers(values, ['seed']);
  const seed = values.seed ?? anySeed();
  console.log(`Seed ${seed}, scale ${values.scale}`);
  const suites = BEFORE_RELEASE.map((command) => {
    const least = command.startsWith('leaks') ? LEAST_PEOPLE : 1;
    const [suite, ...flags] = command
      .replace('SEED', seed)
      .replace(/\{(\d+)\}/g, (_, count) => Math.max(least, Math.round(count * scale)))
      .split(' ');
    return [suite, readValues(suite, flags)];
  });
  return runAll(suites);
}

function printHelp() {
  console.log(
    'npm run test:long [-- SUITE [flags]]\n\n' +
      `Without a suite: ${WITHOUT_ARGUMENT.join(', ')}, some 30 minutes on two cores. The suites:\n`,
  );
  const named = {
    ...SUITES,
    faults: {
      about: 'plants faults in a copy of the source; the tests must catch each',
      takes: '10 s a fault',
      flags: FAULT_FLAGS,
    },
    release: {
      about: 'the long run before a release: crash, fuzz, hostile, leaks, soak',
      takes: '5 to 8 h',
      flags: RELEASE_FLAGS,
    },
  };
  const shown = Object.entries(named).filter(
    ([suite]) => Object.hasOwn(named, name) === false || suite === name,
  );
  for (const [suite, { about, takes, flags = {} }] of shown) {
    console.log(`  ${suite.padEnd(18)} ${about} (${takes})`);
    for (const line of describeFlags(flags)) console.log(`      ${line}`);
  }
}
