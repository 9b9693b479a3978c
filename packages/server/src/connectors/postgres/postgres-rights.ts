import type { CheckLine } from '../../domain/target/connector.ts';
import {
  lackedRights,
  listNames,
  type MissingRights,
  note,
  ok,
  problem,
  warning,
} from '../sql/check/line.ts';
import type { Need, Read } from '../sql/check/probe.ts';
import { writeName, writeTable } from '../sql/check/write-name.ts';
import { splitTableName } from '../sql/table-name.ts';
import { checkTriggerFunctions } from './check-trigger-functions.ts';
import { FIND_LEADS, FIND_TABLES } from './postgres-catalogue-sql.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { namesOf } from './postgres-names.ts';

/** $4: columns to read, $5: columns to write. */
const RIGHTS = `
  SELECT n.nspname::text AS schema,
         pg_catalog.has_schema_privilege(n.oid, 'USAGE') AS may_use,
         pg_catalog.has_table_privilege(c.oid, 'DELETE') AS may_delete,
         (SELECT bool_and(pg_catalog.has_column_privilege(c.oid, x, 'SELECT'))
          FROM unnest($4::text[]) x) AS may_read,
         (SELECT bool_and(pg_catalog.has_column_privilege(c.oid, x, 'UPDATE'))
          FROM unnest($5::text[]) x) AS may_write,
         pg_catalog.has_any_column_privilege(c.oid, 'UPDATE') AS may_lock
  FROM (${FIND_LEADS}) f
  JOIN pg_catalog.pg_class c ON c.oid = f.id::oid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`;

const ACCOUNT = `
  SELECT rolname::text AS name, rolsuper AS is_super FROM pg_catalog.pg_roles WHERE rolname = current_user`;

const OWNED = `
  SELECT f.written FROM (${FIND_TABLES}) f JOIN pg_catalog.pg_class c ON c.oid = f.id::oid
  WHERE pg_catalog.pg_has_role(c.relowner, 'USAGE') ORDER BY 1`;

const BEYOND = `
  SELECT CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN c.relname::text
              ELSE n.nspname || '.' || c.relname END AS name
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_t%'
    AND c.oid NOT IN (SELECT f.id::oid FROM (${FIND_TABLES}) f)
    AND (pg_catalog.has_table_privilege(c.oid, 'DELETE, TRUNCATE')
         OR pg_catalog.has_any_column_privilege(c.oid, 'UPDATE'))
  ORDER BY 1`;

const CREATES = `
  SELECT nspname::text AS name FROM pg_catalog.pg_namespace
  WHERE nspname NOT LIKE 'pg\\_%' AND pg_catalog.has_schema_privilege(oid, 'CREATE') ORDER BY 1`;

export async function checkPostgresRights(
  read: Read,
  needs: readonly Need[],
  triggered: readonly string[],
): Promise<CheckLine[]> {
  const [account = {}] = await read(ACCOUNT);
  const role = writeName(postgresDialect, String(account.name));
  const functions = await checkTriggerFunctions(read, needs, role);
  if (account.is_super === true)
    return [
      ...functions,
      warning(
        'account',
        `${role} is a superuser: it could erase and change anything; give Unwrite an account with the rights that the plan needs`,
      ),
    ];
  const found = [];
  for (const need of needs) found.push(await checkNeed(read, need, role));
  const lines = [
    ...found.flatMap((one) => one.schemas),
    ...lackedRights(
      role,
      grantsFor(
        found.flatMap(({ missing }) => missing),
        role,
      ),
    ),
    ...found.flatMap(({ notes }) => notes),
  ];
  if (lines.length === 0) lines.push(ok('account', `${role} may do what the plan needs`));
  const named = [...needs.map(({ table }) => table), ...triggered];
  return [...lines, ...functions, ...(await checkBeyond(read, named, role))];
}

interface Checked {
  readonly schemas: readonly CheckLine[];
  readonly missing: readonly Missing[];
  readonly notes: readonly CheckLine[];
}

interface Missing {
  readonly table: string;
  /** `SELECT, DELETE` */
  readonly rights: string;
}

/** One statement for all tables that need the same. */
function grantsFor(missing: readonly Missing[], role: string): MissingRights[] {
  return [...Map.groupBy(missing, ({ rights }) => rights)].flatMap(([rights, own]) => {
    const names = own.map(({ table }) => writeTable(postgresDialect, table));
    const grant = `GRANT ${rights} ON ${names.join(', ')} TO ${role}`;
    return own.map(({ table }) => ({ table, grant }));
  });
}

async function checkNeed(read: Read, need: Need, role: string): Promise<Checked> {
  const [row] = await read(RIGHTS, [...namesOf([need.table]), need.read, need.written]);
  if (row === undefined) return { schemas: [], missing: [], notes: [] };
  const table = writeTable(postgresDialect, need.table);
  const missing = [
    ...(row.may_read === false ? ['SELECT'] : []),
    ...(need.isDeleted && row.may_delete !== true ? ['DELETE'] : []),
    ...(row.may_write === false
      ? [`UPDATE (${need.written.map((column) => writeName(postgresDialect, column)).join(', ')})`]
      : []),
  ];
  const schema = splitTableName(need.table).schema ?? String(row.schema);
  return {
    schemas:
      row.may_use === true
        ? []
        : [
            problem(
              need.table,
              `${role} may not use its schema; run: GRANT USAGE ON SCHEMA ${writeName(postgresDialect, schema)} TO ${role}`,
            ),
          ],
    missing: missing.length === 0 ? [] : [{ table: need.table, rights: missing.join(', ') }],
    notes:
      need.lockedBy === undefined || need.written.length > 0 || row.may_lock === true
        ? []
        : [note(need.table, cannotLock(table, need.lockedBy, role))],
  };
}

async function checkBeyond(
  read: Read,
  named: readonly string[],
  role: string,
): Promise<CheckLine[]> {
  const tables = namesOf(named);
  const names = async (sql: string, values: Parameters<Read>[1] = []) =>
    (await read(sql, values)).map((row) => String(row.written ?? row.name));
  const owned = await names(OWNED, tables);
  const beyond = await names(BEYOND, tables);
  const creates = await names(CREATES);
  return [
    ...(owned.length > 0
      ? [
          warning(
            'account',
            `${role} owns ${listNames(owned)}, so it could change or drop them; take an account that owns nothing`,
          ),
        ]
      : []),
    ...(beyond.length > 0
      ? [
          warning(
            'account',
            `${role} may also delete from or update ${listNames(beyond)}, which the plan does not name; revoke what is not needed`,
          ),
        ]
      : []),
    ...(creates.length > 0
      ? [
          note(
            'account',
            `${role} may create tables in the schema ${listNames(creates)}, which the plan does not need`,
          ),
        ]
      : []),
  ];
}

/** PostgreSQL allows an account to lock a row only if it may update a column of it. */
function cannotLock(table: string, column: string, role: string): string {
  return `its rows say whose other rows are, and ${role} may not lock them: if another transaction gives one to somebody else in the very moment of erasing, the rows that it led to go all the same; run: GRANT UPDATE (${writeName(postgresDialect, column)}) ON ${table} TO ${role}`;
}
