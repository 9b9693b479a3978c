// What a lookup has found is not lost: every target is asked with it.
import { nameOf } from '../../judge/look-up.ts';
import type { Violation } from '../../judge/violation.ts';
import type { RunRecord } from '../run-record.ts';
import type { SeveralCase } from '../several-case.ts';
import { givenBy } from './lookups.ts';
import { targetOf } from './view.ts';

export function judgeKnown(generated: SeveralCase, runs: readonly RunRecord[]): Violation[] {
  return runs.flatMap((run, at) => {
    if (run.phase !== 'erase') return [];
    return run.tasks.flatMap((task): Violation[] => {
      const known = new Set(task.known.map(nameOf));
      const request = generated.requests[task.request];
      if (request === undefined) return [];
      const lost = generated.targets
        .flatMap(({ name }) => {
          const last = runs
            .slice(0, at)
            .findLast(
              (one) =>
                one.phase === 'resolve' &&
                one.target === name &&
                isResolved(one, task.request) &&
                one.tasks.some((other) => other.request === task.request),
            );
          const asked = last?.tasks.find((other) => other.request === task.request);
          if (last === undefined || asked === undefined) return [];
          const source = targetOf(generated, name);
          return givenBy(generated, source, last.before, request, asked.known);
        })
        .filter((identity) => !known.has(nameOf(identity)));
      return lost.map((identity) => ({
        kind: 'lie',
        tryNo: at,
        rule: 'a lookup is forgotten',
        detail: `${run.target} is asked without ${nameOf(identity)}`,
      }));
    });
  });
}

/** It ended, and was not stopped by anything. */
function isResolved({ tasks, tasksAfter }: RunRecord, request: number): boolean {
  const task = tasks.find((one) => one.request === request);
  const after = tasksAfter[request]?.find(({ taskNo }) => taskNo === task?.taskNo);
  return after?.phase === 'erase';
}
