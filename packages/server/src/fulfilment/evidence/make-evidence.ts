import { byName, isEmpty } from '../../domain/by-name.ts';
import type { Counts, Erased, Verdict } from '../../domain/target/connector.ts';
import { totalOf } from '../../domain/target/connector.ts';
import { entryName, type TableAction, type TargetConfig } from '../../domain/target/target.ts';
import type { LeasedTask } from '../../domain/task/fulfilment-ports.ts';
import type { Evidence, TableEvidence, Tables } from '../../domain/task/task.ts';
import { unconfirmedIn } from '../../domain/task/unconfirmed.ts';
import type { Accepted } from '../gate/gate.ts';
import { countKeys } from '../intent/key-rows.ts';
import { addCounts, type Intended, lessCounts } from '../intent/merge-intent.ts';
import { actionInAll, addUpRows } from './add-up-rows.ts';
import { countDetached } from './detached-rows.ts';

export interface Findings {
  readonly task: LeasedTask;
  readonly target: TargetConfig;
  readonly intended: Intended;
  /** Rows kept because they also belong to another person, as the verification found them. */
  readonly kept: Counts;
  /** Rows found only by unproven identities: an operator has released the task without them. */
  readonly leftOut: Counts;
  /** Rows that an earlier attempt had erased and that were erased again. */
  readonly again: Counts;
  /** Whether the target rolls back what it does not report. */
  readonly isAtomic: boolean;
  readonly skipped: readonly string[];
  readonly accepted: Accepted;
  /** What this attempt erased; undefined if there was nothing to erase. */
  readonly erased: Erased | undefined;
  /** Rows that earlier attempts erased, or may have erased. */
  readonly reportedBefore: Tables;
  /** Whether rows have keys, so that no row is reported twice. */
  readonly isExact: boolean;
  /** Tables whose rows are not recognised by a key, if an earlier attempt had another plan. */
  readonly unrecognised: ReadonlySet<string>;
  /** The worker of the previous attempt died, and its target was asked what it has erased. */
  readonly isRecovered: boolean;
  /** Rows of the person already have the values that would overwrite them. */
  readonly hasOverwritten: boolean;
  readonly verdict: Extract<Verdict, { outcome: 'gone' }> | undefined;
  /** Older requests of the batch for which rows of this one are counted. */
  readonly sharedWith: readonly string[];
  /** Other requests that erased the person before; for a retried task, only since its first attempt. */
  readonly erasedByOthers: readonly string[];
  readonly startedTime: number;
  readonly finishedTime: number;
}

export function makeEvidence(findings: Findings): Evidence {
  const { task, target, intended, verdict, sharedWith, erasedByOthers } = findings;
  const { skipped, accepted, hasOverwritten } = findings;
  const alreadyErasedBy = [...new Set([...sharedWith, ...erasedByOthers])];
  const rows = rowsOf(findings);
  return {
    action: actionOf(
      rows,
      // Those exist, and their owner is not known.
      lessCounts(intended.counts, findings.leftOut),
      hasOverwritten || alreadyErasedBy.length > 0,
    ),
    connector: target.connector,
    configuration: target.digest,
    tables: tablesOf(target, rows, retainedOf(intended, verdict), findings.reportedBefore),
    verified: verifiedOf(verdict),
    ...(verdict?.by !== undefined && { verified_by: verdict.by }),
    ...(verdict?.statement !== undefined && { forwarded: verdict.statement }),
    ...(verdict?.service !== undefined && { service: verdict.service }),
    attempts: task.attempts,
    started_time: new Date(task.intent?.firstAttemptTime ?? findings.startedTime).toISOString(),
    finished_time: new Date(findings.finishedTime).toISOString(),
    ...(findings.isRecovered && { recovered: true }),
    ...(Object.keys(accepted).length > 0 && { accepted }),
    ...(skipped.length > 0 && { skipped_tables: skipped }),
    ...(alreadyErasedBy.length > 0 && { already_erased_by: alreadyErasedBy }),
  };
}

/** Retained rows, as the verification found them if they have keys. */
function retainedOf({ retained, retainedRows }: Intended, verdict: Findings['verdict']): Counts {
  if (verdict === undefined) return retained;
  const unnamed = Object.entries(retained)
    .filter(([table]) => (retainedRows?.[table] ?? []).length === 0)
    .map(([table, rows]): [string, number] => [
      table,
      Math.min(rows, verdict.unnamedRetained?.[table] ?? rows),
    ])
    .filter(([table, rows]) => rows > 0 || verdict.unnamedRetained?.[table] === undefined);
  const named = verdict.retained ?? countKeys(retainedRows ?? byName<never>());
  return byName([...unnamed, ...Object.entries(named)]);
}

interface RowsOfTask {
  readonly erased: Counts;
  /** Rows of this attempt, including those that an earlier attempt had erased. */
  readonly treated: Counts;
  readonly gone: Counts;
  readonly unconfirmed: Counts;
  readonly kept: Counts;
  readonly detached: Counts;
  readonly unproven: Counts;
}

function rowsOf(findings: Findings): RowsOfTask {
  const { erased, intended, kept, leftOut } = findings;
  const now = countOnce(erased?.counts ?? byName(), findings.again);
  return {
    erased: addUp(findings, now),
    treated: erased?.counts ?? byName(),
    gone: lessCounts(missingOf(findings, now), leftOut),
    unconfirmed: unconfirmedIn(findings.reportedBefore),
    kept,
    detached: countDetached(
      findings.reportedBefore,
      intended.detachedBefore ?? byName(),
      erased ?? {},
    ),
    unproven: leftOut,
  };
}

