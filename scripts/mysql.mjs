// npm run test:mysql: the tests about MariaDB, and generated cases, on a MySQL server: one of Debian's unstable release, or
// that of UNWRITE_TEST_MYSQL_URL.
// npm run test:mysql -- --cases 1000 --seed 7
import { fetchMysql } from './fetch-mysql.mjs';
import { anySeed, checkNumbers, commandFile, install, readFlags, runNode } from './run.mjs';

const values = readFlags('Runs the tests about MariaDB, and generated cases, on a MySQL server.', {
  cases: { type: 'string', default: '100', help: 'N: how many generated cases' },
  seed: { type: 'string', help: 'N: what they are made from (without it: any, which is printed)' },
});
checkNumbers(values, ['cases', 'seed'], { min: 0, max: 2 ** 31 - 1 });
install();
if (!process.env.UNWRITE_TEST_MYSQL_URL) process.env.UNWRITE_TEST_MYSQL_FOLDER = fetchMysql();
const seed = values.seed ?? anySeed();
console.log(`Seed ${seed}`);
const folders = ['connectors', 'examples', 'misleading-schemas', 'e2e'];
const vitest = [commandFile('vitest'), 'run'];
const passed = [
  runNode([
    ...vitest,
    ...folders.map((name) => `packages/server/test/${name}/`),
    '-t',
    'MariaDB|mysql|MySQL',
  ]),
  runNode([...vitest, 'packages/server/test/surgery/surgery.test.ts'], {
    UNWRITE_TEST_SURGERY_DATABASE: 'mysql',
    UNWRITE_TEST_SURGERY_CASES: values.cases,
    UNWRITE_TEST_SURGERY_SEED: seed,
  }),
];
process.exit(passed.every(Boolean) ? 0 : 1);
