// Reads pg_catalog, which every account may read: information_schema hides tables on which an account has no
// rights, and a cascade into such a table must not go unnoticed.

/**
 * $1: as written, $2: schemas (null: use the search path), $3: names. A temporary table covers the table that
 * is meant, on this connection alone: then there is none.
 */
const findTables = (kinds: string) => `
  SELECT n.written, c.oid::text AS id
  FROM unnest($1::text[], $2::text[], $3::text[]) AS n (written, schema, name)
  JOIN pg_catalog.pg_class c ON c.relname = n.name AND c.relkind IN (${kinds})
    AND c.relpersistence <> 't'
  JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
  WHERE CASE WHEN n.schema IS NULL THEN pg_catalog.pg_table_is_visible(c.oid)
             ELSE s.nspname = n.schema END`;

export const FIND_TABLES = findTables("'r', 'p'");

/** What is only read may also be a view, or a table of another server. */
export const FIND_LEADS = findTables("'r', 'p', 'v', 'm', 'f'");

/** Turns an oid (as text) into the name that an operator would write. */
const nameOf = (oid: string) => `(
  SELECT CASE WHEN pg_catalog.pg_table_is_visible(nc.oid) AND strpos(nc.relname, '.') = 0
              THEN nc.relname::text
              ELSE ns.nspname || '.' || nc.relname END
  FROM pg_catalog.pg_class nc JOIN pg_catalog.pg_namespace ns ON ns.oid = nc.relnamespace
  WHERE nc.oid = ${oid})`;

const columnNames = (relation: string, numbers: string) => `(
  SELECT json_agg(ka.attname ORDER BY listed.place)
  FROM unnest(${numbers}) WITH ORDINALITY AS listed (number, place)
  JOIN pg_catalog.pg_attribute ka ON ka.attrelid = ${relation} AND ka.attnum = listed.number)`;

// The equality operator of user-defined types may be in a schema that is not on the search path: a plain =
// would not be found, or would be that of another type.
const EQUALS = `(
  SELECT 'OPERATOR(' || quote_ident(os.nspname) || '.' || o.oprname || ')'
  FROM pg_catalog.pg_opclass oc
  JOIN pg_catalog.pg_am am ON am.oid = oc.opcmethod AND am.amname = 'btree'
  JOIN pg_catalog.pg_amop ao ON ao.amopfamily = oc.opcfamily AND ao.amopstrategy = 3
    AND ao.amoplefttype = oc.opcintype AND ao.amoprighttype = oc.opcintype
  JOIN pg_catalog.pg_operator o ON o.oid = ao.amopopr
  JOIN pg_catalog.pg_namespace os ON os.oid = o.oprnamespace
  WHERE oc.opcintype = b.oid AND oc.opcdefault AND os.nspname <> 'pg_catalog')`;

// A user-defined type may have the name of any other.
const BASE = `(
  SELECT CASE WHEN bn.nspname = 'pg_catalog' OR EXISTS (
      SELECT 1 FROM pg_catalog.pg_depend x
      JOIN pg_catalog.pg_extension e ON e.oid = x.refobjid AND e.extname = b.typname
      WHERE x.classid = 'pg_catalog.pg_type'::regclass AND x.objid = b.oid AND x.deptype = 'e'
        AND x.refclassid = 'pg_catalog.pg_extension'::regclass)
    THEN b.typname::text ELSE pg_catalog.format('%I.%I', bn.nspname, b.typname) END
  FROM pg_catalog.pg_type bt JOIN pg_catalog.pg_namespace bn ON bn.oid = bt.typnamespace
  WHERE bt.oid = b.oid)`;

const isRequiredByDomain = (column: string) => `EXISTS (
  WITH RECURSIVE over AS (
    SELECT t.typbasetype, t.typnotnull FROM pg_catalog.pg_type t WHERE t.oid = ${column}.atttypid
    UNION ALL
    SELECT t.typbasetype, t.typnotnull FROM over JOIN pg_catalog.pg_type t ON t.oid = over.typbasetype)
  SELECT 1 FROM over WHERE typnotnull)`;

