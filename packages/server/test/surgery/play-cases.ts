// Plays cases one after the other, and makes those smaller that break a rule.
import type { CaseDatabase } from './databases.ts';
import { describeCase } from './describe-case.ts';
import { type Finding, findSmallest } from './find-smallest.ts';
import type { GeneratedCase } from './generated-case.ts';
import { judge } from './judge/judge.ts';
import { makeCase } from './make/make-case.ts';
import type { Fulfilment } from './open-fulfilment.ts';
import { runCase } from './run-case.ts';
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

export async function playCases(
  { seed, first, count, maxShown }: Range,
  database: CaseDatabase,
  fulfilment: Fulfilment,
): Promise<Played> {
  const statistics = createStatistics();
  const findings: string[] = [];
  const shown = new Map<string, { times: number; readonly first: number }>();
  const started = performance.now();
  const play = (generated: GeneratedCase) => runCase(generated, database, fulfilment);

  for (let caseNo = first; caseNo < first + count; caseNo += 1) {
    const generated = makeCase(seed, caseNo, database.name);
    const records = await play(generated).catch((error: unknown) => String(error));
    if (typeof records === 'string') {
      findings.push(`${nameOf(generated, seed, caseNo)} could not be played: ${records}`);
      if (findings.length > MAX_FINDINGS) break;
      continue;
    }
    const violations = judge(generated, records);
    statistics.add(generated, records, violations);
    for (const rule of new Set(violations.map((one) => `${one.kind} ${one.rule}`))) {
      const seen = shown.get(rule) ?? { times: 0, first: caseNo };
      shown.set(rule, seen);
      seen.times += 1;
      if (seen.times > maxShown) continue;
      const ofRule = violations.filter((one) => `${one.kind} ${one.rule}` === rule);
      const smallest = await findSmallest({ generated, records, violations: ofRule }, play);
      findings.push(tell(smallest, seed, caseNo));
      // At once: a run that is stopped has told what it found.
      console.log(findings.at(-1));
    }
  }
  findings.push(...statistics.neverErased());
  const others = [...shown].map(
    ([rule, { times, first: no }]) => `broken in ${times} cases, first in ${no}: ${rule}`,
  );
  const seconds = (performance.now() - started) / 1000;
  const lines = [...statistics.lines(), `${(count / seconds).toFixed(1)} cases a second`];
  return { report: [...lines, ...others].join('\n'), findings };
}

function tell({ generated, records, violations }: Finding, seed: number, caseNo: number): string {
  const name = nameOf(generated, seed, caseNo);
  return `${name}\n${describeCase(generated, records, violations)}`;
}

const nameOf = ({ database }: GeneratedCase, seed: number, caseNo: number) =>
  `npm run test:surgery -- --database ${database} --seed ${seed} --case ${caseNo}`;
