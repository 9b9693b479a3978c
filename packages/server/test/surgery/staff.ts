// The shop's own staff: changes rows beside Unwrite, and looks at all of them.
import type { CaseDatabase } from './databases.ts';
import type { Snapshot } from './declared-world.ts';
import type { Change, DatabaseName, Row, Table } from './generated-case.ts';
import { writeInserts, writeSchema, writeSnapshot, writeValue } from './write-ddl.ts';

type Query = (sql: string) => Promise<Record<string, unknown>[]>;

export async function lookAtAll(
  database: CaseDatabase,
  tables: readonly Table[],
  query: Query = database.query,
): Promise<Snapshot> {
  const found = new Map(tables.map(({ name }) => [name, new Map<string, Row>()]));
  for (const { name, fields } of await query(writeSnapshot(database.name, tables))) {
    const row: Row = typeof fields === 'string' ? JSON.parse(fields) : fields;
    const ofTable = found.get(String(name));
    // A trigger's own rows have no number.
    ofTable?.set(row.rid ?? `none ${ofTable.size}`, row);
  }
  return found;
}

/** Changes that a constraint refuses do not happen. */
export async function applyChanges(
  { query, name }: Pick<CaseDatabase, 'query' | 'name'>,
  tables: Table[],
  changes: readonly Change[],
): Promise<void> {
  for (const change of changes) {
    if (change.does === 'create') {
      const isThere = tables.some((table) => table.name === change.made.name);
      if (!isThere && (await create(query, name, change))) tables.push(change.made);
      continue;
    }
    const statement = writeChange(tables, change);
    if (statement !== undefined) await query(statement).catch(() => undefined);
  }
}

/** Whether there is such a table now. */
async function create(
  query: Query,
  database: DatabaseName,
  { made, row }: Extract<Change, { does: 'create' }>,
): Promise<boolean> {
  try {
    for (const one of writeSchema(database, [made], { [made.name]: [row] })) await query(one);
    return true;
  } catch {
    await query(`DROP TABLE IF EXISTS ${made.name}`);
    return false;
  }
}

export function writeChange(tables: readonly Table[], change: Change): string | undefined {
  if (change.does === 'create') {
    const { made, row } = change;
    return writeSchema('sqlite', [made], { [made.name]: [row] }).join('; ');
  }
  const table = tables.find(({ name }) => name === change.table);
  if (table === undefined) return undefined;
  switch (change.does) {
    case 'insert':
      return writeInserts(table, [change.row])[0];
    case 'delete':
      return `DELETE FROM ${table.name} WHERE rid = ${writeValue(change.rid)}`;
    case 'update': {
      const known = Object.entries(change.values).filter(([column]) =>
        table.columns.some(({ name }) => name === column),
      );
      if (known.length === 0) return undefined;
      const values = known.map(([column, value]) => `${column} = ${writeValue(value)}`);
      return `UPDATE ${table.name} SET ${values.join(', ')} WHERE rid = ${writeValue(change.rid)}`;
    }
  }
}
