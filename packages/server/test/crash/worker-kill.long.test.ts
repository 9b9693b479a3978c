import { databaseKinds } from '../e2e/set-up/shop-database.ts';
import { describeWorkerKill } from './describe-worker-kill.ts';
import { KILL_POINTS } from './killing-target.ts';

const rounds = Math.max(1, Math.round(Number(process.env.UNWRITE_TEST_CRASH_ROUNDS ?? 1) / 3));
for (const kind of await databaseKinds()) describeWorkerKill(kind, KILL_POINTS, rounds);
