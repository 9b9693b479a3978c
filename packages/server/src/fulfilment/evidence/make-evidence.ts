import { byName, isEmpty } from '../../domain/by-name.ts';
import type { Counts, Erased, Verdict } from '../../domain/target/connector.ts';
import { totalOf } from '../../domain/target/connector.ts';
import { entryName, type TableAction, type TargetConfig } from '../../domain/target/target.ts';
import type { LeasedTask } from '../../domain/task/fulfilment-ports.ts';
import type { Evidence, TableEvidence, Tables } from '../../domain/task/task.ts';
import type { Accepted } from '../gate/gate.ts';
import { countKeys } from '../intent/key-rows.ts';
import { addCounts, type Intended, lessCounts } from '../intent/merge-intent.ts';
import { actionInAll, addUpRows } from './add-up-rows.ts';
import { countDetached } from './detached-rows.ts';

export interface Findings {
  readonly task: LeasedTask;
  readonly target: TargetConfig;
  readonly intended: Intended;
  /** Rows that are kept because they are another person's too, as the verification found them. */
  readonly kept: Counts;
  /** Rows that only identities find which are not proven: a person has released the task without them. */
  readonly leftOut: Counts;
  /** Rows of an earlier intent that another process deleted before this attempt. */
  readonly alreadyGone: Counts;
  /** Rows that an earlier attempt had erased, and that were erased again. */
  readonly again: Counts;
  /** Whether the target takes back what it does not report. */
  readonly isAtomic: boolean;
  readonly skipped: readonly string[];
  readonly accepted: Accepted;
  /** What this attempt erased; undefined where there was nothing to erase. */
  readonly erased: Erased | undefined;
  /** What attempts before it erased. */
  readonly reportedBefore: Tables;
  /** Whether rows are known by their keys, so that none is ever reported twice. */
  readonly isExact: boolean;
  /** Tables without a unique key, where an attempt before had another plan. */
  readonly unnamed: ReadonlySet<string>;
  /** Whether some of that is only known from rows that are not there any more. */
  readonly isRecovered: boolean;
  /**
   * An attempt before this one began to erase, and its target cannot be asked how that ended: what it
   * meant to erase and this one did not find is taken for erased.
   */
  readonly mayHaveErased: boolean;
  /** What that attempt was about to erase at most. */
  readonly cutOff: Counts;
  readonly isSamePlan: boolean;
  /** Rows of the person have the values already that they are overwritten with. */
  readonly hasOverwritten: boolean;
  readonly verdict: Extract<Verdict, { outcome: 'gone' }> | undefined;
  /** The older requests of the batch that rows of this one are counted for. */
  readonly sharedWith: readonly string[];
  /** Requests before; for a task that was tried before, since it was. */
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
      lessCounts(intended.counts, leftOutOf(findings)),
      hasOverwritten || alreadyErasedBy.length > 0,
    ),
    connector: target.connector,
    configuration: target.digest,
    tables: tablesOf(target, rows, retainedOf(intended, verdict), findings.reportedBefore),
    verified: verifiedOf(verdict),
    ...(verdict?.by !== undefined && { verified_by: verdict.by }),
    attempts: task.attempts,
    started_time: new Date(task.intent?.firstAttemptTime ?? findings.startedTime).toISOString(),
    finished_time: new Date(findings.finishedTime).toISOString(),
    ...(rows.isRecovered && { recovered: true }),
    ...(Object.keys(accepted).length > 0 && { accepted }),
    ...(skipped.length > 0 && { skipped_tables: skipped }),
    ...(alreadyErasedBy.length > 0 && { already_erased_by: alreadyErasedBy }),
  };
}

/** As the second look found them, where they have keys to be looked for by. */
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
  /** By this attempt, with those that one before had erased. */
  readonly treated: Counts;
  readonly gone: Counts;
  readonly unconfirmed: Counts;
  readonly left: Counts;
  readonly kept: Counts;
  readonly detached: Counts;
  readonly unproven: Counts;
  readonly isRecovered: boolean;
}

function rowsOf(findings: Findings): RowsOfTask {
  const { erased, intended, isRecovered, mayHaveErased } = findings;
  const now = countOnce(erased?.counts ?? byName(), findings.again);
  const { kept, leftOut } = findings;
  // They are there, and whose they are is not known.
  const among = leftOutOf(findings);
  const left = lessCounts(erased?.left ?? byName(), among);
  const missing = lessCounts(addCounts(findings.alreadyGone, missingOf(findings, now)), among);
  const isOurs = mayHaveErased && findings.erasedByOthers.length === 0;
  const unconfirmed = isOurs ? unconfirmedOf(findings, now, missing) : undefined;
  const isTaken = isOurs && unconfirmed === undefined && totalOf(missing) > 0;
  return {
    erased: addUp(findings, isTaken ? addCounts(now, missing) : now),
    treated: addCounts(erased?.counts ?? byName(), isTaken ? missing : byName()),
    gone: isTaken || unconfirmed !== undefined ? byName() : missing,
    unconfirmed: unconfirmed ?? byName(),
    left,
    kept,
    detached: countDetached(
      findings.reportedBefore,
      intended.detachedBefore ?? byName(),
      erased ?? {},
    ),
    unproven: leftOut,
    isRecovered: isRecovered || isTaken,
  };
}

