import type { Command } from 'commander';
import type { Installation } from '../../app/installation.ts';
import type { Service } from '../../app/service.ts';
import type { Config, LoadedConfig } from '../../config/config.ts';
import type { SettingKey } from '../../config/settings.ts';
import { SQLITE, withoutPassword } from '../../config/store-kind.ts';
import { StoreUnavailable } from '../../domain/store/store-unavailable.ts';
import { POLL_INTERVALS, type PollIntervals } from '../../queue/poll-intervals.ts';
import { reasonOf } from '../../telemetry/http-log.ts';
import type { Log } from '../../telemetry/log.ts';
import { CommandFailure } from '../shared/failure.ts';
import { explainStore, openOrExplain } from '../shared/installation.ts';
import { settingsOf, systemUser, withSettings } from '../shared/options.ts';
import { printLines } from '../shared/output.ts';
import { ignoreReloads, untilToldToStop } from './stop-signals.ts';

const WAIT_FOR_STORE_MS = 30_000;
const WAIT_STEP_MS = 2000;
/** Longer than a connection may take: what else takes so long at a start is a migration. */
const MIGRATING_MS = 7000;

/** Settings that most installations use, shown in the help. */
const OF_THE_SERVICE: readonly SettingKey[] = [
  'host',
  'port',
  'publicUrl',
  'dataDir',
  'store',
  'cancellationWindow',
  'role',
  'sandbox',
  'demo',
  'trustProxy',
  'managementPort',
  'logLevel',
];

export function addServeCommand(program: Command): void {
  const serve = program.command('serve').description('Start the service');
  withSettings(serve, OF_THE_SERVICE).action(async () => {
    ignoreReloads();
    const loaded = settingsOf(serve);
    const { createLog } = await import('../../telemetry/log.ts');
    const log = await createLog(loaded.config.logLevel);
    for (const warning of loaded.warnings) log.warn(warning);
    await runService(loaded, log, {
      untilStopped: untilToldToStop,
      intervals: POLL_INTERVALS,
      readAgain: () => settingsOf(serve),
    });
  });
}

export interface ServiceLife {
  /** Calls `reload` for each signal that asks for it. */
  readonly untilStopped: (reload: () => void) => Promise<NodeJS.Signals | 'parent'>;
  readonly intervals: PollIntervals;
  /** Reads the settings as at start. */
  readonly readAgain: () => LoadedConfig;
}

type Loaded = Pick<LoadedConfig, 'config' | 'sources' | 'file'>;

export async function runService(loaded: Loaded, log: Log, life: ServiceLife): Promise<void> {
  if (loaded.config.store === SQLITE) await runAlone(loaded, log, life);
  else await serveUntilStopped(loaded, log, life);
  log.info('stopped');
}

async function runAlone(loaded: Loaded, log: Log, life: ServiceLife): Promise<void> {
  const { config } = loaded;
  const { takeServeLock, writePidFile } = await import('../../store/sqlite/serve-lock.ts');
  // Taken first: a second server must not migrate the store that the first one uses.
  const lock = lockOrExplain(config, takeServeLock);
  if (lock === undefined) {
    throw new CommandFailure(
      `another "unwrite serve" is using ${config.dataDir}; stop it, or give this one its own --data-dir`,
    );
  }
  const pidFile = writePidFile(config.dataDir);
  try {
    await serveUntilStopped(loaded, log, life);
  } finally {
    pidFile.remove();
    lock.release();
  }
}

function lockOrExplain<T>(config: Config, take: (dataDir: string) => T): T {
  try {
    return take(config.dataDir);
  } catch (error) {
    const { code, errstr } = error as { code?: string; errstr?: string };
    throw new CommandFailure(
      `the data folder ${config.dataDir} cannot be used: ${errstr ?? code}; check --data-dir and its permissions`,
    );
  }
}

