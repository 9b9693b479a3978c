// Thrown inside a transaction, so that it is rolled back, if an operator has to decide.
import type { Held, HoldReason } from '../../domain/target/connector.ts';

export class NeedsDecision extends Error {
  override readonly name = 'NeedsDecision';
  readonly reason: HoldReason;
  /** The problem concerns the whole batch: bisecting it to find the one request makes no sense. */
  readonly isEverybodys: boolean;

  /** `detail`: names of tables at most, never data. */
  constructor(reason: HoldReason, detail: string, isEverybodys = false) {
    super(detail);
    this.reason = reason;
    this.isEverybodys = isEverybodys;
  }

  toHeld(): Held {
    return { outcome: 'held', reason: this.reason, detail: this.message };
  }
}
