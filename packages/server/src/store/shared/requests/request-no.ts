import { isSubjectRequestId } from '@unwrite/protocol';
import type { Sql } from '../../sql.ts';
import type { LoggedKey } from '../audit/rows-of-requests.ts';
import { SAME_ID } from './same-id.ts';

type AskedKey = Pick<LoggedKey, 'controllerId' | 'subjectRequestId'>;

/** Finds a request in the archive, too. */
export async function findRequest(
  sql: Sql,
  { controllerId, subjectRequestId }: AskedKey,
): Promise<LoggedKey | undefined> {
  if (!isSubjectRequestId(subjectRequestId)) return undefined;
  for (const table of sql.dialect.requestTables) {
    const row = await sql.get<LoggedKey>(
      `SELECT request_no AS "requestNo", controller_id AS "controllerId",
              subject_request_id AS "subjectRequestId", received_time AS "receivedTime"
       FROM ${table}
       WHERE request_uuid = :subjectRequestId::uuid AND controller_id = :controllerId
         AND ${SAME_ID}`,
      { subjectRequestId, controllerId },
    );
    if (row !== undefined) return row;
  }
  return undefined;
}

export async function findRequestNo(sql: Sql, key: AskedKey): Promise<number | undefined> {
  return (await findRequest(sql, key))?.requestNo;
}
