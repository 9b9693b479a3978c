// The triggers of some tables of MySQL or MariaDB.
import type { RowEvent, Trigger } from '../sql/catalogue.ts';
import type { SqlRow, SqlSession } from '../sql/session.ts';

const among = (count: number) =>
  Array(count).fill('(EVENT_OBJECT_SCHEMA = ? AND EVENT_OBJECT_TABLE = ?)').join(' OR ');
const triggers = (count: number) => `
  SELECT EVENT_OBJECT_SCHEMA AS tableSchema, EVENT_OBJECT_TABLE AS tableName,
         TRIGGER_NAME AS name, EVENT_MANIPULATION AS event
  FROM information_schema.TRIGGERS WHERE ${among(count)} ORDER BY TRIGGER_NAME`;

/** Keyed by the id of the table; `pairs`: schema and name of each table, one after the other. */
export async function readTriggers(
  session: SqlSession,
  pairs: readonly string[],
  tableId: (row: SqlRow) => string,
): Promise<Map<string, Trigger[]>> {
  const { rows } = await session.query(triggers(pairs.length / 2), pairs);
  return new Map(
    [...Map.groupBy(rows, tableId)].map(([id, own]) => [
      id,
      own.map(({ name, event }) => ({ name: String(name), events: eventsOf(String(event)) })),
    ]),
  );
}

/** On newer servers a trigger may have several events. */
function eventsOf(written: string): RowEvent[] {
  const all: readonly RowEvent[] = ['insert', 'update', 'delete'];
  const named = all.filter((event) => written.toLowerCase().includes(event));
  return named.length === 0 ? [...all] : named;
}
