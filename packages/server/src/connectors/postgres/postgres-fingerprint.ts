import type { SqlSession } from '../sql/session.ts';

/** Any change of a catalogue row changes its xmin, or removes the row. */
const part = (catalogue: string, condition: string) => `
  (SELECT coalesce(md5(string_agg(x.oid || ':' || x.xmin::text, ',' ORDER BY x.oid)), '')
   FROM pg_catalog.${catalogue} x WHERE ${condition})`;

const FAMILY = '= ANY (ARRAY(SELECT oid FROM family))';

/** $1: quoted names. Foreign keys of other tables that refer to these are included, with their cascades. */
const FINGERPRINT = `
  WITH RECURSIVE family AS (
    SELECT to_regclass(name)::oid AS oid FROM unnest($1::text[]) AS name
    UNION
    SELECT relative FROM family f CROSS JOIN LATERAL (
      SELECT inhrelid FROM pg_catalog.pg_inherits WHERE inhparent = f.oid
      UNION ALL
      SELECT inhparent FROM pg_catalog.pg_inherits WHERE inhrelid = f.oid) r (relative))
  SELECT concat_ws(' ',
    (SELECT string_agg(coalesce(oid::text, '-') || coalesce(
              CASE WHEN pg_catalog.has_any_column_privilege(oid, 'UPDATE') THEN 'w' END, ''), ',' ORDER BY oid)
     FROM family),
    ${part('pg_constraint', `x.conrelid ${FAMILY} OR x.confrelid ${FAMILY}`)},
    ${part('pg_trigger', `x.tgrelid ${FAMILY}`)},
    ${part('pg_rewrite', `x.ev_class ${FAMILY}`)},
    (SELECT md5(string_agg(x.attrelid || ':' || x.attnum || ':' || x.xmin::text, ',' ORDER BY x.attrelid, x.attnum))
     FROM pg_catalog.pg_attribute x WHERE x.attrelid ${FAMILY} AND x.attnum > 0),
    (SELECT md5(string_agg(x.indexrelid || ':' || x.xmin::text, ',' ORDER BY x.indexrelid))
     FROM pg_catalog.pg_index x WHERE x.indrelid ${FAMILY})) AS fingerprint`;

export async function readFingerprint(
  session: SqlSession,
  tables: readonly string[],
  quoteTable: (table: string) => string,
): Promise<string> {
  const { rows } = await session.query(FINGERPRINT, [tables.map(quoteTable)]);
  return String(rows[0]?.fingerprint);
}
