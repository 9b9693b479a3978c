import { storesInMatrix } from '../helpers/stores/test-store.ts';
import { describeWholeLife } from './describe-whole-life.ts';
import { makeInstallation } from './set-up/installation.ts';
import type { ShopSize } from './set-up/shop.ts';
import { POSTGRES, SQLITE } from './set-up/shop-database.ts';

const SHOPS = { sqlite: SQLITE, postgres: POSTGRES };
const size: ShopSize = { customers: 100, ordersEach: 10, heavy: 2, ordersOfTheHeavy: 60 };

for (const store of await storesInMatrix('e2e/whole-life')) {
  describeWholeLife({
    store,
    size,
    kind: SHOPS[store],
    requests: 40,
    maxRows: 50,
    make: makeInstallation,
  });
}
