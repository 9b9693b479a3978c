// Numbered SQL files, each applied once, in order. Both stores handle them in the same way, except for how they
// are run.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly digest: string;
}

export interface MigrationStatus {
  readonly applied: string[];
  readonly waiting: string[];
}

export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly digest: string;
}

/** A migration in the store that this version does not know, or knows with another content. */
export class MigrationMismatch extends Error {
  override readonly name = 'MigrationMismatch';
}

export function readMigrationsIn(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const sql = readFileSync(new URL(file, folder), 'utf8').replaceAll('\r\n', '\n');
      const digest = createHash('sha256').update(sql).digest('hex');
      return { number: Number.parseInt(file, 10), name: file.replace(/\.sql$/, ''), sql, digest };
    });
}

export function waitingMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  const done = new Set<number>();
  for (const row of applied) {
    const migration = known.get(row.number);
    if (migration === undefined) {
      throw new MigrationMismatch(
        `the store has migration ${row.name}, which this version of Unwrite does not know; use the version that made it, or a newer one`,
      );
    }
    if (migration.digest !== row.digest) {
      throw new MigrationMismatch(`migration ${row.name} was changed after it was applied`);
    }
    done.add(row.number);
  }
  return migrations.filter(({ number }) => !done.has(number));
}

export function statusOf(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): MigrationStatus {
  const waiting = waitingMigrations(migrations, applied).map(({ name }) => name);
  const names = migrations.map(({ name }) => name);
  return { applied: names.filter((name) => !waiting.includes(name)), waiting };
}
