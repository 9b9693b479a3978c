// What was erased stays on record, whatever becomes of the task afterwards: the second look found rows, the
// target went down, more was erased than was ordered, a person retained the rest.
import { byName } from '../domain/by-name.ts';
import type { Counts } from '../domain/connector.ts';
import type { TargetConfig } from '../domain/target.ts';
import type { TableEvidence, Tables, TaskOutcome } from '../domain/task.ts';
import { erasedTables } from './make-evidence.ts';
import type { Intended } from './merge-intent.ts';

/** By the number of the task, what all its attempts have erased, this one included. */
export type Reported = Map<number, Tables>;

/** An outcome that is not the end of its task carries what all its attempts have erased. */
export function withReported(outcome: TaskOutcome, reported: Tables | undefined): TaskOutcome {
  if (reported === undefined) return outcome;
  if (outcome.outcome === 'erased' || outcome.outcome === 'resolved') return outcome;
  return {
    ...outcome,
    intent: 'done',
    ...(Object.keys(reported).length > 0 && { reported }),
  };
}

export interface ReportedNow {
  readonly erased: Counts;
  readonly detached: Counts;
  /** All that the task's attempts were about to erase. */
  readonly intended: Counts;
  /** Whether rows are known by their keys, so that none is ever reported twice. */
  readonly isExact: boolean;
}

/**
 * Attempts add up. Where a target only gives numbers, not beyond what was intended in all: one that reports
 * the same rows each time has not erased them again. One report alone may be more, and then stands as it is.
 */
export function addReported(
  before: Tables,
  { erased, detached, intended, isExact }: ReportedNow,
  target: TargetConfig,
): Tables {
  return addTables(before, erasedTables(target, erased, detached), intended, isExact);
}

/** What an earlier attempt erased, in the words of the plan that it had. */
export function addRecovered(
  before: Tables,
  recovered: Counts,
  { layout, detached = byName<number>() }: Pick<Intended, 'layout' | 'detached'>,
  target: TargetConfig,
): Tables {
  const now = Object.entries(erasedTables(target, recovered, detached)).map(
    ([table, evidence]): [string, TableEvidence] => [
      table,
      evidence.action === 'cascade' || evidence.action === 'detach'
        ? evidence
        : { ...evidence, action: layout?.[table]?.action ?? evidence.action },
    ],
  );
  return addTables(before, byName(now), recovered, true);
}

function addTables(earlierOnes: Tables, now: Tables, intended: Counts, isExact: boolean): Tables {
  const sum = byName<TableEvidence>(Object.entries(earlierOnes));
  for (const [table, { action, rows, detached: lost = 0 }] of Object.entries(now)) {
    if (rows === 0 && lost === 0) continue;
    const { rows: earlier = 0, detached: before = 0, action: done = action } = sum[table] ?? {};
    const together = isExact ? earlier + rows : Math.min(earlier + rows, intended[table] ?? 0);
    sum[table] = {
      action: rows === 0 ? done : action,
      rows: Math.max(earlier, rows, together),
      ...(before + lost > 0 && { detached: before + lost }),
    };
  }
  return sum;
}
