// What a run of a request would meet beside its targets: brakes, daily caps, what was released.
import type { Installation } from '../../app/service.ts';
import type { Config } from '../../config/config.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import { EVERYTHING } from '../../domain/task/pause-ports.ts';
import type { PreviewFacts } from '../../fulfilment/preview-request.ts';

/** More runs than anybody has asked for. */
const MOST_TASKS = 10_000;

export interface Facts extends PreviewFacts {
  /** The controller's starts of the day are used up, and the request has not started. */
  readonly startsTomorrow: boolean;
}

export async function readPreviewFacts(
  { store }: Installation,
  { maxStartsPerDay }: Pick<Config, 'maxStartsPerDay'>,
  controllerId: string,
  request: RequestKey | undefined,
): Promise<Facts> {
  const scopes = new Set((await store.brakes.brakes()).map(({ scope }) => scope));
  const tasks = request ? await store.tasks.tasks({ ...request, limit: MOST_TASKS }) : [];
  const starts = await store.brakes.usedToday('starts', controllerId, store.clock());
  return {
    startsTomorrow: tasks.length === 0 && maxStartsPerDay !== null && starts >= maxStartsPerDay,
    isPaused: (target) => scopes.has(EVERYTHING) || scopes.has(target),
    rowsToday: (target) => store.brakes.usedToday('rows', target, store.clock()),
    taskAt: (target) => tasks.findLast((task) => task.target === target),
  };
}
