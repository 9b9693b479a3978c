// npm test: set-up, then all tests but the long ones, with the checks beside them. Arguments go to vitest and skip the
// checks: npm test -- packages/protocol

import { commandFile, runNode, runNodeBeside, runNodeShown } from './run.mjs';
import { setUpTests } from './set-up-tests.mjs';
import { meansLongTests, WHOLE_RUN, WITHOUT_LONG } from './test-files.mjs';

const args = process.argv.slice(2);
setUpTests();
const vitest = [commandFile('vitest'), 'run'];
if (args.length > 0) {
  const which = meansLongTests(args) ? [] : WITHOUT_LONG;
  process.exit(runNode([...vitest, ...which, ...args]) ? 0 : 1);
}
const checks = runNodeBeside(['scripts/check.mjs']);
// Tests that exist for several databases run on one of them; npm run test:long runs them on the others.
const tested = await runNodeShown([...vitest, ...WITHOUT_LONG, ...WHOLE_RUN], {
  UNWRITE_TEST_MATRIX: 'one',
});
const { passed, output } = await checks;
console.log(passed ? output.split('\n').at(-1) : output);
process.exit(tested && passed ? 0 : 1);
