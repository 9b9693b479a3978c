import type { Violation } from './judge/violation.ts';

export interface Finding<Case, Seen> {
  readonly generated: Case;
  readonly seen: Seen;
  readonly violations: readonly Violation[];
}

interface Parts<Case, Seen> {
  play(generated: Case): Promise<Seen>;
  judge(generated: Case, seen: Seen): Violation[];
  smaller(generated: Case): Iterable<Case>;
}

/** Plays smaller and smaller cases as long as one of them breaks the same rule. */
export async function findSmallest<Case, Seen>(
  found: Finding<Case, Seen>,
  parts: Parts<Case, Seen>,
  maxSeconds = 30,
): Promise<Finding<Case, Seen>> {
  const [first] = found.violations;
  let smallest = found;
  const deadline = performance.now() + maxSeconds * 1000;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of parts.smaller(smallest.generated)) {
      if (performance.now() > deadline) return smallest;
      const next = await playCase(candidate, parts);
      if (!next?.violations.some(({ kind, rule }) => kind === first?.kind && rule === first.rule)) {
        continue;
      }
      smallest = next;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/** undefined: a database would not have such a schema. */
async function playCase<Case, Seen>(
  generated: Case,
  { play, judge }: Parts<Case, Seen>,
): Promise<Finding<Case, Seen> | undefined> {
  try {
    const seen = await play(generated);
    return { generated, seen, violations: judge(generated, seen) };
  } catch {
    return undefined;
  }
}
