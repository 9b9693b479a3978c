// npm run test:e2e -- --customers 100000 --requests 10000: the whole life of requests, from outside, at
// a size of your choice. `npm run test:long` does the same with a small shop.
// With --store postgres: that, every other test of that kind, and the command line's, on a store that many
// nodes could share.
import { installMariadb } from './install-mariadb.mjs';
import { commandFile, fail, install, readFlags, runNode } from './run.mjs';

const FOLDER = 'packages/server/test';
const TESTS = {
  sqlite: [`${FOLDER}/e2e/whole-life.long`],
  postgres: [`${FOLDER}/e2e`, `${FOLDER}/cli`],
};

const values = readFlags({
  customers: { type: 'string', default: '100000' },
  requests: { type: 'string', default: '10000' },
  store: { type: 'string', default: 'sqlite' },
});
const tests = Object.hasOwn(TESTS, values.store) ? TESTS[values.store] : undefined;
if (tests === undefined) fail('--store must be sqlite or postgres');
for (const name of ['customers', 'requests']) {
  if (!/^[1-9]\d{1,6}$/.test(values[name]))
    fail(`--${name} must be a whole number from 10 to 9999999`);
}
install();
installMariadb();
process.env.UNWRITE_TEST_STORE = values.store;
process.env.UNWRITE_TEST_E2E_CUSTOMERS = values.customers;
process.env.UNWRITE_TEST_E2E_REQUESTS = values.requests;
process.exit(runNode([commandFile('vitest'), 'run', ...tests]) ? 0 : 1);
