// npm run test:surgery: many more generated cases of erasing than npm test plays.
// npm run test:surgery -- --cases 20000 --seed 7 --database postgres
// npm run test:surgery -- --seed 7 --case 123 --database postgres
import { fetchMysql } from './fetch-mysql.mjs';
import { installMariadb } from './install-mariadb.mjs';
import { anySeed, checkNumbers, commandFile, fail, install, readFlags, runNode } from './run.mjs';

const values = readFlags('Erases in generated schemas and data, with generated faults.', {
  cases: { type: 'string', default: '1000', help: 'N: how many' },
  seed: { type: 'string', help: 'N: what they are made from (without it: any, which is printed)' },
  case: { type: 'string', help: 'N: only this one' },
  database: {
    type: 'string',
    help: 'D: postgres, mariadb, sqlite (without it: all three), or mysql',
  },
});
checkNumbers(values, ['cases', 'seed', 'case'], { min: 0, max: 2 ** 31 - 1 });
if (values.database !== undefined && !/^(postgres|mariadb|mysql|sqlite)$/.test(values.database)) {
  fail('--database takes postgres, mariadb, sqlite or mysql; without it, all but mysql');
}
install();
if (values.database !== 'mysql') installMariadb();
else if (!process.env.UNWRITE_TEST_MYSQL_URL) process.env.UNWRITE_TEST_MYSQL_FOLDER = fetchMysql();
const seed = values.seed ?? anySeed();
console.log(`Seed ${seed}`);
process.env.UNWRITE_TEST_SURGERY_CASES = values.cases;
process.env.UNWRITE_TEST_SURGERY_SEED = seed;
if (values.case !== undefined) process.env.UNWRITE_TEST_SURGERY_CASE = values.case;
if (values.database !== undefined) process.env.UNWRITE_TEST_SURGERY_DATABASE = values.database;
const file = 'packages/server/test/surgery/surgery.test.ts';
process.exit(runNode([commandFile('vitest'), 'run', file]) ? 0 : 1);
