// npm run test:e2e -- --customers 100000 --requests 10000: the whole life of requests, from outside, at
// a size of your choice. `npm run test:long` does the same with a small shop.
// With --store postgres: that, every other test of that kind, and the command line's, on a store that many
// nodes could share.
import { installMariadb } from './install-mariadb.mjs';
import {
  checkNumbers,
  checkStore,
  commandFile,
  install,
  readFlags,
  runNode,
  STORE_FLAG,
} from './run.mjs';

const FOLDER = 'packages/server/test';
const TESTS = {
  sqlite: [`${FOLDER}/e2e/whole-life.long`],
  postgres: [`${FOLDER}/e2e`, `${FOLDER}/cli`],
};

const values = readFlags('The whole life of requests, from outside.', {
  customers: { type: 'string', default: '100000', help: 'N: of the shop' },
  requests: { type: 'string', default: '10000', help: 'N: how many of them ask to be erased' },
  store: STORE_FLAG,
});
checkNumbers(values, ['customers', 'requests'], { min: 10, max: 9_999_999 });
checkStore(values);
install();
installMariadb();
process.env.UNWRITE_TEST_STORE = values.store;
process.env.UNWRITE_TEST_E2E_CUSTOMERS = values.customers;
process.env.UNWRITE_TEST_E2E_REQUESTS = values.requests;
process.exit(runNode([commandFile('vitest'), 'run', ...TESTS[values.store]]) ? 0 : 1);
