import { describeMeanwhile } from './describe-meanwhile.ts';
import { SQLITE } from './shop-database.ts';

describeMeanwhile(SQLITE);
