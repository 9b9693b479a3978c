import { TargetDown } from '../../../domain/target/connector.ts';

interface Child {
  readonly name: string;
  /** Of which it is an entry; without it, it is the only one. */
  readonly table?: string;
  readonly vias: readonly { readonly parent?: string; readonly entries: readonly string[] }[];
}

/**
 * A table may be its own parent; any other circle is refused. Parents that are not given are ignored. Other entries of a
 * parent's table come first too, where they can: their rows may tie a child to somebody else.
 */
export function sortParentsFirst<T extends Child>(tables: readonly T[]): T[] {
  const names = new Set(tables.map(({ name }) => name));
  const done = new Set<string>();
  const sorted: T[] = [];
  while (sorted.length < tables.length) {
    const isDone = (child: T) => (parent: string) =>
      parent === child.name || done.has(parent) || !names.has(parent);
    const ready = tables.filter(
      (child) =>
        !done.has(child.name) && child.vias.flatMap(({ entries }) => entries).every(isDone(child)),
    );
    const isWhole = (child: T) =>
      tables
        .filter(({ table }) =>
          child.vias.some(({ parent }) => parent !== undefined && parent === table),
        )
        .every(({ name }) => isDone(child)(name));
    const whole = ready.filter(isWhole);
    const next = whole.length > 0 ? whole : ready.slice(0, 1);
    if (next.length === 0)
      throw new TargetDown(
        'plan_misfit',
        `the tables ${[...names].filter((name) => !done.has(name)).join(', ')} are each other's parents; leave one of the references out`,
      );
    for (const table of next) done.add(table.name);
    sorted.push(...next);
  }
  return sorted;
}
