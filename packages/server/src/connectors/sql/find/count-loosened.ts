// References into a subject's rows that a foreign key will set to NULL or a default: counted, for the
// operator has allowed it, and nothing else is done with them.
import { byName } from '../../../domain/by-name.ts';
import type { KeyRow } from '../../../domain/connector.ts';
import { selectKey, selectRows } from '../select-rows.ts';
import { inChunks, textAt } from '../statement.ts';
import { type FindContext, sizeFor } from './find-context.ts';
import { referenceText, rowId } from './found-rows.ts';
import { readKeys, selectKeys } from './row-ways.ts';

/** `rowsOf`: the rows of a parent table that belong to each subject. */
export async function countLoosened(
  { session, dialect, plan }: FindContext,
  subjects: number,
  rowsOf: (table: string, subject: number) => Iterable<KeyRow>,
): Promise<Record<string, number>[]> {
  const counts = Array.from({ length: subjects }, () => byName<number>());
  for (const { table, sqlName, entries, columns, positions } of plan.loosened) {
    const owners = new Map<string, number>();
    const references: KeyRow[] = [];
    for (let subject = 0; subject < subjects; subject++) {
      for (const values of entries.flatMap((parent) => [...rowsOf(parent, subject)])) {
        const reference = positions.map((position) => values[position] ?? null);
        const text = referenceText(reference);
        if (text === undefined || owners.has(text)) continue;
        owners.set(text, subject);
        references.push(reference);
      }
    }
    // A row whose reference is overwritten has none any more when the parent goes.
    const overwritten = plan.erased.find(
      ({ name, overwritten: own }) =>
        name === table && columns.some((column) => own.has(column.name)),
    );
    const ahead = new Set<string>();
    for (let subject = 0; overwritten !== undefined && subject < subjects; subject++)
      for (const values of rowsOf(table, subject)) ahead.add(rowId(overwritten, values));
    const select = [
      ...columns.map((column, place) => selectKey(dialect, column, `f${place}`)),
      ...(overwritten === undefined ? [] : selectKeys(dialect, overwritten)),
    ];
    for (const chunk of inChunks(references, sizeFor(dialect, columns.length))) {
      const rows = await selectRows(session, dialect, select, (list, bind) => {
        const among = dialect.amongKeys(columns, chunk, bind);
        return `SELECT ${list} FROM ${sqlName} WHERE ${among}`;
      });
      for (const row of rows) {
        if (overwritten !== undefined && ahead.has(rowId(overwritten, readKeys(overwritten, row))))
          continue;
        const text = referenceText(columns.map((_, place) => textAt(row, `f${place}`)));
        const own = text === undefined ? undefined : counts[owners.get(text) ?? -1];
        if (own !== undefined) own[table] = (own[table] ?? 0) + 1;
      }
    }
  }
  return counts;
}
