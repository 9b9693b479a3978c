// Compares a table of both stores, reading each from the first row to the last.
import type { Database } from '../postgres/database.ts';
import { createRowDigest } from './canonical.ts';
import type { ChunkLimits, CopySource } from './open-source.ts';
import { type CopiedTable, type Key, keyNames, keyOf, type Row, type Value } from './tables.ts';

export interface Side {
  readonly rows: number;
  readonly digest: string;
}

export interface ComparedTable {
  readonly table: string;
  readonly source: Side;
  readonly target: Side;
  readonly isEqual: boolean;
}

export async function compareTable(
  source: CopySource,
  database: Database,
  table: CopiedTable,
  { limits, compared }: { readonly limits: ChunkLimits; readonly compared: (rows: number) => void },
): Promise<ComparedTable> {
  const here = createRowDigest();
  const there = createRowDigest();
  let hereAfter: Key | null = null;
  let thereAfter: Key | null = null;
  for (;;) {
    const wanted: Row[] = source.read(table, hereAfter, limits);
    // Read as many rows as from the source, so that the chunk has about the same size.
    const max = wanted.length || limits.rows;
    const reading: Promise<Row[]> = readTarget(database, table, thereAfter, max);
    here.add(wanted);
    const found = await reading;
    there.add(found);
    hereAfter = endOf(table, wanted) ?? hereAfter;
    thereAfter = endOf(table, found) ?? thereAfter;
    compared(wanted.length);
    if (wanted.length === 0 && found.length === 0) break;
  }
  const sides = { source: here.end(), target: there.end() };
  const isEqual =
    sides.source.rows === sides.target.rows && sides.source.digest === sides.target.digest;
  return { table: table.name, ...sides, isEqual };
}

function endOf(table: CopiedTable, rows: readonly Row[]): Key | undefined {
  const last = rows.at(-1);
  return last && keyOf(table, last);
}

async function readTarget(
  database: Database,
  table: CopiedTable,
  after: Key | null,
  max: number,
): Promise<Row[]> {
  const key = keyNames(table);
  const places = table.key.map(({ name }) => `:${name}`).join(', ');
  const where = after === null ? '' : `WHERE (${key}) > (${places})`;
  const names = table.columns.map(({ name }) => name);
  const rows = await database.all<Record<string, Value>>(
    `SELECT ${names.join(', ')} FROM @${table.name} ${where} ORDER BY ${key} LIMIT :max`,
    {
      ...Object.fromEntries(table.key.map(({ name }, i) => [name, after?.[i]])),
      max,
    },
  );
  return rows.map((row) => names.map((name) => row[name] ?? null));
}
