// Reads the whole catalogue of a database and makes a draft plan of it. Changes nothing, and reads no row.
import type { SqlDialect } from '../dialect.ts';
import type { SqlDatabase } from '../session.ts';
import { readNumberedColumns } from './read-numbered-columns.ts';
import { suggestPlan } from './suggest-plan.ts';
import { type WrittenTarget, writePlan } from './write-plan.ts';

export async function suggestTarget(
  database: SqlDatabase,
  dialect: SqlDialect,
  target: WrittenTarget,
): Promise<string> {
  return database.transaction('read', async (session) => {
    const { rows } = await session.query(dialect.draftSql.tables);
    const names = rows.map(({ name }) => String(name));
    const { catalogue } = await dialect.readSchema(session, names);
    // Sorted, so that the same tables give the same plan, regardless of the order in which the server returns them.
    const sorted = [...catalogue].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const isNumbered = await readNumberedColumns(session, dialect);
    const given = { isGiven: target.tenancy.length > 0, column: target.tenantColumn };
    return writePlan(target, suggestPlan(new Map(sorted), isNumbered, given));
  });
}
