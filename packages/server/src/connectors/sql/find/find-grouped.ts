// The fast path for children with one parent and plain keys: the database returns one line for each parent,
// with the keys of all its children.
import type { KeyRow } from '../../../domain/target/connector.ts';
import type { Selected, SqlDialect } from '../dialect.ts';
import type { PlannedTable, PlannedVia } from '../plan/plan.ts';
import { tellsTenant } from '../plan/tenant-column.ts';
import { isPlain } from '../select-rows.ts';
import type { SqlRow } from '../session.ts';
import { textAt } from '../statement.ts';
import { isExact } from './reference-keys.ts';

/** Each row is returned once, so no search for duplicates is needed. */
export function canGroup(dialect: SqlDialect, table: PlannedTable, via: PlannedVia): boolean {
  return (
    dialect.pack !== null &&
    !table.hasSeveralOwners &&
    table.where.length === 0 &&
    !tellsTenant(table) &&
    via.parent !== table.name &&
    via.columns.length === 1 &&
    isExact(via) &&
    // A value that the database treats as equal to another would be grouped with it.
    via.columns.every(isPlain) &&
    table.columns.every(isPlain)
  );
}

export function groupedSql(sql: string, select: readonly Selected[]): string {
  const columns = select
    .filter(({ name }) => name !== 'f0')
    .map(({ name }) => `string_agg(coalesce(q.${name}, ''), ',') AS ${name}`);
  return `WITH q AS (${sql}) SELECT q.f0, ${columns.join(', ')} FROM q GROUP BY q.f0`;
}

export function ungroup(table: PlannedTable, row: SqlRow): KeyRow[] {
  const columns = table.columns.map((_, place) => (textAt(row, `c${place}`) ?? '').split(','));
  return (columns[0] ?? []).map((_, at) => columns.map((column) => column[at] || null));
}
