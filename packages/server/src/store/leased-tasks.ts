// The tasks of a batch, put together from the rows of either store.
import { byNameFromJson } from '../domain/by-name.ts';
import type {
  IntentState,
  LeasedTask,
  SealedIdentities,
  StoredIntent,
} from '../domain/fulfilment-ports.ts';

/** With the columns of its intent; all null where it has none. */
export interface LeasedRow extends Omit<LeasedTask, 'identities' | 'intent' | 'reported'> {
  readonly requestNo: number;
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

export function leasedTasks(
  rows: readonly LeasedRow[],
  /** By the number of the request. */
  identities: ReadonlyMap<number, readonly SealedIdentities[]>,
): LeasedTask[] {
  return rows.map((row) => ({
    taskNo: row.taskNo,
    controllerId: row.controllerId,
    subjectRequestId: row.subjectRequestId,
    attempts: row.attempts,
    allowedRows: row.allowedRows,
    identities: identities.get(row.requestNo) ?? [],
    intent: intentOf(row),
    reported: row.reported === null ? null : byNameFromJson(row.reported),
  }));
}

function intentOf(row: LeasedRow): StoredIntent | null {
  const { counts, retained, firstTime, masterKeyId, wrappedKey, sealed } = row;
  const { intentState, intentPlan } = row;
  if (counts === null || retained === null || firstTime === null) return null;
  return {
    state: intentState ?? 'erasing',
    plan: intentPlan ?? '',
    counts: byNameFromJson(counts),
    retained: byNameFromJson(retained),
    firstAttemptTime: firstTime,
    keys: { masterKeyId, wrappedKey, sealed },
  };
}
