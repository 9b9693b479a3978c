// Checks whether each row of a table can be identified.
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { TableConfig, TablesWork } from '../../../domain/target/target.ts';
import type { TableShape } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { isArray, rowKeyOf } from '../plan/row-key.ts';
import { listNames, note, problem } from './line.ts';
import { writeName, writeTable } from './write-name.ts';

export function checkRowKey(
  dialect: SqlDialect,
  table: TableConfig,
  shape: TableShape,
  work: TablesWork,
): CheckLine[] {
  const name = table.table;
  const lists = (table.key ?? shape.primaryKey).filter((name) => {
    const column = shape.columns.get(name);
    return column !== undefined && isArray(column);
  });
  if (lists.length > 0)
    return [
      problem(
        name,
        `its key has an array (${listNames(lists)}), which cannot identify a row; choose another "key"`,
      ),
    ];
  if (table.key === null) {
    if (shape.primaryKey.length === 0) {
      const own = rowKeyOf(table, shape);
      if (own === undefined)
        return [
          problem(
            name,
            'has no primary key; add one, or name columns that tell its rows apart under "key"',
          ),
        ];
      if (!own.isUnnamed) return [];
      const unsure = unsureWithoutKey(table, work);
      if (unsure !== undefined) return [problem(name, unsure)];
      const isByValues = own.columns.some(({ computed }) => computed !== undefined);
      if (isByValues && table.action.kind === 'overwrite')
        return [
          problem(
            name,
            'has no unique key, and rows that are told apart by their values alone cannot be overwritten here; add a primary key, or delete them',
          ),
        ];
      return [
        note(
          name,
          'has no unique key: its rows are erased by condition, in one transaction, and an attempt that was cut off is settled by their number; a primary key would name them',
        ),
      ];
    }
    const nullable = shape.primaryKey.filter((column) => shape.columns.get(column)?.isNullable);
    if (nullable.length === 0) return [];
    return [
      note(
        name,
        `its primary key may hold NULL (${listNames(nullable)}): rows with NULL there cannot be erased`,
      ),
    ];
  }
  const key = table.key;
  const nullable = key.filter((column) => shape.columns.get(column)?.isNullable);
  const isUnique = [shape.primaryKey, ...shape.uniques].some(
    (unique) => unique.length > 0 && unique.every((column) => key.includes(column)),
  );
  const written = key.map((column) => writeName(dialect, column)).join(', ');
  return [
    ...nullable.map((column) =>
      problem(
        name,
        `the key column "${column}" may hold NULL, which names no row; make it NOT NULL, or choose another key`,
      ),
    ),
    ...(isUnique
      ? []
      : [
          problem(
            name,
            `the key (${written}) is not unique, so one row cannot be told from another; choose another key, or add: CREATE UNIQUE INDEX ${name.replaceAll(/\W/g, '_')}_key ON ${writeTable(dialect, name)} (${written})`,
          ),
        ]),
  ];
}

/** What needs rows that can be named again. */
function unsureWithoutKey(table: TableConfig, { tables }: TablesWork): string | undefined {
  const child = tables.find(({ via }) => via.some(({ parent }) => parent === table.table));
  if (child !== undefined)
    return `has no unique key, and ${child.table} refers to it (via); add a primary key, or find ${child.table} in another way`;
  const { match, via, shared } = table;
  const types = new Set(match.map(({ type }) => type));
  const hasSeveral =
    match.length > types.size || via.length > 1 || (match.length > 0 && via.length > 0);
  if (!hasSeveral || shared === 'erase' || table.action.kind === 'retain') return undefined;
  return 'has no unique key, and its rows are found in several ways, so a row of two people cannot be told from an equal one; say "shared: erase", or add a primary key';
}
