// Checks whether each row of a table can be identified.
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { TableConfig } from '../../../domain/target/target.ts';
import type { TableShape } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { isArray, rowKeyOf } from '../plan/row-key.ts';
import { listNames, note, problem } from './line.ts';
import { writeName, writeTable } from './write-name.ts';

export function checkRowKey(
  dialect: SqlDialect,
  table: TableConfig,
  shape: TableShape,
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
          'has no unique key: its rows are erased by condition, in one transaction; a primary key would name them',
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
