// The triggers of some tables of MySQL or MariaDB, with the tables that their texts write to.
import type { RowEvent } from '../../sql/catalogue.ts';
import type { FoundTrigger } from '../../sql/catalogue-follow.ts';
import { SqlFailure, type SqlRow, type SqlSession } from '../../sql/session.ts';
import { quoteMysqlName } from '../quote-name.ts';
import { type ReadTrigger, readTrigger } from './read-trigger.ts';

const among = (count: number, schema: string, table: string) =>
  Array(count).fill(`(${schema} = ? AND ${table} = ?)`).join(' OR ');
const triggers = (count: number) => `
  SELECT EVENT_OBJECT_SCHEMA AS tableSchema, EVENT_OBJECT_TABLE AS tableName,
         TRIGGER_NAME AS name, EVENT_MANIPULATION AS event, TRIGGER_SCHEMA AS triggerSchema
  FROM information_schema.TRIGGERS
  WHERE ${among(count, 'EVENT_OBJECT_SCHEMA', 'EVENT_OBJECT_TABLE')} ORDER BY TRIGGER_NAME`;
const baseTables = (count: number) => `
  SELECT TABLE_SCHEMA AS tableSchema, TABLE_NAME AS tableName FROM information_schema.TABLES
  WHERE TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')
    AND (${among(count, 'TABLE_SCHEMA', 'TABLE_NAME')})`;

export interface TableIds {
  idOf(schema: unknown, name: unknown): string;
  /** The name that an operator would write. */
  nameOf(schema: string, name: string): string;
}

/** Keyed by the id of the table; `pairs`: schema and name of each table, one after the other. */
export async function readTriggers(
  session: SqlSession,
  pairs: readonly string[],
  ids: TableIds,
): Promise<Map<string, FoundTrigger[]>> {
  const { rows } = await session.query(triggers(pairs.length / 2), pairs);
  const found: { readonly row: SqlRow; readonly text: ReadTrigger }[] = [];
  for (const row of rows) found.push({ row, text: await readText(session, row) });
  const named = found.flatMap(({ row, text }) =>
    [...text.reads, ...text.writes].map(({ schema, table }) => [
      schema ?? String(row.triggerSchema),
      table,
    ]),
  );
  const known = await readBaseTables(session, named.flat(), ids);
  return new Map(
    [...Map.groupBy(found, ({ row }) => ids.idOf(row.tableSchema, row.tableName))].map(
      ([id, own]) => [id, own.map(({ row, text }) => triggerOf(row, text, known, ids))],
    ),
  );
}

function triggerOf(
  row: SqlRow,
  { writes, sets, reads, calls, unread }: ReadTrigger,
  known: ReadonlySet<string>,
  { idOf, nameOf }: TableIds,
): FoundTrigger {
  const own = String(row.triggerSchema);
  // A view may call a function that writes, and writing to a view writes to another table.
  const other = [...reads, ...writes].find(
    ({ schema, table }) => !known.has(idOf(schema ?? own, table)),
  );
  const unseen =
    other &&
    `${nameOf(other.schema ?? own, other.table)} in it is not a table that the account can see`;
  return {
    name: String(row.name),
    events: eventsOf(String(row.event)),
    text: {
      calls,
      sets,
      unread: unread ?? unseen ?? null,
      writes: writes.map(({ schema, table, event, columns }) => ({
        tableId: idOf(schema ?? own, table),
        tableName: nameOf(schema ?? own, table),
        event,
        columns,
      })),
    },
  };
}

/** On newer servers a trigger may have several events. */
function eventsOf(written: string): RowEvent[] {
  const all: readonly RowEvent[] = ['insert', 'update', 'delete'];
  const named = all.filter((event) => written.toLowerCase().includes(event));
  return named.length === 0 ? [...all] : named;
}

/**
 * The statement that created it is what the server runs. ACTION_STATEMENT differs: its quoted texts have
 * lost their backslashes.
 */
async function readText(
  session: SqlSession,
  { triggerSchema, name }: SqlRow,
): Promise<ReadTrigger> {
  const show = `SHOW CREATE TRIGGER ${quoteMysqlName(triggerSchema)}.${quoteMysqlName(name)}`;
  try {
    const [row] = (await session.query(show)).rows;
    return readTrigger({
      text: String(row?.['SQL Original Statement']),
      sqlMode: String(row?.sql_mode),
      characterSet: String(row?.character_set_client),
    });
  } catch (error) {
    if (!(error instanceof SqlFailure) || error.kind !== 'other') throw error;
    const nothing = { writes: [], sets: [], reads: [], calls: [] };
    return { ...nothing, unread: 'the account may not read it (SHOW CREATE TRIGGER)' };
  }
}

async function readBaseTables(
  session: SqlSession,
  pairs: readonly string[],
  { idOf }: TableIds,
): Promise<Set<string>> {
  if (pairs.length === 0) return new Set();
  const { rows } = await session.query(baseTables(pairs.length / 2), pairs);
  return new Set(rows.map(({ tableSchema, tableName }) => idOf(tableSchema, tableName)));
}
