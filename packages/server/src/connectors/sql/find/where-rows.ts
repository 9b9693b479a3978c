// A table entry ignores rows outside its `where`: the statement leaves out most of them, this code decides.
import type { Bind, Selected, SqlDialect } from '../dialect.ts';
import { fitsWhere, type PlannedWhere, whereColumn } from '../plan/where-values.ts';
import { isPlain } from '../select-rows.ts';
import type { SqlRow } from '../session.ts';
import { textAt } from '../statement.ts';

interface WithWhere {
  readonly where: readonly PlannedWhere[];
}

export function selectWhere(dialect: SqlDialect, { where }: WithWhere): Selected[] {
  return where.map((one, place) => ({
    sql: readWhereText(dialect, one),
    name: `x${place}`,
    isPlain: isPlain(one.column),
  }));
}

/**
 * The value as a text; NULL too if there is no row to which the own column refers. The names of the inner statement
 * hide no column of the outer one.
 */
export function readWhereText(dialect: SqlDialect, { column, through }: PlannedWhere): string {
  const text = dialect.readText(column);
  if (through === undefined) return text;
  const { own, sqlName, key } = through;
  return `(SELECT unwrite_v FROM (SELECT ${text} AS unwrite_v, ${dialect.quote(key.name)} AS unwrite_k FROM ${sqlName}) unwrite_w WHERE unwrite_k = ${dialect.quote(own.name)})`;
}

/** The condition, to be followed by another one. */
export function whereSql(dialect: SqlDialect, { where }: WithWhere, bind: Bind): string {
  return (
    where
      // The database may treat different values as equal, so it must not leave out rows by a `not`:
      // isInside does.
      .filter(({ isNot }) => !isNot)
      .map((one) => `(${conditionsOf(dialect, one, bind).join(' OR ')}) AND `)
      .join('')
  );
}

function conditionsOf(dialect: SqlDialect, one: PlannedWhere, bind: Bind): string[] {
  const { column, texts, hasNull, through } = one;
  const among = texts.size > 0 ? [dialect.amongTexts(column, [...texts], bind)] : [];
  const own = dialect.quote(whereColumn(one).name);
  if (through === undefined) return [...among, ...(hasNull ? [`${own} IS NULL`] : [])];
  const rows = `SELECT ${dialect.quote(through.key.name)} FROM ${through.sqlName}`;
  return [
    ...among.map((values) => `${own} IN (${rows} WHERE ${values})`),
    ...(hasNull ? [`${readWhereText(dialect, one)} IS NULL`] : []),
  ];
}

/** For a row that was read with `selectWhere`. */
export function isInside({ where }: WithWhere, row: SqlRow): boolean {
  return where.every((one, place) => fitsWhere(one, textAt(row, `x${place}`)));
}
