// `unwrite doctor`: asks the checks that there are, and says what to do about what they find. Changes nothing at targets.
import { statfs } from 'node:fs/promises';
import { CertificateProblem } from '../../certificate/certificate-problem.ts';
import type { Config, LoadedConfig } from '../../config/config.ts';
import { SQLITE, withoutPassword } from '../../config/store-kind.ts';
import { certificateAlarm } from '../../domain/certificate/validity.ts';
import { NODE_ALIVE_MS } from '../../domain/store/node-ports.ts';
import type { Store } from '../../domain/store/store.ts';
import type { CheckLine } from '../../domain/target/connector.ts';
import { HOUR_MS } from '../../domain/time-units.ts';
import { TlsProblem } from '../../http/tls-problem.ts';
import { checkTarget } from '../../operator/target/check-target.ts';
import { newestBackup } from '../backup/backup-chore.ts';
import { certificateSource } from '../certificate.ts';
import { openConnectorsToLook } from '../connectors.ts';
import { openInstallation } from '../installation.ts';
import { storeMigrationStatus } from '../migrations.ts';
import { openTls } from '../tls.ts';

const GIB = 2 ** 30;
const READY_WITHIN_MS = 3000;

type Line = Pick<CheckLine, 'level' | 'subject' | 'message'>;

const line = (level: Line['level'], subject: string, message: string): Line => ({
  level,
  subject,
  message,
});

/** `explain`: says why a store cannot be opened. */
export async function* examine(
  { config, warnings, file }: LoadedConfig,
  explain: <T>(work: () => Promise<T>) => Promise<T>,
): AsyncGenerator<Line> {
  yield line('ok', 'settings', `valid (${file ?? 'no configuration file'})`);
  for (const warning of warnings) yield line('warning', 'settings', warning);
  yield* examineCertificate(config);
  yield* examineTls(config);
  yield* examineRoom(config);
  yield* examineStore(config, explain);
  yield* examineTargets(config);
  yield await examineServer(config);
}

function* examineCertificate(config: Config): Generator<Line> {
  try {
    const certificate = certificateSource(config)?.read();
    if (certificate === undefined) return;
    const alarm = certificateAlarm(certificate, Date.now());
    yield alarm === undefined
      ? line('ok', 'certificate', `valid until ${new Date(certificate.validTo).toISOString()}`)
      : line(alarm.percent === 100 ? 'problem' : 'warning', 'certificate', alarm.message);
  } catch (error) {
    if (!(error instanceof CertificateProblem)) throw error;
    yield line('problem', 'certificate', error.message);
  }
}

function* examineTls(config: Config): Generator<Line> {
  try {
    if (openTls(config) !== undefined) yield line('ok', 'TLS', 'the certificate and its key fit');
  } catch (error) {
    if (!(error instanceof TlsProblem)) throw error;
    yield line('problem', 'TLS', error.message);
  }
}

async function* examineRoom({ dataDir }: Config): AsyncGenerator<Line> {
  try {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    const free = `${((bavail * bsize) / GIB).toFixed(1)} GiB free in ${dataDir}`;
    const isLow = bavail * bsize < GIB || bavail < blocks / 20;
    yield isLow
      ? line('warning', 'disk', `${free}: make room; a full disk refuses requests`)
      : line('ok', 'disk', free);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    yield line('problem', 'disk', `${dataDir} cannot be read (${code}); check data_dir`);
  }
}

async function* examineStore(
  config: Config,
  explain: <T>(work: () => Promise<T>) => Promise<T>,
): AsyncGenerator<Line> {
  const where = config.store === SQLITE ? config.dataDir : withoutPassword(config.store);
  try {
    const { applied, waiting, newer } = await explain(() => storeMigrationStatus(config));
    if (applied.length === 0) {
      yield line(
        'problem',
        'store',
        `there is none at ${where}; check data_dir and store, or start "unwrite serve" to make one`,
      );
      return;
    }
    if (waiting.length > 0) {
      yield line(
        'problem',
        'store',
        `its tables are of an older version (${waiting.join(', ')} waits); run "unwrite migrate", or start this version of the server`,
      );
      return;
    }
    if (newer.length > 0) {
      yield line(
        'warning',
        'store',
        `a newer version has migrated it (${newer.join(', ')}): this one can work with it; finish the upgrade`,
      );
    }
    const installation = await explain(() => openInstallation(config));
    try {
      const { store, vaultKeys } = installation;
      await explain(() => store.ping());
      await explain(() => store.tryWrite());
      yield line(
        'ok',
        'store',
        `${where} can be read and written, and has the tables of this version`,
      );
      yield line('ok', 'keys', `the master key ${vaultKeys.ring.current.id} fits the store`);
      yield* examineClock(store);
      yield* examineNodes(store);
      yield* examineBackups(config, store);
    } finally {
      await installation.close();
    }
  } catch (error) {
    const { name, message } = error as Error;
    yield line('problem', name === 'MasterKeyProblem' ? 'keys' : 'store', message);
  }
}

