// The progress of the other tasks of the same requests, including earlier runs.
import type { OtherErasure, SealedBytes } from '../../../domain/task/fulfilment-ports.ts';
import type { Sql } from '../../sql.ts';

interface OtherRow {
  readonly taskNo: number;
  readonly target: string;
  readonly otherNo: number;
  readonly isErasing: boolean;
  readonly masterKeyId: string | null;
  readonly wrappedKey: Uint8Array | null;
  readonly sealed: Uint8Array | null;
}

export async function otherErasures(sql: Sql, taskNos: readonly number[]): Promise<OtherErasure[]> {
  if (taskNos.length === 0) return [];
  const rows = await sql.all<OtherRow>(
    `SELECT mine.task_no AS "taskNo", theirs.task_no AS "otherNo", theirs.target,
            theirs.state <> 'erased' AND coalesce(intent_state = 'erasing', false) AS "isErasing",
            master_key_id AS "masterKeyId", wrapped_key AS "wrappedKey", sealed
     FROM @tasks AS mine
     JOIN @tasks AS theirs
       ON theirs.request_no = mine.request_no AND theirs.task_no <> mine.task_no
     LEFT JOIN @intents AS intents ON intents.task_no = theirs.task_no
     WHERE mine.task_no = ANY(:taskNos::bigint[]) ORDER BY mine.task_no, theirs.task_no`,
    { taskNos },
  );
  return rows.map(({ taskNo, otherNo, target, isErasing, ...intent }) => ({
    taskNo,
    otherNo,
    target,
    isErasing: Boolean(isErasing),
    intent: intent.sealed === null ? null : (intent as SealedBytes),
  }));
}
