import { byNameFromJson } from '../domain/by-name.ts';
import type { Evidence, TaskSummary } from '../domain/task.ts';

/** A task as a store has it: what is kept as JSON still is. */
export interface TaskRow extends Omit<TaskSummary, 'counts' | 'reported' | 'evidence'> {
  readonly counts: string | null;
  readonly reported: string | null;
  readonly evidence: string | null;
}

export function summariesOf(rows: readonly TaskRow[]): TaskSummary[] {
  return rows.map((row) => ({
    ...row,
    counts: row.counts === null ? null : byNameFromJson(row.counts),
    reported: row.reported === null ? null : byNameFromJson(row.reported),
    evidence: row.evidence === null ? null : (JSON.parse(row.evidence) as Evidence),
  }));
}
