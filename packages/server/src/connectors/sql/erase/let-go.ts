// Sets references to NULL before the rows that they refer to are deleted: exactly those that were decided on.
import type { Bind } from '../dialect.ts';
import type { ReleasedReferences } from '../find/decide-references.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { amongParts, amongReferences } from '../find/reference-keys.ts';
import { inChunks, runStatement } from '../statement.ts';
import { otherRows } from './other-rows.ts';
import { holdIfRefused } from './refused-change.ts';

/** Returns how many rows were changed. */
export async function letGo(
  { session, dialect }: FindContext,
  { foreign, references }: ReleasedReferences,
): Promise<number> {
  const via = {
    ...foreign,
    uniqueness: 'alone',
    namesOneRow: true,
    comparesTenant: false,
    isReverse: false,
    isForeignKey: true,
    isTakenForEqual: true,
  } as const;
  const names = foreign.nulled.map(({ name }) => name).join(', ');
  const sets = [
    ...foreign.nulled.map(({ name }) => `${dialect.quote(name)} = NULL`),
    // Set to their own values; otherwise the statement would change them too.
    ...foreign.table.renewed.map(({ name }) => `${dialect.quote(name)} = ${dialect.quote(name)}`),
  ].join(', ');
  let changed = 0;
  for (const chunk of inChunks(references, sizeFor(dialect, foreign.columns.length))) {
    const update = (bind: Bind) => {
      const among = amongReferences(
        dialect,
        via,
        chunk.map(({ reference }) => reference),
        bind,
      );
      return `${foreign.table.update} SET ${sets} WHERE ${amongParts(foreign.rowsIn)}${among}`;
    };
    const { changes } = await holdIfRefused(
      'unplanned_change',
      `${names} of ${foreign.table.name} cannot become NULL in a row that refers to a deleted row`,
      `change the constraint or the row, or delete from ${foreign.table.name} too`,
      () => runStatement(session, dialect, update),
    );
    const expected = chunk.reduce((sum, { rows }) => sum + rows, 0);
    if (changes !== expected) throw otherRows(foreign.table, 'detached', expected, changes);
    changed += changes;
  }
  return changed;
}
