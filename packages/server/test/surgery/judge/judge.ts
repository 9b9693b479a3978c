// Compares what happened with what the model says: no harm, no lie, and able.
import type { GeneratedCase } from '../generated-case.ts';
import type { TryRecord } from '../run-case.ts';
import { judgeAble } from './judge-able.ts';
import { judgeBeside } from './judge-beside.ts';
import { judgeEvidence } from './judge-evidence.ts';
import { judgeHarm } from './judge-harm.ts';
import { judgeLies } from './judge-lies.ts';
import { withLookedUp } from './look-up.ts';
import type { Violation } from './violation.ts';

export function judge(given: GeneratedCase, records: readonly TryRecord[]): Violation[] {
  const generated = { ...given, requests: withLookedUp(given, records) };
  return [
    ...judgeHarm(generated, records),
    ...judgeLies(generated, records),
    ...judgeEvidence(generated, records),
    ...judgeBeside(generated, records),
    ...judgeAble(generated, records),
  ];
}
