// npm run test:surgery: many more generated cases of erasing than npm test plays.
// npm run test:surgery -- --cases 20000 --seed 7 --database postgres
// npm run test:surgery -- --seed 7 --case 123 --database postgres
import { installMariadb } from './install-mariadb.mjs';
import { anySeed, checkNumbers, commandFile, fail, install, readFlags, runNode } from './run.mjs';

const values = readFlags('Erases in generated schemas and data, with generated faults.', {
  cases: { type: 'string', default: '1000', help: 'N: how many' },
  seed: { type: 'string', help: 'N: what they are made from (without it: any, which is printed)' },
  case: { type: 'string', help: 'N: only this one' },
  database: {
    type: 'string',
    help: 'D: postgres, mariadb, sqlite (without it: all three), or mysql at UNWRITE_TEST_MYSQL_URL',
  },
});
checkNumbers(values, ['cases', 'seed', 'case'], { min: 0, max: 2 ** 31 - 1 });
if (values.database !== undefined && !/^(postgres|mariadb|mysql|sqlite)$/.test(values.database)) {
  fail('--database takes postgres, mariadb, sqlite or mysql; without it, all but mysql');
}
if (values.database === 'mysql' && !process.env.UNWRITE_TEST_MYSQL_URL) {
  fail('--database mysql wants the URL of a MySQL server in UNWRITE_TEST_MYSQL_URL');
}
install();
installMariadb();
const seed = values.seed ?? anySeed();
console.log(`Seed ${seed}`);
process.env.UNWRITE_TEST_SURGERY_CASES = values.cases;
process.env.UNWRITE_TEST_SURGERY_SEED = seed;
if (values.case !== undefined) process.env.UNWRITE_TEST_SURGERY_CASE = values.case;
if (values.database !== undefined) process.env.UNWRITE_TEST_SURGERY_DATABASE = values.database;
const file = 'packages/server/test/surgery/surgery.test.ts';
process.exit(runNode([commandFile('vitest'), 'run', file]) ? 0 : 1);
