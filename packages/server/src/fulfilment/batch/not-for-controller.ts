// Tasks of a controller that the target is not for any more ("controllers"), or not yet on this node while a change is
// rolled out. The target may be another controller's system by now: it is asked nothing about their people.
import type { Clock } from '../../domain/clock.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type { Backoff } from '../../domain/task/backoff.ts';
import type { LeasedTask } from '../../domain/task/fulfilment-ports.ts';
import type { TaskOutcome } from '../../domain/task/task.ts';

/** Attempts that are left to other nodes before an operator has to decide. */
const LEFT_TO_OTHERS = 3;

export const isForController = (
  { controllers }: Pick<TargetConfig, 'controllers'>,
  { controllerId }: Pick<LeasedTask, 'controllerId'>,
): boolean => controllers?.includes(controllerId) !== false;

export function notForController(
  { taskNo, controllerId, attempts }: LeasedTask,
  target: string,
  { clock, backoff }: { readonly clock: Clock; readonly backoff: Backoff },
): TaskOutcome {
  const why = `the target ${target} is not for the controller ${controllerId} ("controllers") in the configuration of this node`;
  if (attempts <= LEFT_TO_OTHERS) {
    const detail = `${why}; it is left to other nodes, in case the configuration is being changed`;
    const dueTime = clock() + backoff.retry(attempts);
    return { taskNo, outcome: 'failed', code: 'not_for_controller', detail, dueTime };
  }
  const detail = `${why}; put it back on every node, reload, then release; or retain the task`;
  return { taskNo, outcome: 'held', reason: 'target_removed', detail, previewedRows: null };
}
