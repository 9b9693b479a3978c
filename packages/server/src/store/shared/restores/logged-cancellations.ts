// Cancellations in the audit log, in the order of their numbers.
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import type { Happened } from '../../../domain/store/restore.ts';
import type { Sql } from '../../sql.ts';
import { CLAIMED_COLUMNS, isOurs, type RowWithMac } from '../audit/claimed-rows.ts';
import { CREATED_COLUMNS, type CreatedColumns, isAsCreated } from '../requests/as-created.ts';

type Row = RowWithMac & RequestKey;

/** Rows that someone else wrote are left out. */
export async function readCancelled(
  sql: Sql,
  macs: RowMacs,
  after: number,
  upTo: number,
): Promise<Happened[]> {
  const rows = await sql.all<Row>(
    `SELECT ${CLAIMED_COLUMNS}
     FROM @audit_rows
     WHERE audit_no > :after AND audit_no <= :upTo AND action = 'request.cancelled'
     ORDER BY audit_no`,
    { after, upTo },
  );
  const ours = rows.filter(isOurs(macs));
  const received = await readReceived(sql, macs, ours);
  return ours.map((row) => {
    const { time, controllerId, subjectRequestId } = row;
    const requestTime = received.get(nameOf(row));
    const known = requestTime === undefined ? {} : { requestTime };
    return { what: 'cancelled', time, controllerId, subjectRequestId, ...known };
  });
}

/** When the requests were received that are not archived yet, by their numbers and ids. */
async function readReceived(
  sql: Sql,
  macs: RowMacs,
  cancelled: readonly Row[],
): Promise<Map<string, number>> {
  if (cancelled.length === 0) return new Map();
  const rows = await sql.all<CreatedColumns & { readonly requestNo: number }>(
    `SELECT request_no AS "requestNo", ${CREATED_COLUMNS}
     FROM @requests WHERE request_no = ANY(:requestNos::bigint[])`,
    { requestNos: cancelled.flatMap(({ requestNo }) => (requestNo == null ? [] : [requestNo])) },
  );
  const asCreated = rows.filter((row) => isAsCreated(macs, row));
  return new Map(asCreated.map((row) => [nameOf(row), row.receivedTime]));
}

interface Named {
  readonly requestNo?: number | bigint | null;
  readonly controllerId: string;
  readonly subjectRequestId: string;
}

const nameOf = ({ requestNo, controllerId, subjectRequestId }: Named) =>
  `${requestNo} ${controllerId} ${subjectRequestId}`;
