// `unwrite request list --attention`: what needs an operator's attention, nearest deadline first.
import type { Config } from '../../config/config.ts';
import { SYSTEM } from '../../domain/store/restore.ts';
import type { Store } from '../../domain/store/store.ts';
import type { Pause } from '../../domain/task/pause-ports.ts';
import {
  attentionBesideRequests,
  attentionShape,
  listAttention,
  nearestDeadline,
} from '../../operator/request/list-attention.ts';
import { pauseShape } from '../../operator/target/pauses.ts';
import { printJson, printLines, printTable, time, warnIfLimited } from '../shared/output.ts';
import { sayPause } from '../target/pause.ts';

export interface AttentionOptions {
  readonly controller?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** A pause, also that of a restored store, stops requests that are not late yet: without it a script would read []. */
function pausedShape(pause: Pause) {
  return {
    controller_id: null,
    subject_request_id: null,
    deadline: null,
    target: pauseShape(pause).target,
    state: 'paused',
    reason: pause.pausedBy === SYSTEM ? 'store_went_back' : 'paused',
    detail: sayPause(pause),
  };
}

export async function showAttention(
  store: Store,
  config: Config,
  options: AttentionOptions,
): Promise<void> {
  const lines = await listAttention(store, config, options);
  const { restored, pauses, alarms } = await attentionBesideRequests(store);
  const stopped = [...restored, ...pauses];
  if (options.json) {
    printJson([...stopped.map(pausedShape), ...lines.map(attentionShape)]);
    return;
  }
  for (const pause of stopped) printLines(sayPause(pause));
  for (const alarm of alarms) {
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
      time(nearestDeadline(line)),
      line.controllerId,
      line.subjectRequestId,
      line.target,
      line.state,
      line.reason,
      line.detail,
    ]),
  );
  warnIfLimited(lines.length, options.limit);
}
