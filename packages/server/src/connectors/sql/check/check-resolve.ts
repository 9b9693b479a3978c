// The table that other identities are looked up in.
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { ResolveConfig } from '../../../domain/target/target.ts';
import { quoteTable } from '../dialect.ts';
import { tenantColumnIn } from '../plan/tenant-column.ts';
import type { CheckContext } from './check-context.ts';
import { checkIdentityColumn } from './check-identity-columns.ts';
import { checkTenancy } from './check-tenancy.ts';
import { hasProblem, ok } from './line.ts';
import { existing, missingColumn, missingTable } from './missing.ts';
import { explainLookups, lookupByIdentity } from './rows/explain-lookups.ts';

export async function checkResolve(
  context: CheckContext,
  { table, from, to }: ResolveConfig,
): Promise<CheckLine[]> {
  const { config, database, dialect, probe, read, attempt } = context;
  const { connector, tenancy } = config;
  const { catalogue, lowerIndexed } = await database.transaction('read', (session) =>
    dialect.readSchema(session, [table]),
  );
  const shape = existing(catalogue, table);
  if (shape === undefined) return [missingTable(table, await probe.otherKinds(read, [table]))];

  const fromColumn = shape.columns.get(from.column);
  const toColumn = shape.columns.get(to.column);
  const tenantName = tenantColumnIn(config, table);
  const tenant = tenantName === null ? null : shape.columns.get(tenantName);
  if (fromColumn === undefined || toColumn === undefined || tenant === undefined) {
    const used = [from.column, to.column, ...(tenantName === null ? [] : [tenantName])];
    return used
      .filter((column) => !shape.columns.has(column))
      .map((column) => missingColumn(connector, shape, column, 'resolve'));
  }
  const isColumn = tenancy.way === 'column';
  const tenantLines = isColumn
    ? checkTenancy(config, [{ table, tenantColumn: tenantName }], catalogue, dialect)
    : [];
  const lines = [
    ...checkIdentityColumn(connector, table, from.type, fromColumn),
    ...checkIdentityColumn(connector, table, to.type, toColumn),
    ...tenantLines.filter(({ level }) => level !== 'ok'),
  ];
  if (hasProblem(lines)) return lines;

  const columns = [fromColumn, toColumn, ...(tenant === null ? [] : [tenant])];
  const need = { table, read: columns.map(({ name }) => name), isDeleted: false, written: [] };
  const rights = await attempt(table, () => probe.rights(read, [need], []));
  const refused = rights.filter(({ level, subject }) => level === 'problem' && subject === table);
  if (refused.length > 0) return [...lines, ...refused];
  const lookup = lookupByIdentity(
    { name: table, table, sqlName: quoteTable(dialect, table), tenant, where: [] },
    {
      type: from.type,
      column: fromColumn,
      path: null,
      trim: false,
      isLowerIndexed: lowerIndexed.has(`${table}.${from.column}`),
    },
  );
  return [
    ...lines,
    ok(table, `gives the ${to.type} (${to.column}) for each ${from.type} (${from.column})`),
    ...(await explainLookups(context, [lookup])),
  ];
}
