// Creates all requests of a batch in one statement, with their sealed identities and audit rows. Not shared: on
// SQLite a thread writes them one after the other, synchronously, in one transaction. A single statement is a
// transaction, so there is one round trip and one sync.
import { auditClaim, createdRow } from '../../domain/audit/audit-claim.ts';
import { AUDIT_MAC_BYTES, type RowMacs } from '../../domain/keys/row-macs.ts';
import type { CreateOutcome, NewRequest } from '../../domain/request/request.ts';
import type { SealIdentities } from '../write-ops.ts';
import { arrayOfNumbers, arrayOfTexts } from './array-texts.ts';
import type { Database, Values } from './database.ts';

export type CreateRequests = (
  requests: readonly NewRequest[],
  receivedTime: number,
) => Promise<CreateOutcome[]>;

// The numbers are assigned first, so that dependent rows can refer to them. All sealed identities come as
// one byte string, which is split here: the driver would write an array of bytes as text.
const GIVEN = `
  given AS MATERIALIZED (
    SELECT nextval('@requests_request_no_seq') AS request_no, given.*
    FROM unnest(:controllerIds::text[], :ids::text[], :regulations::text[],
                :submittedTimes::text[], :actors::text[], :identityCounts::int[],
                :masterKeyIds::text[], :starts::int[], :wrappedLengths::int[],
                :sealedLengths::int[], :details::text[]) WITH ORDINALITY AS given
      (controller_id, subject_request_id, regulation, submitted_time, actor, identity_count,
       master_key_id, start, wrapped_length, sealed_length, detail, place))`;
// The MACs follow the sealed identities in the byte string, one after the other.
const MAC = `substring(:bytes::bytea FROM :macStart::int + ${AUDIT_MAC_BYTES} * (place::int - 1)
  FOR ${AUDIT_MAC_BYTES})`;
const INSERT_REQUESTS = `
  INSERT INTO @requests
    (request_no, controller_id, subject_request_id, request_uuid, status, regulation,
     submitted_time, received_time, created_by, identity_count, created_mac)
  SELECT request_no, controller_id, subject_request_id, subject_request_id::uuid, 'pending',
         regulation, submitted_time, :receivedTime::bigint, actor, identity_count, ${MAC}
  FROM given`;
const INSERT_SEALED = `
  INSERT INTO @sealed_identities (request_no, master_key_id, wrapped_key, sealed)
  SELECT request_no, master_key_id, substring(:bytes::bytea FROM start FOR wrapped_length),
         substring(:bytes::bytea FROM start + wrapped_length FOR sealed_length)
  FROM given WHERE identity_count > 0`;
const INSERT_AUDIT = `
  INSERT INTO @new_audit_rows
    (time, actor, action, controller_id, subject_request_id, detail, request_no, mac)
  SELECT :receivedTime::bigint, actor, 'request.created', controller_id, subject_request_id, detail,
         request_no, ${MAC}
  FROM given`;

// Creates all of them or none. Nearly always all are new, and this costs a sixth less than checking each one.
const CREATE_ALL = `
  WITH ${GIVEN}, made AS (${INSERT_REQUESTS}), sealed AS (${INSERT_SEALED}) ${INSERT_AUDIT}`;

// Creates only the new ones; if two in one batch have the same id, the first. In the order of their ids, so
// that two batches with the same ids never deadlock.
const MADE = 'AND request_no IN (SELECT request_no FROM made)';
const CREATE_NEW = `
  WITH ${GIVEN}, made AS (${INSERT_REQUESTS}
    ORDER BY subject_request_id::uuid, controller_id COLLATE "C", place
    ON CONFLICT (request_uuid, controller_id) DO NOTHING RETURNING request_no
  ), sealed AS (${INSERT_SEALED} ${MADE}), audited AS (${INSERT_AUDIT} WHERE true ${MADE})
  SELECT place::int AS place FROM given WHERE true ${MADE}`;

const FIND_ARCHIVED = `
  SELECT place::int AS place
  FROM unnest(:controllerIds::text[], :ids::text[]) WITH ORDINALITY
    AS given (controller_id, subject_request_id, place)
  JOIN @archived_requests AS archived
    ON archived.request_uuid = given.subject_request_id::uuid
    AND archived.controller_id = given.controller_id`;

/** Position among the given requests, from 1. */
interface Place {
  readonly place: number;
}

/**
 * After a batch that contained a known id, so many batches are checked request by request: a client that
 * sends one request twice usually sends more of them.
 */
const CAREFUL_BATCHES = 100;
const MAX_TRIES = 5;

