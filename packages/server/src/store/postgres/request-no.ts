import { isSubjectRequestId } from '@unwrite/protocol';
import type { Sql } from './database.ts';

/** Wherever it is kept. Two statements: it may have been moved to the archive since the first. */
export async function findRequestNo(
  sql: Sql,
  { controllerId, subjectRequestId }: { controllerId: string; subjectRequestId: string },
): Promise<number | undefined> {
  if (!isSubjectRequestId(subjectRequestId)) return undefined;
  for (const table of ['@requests', '@archived_requests']) {
    const row = await sql.one<{ requestNo: number }>(
      `SELECT request_no AS "requestNo" FROM ${table}
       WHERE request_uuid = $1::uuid AND controller_id = $2`,
      [subjectRequestId, controllerId],
    );
    if (row !== undefined) return row.requestNo;
  }
  return undefined;
}
