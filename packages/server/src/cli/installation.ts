import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Installation } from '../compose.ts';
import type { Config } from '../config/config.ts';
import { SQLITE, withoutPassword } from '../config/store-kind.ts';
import { StoreUnavailable } from '../domain/store-unavailable.ts';
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

/** Looking into the wrong folder must not make a store and a key there. */
async function requireSqliteStore({ dataDir }: Config): Promise<void> {
  const { databasePathIn } = await import('../store/sqlite/open-store.ts');
  if (existsSync(databasePathIn(dataDir))) return;
  throw new CommandFailure(
    `there is no store in ${dataDir}; check --data-dir (UNWRITE_DATA_DIR), or make one with "unwrite client create"`,
  );
}

async function requirePostgresStore(config: Config): Promise<void> {
  const { storeMigrationStatus } = await import('../compose-migrations.ts');
  const { applied } = await explainStore(config, () => storeMigrationStatus(config));
  if (applied.length > 0) return;
  throw new CommandFailure(
    `there is no store at ${withoutPassword(config.store)} in the schema ${config.storeSchema}; check store (UNWRITE_STORE) and store_schema, or make one with "unwrite migrate --yes"`,
  );
}

/** The same for commands that may be the first: the store is made where there is none. */
export async function withNewInstallation(command: Command, work: Work): Promise<void> {
  const { config } = settingsOf(command);
  const installation = await openOrExplain(config);
  try {
    await work(installation, config);
  } finally {
    await installation.close();
  }
}

export async function openOrExplain(config: Config): Promise<Installation> {
  const { openInstallation } = await import('../compose.ts');
  return explainStore(config, () => openInstallation(config));
}

/** What keeps the store from being opened, in words that say what to do. */
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

function explainSqlite({ dataDir }: Config, error: unknown): string | undefined {
  const { code, errstr } = error as { code?: unknown; errstr?: string };
  const isSystem = typeof code === 'string' && /^E[A-Z]+$/.test(code);
  if (errstr === undefined && !isSystem) return undefined;
  return `the store in ${dataDir} cannot be opened: ${errstr ?? code}; check --data-dir and who may read and write it`;
}

/** By the server's codes; its own words may quote data. */
const POSTGRES_PROBLEMS: Readonly<Record<string, string>> = {
  '28P01': 'it refuses this user or password',
  '28000': 'it refuses this user from here; look at its pg_hba.conf',
  '3D000': 'it has no database of that name; make one with createdb',
  '42501':
    'this user may not do that; it must own the schema, or have CREATE on the database for the first start',
};

function explainPostgres({ store, storeSchema }: Config, error: unknown): string | undefined {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  const where = `the store at ${withoutPassword(store)} (schema ${storeSchema})`;
  const known = typeof code === 'string' ? POSTGRES_PROBLEMS[code] : undefined;
  if (known !== undefined) return `${where} cannot be used: ${known}`;
  if (!(error instanceof StoreUnavailable)) return undefined;
  const reason = typeof cause?.code === 'string' ? cause.code : 'no connection';
  return `${where} cannot be reached: ${reason}; check store (UNWRITE_STORE), and that the server runs and lets this machine in`;
}
