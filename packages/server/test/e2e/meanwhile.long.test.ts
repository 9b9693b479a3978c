import { describeMeanwhile } from './describe-meanwhile.ts';
import { databaseKinds } from './set-up/shop-database.ts';

for (const kind of await databaseKinds()) describeMeanwhile(kind);
