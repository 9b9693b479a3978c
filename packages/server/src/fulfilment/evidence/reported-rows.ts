// What was erased stays on record even if the task then fails: the second query found rows, the target went down,
// more was erased than ordered, or an operator retained the rest.
import { byName } from '../../domain/by-name.ts';
import type { Counts } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type { TableEvidence, Tables, TaskOutcome } from '../../domain/task/task.ts';
import { actionInAll, addUpRows } from './add-up-rows.ts';
import { erasedTables } from './make-evidence.ts';

/**
 * Rows that all attempts have erased, including this one. Keyed by task number. Computed only for outcomes that do not end
 * their task.
 */
export type Reported = Map<number, () => Tables>;

/** Adds the rows that all attempts have erased to an outcome that does not end its task. */
export function withReported(
  outcome: TaskOutcome,
  reported: (() => Tables) | undefined,
): TaskOutcome {
  if (reported === undefined) return outcome;
  if (outcome.outcome === 'erased' || outcome.outcome === 'resolved') return outcome;
  const tables = reported();
  return {
    ...outcome,
    intent: 'done',
    ...(Object.keys(tables).length > 0 && { reported: tables }),
  };
}

export interface ReportedNow {
  readonly erased: Counts;
  /** Includes rows that an earlier attempt had erased and this one erased again. Absent if there are none. */
  readonly treated?: Counts;
  /** Rows detached by all attempts. */
  readonly detached: Counts;
  /** Rows that all attempts of the task were about to erase. */
  readonly intended: Counts;
  /** Whether rows have keys, so that no row is reported twice. */
  readonly isExact: boolean;
  /** Tables whose rows are not recognised by a key, if an earlier attempt had another plan. */
  readonly unrecognised: ReadonlySet<string>;
}

export function addReported(before: Tables, now: ReportedNow, target: TargetConfig): Tables {
  const { erased, treated = erased, detached } = now;
  return addTables(before, erasedTables(target, treated, detached), now);
}

function addTables(
  earlierOnes: Tables,
  now: Tables,
  { erased, intended, isExact, unrecognised }: Omit<ReportedNow, 'detached' | 'treated'>,
): Tables {
  const sum = byName<TableEvidence>(Object.entries(earlierOnes));
  for (const [table, { action, rows: treated, detached: lost = 0 }] of Object.entries(now)) {
    if (treated === 0 && lost === 0) continue;
    const before = sum[table] ?? { action, rows: 0 };
    const detached = Math.max(before.detached ?? 0, lost);
    const rows = addUpRows(before, erased[table] ?? 0, {
      intended: intended[table] ?? 0,
      isExact,
      isUnrecognised: unrecognised.has(table),
    });
    sum[table] = {
      action: treated === 0 ? before.action : actionInAll(before, action, treated, rows),
      rows,
      ...(detached > 0 && { detached }),
      ...(before.unconfirmed !== undefined && { unconfirmed: before.unconfirmed }),
    };
  }
  return sum;
}
