// How far the other tasks of the same requests are: earlier runs included.
import type { OtherErasure, SealedBytes } from '../../../domain/task/fulfilment-ports.ts';
import type { Sql } from '../../sql.ts';

interface OtherRow {
  readonly taskNo: number;
  readonly target: string;
  readonly isAsked: boolean;
  readonly isDone: boolean;
  readonly isErasing: boolean;
  readonly masterKeyId: string | null;
  readonly wrappedKey: Uint8Array | null;
  readonly sealed: Uint8Array | null;
}

export async function otherErasures(sql: Sql, taskNos: readonly number[]): Promise<OtherErasure[]> {
  if (taskNos.length === 0) return [];
  const rows = await sql.all<OtherRow>(
    `SELECT mine.task_no AS "taskNo", theirs.target, mine.asked_time IS NOT NULL AS "isAsked",
            theirs.state = 'erased' AS "isDone",
            theirs.state <> 'erased' AND coalesce(intent_state = 'erasing', false) AS "isErasing",
            master_key_id AS "masterKeyId", wrapped_key AS "wrappedKey", sealed
     FROM @tasks AS mine
     JOIN @tasks AS theirs
       ON theirs.request_no = mine.request_no AND theirs.task_no <> mine.task_no
     LEFT JOIN @intents AS intents ON intents.task_no = theirs.task_no
     WHERE mine.task_no = ANY(:taskNos::bigint[]) ORDER BY mine.task_no, theirs.task_no`,
    { taskNos },
  );
  return rows.map(({ taskNo, target, isAsked, isDone, isErasing, ...intent }) => ({
    taskNo,
    target,
    isAsked: Boolean(isAsked),
    isDone: Boolean(isDone),
    isErasing: Boolean(isErasing),
    intent: intent.sealed === null ? null : (intent as SealedBytes),
  }));
}
