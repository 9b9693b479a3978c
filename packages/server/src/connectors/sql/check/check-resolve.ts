// Checks the table in which other identities are looked up.
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { ResolveConfig, SqlTargetConfig } from '../../../domain/target/target.ts';
import { declaredTable, lookupLeads, planLookup } from '../find/lookups/plan-lookup.ts';
import { tenantColumnOf } from '../plan/tenant-column.ts';
import type { CheckContext } from './check-context.ts';
import { checkIdentityColumn } from './check-identity-columns.ts';
import { checkTenancy } from './check-tenancy.ts';
import { checkWhere } from './check-where.ts';
import { hasProblem, ok, problem, warning } from './line.ts';
import { existing, missingColumn, missingTable, readOtherNames } from './missing.ts';
import { checkJsonTexts } from './rows/check-json-texts.ts';
import { explainLookups, lookupByIdentity } from './rows/explain-lookups.ts';

export async function checkResolve(
  context: CheckContext,
  resolve: ResolveConfig,
): Promise<CheckLine[]> {
  const { table, where = {}, from, to } = resolve;
  const { config, database, dialect, probe, read, attempt } = context;
  const { tenancy } = config;
  const leads = lookupLeads(config, resolve).map((one) => one.table);
  const schema = await database.transaction('read', (session) =>
    dialect.readSchema(session, [table], leads),
  );
  const { catalogue, lowerIndexed } = schema;
  const shape = existing(catalogue, table);
  if (shape === undefined) {
    const others = await readOtherNames(context, [table], catalogue);
    const kind = others.kinds.get(table);
    return [kind === undefined ? missingTable(table, others) : problem(table, noTable(kind))];
  }

  const fromColumn = shape.columns.get(from.column);
  const toColumn = shape.columns.get(to.column);
  const declared = declaredTable(config, table);
  const named = tenantColumnOf(tenancy, declared);
  // Where it is told by reference, the column may be missing.
  const isTold = declared.tenant !== undefined && shape.columns.get(named ?? '') === undefined;
  const tenantName = isTold ? null : named;
  const told = Object.keys(where);
  const used = [from.column, to.column, ...told, ...(tenantName === null ? [] : [tenantName])];
  const missing = used.filter((column) => !shape.columns.has(column));
  if (fromColumn === undefined || toColumn === undefined || missing.length > 0)
    return missing.map((column) =>
      column === tenantName
        ? problem(table, ofAllTenants(table, column))
        : missingColumn(dialect, shape, column, 'resolve'),
    );
  const isColumn = tenancy.way === 'column';
  const tenantLines = isColumn ? checkTenancy(config, [declared], catalogue, dialect) : [];
  const lines = [
    ...checkIdentityColumn(dialect, table, from.type, fromColumn),
    ...checkIdentityColumn(dialect, table, to.type, toColumn),
    ...checkWhere(dialect, { table, where }, shape, catalogue),
    ...tenantLines.filter(({ level }) => level !== 'ok'),
    ...readsAllKinds(config, table, told),
    ...(await checkJsonTexts(
      context,
      [from, to].map(({ column }) => ({ table, column })),
      () => 'look up by columns that hold the values themselves',
    )),
  ];
  if (hasProblem(lines)) return lines;

  const need = { table, read: used, isDeleted: false, isChanged: false, written: [] };
  const rights = await attempt(table, () => probe.rights(read, [need], []));
  const refused = rights.filter(({ level, subject }) => level === 'problem' && subject === table);
  if (refused.length > 0) return [...lines, ...refused];
  const match = {
    type: from.type,
    column: fromColumn,
    path: null,
    trim: false,
    isLowerIndexed: lowerIndexed.has(`${table}.${from.column}`),
  };
  // The tables that tell its tenants are checked for themselves, and may not fit.
  const explained = await attempt(table, () => {
    const planned = planLookup(config, resolve, schema, dialect);
    return explainLookups(context, [lookupByIdentity({ table, ...planned.table }, match)]);
  });
  if (hasProblem(explained)) return [...lines, ...explained];
  return [
    ...lines,
    ok(table, `gives the ${to.type} (${to.column}) for each ${from.type} (${from.column})`),
    ...explained,
  ];
}

const noTable = (kind: string) =>
  `is ${kind}, and "resolve" looks in tables alone: their rows are locked while rows are erased by what they give; name the table behind it, with "where" for the rows that are meant`;

const ofAllTenants = (table: string, column: string) =>
  `has no column "${column}", by which "resolve" tells the controller's rows from others; correct tenant_column, or list it with a "tenant" that leads to a table that has one. If ${table} has the people of all tenants, list it in "tables" with "tenancy: none", "match" and "action: { retain: … }": then it is looked in for every controller`;

/** A value from another kind of row would make another person's identity one of this person's. */
function readsAllKinds(
  { work }: SqlTargetConfig,
  table: string,
  told: readonly string[],
): CheckLine[] {
  const entries = work.kind === 'tables' ? work.tables.filter((one) => one.table === table) : [];
  const columns = new Set(entries.flatMap(({ where = {} }) => Object.keys(where)));
  const open = [...columns].filter((column) => !told.includes(column));
  if (open.length === 0) return [];
  return [
    warning(
      table,
      `"resolve" looks in all rows, though "tables" tells them apart by ${open.join(', ')}: a value in a row of another kind would count as an identity; say which rows are meant: where: { ${open[0]}: … } in "resolve"`,
    ),
  ];
}
