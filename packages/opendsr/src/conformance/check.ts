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

/** A clause alone is a MUST. */
type Clause = string | readonly [Level, string];

/** A rule of one text or of both, and where each says so. */
export interface Rule {
  /** The id of the check, after that of its text. */
  readonly name: string;
  readonly contract?: Clause;
  readonly opendsr?: Clause;
  readonly rule: string;
  run(kit: Kit): Promise<void>;
}

const TEXTS = { contract: 'Contract', opendsr: 'OpenDSR' } as const;

/** The rules that this text has. */
export function checksOf(text: keyof typeof TEXTS, rules: readonly Rule[]): Check[] {
  return rules.flatMap(({ name, rule, run, ...texts }) => {
    const clause = texts[text];
    if (clause === undefined) return [];
    const [level, section] = typeof clause === 'string' ? ['MUST' as const, clause] : clause;
    return [{ id: `${text}.${name}`, clause: `${TEXTS[text]} ${section}`, level, rule, run }];
  });
}
