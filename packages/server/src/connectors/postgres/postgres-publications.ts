// Logical replication: rows of a published table can be changed only if a replica identity identifies them.
import type { CheckLine } from '../../domain/target/connector.ts';
import { problem } from '../sql/check/line.ts';
import type { Need, Read } from '../sql/check/probe.ts';
import { FIND_TABLES } from './postgres-catalogue-sql.ts';
import { namesOf } from './postgres-names.ts';

/**
 * Each partition and each inheriting table has its own replica identity, and may be published through a
 * parent.
 */
const WITHOUT_IDENTITY = `
  WITH RECURSIVE family AS (
    SELECT f.written, f.id::oid AS oid, ARRAY[f.id::oid] AS path FROM (${FIND_TABLES}) f
    UNION ALL
    SELECT f.written, h.inhrelid, f.path || h.inhrelid
    FROM family f JOIN pg_catalog.pg_inherits h ON h.inhparent = f.oid)
  SELECT f.written, pg_catalog.format('%I.%I', s.nspname, c.relname) AS name, min(p.pubname) AS publication
  FROM family f
  JOIN pg_catalog.pg_class c ON c.oid = f.oid AND c.relkind = 'r'
  JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
  JOIN pg_catalog.pg_publication p ON p.pubupdate OR p.pubdelete
  JOIN pg_catalog.pg_publication_tables t ON t.pubname = p.pubname
  JOIN pg_catalog.pg_class tc ON tc.relname = t.tablename AND tc.oid = ANY (f.path)
  JOIN pg_catalog.pg_namespace ts ON ts.oid = tc.relnamespace AND ts.nspname = t.schemaname
  WHERE c.relpersistence = 'p' AND c.relreplident <> 'f' AND NOT EXISTS (
    SELECT 1 FROM pg_catalog.pg_index i
    WHERE i.indrelid = c.oid AND i.indisvalid
      AND CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident ELSE false END)
  GROUP BY 1, 2 ORDER BY 1, 2`;

export async function checkPublications(read: Read, needs: readonly Need[]): Promise<CheckLine[]> {
  const changed = needs.filter(({ isChanged }) => isChanged).map(({ table }) => table);
  const rows = await read(WITHOUT_IDENTITY, namesOf(changed));
  return rows.map(({ written, name, publication }) =>
    problem(
      String(written),
      `is published (publication ${publication}), and nothing names its rows to subscribers, so the server refuses to change them; run: ALTER TABLE ${name} REPLICA IDENTITY FULL, or give it a primary key`,
    ),
  );
}
