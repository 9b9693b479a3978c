import { describeMeanwhile } from './describe-meanwhile.ts';
import { databaseKinds } from './shop-database.ts';

for (const kind of await databaseKinds()) describeMeanwhile(kind);
