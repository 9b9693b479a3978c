import { byName } from '../domain/by-name.ts';
import {
  type Connector,
  type Counts,
  type EraseOrder,
  type Failed,
  type Preview,
  type Subject,
  totalOf,
} from '../domain/connector.ts';
import type { FulfilmentStore, LeasedBatch, LeasedTask } from '../domain/fulfilment-ports.ts';
import type { Clock } from '../domain/ports.ts';
import type { TargetConfig } from '../domain/target.ts';
import type { TaskOutcome } from '../domain/task.ts';
import { createApplyBrakes } from './apply-brakes.ts';
import type { Backoff } from './backoff.ts';
import { guard } from './guard.ts';
import type { KeysVaultPort } from './intents.ts';
import { openIntent, sealIntents } from './intents.ts';
import { makeEvidence } from './make-evidence.ts';
import { type Intended, mergeIntent, nothingFound } from './merge-intent.ts';
import {
  CANNOT_OPEN,
  type OpenedTask,
  type OpenIdentities,
  openSubjects,
} from './open-subjects.ts';
import type { Reported } from './reported-rows.ts';

export interface EraseParts {
  readonly store: FulfilmentStore;
  readonly clock: Clock;
  readonly backoff: Backoff;
  readonly openIdentities: OpenIdentities;
  readonly keysVault: KeysVaultPort;
}

/** One task on its way through the batch. */
interface Case {
  readonly task: LeasedTask;
  readonly subject: Subject;
  readonly intended: Intended;
  readonly sharedWith: readonly number[];
  readonly order: EraseOrder;
  erased: Counts;
}

type Outcomes = Map<number, TaskOutcome>;
type WaitingOutcome = Extract<TaskOutcome, { readonly code: string }>;
type Opened = OpenedTask & { readonly before: Intended | undefined };

