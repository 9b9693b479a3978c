import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Installation } from '../../app/installation.ts';
import type { Config } from '../../config/config.ts';
import { SQLITE, withoutPassword } from '../../config/store-kind.ts';
import type { PollIntervals } from '../../queue/poll-intervals.ts';
import { explainPostgres } from './explain-postgres.ts';
import { CommandFailure } from './failure.ts';
import { settingsOf } from './options.ts';

type Work = (installation: Installation, config: Config) => void | Promise<void>;

/** Runs a command against the store named by the settings, beside a running server or without one. */
export async function withInstallation(command: Command, work: Work): Promise<void> {
  const { config } = settingsOf(command);
  if (config.store === SQLITE) await requireSqliteStore(config);
  else await requirePostgresStore(config);
  await withNewInstallation(command, work);
}

/** A command run with the wrong folder must not create a store and a key there. */
async function requireSqliteStore({ dataDir }: Config): Promise<void> {
  const { databasePathIn, refuseRestoring } = await import('../../store/sqlite/open-store.ts');
  refuseRestoring(dataDir);
  if (existsSync(databasePathIn(dataDir))) return;
  throw new CommandFailure(
    `there is no store in ${dataDir}; check --data-dir (UNWRITE_DATA_DIR), or make one with "unwrite client create"`,
  );
}

async function requirePostgresStore(config: Config): Promise<void> {
  const { storeMigrationStatus } = await import('../../app/migrations.ts');
  const { applied } = await explainStore(config, () => storeMigrationStatus(config));
  if (applied.length > 0) return;
  throw new CommandFailure(
    `there is no store at ${withoutPassword(config.store)} in the schema ${config.storeSchema}; check store (UNWRITE_STORE) and store_schema, or make one with "unwrite migrate --yes"`,
  );
}

/** The same for commands that may be the first: creates the store if there is none. */
export async function withNewInstallation(command: Command, work: Work): Promise<void> {
  const { config } = settingsOf(command);
  const installation = await openOrExplain(config);
  try {
    await work(installation, config);
  } finally {
    await installation.close();
  }
}

export async function openOrExplain(
  config: Config,
  intervals?: PollIntervals,
): Promise<Installation> {
  const { openInstallation } = await import('../../app/installation.ts');
  return explainStore(config, () => openInstallation(config, intervals));
}

/** Explains why the store cannot be opened, and what to do. */
export async function explainStore<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const explained =
      config.store === SQLITE ? explainSqlite(config, error) : explainPostgres(config, error);
    if (explained === undefined) throw error;
    const failure = new CommandFailure(explained);
    failure.cause = error;
    throw failure;
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = [11, 26];

function explainSqlite({ dataDir }: Config, error: unknown): string | undefined {
  const { code, errcode, errstr } = error as { code?: unknown; errcode?: number; errstr?: string };
  const isSystem = typeof code === 'string' && /^E[A-Z]+$/.test(code);
  if (errstr === undefined && !isSystem) return undefined;
  if (DAMAGED.includes((errcode ?? 0) & 0xff)) {
    return `the store in ${dataDir} is damaged: ${errstr}; move it away and restore a backup (docs/backup.md)`;
  }
  return `the store in ${dataDir} cannot be opened: ${errstr ?? code}; check --data-dir, its permissions and the free space there`;
}
