// Batches succeed together or are halved down to the one that is ill, so that its neighbours go on.
import { type Failed, type Held, TargetDown } from '../../domain/target/connector.ts';
import { NeedsDecision } from './needs-decision.ts';
import { type SqlDatabase, SqlFailure } from './session.ts';

/** From so many on, looking is done by both connections of the pool at once. */
const WORTH_TWO = 100;

/**
 * For what only looks: two halves at the same time, and further halves where one fails. While another batch is
 * under way, the second connection is not free, and two halves cost more than the whole.
 */
export async function runHalvingBeside<Item, Answer>(
  { isInUse }: SqlDatabase,
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  alone?: (item: Item, failure: SqlFailure) => Promise<Answer | undefined>,
): Promise<(Answer | Held | Failed)[]> {
  if (items.length < WORTH_TWO || isInUse) return runHalving(items, run, alone);
  const middle = Math.ceil(items.length / 2);
  const halves = [items.slice(0, middle), items.slice(middle)];
  return (await Promise.all(halves.map((half) => runHalving(half, run, alone)))).flat();
}

/** `alone` may say more about a single item's failure than its code; undefined leaves it at that. */
export async function runHalving<Item, Answer>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  alone?: (item: Item, failure: SqlFailure) => Promise<Answer | undefined>,
): Promise<(Answer | Held | Failed)[]> {
  if (items.length === 0) return [];
  try {
    return [...(await run(items))];
  } catch (error) {
    if (error instanceof NeedsDecision) {
      if (error.isEverybodys || items.length === 1) return items.map(() => error.toHeld());
    } else if (!(error instanceof SqlFailure)) {
      throw error;
    } else if (error.kind === 'other') {
      // The statement itself: it would be refused for everybody.
      throw new TargetDown(error.code, error.message);
    } else if (items.length === 1 && items[0] !== undefined) {
      const answer = await alone?.(items[0], error);
      return [answer ?? { outcome: 'failed', code: error.code, detail: error.message }];
    }
  }
  const middle = Math.ceil(items.length / 2);
  return [
    ...(await runHalving(items.slice(0, middle), run, alone)),
    ...(await runHalving(items.slice(middle), run, alone)),
  ];
}
