// Reads the whole catalogue of a database and makes a draft plan of it. Changes nothing, and reads no row.
import type { SqlConnector } from '../../../domain/target/target.ts';
import type { SqlDialect } from '../dialect.ts';
import type { SqlDatabase } from '../session.ts';
import { readNumberedColumns } from './read-numbered-columns.ts';
import { suggestPlan } from './suggest-plan.ts';
import { type WrittenTarget, writePlan } from './write-plan.ts';

/**
 * The tables that hold rows of their own. Partitions and inheriting tables are found with their parents;
 * tables of extensions are left out.
 */
const TABLES: Readonly<Record<SqlConnector, string>> = {
  postgres: `
    SELECT CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN c.relname::text
                ELSE n.nspname || '.' || c.relname END AS name
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
      AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
      AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_inherits h WHERE h.inhrelid = c.oid)
      AND NOT EXISTS (
        SELECT 1 FROM pg_catalog.pg_depend d
        WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY 1`,
  mysql: `
    SELECT TABLE_NAME AS name FROM information_schema.TABLES
    WHERE TABLE_SCHEMA = database() AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')
    ORDER BY TABLE_NAME`,
  sqlite: `
    SELECT name FROM pragma_table_list
    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    ORDER BY name`,
};

export async function suggestTarget(
  database: SqlDatabase,
  dialect: SqlDialect,
  connector: SqlConnector,
  target: WrittenTarget,
): Promise<string> {
  return database.transaction('read', async (session) => {
    const { rows } = await session.query(TABLES[connector]);
    const names = rows.map(({ name }) => String(name));
    const { catalogue } = await dialect.readSchema(session, names);
    // Sorted, so that the same tables give the same plan, regardless of the order in which the server returns them.
    const sorted = [...catalogue].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const isNumbered = await readNumberedColumns(session, connector);
    return writePlan(target, suggestPlan(new Map(sorted), isNumbered));
  });
}
