import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import type { MigrationStatus } from '../../store/migrations.ts';
import { usageFailure } from '../shared/failure.ts';
import { explainStore } from '../shared/installation.ts';
import { settingsOf, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';

interface Options {
  readonly json?: boolean;
  readonly yes?: boolean;
}

export function addMigrateCommand(program: Command): void {
  const command = program
    .command('migrate')
    .description('Apply pending migrations to the store; "serve" does this too')
    .option('--yes', 'Do not ask for confirmation');
  withJson(withSettings(command)).action(async ({ json, yes }: Options) => {
    const { config } = settingsOf(command);
    const { migrateStore } = await import('../../app/migrations.ts');
    const { waiting } = await readStatus(config);
    if (waiting.length > 0 && !yes) await ask(waiting);
    const migrated = await explainStore(config, () => migrateStore(config));
    if (json) printJson({ migrated });
    else if (migrated.length === 0) printLines('The store is up to date.');
    else printLines(`Applied: ${list(migrated)}`);
  });

  const status = command
    .command('status')
    .description('Show which migrations are applied and which are pending; changes nothing');
  withJson(withSettings(status)).action(async ({ json }: Options) => {
    const found = await readStatus(settingsOf(status).config);
    if (json) printJson(found);
    else {
      const { applied, waiting, newer } = found;
      printLines(`applied: ${list(applied)}`, `waiting: ${list(waiting)}`);
      if (newer.length > 0) printLines(`applied by a newer version: ${list(newer)}`);
    }
  });
}

async function readStatus(config: Config): Promise<MigrationStatus> {
  const { storeMigrationStatus } = await import('../../app/migrations.ts');
  return explainStore(config, () => storeMigrationStatus(config));
}

async function ask(waiting: readonly string[]): Promise<void> {
  if (!process.stdin.isTTY) {
    throw usageFailure(`pending migrations: ${list(waiting)}; apply them with --yes`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`Apply ${list(waiting)}? [y/N] `);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw usageFailure('nothing was changed');
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
