// npm run test:crash -- --rounds 50: kills the server and its workers so many times, lets cancellations
// race against starts, and looks for what was lost. `npm test` does a few rounds; this is for a night.
import { parseArgs } from 'node:util';
import { commandFile, install, runNode } from './run.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '25' } } });
if (!/^[1-9]\d{0,4}$/.test(values.rounds)) {
  console.error('--rounds must be a whole number from 1 to 99999');
  process.exit(2);
}
install();
process.env.UNWRITE_TEST_CRASH_ROUNDS = values.rounds;
process.env.UNWRITE_TEST_RACES ??= String(400 * Number(values.rounds));
process.exit(runNode([commandFile('vitest'), 'run', 'packages/server/test/crash']) ? 0 : 1);
