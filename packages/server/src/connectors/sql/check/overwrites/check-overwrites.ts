// Checks whether overwritten columns will accept their new values.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { SqlTargetConfig, TableConfig } from '../../../../domain/target/target.ts';
import type { Catalogue, TableShape } from '../../catalogue.ts';
import type { SqlDialect } from '../../dialect.ts';
import { tenantColumnOf } from '../../plan/tenant-column.ts';
import { listNames, note, problem } from '../line.ts';
import { checkLeaving } from '../references/check-leaving.ts';
import { checkDistinct } from './check-distinct.ts';
import { refuseValue } from './refuse-value.ts';

/** Every row gets the same value. */
const SAME_IN_ALL = new Set(['value', 'now']);

/** Every row gets a value that no other row has. */
const OF_EACH_ROW = new Set(['hash', 'unique']);

export function checkOverwrites(
  config: SqlTargetConfig,
  dialect: SqlDialect,
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
          ...(SAME_IN_ALL.has(overwrite.kind) ? checkReferred(table, tables, name) : []),
          ...(OF_EACH_ROW.has(overwrite.kind) ? checkReferring(table, catalogue, name) : []),
          ...refuseValue(column, overwrite, dialect, isDistinct(shape, name)),
        ];
        return messages.map((message) => problem(table.table, message));
      }),
      ...checkDistinct(config, table, shape),
      ...checkLeaving(dialect, table, tables, shape),
      ...stillNamed(table, Object.keys(table.action.columns)),
    ];
  });
}

/** A single rule makes this column unique. */
function isDistinct({ rules }: TableShape, name: string): boolean {
  return rules.some(({ columns, computedFrom }) => {
    const all = [...columns, ...computedFrom];
    return all.length === 1 && all.includes(name);
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
          `"${name}" is part of the key that names the row, and cannot be overwritten; leave it out, or choose another "key"`,
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
    `"${name}" is what ${child.table} refers to (via), so it may not have the same value in every row; write null, a hash or { unique: … } instead`,
  ];
}

/** A foreign key requires a value that its parent has. */
function checkReferring({ table }: TableConfig, catalogue: Catalogue, name: string): string[] {
  const keys = [...catalogue.values()].flatMap(({ referencedBy }) => referencedBy);
  const key = keys.find((one) => one.table === table && one.columns.includes(name));
  if (key === undefined) return [];
  return [
    `"${name}" refers to ${key.referenced} (foreign key ${key.name}), which has no such value; write null, or a value that it has`,
  ];
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
