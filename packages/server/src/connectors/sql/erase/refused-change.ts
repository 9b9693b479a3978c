// A constraint that refuses a change will refuse it every time: the task is held for an operator.
import type { HoldReason } from '../../../domain/target/connector.ts';
import { NeedsDecision } from '../needs-decision.ts';
import { SqlFailure } from '../session.ts';

/** `wayOut`: the end of the message, before the release. */
export async function holdIfRefused<T>(
  reason: HoldReason,
  what: string,
  wayOut: string,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    // Rows that refer to these are a different case, with its own advice.
    if (!(error instanceof SqlFailure) || error.refusedBy === undefined || error.isReference)
      throw error;
    throw new NeedsDecision(
      reason,
      `${what}, and nothing was changed: ${error.message}; ${wayOut}, then release`,
    );
  }
}
