// Numbered SQL files, each applied once, in order. Both stores handle them in the same way, except for how they
// are run. The first line of a file says which versions of Unwrite may go on working with a store that has it: those that
// know the migration that it names, or a newer one. A release adds what its successor needs ("expand"), so that nodes of both
// can work beside each other; what no supported version uses any more is removed later ("contract").
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

export interface Migration extends AppliedMigration {
  readonly sql: string;
}

export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly digest: string;
  /** The newest migration that the oldest version knows which can work with this one. */
  readonly worksFrom: number;
}

export interface MigrationStatus {
  readonly applied: string[];
  readonly waiting: string[];
  /** Applied by a newer version, and this one can work with them. */
  readonly newer: string[];
}

/** This version cannot work with the store, or not now. */
export class MigrationMismatch extends Error {
  override readonly name = 'MigrationMismatch';
}

const FIRST_LINE = /^-- Works with versions that know (\d{4}) or newer\.\n/;

export function readMigrationsIn(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const sql = readFileSync(new URL(file, folder), 'utf8').replaceAll('\r\n', '\n');
      const digest = createHash('sha256').update(sql).digest('hex');
      const number = Number.parseInt(file, 10);
      const worksFrom = Number(FIRST_LINE.exec(sql)?.[1]);
      if (!(worksFrom <= number))
        throw new Error(`${file} must begin with a line as ${FIRST_LINE}`);
      return { number, name: file.replace(/\.sql$/, ''), sql, digest, worksFrom };
    });
}

/** The number of the newest one. */
export function versionOf(migrations: readonly AppliedMigration[]): number {
  return Math.max(0, ...migrations.map(({ number }) => number));
}

/** Throws if this version cannot work with a store that has these. */
export function waitingMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  const own = versionOf(migrations);
  const done = new Set<number>();
  for (const row of applied) {
    const migration = known.get(row.number);
    if (migration === undefined && (row.number < own || row.worksFrom > own)) {
      throw new MigrationMismatch(
        `this version of Unwrite is too old for the store, which has migration ${row.name}: start the version that made it, or a newer one`,
      );
    }
    if (migration !== undefined && migration.digest !== row.digest) {
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
  const own = versionOf(migrations);
  return {
    applied: names.filter((name) => !waiting.includes(name)),
    waiting,
    newer: applied.filter(({ number }) => number > own).map(({ name }) => name),
  };
}
