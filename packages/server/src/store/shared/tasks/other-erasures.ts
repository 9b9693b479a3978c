// What the other tasks of the same requests have erased.
import { byName, byNameFromJson } from '../../../domain/by-name.ts';
import type { OtherErasure } from '../../../domain/task/fulfilment-ports.ts';
import type { Tables } from '../../../domain/task/task.ts';
import type { Sql } from '../../sql.ts';

interface OtherRow {
  readonly taskNo: number;
  readonly target: string;
  readonly isErasing: boolean;
  readonly evidence: string | null;
  readonly reported: string | null;
}

export async function otherErasures(sql: Sql, taskNos: readonly number[]): Promise<OtherErasure[]> {
  if (taskNos.length === 0) return [];
  const rows = await sql.all<OtherRow>(
    `SELECT mine.task_no AS "taskNo", theirs.target,
            theirs.state <> 'erased' AND coalesce(intent_state = 'erasing', false) AS "isErasing",
            theirs.evidence::json ->> 'tables' AS evidence, theirs.reported
     FROM @tasks AS mine
     JOIN @tasks AS theirs
       ON theirs.request_no = mine.request_no AND theirs.task_no <> mine.task_no
     LEFT JOIN @intents AS intents ON intents.task_no = theirs.task_no
     WHERE mine.task_no = ANY(:taskNos::bigint[]) ORDER BY mine.task_no, theirs.task_no`,
    { taskNos },
  );
  return rows.map(({ taskNo, target, isErasing, evidence, reported }) => ({
    taskNo,
    target,
    isErasing: Boolean(isErasing),
    tables: tablesIn(evidence ?? reported),
  }));
}

function tablesIn(json: string | null): Tables {
  return json === null ? byName<never>() : byNameFromJson(json);
}
