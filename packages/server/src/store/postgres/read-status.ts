// Not shared: this is the hot path, and SQLite reads synchronously. Status reads that arrive together share one
// statement. It reads both tables in one snapshot, in which a request is in exactly one of them.
import type { RequestStatus, SubjectRequestId } from '@unwrite/protocol';
import type { RequestKey, RequestState } from '../../domain/request/request.ts';
import { StoreUnavailable } from '../../domain/store/store-unavailable.ts';
import { createCoalescer } from '../coalesce.ts';
import { SAME_ID } from '../shared/requests/same-id.ts';
import { arrayOfTexts } from './array-texts.ts';
import type { Sql } from './database.ts';
import { nameOf } from './failures.ts';

// LIMIT makes PostgreSQL look up the key once in each table, and in the second only if the first has no such row.
const COLUMNS = 'request_no, subject_request_id, status, received_time';
const READ = `
  SELECT given.place::int AS place,
         coalesce(open.subject_request_id, archived.subject_request_id) AS "subjectRequestId",
         coalesce(open.status, archived.status) AS status,
         coalesce(open.received_time, archived.received_time) AS "receivedTime"
  FROM unnest(:controllerIds::text[], :ids::uuid[]) WITH ORDINALITY AS given (controller_id, id, place)
  LEFT JOIN LATERAL (
    SELECT ${COLUMNS} FROM @requests
    WHERE request_uuid = given.id AND controller_id = given.controller_id AND ${SAME_ID} LIMIT 1
  ) AS open ON true
  LEFT JOIN LATERAL (
    SELECT ${COLUMNS} FROM @archived_requests
    WHERE open.request_no IS NULL
      AND request_uuid = given.id AND controller_id = given.controller_id AND ${SAME_ID} LIMIT 1
  ) AS archived ON true
  WHERE coalesce(open.request_no, archived.request_no) IS NOT NULL`;

interface StatusRow {
  /** Position among the keys, from 1. */
  readonly place: number;
  readonly subjectRequestId: SubjectRequestId;
  readonly status: RequestStatus;
  readonly receivedTime: number;
}

/** In the order of the keys. */
export type ReadStatuses = (keys: readonly RequestKey[]) => Promise<(RequestState | undefined)[]>;

export function prepareReadStatuses(sql: Pick<Sql, 'all'>): ReadStatuses {
  return async (keys) => {
    const rows = await sql.all<StatusRow>(READ, {
      controllerIds: arrayOfTexts(keys.map(({ controllerId }) => controllerId)),
      ids: arrayOfTexts(keys.map(({ subjectRequestId }) => subjectRequestId)),
    });
    const states = new Array<RequestState | undefined>(keys.length).fill(undefined);
    for (const { place, subjectRequestId, status, receivedTime } of rows) {
      states[place - 1] = { subjectRequestId, status, receivedTime };
    }
    return states;
  };
}

export type ReadStatus = (key: RequestKey) => Promise<RequestState | undefined>;

export function createReadStatus(sql: Pick<Sql, 'all'>): ReadStatus {
  const readStatuses = prepareReadStatuses(sql);
  const reads = createCoalescer<RequestKey, RequestState | undefined>({
    run: (keys) =>
      readStatuses(keys).catch((error: unknown) => {
        if (error instanceof StoreUnavailable) throw error;
        throw new StoreUnavailable(`the store could not be read (${nameOf(error)})`, {
          cause: error,
        });
      }),
    maxBatch: 256,
    maxInFlight: 2,
    beside: { items: 16, ms: 50 },
    maxWaiting: 20_000,
    shareOf: ({ controllerId }) => controllerId,
  });
  return reads.submit;
}
