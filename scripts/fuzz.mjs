// npm run test:fuzz: generated bodies, paths, headers, tokens and configuration files, many more than
// npm run test:long tries.
// npm run test:fuzz -- --runs 1000000 --seed 7
import { commandFile, fail, install, readFlags, runNode } from './run.mjs';

const FOLDER = 'packages/server/test';
const values = readFlags({
  runs: { type: 'string', default: '100000' },
  seed: { type: 'string', default: String(1 + Math.floor(Math.random() * 999_999_998)) },
});
for (const name of ['runs', 'seed']) {
  if (!/^[1-9]\d{0,8}$/.test(values[name]))
    fail(`--${name} must be a whole number from 1 to 999999999`);
}
install();
console.log(
  `Seed ${values.seed}; to repeat: npm run test:fuzz -- --seed ${values.seed} --runs ${values.runs}`,
);
process.env.UNWRITE_TEST_FUZZ_RUNS = values.runs;
process.env.UNWRITE_TEST_FUZZ_SEED = values.seed;
const files = ['http/generated-bodies', 'http/generated-requests', 'config/generated-configs'].map(
  (name) => `${FOLDER}/${name}.long.test.ts`,
);
process.exit(runNode([commandFile('vitest'), 'run', ...files]) ? 0 : 1);
