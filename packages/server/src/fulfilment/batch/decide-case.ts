// What the preview means for a task: an outcome at once, or a case to continue with.
import { byName, isEmpty } from '../../domain/by-name.ts';
import type { Clock } from '../../domain/clock.ts';
import { type Counts, type Found, type Preview, totalOf } from '../../domain/target/connector.ts';
import { isSearchedElsewhere } from '../../domain/target/row-layout.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type { Tables } from '../../domain/task/task.ts';
import { withUnconfirmed } from '../../domain/task/unconfirmed.ts';
import { unnamedIn } from '../evidence/add-up-rows.ts';
import { reportedRows } from '../evidence/make-evidence.ts';
import { addRecovered } from '../evidence/reported-rows.ts';
import { carryOn } from '../intent/carry-on.ts';
import type { OpenedIntent } from '../intent/intents.ts';
import { commonKeys, countKeys, hasRows, withoutKeys } from '../intent/key-rows.ts';
import { addCounts, lessCounts, mergeIntent, nothingFound } from '../intent/merge-intent.ts';
import { isSamePlace, isSamePlan } from '../intent/same-plan.ts';
import {
  askedElsewhere,
  type IntentSettlement,
  isVoid,
  knownOf,
} from '../intent/settle-intents.ts';
import type { ProvenBy } from '../lookup/preview-proven.ts';
import { type Case, type FailTask, type Outcomes, stoppedBy, untouchedIntent } from './case.ts';
import { guard } from './guard.ts';
import { leftBehind } from './hold-words.ts';
import type { TriedTask } from './tried-task.ts';
import { unmatched } from './unmatched.ts';

/** What the target answered about one task. */
interface Seen {
  readonly settlement: IntentSettlement | undefined;
  readonly preview: Preview | undefined;
  /** Another request has erased the same person since. */
  readonly isAnothers: boolean;
  readonly isAtomic: boolean;
}

interface DecideParts {
  readonly clock: Clock;
  readonly failIn: (outcomes: Outcomes) => FailTask;
}

export function createDecideCase({ clock, failIn }: DecideParts) {
  return (
    { task, subject, before: recorded, relied, leftOut }: TriedTask & ProvenBy,
    { settlement, preview, isAnothers, isAtomic }: Seen,
    target: TargetConfig,
    outcomes: Outcomes,
  ): Case | undefined => {
    const { taskNo } = task;
    const before = withoutLeftOut(recorded, leftOut);
    const stopped =
      (isVoid(before, settlement) ? undefined : stoppedBy(settlement)) ??
      stoppedBy(preview) ??
      askedElsewhere(before, preview);
    const intent = untouchedIntent(before);
    if (stopped?.outcome === 'failed') failIn(outcomes)(task, stopped, intent);
    if (stopped?.outcome === 'held') {
      const { rows: previewedRows = null, ...held } = stopped;
      outcomes.set(taskNo, { taskNo, ...held, previewedRows, ...(intent && { intent }) });
    }
    if (stopped !== undefined || preview === undefined) return undefined;
    const found = preview.outcome === 'found' ? preview : nothingFound();
    const isSame = before !== undefined && isSamePlan(before, target.planDigest, found);
    // Rows that an earlier attempt erased under another plan are reported too.
    const hasBegun =
      task.reported !== null ||
      (before !== undefined && (before.state !== 'recorded' || before.voided !== undefined));
    const isSkipped = target.whenUnmatched === 'skip' && (hasBegun || !isEmpty(leftOut));
    if (preview.outcome === 'unmatched' && !isSkipped) {
      outcomes.set(taskNo, unmatched(task, target, clock()));
      return undefined;
    }
    const carried = carryOn(
      {
        intent: before,
        settled: knownOf(before, settlement),
        isSamePlan: isSame,
        isSamePlace: before !== undefined && isSamePlace(before, target.planDigest),
        isAnothers,
        isReported: isAtomic && before?.state === 'done',
        reported: reportedRows(task.reported ?? byName<never>()),
      },
      found,
    );
    const { recovered, gone, goneElsewhere, watched } = carried;
    const left = leftBehind(carried);
    if (left !== undefined) {
      outcomes.set(taskNo, { taskNo, ...left, previewedRows: null });
      return undefined;
    }
    const alreadyGone = addCounts(
      (isSame && before?.alreadyGone) || byName<number>(),
      carried.alreadyGone,
    );
    const merged = mergeIntent(found, carried, isSame ? before : undefined, alreadyGone);
    const intended = merged.layout === undefined ? { ...merged, leftOut } : merged;
    const isRecovered = totalOf(recovered) > 0;
    const earlier = withUnasked(task.reported ?? byName<never>(), before, found, target);
    const hasErasedBefore = carried.isErased || isRecovered || totalOf(reportedRows(earlier)) > 0;
    const mayHaveErased = before?.state === 'erasing' && settlement === undefined;
    const held = guard(intended, target, task.allowedRows);
    if (held !== undefined)
      outcomes.set(taskNo, { taskNo, ...held, previewedRows: totalOf(intended.counts) });
    const { keys, counts, layout, unnamedParents, schemas } = intended;
    return {
      task,
      subject,
      intended,
      found,
      erased: undefined,
      order: {
        ...subject,
        keys,
        counts,
        gone: withoutKeys(gone, goneElsewhere, layout),
        ...(hasRows(goneElsewhere) && { goneElsewhere }),
        ...(unnamedParents !== undefined && { unnamedParents }),
        ...(hasRows(watched) && { watched }),
        ...(layout !== undefined && { layout }),
        ...(schemas !== undefined && { schemas }),
        ...('work' in target && relied.length > 0 && { relied }),
      },
      alreadyGone,
      again: addCounts(countKeys(commonKeys(keys, gone, layout)), carried.again),
      reportedBefore: isRecovered
        ? addRecovered(
            earlier,
            recovered,
            { layout: before?.layout, detached: carried.recoveredDetached },
            target,
          )
        : earlier,
      unnamed: isSame ? new Set() : unnamedIn(found.layout, before?.layout),
      isRecovered: isRecovered || task.isRecovered === true,
      mayHaveErased,
      cutOff: (mayHaveErased && before?.counts) || byName<number>(),
      isSamePlan: isSame,
      hasErasedBefore,
      leftOut,
    };
  };
}

/** An operator went on without knowing how an attempt ended elsewhere: it cannot be asked here either. */
function withUnasked(
  reported: Tables,
  before: OpenedIntent | undefined,
  found: Found,
  { planDigest }: TargetConfig,
): Tables {
  if (before?.voided === undefined) return reported;
  if (isSamePlace(before, planDigest) && !isSearchedElsewhere(before, found)) return reported;
  return withUnconfirmed(reported, before.counts);
}

/** For targets that report only numbers: subtracts rows that stay now and were to be erased by the earlier intent. */
function withoutLeftOut(
  before: OpenedIntent | undefined,
  leftOut: Counts,
): OpenedIntent | undefined {
  if (before === undefined || before.layout !== undefined || isEmpty(leftOut)) return before;
  const more = lessCounts(leftOut, before.leftOut ?? byName());
  return { ...before, counts: lessCounts(before.counts, more) };
}
