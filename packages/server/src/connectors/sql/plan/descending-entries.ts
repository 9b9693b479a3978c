// A table whose rows both lead to a person and belong to one: properties of a person, one of which is the
// email.
import { entryName, type TableConfig, type ViaConfig } from '../../../domain/target/target.ts';
import type { TableShape } from '../catalogue.ts';
import { isUnique } from './uniqueness.ts';

/**
 * Entries of the parent's table that the reference does not mean, and whose rows are found only through the
 * child, by the same columns: they have the same owner as the child's row, and do not tie it to anybody
 * else.
 */
export function descendingEntries(
  child: TableConfig,
  via: ViaConfig,
  configs: readonly TableConfig[],
  shape: TableShape,
  /** The child has a tenant that is not compared with the parent's. */
  hasOwnTenant: boolean,
): string[] {
  if (via.entries === undefined) return [];
  // The way back leads to the row itself, or to others that belong to the same people by the same columns.
  const [, ...others] = configs.filter(({ table }) => table === child.table);
  const isOnlyWay = child.match.length === 0 && child.via.length === 1 && !hasOwnTenant;
  const areAllAlike = isOnlyWay && child.where === undefined && others.length === 0;
  if (!areAllAlike && !isUnique(shape, Object.keys(via.columns))) return [];
  const { entries: meant } = via;
  const isSameWayBack = ({ parent, entries, columns }: ViaConfig) =>
    parent === child.table &&
    (entries?.includes(entryName(child)) ?? true) &&
    Object.keys(columns).length === Object.keys(via.columns).length &&
    Object.entries(via.columns).every(([from, to]) => columns[to] === from);
  return configs
    .filter((entry) => entry.table === via.parent && !meant.includes(entryName(entry)))
    .filter(
      ({ match, via: ways }) => match.length === 0 && ways.length > 0 && ways.every(isSameWayBack),
    )
    .map(entryName);
}
