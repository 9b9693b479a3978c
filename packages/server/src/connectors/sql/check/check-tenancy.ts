// Whether one controller's rows can be told from another's.
import type { CheckLine } from '../../../domain/connector.ts';
import type { SqlTargetConfig, TableConfig, Tenancy } from '../../../domain/target.ts';
import type { Catalogue, ColumnShape } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { ok, problem, warning } from './line.ts';

export function checkTenancy(
  config: SqlTargetConfig,
  tables: readonly Pick<TableConfig, 'table' | 'match'>[],
  catalogue: Catalogue,
  dialect: SqlDialect,
): CheckLine[] {
  const { tenancy } = config;
  if (tenancy.way === 'none')
    return [
      warning(
        'tenancy',
        'is none: a request of any controller erases the rows that match it, whichever controller they are of; declare a tenant column unless this is meant',
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

  const lines = tables
    .filter(({ match }) => Object.keys(match).length > 0)
    .flatMap(({ table }) => {
      const column = catalogue.get(table)?.columns.get(tenancy.column);
      return column === undefined ? [] : checkTenantColumn(table, column, config, tenancy, dialect);
    });
  return lines.length > 0
    ? lines
    : [ok('tenancy', `rows are told apart by the column ${tenancy.column}`)];
}

function checkTenantColumn(
  table: string,
  column: ColumnShape,
  config: SqlTargetConfig,
  tenancy: Extract<Tenancy, { way: 'column' }>,
  dialect: SqlDialect,
): CheckLine[] {
  if (column.kind === 'binary' && config.connector !== 'sqlite')
    return [
      problem(
        table,
        `the tenant column "${column.name}" is ${column.type}, which no tenant's text can equal; take a column of text, integer or uuid`,
      ),
    ];
  const controllers = new Set([...(config.controllers ?? []), ...Object.keys(tenancy.values)]);
  return [...controllers].flatMap((controller) => {
    const value = tenancy.values[controller] ?? controller;
    if (dialect.canHoldText(column, value)) return [];
    const said = controller in tenancy.values ? `tenant value "${value}"` : 'own id';
    return [
      problem(
        table,
        `the tenant column "${column.name}" is ${column.type}, which cannot hold the ${said} of the controller ${controller}; give the right value under tenancy`,
      ),
    ];
  });
}
