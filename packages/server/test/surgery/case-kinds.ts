// The kinds of cases: of one target, with all that a schema may have, and of several that share what is looked up.
import type { CaseDatabase } from './databases.ts';
import { describeCase } from './describe-case.ts';
import { featuresOf } from './features.ts';
import type { GeneratedCase } from './generated-case.ts';
import { judge } from './judge/judge.ts';
import { changesBetween } from './judge/row-changes.ts';
import type { Violation } from './judge/violation.ts';
import { makeCase } from './make/make-case.ts';
import type { Fulfilment } from './open-fulfilment.ts';
import { runCase, type TryRecord } from './run-case.ts';
import { describeSeveral } from './several/describe-several.ts';
import { judgeSeveral } from './several/judge/judge-several.ts';
import { makeSeveral } from './several/make/make-several.ts';
import { type PlayedSeveral, runSeveral } from './several/run-several.ts';
import type { SeveralCase } from './several/several-case.ts';
import { summarizeSeveral } from './several/several-features.ts';
import { smallerSeveral } from './several/shrink-several.ts';
import { smallerCases } from './shrink-case.ts';
import type { Summary } from './statistics.ts';

export interface CaseKind<Case, Seen> {
  make(seed: number, caseNo: number): Case;
  play(generated: Case): Promise<Seen>;
  judge(generated: Case, seen: Seen): Violation[];
  smaller(generated: Case): Iterable<Case>;
  describe(generated: Case, seen: Seen, violations: readonly Violation[]): string;
  summarize(generated: Case, seen: Seen): Summary;
}

/** So many numbers have a case of several targets beside the one of one target. */
const SEVERAL_EVERY = 3;
/** `single` or `several`: only those, and of several one for each number. */
const ONLY = process.env.UNWRITE_TEST_SURGERY_KIND;

export function createKinds(
  databases: readonly [CaseDatabase, CaseDatabase],
  fulfilment: Fulfilment,
) {
  const [database] = databases;
  const single: CaseKind<GeneratedCase, readonly TryRecord[]> = {
    make: (seed, caseNo) => makeCase(seed, caseNo, database.name),
    play: (generated) => runCase(generated, database, fulfilment),
    judge,
    smaller: smallerCases,
    describe: describeCase,
    summarize: summarizeCase,
  };
  const several: CaseKind<SeveralCase, PlayedSeveral> = {
    make: (seed, caseNo) => makeSeveral(seed, caseNo, database.name),
    play: (generated) => runSeveral(generated, databases, fulfilment),
    judge: judgeSeveral,
    smaller: smallerSeveral,
    describe: describeSeveral,
    summarize: summarizeSeveral,
  };
  return {
    single,
    several,
    isPlayed(kind: 'single' | 'several', caseNo = 0): boolean {
      if (ONLY !== undefined) return ONLY === kind;
      return kind === 'single' || caseNo % SEVERAL_EVERY === 0;
    },
  };
}

function summarizeCase(generated: GeneratedCase, records: readonly TryRecord[]): Summary {
  const last = records.at(-1);
  return {
    features: featuresOf(generated),
    hasErased: records.some(({ spans }) =>
      spans.some(({ from, to }) => changesBetween(from, to).length > 0),
    ),
    ends: (last?.tasks ?? []).map(({ state, reason }) => `${state} ${reason ?? ''}`),
    problem: last?.problems[0],
  };
}
