// Sets references to NULL before the rows that they lead to are deleted: exactly those that were decided about.

import type { NulledReferences } from '../find/decide-references.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { amongReferences } from '../find/reference-keys.ts';
import { inChunks, runStatement } from '../statement.ts';
import { otherRows } from './delete-rows.ts';

/** Answers how many rows were changed. */
export async function letGo(
  { session, dialect }: FindContext,
  { foreign, references }: NulledReferences,
): Promise<number> {
  const via = { ...foreign, uniqueness: 'alone', isReverse: false, isForeignKey: true } as const;
  const sets = foreign.nulled.map(({ name }) => `${dialect.quote(name)} = NULL`).join(', ');
  let changed = 0;
  for (const chunk of inChunks(references, sizeFor(dialect, foreign.columns.length))) {
    const { changes } = await runStatement(session, dialect, (bind) => {
      const among = amongReferences(
        dialect,
        via,
        chunk.map(({ reference }) => reference),
        bind,
      );
      return `UPDATE ${foreign.table.sqlName} SET ${sets} WHERE ${among}`;
    });
    const expected = chunk.reduce((sum, { rows }) => sum + rows, 0);
    if (changes !== expected) throw otherRows(foreign.table, 'detached', expected, changes);
    changed += changes;
  }
  return changed;
}
