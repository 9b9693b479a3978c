// In which order targets have to erase, from the configuration alone.
import type { IdentityType } from '@unwrite/protocol';
import type { SeveralCase, SeveralTarget } from '../several-case.ts';
import { erasesFrom } from './lookups.ts';

type Order = Map<string, Set<string>>;

/** By name of a target: names of those that have to be done before it. */
export function orderOf({ targets }: Pick<SeveralCase, 'targets'>): Order {
  const order = writtenOrder(targets);
  const needed = writtenOrder(targets);
  for (const source of targets) {
    const { resolve } = source.configuration;
    if (resolve === null) continue;
    const types = chainedFrom(targets, resolve.to.type);
    const erasers = targets.filter((target) => erasesFrom(target, resolve.table));
    const found = targets.filter((target) => isFoundBy(target, types));
    for (const last of erasers) {
      for (const first of found) {
        if (first === last || first.after.includes(last.name)) continue;
        // Of several that erase, those that need nothing of it are the last, and before them the one that looks up.
        if (erasers.includes(first) && last !== source && found.includes(last)) continue;
        order.get(last.name)?.add(first.name);
        // One with a lookup of its own for the same can do without, where no order is possible otherwise.
        const isOwn = first.configuration.resolve?.to.type === resolve.to.type;
        if (!isOwn) needed.get(last.name)?.add(first.name);
      }
    }
  }
  return hasRing(order) ? needed : order;
}

const writtenOrder = (targets: readonly SeveralTarget[]): Order =>
  new Map(targets.map(({ name, after }) => [name, new Set(after)]));

function chainedFrom(targets: readonly SeveralTarget[], type: IdentityType): Set<IdentityType> {
  const types = new Set([type]);
  for (const _ of targets) {
    for (const { configuration } of targets) {
      const { resolve } = configuration;
      if (resolve !== null && types.has(resolve.from.type)) types.add(resolve.to.type);
    }
  }
  return types;
}

const isFoundBy = ({ configuration }: SeveralTarget, types: ReadonlySet<IdentityType>) =>
  configuration.tables.some(({ match }) => [...types].some((type) => match[type] !== undefined));

/** Whether a target would have to be done before itself. */
export const isImpossible = (generated: Pick<SeveralCase, 'targets'>): boolean =>
  hasRing(orderOf(generated));

function hasRing(order: Order): boolean {
  const isBefore = (name: string, wanted: string, seen: readonly string[]): boolean =>
    [...(order.get(name) ?? [])].some(
      (one) => one === wanted || (!seen.includes(one) && isBefore(one, wanted, [...seen, one])),
    );
  return [...order.keys()].some((name) => isBefore(name, name, []));
}