export function prepareCreateRequests(database: Database, seal: SealIdentities): CreateRequests {
  let careful = 0;

  /** False: nothing of the batch was stored. */
  async function createAll(values: Values): Promise<boolean> {
    try {
      await database.run(CREATE_ALL, values);
      return true;
    } catch (error) {
      if (!isNotNew(error) && !isDeadlock(error)) throw error;
      careful = CAREFUL_BATCHES;
      return false;
    }
  }

  /**
   * Requests in the archive stay there, so a second try succeeds with the rest; but further requests of the
   * batch may be archived in between. So this is a loop with a limit.
   */
  async function createNew(
    requests: readonly NewRequest[],
    values: Values,
    receivedTime: number,
  ): Promise<CreateOutcome[]> {
    const outcomes = new Array<CreateOutcome>(requests.length).fill(EXISTS);
    let places = requests.map((_, index) => index);
    let given = values;
    for (let tries = 1; places.length > 0; tries++) {
      try {
        for (const { place } of await database.all<Place>(CREATE_NEW, given)) {
          outcomes[places[place - 1] as number] = { outcome: 'created', receivedTime };
        }
        return outcomes;
      } catch (error) {
        if (tries === MAX_TRIES || !(isNotNew(error) || isDeadlock(error))) throw error;
        if (isDeadlock(error)) continue;
        const archived = await archivedAmong(places.map((index) => requests[index] as NewRequest));
        places = places.filter((_, at) => !archived.has(at));
        const rest = places.map((index) => requests[index] as NewRequest);
        given = valuesOf(rest, seal, database.rowMacs, receivedTime);
      }
    }
    return outcomes;
  }

  async function archivedAmong(requests: readonly NewRequest[]): Promise<Set<number>> {
    const rows = await database.all<Place>(FIND_ARCHIVED, {
      controllerIds: arrayOfTexts(requests.map(({ controllerId }) => controllerId)),
      ids: arrayOfTexts(requests.map(({ subjectRequestId }) => subjectRequestId)),
    });
    return new Set(rows.map(({ place }) => place - 1));
  }

  return async (requests, receivedTime) => {
    const values = valuesOf(requests, seal, database.rowMacs, receivedTime);
    if (careful > 0) careful--;
    else if (await createAll(values)) {
      const created: CreateOutcome = { outcome: 'created', receivedTime };
      return requests.map(() => created);
    }
    return createNew(requests, values, receivedTime);
  };
}

const EXISTS: CreateOutcome = { outcome: 'exists' };

/** Raised by the unique index of @requests, or by its trigger, which checks the archive. */
function isNotNew(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return (
    code === '23505' &&
    (constraint === 'requests_by_id' || constraint === 'archived_requests_by_id')
  );
}

function isDeadlock(error: unknown): boolean {
  return (error as { code?: unknown }).code === '40P01';
}

function valuesOf(
  requests: readonly NewRequest[],
  seal: SealIdentities,
  macs: RowMacs,
  receivedTime: number,
): Values {
  const created = requests.map((request) => createdRow(request, receivedTime));
  const pieces: Uint8Array[] = [];
  const masterKeyIds: string[] = [];
  const starts: number[] = [];
  const wrappedLengths: number[] = [];
  const sealedLengths: number[] = [];
  let start = 1;
  for (const request of requests) {
    const { masterKeyId, wrappedKey, sealed } =
      request.identities.length > 0 ? seal(request, request.identities) : NOTHING;
    pieces.push(wrappedKey, sealed);
    masterKeyIds.push(masterKeyId);
    starts.push(start);
    wrappedLengths.push(wrappedKey.length);
    sealedLengths.push(sealed.length);
    start += wrappedKey.length + sealed.length;
  }
  const macsOfAll = created.map((row) => macs.compute(auditClaim(row)));
  return {
    controllerIds: arrayOfTexts(requests.map(({ controllerId }) => controllerId)),
    ids: arrayOfTexts(requests.map(({ subjectRequestId }) => subjectRequestId)),
    details: arrayOfTexts(created.map(({ detail }) => detail)),
    macStart: start,
    regulations: arrayOfTexts(requests.map(({ regulation }) => regulation)),
    submittedTimes: arrayOfTexts(requests.map(({ submittedTime }) => submittedTime)),
    actors: arrayOfTexts(requests.map(({ actor }) => actor)),
    identityCounts: arrayOfNumbers(requests.map(({ identities }) => identities.length)),
    masterKeyIds: arrayOfTexts(masterKeyIds),
    starts: arrayOfNumbers(starts),
    wrappedLengths: arrayOfNumbers(wrappedLengths),
    sealedLengths: arrayOfNumbers(sealedLengths),
    receivedTime,
    bytes: Buffer.concat([...pieces, ...macsOfAll]),
  };
}

const NO_BYTES = new Uint8Array(0);
const NOTHING = { masterKeyId: '', wrappedKey: NO_BYTES, sealed: NO_BYTES };