function addUp({ reportedBefore, intended, isExact, unrecognised }: Findings, now: Counts): Counts {
  if (isEmpty(reportedBefore)) return now;
  const sum = byName(Object.entries(now));
  for (const [table, before] of Object.entries(reportedBefore)) {
    const rows = addUpRows(before, now[table] ?? 0, {
      intended: intended.counts[table] ?? 0,
      isExact,
      isUnrecognised: unrecognised.has(table),
    });
    // A table without erased rows only had detached rows.
    if (rows > 0) sum[table] = rows;
  }
  return sum;
}

/** Empty if the target reports what happened to each row, or rolls back what it does not report. */
function missingOf(findings: Findings, now: Counts): Counts {
  const { intended, erased, isExact, isAtomic, reportedBefore } = findings;
  return erased !== undefined && (isExact || isAtomic)
    ? byName()
    : // What attempts before reported, or may have erased, is not gone by itself.
      lessCounts(
        intended.counts,
        [now, reportedRows(reportedBefore), unconfirmedIn(reportedBefore)].reduce(addCounts),
      );
}

export const reportedRows = (tables: Tables): Counts =>
  byName(Object.entries(tables).map(([table, { rows }]): [string, number] => [table, rows]));

/** Leaves out rows that an earlier attempt had erased and that came back. */
export function countOnce(counts: Counts, again: Counts): Counts {
  if (isEmpty(again)) return counts;
  const once = byName(Object.entries(counts));
  for (const [table, rows] of Object.entries(again)) {
    const left = (once[table] ?? 0) - rows;
    if (left > 0) once[table] = left;
    else delete once[table];
  }
  return once;
}

/** `not_found` only if no preview found anything: rows deleted meanwhile or overwritten before were found. */
function actionOf(
  { erased, gone, unconfirmed }: RowsOfTask,
  intended: Counts,
  isErasedBefore: boolean,
): Evidence['action'] {
  if (totalOf(erased) > 0) return 'erased';
  const isMissing = totalOf(intended) + totalOf(gone) + totalOf(unconfirmed) > 0;
  return isMissing || isErasedBefore ? 'already_erased' : 'not_found';
}

function verifiedOf(verdict: Findings['verdict']): Evidence['verified'] {
  switch (verdict?.how) {
    case undefined:
      return 'not applicable';
    case 'requeried':
      return 'requeried';
    case 'reported':
      return 'reported, not re-queried';
    case 'stated':
      return 'stated by the processor';
  }
}

export function erasedTables(
  target: TargetConfig,
  erased: Counts,
  detached: Counts = byName(),
): Tables {
  const none = byName<number>();
  const others = { gone: none, unconfirmed: none, kept: none, unproven: none };
  return tablesOf(target, { erased, treated: erased, ...others, detached }, none);
}

function tablesOf(
  target: TargetConfig,
  rows: RowsOfTask,
  retained: Counts,
  before: Tables = byName<TableEvidence>(),
): Tables {
  const actions = actionsOf(target);
  const tables = byName<TableEvidence>();
  const { erased, gone, unconfirmed, kept, unproven } = rows;
  const names = new Set(
    [erased, gone, unconfirmed, kept, unproven].flatMap((counts) => Object.keys(counts)),
  );
  for (const table of names) {
    const kind = actions.get(table)?.kind;
    const isPlanned = kind === 'overwrite' || kind === 'delete';
    const action = isPlanned ? kind : otherAction(target, table);
    const all = erased[table] ?? 0;
    tables[table] = {
      action: actionInAll(before[table], action, rows.treated[table] ?? 0, all),
      rows: all,
      ...(gone[table] !== undefined && { already_gone: gone[table] }),
      ...(unconfirmed[table] !== undefined && { unconfirmed: unconfirmed[table] }),
      ...(kept[table] !== undefined && { shared_kept: kept[table] }),
      ...(unproven[table] !== undefined && { unproven: unproven[table] }),
    };
  }
  for (const [table, count] of Object.entries(retained)) {
    const action = actions.get(table);
    const reason = action?.kind === 'retain' ? action.reason : undefined;
    const why = reason !== undefined && { reason };
    const beside = tables[table];
    tables[table] =
      beside === undefined
        ? { action: 'retain', rows: count, ...why }
        : { ...beside, retained: count, ...why };
  }
  for (const [table, count] of Object.entries(rows.detached)) {
    const beside = tables[table] ?? { action: 'detach', rows: 0 };
    tables[table] = { ...beside, detached: count };
  }
  return tables;
}

/** The action for a table that the configuration does not name: reached by foreign keys, or unknown. */
function otherAction(target: TargetConfig, table: string): 'cascade' | 'erase' | 'forward' {
  if (target.connector === 'opendsr') return 'forward';
  if (!('work' in target) || target.work.kind !== 'tables') return 'erase';
  return target.work.cascades.includes(table) ? 'cascade' : 'erase';
}

const knownActions = new WeakMap<TargetConfig, ReadonlyMap<string, TableAction>>();

/** Cached by target, because it is needed for every task. */
function actionsOf(target: TargetConfig): ReadonlyMap<string, TableAction> {
  const known = knownActions.get(target);
  if (known !== undefined) return known;
  const tables = 'work' in target && target.work.kind === 'tables' ? target.work.tables : [];
  const actions = new Map(tables.map((table) => [entryName(table), table.action]));
  knownActions.set(target, actions);
  return actions;
}
