// What the console's pages cost with very many requests in the store: the server's time for every call that they make,
// on SQLite and on PostgreSQL, and the reads that find no index. No worker runs beside it.
//   npx node bench/console/run.ts [--requests 1000000] [--open 0.05] [--store sqlite|postgres] [--times 7]
//     [--folder DIR: an SQLite store is kept there, and measured again without filling it]
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startGuarded } from '../../packages/server/test/helpers/databases/guarded-server.ts';
import { makeTemporaryFolder } from '../../packages/server/test/helpers/temporary-folder.ts';
import { everyCall } from './calls.ts';
import { type FilledStore, openFilledStore } from './filled-store.ts';

const LIMIT_MS = 300;
const SHOWN = 12;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    open: { type: 'string', default: '0.05' },
    store: { type: 'string' },
    folder: { type: 'string' },
    times: { type: 'string', default: '7' },
  },
});
const say = (line: string) => console.log(line);

interface Measured {
  readonly page: string;
  readonly path: string;
  readonly first: number;
  readonly median: number;
  /** What it takes where nothing else uses the machine. */
  readonly min: number;
  /** Of server and database together, the mean of all calls: what others do with the machine is not in it. */
  readonly processor: number;
}

const slowestOf = (calls: readonly Measured[]) =>
  calls.toSorted((a, b) => b.processor - a.processor);
const numbersOf = ({ processor, min, median, first }: Measured) =>
  [processor, min, median, first].map((it) => it.toFixed(0));

async function measure(filled: FilledStore): Promise<boolean> {
  const measured: Measured[] = [];
  for (const { page, path, body } of everyCall(filled.known)) {
    filled.recorder.during(path);
    const times: number[] = [];
    const first = await timeOf(path, body);
    const before = await filled.processorTime();
    for (let time = 0; time < Number(values.times); time++) times.push(await timeOf(path, body));
    const processor = ((await filled.processorTime()) - before) / times.length;
    const sorted = times.toSorted((a, b) => a - b);
    const [min = Number.NaN] = sorted;
    const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
    measured.push({ page, path, first, median, min, processor });
  }

  async function timeOf(path: string, body: object | undefined): Promise<number> {
    const begun = performance.now();
    const answer = await fetch(`${filled.url}/operator/v1${path}`, {
      headers: {
        authorization: `Bearer ${filled.token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return performance.now() - begun;
  }

  say('page | calls | slowest call | processor time: ms | min: ms | median: ms | first: ms');
  say('--- | --- | --- | --- | --- | --- | ---');
  for (const [page, calls] of Map.groupBy(measured, (it) => it.page)) {
    const [slowest] = slowestOf(calls);
    if (slowest !== undefined) {
      say([page, calls.length, slowest.path, ...numbersOf(slowest)].join(' | '));
    }
  }
  say('\nThe slowest calls of all:');
  for (const call of slowestOf(measured).slice(0, SHOWN)) {
    say(`${numbersOf(call).join(' / ')} ms ${call.path}`);
  }
  const scans = await filled.recorder.scans();
  say(`\nReads of a big table without an index: ${scans.length}`);
  for (const scan of scans) say(`  ${scan}`);
  return (
    scans.length === 0 &&
    measured.every(({ processor, min }) => Math.min(processor, min) < LIMIT_MS)
  );
}

const temporary = makeTemporaryFolder();
const folder = values.folder ?? temporary.path;
mkdirSync(folder, { recursive: true });
const fill = { requests: Number(values.requests), open: Number(values.open), now: Date.now() };
let isWithin = true;
for (const kind of ['sqlite', 'postgres'] as const) {
  if (values.store !== undefined && values.store !== kind) continue;
  const server = kind === 'postgres' ? await startGuarded('durable-postgres') : undefined;
  const begun = performance.now();
  const filled = await openFilledStore(folder, server?.url, fill, (what) =>
    console.error(`${kind}: ${what} after ${((performance.now() - begun) / 1000).toFixed(0)} s`),
  );
  try {
    say(`\n${kind}, ${fill.requests.toLocaleString('en')} requests, ${fill.open * 100} % open\n`);
    if (!(await measure(filled))) isWithin = false;
  } finally {
    await filled.close();
    await server?.close();
  }
}
temporary.remove();
say(isWithin ? `\nAll below ${LIMIT_MS} ms` : `\nNot all is below ${LIMIT_MS} ms with an index`);
process.exit(isWithin ? 0 : 1);
