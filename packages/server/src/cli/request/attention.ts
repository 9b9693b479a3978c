// `unwrite request list --attention`: what an operator has to look at, nearest deadline first.
import type { Config } from '../../config/config.ts';
import type { Alarm } from '../../domain/alarm/alarm.ts';
import { expectedCompletion } from '../../domain/deadline/expected-completion.ts';
import type { Store } from '../../domain/store/store.ts';
import type { AttentionLine } from '../../domain/task/task.ts';
import { printJson, printLines, printTable, sayIfThereMayBeMore, time } from '../shared/output.ts';
import { sayBrake } from '../target/pause.ts';
import { controllerOf } from './find-request.ts';

const DAY_MS = 86_400_000;
const MOST_ALARMS = 1000;

export interface AttentionOptions {
  readonly controller?: string;
  readonly limit: number;
  readonly json?: boolean;
}

export async function listAttention(
  store: Store,
  config: Config,
  options: AttentionOptions,
): Promise<void> {
  const controllerId = await controllerOf(options.controller, store.tenants);
  const lines = await store.tasks.attention({
    now: store.clock(),
    cancellationWindowMs: config.cancellationWindow * 1000,
    maxStartsPerDay: config.maxStartsPerDay,
    patientTargets: config.targets.filter(({ hours }) => hours !== null).map(({ name }) => name),
    limit: options.limit,
    ...(controllerId !== undefined && { controllerId }),
  });
  if (options.json) {
    printJson(lines.map(shape));
    return;
  }
  for (const brake of await store.brakes.brakes()) printLines(sayBrake(brake));
  for (const alarm of await alarmsOfADay(store)) {
    printLines(
      `${alarm.controllerId ?? alarm.target ?? 'the server'}: ${alarm.message} (${alarm.kind})`,
    );
  }
  if (lines.length === 0) {
    printLines('Nothing needs attention.');
    return;
  }
  printTable(
    ['deadline', 'controller_id', 'subject_request_id', 'target', 'state', 'reason', 'what'],
    lines.map((line) => [
      time(expectedCompletion(line.receivedTime)),
      line.controllerId,
      line.subjectRequestId,
      line.target,
      line.state,
      line.reason,
      line.detail,
    ]),
  );
  sayIfThereMayBeMore(lines.length, options.limit);
}

/** What is about no single request: a daily cap, a target, a mapping. Requests are listed below. */
async function alarmsOfADay(store: Store): Promise<Alarm[]> {
  const raisedAfter = store.clock() - DAY_MS;
  const raised = await store.alarms.alarms({ raisedAfter, limit: MOST_ALARMS });
  return raised.filter(({ requestNo }) => requestNo === null);
}

function shape(line: AttentionLine) {
  return {
    controller_id: line.controllerId,
    subject_request_id: line.subjectRequestId,
    deadline: time(expectedCompletion(line.receivedTime)),
    target: line.target,
    state: line.state,
    reason: line.reason,
    detail: line.detail,
  };
}
