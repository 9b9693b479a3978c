import { SQLITE } from '../e2e/set-up/shop-database.ts';
import { describeWorkerKill } from './describe-worker-kill.ts';

describeWorkerKill(SQLITE, ['after the erase'], 1);
