// Repeats lookups of other targets of the same database in the erasing transaction of a target that uses them,
// or that erases from their table: afterwards they could not be repeated.
import type { Subject } from '../../../../domain/target/connector.ts';
import type { LookingUp, LookupOfOther } from '../../../../domain/target/target.ts';
import { type LookupContext, nameOf } from './lookup-values.ts';
import { areReliedLost, createAskLocked } from './relied-lookups.ts';
import { isForeign } from './resolve-identities.ts';

/**
 * Called before the first change: whether a lookup does not give an identity any more that the order relies on or, if
 * its rows are about to be erased, gives one that the request does not have. Locks the rows.
 */
export async function areOthersOtherwise(
  context: LookupContext,
  orders: readonly Subject[],
): Promise<boolean[]> {
  const isOtherwise = orders.map(() => false);
  for (const other of context.config.lookupsOfOthers ?? []) {
    const asked = orders
      .map((order, place) => ({ order, place }))
      .filter(({ order }) => isAsked(other, order));
    if (asked.length === 0) continue;
    const batch = asked.map(({ order }) => order);
    const answers = await areOtherwise({ ...context, config: other.source }, other, batch);
    asked.forEach(({ place }, index) => {
      if (answers[index]) isOtherwise[place] = true;
    });
  }
  return isOtherwise;
}

async function areOtherwise(
  context: LookupContext,
  { source: { name, resolve }, isErased }: LookupOfOther,
  orders: readonly Subject[],
): Promise<boolean[]> {
  const ask = createAskLocked(context, resolve);
  const isLost = await areReliedLost(ask, name, orders);
  if (!isErased) return isLost;
  const all = await ask(orders.map(withoutUnproven));
  return orders.map(({ identities }, place) => {
    const known = new Set(identities.map(nameOf));
    const isMore = all[place]?.some((value) => value.every((one) => !known.has(nameOf(one))));
    return isMore === true || isLost[place] === true;
  });
}

function withoutUnproven({ unproven = [], identities, ...order }: Subject): Subject {
  return { ...order, identities: identities.filter((one) => !unproven.includes(one)) };
}

/** Whether the lookup concerns the request at all. */
function isAsked({ source, isErased }: LookupOfOther, order: Subject): boolean {
  if (!isErased && order.relied?.some((one) => one.source === source.name) !== true) return false;
  return isOf(source, order);
}

function isOf(source: LookingUp, order: Subject): boolean {
  if (source.controllers?.includes(order.controllerId) === false) return false;
  const { type } = source.resolve.from;
  return !isForeign(source, order) && order.identities.some((one) => one.type === type);
}