async function* examineClock({ restores, clock }: Store): AsyncGenerator<Line> {
  const { headNo, openNo } = await restores.state();
  const head = headNo === null ? undefined : await restores.head(headNo);
  const now = clock();
  yield head !== undefined && head.time > now
    ? line(
        'problem',
        'clock',
        `it is behind: the newest head of the audit log is of ${new Date(head.time).toISOString()}; correct the clock of the machine, or of the database server`,
      )
    : line('ok', 'clock', new Date(now).toISOString());
  if (openNo !== null) {
    yield line(
      'problem',
      'restore',
      'a backup of the store was restored, and nothing starts: run "unwrite restored review", then "unwrite restored confirm"',
    );
  }
}

async function* examineNodes({ nodes, clock }: Store): AsyncGenerator<Line> {
  if (nodes === null) return;
  const alive = await nodes.nodes(clock() - NODE_ALIVE_MS);
  const versions = [...new Set(alive.map(({ version }) => version))].sort();
  if (versions.length > 1) {
    yield line(
      'warning',
      'nodes',
      `they run versions ${versions.join(' and ')}; finish the upgrade`,
    );
  } else if (alive.length === 0) {
    yield line('warning', 'nodes', 'none is running; start "unwrite serve"');
  } else yield line('ok', 'nodes', `${alive.length} running, version ${versions.join()}`);
}

async function* examineBackups(
  { backupEvery, backupFolder }: Config,
  { masterKeys, clock }: Store,
): AsyncGenerator<Line> {
  if (backupEvery === null || backupFolder === undefined) {
    yield line(
      'note',
      'backups',
      'backup.every is off: make them in another way, or set it (docs/backup.md)',
    );
    return;
  }
  try {
    const newest = await newestBackup(backupFolder, masterKeys, clock());
    const age = newest && clock() - newest.time;
    // Twice the interval: one may be under way.
    const isLate = age === undefined || age > 2 * backupEvery * 1000;
    const what =
      age === undefined ? 'none of this store' : `the newest is ${Math.floor(age / HOUR_MS)} h old`;
    yield isLate
      ? line(
          'problem',
          'backups',
          `${what} in ${backupFolder}; "unwrite alarms list --kind backup_failed" says why, and "unwrite backup create --to ${backupFolder}" makes one now`,
        )
      : line('ok', 'backups', `${what}, in ${backupFolder}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    yield line(
      'problem',
      'backups',
      `${backupFolder} cannot be read (${code}); make it, mount it, or correct backup.folder`,
    );
  }
}

async function* examineTargets({ targets, domain }: Config): AsyncGenerator<Line> {
  if (targets.length === 0) {
    yield line(
      'warning',
      'targets',
      'none is configured: every request waits for an operator (docs/targets.md)',
    );
    return;
  }
  const connectors = openConnectorsToLook(domain);
  try {
    for (const target of targets) {
      const { lines } = await checkTarget(target, connectors.connectorOf);
      const found = lines.filter(({ level }) => level === 'problem' || level === 'warning');
      const subject = `target ${target.name}`;
      if (found.length === 0) yield line('ok', subject, 'its check found nothing');
      for (const it of found) yield line(it.level, subject, `${it.subject}: ${it.message}`);
    }
  } finally {
    await connectors.close();
  }
}

/** As a load balancer asks it. */
async function examineServer({ host, port, tlsCertificate }: Config): Promise<Line> {
  const name = host.includes(':') ? `[${host}]` : host;
  const address = `http://${name === '0.0.0.0' ? '127.0.0.1' : name}:${port}/health/ready`;
  if (tlsCertificate !== undefined) {
    return line('note', 'server', 'it serves TLS: ask /health/ready at public_url');
  }
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(READY_WITHIN_MS) });
    if (answer.ok) return line('ok', 'server', `ready at ${address}`);
    const { reasons } = (await answer.json().catch(() => ({}))) as { reasons?: string[] };
    return reasons === undefined
      ? line('problem', 'server', `another program answers at ${address}; give a free port`)
      : line('problem', 'server', `not ready: ${reasons.join('; ')}`);
  } catch {
    return line(
      'warning',
      'server',
      `none answers at ${address}; start "unwrite serve", or check host and port`,
    );
  }
}
