// What other targets of the same database look up in the tables that this one erases from, asked in the erasing transaction:
// afterwards it cannot be asked any more.
import type { EraseOrder } from '../../../domain/target/connector.ts';
import type { LookingUp } from '../../../domain/target/target.ts';
import {
  identitiesOf,
  type LookupContext,
  listedRows,
  lookUpValues,
  nameOf,
} from './lookup-values.ts';
import { isForeign } from './resolve-identities.ts';

/**
 * Before the first change: whether a lookup gives a value that is no identity of the request, or rows that gave one do not
 * give it any more. The rows are locked from then on.
 */
export async function areOthersOtherwise(
  context: LookupContext,
  orders: readonly EraseOrder[],
): Promise<boolean[]> {
  const isOtherwise = orders.map(() => false);
  for (const source of context.config.lookupsOfOthers ?? []) {
    const asked = orders
      .map((order, place) => ({ order, place }))
      .filter(({ order }) => isOf(source, order));
    if (asked.length === 0) continue;
    const batch = asked.map(({ order }) => order);
    const answers = await areOtherwise({ ...context, config: source }, source, batch);
    asked.forEach(({ place }, index) => {
      if (answers[index]) isOtherwise[place] = true;
    });
  }
  return isOtherwise;
}

async function areOtherwise(
  context: LookupContext,
  { name, resolve }: LookingUp,
  orders: readonly EraseOrder[],
): Promise<boolean[]> {
  const certain = orders.map(({ unproven = [], ...order }) => ({
    ...order,
    identities: order.identities.filter((one) => !unproven.includes(one)),
  }));
  const { lookup, values } = await lookUpValues(context, resolve, certain, { isLocked: true });
  const listed = await listedRows(context, resolve, certain, { isLocked: true });
  return orders.map(({ identities, relied = [] }, place) => {
    const known = new Set(identities.map(nameOf));
    const isMore = [...(values[place] ?? [])].some((value) =>
      identitiesOf(new Set([value]), lookup, resolve).every((one) => !known.has(nameOf(one))),
    );
    // Of a table without a key, all rows have the same one.
    const rows = Map.groupBy(listed[place] ?? [], ({ key }) => key);
    const gives = (key: string, one: string) =>
      rows.get(key)?.some(({ names }) => names.includes(one)) === true;
    const isLost = relied.some(
      (one) => one.source === name && one.gave.some((key) => !gives(key, one.name)),
    );
    return isMore || isLost;
  });
}

/** Whether the lookup is asked for the request at all. */
function isOf(source: LookingUp, order: EraseOrder): boolean {
  if (source.controllers?.includes(order.controllerId) === false) return false;
  const { type } = source.resolve.from;
  return !isForeign(source, order) && order.identities.some((one) => one.type === type);
}
