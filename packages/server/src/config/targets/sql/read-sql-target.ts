import { byName } from '../../../domain/by-name.ts';
import { OUTSIDE } from '../../../domain/target/outside.ts';
import type { SqlConnector, SqlTargetConfig, TableConfig } from '../../../domain/target/target.ts';
import { duration, text } from '../../kinds.ts';
import { readCommon, type Undigested } from '../common-fields.ts';
import type { Fields } from '../fields.ts';
import { DATABASES } from './databases.ts';
import { readAddress } from './read-address.ts';
import { readResolve } from './read-resolve.ts';
import { readStatementsWork, tenantParametersIn } from './read-statements.ts';
import { placesOfTables, readTablesWork } from './read-tables.ts';
import { readTenancy } from './read-tenancy.ts';

export const statementTimeout = duration('1s', '10m');
export const lockTimeout = duration('1s', '10m');

export function readSqlTarget(
  name: string,
  connector: SqlConnector,
  target: Fields,
  directory: string,
): Undigested<SqlTargetConfig> {
  const work = readWork(target, connector);
  const parameters = work.kind === 'tables' ? undefined : tenantParametersIn(work, connector);
  const tenancy = readTenancy(target, parameters);
  checkTenantColumn(target, tenancy, work);
  return {
    ...readCommon(name, target, { batchSize: 500, concurrency: DATABASES[connector].concurrency }),
    connector,
    address: readAddress(target, connector, directory),
    controllers: tenancy.way === 'controller' ? [tenancy.controllerId] : null,
    tenancy,
    work,
    statementTimeout: target.read('statement_timeout', statementTimeout, 30) * 1000,
    lockTimeout: target.read('lock_timeout', lockTimeout, 2) * 1000,
    resolve: readResolve(target, tenancy),
    accept: readAccept(target),
  };
}

/** What is ignored is a finding that is accepted. */
function readAccept(target: Fields): Record<string, string> {
  const [accept, ignore] = [target.below('accept'), target.below('ignore')];
  return byName([
    ...Object.keys(accept.values).map((id): [string, string] => [id, accept.need(id, text(), '')]),
    ...Object.keys(ignore.values).map((id): [string, string] => [
      `${OUTSIDE}${id}`,
      ignore.need(id, text(), ''),
    ]),
  ]);
}

function readWork(target: Fields, connector: SqlConnector): SqlTargetConfig['work'] {
  if (target.has('tables') === target.has('sql')) {
    const found = target.has('sql') ? 'both' : 'neither';
    target.problems.add(
      target.place,
      `must have "tables", or hand-written "sql" instead; there is ${found}`,
    );
    if (!target.has('sql')) return { kind: 'tables', tables: [], cascades: [], triggers: [] };
  }
  if (target.has('tables')) return readTablesWork(target);
  for (const name of ['cascades', 'triggers', 'detach']) {
    if (target.has(name)) target.problem(name, 'is only for tables; leave it out with sql');
  }
  return readStatementsWork(target, connector);
}

/** Overwriting the tenant column could give a row to another tenant. */
function checkTenantColumn(
  target: Fields,
  tenancy: SqlTargetConfig['tenancy'],
  work: SqlTargetConfig['work'],
): void {
  if (work.kind !== 'tables') return;
  const places = placesOfTables(target);
  for (const [i, table] of work.tables.entries())
    checkOwnTenancy(target, tenancy, table, `${places[i]}.tenancy`);
  if (tenancy.way !== 'column') return;
  work.tables.forEach(({ action, tenantColumn, tenant = [] }, i) => {
    if (action.kind !== 'overwrite') return;
    const columns = [
      tenantColumn ?? tenancy.column,
      ...tenant.flatMap((one) => Object.keys(one.columns)),
    ];
    for (const column of new Set(columns))
      if (Object.hasOwn(action.columns, column))
        target.problem(
          `${places[i]}.action.overwrite.${column}`,
          column === columns[0]
            ? 'is the tenant column, which says whose the row is; leave it as it is'
            : 'leads to the tenant of the row ("tenant"); leave it as it is',
        );
  });
}

/** A row that belongs to all tenants must not be erased for one of them. */
function checkOwnTenancy(
  target: Fields,
  { way }: SqlTargetConfig['tenancy'],
  { tenancy, tenantColumn, tenant, action }: TableConfig,
  place: string,
): void {
  if (tenancy === undefined) return;
  if (way !== 'column')
    target.problem(place, 'is only for a target with tenant_column; leave it out');
  else if (tenantColumn !== null || tenant !== undefined)
    target.problem(
      place,
      `is set beside ${tenantColumn !== null ? 'tenant_column' : 'tenant'}; remove one of them`,
    );
  else if (action.kind !== 'retain')
    target.problem(
      place,
      'says that rows are of all tenants, so they have to stay: write action: { retain: "<reason>" }, or leave it out',
    );
}
