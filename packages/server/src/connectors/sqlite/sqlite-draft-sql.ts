import type { DraftSql } from '../sql/dialect-rules.ts';

export const DRAFT_SQL: DraftSql = {
  tables: `
    SELECT name FROM pragma_table_list
    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    ORDER BY name`,
  columns: `
    SELECT t.name AS name, 'table' AS kind, c.name AS "column", c.type AS type
    FROM pragma_table_list t, pragma_table_xinfo(t.name) c
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    ORDER BY t.name, c.cid`,
  // SQLite numbers every INTEGER PRIMARY KEY that is not given; only AUTOINCREMENT shows that this is intended.
  numberedColumns: `
    SELECT m.name AS name, c.name AS numbered FROM sqlite_schema m, pragma_table_info(m.name) c
    WHERE m.type = 'table' AND c.pk = 1 AND m.sql LIKE '%autoincrement%'`,
};
