// Asks a server that was started with report-resources.ts, and the system, what it holds.
import { type Usage, usageOf } from '../helpers/servers/process-usage.ts';
import type { ServerProcess } from '../helpers/servers/server-process.ts';
import { until } from '../helpers/until.ts';

export const RESOURCES = 'soak-resources ';

export interface Resources extends Usage {
  readonly timers: number;
  /** Of the main thread, after a collection. */
  readonly heapMiB: number;
}

const linesOf = (server: ServerProcess) =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith(RESOURCES));

export async function resourcesOf(server: ServerProcess): Promise<Resources> {
  const known = linesOf(server).length;
  server.child.kill('SIGUSR2');
  await until(
    () => linesOf(server).length > known,
    () => 'the server did not report',
  );
  const line = linesOf(server).at(-1) ?? '';
  return { ...usageOf(server.child.pid ?? 0), ...JSON.parse(line.slice(RESOURCES.length)) };
}
