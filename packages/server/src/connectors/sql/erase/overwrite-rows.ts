// Overwrites rows, and reads back in the same transaction what was stored: see docs/adr/0023.
import type { KeyRow } from '../../../domain/target/connector.ts';
import type { Bind } from '../dialect.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { keyPart, rowId } from '../find/found-rows.ts';
import { readKeys } from '../find/row-ways.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedTable } from '../plan/plan.ts';
import type { SqlValue } from '../session.ts';
import { inChunks, runStatement } from '../statement.ts';
import { changeJson } from './change-json.ts';
import { countFollowers } from './count-followers.ts';
import { isLeftOf } from './left-over.ts';
import { otherRows } from './other-rows.ts';
import {
  BRIEF,
  columnsOf,
  type JudgedColumn,
  type OverwrittenRow,
  placeOf,
  readOverwritten,
} from './read-overwritten.ts';
import { holdIfRefused } from './refused-change.ts';
import { timeText } from './time-text.ts';

/** The value is different for each row. */
const OF_EACH_ROW = new Set(['hash', 'unique', 'json']);

/** By column: what is written where it is overwritten by the time. */
export type TimeOf = (column: string) => string;

type Context = FindContext & { readonly timeOf: TimeOf };

interface OpenRow extends OverwrittenRow {
  readonly key: KeyRow;
  /** The values that were written, by column. */
  readonly sent: Map<string, SqlValue>;
}

export interface Overwritten {
  /** Ids of rows that already had their new values. */
  readonly done: ReadonlySet<string>;
  /** How many rows foreign keys changed along with them, by table. */
  readonly followed: ReadonlyMap<string, number>;
}

export async function overwriteRows(
  find: FindContext,
  table: PlannedTable,
  rows: readonly KeyRow[],
  timeOf: TimeOf,
): Promise<Overwritten> {
  const times = [...new Set([...table.overwritten.keys()].map(timeOf))];
  const context: Context = { ...find, timeOf, times };
  const { session, dialect } = context;
  const keyColumns = table.columns.slice(0, table.keySize);
  const open = new Map<string, OpenRow>();
  const done = new Set<string>();
  const options = { suffix: dialect.forUpdate, texts: 'brief' } as const;
  for await (const found of readOverwritten(context, table, rows, options)) {
    const values = readKeys(table, found.row);
    if (found.isDone) done.add(rowId(table, values));
    else open.set(rowId(table, values), { ...found, key: keyPart(table, values), sent: new Map() });
  }
  if (done.size + open.size !== rows.length)
    throw otherRows(table, 'overwritten', rows.length, done.size + open.size);

  const followed = await countFollowers(context, table, (columns) =>
    [...open.values()]
      .filter((row) => row.columns.some((one) => !one.isDone && columns.includes(one.column.name)))
      .map(({ key }) => key),
  );
  const isOfEachRow = columnsOf(table).some(({ overwrite }) => OF_EACH_ROW.has(overwrite.kind));
  const size = isOfEachRow ? 1 : sizeFor(dialect, table.keySize);
  for (const chunk of inChunks([...open.values()], size)) {
    const update = (bind: Bind) => {
      const [first] = chunk;
      const sets = (first?.columns ?? [])
        // A statement for many rows sets all columns; a statement for one row leaves out columns that already
        // have their new value.
        .filter(({ isDone }) => !isOfEachRow || !isDone)
        .map((judged) => {
          const { name } = judged.column;
          const value = newValue(context, table, first?.key ?? [], judged);
          for (const { sent } of chunk) sent.set(name, value);
          return `${dialect.quote(name)} = ${bind(value)}`;
        });
      const keys = chunk.map(({ key }) => key);
      const among = dialect.amongKeys(keyColumns, keys, bind);
      return `${table.update} SET ${sets.join(', ')} WHERE ${among}`;
    };
    const { changes } = await holdIfRefused(
      'not_overwritten',
      `the database refuses what rows of ${table.name} are to be overwritten with`,
      'overwrite with what the constraint allows, or change the constraint',
      () => runStatement(session, dialect, update),
    );
    if (changes !== chunk.length) throw otherRows(table, 'overwritten', chunk.length, changes);
  }
  // Without a unique key, a changed row may not be found again; the verification finds it by the person's
  // identities.
  if (open.size > 0 && !table.isUnnamed) await lookAfter(context, table, open);
  return { done, followed };
}

function newValue(
  { dialect, ownValues, timeOf }: Context,
  table: PlannedTable,
  key: KeyRow,
  { column, overwrite, text }: JudgedColumn,
): SqlValue {
  switch (overwrite.kind) {
    case 'null':
      return null;
    case 'value':
      return dialect.assigned(column, overwrite.value);
    case 'now':
      return timeText(column, timeOf(column.name));
    case 'unique':
      return ownValues.uniqueOf(overwrite.text);
    case 'hash': {
      const row = table.distinct.has(column.name) ? [table.name, column.name, ...key] : [];
      return text === null ? null : ownValues.hashOf(text, row);
    }
    case 'json': {
      const changed = text === null ? null : changeJson(text, overwrite.changes);
      if (changed === undefined) throw noJson(table, column.name);
      return changed;
    }
  }
}

/**
 * A column may round, truncate or fold its value, and so may a trigger: the stored value counts. But it
 * must differ from the old one; otherwise nothing was erased.
 */
async function lookAfter(
  context: FindContext,
  table: PlannedTable,
  before: ReadonlyMap<string, OpenRow>,
): Promise<void> {
  const seen = new Set<string>();
  const keys = [...before.values()].map(({ key }) => key);
  for await (const { row, columns } of readOverwritten(context, table, keys, { texts: 'brief' })) {
    const id = rowId(table, readKeys(table, row));
    seen.add(id);
    const old = before.get(id);
    for (const [place, { column, isDone, text }] of columns.entries()) {
      if (isDone) continue;
      const whole =
        old === undefined || (text?.length ?? 0) < BRIEF
          ? text
          : await readWhole(context, table, old.key, place);
      const sent = old?.sent.get(column.name) ?? null;
      if (isLeftOf(old?.columns[place]?.text ?? null, whole, sent === null ? null : String(sent)))
        throw keptValue(table, column.name);
      context.ownValues.stored.add(placeOf(table, row, column), text);
    }
  }
  if (seen.size !== before.size) throw otherRows(table, 'overwritten', before.size, seen.size);
}

async function readWhole(
  context: FindContext,
  table: PlannedTable,
  key: KeyRow,
  place: number,
): Promise<string | null> {
  const rows = readOverwritten(context, table, [key], { texts: 'whole' });
  for await (const { columns } of rows) return columns[place]?.text ?? null;
  return null;
}

function keptValue({ name }: PlannedTable, column: string): NeedsDecision {
  return new NeedsDecision(
    'not_overwritten',
    `"${column}" of ${name} still has what was there after it was overwritten, so nothing was changed: a trigger or rule of the table puts it back or changes what is written. Change the trigger, or, where the row had its new value already, write that value as the database stores it; then release`,
  );
}

function noJson({ name }: PlannedTable, column: string): NeedsDecision {
  return new NeedsDecision(
    'not_overwritten',
    `"${column}" of ${name} holds a text that is not JSON, or JSON that is encoded twice, so its parts cannot be overwritten, and nothing was changed; correct the row, or overwrite the whole column ("${column}: null"), then release`,
  );
}
