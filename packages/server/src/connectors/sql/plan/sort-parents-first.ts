import { TargetDown } from '../../../domain/target/connector.ts';

interface Child {
  readonly name: string;
  readonly vias: readonly { readonly entries: readonly string[] }[];
}

/** A table may be its own parent; any other circle is refused. Parents that are not given are ignored. */
export function sortParentsFirst<T extends Child>(tables: readonly T[]): T[] {
  const names = new Set(tables.map(({ name }) => name));
  const done = new Set<string>();
  const sorted: T[] = [];
  while (sorted.length < tables.length) {
    const ready = tables.filter(
      ({ name, vias }) =>
        !done.has(name) &&
        vias
          .flatMap(({ entries }) => entries)
          .every((parent) => parent === name || done.has(parent) || !names.has(parent)),
    );
    if (ready.length === 0)
      throw new TargetDown(
        'plan_misfit',
        `the tables ${[...names].filter((name) => !done.has(name)).join(', ')} are each other's parents; leave one of the references out`,
      );
    for (const table of ready) done.add(table.name);
    sorted.push(...ready);
  }
  return sorted;
}
