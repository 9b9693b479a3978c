// What became of the cases, and what was in them: a generator whose cases are all refused proves nothing.

import type { Violation } from './judge/violation.ts';

/** What is counted of a case. */
export interface Summary {
  readonly features: readonly string[];
  readonly hasErased: boolean;
  /** How tasks ended. */
  readonly ends: readonly string[];
  /** Why it was refused. */
  readonly problem: string | undefined;
}

/** Of the rarest, one in eight erases. */
const ENOUGH_CASES = 60;

export function createStatistics() {
  const ends = new Map<string, number>();
  const features = new Map<string, { cases: number; erased: number }>();
  let cases = 0;
  let erased = 0;

  function count(name: string): void {
    ends.set(name, (ends.get(name) ?? 0) + 1);
  }

  return {
    add(
      { features: seen, hasErased, ends: outcomes, problem }: Summary,
      violations: readonly Violation[],
    ): void {
      cases += 1;
      if (hasErased) erased += 1;
      for (const feature of seen) {
        const found = features.get(feature) ?? { cases: 0, erased: 0 };
        found.cases += 1;
        if (hasErased) found.erased += 1;
        features.set(feature, found);
      }
      if (problem !== undefined) count(`refused: ${withoutNames(problem)}`);
      else for (const outcome of outcomes) count(outcome);
      if (violations.length > 0) count('WRONG');
    },
    /** Of what was made often enough to be erased at times: nothing ever was. */
    neverErased(): string[] {
      return [...features]
        .filter(([, found]) => found.cases >= ENOUGH_CASES && found.erased === 0)
        .map(([name, found]) => `${name}: in ${found.cases} cases nothing was erased`);
    },
    lines(): string[] {
      const byNumber = [...ends].sort(([, a], [, b]) => b - a);
      return [
        `${cases} cases, rows erased in ${erased}`,
        ...byNumber.map(([name, times]) => `  ${times} ${name}`),
        'with, and of those with rows erased:',
        ...[...features]
          .sort()
          .map(([name, found]) => `  ${name}: ${found.cases}, ${found.erased}`),
      ];
    },
  };
}

const withoutNames = (problem: string) =>
  problem
    .replace(/^\S+/, '')
    .replace(
      /\(foreign key [^)]*\)*|\b(people|orders|items|notes|files|loans|carts|visits)\b/g,
      '…',
    )
    .trim()
    .slice(0, 60);
