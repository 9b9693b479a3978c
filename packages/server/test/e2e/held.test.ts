import { describeHeld } from './describe-held.ts';
import { SQLITE } from './shop-database.ts';

describeHeld(SQLITE);
