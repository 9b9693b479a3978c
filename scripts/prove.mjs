// npm run test:prove: one long run of every suite that docs/RELIABILITY.md has figures of, one after the other. A part
// that fails does not stop the others; the table at the end says what was run and how it ended.
// npm run test:prove -- --scale 0.01 to try it, npm run test:prove -- --only fuzz,soak for some of it
import { anySeed, checkNumbers, fail, install, readFlags, runNodeBeside } from './run.mjs';

/** With the numbers of the long run; those that `--scale` changes are in braces. */
const PARTS = {
  crash: 'crash.mjs --rounds {200} --races {10000}',
  'crash-postgres': 'crash.mjs --store postgres --rounds {200}',
  fuzz: 'fuzz.mjs --runs {420000} --seed SEED',
  hostile: 'hostile.mjs --rounds {5} --probes {100000} --seed SEED',
  leaks: 'leaks.mjs --people {10000}',
  soak: 'soak.mjs --minutes {60}',
  'soak-postgres': 'soak.mjs --minutes {60} --store postgres',
};
const NAMES = Object.keys(PARTS);
/** Of people: fewer are not enough for every case. */
const LEAST = { leaks: 20 };

const values = readFlags(
  `One long run of the suites behind docs/RELIABILITY.md: ${NAMES.join(', ')}. Five to eight hours on two cores.`,
  {
    scale: { type: 'string', default: '1', help: 'X: multiplies every count, 0.001 to 10' },
    seed: {
      type: 'string',
      help: 'N: what inputs and attacks are made from (without it: any, which is printed)',
    },
    only: { type: 'string', default: NAMES.join(','), help: 'NAMES: some parts, with commas' },
  },
);
const scale = Number(values.scale);
if (!(scale >= 0.001 && scale <= 10)) fail('--scale must be a number from 0.001 to 10');
checkNumbers(values, ['seed']);
const names = values.only.split(',');
const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) fail(`--only: ${unknown.join(', ')} is none of ${NAMES.join(', ')}`);
install();
const seed = values.seed ?? anySeed();

const results = [];
for (const name of names) {
  const command = PARTS[name]
    .replace('SEED', seed)
    .replace(/\{(\d+)\}/g, (_, count) => Math.max(LEAST[name] ?? 1, Math.round(count * scale)));
  console.log(`\n${name}: ${command}`);
  const started = performance.now();
  const [script, ...args] = command.split(' ');
  const onText = (text) => process.stdout.write(text);
  const { passed, output } = await runNodeBeside([`scripts/${script}`, ...args], { onText });
  const minutes = (performance.now() - started) / 60_000;
  const notTested = output.match(/^Not tested.*$/gm) ?? [];
  // Without a database a suite passes with nothing done.
  const hasServers = !notTested.some((line) => line.includes('server could be had'));
  results.push({ name, command, minutes, passed: passed && hasServers, notTested });
}

const widest = Math.max(...results.map(({ command }) => command.length));
console.log(`\nSeed ${seed}, scale ${values.scale}`);
for (const { name, command, minutes, passed } of results) {
  const took = `${minutes.toFixed(1)} min`.padStart(10);
  console.log(
    `${name.padEnd(15)} ${command.padEnd(widest)} ${took}  ${passed ? 'passed' : 'FAILED'}`,
  );
}
for (const line of new Set(results.flatMap(({ notTested }) => notTested))) console.log(line);
process.exit(results.every(({ passed }) => passed) ? 0 : 1);
