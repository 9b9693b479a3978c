import { describeMeanwhile } from './meanwhile.ts';
import { SQLITE } from './shop-database.ts';

describeMeanwhile(SQLITE);