// A domain counts as its base type; its length and NOT NULL count as the column's.
const COLUMNS = `
  SELECT json_agg(json_build_object(
    'name', a.attname,
    'base', ${BASE},
    'equals', ${EQUALS},
    'baseType', pg_catalog.format_type(b.oid, -1),
    'looseCollation', CASE WHEN NOT l.collisdeterministic THEN (
      SELECT pg_catalog.quote_ident(s.nspname) || '.' || pg_catalog.quote_ident(l.collname)
      FROM pg_catalog.pg_namespace s WHERE s.oid = l.collnamespace) END,
    'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
    'isNullable', NOT (a.attnotnull OR b.not_null),
    'isGenerated', a.attgenerated <> '' OR a.attidentity = 'a',
    'generation', CASE WHEN a.attgenerated <> '' THEN (
      SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid) FROM pg_catalog.pg_attrdef d
      WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum) END,
    'maxLength', CASE WHEN b.typname IN ('varchar', 'bpchar') AND b.modifier > 4
                      THEN b.modifier - 4 END,
    'collation', l.collname) ORDER BY a.attnum)
  FROM pg_catalog.pg_attribute a
  CROSS JOIN LATERAL (
    WITH RECURSIVE base AS (
      SELECT t.oid, t.typname, t.typtype, t.typbasetype, t.typnotnull AS not_null,
             CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END AS modifier
      FROM pg_catalog.pg_type t WHERE t.oid = a.atttypid
      UNION ALL
      SELECT t.oid, t.typname, t.typtype, t.typbasetype, d.not_null OR t.typnotnull,
             CASE WHEN t.typtype = 'd' AND d.modifier < 0 THEN t.typtypmod ELSE d.modifier END
      FROM base d JOIN pg_catalog.pg_type t ON t.oid = d.typbasetype
      WHERE d.typtype = 'd')
    SELECT * FROM base WHERE typtype <> 'd') b
  LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`;

// Partial, invalid and expression indexes do not identify rows.
const UNIQUES = `
  SELECT json_agg(json_build_object(
    'isPrimary', i.indisprimary,
    'columns', ${columnNames('i.indrelid', '(i.indkey::int2[])[0:i.indnkeyatts - 1]')})
    ORDER BY i.indexrelid)
  FROM pg_catalog.pg_index i
  WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid
    AND i.indpred IS NULL AND i.indexprs IS NULL
    -- Under another collation than the column's, other values are the same.
    AND NOT EXISTS (
      SELECT 1 FROM unnest(i.indkey::int2[], i.indcollation::oid[]) AS part (number, coll)
      JOIN pg_catalog.pg_attribute pa ON pa.attrelid = i.indrelid AND pa.attnum = part.number
      WHERE part.coll <> 0 AND part.coll <> pa.attcollation)`;

// All constraints that refuse a row because of another row.
const DISTINCT_RULES = `
  SELECT json_agg(json_build_object(
    'name', (SELECT x.relname FROM pg_catalog.pg_class x WHERE x.oid = i.indexrelid),
    'columns', coalesce(${columnNames('i.indrelid', '(i.indkey::int2[])[0:i.indnkeyatts - 1]')}, '[]'),
    'expressions', (
      SELECT coalesce(json_agg(pg_catalog.pg_get_indexdef(i.indexrelid, part.place, true)), '[]')
      FROM generate_series(1, i.indnkeyatts::int) AS part (place)
      WHERE (i.indkey::int2[])[part.place - 1] = 0))
    ORDER BY i.indexrelid)
  FROM pg_catalog.pg_index i
  WHERE i.indrelid = c.oid AND (i.indisunique OR i.indisexclusion) AND i.indisready`;

// Rules rewrite a DELETE before it runs, so they are treated like triggers. Partitions and inheriting tables
// are included: their row triggers fire when the parent is named.
const TRIGGERS = `
  SELECT json_agg(DISTINCT jsonb_build_object('name', e.name, 'events', e.events)
    || CASE WHEN e.is_rule THEN '{"isRule": true}'::jsonb ELSE '{}' END
    || CASE WHEN e.columns IS NULL THEN '{}' ELSE jsonb_build_object('columns', e.columns) END)
  FROM (
    SELECT t.tgname::text AS name, array_remove(ARRAY[
      CASE WHEN t.tgtype & 4 > 0 THEN 'insert' END,
      CASE WHEN t.tgtype & 8 > 0 THEN 'delete' END,
      CASE WHEN t.tgtype & 16 > 0 THEN 'update' END], NULL) AS events, false AS is_rule,
      (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_catalog.pg_attribute a
       WHERE a.attrelid = t.tgrelid AND a.attnum = ANY (t.tgattr::int2[])) AS columns
    FROM pg_catalog.pg_trigger t
    WHERE t.tgrelid IN (SELECT oid FROM family) AND NOT t.tgisinternal AND t.tgenabled <> 'D'
    UNION ALL
    SELECT r.rulename::text, ARRAY[CASE r.ev_type
      WHEN '2' THEN 'update' WHEN '3' THEN 'insert' WHEN '4' THEN 'delete' END], true, NULL
    FROM pg_catalog.pg_rewrite r
    WHERE r.ev_class IN (SELECT oid FROM family) AND r.ev_type <> '1' AND r.ev_enabled <> 'D') e
  WHERE e.events <> '{}'`;

