// New values for the columns of a row that stays.
import type { Catalogue, ColumnShape, TableShape } from '../catalogue.ts';
import type { FoundReference } from './find-references.ts';
import type { TableWays } from './find-ways.ts';

/** Column to the value, as YAML. Columns for which no value can be made up are left out. */
export function overwriteColumns(
  { table, signs, customerIds }: TableWays,
  catalogue: Catalogue,
  references: readonly FoundReference[],
): Record<string, string> {
  const shape = catalogue.get(table);
  if (shape === undefined) return {};
  const fixed = new Set([
    ...shape.primaryKey,
    ...references.filter((it) => it.parent === table).flatMap((it) => Object.values(it.columns)),
  ]);
  const personal = [...signs.emails, ...customerIds, ...signs.strong, ...signs.weak];
  const entries = personal.flatMap((name): [string, string][] => {
    const column = shape.columns.get(name);
    if (column === undefined || column.isGenerated || fixed.has(name)) return [];
    const value = newValue(column, shape, signs.emails.includes(name));
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function newValue(column: ColumnShape, shape: TableShape, isEmail: boolean): string | undefined {
  if (column.isNullable) return 'null';
  if (column.kind === 'integer' || column.kind === 'decimal') return '0';
  if (column.kind !== 'text') return undefined;
  if (isEmail) return '{ unique: "erased-{random}@example.invalid" }';
  if (
    shape.rules.some(({ columns, computedFrom }) =>
      [...columns, ...computedFrom].includes(column.name),
    )
  )
    return '{ unique: "erased-{random}" }';
  return JSON.stringify('erased'.slice(0, column.maxLength ?? undefined));
}
