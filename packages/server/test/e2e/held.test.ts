import { describeHeld } from './describe-held.ts';
import { SQLITE } from './set-up/shop-database.ts';

describeHeld(SQLITE);
