// npm run test:soak -- --minutes 60: everything at once, and whether memory, descriptors, timers and the slowest answers
// stay where they were. `npm run test:long` does one minute. With --store postgres: on that store.
import { commandFile, fail, install, readFlags, runNode } from './run.mjs';

const values = readFlags({
  minutes: { type: 'string', default: '10' },
  store: { type: 'string', default: 'sqlite' },
});
if (!/^[1-9]\d{0,3}$/.test(values.minutes)) fail('--minutes must be a whole number from 1 to 9999');
if (!/^(sqlite|postgres)$/.test(values.store)) fail('--store must be sqlite or postgres');
install();
process.env.UNWRITE_TEST_SOAK_MINUTES = values.minutes;
process.env.UNWRITE_TEST_STORE = values.store;
const file = 'packages/server/test/soak/soak.long.test.ts';
process.exit(runNode([commandFile('vitest'), 'run', file]) ? 0 : 1);
