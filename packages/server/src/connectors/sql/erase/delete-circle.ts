// Rows of a table that refer to each other in a cycle: none can be deleted first while it is referred to, so the
// references are set to NULL, where they may be.

import type { KeyRow } from '../../../domain/target/connector.ts';
import type { Bind } from '../dialect.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { keyPart } from '../find/found-rows.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { SqlFailure } from '../session.ts';
import { inChunks, runStatement } from '../statement.ts';
import { otherRows } from './other-rows.ts';

type Context = Pick<FindContext, 'session' | 'dialect'>;

/** Returns how many rows were changed before they were deleted. */
export async function deleteCircle(
  context: Context,
  table: PlannedTable,
  rows: readonly KeyRow[],
  deleteAll: (rows: readonly KeyRow[]) => Promise<unknown>,
): Promise<number> {
  const key = table.columns.slice(0, table.keySize);
  const columns = table.selfKeys.flatMap(({ columns: all }) =>
    all.filter((column) => column.isNullable && !column.isGenerated && !key.includes(column)),
  );
  const names = [...new Set(columns.map(({ name }) => name))];
  const changed = names.length === 0 ? 0 : await openCircle(context, table, rows, names);
  const cascades = table.selfKeys.some(({ onDelete }) => onDelete === 'cascade');
  try {
    if (cascades) await deleteCascading(context, table, rows);
    else await deleteAll(rows);
  } catch (error) {
    // The database may be able to delete them without help.
    if (names.length > 0 || !(error instanceof SqlFailure) || !isReferredTo(table, error))
      throw error;
    throw closedCircle(table, error);
  }
  return changed;
}

/**
 * The first deletion cascades to others, which the statement does not count: what matters is that none is
 * left.
 */
async function deleteCascading(
  { session, dialect }: Context,
  table: PlannedTable,
  rows: readonly KeyRow[],
): Promise<void> {
  const chunks = [...inChunks(rows, sizeFor(dialect, table.keySize))].map((chunk) => {
    const keys = chunk.map((values) => keyPart(table, values));
    return (bind: Bind) => dialect.amongKeys(table.columns.slice(0, table.keySize), keys, bind);
  });
  for (const among of chunks)
    await runStatement(
      session,
      dialect,
      (bind) => `DELETE FROM ${table.sqlName} WHERE ${among(bind)}`,
    );
  for (const among of chunks) {
    const { rows: left } = await runStatement(
      session,
      dialect,
      (bind) => `SELECT 1 AS n FROM ${table.sqlName} WHERE ${among(bind)}`,
    );
    if (left.length > 0) throw otherRows(table, 'deleted', rows.length, rows.length - left.length);
  }
}

/** SQLite implements RESTRICT with an internal trigger. */
function isReferredTo({ selfKeys }: PlannedTable, { isReference, code }: SqlFailure): boolean {
  const isRestricted = selfKeys.some(({ onDelete }) => onDelete === 'restrict');
  return isReference || (isRestricted && code === 'sql_1811');
}

function closedCircle({ name, selfKeys }: PlannedTable, { message }: SqlFailure): NeedsDecision {
  const columns = selfKeys.flatMap(({ columns: all }) => all.map((column) => column.name));
  return new NeedsDecision(
    'unplanned_change',
    `rows of ${name} refer to themselves, or to each other in a circle (${[...new Set(columns)].join(', ')}), and the database does not let them go while they are referred to (${message}); let the column be NULL, or make the foreign key ON DELETE CASCADE, or overwrite ${name} instead of deleting, then release`,
  );
}

async function openCircle(
  { session, dialect }: Context,
  table: PlannedTable,
  rows: readonly KeyRow[],
  names: readonly string[],
): Promise<number> {
  const key = table.columns.slice(0, table.keySize);
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
    // Such rows are rare, so the check does not require the right to change them.
    if (!(error instanceof SqlFailure) || error.kind !== 'other') throw error;
    throw new NeedsDecision(
      'unplanned_change',
      `rows of ${table.name} refer to each other in a circle (${names.join(', ')}), which can only be opened by setting a reference to NULL; let the account do that (GRANT UPDATE of ${names.join(', ')}), then release`,
    );
  }
  return changed;
}
