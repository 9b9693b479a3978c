// What needs an operator's attention, nearest deadline first.

import type { Alarm } from '../../domain/alarm/alarm.ts';
import { expectedCompletion } from '../../domain/deadline/expected-completion.ts';
import { statutoryLimit } from '../../domain/deadline/statutory-deadline.ts';
import { SYSTEM } from '../../domain/store/restore.ts';
import type { Store } from '../../domain/store/store.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { attentionTargets } from '../../domain/task/attention-targets.ts';
import { EVERYTHING, type Pause } from '../../domain/task/pause-ports.ts';
import type { AttentionLine } from '../../domain/task/task.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { controllerOf } from '../controller/find-controller.ts';
import { isoTime } from '../iso-time.ts';

const MAX_ALARMS = 1000;

/** Settings that decide what needs attention. */
export interface AttentionSettings {
  /** In seconds. */
  readonly cancellationWindow: number;
  readonly maxStartsPerDay: number | null;
  readonly targets: readonly TargetConfig[];
}

export interface AttentionOptions {
  readonly controller?: string | undefined;
  readonly limit: number;
}

export async function listAttention(
  store: Pick<Store, 'clock' | 'tasks' | 'tenants'>,
  { cancellationWindow, maxStartsPerDay, targets }: AttentionSettings,
  { controller, limit }: AttentionOptions,
): Promise<AttentionLine[]> {
  const controllerId = await controllerOf(controller, store.tenants);
  const now = store.clock();
  const lines = await store.tasks.attention({
    now,
    cancellationWindowMs: cancellationWindow * 1000,
    maxStartsPerDay,
    ...attentionTargets(targets, now),
    limit,
    ...(controllerId !== undefined && { controllerId }),
  });
  return lines.toSorted((a, b) => nearestDeadline(a) - nearestDeadline(b));
}

/** The deadline that the controller was told, or the statutory one if it is earlier. */
export function nearestDeadline({
  receivedTime,
  law,
}: Pick<AttentionLine, 'receivedTime' | 'law'>): number {
  const expected = expectedCompletion(receivedTime);
  if (law === null) return expected;
  return Math.min(expected, statutoryLimit({ ...law, receivedTime }).end);
}

interface BesideRequests {
  /** Restores of the store that nobody has confirmed: they stop everything as a pause does. */
  readonly restored: readonly Pause[];
  readonly pauses: readonly Pause[];
  readonly alarms: readonly Alarm[];
}

/** Items that are not about a single request: restores, pauses, and alarms of the last day about a daily limit or a target. */
export async function attentionBesideRequests(
  store: Pick<Store, 'clock' | 'pauses' | 'alarms' | 'restores'>,
): Promise<BesideRequests> {
  const pauses = await store.pauses.list();
  const restores = await store.restores.restores();
  const restored = restores.flatMap(({ confirmedTime, detectedTime }) =>
    confirmedTime === null
      ? [{ scope: EVERYTHING, pausedTime: detectedTime, pausedBy: SYSTEM }]
      : [],
  );
  const raisedAfter = store.clock() - DAY_MS;
  const raised = await store.alarms.alarms({ raisedAfter, limit: MAX_ALARMS });
  return { restored, pauses, alarms: raised.filter(({ requestNo }) => requestNo === null) };
}

export function attentionShape(line: AttentionLine) {
  return {
    controller_id: line.controllerId,
    subject_request_id: line.subjectRequestId,
    deadline: isoTime(nearestDeadline(line)),
    target: line.target,
    state: line.state,
    reason: line.reason,
    detail: line.detail,
  };
}
