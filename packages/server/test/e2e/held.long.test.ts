import { describeHeld } from './describe-held.ts';
import { databaseKinds } from './set-up/shop-database.ts';

for (const kind of await databaseKinds()) describeHeld(kind);
