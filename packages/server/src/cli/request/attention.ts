// `unwrite request list --attention`: what needs an operator's attention, nearest deadline first.
import type { Config } from '../../config/config.ts';
import { expectedCompletion } from '../../domain/deadline/expected-completion.ts';
import type { Store } from '../../domain/store/store.ts';
import {
  attentionBesideRequests,
  attentionShape,
  listAttention,
} from '../../operator/request/list-attention.ts';
import { printJson, printLines, printTable, time, warnIfLimited } from '../shared/output.ts';
import { sayPause } from '../target/pause.ts';

export interface AttentionOptions {
  readonly controller?: string;
  readonly limit: number;
  readonly json?: boolean;
}

export async function showAttention(
  store: Store,
  config: Config,
  options: AttentionOptions,
): Promise<void> {
  const lines = await listAttention(store, config, options);
  if (options.json) {
    printJson(lines.map(attentionShape));
    return;
  }
  const { pauses, alarms } = await attentionBesideRequests(store);
  for (const pause of pauses) printLines(sayPause(pause));
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
      time(expectedCompletion(line.receivedTime)),
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
