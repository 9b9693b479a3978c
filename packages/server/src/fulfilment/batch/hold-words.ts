// Messages of held tasks that are used in more than one place: what is wrong, and what ends the hold.

import type { Held } from '../../domain/target/connector.ts';
import { orphaned as orphanedIn } from '../../domain/target/orphaned.ts';

/** Used for manual targets that configure no text. */
export const BY_HAND = 'a person has to erase, and to confirm it (unwrite manual confirm)';

export const NO_USABLE_IDENTITY =
  'the request has no identity that this target can use; add one (unwrite request identify), or say "when_unmatched: skip" for the target, restart and release; or retain. Where the request was completed before, submit another one with the identity, and retain this task';

/** For rows whose parent rows are gone, so that erasing would not find them. */
export function leftBehind({
  orphaned,
  untraceable,
}: {
  readonly orphaned?: string | undefined;
  readonly untraceable?: string | undefined;
}): Held | undefined {
  if (orphaned !== undefined) return orphanedIn(orphaned);
  if (untraceable === undefined) return undefined;
  return {
    outcome: 'held',
    reason: 'unsettled',
    detail: `an earlier attempt erased rows under another configuration, and ${untraceable} is declared now by columns of them that are not on record; look for rows of ${untraceable} that belonged to them, delete those, then release`,
  };
}
