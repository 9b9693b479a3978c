// Whether the tables and columns of a plan exist, and whether each row has a name.
import type { CheckLine } from '../../../domain/connector.ts';
import type {
  SqlConnector,
  SqlTargetConfig,
  TableConfig,
  TablesWork,
} from '../../../domain/target.ts';
import type { Catalogue, TableShape } from '../catalogue.ts';
import { hasProblem, listNames, note, ok, problem } from './line.ts';
import { writeName } from './write-name.ts';

export interface TablesFound {
  readonly lines: CheckLine[];
  /** Tables, and the parents they are found by, without any problem of this kind. */
  readonly sound: readonly TableConfig[];
}

export function checkTables(
  config: SqlTargetConfig,
  work: TablesWork,
  catalogue: Catalogue,
  otherKinds: ReadonlyMap<string, string>,
): TablesFound {
  const found = work.tables.map((table) => {
    const shape = existing(catalogue, table.table);
    const lines =
      shape === undefined
        ? [missingTable(table.table, otherKinds)]
        : [...checkColumns(config, table, catalogue, shape), ...checkKey(config, table, shape)];
    const isSound = !hasProblem(lines);
    return {
      table,
      isSound,
      lines: isSound ? [...lines, ok(table.table, describe(table, shape))] : lines,
    };
  });
  return {
    lines: found.flatMap(({ lines }) => lines),
    sound: withTheirParents(found.filter(({ isSound }) => isSound).map(({ table }) => table)),
  };
}

/** A table that the account may not see at all can be known by its foreign keys alone. */
export function existing(catalogue: Catalogue, table: string): TableShape | undefined {
  const shape = catalogue.get(table);
  return shape === undefined || shape.columns.size === 0 ? undefined : shape;
}

export function missingTable(table: string, otherKinds: ReadonlyMap<string, string>): CheckLine {
  const kind = otherKinds.get(table);
  return kind === undefined
    ? problem(
        table,
        'does not exist, or the account has no rights on it; correct the name (with its schema), or grant the rights',
      )
    : problem(table, `is ${kind}, and only tables can be erased from; name the tables behind it`);
}

/** With what it would be called if only the case is wrong. */
export function missingColumn(
  connector: SqlConnector,
  shape: TableShape,
  column: string,
  use: string,
): CheckLine {
  const near = [...shape.columns.keys()].find(
    (name) => name.toLowerCase() === column.toLowerCase(),
  );
  const remedy = near === undefined ? `correct ${use}` : `write it as "${near}" in ${use}`;
  // There an account sees only the columns that it has rights on.
  const hidden = connector === 'mysql' ? ', or the account has no rights on it' : '';
  return problem(shape.table, `has no column "${column}"${hidden}; ${remedy}`);
}

function checkColumns(
  config: SqlTargetConfig,
  table: TableConfig,
  catalogue: Catalogue,
  shape: TableShape,
): CheckLine[] {
  const used: [string, string][] = [
    ...Object.entries(table.match).map(([type, column]): [string, string] => [
      column,
      `match.${type}`,
    ]),
    ...table.via.flatMap((via) =>
      Object.keys(via.columns).map((column): [string, string] => [column, `via ${via.parent}`]),
    ),
    ...(table.key ?? []).map((column): [string, string] => [column, 'key']),
  ];
  if (config.tenancy.way === 'column' && Object.keys(table.match).length > 0)
    used.push([
      config.tenancy.column,
      'the tenant column, or move the match to a table that has it',
    ]);
  if (table.action.kind === 'overwrite')
    used.push(...Object.keys(table.action.columns).map((c): [string, string] => [c, 'overwrite']));

  const own = used.flatMap(([column, use]) =>
    shape.columns.has(column) ? [] : missingColumn(config.connector, shape, column, use),
  );
  const parents = table.via.flatMap(({ parent, columns }) => {
    const parentShape = existing(catalogue, parent);
    if (parentShape === undefined) return [];
    return Object.values(columns)
      .filter((column) => !parentShape.columns.has(column))
      .map((column) =>
        missingColumn(config.connector, parentShape, column, `the via of ${table.table}`),
      );
  });
  return [...own, ...parents];
}

function checkKey(config: SqlTargetConfig, table: TableConfig, shape: TableShape): CheckLine[] {
  const name = table.table;
  if (table.key === null) {
    if (shape.primaryKey.length === 0)
      return [
        problem(
          name,
          'has no primary key; add one, or name columns that tell its rows apart under "key"',
        ),
      ];
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
  const written = key.map((column) => writeName(config.connector, column)).join(', ');
  return [
    ...nullable.map((column) =>
      problem(
        name,
        `the key column "${column}" may hold NULL, which names no row; make it NOT NULL, or take another key`,
      ),
    ),
    ...(isUnique
      ? []
      : [
          problem(
            name,
            `the key (${written}) is not unique, so one row cannot be told from another; take another key, or add: CREATE UNIQUE INDEX ${name.replaceAll(/\W/g, '_')}_key ON ${writeName(config.connector, name)} (${written})`,
          ),
        ]),
  ];
}

function describe(table: TableConfig, shape: TableShape | undefined): string {
  const ways = [
    ...Object.entries(table.match).map(([type, column]) => `${type} in ${column}`),
    ...table.via.map(({ parent }) => `its ${parent}`),
  ];
  const actions = { delete: 'deleted', overwrite: 'overwritten', retain: 'kept and counted' };
  const key = (table.key ?? shape?.primaryKey ?? []).join(', ');
  return `found by ${listNames(ways)}; key ${key}; rows are ${actions[table.action.kind]}`;
}

function withTheirParents(tables: readonly TableConfig[]): readonly TableConfig[] {
  const names = new Set(tables.map(({ table }) => table));
  const kept = tables.filter(({ via }) => via.every(({ parent }) => names.has(parent)));
  return kept.length === tables.length ? tables : withTheirParents(kept);
}
