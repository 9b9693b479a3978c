import { NotPossible } from '../../domain/task/operator-ports.ts';
import { type Migration, MigrationMismatch, waitingMigrations } from '../migrations.ts';
import type { Database } from '../sql.ts';
import {
  type BackedTable,
  BackupDamaged,
  type BackupHeader,
  type BackupManifest,
  type BackupPart,
  type Row,
  type SchemaVersion,
  type StoreKind,
} from './backup-format.ts';
import type { ReportRows } from './write-backup.ts';

/** Where a backup is restored into. Until `finish` no server starts there, and `begin` may be called again. */
export interface RestorePlace {
  readonly kind: StoreKind;
  /** Throws unless it is empty. Makes the tables as they were in the version that made the backup. */
  begin(header: BackupHeader): Promise<void>;
  write(table: BackedTable, rows: readonly Row[]): Promise<void>;
  /** All rows are there: numbers continue, and newer migrations are applied. */
  end(manifest: BackupManifest): Promise<Database>;
  finish(): Promise<void>;
  close(): Promise<void>;
}

export interface RestoredBackup {
  readonly header: BackupHeader;
  readonly manifest: BackupManifest;
}

/** `check` may refuse before anything is written. `complete` is called with the restored store, before it can be used. */
export async function restoreInto(
  place: RestorePlace,
  parts: AsyncIterable<BackupPart>,
  {
    check,
    complete,
    report,
  }: {
    readonly check: (header: BackupHeader) => Promise<void>;
    readonly complete: (database: Database, header: BackupHeader) => Promise<void>;
    readonly report: ReportRows;
  },
): Promise<RestoredBackup> {
  let header: BackupHeader | undefined;
  let manifest: BackupManifest | undefined;
  let done = 0;
  for await (const part of parts) {
    if ('header' in part) {
      ({ header } = part);
      requireSameKind(place, header);
      await check(header);
      await place.begin(header);
    } else if ('manifest' in part) ({ manifest } = part);
    else {
      await place.write(part.table, part.rows);
      done += part.rows.length;
      report(part.table.name, done);
    }
  }
  if (header === undefined || manifest === undefined) throw new BackupDamaged('it is empty');
  await complete(await place.end(manifest), header);
  await place.finish();
  return { header, manifest };
}

function requireSameKind(place: RestorePlace, { kind }: BackupHeader): void {
  if (kind === place.kind) return;
  throw new NotPossible(
    kind === 'sqlite'
      ? 'the backup is of a store on SQLite, and the setting store is PostgreSQL: restore it into an empty folder with --store sqlite --data-dir, then copy that with "unwrite store copy"'
      : 'the backup is of a store on PostgreSQL, and the setting store is sqlite: set store (UNWRITE_STORE) to postgres://… and store_schema to the name of an empty schema',
  );
}

/** Names from the backup become part of statements: only those of our own tables may. */
export function requireColumns(table: BackedTable, own: readonly string[]): void {
  if (own.length > 0 && table.columns.every(({ name }) => own.includes(name))) return;
  throw new BackupDamaged(`its table ${JSON.stringify(table.name)} is not one of this version`);
}

/** Those of the version that made the backup. This version must know all of them, as it writes what is in their columns. */
export function knownMigrations(
  own: readonly Migration[],
  backed: readonly SchemaVersion[],
): Migration[] {
  const unknown = backed.find(({ number }) => !own.some((it) => it.number === number));
  if (unknown !== undefined) {
    throw new MigrationMismatch(
      `the backup is of a newer version of Unwrite, which made migration ${unknown.name}: restore it with that version, or a newer one`,
    );
  }
  const newer = waitingMigrations(
    own,
    backed.map((it) => ({ ...it, worksFrom: it.number })),
  );
  return own.filter((it) => !newer.includes(it));
}
