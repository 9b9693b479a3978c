// Reads the tasks of a batch for its worker.
import { byName } from '../../../domain/by-name.ts';
import { type Release, type RowMacs, releaseClaim } from '../../../domain/keys/row-macs.ts';
import { isRetainedBefore, leaseProblem } from '../../../domain/request/log-rules.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import { countsFromJson, tablesFromJson } from '../../../domain/stored-json.ts';
import type {
  IntentState,
  LeasedTask,
  SealedIdentities,
  StoredIntent,
} from '../../../domain/task/fulfilment-ports.ts';
import type { Sql } from '../../sql.ts';
import { readLoggedRows } from '../audit/logged-rows.ts';
import { CREATED_COLUMNS, type CreatedColumns, isAsCreated } from '../requests/as-created.ts';
import { digestSealed } from '../requests/digest-sealed.ts';
import { readIdentities } from '../requests/read-identities.ts';

/** A task that contradicts the audit log. */
export interface UnfitTask extends RequestKey {
  readonly taskNo: number;
  readonly requestNo: number;
  readonly target: string;
  /** Null if an operator retained the previous run, and none has released this one. */
  readonly problem: string | null;
}

/** A task with the columns of its intent, which are all null if it has none. */
interface LeasedRow
  extends Omit<LeasedTask, 'identities' | 'intent' | 'reported'>,
    Omit<CreatedColumns, keyof LeasedTask> {
  readonly requestNo: number;
  readonly target: string;
  readonly releaseMac: Uint8Array | null;
  readonly intentState: IntentState | null;
  readonly intentPlan: string | null;
  readonly reported: string | null;
  readonly counts: string | null;
  readonly retained: string | null;
  readonly firstTime: number | null;
  readonly masterKeyId: string;
  readonly wrappedKey: Uint8Array;
  readonly sealed: Uint8Array;
}

/** Call this after the tasks are leased: identities that are added later give them another run. */
export async function readLeasedTasks(
  sql: Sql,
  batchNo: number,
  macs: RowMacs,
): Promise<{ readonly tasks: LeasedTask[]; readonly unfit: readonly UnfitTask[] }> {
  const all = await sql.all<LeasedRow>(
    `SELECT tasks.task_no AS "taskNo", request_no AS "requestNo", ${CREATED_COLUMNS}, attempts, allowed_rows AS "allowedRows",
            tasks.target, release_mac AS "releaseMac", reported, intent_state AS "intentState", plan AS "intentPlan",
            counts, retained, first_time AS "firstTime", master_key_id AS "masterKeyId",
            wrapped_key AS "wrappedKey", sealed
     FROM @tasks JOIN @requests USING (request_no) LEFT JOIN @intents USING (task_no)
     WHERE batch_no = :batchNo AND state = 'running' ORDER BY request_no, tasks.task_no`,
    { batchNo },
  );
  const rowsOf = await readLoggedRows(sql, all);
  const identities = await readIdentities(
    sql,
    all.map(({ requestNo }) => requestNo),
  );
  const unfit = all.flatMap((row): UnfitTask[] => {
    const { own, isRenumbered, hasForged } = rowsOf(row);
    const { taskNo, target, receivedTime } = row;
    const sets = identities.get(row.requestNo) ?? [];
    const received = sets.find(({ source }) => source === undefined);
    const task = {
      taskNo,
      target,
      receivedTime,
      isRenumbered,
      hasForged,
      isAsCreated: isAsCreated(macs, { ...row, isNamed: received !== undefined }),
      added: addedTo(sets),
      received: received && digestSealed(received.sealed),
    };
    const problem = unreadable(row) ?? leaseProblem(task, own);
    if (problem !== undefined) return [{ ...row, problem }];
    return isRetainedBefore(task, own) ? [{ ...row, problem: null }] : [];
  });
  const held = new Set(unfit.map(({ taskNo }) => taskNo));
  const rows = all.filter(({ taskNo }) => !held.has(taskNo));
  const tasks = rows.map(
    (row): LeasedTask => ({
      taskNo: row.taskNo,
      controllerId: row.controllerId,
      subjectRequestId: row.subjectRequestId,
      regulation: row.regulation,
      submittedTime: row.submittedTime,
      attempts: row.attempts,
      allowedRows: releasedOf(row, macs),
      identities: identities.get(row.requestNo) ?? [],
      intent: intentOf(row),
      reported: row.reported === null ? null : (tablesFromJson(row.reported) ?? null),
    }),
  );
  return { tasks, unfit };
}

/** Identities added by an operator or a lookup. */
function addedTo(identities: readonly SealedIdentities[]): Set<string> {
  const added = identities.filter(({ source }) => source !== undefined);
  return new Set(added.map(({ sealed }) => digestSealed(sealed)));
}

/** The problem if a stored value is not in the form that Unwrite writes; the other tasks of the batch continue. */
function unreadable({ reported, counts, retained }: LeasedRow): string | undefined {
  if (reported !== null && tablesFromJson(reported) === undefined)
    return 'what it has reported as erased cannot be read';
  const isIntent = [counts, retained].every(
    (it) => it === null || countsFromJson(it) !== undefined,
  );
  return isIntent ? undefined : 'what it was about to erase cannot be read';
}

function intentOf(row: LeasedRow): StoredIntent | null {
  const { counts, retained, firstTime, masterKeyId, wrappedKey, sealed } = row;
  const { intentState, intentPlan } = row;
  if (counts === null || retained === null || firstTime === null) return null;
  if (intentState === null || intentPlan === null) return null;
  return {
    state: intentState,
    plan: intentPlan,
    counts: countsFromJson(counts) ?? byName(),
    retained: countsFromJson(retained) ?? byName(),
    firstAttemptTime: firstTime,
    keys: { masterKeyId, wrappedKey, sealed },
  };
}

interface ReleasedRow extends Omit<Release, 'allowedRows'> {
  readonly allowedRows: number | null;
  readonly releaseMac: Uint8Array | null;
}

/** A release that no operator gave does not count: the target's own limits apply. */
export function releasedOf(row: ReleasedRow, macs: RowMacs): number | null {
  const { allowedRows, releaseMac } = row;
  if (allowedRows === null) return null;
  return macs.verifyOrReport(releaseClaim({ ...row, allowedRows }), releaseMac)
    ? allowedRows
    : null;
}
