// Every shop on the first store; on the others one is enough. `npm run test:long -- e2e` sets the size.
import { DEFAULT_STORE, storeKinds } from '../helpers/stores/test-store.ts';
import { describeWholeLife } from './describe-whole-life.ts';
import { makeProcessInstallation } from './set-up/installation.ts';
import type { ShopSize } from './set-up/shop.ts';
import { databaseKinds, POSTGRES } from './set-up/shop-database.ts';

const customers = Number(process.env.UNWRITE_TEST_E2E_CUSTOMERS ?? 4000);
const requests = Number(process.env.UNWRITE_TEST_E2E_REQUESTS ?? 600);
const size: ShopSize = { customers, ordersEach: 10, heavy: 6, ordersOfTheHeavy: 1200 };

const [first = DEFAULT_STORE, ...others] = await storeKinds();
const cases = [
  ...(await databaseKinds()).map((kind) => ({ kind, store: first })),
  ...others.map((store) => ({ kind: POSTGRES, store })),
];
for (const one of cases) {
  describeWholeLife({ ...one, size, requests, maxRows: 1000, make: makeProcessInstallation });
}
