// npm run test:surgery: many more generated cases of erasing than npm test plays.
// npm run test:surgery -- --cases 20000 --seed 7 --database postgres
// npm run test:surgery -- --seed 7 --case 123 --database postgres
import { installMariadb } from './install-mariadb.mjs';
import { commandFile, fail, install, readFlags, runNode } from './run.mjs';

const values = readFlags({
  cases: { type: 'string', default: '1000' },
  seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  case: { type: 'string' },
  database: { type: 'string' },
});
for (const name of ['cases', 'seed', 'case']) {
  if (values[name] === undefined || /^\d{1,9}$|^[12]\d{9}$/.test(values[name])) continue;
  fail(`--${name} takes a whole number`);
}
if (values.database !== undefined && !/^(postgres|mariadb|sqlite)$/.test(values.database)) {
  fail('--database takes postgres, mariadb or sqlite; without it, all three');
}
install();
installMariadb();
console.log(`Seed ${values.seed}`);
process.env.UNWRITE_TEST_SURGERY_CASES = values.cases;
process.env.UNWRITE_TEST_SURGERY_SEED = values.seed;
if (values.case !== undefined) process.env.UNWRITE_TEST_SURGERY_CASE = values.case;
if (values.database !== undefined) process.env.UNWRITE_TEST_SURGERY_DATABASE = values.database;
const file = 'packages/server/test/surgery/surgery.test.ts';
process.exit(runNode([commandFile('vitest'), 'run', file]) ? 0 : 1);
