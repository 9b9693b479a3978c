// Reads rows by key, and decides whether they have their new values: by the database's own comparison if the
// value is the same for every row, otherwise by our check of the text.
import type { KeyRow } from '../../../domain/target/connector.ts';
import type { Overwrite } from '../../../domain/target/target.ts';
import type { ColumnShape } from '../catalogue.ts';
import type { Bind, Selected, SqlDialect } from '../dialect.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { keyPart, rowId } from '../find/found-rows.ts';
import { readKeys, selectKeys } from '../find/row-ways.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { selectRows, selectText } from '../select-rows.ts';
import type { SqlRow } from '../session.ts';
import { inChunks, textAt } from '../statement.ts';
import { isJsonChanged } from './change-json.ts';
import type { OwnValues } from './own-values.ts';
import { timeText } from './time-text.ts';

export interface OverwrittenColumn {
  readonly column: ColumnShape;
  readonly overwrite: Overwrite;
}

export type OverwrittenTable = Pick<
  PlannedTable,
  'name' | 'sqlName' | 'columns' | 'keySize' | 'action' | 'overwritten'
>;

export type OverwriteContext = Pick<FindContext, 'session' | 'dialect' | 'ownValues' | 'times'>;

export interface OverwrittenRow {
  readonly row: SqlRow;
  readonly isDone: boolean;
  /** In the order of `columnsOf`. */
  readonly columns: readonly JudgedColumn[];
}

export interface JudgedColumn extends OverwrittenColumn {
  readonly isDone: boolean;
  /** The whole text if the new value is made from it; otherwise its beginning, if requested. */
  readonly text: string | null;
}

export interface ReadOptions {
  /** Appended to the SELECT. */
  readonly suffix?: string;
  /** Also reads the text of columns that are judged without it: the beginning, or all of it. */
  readonly texts?: 'brief' | 'whole';
}

export async function* readOverwritten(
  context: OverwriteContext,
  table: OverwrittenTable,
  rows: readonly KeyRow[],
  { suffix = '', texts }: ReadOptions = {},
): AsyncGenerator<OverwrittenRow> {
  const { session, dialect, ownValues, times = [] } = context;
  const columns = columnsOf(table);
  const isKnown = ownValues.stored.anyOf(table.sqlName);
  const select = [
    ...selectKeys(dialect, table),
    ...columns.flatMap((one, place) =>
      selectJudged(dialect, one, place, times, texts ?? (isKnown ? 'brief' : undefined)),
    ),
  ];
  for (const chunk of inChunks(rows, sizeFor(dialect, table.keySize))) {
    const keys = chunk.map((values) => keyPart(table, values));
    const found = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(table.columns.slice(0, table.keySize), keys, bind);
      return `SELECT ${list} FROM ${table.sqlName} WHERE ${among}${suffix}`;
    });
    for (const row of found) {
      const judged = columns.map((one, place): JudgedColumn => {
        const text = textAt(row, `h${place}`);
        const isDone =
          Number(row[`d${place}`]) === 1 ||
          isOurs(ownValues, one.overwrite, text) ||
          (isKnown && ownValues.stored.has(placeOf(table, row, one.column), text));
        return { ...one, text, isDone };
      });
      yield { row, columns: judged, isDone: judged.every(({ isDone }) => isDone) };
    }
  }
}

/** Enough to tell one value from another, however long the column's texts are. */
export const BRIEF = 300;

type Times = NonNullable<FindContext['times']>;

function selectJudged(
  dialect: SqlDialect,
  { column, overwrite }: OverwrittenColumn,
  place: number,
  times: Times,
  texts: ReadOptions['texts'],
): Selected[] {
  const isAny = overwrite.kind === 'now' && times === 'any';
  const values = constantsOf(column, overwrite, times === 'any' ? [] : times);
  if (values === undefined)
    return [{ ...selectText(dialect, column, `h${place}`), isPlain: false }];
  const test = (bind: Bind) =>
    values.map((value) => dialect.equals(column, value, bind)).join(' OR ') ||
    (isAny ? '1 = 1' : '1 = 0');
  const whole = dialect.readText(column);
  const text = texts === 'whole' ? whole : `SUBSTR(${whole}, 1, ${BRIEF})`;
  return [
    {
      sql: (bind) => `CASE WHEN ${test(bind)} THEN 1 ELSE 0 END`,
      name: `d${place}`,
      isPlain: false,
    },
    ...(texts ? [{ sql: text, name: `h${place}`, isPlain: false }] : []),
  ];
}

/** The values that count as the new one; undefined if each row has its own. */
function constantsOf(column: ColumnShape, overwrite: Overwrite, times: readonly string[]) {
  if (overwrite.kind === 'null') return [null];
  if (overwrite.kind === 'value') return [overwrite.value];
  if (overwrite.kind === 'now') return times.map((time) => timeText(column, time));
  return undefined;
}

/** NULL has nothing to overwrite, and stays. */
function isOurs(ownValues: OwnValues, overwrite: Overwrite, text: string | null): boolean {
  if (overwrite.kind === 'hash') return text === null || ownValues.isHash(text);
  if (overwrite.kind === 'unique') return text === null || ownValues.isUnique(overwrite.text, text);
  return overwrite.kind === 'json' && (text === null || isJsonChanged(text, overwrite.changes));
}

export function placeOf(table: OverwrittenTable, row: SqlRow, { name }: ColumnShape) {
  return { table: table.sqlName, row: rowId(table, readKeys(table, row)), column: name };
}

export function columnsOf(table: OverwrittenTable): OverwrittenColumn[] {
  const { action } = table;
  if (action.kind !== 'overwrite') return [];
  return [...table.overwritten].flatMap(([name, column]) => {
    const overwrite = action.columns[name];
    return overwrite === undefined ? [] : [{ column, overwrite }];
  });
}
