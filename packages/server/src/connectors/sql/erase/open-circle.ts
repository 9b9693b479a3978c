// Rows of a table that refer to each other in a circle: none can go first while it is referred to, so the
// references are set to NULL, where they may be.
import type { KeyRow } from '../../../domain/connector.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { SqlFailure } from '../session.ts';
import { inChunks, runStatement } from '../statement.ts';
import { keyPart } from './ordered-rows.ts';

/** Answers how many rows were changed. */
export async function openCircle(
  { session, dialect }: Pick<FindContext, 'session' | 'dialect'>,
  table: PlannedTable,
  rows: readonly KeyRow[],
): Promise<number> {
  const key = table.columns.slice(0, table.keySize);
  const columns = table.selfKeys.flatMap(({ columns: all }) =>
    all.filter((column) => column.isNullable && !column.isGenerated && !key.includes(column)),
  );
  // The database may know a way, or refuses by itself.
  if (columns.length === 0) return 0;
  const names = [...new Set(columns.map(({ name }) => name))];
  const sets = names.map((name) => `${dialect.quote(name)} = NULL`).join(', ');
  let changed = 0;
  try {
    for (const chunk of inChunks(rows, sizeFor(dialect, table.keySize))) {
      const keys = chunk.map((values) => keyPart(table, values));
      const { changes } = await runStatement(session, dialect, (bind) => {
        const among = dialect.amongKeys(key, keys, bind);
        return `${table.update} SET ${sets} WHERE ${among}`;
      });
      changed += changes;
    }
  } catch (error) {
    // Such rows are rare, so the right to change them is not asked for beforehand.
    if (!(error instanceof SqlFailure) || error.kind !== 'other') throw error;
    throw new NeedsDecision(
      'unplanned_change',
      `rows of ${table.name} refer to each other in a circle (${names.join(', ')}), which can only be opened by setting a reference to NULL; let the account do that (GRANT UPDATE of ${names.join(', ')}), then release`,
    );
  }
  return changed;
}
