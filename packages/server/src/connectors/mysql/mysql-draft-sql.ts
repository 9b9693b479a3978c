import type { DraftSql } from '../sql/dialect-rules.ts';

export const DRAFT_SQL: DraftSql = {
  tables: `
    SELECT TABLE_NAME AS name FROM information_schema.TABLES
    WHERE TABLE_SCHEMA = database() AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')
    ORDER BY TABLE_NAME`,
  columns: `
    SELECT t.TABLE_NAME AS name, 'table' AS kind, c.COLUMN_NAME AS \`column\`, c.COLUMN_TYPE AS type
    FROM information_schema.TABLES t
    JOIN information_schema.COLUMNS c ON c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME
    WHERE t.TABLE_SCHEMA = database() AND t.TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')
    ORDER BY t.TABLE_NAME, c.ORDINAL_POSITION`,
  numberedColumns: `
    SELECT TABLE_NAME AS name, COLUMN_NAME AS numbered FROM information_schema.COLUMNS
    WHERE TABLE_SCHEMA = database() AND EXTRA LIKE '%auto_increment%'`,
};
