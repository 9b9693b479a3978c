// npm run test:leaks -- --people 10000: known people go through everything that there is, and are looked for in every
// file, table, log, answer and output. `npm test` and `npm run test:long` do it with some hundred.
import { checkNumbers, commandFile, install, readFlags, runNode } from './run.mjs';

const FOLDER = 'packages/server/test';
const values = readFlags('Looks for known identities in every byte that Unwrite writes.', {
  people: {
    type: 'string',
    default: '10000',
    help: 'N: people with two identities each, created and cancelled',
  },
  lives: {
    type: 'string',
    help: 'N: people followed through the whole life of their requests, on each store (without it: a fiftieth of --people)',
  },
});
checkNumbers(values, ['people', 'lives'], { min: 10, max: 99_999 });
install();
const lives = values.lives ?? String(Math.max(10, Math.round(Number(values.people) / 50)));
process.env.UNWRITE_TEST_LEAK_PEOPLE = values.people;
process.env.UNWRITE_TEST_E2E_PEOPLE = lives;
const files = ['leaks.test', 'e2e/leaks.long.test', 'e2e/leaks-postgres.long.test'].map(
  (name) => `${FOLDER}/${name}.ts`,
);
process.exit(runNode([commandFile('vitest'), 'run', ...files]) ? 0 : 1);
