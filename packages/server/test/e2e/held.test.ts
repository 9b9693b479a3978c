import { describeHeld } from './held.ts';
import { SQLITE } from './shop-database.ts';

describeHeld(SQLITE);
