// Overwriting a column of `where` moves a row out of its entry, or into another one. While the row keeps the
// value by which it is found, the first hides a person's row, and the second finds it again and again.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import {
  entryName,
  type Overwrite,
  type TableConfig,
  type WhereValues,
  whereValues,
} from '../../../../domain/target/target.ts';
import type { TableShape } from '../../catalogue.ts';
import type { SqlDialect } from '../../dialect.ts';
import { whereText } from '../../plan/where-values.ts';
import { listNames, note, problem, warning } from '../line.ts';

type Overwrites = Readonly<Record<string, Overwrite>>;

export function checkLeaving(
  dialect: SqlDialect,
  table: TableConfig,
  tables: readonly TableConfig[],
  shape: TableShape,
): CheckLine[] {
  const { where = {}, action } = table;
  if (action.kind !== 'overwrite') return [];
  const { columns } = action;
  /** Undefined if that depends on the row. */
  const fits = (name: string, values: WhereValues, overwrite: Overwrite): boolean | undefined => {
    const column = shape.columns.get(name);
    if (column === undefined || overwrite.kind === 'json') return undefined;
    const isAmong = whereValues(values).some((value) => {
      if (value === null || overwrite.kind === 'null')
        return value === null && overwrite.kind === 'null';
      if (overwrite.kind !== 'value') return false;
      const text = whereText(dialect, column, value);
      return text !== undefined && text === whereText(dialect, column, overwrite.value);
    });
    return isAmong !== 'not' in values;
  };
  const left = Object.entries(where).filter(([name, values]) => {
    const overwrite = columns[name];
    return overwrite !== undefined && fits(name, values, overwrite) === false;
  });
  if (left.length === 0) return [];
  const names = listNames(left.map(([name]) => name));
  const others = tables.filter((other) => other.table === table.table && other !== table);
  const reached = others.filter((other) =>
    Object.entries(other.where ?? {}).every(([name, values]) => {
      const overwrite = columns[name];
      if (overwrite !== undefined) return fits(name, values, overwrite) !== false;
      return !areApart(values, where[name]);
    }),
  );
  const next = reached.find(
    (other) => keptWays(other, columns).length > 0 && !isSameAction(other, columns),
  );
  if (next !== undefined) {
    const kept = listNames(keptWays(next, columns));
    return [
      problem(
        table.table,
        `overwriting "${names}" takes rows from "${entryName(table)}" into "${entryName(next)}", which finds them again by ${kept}; overwrite ${kept} too, or leave "${names}" out, or give both entries the same "overwrite"`,
      ),
    ];
  }
  if (reached.length > 0) return [];
  const matched = keptWays({ ...table, via: [] }, columns);
  if (matched.length > 0)
    return [
      warning(
        table.table,
        `overwriting "${names}" takes rows out of its "where", where nothing finds them any more, and they keep ${listNames(matched)}; overwrite that too if it names a person, or leave "${names}" out`,
      ),
    ];
  return [
    note(table.table, `overwriting "${names}" takes rows out of its "where": they are erased then`),
  ];
}

/** Columns by which rows are still found afterwards. */
function keptWays({ match, via }: TableConfig, columns: Overwrites): string[] {
  const matches = match.filter(({ column, path }) => {
    const overwrite = columns[column];
    // For a path, the configuration says whether exactly this place is overwritten.
    return overwrite === undefined || (overwrite.kind === 'json' && path === undefined);
  });
  const vias = via.filter((one) =>
    Object.keys(one.columns).every((name) => columns[name] === undefined),
  );
  return [
    ...new Set([
      ...matches.map(({ column }) => column),
      ...vias.flatMap((one) => Object.keys(one.columns)),
    ]),
  ];
}

/** Then a row that moves there already has its new values. */
function isSameAction({ action }: TableConfig, columns: Overwrites): boolean {
  if (action.kind !== 'overwrite') return false;
  const sorted = (of: Overwrites) => JSON.stringify(Object.entries(of).sort());
  return sorted(action.columns) === sorted(columns);
}

/** Whether the values of a column that is not overwritten differ, so that no row fits both entries. */
function areApart(values: WhereValues, own: WhereValues | undefined): boolean {
  if (own === undefined || ('not' in values && 'not' in own)) return false;
  if ('not' in own) return whereValues(values).every((value) => own.not.includes(value));
  if ('not' in values) return own.every((value) => values.not.includes(value));
  return !values.some((value) => own.includes(value));
}
