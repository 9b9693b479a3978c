import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Installation } from '../compose.ts';
import type { Config } from '../config/config.ts';
import { SQLITE } from '../config/store-kind.ts';
import { CommandFailure } from './failure.ts';
import { settingsOf } from './options.ts';

type Work = (installation: Installation, config: Config) => void | Promise<void>;

/** Runs a command against the store named by the settings, beside a running server or without one. */
export async function withInstallation(command: Command, work: Work): Promise<void> {
  const { config } = settingsOf(command);
  if (config.store === SQLITE) await requireSqliteStore(config);
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
  try {
    return await openInstallation(config);
  } catch (error) {
    const { code, errstr } = error as { code?: unknown; errstr?: string };
    const isSystem = typeof code === 'string' && /^E[A-Z]+$/.test(code);
    if (errstr === undefined && !isSystem) throw error;
    throw new CommandFailure(
      `the store in ${config.dataDir} cannot be opened: ${errstr ?? code}; check --data-dir and who may read and write it`,
    );
  }
}
