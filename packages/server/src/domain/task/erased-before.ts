// Who had the same people erased at a target before, so that a receipt can name them where rows are missing.

/** A task of another request with an identity in common, at the same target, as seen from the task that asks. */
export interface OtherTask {
  readonly state: string;
  /** Of its evidence. */
  readonly action: string | null;
  readonly hasIntent: boolean;
  readonly isInSameBatch: boolean;
  /** Its request came earlier. */
  readonly isOlder: boolean;
  /** The task that asks has one. */
  readonly hasOwnIntent: boolean;
  /** It changed after that intent was first recorded. */
  readonly isAfterOwnIntent: boolean;
}

/** More are not named. */
export const MAX_NAMED = 10;

/**
 * For a task with an intent, only since then: it shares its missing rows with no request before. For one without,
 * also one that is older and about to erase in the same batch: an attempt that died after erasing leaves the
 * younger nothing else to know it by.
 */
export function mayHaveErasedBefore(other: OtherTask): boolean {
  if (other.state === 'erased')
    return other.action === 'erased' && (!other.hasOwnIntent || other.isAfterOwnIntent);
  const isAboutTo = other.state === 'running' && other.hasIntent && other.isInSameBatch;
  return isAboutTo && other.isOlder && !other.hasOwnIntent;
}
