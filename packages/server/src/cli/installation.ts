import type { Command } from 'commander';
import type { Installation } from '../compose.ts';
import type { Config } from '../config/config.ts';
import { settingsOf } from './options.ts';

/** Runs a command against the store named by the settings, beside a running server or without one. */
export async function withInstallation(
  command: Command,
  work: (installation: Installation, config: Config) => void | Promise<void>,
): Promise<void> {
  const { config } = settingsOf(command);
  const { openInstallation } = await import('../compose.ts');
  const installation = openInstallation(config);
  try {
    await work(installation, config);
  } finally {
    installation.close();
  }
}
