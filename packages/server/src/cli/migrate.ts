import type { Command } from 'commander';
import { settingsOf, withJson, withSettings } from './options.ts';
import { printJson, printLines } from './output.ts';

export function addMigrateCommand(program: Command): void {
  const command = program
    .command('migrate')
    .description('Bring the store up to date; "serve" does this too')
    .option('--status', 'Only say what is applied and what waits');
  withJson(withSettings(command)).action(
    async ({ json, status }: { json?: boolean; status?: boolean }) => {
      const { config } = settingsOf(command);
      const { migrateStore, storeMigrationStatus } = await import('../compose-migrations.ts');
      if (status) {
        const { applied, waiting } = await storeMigrationStatus(config);
        if (json) printJson({ applied, waiting });
        else printLines(`applied: ${list(applied)}`, `waiting: ${list(waiting)}`);
        return;
      }
      const migrated = await migrateStore(config);
      if (json) printJson({ migrated });
      else
        printLines(
          migrated.length === 0 ? 'The store is up to date.' : `Applied: ${list(migrated)}`,
        );
    },
  );
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
