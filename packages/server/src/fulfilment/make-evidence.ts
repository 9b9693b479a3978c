import { byName } from '../domain/by-name.ts';
import type { Counts, Verdict } from '../domain/connector.ts';
import { totalOf } from '../domain/connector.ts';
import type { LeasedTask } from '../domain/fulfilment-ports.ts';
import type { TableAction, TargetConfig } from '../domain/target.ts';
import type { Evidence, TableEvidence, Tables } from '../domain/task.ts';
import type { Intended } from './merge-intent.ts';

export interface Findings {
  readonly task: LeasedTask;
  readonly target: TargetConfig;
  readonly intended: Intended;
  /** What this attempt erased; empty where there was nothing to erase. */
  readonly erased: Counts;
  readonly verdict: Extract<Verdict, { outcome: 'gone' }> | undefined;
  /** The older requests of the batch that rows of this one are counted for. */
  readonly sharedWith: readonly string[];
  /** Those before; for a task that was tried before, since it was. */
  readonly erasedBefore: readonly string[];
  readonly startedTime: number;
  readonly finishedTime: number;
}

export function makeEvidence(findings: Findings): Evidence {
  const { task, target, intended, verdict, sharedWith, erasedBefore } = findings;
  const alreadyErasedBy = [...new Set([...sharedWith, ...erasedBefore])];
  const recovered = wasRecovered(findings);
  const counts = atLeastReported(recovered ? intended.counts : findings.erased, task.reported);
  return {
    action: actionOf(counts, intended.counts, alreadyErasedBy),
    connector: target.connector,
    configuration: target.digest,
    tables: tablesOf(target, counts, intended.retained),
    verified: verifiedOf(verdict),
    ...(verdict?.by !== undefined && { verified_by: verdict.by }),
    attempts: task.attempts,
    started_time: new Date(task.intent?.firstAttemptTime ?? findings.startedTime).toISOString(),
    finished_time: new Date(findings.finishedTime).toISOString(),
    ...(recovered && { recovered: true }),
    ...(alreadyErasedBy.length > 0 && { already_erased_by: alreadyErasedBy }),
  };
}

/**
 * An attempt before this one got as far as erasing: its intent says what, this one found less. Where
 * another request erased the same person since, the rows are in its evidence, and count once.
 */
function wasRecovered({ task, intended, erased, erasedBefore }: Findings): boolean {
  return foundLess(task, intended, erased) && erasedBefore.length === 0;
}

function foundLess(task: LeasedTask, intended: Intended, erased: Counts): boolean {
  return task.intent !== null && totalOf(erased) < totalOf(intended.counts);
}

/** What attempts have reported as erased is not less for what the intent says. */
function atLeastReported(counts: Counts, reported: Tables | null): Counts {
  if (reported === null) return counts;
  const more = byName(Object.entries(counts));
  for (const [table, { rows }] of Object.entries(reported)) {
    more[table] = Math.max(more[table] ?? 0, rows);
  }
  return more;
}

/** `not_found` is said only where no preview found anything: rows that went meanwhile were there. */
function actionOf(
  counts: Counts,
  intended: Counts,
  alreadyErasedBy: readonly string[],
): Evidence['action'] {
  if (totalOf(counts) > 0) return 'erased';
  return totalOf(intended) > 0 || alreadyErasedBy.length > 0 ? 'already_erased' : 'not_found';
}

function verifiedOf(verdict: Findings['verdict']): Evidence['verified'] {
  if (verdict === undefined) return 'not applicable';
  return verdict.how === 'requeried' ? 'requeried' : 'reported, not re-queried';
}

export function erasedTables(target: TargetConfig, counts: Counts): Tables {
  return tablesOf(target, counts, byName());
}

function tablesOf(target: TargetConfig, counts: Counts, retained: Counts): Tables {
  const actions = actionsOf(target);
  const tables = byName<TableEvidence>();
  for (const [table, rows] of Object.entries(counts)) {
    const kind = actions.get(table)?.kind;
    tables[table] = { action: kind === 'overwrite' || kind === 'delete' ? kind : 'erase', rows };
  }
  for (const [table, rows] of Object.entries(retained)) {
    const action = actions.get(table);
    const reason = action?.kind === 'retain' ? action.reason : undefined;
    tables[table] = { action: 'retain', rows, ...(reason !== undefined && { reason }) };
  }
  return tables;
}

function actionsOf(target: TargetConfig): Map<string, TableAction> {
  const tables = 'work' in target && target.work.kind === 'tables' ? target.work.tables : [];
  return new Map(tables.map(({ table, action }) => [table, action]));
}
