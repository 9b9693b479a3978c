import { describeMeanwhile } from './describe-meanwhile.ts';
import { SQLITE } from './set-up/shop-database.ts';

describeMeanwhile(SQLITE);
