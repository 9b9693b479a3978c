import { isSubjectRequestId } from '@unwrite/protocol';
import type { Sql } from '../../sql.ts';
import type { LoggedKey } from '../audit/rows-of-requests.ts';
import { SAME_ID } from './same-id.ts';

type AskedKey = Pick<LoggedKey, 'controllerId' | 'subjectRequestId'>;

/** Reads number, controller, id and `columns` of a request, in the archive too. */
export async function readRequest<Row extends AskedKey>(
  sql: Sql,
  { controllerId, subjectRequestId }: AskedKey,
  columns: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<Row | undefined> {
  if (!isSubjectRequestId(subjectRequestId)) return undefined;
  for (const table of sql.dialect.requestTables) {
    const row = await sql.get<Row>(
      `SELECT request_no AS "requestNo", controller_id AS "controllerId",
              subject_request_id AS "subjectRequestId", ${columns}
       FROM ${table}
       WHERE request_uuid = :subjectRequestId::uuid AND controller_id = :controllerId
         AND ${SAME_ID} ${lock}`,
      { subjectRequestId, controllerId },
    );
    if (row !== undefined) return row;
  }
  return undefined;
}

export function findRequest(sql: Sql, key: AskedKey): Promise<LoggedKey | undefined> {
  return readRequest<LoggedKey>(sql, key, 'received_time AS "receivedTime"');
}

export async function findRequestNo(sql: Sql, key: AskedKey): Promise<number | undefined> {
  return (await findRequest(sql, key))?.requestNo;
}
