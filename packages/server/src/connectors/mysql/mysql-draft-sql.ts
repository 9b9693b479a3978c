import type { DraftSql } from '../sql/dialect-rules.ts';

export const DRAFT_SQL: DraftSql = {
  tables: `
    SELECT TABLE_NAME AS name FROM information_schema.TABLES
    WHERE TABLE_SCHEMA = database() AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')
    ORDER BY TABLE_NAME`,
  numberedColumns: `
    SELECT TABLE_NAME AS name, COLUMN_NAME AS numbered FROM information_schema.COLUMNS
    WHERE TABLE_SCHEMA = database() AND EXTRA LIKE '%auto_increment%'`,
};
