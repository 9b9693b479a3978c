// One rule of a text, and how to find out whether a processor keeps it.
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
  /** Throws Violation or NotApplicable (findings.ts). */
  run(kit: Kit): Promise<void>;
}
