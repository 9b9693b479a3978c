// Puts referring tables before the tables that they refer to.
import type { FoundReference } from './find-references.ts';

/** `inCircle`: tables that refer to each other, so that no order is right for all of their references. */
export interface OrderedTables {
  readonly order: readonly string[];
  readonly inCircle: ReadonlySet<string>;
}

export function orderTables(
  depths: ReadonlyMap<string, number>,
  references: readonly FoundReference[],
  /** Tables whose rows are not deleted: nothing has to be deleted before them. */
  kept: ReadonlySet<string> = new Set(),
): OrderedTables {
  const left = new Set(depths.keys());
  const order: string[] = [];
  const inCircle = new Set<string>();
  const edges = references.filter(
    ({ table, parent }) => table !== parent && depths.has(table) && depths.has(parent),
  );
  const isFree = (name: string, among: readonly FoundReference[]) =>
    !among.some(({ parent, table }) => parent === name && left.has(table));

  while (left.size > 0) {
    // The furthest from the identities first, so that related tables are listed together.
    const names = [...left].toSorted((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0));
    const keyed = edges.filter(({ foreignKey }) => foreignKey !== null);
    const free =
      names.find((name) => isFree(name, edges)) ?? names.find((name) => isFree(name, keyed));
    const circle = free === undefined ? names.filter((name) => returnsTo(name, keyed, left)) : [];
    const next = free ?? circle.find((name) => kept.has(name)) ?? circle[0] ?? names[0] ?? '';
    if (free === undefined) inCircle.add(next);
    left.delete(next);
    order.push(next);
  }
  return { order, inCircle };
}

function returnsTo(
  start: string,
  edges: readonly FoundReference[],
  among: ReadonlySet<string>,
): boolean {
  const seen = new Set<string>();
  const open = [start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const { parent } of edges.filter(({ table }) => table === name)) {
      if (parent === start) return true;
      if (seen.has(parent) || !among.has(parent)) continue;
      seen.add(parent);
      open.push(parent);
    }
  }
  return false;
}
