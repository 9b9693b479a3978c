// Two targets on one database: one may find rows through rows that the other erases. Once the other has run, these
// rows cannot be found any more.

import { leadTable } from '../../domain/target/lead-table.ts';
import { isSameTable } from '../../domain/target/same-table.ts';
import type {
  LostTable,
  SqlTargetConfig,
  StatementsWork,
  TableConfig,
  TablesWork,
  TargetConfig,
  WhereConfig,
} from '../../domain/target/target.ts';
import { isAtSamePlace, sharesDatabaseAndController } from './shares-database.ts';
import { takesRows } from './sql/takes-rows.ts';

/** Adds to each target what others do to the rows through which it finds rows. */
export function withRowsLostToOthers(targets: readonly TargetConfig[]): TargetConfig[] {
  return targets.map((target) => {
    if (!hasTables(target)) return target;
    const others = targets.filter(
      (other) =>
        other !== target &&
        other.runsAfter?.includes(target.name) !== true &&
        sharesDatabaseAndController(other, target),
    );
    const lost = allTables(target.work).flatMap((entry) =>
      others.flatMap((other) => {
        if (hasTables(other)) return lostBy(entry, target.work, other);
        return hasStatements(other) ? lostByStatements(entry, target.work, other) : [];
      }),
    );
    return lost.length === 0 ? target : { ...target, lostByOthers: lost };
  });
}

/** Adds to each target the tables of its database that others erase from. */
export function withTablesOfOthers(targets: readonly TargetConfig[]): TargetConfig[] {
  return targets.map((target) => {
    if (!hasTables(target) && !hasStatements(target)) return target;
    const tables = targets
      .filter((other) => other !== target && isAtSamePlace(other, target))
      .flatMap((other) => (hasTables(other) ? other.work.tables.map(({ table }) => table) : []));
    return tables.length === 0 ? target : { ...target, tablesOfOthers: [...new Set(tables)] };
  });
}

function allTables({ tables, leads = [] }: TablesWork): TableConfig[] {
  return [...tables, ...leads.map(leadTable)];
}

/** To rows by which others are found, or have their tenant. */
function referencesOf({ via, tenant = [] }: TableConfig) {
  return [
    ...via.map((one) => ({ ...one, isTenant: false as const })),
    ...tenant.map((one) => ({ ...one, isTenant: true as const })),
  ];
}

/** Hand-written statements are judged by their text alone: an operator who has read them may accept the finding. */
function lostByStatements(
  entry: TableConfig,
  own: TablesWork,
  { name, work }: WithStatements,
): LostTable[] {
  return referencesOf(entry).flatMap(({ parent, columns, isTenant }) => {
    const above = allTables(own).filter(({ table }) => table === parent);
    const needed = neededOf(columns, above);
    const isLost = work.erase.some((statement) => takesRows(statement, parent, needed));
    return isLost
      ? [
          {
            table: entry.table,
            parent,
            target: name,
            byStatements: true,
            ...(isTenant && { isTenant }),
          },
        ]
      : [];
  });
}

/** Columns by which the parent's rows are found, or lead to other rows. */
function neededOf(
  columns: Readonly<Record<string, string>>,
  own: readonly TableConfig[],
): string[] {
  return [
    ...Object.values(columns),
    ...own.flatMap(({ match }) => match.map(({ column }) => column)),
    ...own.flatMap(({ tenant = [] }) => tenant.flatMap((one) => Object.keys(one.columns))),
  ];
}

function lostBy(entry: TableConfig, work: TablesWork, other: WithTables): LostTable[] {
  return referencesOf(entry).flatMap(({ parent, columns, isTenant }) => {
    const own = allTables(work).filter(({ table }) => table === parent);
    const needed = neededOf(columns, own);
    // If the other target erases the same rows through the same reference, nothing is left.
    const deletesSameRows = other.work.tables.some(
      ({ table, action, via, where }) =>
        isSameTable(table, entry.table) &&
        action.kind === 'delete' &&
        where === undefined &&
        via.some((its) => isSameTable(its.parent, parent) && isSameMapping(its.columns, columns)),
    );
    if (deletesSameRows) return [];
    const isCascaded = other.work.cascades.some((table) => isSameTable(table, parent));
    const isLost =
      isCascaded ||
      other.work.tables.some(
        (theirs) =>
          isSameTable(theirs.table, parent) &&
          own.some(({ where }) => mayOverlap(where, theirs.where)) &&
          removesAnyOf(theirs, needed),
      );
    return isLost
      ? [{ table: entry.table, parent, target: other.name, ...(isTenant && { isTenant }) }]
      : [];
  });
}

function removesAnyOf({ action }: TableConfig, columns: readonly string[]): boolean {
  if (action.kind === 'retain') return false;
  return (
    action.kind === 'delete' || columns.some((column) => Object.hasOwn(action.columns, column))
  );
}

type WithTables = SqlTargetConfig & { readonly work: TablesWork };

type WithStatements = SqlTargetConfig & { readonly work: StatementsWork };

const hasStatements = (target: TargetConfig): target is WithStatements =>
  'work' in target && target.work.kind === 'statements';

const hasTables = (target: TargetConfig): target is WithTables =>
  'work' in target && target.work.kind === 'tables';

/** Whether a row may match both. */
function mayOverlap(one: WhereConfig = {}, other: WhereConfig = {}): boolean {
  return Object.entries(one).every(([column, values]) => {
    const theirs = other[column];
    if (theirs === undefined || 'not' in values || 'not' in theirs) return true;
    return values.some((value) => theirs.includes(value));
  });
}

function isSameMapping(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
) {
  const textOf = (columns: object) => JSON.stringify(Object.entries(columns).toSorted());
  return textOf(one) === textOf(other);
}
