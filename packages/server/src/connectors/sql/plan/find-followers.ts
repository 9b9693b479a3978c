// Foreign keys by which tables follow a column that is overwritten or detached (ON UPDATE), level by level.
import type { Catalogue, ForeignKey } from '../catalogue.ts';
import type { Follower } from './plan.ts';

/** All of them are listed under `cascades`: the check refuses others. */
export function findFollowers(
  table: string,
  columns: readonly string[],
  catalogue: Catalogue,
  quoteTable: (table: string) => string,
): Follower[] {
  return follow(table, columns, new Set());

  function follow(
    name: string,
    changed: readonly string[],
    seen: ReadonlySet<ForeignKey>,
  ): Follower[] {
    return (catalogue.get(name)?.referencedBy ?? [])
      .filter(
        (key) =>
          key.onUpdate !== 'no_action' &&
          key.onUpdate !== 'restrict' &&
          !seen.has(key) &&
          key.referencedColumns.some((column) => changed.includes(column)),
      )
      .map((key) => ({
        table: key.table,
        sqlName: quoteTable(key.table),
        columns: key.columns,
        referenced: key.referencedColumns,
        rowsIn: key.rowsIn ?? null,
        followers: follow(key.table, key.columns, new Set([...seen, key])),
      }));
  }
}
