// npm run test:fuzz: generated bodies, paths, headers, tokens and configuration files, many more than
// npm run test:long tries.
// npm run test:fuzz -- --runs 1000000 --seed 7
import { parseArgs } from 'node:util';
import { commandFile, install, runNode } from './run.mjs';

const FOLDER = 'packages/server/test';
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
for (const name of ['runs', 'seed']) {
  if (/^[1-9]\d{0,8}$|^[12]\d{9}$/.test(values[name])) continue;
  console.error(`--${name} takes a whole number from 1 on`);
  process.exit(2);
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
