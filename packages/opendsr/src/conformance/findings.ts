// What a check throws.
import type { Exchange } from './exchange.ts';

/** The rule is not kept: why, and what was sent and came back. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly exchange: Exchange | undefined;

  constructor(problem: string, exchange?: Exchange) {
    super(problem);
    this.exchange = exchange;
  }
}

/** The rule cannot be looked at here; the message says why. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}
