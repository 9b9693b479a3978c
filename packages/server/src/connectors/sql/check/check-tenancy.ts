// Checks whether the rows of different controllers can be told apart.
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { SqlTargetConfig, TableConfig, Tenancy } from '../../../domain/target/target.ts';
import { tenantValues } from '../../../domain/target/tenant-value.ts';
import type { ControllerId } from '../../../domain/tenant/controller-id.ts';
import type { Catalogue, ColumnShape } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { tenantText } from '../find/tenants.ts';
import { tenantColumnOf } from '../plan/tenant-column.ts';
import { BY_HAND, listNames, ok, problem, warning } from './line.ts';

export function checkTenancy(
  config: SqlTargetConfig,
  tables: readonly Pick<TableConfig, 'table' | 'tenantColumn'>[],
  catalogue: Catalogue,
  dialect: SqlDialect,
): CheckLine[] {
  const { tenancy } = config;
  if (tenancy.way === 'none')
    return [
      warning(
        'tenancy',
        'is none: a request of any controller erases the rows that match it, whichever controller they are of; give a tenant_column unless this is meant',
      ),
    ];
  if (tenancy.way === 'controller')
    return [
      ok(
        'tenancy',
        `all rows are ${tenancy.controllerId}'s; requests of other controllers find nothing here`,
      ),
    ];
  if (tenancy.way === 'parameter') return [ok('tenancy', 'is a parameter of the statements')];

  const lines = tables.flatMap((table) => {
    const name = tenantColumnOf(tenancy, table) ?? '';
    const column = catalogue.get(table.table)?.columns.get(name);
    return column === undefined
      ? []
      : checkTenantColumn(table.table, column, config, tenancy, dialect);
  });
  return lines.length > 0
    ? inOneLine(lines)
    : [ok('tenancy', `rows are told apart by the column ${tenancy.column}`)];
}

/** All warnings are that no controller is listed. */
function inOneLine(lines: readonly CheckLine[]): CheckLine[] {
  const unlisted = lines.filter(({ level }) => level === 'warning');
  if (unlisted.length < 2) return [...lines];
  const tables = [...new Set(unlisted.map(({ subject }) => subject))];
  return [
    ...lines.filter(({ level }) => level !== 'warning'),
    warning(
      'tenancy',
      `the tenant columns of ${listNames(tables)} cannot hold every text, and no controller is listed under "tenants": each is looked for by its own id, and fails where a column cannot hold that; list them`,
    ),
  ];
}

function checkTenantColumn(
  table: string,
  column: ColumnShape,
  config: SqlTargetConfig,
  tenancy: Extract<Tenancy, { way: 'column' }>,
  dialect: SqlDialect,
): CheckLine[] {
  const { typing } = dialect;
  if (column.kind === 'binary' && typing.isByColumn)
    return [
      problem(
        table,
        `the tenant column "${column.name}" is ${column.type}, which holds bytes, and no tenant's text is compared with bytes; take a column of text, integer or uuid, add one (${typing.hexColumn.add(table, column.name, bytesOf(column))}) and list its values, in ${typing.hexColumn.letters} letters, under "tenants", or ${BY_HAND}`,
      ),
    ];
  if (column.kind === 'other' && HAS_SPELLINGS.test(column.base ?? column.type))
    return [
      problem(
        table,
        `the tenant column "${column.name}" is ${column.type}, which has several spellings for one value, and tenants are compared by their texts; take a column of text, integer or uuid, or ${BY_HAND}`,
      ),
    ];
  const { values } = tenancy;
  const listed = Object.keys(values) as ControllerId[];
  if (listed.length === 0 && !dialect.canHoldText(column, 'a'))
    return [
      warning(
        table,
        `the tenant column "${column.name}" is ${column.type}, and no controller is listed under "tenants": each is looked for by its own id, and fails where the column cannot hold that; list them`,
      ),
    ];
  return [...new Set([...listed, ...(config.controllers ?? [])])].flatMap((controller) => {
    const own = tenantValues(values, controller);
    const value = own.find((one) => !dialect.canHoldText(column, tenantText(column, one)));
    if (own.length > 0 && value === undefined) return [];
    const reason =
      value === undefined
        ? `the id of the controller ${controller} is the tenant value of another`
        : `the tenant column "${column.name}" is ${column.type}, which cannot hold "${value}" of the controller ${controller}`;
    return [problem(table, `${reason}; give ${controller} its own value under "tenants"`)];
  });
}

function bytesOf({ maxLength, type }: ColumnShape): number {
  return maxLength ?? Number(/\((\d+)\)/.exec(type)?.[1] ?? 16);
}

/** Those that the databases have; `_…` are PostgreSQL's arrays. */
const HAS_SPELLINGS =
  /^(?:date|time|timetz|timestamp|timestamptz|datetime|year|interval|money|oid|macaddr8?|jsonb?|tsvector|tsquery|pg_lsn|(?:int4|int8|num|ts|tstz|date)(?:multi)?range|_\w+)\b/i;
