// Checks whether the matched columns can hold identities.
import type { AnyType } from '../../../domain/request/identity.ts';
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { JsonPath } from '../../../domain/target/json-path.ts';
import type { TableConfig } from '../../../domain/target/target.ts';
import { holdsNumbers } from '../canonical-value.ts';
import type { Catalogue, ColumnKind, ColumnShape } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { writeJsonPath } from '../write-json-path.ts';
import { BY_HAND, problem, warning } from './line.ts';
import { writeName, writeTable } from './write-name.ts';

const kindsFor = (type: AnyType): readonly ColumnKind[] =>
  type === 'email' ? ['text'] : ['text', 'integer', 'decimal', 'uuid'];

export function checkIdentityColumns(
  dialect: SqlDialect,
  tables: readonly TableConfig[],
  catalogue: Catalogue,
): CheckLine[] {
  return tables.flatMap(({ table, match }) =>
    match.flatMap((one) => {
      const column = catalogue.get(table)?.columns.get(one.column);
      if (column === undefined) return [];
      return one.path === undefined
        ? [
            ...checkIdentityColumn(dialect, table, one.type, column),
            ...(one.trim === true ? checkTrimmed(dialect, table, column) : []),
          ]
        : checkJsonColumn(dialect, table, column, one.path);
    }),
  );
}

export function checkIdentityColumn(
  dialect: SqlDialect,
  table: string,
  type: AnyType,
  column: ColumnShape,
): CheckLine[] {
  const kinds = kindsFor(type);
  if (kinds.includes(column.kind)) return [];
  // Such a column may hold integers, which are exact.
  if (!dialect.typing.isByColumn && kinds.includes('integer') && holdsNumbers(column)) return [];
  const ways = [
    `match on a column of ${kinds.join(', ')}`,
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
  return [dialect.typing.isByColumn ? problem(table, message) : warning(table, message)];
}

function isJson({ base }: ColumnShape): boolean {
  return base === 'json' || base === 'jsonb';
}

function checkJsonColumn(
  dialect: SqlDialect,
  table: string,
  column: ColumnShape,
  path: JsonPath,
): CheckLine[] {
  const { otherKinds, fromText } = dialect.json;
  if (isJson(column) || otherKinds.includes(column.kind)) return [];
  const remedy =
    column.kind === 'text' && fromText !== null
      ? `make it one: ${fromText(writeTable(dialect, table), writeName(dialect, column.name))}, or, where the application needs the text, ${BY_HAND}`
      : 'match on a column that holds JSON, or leave "path" out';
  return [
    problem(
      table,
      `the column "${column.name}" is ${column.type || 'of no type'}, which holds no JSON for the path ${writeJsonPath(path)}; ${remedy}`,
    ),
  ];
}

function checkTrimmed({ typing }: SqlDialect, table: string, column: ColumnShape): CheckLine[] {
  if (column.kind === 'text' || !typing.isByColumn) return [];
  return [
    problem(
      table,
      `the column "${column.name}" is ${column.type}, which has no blanks around its values; leave "trim" out`,
    ),
  ];
}