// A key that is not enforced (PostgreSQL 18), or whose triggers are disabled, neither acts nor refuses.
const ACTS = `(coalesce((to_jsonb(k)->>'conenforced')::boolean, true) AND NOT EXISTS (
      SELECT 1 FROM pg_catalog.pg_trigger a
      WHERE a.tgconstraint = k.oid AND a.tgrelid = k.confrelid AND a.tgenabled IN ('D', 'R')))`;

// The operators that the key compares with. For a polymorphic type (any enumeration, any array), the parent's
// type is used.
const OPERATORS = `(
  SELECT json_agg(json_build_object(
    'sql', 'OPERATOR(' || quote_ident(os.nspname) || '.' || o.oprname || ')',
    'parentType', CASE WHEN rt.typtype = 'p' THEN pg_catalog.format_type(pt.oid, -1) END,
    'childType', pg_catalog.format_type(CASE WHEN rt.typtype = 'p' THEN pt.oid ELSE rt.oid END, -1),
    'collation', CASE WHEN pa.attcollation <> ca.attcollation AND pa.attcollation <> 0
                       AND rt.typcollation <> 0
                      THEN quote_ident(ls.nspname) || '.' || quote_ident(l.collname) END)
    ORDER BY e.place)
  FROM unnest(k.conpfeqop, k.confkey, k.conkey) WITH ORDINALITY AS e (operator, parent, child, place)
  JOIN pg_catalog.pg_operator o ON o.oid = e.operator
  JOIN pg_catalog.pg_namespace os ON os.oid = o.oprnamespace
  JOIN pg_catalog.pg_type rt ON rt.oid = o.oprright
  JOIN pg_catalog.pg_attribute pa ON pa.attrelid = k.confrelid AND pa.attnum = e.parent
  JOIN pg_catalog.pg_attribute ca ON ca.attrelid = k.conrelid AND ca.attnum = e.child
  JOIN pg_catalog.pg_type ot ON ot.oid = pa.atttypid
  JOIN pg_catalog.pg_type pt ON pt.oid = CASE WHEN ot.typtype = 'd' THEN ot.typbasetype ELSE ot.oid END
  LEFT JOIN pg_catalog.pg_collation l ON l.oid = pa.attcollation
  LEFT JOIN pg_catalog.pg_namespace ls ON ls.oid = l.collnamespace)`;

// For tables with inheritance or partitions: the key covers the table's own rows and, for partitions, theirs.
const PART = `(
  WITH RECURSIVE above AS (
    SELECT h.inhparent, 1 AS level FROM pg_catalog.pg_inherits h WHERE h.inhrelid = k.conrelid
    UNION
    SELECT h.inhparent, a.level + 1 FROM above a JOIN pg_catalog.pg_inherits h ON h.inhrelid = a.inhparent)
  SELECT json_build_object(
    'isWhole', kc.relkind = 'p' OR NOT EXISTS (
      SELECT 1 FROM pg_catalog.pg_inherits h WHERE h.inhparent = kc.oid),
    'of', (SELECT coalesce(json_agg(a.inhparent::text ORDER BY a.level), '[]') FROM above a),
    'rowsIn', (SELECT json_agg(r.oid) FROM (
      SELECT k.conrelid::text WHERE kc.relkind <> 'p'
      UNION ALL
      SELECT t.relid::oid::text FROM pg_catalog.pg_partition_tree(k.conrelid) t
      WHERE kc.relkind = 'p' AND t.isleaf) r (oid)))
  FROM pg_catalog.pg_class kc
  WHERE kc.oid = k.conrelid AND EXISTS (
    SELECT 1 FROM pg_catalog.pg_inherits h
    WHERE h.inhrelid = kc.oid OR (h.inhparent = kc.oid AND kc.relkind <> 'p')))`;

// A key may refer to a partition, or to the table that this one is a partition of. The copies that the server
// makes for each partition have a parent, and are skipped.
const REFERRING = `
  FROM pg_catalog.pg_constraint k
  WHERE k.contype = 'f' AND k.conparentid = 0
    AND k.confrelid IN (
      SELECT oid FROM family UNION ALL
      SELECT relid FROM pg_catalog.pg_partition_ancestors(c.oid) AS relid)`;

