// npm run test:fuzz: generated bodies against a running service, many more than npm run test:long tries.
// npm run test:fuzz -- --runs 1000000
import { commandFile, fail, install, readFlags, runNode } from './run.mjs';

const values = readFlags({ runs: { type: 'string', default: '100000' } });
if (!/^[1-9]\d{0,8}$/.test(values.runs)) {
  fail('--runs must be a whole number from 1 to 999999999');
}
install();
process.env.UNWRITE_TEST_FUZZ_RUNS = values.runs;
const file = 'packages/server/test/http/generated-bodies.long.test.ts';
process.exit(runNode([commandFile('vitest'), 'run', file]) ? 0 : 1);
