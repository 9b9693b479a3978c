// A table entry ignores rows outside its `where`: the statement leaves out most of them, this code decides.
import type { Bind, Selected, SqlDialect } from '../dialect.ts';
import { fitsWhere, type PlannedWhere } from '../plan/where-values.ts';
import { selectText } from '../select-rows.ts';
import type { SqlRow } from '../session.ts';
import { textAt } from '../statement.ts';

interface WithWhere {
  readonly where: readonly PlannedWhere[];
}

export function selectWhere(dialect: SqlDialect, { where }: WithWhere): Selected[] {
  return where.map(({ column }, place) => selectText(dialect, column, `x${place}`));
}

/** The condition, to be followed by another one. */
export function whereSql(dialect: SqlDialect, { where }: WithWhere, bind: Bind): string {
  return (
    where
      // The database may treat different values as equal, so it must not leave out rows by a `not`:
      // isInside does.
      .filter(({ isNot }) => !isNot)
      .map(({ column, texts, hasNull }) => {
        const ways = [
          ...(texts.size > 0 ? [dialect.amongTexts(column, [...texts], bind)] : []),
          ...(hasNull ? [`${dialect.quote(column.name)} IS NULL`] : []),
        ];
        return `(${ways.join(' OR ')}) AND `;
      })
      .join('')
  );
}

/** For a row that was read with `selectWhere`. */
export function isInside({ where }: WithWhere, row: SqlRow): boolean {
  return where.every((one, place) => fitsWhere(one, textAt(row, `x${place}`)));
}
