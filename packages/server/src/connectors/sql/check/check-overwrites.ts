// Whether what is to be written into overwritten columns will be taken.
import type { CheckLine } from '../../../domain/connector.ts';
import type { Overwrite, SqlTargetConfig, TableConfig } from '../../../domain/target.ts';
import type { Catalogue, ColumnShape, TableShape } from '../catalogue.ts';
import { listNames, note, problem, warning } from './line.ts';

/** Of a keyed hash as it is written: `uw1:` and 22 characters, with room to grow. */
const HASH_LENGTH = 28;

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
          ...checkValue(column, overwrite),
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
    ...(config.tenancy.way === 'column' && config.tenancy.column === name
      ? [
          `"${name}" tells one controller's rows from another's, and cannot be overwritten; leave it out`,
        ]
      : []),
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

function checkValue(column: ColumnShape, overwrite: Overwrite): string[] {
  const { name, kind, type, maxLength, isNullable } = column;
  if (overwrite.kind === 'null')
    return isNullable
      ? []
      : [`"${name}" refuses NULL; overwrite it with a value or a hash, or drop its NOT NULL`];
  if (overwrite.kind === 'hash') {
    if (kind !== 'text')
      return [`"${name}" is ${type}, and a hash is a text; overwrite it with null or a value`];
    return maxLength !== null && maxLength < HASH_LENGTH
      ? [
          `"${name}" holds ${maxLength} characters, and a hash needs ${HASH_LENGTH}; widen it, or overwrite it with null or a value`,
        ]
      : [];
  }
  const text = String(overwrite.value);
  if (maxLength !== null && [...text].length > maxLength)
    return [
      `"${name}" holds ${maxLength} characters, and the value has ${[...text].length}; shorten the value`,
    ];
  return isOfKind(column, overwrite.value)
    ? []
    : [`"${name}" is ${type}, which cannot hold the value given; correct it`];
}

function isOfKind({ kind, type }: ColumnShape, value: string | number | boolean): boolean {
  const text = String(value);
  if (kind === 'text') return true;
  if (kind === 'integer')
    return /^-?\d+$/.test(text) || (typeof value === 'boolean' && /^tinyint|bool/i.test(type));
  if (kind === 'decimal') return /^-?\d+(\.\d+)?$/.test(text);
  if (kind === 'uuid') return /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text);
  if (kind === 'binary') return typeof value === 'string';
  if (/^bool/i.test(type)) return typeof value === 'boolean' || /^(true|false|[01])$/i.test(text);
  if (/^(date|time(stamp|$|\()|datetime)/i.test(type))
    return /\d/.test(text) && typeof value === 'string';
  if (/^(real|double|float)/i.test(type))
    return text.trim() !== '' && Number.isFinite(Number(text));
  // MySQL writes the labels of an enumeration into its type.
  return /^enum\(/i.test(type) ? type.includes(`'${text.replaceAll("'", "''")}'`) : true;
}

function stillNamed(table: TableConfig, overwritten: readonly string[]): CheckLine[] {
  const kept = Object.values(table.match).filter((column) => !overwritten.includes(column));
  if (kept.length === 0) return [];
  return [
    note(
      table.table,
      `rows keep what they are found by (${listNames(kept)}); overwrite it too if it names a person`,
    ),
  ];
}
