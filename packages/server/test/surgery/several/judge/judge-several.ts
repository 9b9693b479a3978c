// No harm, no lie, and able, of a case with several targets.
import type { Violation } from '../../judge/violation.ts';
import type { PlayedSeveral } from '../run-several.ts';
import type { SeveralCase } from '../several-case.ts';
import { judgeEnd } from './judge-end.ts';
import { judgeErasing } from './judge-erasing.ts';
import { judgeKnown } from './judge-known.ts';
import { judgeOutcome } from './judge-outcome.ts';
import { isImpossible } from './order.ts';

export function judgeSeveral(generated: SeveralCase, played: PlayedSeveral): Violation[] {
  const isRefused = played.problems.some((problem) => problem.includes('no order'));
  if (isImpossible(generated) !== isRefused) {
    const [problem = 'it was accepted'] = played.problems;
    // What else is refused is not read further.
    if (played.problems.length > 0 && !isRefused) return [];
    return [{ kind: isRefused ? 'unable' : 'lie', tryNo: 0, rule: 'order', detail: problem }];
  }
  return [
    ...played.runs.flatMap((_, at) => [
      ...judgeErasing(generated, played.runs, at),
      ...judgeOutcome(generated, played.runs, at),
    ]),
    ...judgeKnown(generated, played.runs),
    ...judgeEnd(generated, played),
  ];
}