async function serveUntilStopped(loaded: Loaded, log: Log, life: ServiceLife): Promise<void> {
  const { config } = loaded;
  const { installation, service } = await openWhenThere(loaded, log, life);
  try {
    const address = await listen(service, config);
    const where =
      config.store === SQLITE
        ? { data_dir: config.dataDir }
        : { store: withoutPassword(config.store), role: config.role };
    log.info({ address, public_url: config.publicUrl, ...where }, 'ready');
    if (config.demo) await import('./demo.ts').then(({ welcome }) => welcome(config, installation));
    await offerSignIn(config, installation);
    const told = life.untilStopped(() => reload(service, log));
    const how = await Promise.race([told, service.outdated]);
    if (how instanceof Error) throw how;
    log.info({ signal: how }, 'shutting down: finishing requests and batches that are running');
    service.drain();
    // After Ctrl-C a person is waiting; otherwise a load balancer needs time to see that we are not ready.
    if (how !== 'SIGINT') await delay(config.drainDelay * 1000);
  } finally {
    await service.close();
    await installation.close();
  }
}

function reload(service: Service, log: Log): void {
  service
    .reload('system')
    .catch((error) =>
      log.error({ reason: reasonOf(error) }, 'the settings were not reloaded; try again later'),
    );
}

/** Printed last, and only to a terminal: other output is kept, and the link grants full access. */
async function offerSignIn(config: Config, { store }: Installation): Promise<void> {
  const isOffered = config.operatorLinks !== 'off' && config.operatorSsoIssuer === undefined;
  if (!process.stdout.isTTY || !isOffered || config.role === 'worker') return;
  const { createOperatorSignIn, linkAddress } = await import('../../app/operator/sign-in.ts');
  const person = { name: systemUser(), role: 'admin' } as const;
  const link = await createOperatorSignIn(config, store).makeLink(
    person,
    `operator:${person.name}`,
  );
  printLines(
    'The console: this link signs you in as admin, once and within ten minutes.',
    'For another one: unwrite console link --role admin',
    '',
    `  ${linkAddress(config, link.code)}`,
    '',
  );
}

interface Opened {
  readonly installation: Installation;
  readonly service: Service;
}

/** Retries, because a database that starts together with its nodes may take longer. */
async function openWhenThere(loaded: Loaded, log: Log, life: ServiceLife): Promise<Opened> {
  for (const begun = performance.now(); ; await delay(WAIT_STEP_MS)) {
    const tell = setTimeout(
      () => log.warn('the store is being migrated, by this node or by another one: waiting'),
      MIGRATING_MS,
    );
    try {
      return await open(loaded, log, life);
    } catch (error) {
      const isAway = (error as Error).cause instanceof StoreUnavailable;
      if (!isAway || performance.now() - begun > WAIT_FOR_STORE_MS) throw error;
      log.warn(`${(error as Error).message}; trying again`);
    } finally {
      clearTimeout(tell);
    }
  }
}

async function open(loaded: Loaded, log: Log, life: ServiceLife): Promise<Opened> {
  const { config } = loaded;
  const { intervals, readAgain } = life;
  const { createService } = await import('../../app/service.ts');
  const installation = await openOrExplain(config, intervals);
  try {
    const make = () => createService(loaded, installation, log, intervals, readAgain);
    return { installation, service: await explainStore(config, make) };
  } catch (error) {
    await installation.close();
    throw error;
  }
}

async function listen(service: { listen(): Promise<string> }, config: Config): Promise<string> {
  try {
    return await service.listen();
  } catch (error) {
    const { code, port } = error as NodeJS.ErrnoException & { port?: number };
    const { prefix, where } = listenerAt(port, config);
    if (code === 'EADDRINUSE') {
      throw new CommandFailure(`${where} is in use already; give another ${prefix}port`);
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new CommandFailure(
        `cannot listen on ${where} (${code}); check ${prefix}host and ${prefix}port`,
      );
    }
    throw error;
  }
}

function listenerAt(port: number | undefined, config: Config): { prefix: string; where: string } {
  if (port !== undefined && port === config.managementPort) {
    return { prefix: '--management-', where: `${config.managementHost}:${port}` };
  }
  if (port !== undefined && port === config.operatorPort) {
    return { prefix: '--operator-', where: `${config.operatorHost}:${port}` };
  }
  return { prefix: '--', where: `${config.host}:${config.port}` };
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
