// Finds the audit rows about a request by its controller and id, regardless of their number. The number of a request
// is a column that anybody with write access can change; controller and id are covered by the MAC of its creation.
import { keyText } from '../../../domain/request/same-request.ts';

export interface LoggedKey {
  readonly requestNo: number;
  readonly controllerId: string;
  readonly subjectRequestId: string;
  readonly receivedTime: number;
}

interface AboutRequest {
  readonly time: number;
  readonly controllerId: string | null;
  readonly subjectRequestId: string | null;
  readonly requestNo?: number | bigint | null;
}

/** For rows of one table, by the index audit_of_request. Its creation is left out: the request carries the MAC of that row. */
export const OF_REQUESTS = `lower(subject_request_id) = ANY(:requestIds::text[])
  AND action <> 'request.created'`;

export const requestIdsOf = (requests: readonly Pick<LoggedKey, 'subjectRequestId'>[]) => [
  ...new Set(requests.map(({ subjectRequestId }) => subjectRequestId.toLowerCase())),
];

export interface RowsOfRequest<Row> {
  /** Rows under the request's own number. */
  readonly own: readonly Row[];
  /** The log has the request under another number. */
  readonly isRenumbered: boolean;
  /** Rows about it whose MAC does not fit: written or changed by someone else. */
  readonly hasForged: boolean;
}

/**
 * A row under another number counts if its MAC fits. Rows from before the request was received are about an
 * earlier request with the same id, which has been forgotten.
 */
export function rowsByRequest<Row extends AboutRequest>(
  rows: readonly Row[],
  isOurs: (row: Row) => boolean,
): (request: LoggedKey) => RowsOfRequest<Row> {
  const byKey = Map.groupBy(rows, keyText);
  return (request) => {
    const { requestNo, receivedTime } = request;
    const isOwn = (row: Row) => Number(row.requestNo) === requestNo;
    const all = byKey.get(keyText(request)) ?? [];
    const [own, others] = [all.filter(isOwn), all.filter((row) => !isOwn(row))];
    return {
      own,
      isRenumbered: others.some((row) => row.time >= receivedTime && isOurs(row)),
      // A getter: receipts do not ask, because the tree proves their rows.
      get hasForged() {
        return !all.every(isOurs);
      },
    };
  };
}
