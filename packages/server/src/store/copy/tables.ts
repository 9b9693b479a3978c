// The tables to copy: every table of the SQLite store, from its own schema. Those of PostgreSQL have the same
// names and columns; additional ones are listed here.
import type { DatabaseSync } from 'node:sqlite';
import { storedJsonText, storedText } from '../stored-text.ts';

/** In this order: a table comes after those that it refers to. */
export const TABLE_NAMES = [
  'master_keys',
  'own_secrets',
  'proof_keys',
  'signing_keys',
  'controllers',
  'clients',
  'client_secrets',
  'operator_links',
  'operator_sessions',
  'operator_clients',
  'plans',
  'requests',
  'sealed_identities',
  'added_identities',
  'identity_digests',
  'legal_holds',
  'legal_hold_digests',
  'tasks',
  'batches',
  'erasing_transactions',
  'intents',
  'receipts',
  'refused_receipts',
  'audit_rows',
  'audit_heads',
  'audit_tiles',
  'audit_cuts',
  'audit_receivers',
  'circuits',
  'brakes',
  'restores',
  'restore_findings',
  'daily_counts',
  'daily_arrivals',
  'request_blocks',
  'completion_times',
  'statistics_progress',
  'watched_requests',
  'alarm_progress',
  'alarms',
] as const;

export type Value = string | number | Uint8Array | null;
/** The values of a row in the order of its table's columns. */
export type Row = readonly Value[];
/** The values of the key of a row. */
export type Key = readonly Value[];

export interface Column {
  readonly name: string;
  /** Type in PostgreSQL. */
  readonly type: 'bigint' | 'text' | 'bytea' | 'uuid';
  /** Expression that computes it in SQLite. */
  readonly from: string;
  /** How PostgreSQL stores a text; missing if the text must stay exactly the same. */
  readonly stored?: (text: string) => string;
}

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly key: readonly Column[];
}

const TYPES: Readonly<Record<string, Column['type']>> = {
  INTEGER: 'bigint',
  TEXT: 'text',
  BLOB: 'bytea',
};

/** Columns that only PostgreSQL has: SQLite compares these ids ignoring case instead. */
const MADE: Readonly<Record<string, readonly Column[]>> = {
  requests: [{ name: 'request_uuid', type: 'uuid', from: 'lower(subject_request_id)' }],
};

/** Tables whose contents are signed, or covered by a signature. */
const PROOF: readonly string[] = ['audit_rows', 'audit_heads', 'audit_cuts', 'receipts'];

export function readTables(source: DatabaseSync): CopiedTable[] {
  return TABLE_NAMES.map((name) => readTable(source, name));
}

function readTable(source: DatabaseSync, name: string): CopiedTable {
  const found = source.prepare('SELECT name, type, pk FROM pragma_table_info(?)').all(name);
  const columns = found.map((row) => ({ ...columnOf(name, row), place: Number(row.pk) }));
  const key = columns.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place);
  return { name, columns: [...columns, ...(MADE[name] ?? [])], key };
}

function columnOf(table: string, row: Record<string, unknown>): Column {
  const name = String(row.name);
  const type = TYPES[String(row.type)];
  if (type === undefined) throw new Error(`no type in PostgreSQL for ${row.type}`);
  const column = { name, type, from: name };
  if (type !== 'text' || PROOF.includes(table)) return column;
  return { ...column, stored: name === 'evidence' ? storedJsonText : storedText };
}

export function keyOf({ columns, key }: CopiedTable, row: Row): Key {
  return key.map(({ name }) => row[columns.findIndex((column) => column.name === name)] ?? null);
}

/** `(a, b)`: compared as a whole by both databases. */
export function keyNames({ key }: CopiedTable): string {
  return key.map(({ name }) => name).join(', ');
}