/** Those of the intended rows that stay as unproven. The numbers of a target that only gives numbers are without them. */
function leftOutOf({ intended, leftOut }: Findings): Counts {
  return intended.layout === undefined ? byName() : leftOut;
}

/**
 * A transaction goes as a whole: where rows are there, either it was rolled back, or they came since. Undefined where
 * what is missing can be taken for erased.
 */
function unconfirmedOf(findings: Findings, now: Counts, missing: Counts): Counts | undefined {
  const { cutOff, isSamePlan, isAtomic, erased } = findings;
  if (!isSamePlan) return cutOff;
  if (!isAtomic || totalOf(now) === 0) return undefined;
  return erased?.isFoundAgain === true ? missing : cutOff;
}

function addUp({ reportedBefore, intended, isExact, unnamed }: Findings, now: Counts): Counts {
  const sum = byName(Object.entries(now));
  for (const [table, before] of Object.entries(reportedBefore)) {
    const rows = addUpRows(before, now[table] ?? 0, {
      intended: intended.counts[table] ?? 0,
      isExact,
      isUnnamed: unnamed.has(table),
    });
    // Where there is none, rows of it were only detached.
    if (rows > 0) sum[table] = rows;
  }
  return sum;
}

/** Where the target says what became of each row, or takes back what it does not report, that is all. */
function missingOf(findings: Findings, now: Counts): Counts {
  const { intended, erased, isExact, isAtomic, mayHaveErased, reportedBefore } = findings;
  if (erased?.gone !== undefined || erased?.goneUnnamed !== undefined)
    return addCounts(countKeys(erased.gone ?? byName()), erased.goneUnnamed ?? byName());
  return erased !== undefined && (isExact || isAtomic) && !mayHaveErased
    ? byName()
    : // What attempts before reported is erased, and not gone by itself.
      lessCounts(intended.counts, addCounts(now, reportedRows(reportedBefore)));
}

export const reportedRows = (tables: Tables): Counts =>
  byName(Object.entries(tables).map(([table, { rows }]): [string, number] => [table, rows]));

/** Without rows that an earlier attempt had erased, and that came back. */
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

/** `not_found` is said only where no preview found anything: rows that went meanwhile, or have the new values, were there. */
function actionOf(
  { erased, gone, left, unconfirmed }: RowsOfTask,
  intended: Counts,
  isErasedBefore: boolean,
): Evidence['action'] {
  if (totalOf(erased) > 0) return 'erased';
  const isMissing = totalOf(intended) + totalOf(gone) + totalOf(left) + totalOf(unconfirmed) > 0;
  return isMissing || isErasedBefore ? 'already_erased' : 'not_found';
}

function verifiedOf(verdict: Findings['verdict']): Evidence['verified'] {
  if (verdict === undefined) return 'not applicable';
  return verdict.how === 'requeried' ? 'requeried' : 'reported, not re-queried';
}

export function erasedTables(
  target: TargetConfig,
  erased: Counts,
  detached: Counts = byName(),
): Tables {
  const none = byName<number>();
  const others = { gone: none, unconfirmed: none, left: none, kept: none, unproven: none };
  return tablesOf(target, { erased, treated: erased, ...others, detached }, none);
}

function tablesOf(
  target: TargetConfig,
  rows: Omit<RowsOfTask, 'isRecovered'>,
  retained: Counts,
  before: Tables = byName<TableEvidence>(),
): Tables {
  const actions = actionsOf(target);
  const tables = byName<TableEvidence>();
  const { erased, gone, unconfirmed, left, kept, unproven } = rows;
  const names = new Set(
    [erased, gone, unconfirmed, left, kept, unproven].flatMap((counts) => Object.keys(counts)),
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
      ...(left[table] !== undefined && { left: left[table] }),
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

/** Of a table that the configuration does not name: foreign keys lead to it, or the target does not say how. */
function otherAction(target: TargetConfig, table: string): 'cascade' | 'erase' {
  if (!('work' in target) || target.work.kind !== 'tables') return 'erase';
  return target.work.cascades.includes(table) ? 'cascade' : 'erase';
}

const knownActions = new WeakMap<TargetConfig, ReadonlyMap<string, TableAction>>();

/** Asked for every task, and the same for all of a target. */
function actionsOf(target: TargetConfig): ReadonlyMap<string, TableAction> {
  const known = knownActions.get(target);
  if (known !== undefined) return known;
  const tables = 'work' in target && target.work.kind === 'tables' ? target.work.tables : [];
  const actions = new Map(tables.map((table) => [entryName(table), table.action]));
  knownActions.set(target, actions);
  return actions;
}
