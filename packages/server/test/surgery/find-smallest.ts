import type { GeneratedCase } from './generated-case.ts';
import { judge } from './judge/judge.ts';
import type { Violation } from './judge/violation.ts';
import type { TryRecord } from './run-case.ts';
import { smallerCases } from './shrink-case.ts';

export interface Finding {
  readonly generated: GeneratedCase;
  readonly records: readonly TryRecord[];
  readonly violations: readonly Violation[];
}

/** Plays smaller and smaller cases as long as one of them breaks the same rule. */
export async function findSmallest(
  found: Finding,
  play: (generated: GeneratedCase) => Promise<TryRecord[]>,
  maxSeconds = 30,
): Promise<Finding> {
  const [first] = found.violations;
  let smallest = found;
  const deadline = performance.now() + maxSeconds * 1000;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerCases(smallest.generated)) {
      if (performance.now() > deadline) return smallest;
      const next = await playCase(candidate, play);
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
async function playCase(
  generated: GeneratedCase,
  play: (generated: GeneratedCase) => Promise<TryRecord[]>,
): Promise<Finding | undefined> {
  try {
    const records = await play(generated);
    return { generated, records, violations: judge(generated, records) };
  } catch {
    return undefined;
  }
}
