// `unwrite store compact`: afterwards nothing that was deleted is left in the file of an SQLite store.
import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { SQLITE } from '../../config/store-kind.ts';
import { CommandFailure, usageFailure } from '../shared/failure.ts';
import { settingsOf, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';

export function addStoreCompact(store: Command): void {
  const command = store
    .command('compact')
    .description(
      'Rewrite the file of an SQLite store, so that no remains of deleted data are in it',
    );
  withJson(withSettings(command)).action(async ({ json }: { json?: boolean }) => {
    const { config } = settingsOf(command);
    if (config.store !== SQLITE) {
      throw usageFailure('the store is PostgreSQL: its administrator runs VACUUM FULL there');
    }
    const { databasePathIn } = await import('../../store/sqlite/open-store.ts');
    const path = databasePathIn(config.dataDir);
    if (!existsSync(path)) {
      throw new CommandFailure(`there is no store in ${config.dataDir}; check --data-dir`);
    }
    const before = statSync(path).size;
    await compactFile(path);
    const shape = { bytes_before: before, bytes_after: statSync(path).size };
    if (json) printJson(shape);
    else
      printLines(
        `The file was rewritten: ${shape.bytes_before} bytes before, ${shape.bytes_after} now.`,
      );
  });
}

async function compactFile(path: string): Promise<void> {
  const { openDatabase } = await import('../../store/sqlite/open-database.ts');
  const { CompactBusy, compact } = await import('../../store/sqlite/compact.ts');
  const database = openDatabase(path, 'write');
  try {
    compact(database);
  } catch (error) {
    if (!(error instanceof CompactBusy)) throw error;
    throw new CommandFailure(
      'another process was reading, so remains may still be in the write-ahead log; run this again when the store is less busy',
    );
  } finally {
    database.close();
  }
}
