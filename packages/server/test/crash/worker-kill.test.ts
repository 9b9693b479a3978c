import { SQLITE } from '../e2e/shop-database.ts';
import { describeWorkerKill } from './describe-worker-kill.ts';

describeWorkerKill(SQLITE, ['after the erase'], 1);
