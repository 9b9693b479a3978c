// npm run test:hostile: raw HTTP, slow callers, floods, forged tokens, probes of other controllers and private addresses
// against a server process, with an honest client measured beside them. `npm run test:long` does one round.
// npm run test:hostile -- --rounds 10 --seed 7
import { anySeed, checkNumbers, commandFile, install, readFlags, runNode } from './run.mjs';

const values = readFlags('Attacks a server process, and measures an honest client beside it.', {
  rounds: {
    type: 'string',
    default: '5',
    help: 'N: two seconds of each flood, 360 odd requests and 400 private addresses a round',
  },
  probes: {
    type: 'string',
    help: "N: probes of other controllers' requests, and as many forged tokens (without it: 400 a round)",
  },
  seed: {
    type: 'string',
    help: 'N: what the attacks are put together from (without it: any, which is printed)',
  },
});
checkNumbers(values, ['rounds', 'probes', 'seed'], { max: 2 ** 31 - 1 });
install();
const seed = values.seed ?? anySeed();
const probes = values.probes ?? String(400 * Number(values.rounds));
console.log(
  `Seed ${seed}; to repeat: npm run test:hostile -- --seed ${seed} --rounds ${values.rounds} --probes ${probes}`,
);
console.log(
  'what | p50 / p99 beside ordinary callers | beside the attack | failures | memory | descriptors',
);
process.env.UNWRITE_TEST_HOSTILE_SEED = seed;
process.env.UNWRITE_TEST_HOSTILE_ROUNDS = values.rounds;
process.env.UNWRITE_TEST_HOSTILE_PROBES = probes;
// One after the other: each measures what a client beside it sees.
const args = ['run', '--no-file-parallelism', 'packages/server/test/hostile/'];
process.exit(runNode([commandFile('vitest'), ...args]) ? 0 : 1);
