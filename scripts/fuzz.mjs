// npm run test:fuzz: generated bodies, paths, headers, tokens and configuration files, many more than
// npm run test:long tries.
// npm run test:fuzz -- --runs 420000 --seed 7
import { anySeed, checkNumbers, commandFile, install, readFlags, runNode } from './run.mjs';

const FOLDER = 'packages/server/test';
const values = readFlags('Sends generated inputs, and reads generated configuration files.', {
  runs: {
    type: 'string',
    default: '100000',
    help: 'N: bodies for POST /requests; other inputs are a quarter each, so all are about 2.5 times as many',
  },
  seed: {
    type: 'string',
    help: 'N: what the inputs are generated from (without it: any, which is printed)',
  },
});
checkNumbers(values, ['runs', 'seed']);
install();
const seed = values.seed ?? anySeed();
console.log(`Seed ${seed}; to repeat: npm run test:fuzz -- --seed ${seed} --runs ${values.runs}`);
process.env.UNWRITE_TEST_FUZZ_RUNS = values.runs;
process.env.UNWRITE_TEST_FUZZ_SEED = seed;
const files = ['http/generated-bodies', 'http/generated-requests', 'config/generated-configs'].map(
  (name) => `${FOLDER}/${name}.long.test.ts`,
);
process.exit(runNode([commandFile('vitest'), 'run', ...files]) ? 0 : 1);
