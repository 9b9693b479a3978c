import type { EraseOrder, KeyRow } from '../../../domain/connector.ts';
import type { Overwrite } from '../../../domain/target.ts';
import type { ColumnShape } from '../catalogue.ts';
import type { Bind, Selected } from '../dialect.ts';
import { type FindContext, keyOf, keySelect, sizeFor } from '../find/find-rows.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { selectRows, selectText } from '../select-rows.ts';
import type { SqlRow } from '../session.ts';
import { inChunks, runStatement, textAt } from '../statement.ts';
import type { Belonging } from './belongs.ts';
import { orderOf, unordered } from './delete-rows.ts';
import { keyPart, type OrderedRow } from './ordered-rows.ts';

/** What a hash looks like: such a value is left as it is, so that a rerun does not hash a hash. */
const HASHED = /^uw1:[A-Za-z0-9_-]{22}$/;

interface OverwrittenColumn {
  readonly column: ColumnShape;
  readonly overwrite: Overwrite;
}

/** Rows by key, as the statement answers them, and whether they have their new values. */
export async function* readOverwritten(
  { session, dialect }: FindContext,
  table: PlannedTable,
  keys: readonly KeyRow[],
  more: { readonly select: readonly Selected[]; readonly suffix: string },
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
    ...keySelect(dialect, table),
    ...more.select,
    ...hashed.map(({ column }, place) => selectText(dialect, column, `h${place}`)),
    { sql: isSet, name: 'd', isPlain: false },
  ];
  for (const chunk of inChunks(keys, sizeFor(dialect, table.keySize))) {
    const rows = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(table.columns.slice(0, table.keySize), chunk, bind);
      return `SELECT ${list} FROM ${table.sqlName} WHERE ${among}${more.suffix}`;
    });
    for (const row of rows) {
      const isHashed = hashed.every((_, place) =>
        HASHED.test(textAt(row, `h${place}`) ?? NO_VALUE),
      );
      yield { row, isDone: Number(row.d) === 1 && isHashed };
    }
  }
}

/** NULL has nothing to hash, and stays. */
const NO_VALUE = `uw1:${'-'.repeat(22)}`;

export async function overwriteRows(
  context: FindContext,
  table: PlannedTable,
  ordered: ReadonlyMap<string, OrderedRow>,
  orders: readonly EraseOrder[],
  belonging: Belonging,
  hash: (value: string) => string,
): Promise<number[]> {
  const { session, dialect } = context;
  const counts = orders.map(() => 0);
  const keyColumns = table.columns.slice(0, table.keySize);
  const columns = columnsOf(table);
  const hashed = columns.filter(({ overwrite }) => overwrite.kind === 'hash');
  const open: { readonly key: KeyRow; readonly row: SqlRow }[] = [];

  const keys = [...ordered.values()].map(({ values }) => keyPart(table, values));
  const more = { select: belonging.select, suffix: dialect.forUpdate };
  for await (const { row, isDone } of readOverwritten(context, table, keys, more)) {
    if (isDone) continue;
    const place = orderOf(table, row, ordered, orders, belonging);
    counts[place] = (counts[place] ?? 0) + 1;
    open.push({ key: keyPart(table, keyOf(table, row)), row });
  }

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
    if (changes !== chunk.length) throw unordered(table);
  }
  return counts;
}

function columnsOf(table: PlannedTable): OverwrittenColumn[] {
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
