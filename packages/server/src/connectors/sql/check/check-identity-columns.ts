// Checks whether the matched columns can hold identities.
import type { IdentityType } from '@unwrite/protocol';
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { JsonPath } from '../../../domain/target/json-path.ts';
import type { SqlConnector, TableConfig } from '../../../domain/target/target.ts';
import { holdsNumbers } from '../canonical-value.ts';
import type { Catalogue, ColumnKind, ColumnShape } from '../catalogue.ts';
import { writeJsonPath } from '../write-json-path.ts';
import { BY_HAND, problem, warning } from './line.ts';
import { writeName } from './write-name.ts';

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
    match.flatMap((one) => {
      const column = catalogue.get(table)?.columns.get(one.column);
      if (column === undefined) return [];
      return one.path === undefined
        ? [
            ...checkIdentityColumn(connector, table, one.type, column),
            ...(one.trim === true ? checkTrimmed(connector, table, column) : []),
          ]
        : checkJsonColumn(connector, table, column, one.path);
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
  // Integers are exact there, and SQLite has no other type for decimals.
  if (connector === 'sqlite' && MATCHING[type].includes('integer') && holdsNumbers(column))
    return [];
  const ways = [
    `match on a column of ${MATCHING[type].join(', ')}`,
    ...(isJson(column)
      ? [`name the place in its JSON: { column: ${column.name}, path: "$.…" }`]
      : []),
    ...(column.kind === 'binary' ? [BY_HAND] : []),
  ];
  const reason =
    column.kind === 'binary'
      ? `which holds bytes, and no ${type} is compared with bytes`
      : `which no ${type} can equal`;
  const message = `the column "${column.name}" is ${column.type || 'of no type'}, ${reason}; ${ways.join(', or ')}`;
  // On SQLite each value has its own type, regardless of the declared type of the column.
  return [connector === 'sqlite' ? warning(table, message) : problem(table, message)];
}

function isJson({ base }: ColumnShape): boolean {
  return base === 'json' || base === 'jsonb';
}

/** On PostgreSQL only these types ensure that every function can read the value. */
function checkJsonColumn(
  connector: SqlConnector,
  table: string,
  column: ColumnShape,
  path: JsonPath,
): CheckLine[] {
  const isText = column.kind === 'text' || column.kind === 'binary';
  const holdsJson =
    isJson(column) ||
    (connector === 'sqlite' && isText) ||
    (connector === 'mysql' && column.kind === 'text');
  if (holdsJson) return [];
  const remedy =
    connector === 'postgres' && column.kind === 'text'
      ? `make it one: ALTER TABLE ${writeName(connector, table)} ALTER COLUMN ${writeName(connector, column.name)} TYPE jsonb USING ${writeName(connector, column.name)}::jsonb, or, where the application needs the text, ${BY_HAND}`
      : 'match on a column that holds JSON, or leave "path" out';
  return [
    problem(
      table,
      `the column "${column.name}" is ${column.type || 'of no type'}, which holds no JSON for the path ${writeJsonPath(path)}; ${remedy}`,
    ),
  ];
}

function checkTrimmed(connector: SqlConnector, table: string, column: ColumnShape): CheckLine[] {
  if (column.kind === 'text' || connector === 'sqlite') return [];
  return [
    problem(
      table,
      `the column "${column.name}" is ${column.type}, which has no blanks around its values; leave "trim" out`,
    ),
  ];
}
