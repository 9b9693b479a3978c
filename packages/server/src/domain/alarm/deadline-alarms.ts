// Alarms about deadlines that come near. There is one for all requests of a controller that reach the same stage
// on the same day, with their number and the nearest of their deadlines.
import { dayOf } from '../limit/day.ts';
import type { ControllerId } from '../tenant/controller-id.ts';
import { HOUR_MS } from '../time-units.ts';
import { anAlarm, type NewAlarm } from './alarm.ts';

export type DeadlineKind = 'expected_deadline' | 'statutory_deadline' | 'erase_again_deadline';

/** A request that has reached a stage of one of its deadlines. */
export interface ReachedStage {
  readonly kind: DeadlineKind;
  readonly percent: number;
  readonly requestNo: number;
  readonly controllerId: ControllerId;
  readonly deadline: number;
  readonly isOnHold: boolean;
}

/** The stored alarm of the same kind, subject and percent. */
export type AlarmSoFar = Pick<
  NewAlarm,
  'kind' | 'subject' | 'percent' | 'count' | 'deadline' | 'requestNo' | 'raisedTime' | 'message'
> & {
  /** When it was last written to the log. */
  readonly toldTime: number | null;
};

const WORDS: Readonly<Record<DeadlineKind, string>> = {
  expected_deadline: 'the expected completion time',
  statutory_deadline: 'the statutory deadline',
  erase_again_deadline: 'the time for erasing again',
};

/** An alarm whose count grows is logged again after this time at the earliest. */
export const TOLD_AGAIN_MS = HOUR_MS;

export interface GroupedAlarm extends NewAlarm {
  readonly toldTime: number;
  /** Whether to log it now: it is new, or was logged long ago. */
  readonly isToTell: boolean;
}

/** Sorted, so that two nodes lock rows in the same order and never deadlock. The most urgent stage is last. */
export function groupStages(
  reached: readonly ReachedStage[],
  before: readonly AlarmSoFar[],
  now: number,
): GroupedAlarm[] {
  const groups = Map.groupBy(reached, (stage) =>
    keyOf({ ...stage, subject: subjectOf(stage, now) }),
  );
  const known = new Map(before.map((alarm) => [keyOf(alarm), alarm]));
  return [...groups]
    .flatMap(([key, stages]) => groupedAlarm(stages, known.get(key), now) ?? [])
    .sort(
      (a, b) => compare(a.kind, b.kind) || compare(a.subject, b.subject) || a.percent - b.percent,
    );
}

/** The subject under which an earlier alarm about the same is stored. */
export function subjectOf(
  { controllerId }: Pick<ReachedStage, 'controllerId'>,
  now: number,
): string {
  return `${controllerId} ${dayOf(now)}`;
}

function groupedAlarm(
  stages: readonly ReachedStage[],
  before: AlarmSoFar | undefined,
  now: number,
): GroupedAlarm | undefined {
  const nearest = stages.reduce<ReachedStage | undefined>(
    (one, other) => (one !== undefined && one.deadline <= other.deadline ? one : other),
    undefined,
  );
  if (nearest === undefined) return undefined;
  const { kind, percent, controllerId } = nearest;
  const count = stages.length + (before?.count ?? 0);
  const isOlder = before?.deadline != null && before.deadline <= nearest.deadline;
  const { requestNo, deadline } = isOlder ? before : nearest;
  const isOnHold =
    stages.some((stage) => stage.isOnHold) || before?.message.includes(ON_HOLD) === true;
  const isToTell = before?.toldTime == null || Math.abs(now - before.toldTime) >= TOLD_AGAIN_MS;
  return {
    ...anAlarm(kind, subjectOf(nearest, now), wordsFor(kind, percent, count, isOnHold), now, {
      percent,
      requestNo,
      controllerId,
      deadline,
      count,
      raisedTime: before?.raisedTime ?? now,
    }),
    toldTime: isToTell ? now : (before?.toldTime ?? now),
    isToTell,
  };
}

const ON_HOLD = 'under legal hold';

function wordsFor(kind: DeadlineKind, percent: number, count: number, isOnHold: boolean): string {
  const what = WORDS[kind];
  const state =
    percent === 100 ? `${what} has passed` : `${percent} % of the time until ${what} has passed`;
  if (count === 1 && isOnHold)
    return `${state}, and the request is not completed: it is ${ON_HOLD}, and nothing of it is erased until that is lifted or ends ("unwrite legal-hold list")`;
  if (count === 1)
    return `${state}, and the request is not completed: "unwrite request list --attention" says why`;
  const some = isOnHold ? `, some of them because they are ${ON_HOLD}` : '';
  return `${state} for ${count} requests of this controller that are not completed${some}; the nearest is named here: "unwrite request list --attention" says why`;
}

function keyOf({ kind, subject, percent }: Pick<NewAlarm, 'kind' | 'subject' | 'percent'>): string {
  return `${kind} ${percent} ${subject}`;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
