// What the preview means for a task: an outcome at once, or a case to continue with.
import { byName, isEmpty } from '../../domain/by-name.ts';
import type { Clock } from '../../domain/clock.ts';
import { type Preview, totalOf } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { withUnconfirmed } from '../../domain/task/unconfirmed.ts';
import { unrecognisedIn } from '../evidence/add-up-rows.ts';
import { reportedRows } from '../evidence/make-evidence.ts';
import { carryOn } from '../intent/carry-on.ts';
import { commonKeys, countKeys, hasRows, withoutKeys } from '../intent/key-rows.ts';
import { lessCounts, mergeIntent, nothingFound } from '../intent/merge-intent.ts';
import { isSamePlace, isSamePlan } from '../intent/same-plan.ts';
import type { ProvenBy } from '../lookup/prove-tasks.ts';
import { type Case, type FailTask, type Outcomes, stoppedBy } from './case.ts';
import { guard, guardLoose } from './guard.ts';
import type { TriedTask } from './tried-task.ts';
import { unmatched } from './unmatched.ts';

interface DecideParts {
  readonly clock: Clock;
  readonly failIn: (outcomes: Outcomes) => FailTask;
}

export function createDecideCase({ clock, failIn }: DecideParts) {
  return (
    { task, subject, before, leftOut }: TriedTask & Pick<ProvenBy, 'leftOut'>,
    preview: Preview,
    target: TargetConfig,
    outcomes: Outcomes,
  ): Case | undefined => {
    const { taskNo } = task;
    const stopped = stoppedBy(preview);
    if (stopped?.outcome === 'failed') failIn(outcomes)(task, stopped);
    if (stopped?.outcome === 'held') {
      const { rows: previewedRows = null, ...held } = stopped;
      outcomes.set(taskNo, { taskNo, ...held, previewedRows });
    }
    if (stopped !== undefined) return undefined;
    const found = preview.outcome === 'found' ? preview : nothingFound();
    const isSame = before !== undefined && isSamePlan(before, target.planDigest, found);
    // Rows that an earlier attempt erased under another plan are reported too.
    const hasBegun =
      task.reported !== null || task.unanswered !== undefined || before?.state === 'done';
    const isSkipped = target.whenUnmatched === 'skip' && (hasBegun || !isEmpty(leftOut));
    if (preview.outcome === 'unmatched' && !isSkipped) {
      outcomes.set(taskNo, unmatched(task, target, clock()));
      return undefined;
    }
    const carried = carryOn(
      {
        intent: before,
        isSamePlan: isSame,
        isSamePlace: before !== undefined && isSamePlace(before, target.planDigest),
      },
      found,
    );
    const { gone, goneElsewhere } = carried;
    const intended = mergeIntent(found, carried, isSame ? before : undefined);
    const missing = lessCounts(lessCounts(task.unanswered ?? byName(), found.counts), leftOut);
    const reportedBefore = withUnconfirmed(task.reported ?? byName<never>(), missing);
    const hasErasedBefore = carried.isErased || totalOf(reportedRows(reportedBefore)) > 0;
    const held =
      guard(found, target, task.allowedRows, hasBegun) ??
      (isSame ? guardLoose(found, before) : undefined);
    if (held !== undefined)
      outcomes.set(taskNo, { taskNo, ...held, previewedRows: totalOf(found.counts) });
    const { keys, layout, schemas } = intended;
    return {
      task,
      subject,
      intended,
      found,
      erased: undefined,
      order: {
        ...subject,
        keys: found.keys,
        counts: found.counts,
        gone: withoutKeys(gone, goneElsewhere, layout),
        ...(hasRows(goneElsewhere) && { goneElsewhere }),
        ...(layout !== undefined && { layout }),
        ...(schemas !== undefined && { schemas }),
      },
      again: countKeys(commonKeys(keys, gone, layout), layout),
      reportedBefore,
      unrecognised: isSame ? new Set() : unrecognisedIn(found.layout, before?.layout),
      isRecovered: task.isRecovered === true,
      isSamePlan: isSame,
      hasErasedBefore,
      leftOut,
    };
  };
}
