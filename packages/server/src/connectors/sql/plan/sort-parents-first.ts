import { TargetDown } from '../../../domain/target/connector.ts';

interface Child {
  readonly name: string;
  /** The table of this entry; absent if the table has only one entry. */
  readonly table?: string;
  readonly vias: readonly { readonly parent?: string; readonly entries: readonly string[] }[];
}

/**
 * A table may be its own parent; any other circle is refused. Parents that are not given are ignored. Other entries of a
 * parent's table come first too, unless they descend from the child: their rows may tie it to someone else.
 */
export function sortParentsFirst<T extends Child>(tables: readonly T[]): T[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const done = new Set<string>();
  const sorted: T[] = [];
  const isDone = (child: T) => (parent: string) =>
    parent === child.name || done.has(parent) || !byName.has(parent);
  const isReady = (child: T) =>
    !done.has(child.name) && child.vias.flatMap(({ entries }) => entries).every(isDone(child));
  const isComplete = (child: T) =>
    tables
      .filter(({ table }) =>
        child.vias.some(({ parent }) => parent !== undefined && parent === table),
      )
      .every(({ name }) => isDone(child)(name) || descendsFrom(byName, name, child.name));
  while (sorted.length < tables.length) {
    const ready = tables.filter(isReady);
    const complete = ready.filter(isComplete);
    const next = complete.length > 0 ? complete : ready.slice(0, 1);
    if (next.length === 0)
      throw new TargetDown(
        'plan_misfit',
        `the tables ${[...byName.keys()].filter((name) => !done.has(name)).join(', ')} are each other's parents; leave one of the references out`,
      );
    for (const table of next) done.add(table.name);
    sorted.push(...next);
  }
  return sorted;
}

function descendsFrom(tables: ReadonlyMap<string, Child>, name: string, from: string): boolean {
  const seen = new Set<string>();
  const parents = [name];
  for (const one of parents) {
    if (seen.has(one)) continue;
    seen.add(one);
    if (one === from) return true;
    parents.push(...(tables.get(one)?.vias ?? []).flatMap(({ entries }) => entries));
  }
  return false;
}
