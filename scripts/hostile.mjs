// npm run test:hostile: raw HTTP, slow callers, floods, forged tokens, probes of other controllers and private addresses
// against a server process, with an honest client measured beside them. `npm run test:long` does one round.
// npm run test:hostile -- --rounds 10 --seed 7
import { commandFile, fail, install, readFlags, runNode } from './run.mjs';

const values = readFlags({
  rounds: { type: 'string', default: '5' },
  seed: { type: 'string', default: String(1 + Math.floor(Math.random() * 2 ** 30)) },
});
for (const name of ['rounds', 'seed']) {
  if (!/^[1-9]\d{0,8}$|^1\d{9}$/.test(values[name]))
    fail(`--${name} must be a whole number from 1 on`);
}
install();
console.log(
  `Seed ${values.seed}; to repeat: npm run test:hostile -- --seed ${values.seed} --rounds ${values.rounds}`,
);
console.log(
  'what | p50 / p99 beside ordinary callers | beside the attack | failures | memory | descriptors',
);
process.env.UNWRITE_TEST_HOSTILE_SEED = values.seed;
process.env.UNWRITE_TEST_HOSTILE_ROUNDS = values.rounds;
// One after the other: each measures what a client beside it sees.
const args = ['run', '--no-file-parallelism', 'packages/server/test/hostile/'];
process.exit(runNode([commandFile('vitest'), ...args]) ? 0 : 1);
