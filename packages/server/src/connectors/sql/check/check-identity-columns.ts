// Whether identities can equal what the matched columns hold.
import type { IdentityType } from '@unwrite/protocol';
import type { CheckLine } from '../../../domain/connector.ts';
import type { SqlConnector, TableConfig } from '../../../domain/target.ts';
import type { Catalogue, ColumnKind, ColumnShape } from '../catalogue.ts';
import { problem, warning } from './line.ts';

const MATCHING: Readonly<Record<IdentityType, readonly ColumnKind[]>> = {
  email: ['text'],
  controller_customer_id: ['text', 'integer', 'decimal', 'uuid'],
};

export function checkIdentityColumns(
  connector: SqlConnector,
  tables: readonly TableConfig[],
  catalogue: Catalogue,
): CheckLine[] {
  return tables.flatMap(({ table, match }) =>
    match.flatMap(({ type, column: name }) => {
      const column = catalogue.get(table)?.columns.get(name);
      return column === undefined ? [] : checkIdentityColumn(connector, table, type, column);
    }),
  );
}

export function checkIdentityColumn(
  connector: SqlConnector,
  table: string,
  type: IdentityType,
  column: ColumnShape,
): CheckLine[] {
  if (MATCHING[type].includes(column.kind)) return [];
  const message = `the column "${column.name}" is ${column.type || 'of no type'}, which no ${type} can equal; match on a column of ${MATCHING[type].join(', ')}`;
  // There a value's type is its own, whatever the column declares.
  return [connector === 'sqlite' ? warning(table, message) : problem(table, message)];
}
