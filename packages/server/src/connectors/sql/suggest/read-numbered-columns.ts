// Columns that the database numbers by itself. A plan does not need them, but the draft's guesses about keys
// do.
import type { SqlConnector } from '../../../domain/target/target.ts';
import type { SqlSession } from '../session.ts';
import type { IsNumbered } from './references-by-name.ts';

/**
 * SQLite numbers every INTEGER PRIMARY KEY that is not given; only AUTOINCREMENT shows that this is
 * intended.
 */
const NUMBERED: Readonly<Record<SqlConnector, string>> = {
  postgres: `
    SELECT CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN c.relname::text
                ELSE n.nspname || '.' || c.relname END AS name, a.attname::text AS numbered
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relkind IN ('r', 'p')
      AND (a.attidentity <> '' OR pg_catalog.pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%')`,
  mysql: `
    SELECT TABLE_NAME AS name, COLUMN_NAME AS numbered FROM information_schema.COLUMNS
    WHERE TABLE_SCHEMA = database() AND EXTRA LIKE '%auto_increment%'`,
  sqlite: `
    SELECT m.name AS name, c.name AS numbered FROM sqlite_schema m, pragma_table_info(m.name) c
    WHERE m.type = 'table' AND c.pk = 1 AND m.sql LIKE '%autoincrement%'`,
};

export async function readNumberedColumns(
  session: SqlSession,
  connector: SqlConnector,
): Promise<IsNumbered> {
  const { rows } = await session.query(NUMBERED[connector]);
  const known = new Set(rows.map(({ name, numbered }) => `${name}\0${numbered}`));
  return (table, column) => known.has(`${table}\0${column}`);
}
