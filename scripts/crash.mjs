// npm run test:crash -- --rounds 50: kills the server and its workers so many times, lets cancellations
// race against starts, and looks for what was lost. With --store postgres: several nodes and their
// database. `npm run test:long` does a few rounds; this is for a night.
import { commandFile, fail, install, readFlags, runNode } from './run.mjs';

const FOLDER = 'packages/server/test/crash';
const TESTS = {
  sqlite: [FOLDER, '--exclude', '**/crash/postgres/**'],
  postgres: [`${FOLDER}/postgres`],
};

const values = readFlags({
  rounds: { type: 'string', default: '25' },
  store: { type: 'string', default: 'sqlite' },
});
const tests = Object.hasOwn(TESTS, values.store) ? TESTS[values.store] : undefined;
if (!/^[1-9]\d{0,4}$/.test(values.rounds)) fail('--rounds must be a whole number from 1 to 99999');
if (tests === undefined) fail('--store must be sqlite or postgres');
install();
process.env.UNWRITE_TEST_CRASH_ROUNDS = values.rounds;
process.env.UNWRITE_TEST_RACES ??= String(400 * Number(values.rounds));
process.exit(runNode([commandFile('vitest'), 'run', ...tests]) ? 0 : 1);
