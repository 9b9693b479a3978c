// Everything at once for minutes: what the server holds and how fast it answers must stay where it was, and at the
// end every request must have come to the one end that it was answered. `npm run test:long -- soak --minutes 60`
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { inParallel, makeProcessInstallation } from '../e2e/set-up/installation.ts';
import { expectedChecksums, fillShop, readChecksums, shopTarget } from '../e2e/set-up/shop.ts';
import { SQLITE } from '../e2e/set-up/shop-database.ts';
import { startListener } from '../helpers/http/listener.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { type Resources, resourcesOf } from './server-resources.ts';
import { startSoakLoad } from './soak-load.ts';

const MINUTES = Number(process.env.UNWRITE_TEST_SOAK_MINUTES ?? 1);
const isAsked = process.env.UNWRITE_TEST_SOAK_MINUTES !== undefined;
const SAMPLES = Math.max(30, 3 * MINUTES);
/** Caches and pools fill, and code is compiled. */
const WARM_UP = Math.floor(SAMPLES / 5);
const SIZE = {
  customers: Math.ceil(2000 * MINUTES),
  ordersEach: 2,
  heavy: 0,
  ordersOfTheHeavy: 0,
};
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Sample extends Resources {
  readonly p99: number;
}

/** By how much the last third may be above the first: a part of it, and so much more. */
const TOLERANCE: Record<keyof Sample, readonly [factor: number, more: number]> = {
  memoryMiB: [1.25, 48],
  heapMiB: [1.25, 12],
  descriptors: [1, 24],
  timers: [1, 16],
  p99: [3, 250],
};

function medianOf(samples: readonly Sample[], what: keyof Sample): number {
  const sorted = samples.map((sample) => sample[what]).sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return (
          readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid)
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}

it(`stays as it is for ${MINUTES} minutes of everything at once`, {
  timeout: MINUTES * 75_000 + 480_000,
}, async () => {
  const folder = makeTemporaryFolder();
  const shop = await SQLITE.open(folder.path);
  await fillShop(SQLITE, shop, SIZE);
  const webhook = await startListener();
  const exits = join(folder.path, 'exits');
  writeFileSync(exits, '');
  const config = [
    'cancellation_window: 1s\nmax_starts_per_day: off\nlog_level: warn\nnot_found_alarm: 5',
    `targets:\n${shopTarget(shop)}`,
    `  files: { connector: module, file: ${here('./soak-module.ts')}, timeout: 5s, options: { exits: ${exits} } }`,
    '  broken: { connector: http, url: "http://127.0.0.1:9/", allow_private: true, controllers: [beta] }',
  ].join('\n');
  const unwrite = await makeProcessInstallation(folder.path, config, {
    // As a URL: its blanks are encoded, where a path with one would be two options.
    NODE_OPTIONS: `--import=${import.meta.resolve('./report-resources.ts')}`,
    UNWRITE_ALARMS_WEBHOOK: `${webhook.url}/alarms`,
    UNWRITE_WEBHOOKS_ALLOW_PRIVATE: '127.0.0.1',
  });
  try {
    await unwrite.start();
    const client = (id: string) => unwrite.command('client', 'create', '--controller', id);
    const parties = {
      acme: await client('acme'),
      beta: await client('beta'),
      customers: SIZE.customers,
    };
    const load = await startSoakLoad(unwrite.server().url, parties);
    const samples: Sample[] = [];
    let [rotations, kills] = [0, 0];
    for (let n = 0; n < SAMPLES; n++) {
      await new Promise((resolve) => setTimeout(resolve, (MINUTES * 60_000) / SAMPLES));
      if (n % 10 === 5) {
        await unwrite.command('keys', 'rotate');
        rotations++;
      }
      if (n % 10 === 2) {
        for (const pid of childrenOf(unwrite.server().child.pid ?? 0)) {
          process.kill(pid, 'SIGKILL');
          kills++;
        }
      }
      const times = load.takeTimes().sort((a, b) => a - b);
      const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
      samples.push({ ...(await resourcesOf(unwrite.server())), p99 });
    }
    await load.stop();
    const exited = readFileSync(exits).length;

    const { created, cancelled, tooLate, unexpected, answers } = load.ledger;
    const third = Math.floor((SAMPLES - WARM_UP) / 3);
    const [first, last] = [samples.slice(WARM_UP, WARM_UP + third), samples.slice(-third)];
    const figures = Object.entries(TOLERANCE).map(([name, [factor, more]]) => {
      const what = name as keyof Sample;
      const [from, to] = [medianOf(first, what), medianOf(last, what)];
      return { what, from, to, isFlat: to <= from * factor + more };
    });
    if (isAsked) {
      for (const { what, from, to } of figures)
        process.stdout.write(
          `${what}: ${from.toFixed(1)} in the first third, ${to.toFixed(1)} in the last\n`,
        );
      process.stdout.write(
        `created ${created.size}, cancelled ${cancelled.size}, too late ${tooLate.size}, rotations ${rotations}, ` +
          `kills ${kills}, exits ${exited}, alarms ${webhook.asked.length}, answers ${JSON.stringify([...answers])}\n`,
      );
    }
    // Each by itself: what is wrong with one does not hide the others after an hour.
    expect.soft(unexpected).toEqual([]);
    expect.soft(figures.filter(({ isFlat }) => !isFlat)).toEqual([]);
    expect.soft(kills).toBeGreaterThan(0);
    expect.soft(exited).toBeGreaterThan(0);
    expect.soft(webhook.asked.length).toBeGreaterThan(0);
    expect.soft(webhook.asked.length).toBeLessThan(60);

    const going = [...created.keys()].filter((id) => !cancelled.has(id));
    const drained = performance.now();
    await unwrite.untilCompleted('acme', going, 300_000);
    if (isAsked)
      process.stdout.write(
        `all completed ${((performance.now() - drained) / 1000).toFixed(1)} s after the last\n`,
      );
    const statuses = await inParallel([...cancelled], 8, (id) => unwrite.status('acme', id));
    expect.soft(new Set(statuses)).toEqual(new Set(['cancelled']));
    const gone = going.flatMap((id) => created.get(id) ?? []);
    expect.soft(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, new Set(gone)));
    await until(
      async () => (await unwrite.command('audit', 'verify')) !== undefined,
      () => 'the audit log does not verify',
    );
    expect.soft(unwrite.output()).not.toMatch(/"level":"fatal"|^ {4}at /m);
  } finally {
    await unwrite.kill('SIGTERM');
    await webhook.close();
    await shop.close();
    folder.remove();
  }
});
