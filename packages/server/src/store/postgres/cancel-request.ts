// Cancels all requests of a batch in one transaction. Not shared: see create-request.ts.
import type { SubjectRequestId } from '@unwrite/protocol';
import { auditClaim, cancelledRow } from '../../domain/audit/audit-claim.ts';
import {
  type CancelCommand,
  type CancelOutcome,
  notCancelled,
} from '../../domain/request/request.ts';
import { StoreUnavailable } from '../../domain/store/store-unavailable.ts';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';
import { SAME_ID } from '../shared/requests/same-id.ts';
import { countDaily } from '../shared/tasks/daily-counts.ts';
import { rowsOf } from '../sql.ts';
import { arrayOfTexts } from './array-texts.ts';
import type { Database, Sql } from './database.ts';
import { prepareReadStatuses } from './read-status.ts';

export type CancelRequests = (
  commands: readonly CancelCommand[],
  receivedTime: number,
) => Promise<(CancelOutcome | StoreUnavailable)[]>;

// The condition decides the race against the start: exactly one of them finds `pending`. Requests are locked in the
// order of their numbers, as everywhere. If there are several cancels of the same request, the first wins.
const CANCEL = `
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest(:controllerIds::text[], :ids::text[], :actors::text[]) WITH ORDINALITY
      AS given (controller_id, id, actor, place)
  ), held AS MATERIALIZED (
    SELECT request_no, given.actor, given.place
    FROM given JOIN @requests AS requests
      ON requests.request_uuid = given.id::uuid
      AND requests.controller_id = given.controller_id
      AND ${SAME_ID}
    WHERE status = 'pending'
    ORDER BY request_no, place FOR UPDATE OF requests
  ), first AS (
    SELECT DISTINCT ON (request_no) * FROM held ORDER BY request_no, place
  ), cancelled AS (
    UPDATE @requests AS requests SET status = 'cancelled', cancelled_time = :receivedTime
    FROM first
    WHERE requests.request_no = first.request_no AND requests.status = 'pending'
    RETURNING requests.request_no, requests.controller_id, requests.subject_request_id,
              requests.received_time, first.actor, first.place
  )
  SELECT request_no AS "requestNo", controller_id AS "controllerId",
         subject_request_id AS "subjectRequestId", received_time AS "requestTime", actor,
         place::int AS place
  FROM cancelled ORDER BY place`;

// In the same transaction, with the ids as they are stored: the MAC of a row covers them.
const AUDIT = `
  INSERT INTO @new_audit_rows
    (time, actor, action, controller_id, subject_request_id, request_no, mac)
  SELECT :receivedTime::bigint, actor, 'request.cancelled', "controllerId", "subjectRequestId",
         "requestNo", decode(mac, 'hex')
  FROM json_to_recordset(:entries::json) AS entry
    ("requestNo" bigint, "controllerId" text, "subjectRequestId" text, actor text, mac text)`;

// In a separate statement, after the requests are locked. Adding identities locks them too, so none can be
// added after this. Without its wrapped key, sealed data cannot be decrypted.
const SHRED = `
  WITH audited AS (${AUDIT}),
       sealed AS (DELETE FROM @sealed_identities WHERE request_no = ANY(:requestNos::bigint[])),
       added AS (DELETE FROM @added_identities WHERE request_no = ANY(:requestNos::bigint[]))
  DELETE FROM @identity_digests WHERE request_no = ANY(:requestNos::bigint[])`;

/** How often a create and a cancellation of the same id may collide before the client is told to try again. */
const MAX_TRIES = 5;

interface CancelledRow {
  readonly requestNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: SubjectRequestId;
  readonly requestTime: number;
  readonly actor: string;
  /** Position among the commands, from 1. */
  readonly place: number;
}

export function prepareCancelRequests(database: Database): CancelRequests {
  const readStatuses = prepareReadStatuses(database);

  async function cancelPending(
    sql: Sql,
    commands: readonly CancelCommand[],
    receivedTime: number,
  ): Promise<CancelledRow[]> {
    const rows = await sql.all<CancelledRow>(CANCEL, {
      controllerIds: arrayOfTexts(commands.map(({ controllerId }) => controllerId)),
      ids: arrayOfTexts(commands.map(({ subjectRequestId }) => subjectRequestId)),
      actors: arrayOfTexts(commands.map(({ actor }) => actor)),
      receivedTime,
    });
    if (rows.length === 0) return rows;
    const entries = rows.map((row) => ({
      ...row,
      mac: sql.rowMacs.compute(
        auditClaim({ ...cancelledRow(row, receivedTime), requestNo: row.requestNo }),
      ),
    }));
    await sql.run(SHRED, {
      requestNos: rows.map(({ requestNo }) => requestNo),
      entries: rowsOf(entries),
      receivedTime,
    });
    await countDaily(
      sql,
      rows.map(({ controllerId }) => {
        return { what: 'cancelled', whose: controllerId, count: 1, time: receivedTime };
      }),
    );
    return rows;
  }

  return async (commands, receivedTime) => {
    const outcomes = new Array<CancelOutcome | undefined>(commands.length).fill(undefined);
    for (let tries = 0; tries < MAX_TRIES && outcomes.includes(undefined); tries++) {
      const open = [...commands.keys()].filter((index) => outcomes[index] === undefined);
      const asked = open.map((index) => commands[index] as CancelCommand);
      const rows = await database.transaction((sql) => cancelPending(sql, asked, receivedTime));
      for (const { place, subjectRequestId, requestTime } of rows) {
        outcomes[open[place - 1] as number] = {
          outcome: 'cancelled',
          receivedTime,
          subjectRequestId,
          requestTime,
        };
      }
      const left = open.filter((index) => outcomes[index] === undefined);
      const states =
        left.length === 0
          ? []
          : await readStatuses(left.map((index) => commands[index] as CancelCommand));
      for (const [at, index] of left.entries()) {
        const status = states[at]?.status;
        // A request that was created after the read can still be cancelled.
        if (status !== 'pending') outcomes[index] = notCancelled(status);
      }
    }
    return outcomes.map((it) => it ?? new StoreUnavailable('the request could not be cancelled'));
  };
}
