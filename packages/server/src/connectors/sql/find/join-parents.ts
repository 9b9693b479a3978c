// Reads rows with the parents that the database itself finds by their foreign keys.
import type { KeyRow } from '../../../domain/target/connector.ts';
import type { ColumnShape } from '../catalogue.ts';
import type { Bind, Selected } from '../dialect.ts';
import type { ComparedColumns } from '../plan/plan.ts';
import { selectList } from '../select-rows.ts';
import type { SqlRow } from '../session.ts';
import { columnNames, runStatement, textAt } from '../statement.ts';
import type { FindContext } from './find-context.ts';
import { amongReferences, equalSql } from './reference-keys.ts';

export interface JoinedRow {
  readonly row: SqlRow;
  /** In the parent's spelling. */
  readonly reference: KeyRow;
}

export interface JoinedSearch {
  readonly via: ComparedColumns;
  /** The names of both tables, as statements write them. */
  readonly child: string;
  readonly parent: string;
  readonly select: readonly Selected[];
  /** The condition before that on the child's rows, and the end of the statement. */
  readonly where: (bind: Bind) => string;
  readonly tail: string;
}

/** `references`: values of the parents, in their spelling. */
export async function joinParents(
  { session, dialect }: Pick<FindContext, 'session' | 'dialect'>,
  { via, child, parent, select, where, tail }: JoinedSearch,
  references: readonly KeyRow[],
): Promise<JoinedRow[]> {
  const raw = (columns: readonly ColumnShape[]) =>
    columns.map(({ name }, place) => `${dialect.quote(name)} AS j${place}`).join(', ');
  const on = via.columns.map((_, place) =>
    equalSql(dialect, via, place, `p.j${place}`, `c.j${place}`),
  );
  const names = columnNames('f', via.columns.length);
  const { rows } = await runStatement(session, dialect, (bind) => {
    const list = selectList(select, bind);
    // Values are bound in the order in which they are written.
    const own = where(bind);
    const among = amongReferences(dialect, via, references, bind);
    const children = `SELECT ${list}, ${raw(via.columns)} FROM ${child} WHERE ${own}${among}`;
    const keys = via.parentColumns.map(
      (column, place) => `${dialect.readKey(column)} AS ${names[place]}`,
    );
    const named = dialect.amongKeys(via.parentColumns, references, bind);
    const parents = `SELECT ${keys.join(', ')}, ${raw(via.parentColumns)} FROM ${parent} WHERE ${named}`;
    const columns = [...select.map(({ name }) => `c.${name}`), ...names.map((name) => `p.${name}`)];
    return `SELECT ${columns.join(', ')} FROM (${children}) c JOIN (${parents}) p ON ${on.join(' AND ')}${tail}`;
  });
  return rows.map((row) => ({ row, reference: names.map((name) => textAt(row, name)) }));
}
