// npm run bench: Unwrite against its rivals, interleaved in one run, medians. Ratios come first:
// absolute figures say more about the machine.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureBurst } from './burst.ts';
import { median, TITLES } from './contest.ts';
import { measureErasing } from './erase.ts';
import { measureFairness } from './fairness.ts';
import { contestHttp } from './http.ts';
import { hasWrk } from './load.ts';
import { contestSignatures, TITLES as SIGNATURE_TITLES } from './signatures.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
    stored: { type: 'string', default: '0' },
    requests: { type: 'string', default: '100000' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const say = (line: string) => console.log(line);

function sayHow(titles: string): void {
  say(
    `Node.js ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${hasWrk ? 'wrk' : 'autocannon'}, ` +
      `${connections} connections, medians of ${rounds} rounds of ${seconds} s, interleaved\n`,
  );
  say(titles);
  say(titles.replaceAll(/[^|]+/g, ' --- ').trim());
}

async function contestCalls(): Promise<void> {
  sayHow(TITLES);
  await contestHttp({
    rounds: { rounds, seconds, connections },
    stored: Number(values.stored),
    say,
  });
}

async function contestSigning(): Promise<void> {
  say('\nAnswers signed with the key of a certificate, on SQLite\n');
  sayHow(SIGNATURE_TITLES);
  await contestSignatures({ rounds, seconds, connections }, say);
}

const SHAPES = {
  'five orders of two items each': { orders: 5, items: 2 },
  'ten orders each': { orders: 10, items: 0 },
};

async function contestErasing(): Promise<void> {
  say(
    `\nPeople erased from PostgreSQL in batches of 500, medians of ${rounds} rounds, interleaved\n`,
  );
  say('people with | rival | rate: ours ÷ rival | people a second: ours / rival');
  say('--- | --- | --- | ---');
  for (const [name, shape] of Object.entries(SHAPES)) {
    const { ours, bare, loop, costs } = await measureErasing(rounds, shape);
    const line = (rivalName: string, rival: number[]) =>
      [
        name,
        rivalName,
        (median(ours) / median(rival)).toFixed(2),
        `${median(ours).toFixed(0)} / ${median(rival).toFixed(0)}`,
      ].join(' | ');
    say(line('bare DELETEs by the same keys', bare));
    say(line('a plain pg loop', loop));
    say(`${name} | our processor time a person: ${median(costs).toFixed(0)} µs`);
  }
}

async function sayBurst(): Promise<void> {
  const burst = await measureBurst(Number(values.requests));
  const { requests, createdSeconds, completedSeconds, tables } = burst;
  const count = requests.toLocaleString('en');
  const rate = (seconds: number) => Math.round(requests / seconds).toLocaleString('en');
  say(
    `\nA burst of ${count} creates through two API nodes, two workers erasing from a PostgreSQL target\n`,
  );
  say('what | seconds | a second');
  say('--- | --- | ---');
  say(`all created | ${createdSeconds.toFixed(1)} | ${rate(createdSeconds)}`);
  const bytes = (which: readonly { readonly bytes: number }[]) =>
    Math.round(which.reduce((sum, it) => sum + it.bytes, 0) / requests);
  say(`all completed | ${completedSeconds.toFixed(1)} | ${rate(completedSeconds)}`);
  say(`\nThe store has ${bytes(tables)} bytes a request:`);
  for (const table of tables.slice(0, 8)) say(`${table.name} ${bytes([table])}`);
}

async function sayFairness(): Promise<void> {
  say(
    `\nOne controller floods by ${connections} connections; p99 of another, against the same load by sixteen controllers\n`,
  );
  say('calls of the other | beside the flood: ms | beside sixteen: ms | ratio');
  say('--- | --- | --- | ---');
  for (const { kind, besideFlood, besideMany } of await measureFairness(
    rounds,
    seconds,
    connections,
  )) {
    const ratio = besideFlood / besideMany;
    say(
      `${kind} | ${besideFlood.toFixed(1)} | ${besideMany.toFixed(1)} | ${ratio.toFixed(2)}${ratio < 3 ? '' : ' (above 3)'}`,
    );
  }
}

const parts = {
  http: contestCalls,
  signatures: contestSigning,
  erase: contestErasing,
  burst: sayBurst,
  fairness: sayFairness,
};
const { only } = values;
if (only !== undefined && !Object.hasOwn(parts, only)) {
  console.error(`unwrite: --only takes one of: ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}
for (const [name, run] of Object.entries(parts)) {
  if (only === undefined || only === name) await run();
}
