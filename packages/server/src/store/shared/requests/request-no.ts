import { isSubjectRequestId } from '@unwrite/protocol';
import type { Sql } from '../../sql.ts';

/** Wherever it is kept. */
export async function findRequestNo(
  sql: Sql,
  { controllerId, subjectRequestId }: { controllerId: string; subjectRequestId: string },
): Promise<number | undefined> {
  if (!isSubjectRequestId(subjectRequestId)) return undefined;
  for (const table of sql.dialect.requestTables) {
    const row = await sql.get<{ requestNo: number }>(
      `SELECT request_no AS "requestNo" FROM ${table}
       WHERE request_uuid = :subjectRequestId::uuid AND controller_id = :controllerId`,
      { subjectRequestId, controllerId },
    );
    if (row !== undefined) return row.requestNo;
  }
  return undefined;
}
