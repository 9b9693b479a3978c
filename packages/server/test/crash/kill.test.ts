import { describeKill } from './kill.ts';

describeKill(1);
