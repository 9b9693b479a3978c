// What a target reported as erased stays on record, whatever becomes of the task afterwards: the second look
// found rows, the target went down, more was erased than was ordered, a person retained the rest.
import { byName } from '../domain/by-name.ts';
import type { Counts } from '../domain/connector.ts';
import type { LeasedTask } from '../domain/fulfilment-ports.ts';
import type { TargetConfig } from '../domain/target.ts';
import type { TableEvidence, Tables, TaskOutcome } from '../domain/task.ts';
import { erasedTables } from './make-evidence.ts';

interface ReportedRows {
  readonly erased: Counts;
  /** All that the task's attempts were about to erase. */
  readonly intended: Counts;
}

/** By the number of the task, what this attempt's erasing reported. */
export type Reported = Map<number, ReportedRows>;

/** An outcome that is not the end of its task carries what all its attempts reported. */
export function withReported(
  outcome: TaskOutcome,
  task: LeasedTask,
  rows: ReportedRows | undefined,
  target: TargetConfig | undefined,
): TaskOutcome {
  if (rows === undefined || target === undefined) return outcome;
  if (outcome.outcome === 'erased' || outcome.outcome === 'resolved') return outcome;
  const reported = addReported(task.reported ?? byName(), rows, target);
  return Object.keys(reported).length === 0 ? outcome : { ...outcome, reported };
}

/**
 * Attempts add up, but not beyond what was intended in all: a target that reports the same rows each time
 * has not erased them again. One report alone may be more, and then stands as it is.
 */
function addReported(
  before: Tables,
  { erased, intended }: ReportedRows,
  target: TargetConfig,
): Tables {
  const sum = byName<TableEvidence>(Object.entries(before));
  for (const [table, { action, rows }] of Object.entries(erasedTables(target, erased))) {
    if (rows === 0) continue;
    const earlier = sum[table]?.rows ?? 0;
    const together = Math.min(earlier + rows, intended[table] ?? 0);
    sum[table] = { action, rows: Math.max(earlier, rows, together) };
  }
  return sum;
}
