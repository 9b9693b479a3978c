// Trigger functions run with the rights and the search_path of the account that erases, unless they are defined
// otherwise: a function that was written for the application's account may fail for this one.
import type { CheckLine } from '../../domain/target/connector.ts';
import { acceptable, listNames } from '../sql/check/line.ts';
import type { Need, Read } from '../sql/check/probe.ts';
import { writeName } from '../sql/check/write-name.ts';
import type { SqlRow } from '../sql/session.ts';
import { FIND_TABLES } from './postgres-catalogue-sql.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { namesOf } from './postgres-names.ts';
import { type FunctionWrite, writesIn } from './trigger-writes.ts';

/** $4: 8 for DELETE, 16 for UPDATE, as in pg_trigger. $5: the columns that are updated. */
const FUNCTIONS = `
  SELECT t.tgname::text AS trigger, p.oid::regprocedure::text AS function, p.prosrc AS source,
         coalesce(array_to_string(p.proconfig, ' ') ~ '(^| )search_path=', false) AS has_path
  FROM (${FIND_TABLES}) f
  JOIN pg_catalog.pg_trigger t ON t.tgrelid = f.id::oid
  JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
  JOIN pg_catalog.pg_language l ON l.oid = p.prolang
  WHERE NOT t.tgisinternal AND t.tgenabled IN ('O', 'A') AND t.tgtype::int & $4::int > 0
    AND NOT p.prosecdef AND l.lanname = 'plpgsql'
    AND (t.tgattr = '' OR t.tgtype::int & $4::int & 8 > 0 OR EXISTS (
      SELECT 1 FROM pg_catalog.pg_attribute a
      WHERE a.attrelid = t.tgrelid AND a.attnum = ANY (t.tgattr::int2[])
        AND (a.attgenerated <> '' OR a.attname = ANY ($5::text[]))))
  ORDER BY 1`;
const WRITTEN = `
  SELECT pg_catalog.to_regclass($1)::oid::text AS id,
         pg_catalog.has_table_privilege(pg_catalog.to_regclass($1)::oid, $2) AS may,
         (SELECT array_agg(n.nspname::text ORDER BY 1) FROM pg_catalog.pg_class c
          JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
          WHERE c.relname = $3 AND c.relkind IN ('r', 'p', 'v')) AS schemas`;

const DELETE = 8;
const UPDATE = 16;

export async function checkTriggerFunctions(
  read: Read,
  needs: readonly Need[],
  role: string,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  for (const { table, isDeleted, written } of needs) {
    const events = (isDeleted ? DELETE : 0) + (written.length > 0 ? UPDATE : 0);
    if (events === 0) continue;
    for (const row of await read(FUNCTIONS, [...namesOf([table]), events, written]))
      for (const write of writesIn(String(row.source))) {
        const fault = await faultOf(read, row, write, role);
        if (fault !== undefined)
          lines.push(
            acceptable(
              `trigger:${row.trigger}`,
              table,
              `the trigger ${row.trigger} runs ${row.function}, which writes to ${write.table}, ${fault}`,
            ),
          );
      }
  }
  return lines;
}

async function faultOf(
  read: Read,
  { function: called, has_path: hasPath }: SqlRow,
  { right, table }: FunctionWrite,
  role: string,
): Promise<string | undefined> {
  const isQualified = table.replaceAll(/"[^"]*"/g, '').includes('.');
  // The function has its own search_path: the name may mean another table there than on this connection.
  if (hasPath === true && !isQualified) return undefined;
  const bare = table.replaceAll('"', '');
  const folded = table.startsWith('"') ? bare : bare.toLowerCase();
  const [row = {}] = await read(WRITTEN, [table, right, folded]);
  if (row.id === null) {
    const schemas = Array.isArray(row.schemas) ? row.schemas.map(String) : [];
    const path = schemas.length === 1 ? writeName(postgresDialect, schemas[0] ?? '') : '<schema>';
    return `and ${role} finds no such table${schemas.length === 0 ? '' : ` by its search_path (there is one in the schema ${listNames(schemas)})`}; run: ALTER FUNCTION ${called} SET search_path = ${path}, or ALTER ROLE ${role} SET search_path = ${path}`;
  }
  return row.may === true
    ? undefined
    : `with the rights of ${role}, which may not; run: GRANT ${right} ON ${table} TO ${role}, or ALTER FUNCTION ${called} SECURITY DEFINER SET search_path = <schema>`;
}
