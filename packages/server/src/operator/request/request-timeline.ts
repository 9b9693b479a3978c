// The timeline of a request from its arrival to its receipt: what has happened, and what comes next.
import type { RequestTimes } from '../../domain/operator/view-ports.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import type { TaskSummary } from '../../domain/task/task.ts';
import { isoTime } from '../iso-time.ts';

export interface TimelineStep {
  readonly step:
    | 'received'
    | 'window_ends'
    | 'started'
    | 'target'
    | 'completed'
    | 'cancelled'
    | 'receipt'
    | 'shredded';
  readonly time: string | null;
  readonly done: boolean;
  readonly words: string;
  readonly target?: string;
}

export function timelineOf(
  request: RequestSummary,
  tasks: readonly TaskSummary[],
  moments: RequestTimes,
  windowMs: number,
): TimelineStep[] {
  const { status, receivedTime, createdBy, cancelledTime } = request;
  const received = step('received', receivedTime, true, `Received from ${createdBy}`);
  if (status === 'cancelled') {
    return [received, step('cancelled', cancelledTime, true, 'Cancelled: nothing is erased')];
  }
  const { startedTime } = moments;
  const isStarted = startedTime !== null;
  return [
    received,
    ...(isStarted
      ? []
      : [step('window_ends', receivedTime + windowMs, false, 'Can be cancelled until then')]),
    step('started', startedTime, isStarted, isStarted ? 'Erasing began' : 'Erasing begins'),
    ...tasks.map(stepOfTask),
    ...ending(request, moments),
  ];
}

function stepOfTask(task: TaskSummary): TimelineStep {
  const { target, state, run, changedTime, evidence } = task;
  const name = run > 1 ? `${target}, run ${run}` : target;
  const done = state === 'erased';
  const words = done
    ? `${name}: ${(evidence?.action ?? 'done').replaceAll('_', ' ')}`
    : `${name}: ${state}`;
  return { ...step('target', changedTime, done, words), target };
}

function ending({ status, completedTime }: RequestSummary, moments: RequestTimes): TimelineStep[] {
  const isCompleted = status === 'completed';
  const [receipt] = moments.receipts;
  const refused = moments.refused === null ? 'Receipt signed' : 'The receipt is not signed';
  return [
    step('completed', completedTime, isCompleted, isCompleted ? 'Completed' : 'Completes'),
    step('receipt', receipt?.createdTime ?? null, receipt !== undefined, refused),
    ...(moments.shreddedTime === null
      ? []
      : [step('shredded', moments.shreddedTime, true, 'Identities deleted')]),
  ];
}

function step(
  name: TimelineStep['step'],
  time: number | null,
  done: boolean,
  words: string,
): TimelineStep {
  return { step: name, time: isoTime(time), done, words };
}
