// npm run test:soak -- --minutes 60: everything at once, and whether memory, descriptors, timers and the slowest answers
// stay where they were. `npm run test:long` does one minute. With --store postgres: on that store.
import {
  checkNumbers,
  checkStore,
  commandFile,
  install,
  readFlags,
  runNode,
  STORE_FLAG,
} from './run.mjs';

const values = readFlags('Everything at once; what the server holds must not grow.', {
  minutes: { type: 'string', default: '10', help: 'N: how long' },
  store: STORE_FLAG,
});
checkNumbers(values, ['minutes'], { max: 9999 });
checkStore(values);
install();
process.env.UNWRITE_TEST_SOAK_MINUTES = values.minutes;
process.env.UNWRITE_TEST_STORE = values.store;
const file = 'packages/server/test/soak/soak.long.test.ts';
process.exit(runNode([commandFile('vitest'), 'run', file]) ? 0 : 1);
