import { describeKill } from './describe-kill.ts';

describeKill(Number(process.env.UNWRITE_TEST_CRASH_ROUNDS ?? 10));
