// What looks personal in the database and is not in the plan, by names and types alone: no row is read.
import type { CheckLine } from '../../../domain/target/connector.ts';
import { OUTSIDE } from '../../../domain/target/outside.ts';
import { isSameTable } from '../../../domain/target/same-table.ts';
import type { SqlTargetConfig, TablesWork } from '../../../domain/target/target.ts';
import type { ColumnShape } from '../catalogue.ts';
import { type ColumnSigns, looksPersonal, signsOf } from '../personal/column-signs.ts';
import type { CheckContext } from './check-context.ts';
import { wordsIn } from './check-statements.ts';
import { listNames, problem, warning } from './line.ts';

interface SeenTable {
  readonly table: string;
  /** `table`, `materialized view`. */
  readonly kind: string;
  readonly columns: ReadonlyMap<string, SeenColumn>;
}

type SeenColumn = Pick<ColumnShape, 'name' | 'type' | 'kind'>;

export async function checkCoverage({ config, dialect, read }: CheckContext): Promise<CheckLine[]> {
  const tables = tablesOf(await read(dialect.draftSql.columns));
  return tables.flatMap((table) => lineFor(table, config) ?? overlookedColumns(table, config));
}

function tablesOf(rows: readonly Readonly<Record<string, unknown>>[]): SeenTable[] {
  const tables = new Map<string, SeenTable & { columns: Map<string, SeenColumn> }>();
  for (const row of rows) {
    const [table, name, type] = [String(row.name), String(row.column), String(row.type)];
    const seen = tables.get(table) ?? { table, kind: String(row.kind), columns: new Map() };
    seen.columns.set(name, { name, type, kind: kindOf(type) });
    tables.set(table, seen);
  }
  return [...tables.values()].toSorted((a, b) => (a.table < b.table ? -1 : 1));
}

/** Whether it may hold a text; SQLite's types may be anything, or missing. */
function kindOf(type: string): ColumnShape['kind'] {
  if (/blob|binary|bytea/i.test(type)) return 'binary';
  return type === '' || /char|text|clob|string|enum/i.test(type) ? 'text' : 'other';
}

function lineFor(
  { table, kind, columns }: SeenTable,
  config: SqlTargetConfig,
): CheckLine[] | undefined {
  const { work, tablesOfOthers = [] } = config;
  const isIn = (names: readonly string[]) => names.some((name) => isSameTable(name, table));
  const planned =
    work.kind === 'tables'
      ? work.tables.map((entry) => entry.table)
      : wordsIn(work).filter(
          (word) => word.toLowerCase() === table.toLowerCase().split('.').at(-1),
        );
  if (isIn(planned) || isIn(tablesOfOthers)) return undefined;
  const signs = signsOf({ table, columns: columns as ReadonlyMap<string, ColumnShape> });
  if (!looksPersonal(signs)) return [];
  const why = `looks personal (${listNames(personalIn(signs))})`;
  const answer = `ignore: { ${table}: "why nothing of a person is in it" }`;
  if (work.kind === 'tables' && isIn(work.cascades))
    return [
      {
        ...problem(
          table,
          `${why} and is only under "cascades", so what a trigger or key leaves there is not looked for: list it under "tables" too, or ${answer}`,
        ),
        finding: `${OUTSIDE}${table}`,
      },
    ];
  return [
    {
      ...warning(
        table,
        `${why} and is not in the plan${kind === 'table' ? '' : `; it is a ${kind}`}: list it, or ${answer}`,
      ),
      finding: `${OUTSIDE}${table}`,
    },
  ];
}

/** Columns of rows that stay, which are neither overwritten nor kept for a reason. */
function overlookedColumns({ table, columns }: SeenTable, { work }: SqlTargetConfig): CheckLine[] {
  if (work.kind !== 'tables') return [];
  const entries = entriesOf(work, table);
  const overwritten = entries.flatMap(({ action }) =>
    action.kind === 'overwrite' ? Object.keys(action.columns) : [],
  );
  if (entries.length === 0 || entries.some(({ action }) => action.kind !== 'overwrite')) return [];
  const known = new Set([
    ...overwritten.map((name) => name.toLowerCase()),
    ...entries.flatMap(({ match }) => match.map(({ column }) => column.toLowerCase())),
  ]);
  const signs = signsOf({ table, columns: columns as ReadonlyMap<string, ColumnShape> });
  return personalIn(signs)
    .filter((name) => !known.has(name.toLowerCase()))
    .map((name) => ({
      ...warning(
        `${table}.${name}`,
        `looks personal and stays when the row is overwritten: overwrite it too, or ignore: { ${table}.${name}: "why it may stay" }`,
      ),
      finding: `${OUTSIDE}${table}.${name}`,
    }));
}

const entriesOf = ({ tables }: TablesWork, table: string) =>
  tables.filter((entry) => isSameTable(entry.table, table));

function personalIn({ emails, strong, ofPerson, weak }: ColumnSigns): string[] {
  const certain = [...emails, ...strong, ...ofPerson];
  return [...new Set([...certain, ...weak])];
}
