// One task of a batch, from its preview to its outcome.
import type { Clock } from '../../domain/clock.ts';
import type {
  Connector,
  Counts,
  Erased,
  EraseOrder,
  Failed,
  Found,
  Preview,
  Subject,
} from '../../domain/target/connector.ts';
import type { Backoff } from '../../domain/task/backoff.ts';
import type { LeasedTask } from '../../domain/task/fulfilment-ports.ts';
import type { IntentEnd, Tables, TaskOutcome } from '../../domain/task/task.ts';
import type { Intended } from '../intent/merge-intent.ts';

/** One task on its way through the batch. */
export interface Case {
  readonly task: LeasedTask;
  readonly subject: Subject;
  readonly intended: Intended;
  readonly found: Found;
  readonly order: EraseOrder;
  /** Rows that an earlier attempt erased and that came back: they count once. */
  again: Counts;
  /** Rows that earlier attempts erased, or may have erased. */
  readonly reportedBefore: Tables;
  /** Tables whose rows are not recognised by a key, if an earlier attempt had another plan. */
  readonly unrecognised: ReadonlySet<string>;
  /** The worker of the previous attempt died, and its target was asked what it has erased. */
  readonly isRecovered: boolean;
  /** Whether the previous attempt had the same plan. */
  readonly isSamePlan: boolean;
  /** An earlier attempt has erased rows. */
  readonly hasErasedBefore: boolean;
  /** Rows found only by unproven identities: an operator has released the task without them. */
  readonly leftOut: Counts;
  erased: Erased | undefined;
}

/** How the task stands if this attempt touched nothing. */
export function untouched({ reportedBefore }: Case): {
  readonly intent: IntentEnd;
  readonly reported?: Tables;
} {
  const isNone = Object.keys(reportedBefore).length === 0;
  return { intent: 'recorded', ...(!isNone && { reported: reportedBefore }) };
}

/** Whether no row is reported twice: rows have keys, or erased rows are not counted any more. */
export function addsUp({ isAtomic }: Connector, { found, erased, isSamePlan }: Case): boolean {
  if (found.layout !== undefined) return true;
  return isAtomic === true && isSamePlan && erased?.isFoundAgain !== true;
}

export type Outcomes = Map<number, TaskOutcome>;
export type FailTask = (
  task: LeasedTask,
  failure: Omit<Failed, 'outcome'>,
  stands?: { readonly intent: IntentEnd; readonly reported?: Tables },
) => void;

export function createFailIn(clock: Clock, backoff: Backoff): (outcomes: Outcomes) => FailTask {
  return (outcomes) =>
    ({ taskNo, attempts }, { code, detail }, stands) => {
      const dueTime = clock() + backoff.retry(attempts);
      const outcome = { taskNo, outcome: 'failed', code, detail, dueTime } as const;
      outcomes.set(taskNo, { ...outcome, ...stands });
    };
}

export const KEEPS_CHANGING = {
  code: 'keeps_growing',
  detail: 'what belongs to this person changed while it was being erased; it is retried',
} as const;

export function stoppedBy(answer: Preview | undefined) {
  return answer?.outcome === 'held' || answer?.outcome === 'failed' ? answer : undefined;
}
