import { describeHeld } from './describe-held.ts';
import { databaseKinds } from './shop-database.ts';

for (const kind of await databaseKinds()) describeHeld(kind);
