// Whether what is to be written into overwritten columns will be taken.
import type { CheckLine } from '../../../domain/connector.ts';
import type { SqlTargetConfig, TableConfig } from '../../../domain/target.ts';
import type { Catalogue, TableShape } from '../catalogue.ts';
import { tenantColumnOf } from '../plan/tenant-column.ts';
import { listNames, note, problem, warning } from './line.ts';
import { refuseValue } from './refuse-value.ts';

export function checkOverwrites(
  config: SqlTargetConfig,
  tables: readonly TableConfig[],
  catalogue: Catalogue,
): CheckLine[] {
  return tables.flatMap((table) => {
    const shape = catalogue.get(table.table);
    if (table.action.kind !== 'overwrite' || shape === undefined) return [];
    const columns = Object.entries(table.action.columns);
    return [
      ...columns.flatMap(([name, overwrite]) => {
        const column = shape.columns.get(name);
        if (column === undefined) return [];
        const messages = [
          ...refusedBecauseOf(config, table, shape, name),
          ...(overwrite.kind === 'value' ? checkUnique(config, table, shape, name) : []),
          ...(overwrite.kind === 'value' ? checkReferred(table, tables, name) : []),
          ...refuseValue(column, overwrite),
        ];
        return messages.map((message) => problem(table.table, message));
      }),
      ...maybeTaken(config, table, shape),
      ...stillNamed(table, Object.keys(table.action.columns)),
    ];
  });
}

function refusedBecauseOf(
  config: SqlTargetConfig,
  table: TableConfig,
  shape: TableShape,
  name: string,
): string[] {
  const key = table.key ?? shape.primaryKey;
  return [
    ...(shape.columns.get(name)?.isGenerated
      ? [
          `"${name}" is computed by the database and cannot be overwritten; overwrite what it is computed from`,
        ]
      : []),
    ...(key.includes(name)
      ? [
          `"${name}" is part of the key that names the row, and cannot be overwritten; leave it out, or take another "key"`,
        ]
      : []),
    ...(tenantColumnOf(config.tenancy, table) === name
      ? [
          `"${name}" tells one controller's rows from another's, and cannot be overwritten; leave it out`,
        ]
      : []),
  ];
}

/** The same value in many rows would make each of them the parent of all their children. */
function checkReferred(
  { table }: TableConfig,
  tables: readonly TableConfig[],
  name: string,
): string[] {
  const child = tables.find(({ via }) =>
    via.some(({ parent, columns }) => parent === table && Object.values(columns).includes(name)),
  );
  if (child === undefined) return [];
  return [
    `"${name}" is what ${child.table} refers to (via), so it may not have the same value in every row; write null or a hash instead`,
  ];
}

function checkUnique(
  config: SqlTargetConfig,
  table: TableConfig,
  shape: TableShape,
  name: string,
): string[] {
  const unique = shape.uniques.find(
    (columns) => columns.includes(name) && isTaken(config, table, columns),
  );
  if (unique === undefined) return [];
  const among =
    unique.length === 1 ? '' : ` (with ${listNames(unique.filter((one) => one !== name))})`;
  return [
    `"${name}" is unique${among}, so the same value fits one row only; write null or a hash instead`,
  ];
}

/** Whether a second row would have the same values in all of a unique index. */
function isTaken(config: SqlTargetConfig, table: TableConfig, unique: readonly string[]): boolean {
  return unique.every(
    (column) =>
      isConstant(table, column) ||
      (config.tenancy.way === 'column' && config.tenancy.column === column),
  );
}

function isConstant({ action }: TableConfig, column: string): boolean {
  return action.kind === 'overwrite' && action.columns[column]?.kind === 'value';
}

function maybeTaken(config: SqlTargetConfig, table: TableConfig, shape: TableShape): CheckLine[] {
  const key = table.key ?? shape.primaryKey;
  return shape.uniques
    .filter((unique) => unique.some((column) => isConstant(table, column)))
    .filter(
      (unique) =>
        !isTaken(config, table, unique) && !key.every((column) => unique.includes(column)),
    )
    .map((unique) =>
      warning(
        table.table,
        `(${unique.join(', ')}) is unique: where two rows differ only in what is overwritten, the second fails; null or a hash is safe`,
      ),
    );
}

function stillNamed(table: TableConfig, overwritten: readonly string[]): CheckLine[] {
  const found = [...new Set(table.match.map(({ column }) => column))];
  const kept = found.filter((column) => !overwritten.includes(column));
  if (kept.length === 0) return [];
  return [
    note(
      table.table,
      `rows keep what they are found by (${listNames(kept)}); overwrite it too if it names a person`,
    ),
  ];
}