export function createEraseBatch(parts: EraseParts) {
  const { store, clock, backoff, openIdentities, keysVault } = parts;
  const applyBrakes = createApplyBrakes(store, clock);

  function fail(outcomes: Outcomes, task: LeasedTask, { code, detail }: Omit<Failed, 'outcome'>) {
    const { taskNo, attempts } = task;
    const dueTime = clock() + backoff.retry(attempts);
    outcomes.set(taskNo, { taskNo, outcome: 'failed', code, detail, dueTime });
  }

  function open(batch: LeasedBatch, outcomes: Outcomes): Opened[] {
    const onFailure = (task: LeasedTask, failure: Omit<Failed, 'outcome'>) =>
      fail(outcomes, task, failure);
    return openSubjects(batch.tasks, openIdentities, onFailure).flatMap((opened) => {
      try {
        return [{ ...opened, before: openIntent(keysVault, batch.target, opened.task) }];
      } catch {
        onFailure(opened.task, CANNOT_OPEN);
        return [];
      }
    });
  }

  /** What the preview means for a task: an outcome at once, or a case to go on with. */
  function decide(
    { task, subject, before }: Opened,
    preview: Preview | undefined,
    target: TargetConfig,
    outcomes: Outcomes,
  ): Case | undefined {
    const { taskNo } = task;
    if (preview === undefined) return undefined;
    if (preview.outcome === 'failed') {
      fail(outcomes, task, preview);
      return undefined;
    }
    if (preview.outcome === 'held') {
      outcomes.set(taskNo, { taskNo, ...preview, previewedRows: null });
      return undefined;
    }
    if (preview.outcome === 'unmatched' && before === undefined) {
      outcomes.set(taskNo, unmatched(task, target, clock()));
      return undefined;
    }
    const found = preview.outcome === 'found' ? preview : nothingFound();
    const intended = mergeIntent(found, before);
    const held = guard(intended, target, task.allowedRows);
    if (held !== undefined) {
      outcomes.set(taskNo, { taskNo, ...held, previewedRows: totalOf(intended.counts) });
      return undefined;
    }
    const order: EraseOrder = { ...subject, keys: intended.keys, counts: intended.counts };
    return { task, subject, intended, sharedWith: found.sharedWith, order, erased: byName() };
  }

  async function erase(
    batch: LeasedBatch,
    target: TargetConfig,
    cases: readonly Case[],
    connector: Connector,
    outcomes: Outcomes,
    reported: Reported,
  ) {
    const found = cases.filter(({ intended }) => totalOf(intended.counts) > 0);
    if (found.length === 0) return;
    const withRows = await applyBrakes(batch, target, found, outcomes);
    if (withRows.length === 0) return;
    const erasures = await connector.erase(withRows.map(({ order }) => order));
    for (const [index, one] of withRows.entries()) {
      const erasure = erasures[index];
      const { taskNo } = one.task;
      // Not left to the verification: gone without a word of how many is not evidence.
      if (erasure === undefined) fail(outcomes, one.task, NO_ANSWER);
      else if (erasure.outcome === 'erased') {
        one.erased = erasure.counts;
        reported.set(taskNo, { erased: erasure.counts, intended: one.intended.counts });
      } else if (erasure.outcome === 'failed') fail(outcomes, one.task, erasure);
      else {
        const { erased, ...held } = erasure;
        if (erased !== undefined) reported.set(taskNo, { erased, intended: one.intended.counts });
        outcomes.set(taskNo, { taskNo, ...held, previewedRows: totalOf(one.intended.counts) });
      }
    }
  }

  async function verify(
    batch: LeasedBatch,
    target: TargetConfig,
    cases: readonly Case[],
    connector: Connector,
    outcomes: Outcomes,
  ) {
    if (cases.length === 0) return;
    const verdicts = await connector.verify(cases.map(({ order }) => order));
    const erasedBefore = await store.erasedBefore(
      cases.filter(mayBeAnothers).map(({ task }) => task.taskNo),
    );
    const idOf = new Map(batch.tasks.map((task) => [task.taskNo, task]));
    const isDone = (id: string) =>
      !batch.tasks.some((one) => one.subjectRequestId === id && isOpen(outcomes.get(one.taskNo)));
    for (const [index, { task, intended, erased, sharedWith }] of cases.entries()) {
      const verdict = verdicts[index];
      const { taskNo } = task;
      if (verdict === undefined) continue;
      const older = sharedWith.map((no) => outcomes.get(no)).find(isWaiting);
      if (older !== undefined) {
        outcomes.set(taskNo, { ...older, taskNo });
        continue;
      }
      if (verdict.outcome === 'failed') fail(outcomes, task, verdict);
      // Before the verdict: it explains what remains, and where a target is believed and not asked
      // again, nobody else would notice.
      else if (sharedWith.some((no) => isOpen(outcomes.get(no))))
        fail(outcomes, task, SHARED_REMAIN);
      else if (verdict.outcome === 'remains') fail(outcomes, task, stillThere(verdict.counts));
      else {
        const older = sharedWith.flatMap((no) => nameOf(idOf.get(no), task));
        const evidence = makeEvidence({
          task,
          target,
          intended,
          erased,
          verdict,
          sharedWith: older,
          erasedBefore: (erasedBefore.get(taskNo) ?? []).filter(isDone),
          startedTime: batch.leasedTime,
          finishedTime: clock(),
        });
        outcomes.set(taskNo, { taskNo, outcome: 'erased', evidence });
      }
    }
  }

  return async (
    batch: LeasedBatch,
    target: TargetConfig,
    connector: Connector,
    outcomes: Outcomes,
    reported: Reported,
  ): Promise<void> => {
    const opened = open(batch, outcomes);
    if (opened.length === 0) return;
    const previews = await connector.preview(opened.map(({ subject }) => subject));
    const cases = opened.flatMap(
      (one, index) => decide(one, previews[index], target, outcomes) ?? [],
    );
    // The fence stands here too: a worker that has lost its batch stops before it touches anything.
    await store.recordIntents(batch, sealIntents(keysVault, batch.target, cases), clock());
    await erase(batch, target, cases, connector, outcomes, reported);
    const rest = cases.filter(({ task }) => !outcomes.has(task.taskNo));
    await verify(batch, target, rest, connector, outcomes);
  };
}

export const NO_ANSWER = {
  code: 'no_outcome',
  detail: 'the connector gave no answer',
} as const;

const SHARED_REMAIN = {
  code: 'still_there',
  detail: 'rows that it shares with an older request could not be erased for that one',
} as const;

/** Nothing was found, or not all that was found was still there: somebody else may have erased it. */
function mayBeAnothers({ intended, erased }: Case): boolean {
  return totalOf(intended.counts) === 0 || totalOf(erased) < totalOf(intended.counts);
}

const isOpen = (outcome: TaskOutcome | undefined) =>
  outcome !== undefined && outcome.outcome !== 'erased';

/** What it shares with one that has to wait is still there, and no failure of its own. */
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

function unmatched(task: LeasedTask, target: TargetConfig, now: number): TaskOutcome {
  const { taskNo } = task;
  if (target.whenUnmatched === 'skip') {
    const time = new Date(now).toISOString();
    const evidence = {
      action: 'skipped',
      connector: target.connector,
      configuration: target.digest,
      tables: {},
      verified: 'not applicable',
      attempts: task.attempts,
      started_time: time,
      finished_time: time,
      note: 'the request has no identity that this target can use (when_unmatched: skip)',
    } as const;
    return { taskNo, outcome: 'erased', evidence };
  }
  const detail = 'the request has no identity that this target can use';
  return { taskNo, outcome: 'held', reason: 'no_usable_identity', detail, previewedRows: null };
}

/** Another controller's request is not named: its id is none of this one's business. */
function nameOf(older: LeasedTask | undefined, mine: LeasedTask): string[] {
  if (older === undefined) return [];
  return older.controllerId === mine.controllerId
    ? [older.subjectRequestId]
    : ['a request of another controller'];
}
