// A status moves only as the contract says, and what was answered with 201 or 202 is never lost.
import { RETENTION_RECORDS } from '../system/settings.ts';
import type { System } from '../system/system.ts';
import type { Look } from './look.ts';
import { isFinal, type Model, type ModelRequest, Violation } from './model.ts';

const DAY = 86_400_000;

export function checkStatuses(model: Model, seen: Look, system: System): void {
  const started = new Map<string, ModelRequest[]>();
  for (const request of [...model.requests.values()]) {
    const state = seen.states.get(request.name);
    if (state === undefined) {
      forget(model, request, seen.now);
      continue;
    }
    const { status, receivedTime, subjectRequestId } = state;
    if (receivedTime !== request.receivedTime) fail(request, 'has another received_time');
    if (subjectRequestId !== request.key.subjectRequestId) fail(request, 'has another id');
    if (request.isCancelled !== (status === 'cancelled')) {
      fail(
        request,
        `is ${status}, and its cancellation was ${request.isCancelled ? '' : 'not '}answered`,
      );
    }
    if (status === request.status) continue;
    if (isFinal(request.status)) fail(request, `went from ${request.status} to ${status}`);
    if (status === 'pending') fail(request, `went back from ${request.status} to pending`);
    if (request.status === 'pending' && status !== 'cancelled') {
      mayStart(request, seen.now, system);
      const { controllerId } = request.key;
      started.set(controllerId, [...(started.get(controllerId) ?? []), request]);
    }
    request.status = status;
    if (isFinal(status)) request.finalTime = seen.now;
  }
  for (const [controllerId, requests] of started) {
    countStarts(model, controllerId, requests, seen.now, system);
  }
}

function mayStart(request: ModelRequest, now: number, { settings }: System): void {
  const isPast = now >= request.receivedTime + settings.windowMs;
  if (!isPast && !request.isStartAsked) fail(request, 'started before its window had passed');
}

function countStarts(
  model: Model,
  controllerId: string,
  requests: readonly ModelRequest[],
  now: number,
  { settings: { maxStartsPerDay } }: System,
): void {
  const name = `${controllerId} ${Math.floor(now / DAY)}`;
  const before = model.starts.get(name) ?? 0;
  const unasked = requests.filter(({ isStartAsked }) => !isStartAsked);
  if (maxStartsPerDay !== null && unasked.length > Math.max(0, maxStartsPerDay - before)) {
    throw new Violation(`${before} of ${controllerId} had started, and ${unasked.length} more did`);
  }
  model.starts.set(name, before + requests.length);
}

function forget(model: Model, request: ModelRequest, now: number): void {
  const { finalTime, name } = request;
  if (finalTime === undefined || now < finalTime + RETENTION_RECORDS) fail(request, 'is lost');
  model.requests.delete(name);
  for (const [taskNo, task] of model.tasks) if (task.request === name) model.tasks.delete(taskNo);
}

function fail({ name }: ModelRequest, what: string): never {
  throw new Violation(`request ${name} ${what}`);
}
