import type { KeyRow } from '../../../domain/connector.ts';
import type { Overwrite } from '../../../domain/target.ts';
import type { ColumnShape } from '../catalogue.ts';
import type { Bind } from '../dialect.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { rowId } from '../find/found-rows.ts';
import { readKeys, selectKeys } from '../find/row-ways.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { selectRows, selectText } from '../select-rows.ts';
import type { SqlRow } from '../session.ts';
import { inChunks, runStatement, textAt } from '../statement.ts';
import { otherRows } from './delete-rows.ts';
import { keyPart } from './ordered-rows.ts';

/** What a hash looks like: such a value is left as it is, so that a rerun does not hash a hash. */
const HASHED = /^uw1:[A-Za-z0-9_-]{22}$/;

interface OverwrittenColumn {
  readonly column: ColumnShape;
  readonly overwrite: Overwrite;
}

type OverwrittenTable = Pick<
  PlannedTable,
  'name' | 'sqlName' | 'columns' | 'keySize' | 'action' | 'overwritten'
>;

/** Rows by key, as the statement answers them, and whether they have their new values. */
export async function* readOverwritten(
  { session, dialect }: Pick<FindContext, 'session' | 'dialect'>,
  table: OverwrittenTable,
  rows: readonly KeyRow[],
  suffix = '',
): AsyncGenerator<{ row: SqlRow; isDone: boolean }> {
  const columns = columnsOf(table);
  const hashed = columns.filter(({ overwrite }) => overwrite.kind === 'hash');
  const isSet = (bind: Bind): string => {
    const tests = columns
      .filter(({ overwrite }) => overwrite.kind !== 'hash')
      .map(({ column, overwrite }) => dialect.equals(column, constantOf(overwrite), bind));
    return tests.length === 0 ? '1' : `CASE WHEN ${tests.join(' AND ')} THEN 1 ELSE 0 END`;
  };
  const select = [
    ...selectKeys(dialect, table),
    ...hashed.map(({ column }, place) => selectText(dialect, column, `h${place}`)),
    { sql: isSet, name: 'd', isPlain: false },
  ];
  for (const chunk of inChunks(rows, sizeFor(dialect, table.keySize))) {
    const keys = chunk.map((values) => keyPart(table, values));
    const found = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(table.columns.slice(0, table.keySize), keys, bind);
      return `SELECT ${list} FROM ${table.sqlName} WHERE ${among}${suffix}`;
    });
    for (const row of found) {
      const isHashed = hashed.every((_, place) =>
        HASHED.test(textAt(row, `h${place}`) ?? NO_VALUE),
      );
      yield { row, isDone: Number(row.d) === 1 && isHashed };
    }
  }
}

/** NULL has nothing to hash, and stays. */
const NO_VALUE = `uw1:${'-'.repeat(22)}`;

/** Answers the ids of those that had their new values already. */
export async function overwriteRows(
  context: FindContext,
  table: PlannedTable,
  rows: readonly KeyRow[],
  hash: (value: string) => string,
): Promise<Set<string>> {
  const { session, dialect } = context;
  const keyColumns = table.columns.slice(0, table.keySize);
  const columns = columnsOf(table);
  const hashed = columns.filter(({ overwrite }) => overwrite.kind === 'hash');
  const open: { readonly key: KeyRow; readonly row: SqlRow }[] = [];
  const done = new Set<string>();
  for await (const { row, isDone } of readOverwritten(context, table, rows, dialect.forUpdate)) {
    const values = readKeys(table, row);
    if (isDone) done.add(rowId(table, values));
    else open.push({ key: keyPart(table, values), row });
  }
  if (done.size + open.length !== rows.length)
    throw otherRows(table, 'overwritten', rows.length, done.size + open.length);

  function newValue({ column, overwrite }: OverwrittenColumn, row: SqlRow, bind: Bind): string {
    const place = hashed.findIndex((other) => other.column === column);
    const before = textAt(row, `h${place}`);
    const isKept = before === null || HASHED.test(before);
    const value =
      overwrite.kind !== 'hash' ? constantOf(overwrite) : isKept ? before : hash(before);
    return `${dialect.quote(column.name)} = ${bind(dialect.assigned(value))}`;
  }

  // Hashes differ from row to row, so each row is a statement; constants are set for many at once.
  const size = hashed.length > 0 ? 1 : sizeFor(dialect, table.keySize);
  for (const chunk of inChunks(open, size)) {
    const { changes } = await runStatement(session, dialect, (bind) => {
      const row = chunk[0]?.row ?? {};
      const sets = columns.map((column) => newValue(column, row, bind)).join(', ');
      const among = dialect.amongKeys(
        keyColumns,
        chunk.map(({ key }) => key),
        bind,
      );
      return `UPDATE ${table.sqlName} SET ${sets} WHERE ${among}`;
    });
    if (changes !== chunk.length) throw otherRows(table, 'overwritten', chunk.length, changes);
  }
  return done;
}

function columnsOf(table: OverwrittenTable): OverwrittenColumn[] {
  const { action } = table;
  if (action.kind !== 'overwrite') return [];
  return [...table.overwritten].flatMap(([name, column]) => {
    const overwrite = action.columns[name];
    return overwrite === undefined ? [] : [{ column, overwrite }];
  });
}

function constantOf(overwrite: Overwrite): string | number | boolean | null {
  return overwrite.kind === 'value' ? overwrite.value : null;
}
