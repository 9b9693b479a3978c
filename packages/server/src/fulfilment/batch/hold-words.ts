// Messages of held tasks that are used in more than one place: what is wrong, and what ends the hold.

/** Used for manual targets that configure no text. */
export const BY_HAND = 'a person has to erase, and to confirm it (unwrite manual confirm)';

export const NO_USABLE_IDENTITY =
  'the request has no identity that this target can use; add one (unwrite request identify), or say "when_unmatched: skip" for the target, reload and release; or retain. Where the request was completed before, submit another one with the identity, and retain this task';
