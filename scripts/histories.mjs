// npm run test:histories: many more histories of requests than npm test plays.
// npm run test:histories -- --runs 2000 --seed 7 --store postgres
// npm run test:histories -- --seed 7 --path 36:0:1 --replay-path AAA:q --store postgres   (as a failure was told)
import {
  anySeed,
  checkNumbers,
  checkStore,
  commandFile,
  fail,
  install,
  readFlags,
  runNode,
} from './run.mjs';

const values = readFlags('Random sequences of actions, compared with a model.', {
  runs: { type: 'string', default: '1000', help: 'N: how many, on each store' },
  seed: { type: 'string', help: 'N: what they are made from (without it: any, which is printed)' },
  path: { type: 'string', help: 'P: the numbers of a failure, as it was told: 36:0:1' },
  'replay-path': { type: 'string', help: 'P: the same, as it was told: AAA:q' },
  store: { type: 'string', help: 'S: sqlite or postgres (without it: both)' },
});
checkNumbers(values, ['runs', 'seed'], { min: 0, max: 2 ** 31 - 1 });
checkStore(values);
if (values.path !== undefined && !/^\d+(:\d+)*$/.test(values.path))
  fail('--path takes the numbers of a failure, as it was told: 36:0:1');
install();
const seed = values.seed ?? anySeed();
console.log(`Seed ${seed}`);
process.env.UNWRITE_TEST_HISTORIES_RUNS = values.runs;
process.env.UNWRITE_TEST_HISTORIES_SEED = seed;
if (values.path !== undefined) process.env.UNWRITE_TEST_HISTORIES_PATH = values.path;
const replayPath = values['replay-path'];
if (replayPath !== undefined) process.env.UNWRITE_TEST_HISTORIES_REPLAY_PATH = replayPath;
if (values.store !== undefined) process.env.UNWRITE_TEST_STORE = values.store;
const file = 'packages/server/test/histories/histories.test.ts';
process.exit(runNode([commandFile('vitest'), 'run', file]) ? 0 : 1);
