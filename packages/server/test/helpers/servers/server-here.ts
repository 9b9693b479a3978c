// `unwrite serve` in this process, with everything that it has: its lock, its threads, its log, HTTP on
// loopback. It looks for work more often than for an operator.
import { runService, type ServiceLife } from '../../../src/cli/server/serve.ts';
import { RELOAD_SIGNAL } from '../../../src/cli/server/stop-signals.ts';
import { type Config, loadConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { environmentOf, type ProcessOptions, type TestServer } from './server-process.ts';
import { SHORT_INTERVALS } from './short-intervals.ts';

/** Ready. `changes` are for what no operator can set, such as to try again after a tenth of a second. */
export async function startServerHere(
  options: ProcessOptions,
  changes: Partial<Config> = {},
): Promise<TestServer> {
  const flags = { ...settingsIn(options.flags ?? []), drainDelay: '0s' };
  const read = () => {
    const loaded = loadConfig(flags, environmentOf(options), options.dataDir);
    return { ...loaded, config: { ...loaded.config, ...changes } };
  };
  const loaded = read();
  const { config } = loaded;
  let output = '';
  const ready = Promise.withResolvers<void>();
  const log = await createLog(config.logLevel, {
    write(line) {
      output += line;
      if (line.includes('"msg":"ready"')) ready.resolve();
    },
  });
  const stop = Promise.withResolvers<NodeJS.Signals>();
  const life: ServiceLife = {
    untilStopped(reload) {
      process.on(RELOAD_SIGNAL, reload);
      return stop.promise.finally(() => process.off(RELOAD_SIGNAL, reload));
    },
    intervals: SHORT_INTERVALS,
    readAgain: read,
  };
  const ended = runService(loaded, log, life);
  await Promise.race([ready.promise, ended]);
  return {
    url: `http://127.0.0.1:${config.port}`,
    output: () => output,
    async kill(signal) {
      if (signal === 'SIGKILL') throw new Error('only a process of its own can be killed');
      stop.resolve(signal);
      await ended;
      return 0;
    },
  };
}

/** `--token-lifetime 60s` as `{ tokenLifetime: '60s' }`. */
function settingsIn(flags: readonly string[]): Record<string, string> {
  const settings: Record<string, string> = {};
  for (let n = 0; n < flags.length; n += 2) {
    const name = String(flags[n]).slice(2);
    const key = name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    settings[key] = String(flags[n + 1]);
  }
  return settings;
}
