// A server process with an honest controller and a hostile one, and what is measured while it is attacked.
import { afterAll, beforeAll } from 'vitest';
import { makeProcessInstallation, type TestInstallation } from '../e2e/set-up/installation.ts';
import { call, getToken } from '../helpers/http/api.ts';
import { type Usage, usageOf, watchUsage } from '../helpers/servers/process-usage.ts';
import type { ServerProcess } from '../helpers/servers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { runSteadyClient, type SteadyClient, type SteadyMeasure } from './run-steady-client.ts';

const SET_UP_MS = 180_000;
const BUSY_MS = 1500;
const BUSY_CALLERS = 16;
/** Connections that clients on our side keep alive, and the server's own files. */
const SPARE_DESCRIPTORS = 100;

export interface Attacked {
  /** Beside so many ordinary callers as fast as they can: the server is busy, and nothing is odd. */
  readonly busy: SteadyMeasure;
  readonly during: SteadyMeasure;
  readonly before: Usage;
  readonly max: Usage;
}

export function useHostileWorld(config = '') {
  let folder: TemporaryFolder;
  let unwrite: TestInstallation<ServerProcess>;
  let client: SteadyClient;
  let malloryToken = '';

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    unwrite = await makeProcessInstallation(folder.path, `log_level: warn\n${config}`);
    await unwrite.start();
    const tokenOf = async (controllerId: string) =>
      getToken(await unwrite.command('client', 'create', '--controller', controllerId));
    client = await runSteadyClient(unwrite.server().url, await tokenOf('honest'));
    malloryToken = await tokenOf('mallory');
  }, SET_UP_MS);
  afterAll(async () => {
    client.stop();
    await unwrite.kill('SIGKILL');
    folder.remove();
  });

  const pid = () => unwrite.server().child.pid ?? Number.NaN;

  return {
    url: () => unwrite.server().url,
    /** Of the hostile controller. */
    token: () => malloryToken,
    unwrite: () => unwrite,
    output: () => unwrite.output(),

    /** With the honest client beside ordinary callers first, and then beside the attack. */
    async under(attack: () => Promise<void>): Promise<Attacked> {
      client.forget();
      await callAsUsual(unwrite.server().url, malloryToken);
      const busy = await client.measure();
      const before = usageOf(pid());
      const stopWatching = watchUsage(pid());
      try {
        await attack();
        return { busy, during: await client.measure(), before, max: stopWatching() };
      } finally {
        stopWatching();
      }
    },

    /** All connections of the attack are closed on our side by now. */
    async untilReleased(before: Usage): Promise<void> {
      const left = () => usageOf(pid()).descriptors - before.descriptors;
      await until(
        () => left() <= SPARE_DESCRIPTORS,
        () => `${left()} descriptors are left of the attack`,
        15_000,
      );
    },
  };
}

async function callAsUsual(url: string, token: string): Promise<void> {
  const end = performance.now() + BUSY_MS;
  const caller = async () => {
    while (performance.now() < end) await call(`${url}/discovery`, { token });
  };
  await Promise.all(Array.from({ length: BUSY_CALLERS }, caller));
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

/** A row for docs/RELIABILITY.md. */
export function rowOf(name: string, { busy, during, before, max }: Attacked): string {
  return [
    name,
    `${ms(busy.p50)} / ${ms(busy.p99)}`,
    `${ms(during.p50)} / ${ms(during.p99)}`,
    String(during.failures.length),
    `+${Math.round(max.memoryMiB - before.memoryMiB)} MiB`,
    `+${max.descriptors - before.descriptors}`,
  ].join(' | ');
}
