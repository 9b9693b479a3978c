// What became of the cases, and what was in them: a generator whose cases are all refused proves nothing.

import { featuresOf } from './features.ts';
import type { GeneratedCase } from './generated-case.ts';
import { changesBetween } from './judge/row-changes.ts';
import type { Violation } from './judge/violation.ts';
import type { TryRecord } from './run-case.ts';

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
      generated: GeneratedCase,
      records: readonly TryRecord[],
      violations: readonly Violation[],
    ): void {
      const last = records.at(-1);
      const hasErased = records.some(({ spans }) =>
        spans.some(({ from, to }) => changesBetween(from, to).length > 0),
      );
      cases += 1;
      if (hasErased) erased += 1;
      for (const feature of featuresOf(generated)) {
        const found = features.get(feature) ?? { cases: 0, erased: 0 };
        found.cases += 1;
        if (hasErased) found.erased += 1;
        features.set(feature, found);
      }
      const [problem] = last?.problems ?? [];
      if (problem !== undefined) count(`refused: ${withoutNames(problem)}`);
      else for (const { state, reason } of last?.tasks ?? []) count(`${state} ${reason ?? ''}`);
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
