import { describeKill } from './describe-kill.ts';

describeKill(1);
