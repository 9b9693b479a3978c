import type { SubjectRequestId } from '@unwrite/protocol';
import type { ControllerId } from '../../domain/controller-id.ts';
import type { CancelCommand, CancelOutcome } from '../../domain/request.ts';
import { countDaily } from '../shared/tasks/daily-counts.ts';
import { arrayOfTexts } from './array-texts.ts';
import type { Database, Sql } from './database.ts';
import { prepareReadStatuses } from './read-status.ts';

export type CancelRequests = (
  commands: readonly CancelCommand[],
  receivedTime: number,
) => Promise<CancelOutcome[]>;

// The condition decides the race against the start: exactly one of them finds `pending`. Requests are held
// in the order of their numbers, as everywhere. Of several who ask for the same one, the first has it.
const CANCEL = `
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY
      AS given (controller_id, subject_request_id, actor, place)
  ), held AS MATERIALIZED (
    SELECT request_no, given.actor, given.place
    FROM given JOIN @requests AS requests
      ON requests.request_uuid = given.subject_request_id::uuid
      AND requests.controller_id = given.controller_id
    WHERE status = 'pending'
    ORDER BY request_no, place FOR UPDATE OF requests
  ), first AS (
    SELECT DISTINCT ON (request_no) * FROM held ORDER BY request_no, place
  ), cancelled AS (
    UPDATE @requests AS requests SET status = 'cancelled', cancelled_time = $4
    FROM first
    WHERE requests.request_no = first.request_no AND requests.status = 'pending'
    RETURNING requests.request_no, requests.controller_id, requests.subject_request_id, first.actor,
              first.place
  ), audited AS (
    INSERT INTO @new_audit_rows
      (time, actor, action, controller_id, subject_request_id, request_no)
    SELECT $4::bigint, actor, 'request.cancelled', controller_id, subject_request_id, request_no
    FROM cancelled ORDER BY place
  )
  SELECT request_no AS "requestNo", controller_id AS "controllerId",
         subject_request_id AS "subjectRequestId", place::int AS place
  FROM cancelled`;

// In a statement of its own, after the requests are held: who adds identities holds them, too, so there
// are no more to come. Without its wrapped key what is sealed is noise.
const SHRED = `
  WITH sealed AS (DELETE FROM @sealed_identities WHERE request_no = ANY($1::bigint[])),
       added AS (DELETE FROM @added_identities WHERE request_no = ANY($1::bigint[]))
  DELETE FROM @identity_digests WHERE request_no = ANY($1::bigint[])`;

interface CancelledRow {
  readonly requestNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: SubjectRequestId;
  /** From 1, among the commands. */
  readonly place: number;
}

export function prepareCancelRequests(database: Database): CancelRequests {
  const readStatuses = prepareReadStatuses(database);

  async function cancelPending(
    sql: Sql,
    commands: readonly CancelCommand[],
    receivedTime: number,
  ): Promise<CancelledRow[]> {
    const rows = await sql.all<CancelledRow>(CANCEL, [
      arrayOfTexts(commands.map(({ controllerId }) => controllerId)),
      arrayOfTexts(commands.map(({ subjectRequestId }) => subjectRequestId)),
      arrayOfTexts(commands.map(({ actor }) => actor)),
      receivedTime,
    ]);
    if (rows.length === 0) return rows;
    await sql.run(SHRED, [rows.map(({ requestNo }) => requestNo)]);
    await countDaily(
      sql,
      rows.map(({ controllerId }) => {
        return { what: 'cancelled', whose: controllerId, count: 1, time: receivedTime };
      }),
    );
    return rows;
  }

  const cancel: CancelRequests = async (commands, receivedTime) => {
    const rows = await database.transaction((sql) => cancelPending(sql, commands, receivedTime));
    const outcomes = new Array<CancelOutcome | undefined>(commands.length).fill(undefined);
    for (const { place, subjectRequestId } of rows) {
      outcomes[place - 1] = { outcome: 'cancelled', receivedTime, subjectRequestId };
    }
    const others = commands.filter((_, index) => outcomes[index] === undefined);
    const whyNot = others.length === 0 ? [] : await explain(others, receivedTime);
    let next = 0;
    return outcomes.map((outcome) => outcome ?? (whyNot[next++] as CancelOutcome));
  };

  async function explain(
    commands: readonly CancelCommand[],
    receivedTime: number,
  ): Promise<CancelOutcome[]> {
    const states = await readStatuses(commands);
    // Created only after the look at it: it can be cancelled all the same.
    if (states.some((state) => state?.status === 'pending')) return cancel(commands, receivedTime);
    return states.map((state) =>
      state === undefined
        ? { outcome: 'not_found' }
        : { outcome: 'not_pending', status: state.status },
    );
  }

  return cancel;
}
