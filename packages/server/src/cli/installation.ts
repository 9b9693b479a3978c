import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Installation } from '../compose.ts';
import type { Config } from '../config/config.ts';
import { CommandFailure } from './failure.ts';
import { settingsOf } from './options.ts';

type Work = (installation: Installation, config: Config) => void | Promise<void>;

/** Runs a command against the store named by the settings, beside a running server or without one. */
export async function withInstallation(command: Command, work: Work): Promise<void> {
  const { config } = settingsOf(command);
  const { databasePathIn } = await import('../store/sqlite/open-store.ts');
  // Looking into the wrong folder must not make a store and a key there.
  if (!existsSync(databasePathIn(config.dataDir))) {
    throw new CommandFailure(
      `there is no store in ${config.dataDir}; check --data-dir (UNWRITE_DATA_DIR), or make one with "unwrite client create"`,
    );
  }
  await withNewInstallation(command, work);
}

/** The same for commands that may be the first: the store is made where there is none. */
export async function withNewInstallation(command: Command, work: Work): Promise<void> {
  const { config } = settingsOf(command);
  const installation = await openOrExplain(config);
  try {
    await work(installation, config);
  } finally {
    installation.close();
  }
}

export async function openOrExplain(config: Config): Promise<Installation> {
  const { openInstallation } = await import('../compose.ts');
  try {
    return openInstallation(config);
  } catch (error) {
    const { code, errstr } = error as { code?: unknown; errstr?: string };
    const isSystem = typeof code === 'string' && /^E[A-Z]+$/.test(code);
    if (errstr === undefined && !isSystem) throw error;
    throw new CommandFailure(
      `the store in ${config.dataDir} cannot be opened: ${errstr ?? code}; check --data-dir and who may read and write it`,
    );
  }
}
