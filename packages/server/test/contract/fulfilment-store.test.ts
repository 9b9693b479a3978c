import { openSqliteFulfilment } from '../helpers/open-fulfilment-store.ts';
import { describeFulfilmentStore } from './fulfilment-store-suite.ts';

describeFulfilmentStore('SQLite', openSqliteFulfilment);
