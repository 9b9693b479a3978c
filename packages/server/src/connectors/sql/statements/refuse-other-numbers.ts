// Hand-written statements are trusted only if their numbers agree: the erase statements must change as many
// rows as the preview counts. Thrown inside the transaction, which is then rolled back.
import { NeedsDecision } from '../needs-decision.ts';

export function refuseOtherNumbers({
  ordered,
  found,
  changed,
  canUndo,
}: {
  /** Counted by the preview from which the order comes. */
  readonly ordered: number;
  /** Counted by the same statement in the erasing transaction. */
  readonly found: number;
  readonly changed: number;
  /** Undone with the transaction, if a statement has not ended it. */
  readonly canUndo: boolean;
}): void {
  if ((found > ordered || changed !== found) && !canUndo)
    throw new NeedsDecision(
      'statements_disagree',
      `sql.preview counts ${found} rows (${ordered} before) and sql.erase says that it changed ${changed}; this could NOT be undone, as a procedure in sql.erase has committed: look at what it changed, write its statements here instead of the CALL, reload, then release`,
    );
  if (found > ordered)
    throw new NeedsDecision(
      'more_than_previewed',
      `${found} rows match now, and the preview had found ${ordered}; nothing was changed: find out why, then release`,
    );
  if (changed !== found)
    throw new NeedsDecision(
      'statements_disagree',
      `sql.preview counts ${found} rows and sql.erase changed ${changed}, which was rolled back; correct the statements so that both mean the same rows, reload, then release`,
    );
}
