// npm run test:histories: many more histories of requests than npm test plays.
// npm run test:histories -- --runs 2000 --seed 7 --store postgres
// npm run test:histories -- --seed 7 --path 36:0:1 --replay-path AAA:q --store postgres   (as a failure was told)
import { parseArgs } from 'node:util';
import { commandFile, install, runNode } from './run.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    path: { type: 'string' },
    'replay-path': { type: 'string' },
    store: { type: 'string' },
  },
});
for (const name of ['runs', 'seed']) {
  if (/^\d{1,9}$|^[12]\d{9}$/.test(values[name])) continue;
  console.error(`--${name} takes a whole number`);
  process.exit(2);
}
if (values.store !== undefined && !/^(postgres|sqlite)$/.test(values.store)) {
  console.error('--store takes postgres or sqlite; without it, both');
  process.exit(2);
}
if (values.path !== undefined && !/^\d+(:\d+)*$/.test(values.path)) {
  console.error('--path takes the numbers of a failure, as it was told: 36:0:1');
  process.exit(2);
}
install();
console.log(`Seed ${values.seed}`);
process.env.UNWRITE_TEST_HISTORIES_RUNS = values.runs;
process.env.UNWRITE_TEST_HISTORIES_SEED = values.seed;
if (values.path !== undefined) process.env.UNWRITE_TEST_HISTORIES_PATH = values.path;
const replayPath = values['replay-path'];
if (replayPath !== undefined) process.env.UNWRITE_TEST_HISTORIES_REPLAY_PATH = replayPath;
if (values.store !== undefined) process.env.UNWRITE_TEST_STORE = values.store;
const file = 'packages/server/test/histories/histories.test.ts';
process.exit(runNode([commandFile('vitest'), 'run', file]) ? 0 : 1);
