// A task whose request has no identity that its target can use.
import { byName } from '../../domain/by-name.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type { LeasedTask } from '../../domain/task/fulfilment-ports.ts';
import type { TaskOutcome } from '../../domain/task/task.ts';
import { NO_USABLE_IDENTITY } from './hold-words.ts';

export function unmatched(task: LeasedTask, target: TargetConfig, now: number): TaskOutcome {
  const { taskNo } = task;
  if (target.whenUnmatched === 'skip') {
    const time = new Date(now).toISOString();
    const evidence = {
      action: 'skipped',
      connector: target.connector,
      configuration: target.digest,
      tables: byName<never>(),
      verified: 'not applicable',
      attempts: task.attempts,
      started_time: time,
      finished_time: time,
      note: 'the request has no identity that this target can use (when_unmatched: skip)',
    } as const;
    return { taskNo, outcome: 'erased', evidence };
  }
  const held = { reason: 'no_usable_identity', detail: NO_USABLE_IDENTITY } as const;
  return { taskNo, outcome: 'held', ...held, previewedRows: null };
}
