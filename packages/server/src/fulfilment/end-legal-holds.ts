// Legal holds that end by their time.
import type { Chore, DueChore } from '../domain/chore.ts';
import type { LegalHoldEnds } from '../domain/legal-hold/legal-hold.ts';

export function createEndHoldsDue(store: Pick<LegalHoldEnds, 'anyToEnd'>): DueChore {
  return { name: 'ending legal holds', isDue: store.anyToEnd };
}

export function createEndHoldsChore(
  store: LegalHoldEnds,
  /** Whether the clock can be trusted: what is erased too early does not come back. */
  mayEnd: (now: number) => Promise<boolean>,
): Chore {
  return {
    ...createEndHoldsDue(store),
    async run(now) {
      if (await mayEnd(now)) await store.endDue(now);
    },
  };
}
