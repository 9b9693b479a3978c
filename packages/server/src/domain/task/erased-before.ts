// Which other requests had the same people erased at a target before, so that a receipt can name them if rows
// are missing.

/** A task of another request with an identity in common, at the same target, as seen from the task that asks. */
export interface OtherTask {
  readonly state: string;
  /** `action` of the task's evidence. */
  readonly action: string | null;
  /** It has reported rows as erased, however it ended. */
  readonly hasReported: boolean;
  readonly hasIntent: boolean;
  readonly isInSameBatch: boolean;
  /** Its request was received earlier. */
  readonly isOlder: boolean;
  /** The asking task has an intent. */
  readonly hasOwnIntent: boolean;
  /** It changed after the asking task's intent was first recorded. */
  readonly isAfterOwnIntent: boolean;
}

/** Limit of requests named on a receipt. */
export const MAX_NAMED = 10;

/**
 * For a task with an intent, only erasures after that intent count: its missing rows cannot be those of an
 * earlier request. For a task without an intent, an older request that is about to erase in the same batch
 * counts too: if its attempt died after erasing, nothing else would show it.
 */
export function mayHaveErasedBefore(other: OtherTask): boolean {
  if (other.state === 'erased') {
    const hasErased = other.action === 'erased' || other.hasReported;
    return hasErased && (!other.hasOwnIntent || other.isAfterOwnIntent);
  }
  const isAboutTo = other.state === 'running' && other.hasIntent && other.isInSameBatch;
  return isAboutTo && other.isOlder && !other.hasOwnIntent;
}
