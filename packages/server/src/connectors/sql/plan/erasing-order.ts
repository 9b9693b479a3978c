// In which order tables are deleted from: children before parents. Where tables refer to each
// other in a cycle, one reference has to be set to NULL first, and the cheapest one is chosen.

/** How a parent can be deleted before the person's rows that refer to it. */
export type Release =
  /** The foreign key has ON DELETE SET NULL. */
  | 'database'
  /** The constraint is checked at the end. */
  | 'deferred'
  /** The reference is set to NULL by our own statement. */
  | 'update';

export interface Precedence {
  readonly child: string;
  readonly parent: string;
  /** Null if the child must be deleted first. */
  readonly release: Release | null;
}

export interface ErasingOrder<P extends Precedence> {
  readonly names: readonly string[];
  /** References whose parents are deleted before the child. */
  readonly released: readonly P[];
  /** The references of a circle that cannot be opened. */
  readonly stuck: readonly P[];
}

const CHEAPEST_FIRST: readonly Release[] = ['database', 'deferred', 'update'];

/** The given order, as far as the references allow it. References of a table to itself are ignored. */
export function erasingOrder<P extends Precedence>(
  given: readonly string[],
  precedences: readonly P[],
): ErasingOrder<P> {
  const open = new Set(given);
  const kept = new Set(precedences.filter(({ child, parent }) => child !== parent));
  const names: string[] = [];
  while (open.size > 0) {
    const waiting = [...kept].filter(({ child, parent }) => open.has(child) && open.has(parent));
    const next = [...open].find((name) => !waiting.some(({ parent }) => parent === name));
    if (next !== undefined) {
      names.push(next);
      open.delete(next);
      continue;
    }
    const circular = waiting.filter((one) => isInCircle(one, waiting));
    const opened = CHEAPEST_FIRST.flatMap((way) =>
      circular.filter(({ release }) => release === way),
    )[0];
    if (opened === undefined) return { names, released: [], stuck: circular };
    kept.delete(opened);
  }
  const released = precedences.filter(
    ({ child, parent }) => names.indexOf(parent) < names.indexOf(child),
  );
  return { names, released, stuck: [] };
}

/** Whether its parent refers to its child, directly or through other tables. */
export function isInCircle(
  { child, parent }: Pick<Precedence, 'child' | 'parent'>,
  all: readonly Pick<Precedence, 'child' | 'parent'>[],
): boolean {
  if (child === parent) return false;
  const reached = new Set([parent]);
  for (const name of reached) {
    for (const one of all) if (one.child === name) reached.add(one.parent);
  }
  return reached.has(child);
}
