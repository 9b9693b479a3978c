import type { SqlDatabase, SqlRow, SqlValue, TransactionKind } from '../session.ts';

class RollBack extends Error {
  override readonly name = 'RollBack';
  readonly rows: readonly SqlRow[];

  constructor(rows: readonly SqlRow[]) {
    super('rolled back');
    this.rows = rows;
  }
}

/**
 * Runs one statement in a transaction that is always rolled back: a server may run a user-defined function
 * even when it only explains a statement.
 */
export async function readOnce(
  database: SqlDatabase,
  kind: TransactionKind,
  sql: string,
  values: readonly SqlValue[],
): Promise<readonly SqlRow[]> {
  try {
    return await database.transaction(kind, async (session) => {
      throw new RollBack((await session.query(sql, values)).rows);
    });
  } catch (error) {
    if (error instanceof RollBack) return error.rows;
    throw error;
  }
}
