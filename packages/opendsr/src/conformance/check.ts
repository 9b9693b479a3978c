// One rule of a text, and how to find out whether a processor keeps it.
import type { Exchange } from './exchange.ts';
import type { Kit } from './kit.ts';

/** RFC 2119. A MUST that is not kept fails the run; the others are reported. */
export type Level = 'MUST' | 'SHOULD' | 'MAY';

export interface Check {
  /** Stable: deviations name it. */
  readonly id: string;
  /** Where the rule is written. */
  readonly clause: string;
  readonly level: Level;
  /** What must be true, as a sentence about the processor. */
  readonly rule: string;
  /** Throws Violation or NotApplicable. */
  run(kit: Kit): Promise<void>;
}

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