const KEYS = `
  SELECT json_agg(json_build_object(
    'name', k.conname,
    'tableId', k.conrelid::text,
    'tableName', ${nameOf('k.conrelid')},
    'columns', ${columnNames('k.conrelid', 'k.conkey')},
    'required', (
      SELECT json_agg(ka.attname ORDER BY ka.attnum) FROM pg_catalog.pg_attribute ka
      WHERE ka.attrelid = k.conrelid AND ka.attnum = ANY(k.conkey)
        AND (ka.attnotnull OR ka.attgenerated <> '' OR ${isRequiredByDomain('ka')})),
    'referencedColumns', ${columnNames('k.confrelid', 'k.confkey')},
    'referencedPart', CASE WHEN c.relkind = 'p' AND k.confrelid <> c.oid
                             AND k.confrelid IN (SELECT oid FROM family)
                           THEN ${nameOf('k.confrelid')} END,
    'part', ${PART},
    -- What a cascade reaches is deleted by statements of ours in any case.
    'onDelete', CASE WHEN k.confdeltype = 'c' OR ${ACTS} THEN k.confdeltype ELSE 'a' END,
    'onUpdate', CASE WHEN ${ACTS} THEN k.confupdtype ELSE 'a' END,
    -- ON DELETE SET NULL (column), which came with PostgreSQL 15.
    'setColumns', (
      SELECT json_agg(ka.attname ORDER BY ka.attnum) FROM pg_catalog.pg_attribute ka
      WHERE ka.attrelid = k.conrelid
        AND to_jsonb(k)->'confdelsetcols' @> to_jsonb(ka.attnum)),
    'isMatchFull', k.confmatchtype = 'f',
    -- PERIOD, which came with PostgreSQL 18.
    'isOfPeriods', coalesce((to_jsonb(k)->>'conperiod')::boolean, false),
    'operators', ${OPERATORS},
    'isDeferrable', k.condeferrable) ORDER BY k.conname, k.oid)
  ${REFERRING}`;

/** One row for each table of $1 (oids as text), with its shape as JSON text. */
const ofEach = (shape: string) => `
  SELECT s.shape::text AS shape
  FROM unnest($1::text[]) AS wanted (id)
  JOIN pg_catalog.pg_class c ON c.oid = wanted.id::oid
  CROSS JOIN LATERAL (
    WITH RECURSIVE family AS (
      SELECT c.oid
      UNION
      SELECT h.inhrelid FROM family f JOIN pg_catalog.pg_inherits h ON h.inhparent = f.oid)
    SELECT json_build_object('id', wanted.id, ${shape}) AS shape) s`;

export const READ_TABLES = ofEach(`
      'name', ${nameOf('c.oid')},
      'schema', c.relnamespace::regnamespace::text,
      'columns', coalesce((${COLUMNS}), '[]'),
      'uniques', coalesce((${UNIQUES}), '[]'),
      'rules', coalesce((${DISTINCT_RULES}), '[]'),
      'triggers', coalesce((${TRIGGERS}), '[]'),
      'ancestors', (
        WITH RECURSIVE up AS (
          SELECT h.inhparent FROM pg_catalog.pg_inherits h WHERE h.inhrelid = c.oid
          UNION
          SELECT h.inhparent FROM up u JOIN pg_catalog.pg_inherits h ON h.inhrelid = u.inhparent)
        SELECT coalesce(json_agg(up.inhparent::text), '[]') FROM up),
      -- The chunks of TimescaleDB are partitions: the table's own indexes apply to all of them.
      'isInherited', c.relkind = 'r' AND EXISTS (
        SELECT 1 FROM pg_catalog.pg_inherits h
        JOIN pg_catalog.pg_class heir ON heir.oid = h.inhrelid
        JOIN pg_catalog.pg_namespace hn ON hn.oid = heir.relnamespace
        WHERE h.inhparent = c.oid AND hn.nspname <> '_timescaledb_internal'),
      -- What a lock of rows needs.
      'isLockable', c.relkind IN ('r', 'p') AND pg_catalog.has_any_column_privilege(c.oid, 'UPDATE'),
      'isReferenced', EXISTS (SELECT 1 ${REFERRING})`);

/** For the tables that are referenced. By itself: to plan it takes the server as long as to plan all the rest. */
export const READ_KEYS = ofEach(`'keys', coalesce((${KEYS}), '[]')`);
