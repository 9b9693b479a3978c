// Plays cases one after the other, and makes those smaller that break a rule.
import { type CaseKind, createKinds } from './case-kinds.ts';
import type { CaseDatabase } from './databases.ts';
import { findSmallest } from './find-smallest.ts';
import type { Fulfilment } from './open-fulfilment.ts';
import { createStatistics } from './statistics.ts';

export interface Range {
  readonly seed: number;
  readonly first: number;
  readonly count: number;
  /** Each broken rule is shown so many times, made small. */
  readonly maxShown: number;
}

export interface Played {
  readonly report: string;
  /** Each with its case, ready to be read. */
  readonly findings: readonly string[];
}

const MAX_FINDINGS = 20;

/** `databases`: of one kind; most cases need the first alone. */
export async function playCases(
  { seed, first, count, maxShown }: Range,
  databases: readonly [CaseDatabase, CaseDatabase],
  fulfilment: Fulfilment,
): Promise<Played> {
  const statistics = createStatistics();
  const findings: string[] = [];
  const shown = new Map<string, { times: number; readonly first: number }>();
  const started = performance.now();
  const kinds = createKinds(databases, fulfilment);
  const [{ name: database }] = databases;

  async function playOne<Case, Seen>(kind: CaseKind<Case, Seen>, caseNo: number): Promise<void> {
    const name = `npm run test:long -- surgery --database ${database} --seed ${seed} --case ${caseNo}`;
    const generated = kind.make(seed, caseNo);
    let seen: Seen;
    try {
      seen = await kind.play(generated);
    } catch (error) {
      findings.push(`${name} could not be played: ${error}`);
      console.log(findings.at(-1));
      return;
    }
    const violations = kind.judge(generated, seen);
    statistics.add(kind.summarize(generated, seen), violations);
    for (const rule of new Set(violations.map((one) => `${one.kind} ${one.rule}`))) {
      const told = shown.get(rule) ?? { times: 0, first: caseNo };
      shown.set(rule, told);
      told.times += 1;
      if (told.times > maxShown) continue;
      const ofRule = violations.filter((one) => `${one.kind} ${one.rule}` === rule);
      const smallest = await findSmallest({ generated, seen, violations: ofRule }, kind);
      findings.push(
        `${name}\n${kind.describe(smallest.generated, smallest.seen, smallest.violations)}`,
      );
      // At once: a run that is stopped has told what it found.
      console.log(findings.at(-1));
    }
  }

  for (let caseNo = first; caseNo < first + count; caseNo += 1) {
    if (kinds.isPlayed('single')) await playOne(kinds.single, caseNo);
    if (kinds.isPlayed('several', caseNo)) await playOne(kinds.several, caseNo);
    if (findings.length > MAX_FINDINGS) break;
  }
  findings.push(...statistics.neverErased());
  const others = [...shown].map(
    ([rule, { times, first: no }]) => `broken in ${times} cases, first in ${no}: ${rule}`,
  );
  const seconds = (performance.now() - started) / 1000;
  const lines = [...statistics.lines(), `${(count / seconds).toFixed(1)} cases a second`];
  return { report: [...lines, ...others].join('\n'), findings };
}
