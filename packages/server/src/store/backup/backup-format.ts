// What is in a backup, line by line: the header; for each table its columns, then a line for each row; the manifest.

export const FORMAT = 1;

export type StoreKind = 'sqlite' | 'postgres';

/** How a value is written: a number, a text, bytes in base64, or what the database writes it as. */
export type ColumnKind = 'number' | 'text' | 'bytes' | 'other';

export interface BackedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[];
}

export type Value = string | number | Uint8Array | null;
/** The values of a row in the order of its table's columns. */
export type Row = readonly Value[];

export interface SchemaVersion {
  readonly number: number;
  readonly name: string;
  readonly digest: string;
}

export interface BackupHeader {
  readonly kind: StoreKind;
  /** The same in every backup of this store. */
  readonly storeId: string;
  /** When the snapshot was taken. */
  readonly time: number;
  /** The version of Unwrite that made it. */
  readonly version: string;
  readonly migrations: readonly SchemaVersion[];
  /** Ids, from which no key can be made: a restore needs these keys. */
  readonly masterKeyIds: readonly string[];
}

export interface TableDigest {
  readonly rows: number;
  readonly sha256: string;
}

export interface BackupManifest {
  readonly rows: number;
  readonly tables: Readonly<Record<string, TableDigest>>;
  /** The largest number that each table has ever given to a row. */
  readonly sequences: Readonly<Record<string, number>>;
}

export type BackupPart =
  | { readonly header: BackupHeader }
  | { readonly table: BackedTable; readonly rows: readonly Row[] }
  | { readonly manifest: BackupManifest };

/** The file is not a backup, or not a whole one. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';
}

export function rowLine(row: Row): string {
  return JSON.stringify(row.map(written));
}

function written(value: Value): string | number | null {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError('the store holds a number that Unwrite never writes');
  }
  if (!(value instanceof Uint8Array)) return value;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
}

export function rowOf({ columns }: BackedTable, line: string): Row {
  const values = JSON.parse(line) as (string | number | null)[];
  if (values.length !== columns.length) throw new BackupDamaged('a row has too few values');
  return values.map((value, i) =>
    typeof value === 'string' && columns[i]?.kind === 'bytes'
      ? Buffer.from(value, 'base64')
      : value,
  );
}
