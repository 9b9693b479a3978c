// npm run test:e2e -- --customers 100000 --requests 10000: the whole life of requests, from outside, at
// a size of your choice. `npm test` does the same with a small shop.
import { parseArgs } from 'node:util';
import { installMariadb } from './install-mariadb.mjs';
import { commandFile, install, runNode } from './run.mjs';

const { values } = parseArgs({
  options: {
    customers: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '10000' },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (/^[1-9]\d{1,6}$/.test(value)) continue;
  console.error(`--${name} must be a whole number from 10 to 9999999`);
  process.exit(2);
}
install();
installMariadb();
process.env.UNWRITE_TEST_E2E_CUSTOMERS = values.customers;
process.env.UNWRITE_TEST_E2E_REQUESTS = values.requests;
process.exit(
  runNode([commandFile('vitest'), 'run', 'packages/server/test/e2e/whole-life']) ? 0 : 1,
);
