// Verification in a new transaction, and the resulting outcome of each task.
import { byName } from '../../domain/by-name.ts';
import type { Clock } from '../../domain/clock.ts';
import {
  type Connector,
  type Counts,
  type EraseOrder,
  type Failed,
  totalOf,
  type Verdict,
} from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type {
  FulfilmentStore,
  LeasedBatch,
  LeasedTask,
} from '../../domain/task/fulfilment-ports.ts';
import type { TaskOutcome } from '../../domain/task/task.ts';
import { makeEvidence } from '../evidence/make-evidence.ts';
import type { Accepted } from '../gate/gate.ts';
import { hasRows } from '../intent/key-rows.ts';
import { lessCounts } from '../intent/merge-intent.ts';
import { askFor, type DigestAcross } from './ask-others.ts';
import { addsUp, type Case, type FailTask, type Outcomes, untouched } from './case.ts';

type WaitingOutcome = Extract<TaskOutcome, { readonly code: string }>;

export interface VerifyParts {
  readonly store: FulfilmentStore;
  readonly clock: Clock;
  readonly digestAcross: DigestAcross;
}

export interface VerifyRun {
  readonly batch: LeasedBatch;
  readonly target: TargetConfig;
  readonly connector: Connector;
  readonly accepted: Accepted;
  readonly outcomes: Outcomes;
  readonly fail: FailTask;
}

export function createVerifyCases({ store, clock, digestAcross }: VerifyParts) {
  return async (
    { batch, target, connector, accepted, outcomes, fail }: VerifyRun,
    cases: readonly Case[],
  ): Promise<void> => {
    if (cases.length === 0) return;
    const verdicts = await connector.verify(cases.map(toVerify));
    const erasedByOthers = await store.erasedBefore(
      cases
        .filter((one, place) => isOurOwnLook(verdicts[place]) && mayBeAnothers(one))
        .map(askFor(digestAcross)),
    );
    const idOf = new Map(batch.tasks.map((task) => [task.taskNo, task]));
    // Only requests of the same controller count: another controller may use the same id.
    const isDone = (id: string, { controllerId }: LeasedTask) =>
      !batch.tasks.some(
        (one) =>
          one.subjectRequestId === id &&
          one.controllerId === controllerId &&
          isOpen(outcomes.get(one.taskNo)),
      );
    for (const [index, one] of cases.entries()) {
      const { task, intended, found, erased } = one;
      const { sharedWith } = found;
      const verdict = verdicts[index];
      const { taskNo } = task;
      if (verdict === undefined) continue;
      const older = sharedWith.map((no) => outcomes.get(no)).find(isWaiting);
      if (older !== undefined) {
        const { intent: _, reported: __, ...waiting } = older;
        outcomes.set(taskNo, { ...waiting, taskNo });
        continue;
      }
      if (verdict.outcome === 'pending') {
        const { detail, againInMs } = verdict;
        outcomes.set(taskNo, { taskNo, outcome: 'pending', detail, dueTime: clock() + againInMs });
        continue;
      }
      if (verdict.outcome === 'failed') fail(task, verdict);
      // Checked before the verdict: it explains what remains, and for a target that is not re-queried, it is the only
      // check.
      else if (sharedWith.some((no) => isOpen(outcomes.get(no)))) fail(task, SHARED_REMAIN);
      else if (verdict.outcome === 'remains') fail(task, stillThere(verdict.counts));
      else if (isShort(one, verdict)) fail(task, FEWER);
      else if (verdict.outcome === 'held') {
        const { isVoid, ...held } = verdict;
        const stands = isVoid === true ? untouched(one) : {};
        outcomes.set(taskNo, {
          taskNo,
          ...held,
          ...stands,
          previewedRows: totalOf(intended.counts),
        });
      } else {
        const evidence = makeEvidence({
          task,
          target,
          intended,
          erased,
          verdict,
          accepted,
          kept: verdict.kept ?? byName(),
          leftOut: one.leftOut,
          again: one.again,
          isAtomic: connector.isAtomic === true,
          skipped: found.skipped ?? [],
          hasOverwritten: found.hasOverwritten === true,
          reportedBefore: one.reportedBefore,
          unrecognised: one.unrecognised,
          isExact: addsUp(connector, one),
          isRecovered: one.isRecovered,
          sharedWith: sharedWith.flatMap((no) => idFor(idOf.get(no), task)),
          erasedByOthers: (erasedByOthers.get(taskNo) ?? []).filter((id) => isDone(id, task)),
          startedTime: batch.leasedTime,
          finishedTime: clock(),
        });
        outcomes.set(taskNo, { taskNo, outcome: 'erased', evidence });
      }
    }
  };
}

function toVerify({ order, intended }: Case): EraseOrder {
  const { retainedRows: retained, kept } = intended;
  return {
    ...order,
    keys: intended.keys,
    ...(kept !== undefined && hasRows(kept) && { kept }),
    ...(retained !== undefined && hasRows(retained) && { retained }),
  };
}

const SHARED_REMAIN = {
  code: 'still_there',
  detail: 'rows that it shares with an older request could not be erased for that one',
} as const;

const FEWER = {
  code: 'still_there',
  detail:
    'the target reports fewer rows erased than its preview found, and does not look again: it is previewed anew',
} as const;

/** If a target's report is trusted, it must cover everything that was found. */
function isShort({ found, erased }: Case, verdict: Verdict): boolean {
  if (verdict.outcome !== 'gone' || verdict.how !== 'reported') return false;
  return totalOf(lessCounts(found.counts, erased?.counts ?? byName())) > 0;
}

/** What another processor has done is not what another request here has erased. */
function isOurOwnLook(verdict: Verdict | undefined): boolean {
  return verdict?.outcome === 'gone' && verdict.how !== 'stated';
}

/** Nothing was found, or some of what was found is gone: another request may have erased it. */
function mayBeAnothers({ intended, erased }: Case): boolean {
  const rows = totalOf(intended.counts);
  return rows === 0 || totalOf(erased?.counts ?? byName()) < rows;
}

const isOpen = (outcome: TaskOutcome | undefined) =>
  outcome !== undefined && outcome.outcome !== 'erased';

/** Rows that the task shares with a waiting task still exist: that is not a failure of this task. */
function isWaiting(outcome: TaskOutcome | undefined): outcome is WaitingOutcome {
  return outcome?.outcome === 'waiting';
}

function stillThere(counts: Counts): Omit<Failed, 'outcome'> {
  const where = Object.entries(counts).map(([table, rows]) => `${rows} in ${table}`);
  return {
    code: 'still_there',
    detail: `the re-query still found rows: ${where.join(', ') || 'the target does not say where'}`,
  };
}

/** Requests of another controller are not named: their ids are confidential. */
function idFor(older: LeasedTask | undefined, mine: LeasedTask): string[] {
  if (older === undefined) return [];
  return older.controllerId === mine.controllerId
    ? [older.subjectRequestId]
    : ['a request of another controller'];
}
