import type { DatabaseSync } from 'node:sqlite';
import type { ControllerId } from '../../domain/controller-id.ts';
import { dayOf } from '../../domain/day.ts';
import type { DueRequest } from '../../domain/fulfilment-ports.ts';
import { prepareReadIdentities } from './read-identities.ts';

type DueRow = Omit<DueRequest, 'identities'>;

const COLUMNS = `request_no AS requestNo, controller_id AS controllerId,
  subject_request_id AS subjectRequestId`;

/** Requests to be started, oldest first; each of the three ways has an index of its own. */
export function prepareDueRequests(database: DatabaseSync) {
  const readIdentities = prepareReadIdentities(database);
  const pastTheWindow = database.prepare(`
    SELECT ${COLUMNS} FROM requests
    WHERE status = 'pending' AND received_time <= :receivedBefore
      AND controller_id NOT IN (SELECT value FROM json_each(:leaveOut))
    ORDER BY received_time, request_no LIMIT :most
  `);
  const askedFor = database.prepare(`
    SELECT ${COLUMNS} FROM requests
    WHERE status = 'pending' AND start_asked_by IS NOT NULL ORDER BY request_no LIMIT ?
  `);
  const toPlan = database.prepare(`
    SELECT ${COLUMNS} FROM requests
    WHERE status = 'in_progress' AND plan_id IS NULL ORDER BY request_no LIMIT ?
  `);

  return (
    receivedBefore: number,
    most: number,
    leaveOut: readonly ControllerId[],
  ): DueRequest[] => {
    const rows = [
      ...toPlan.all(most),
      ...askedFor.all(most),
      ...pastTheWindow.all({ receivedBefore, most, leaveOut: JSON.stringify(leaveOut) }),
    ] as unknown as DueRow[];
    const once = new Map(rows.map((row) => [row.requestNo, row]));
    // What operators wait for is never left out for the rest; among those chosen the oldest is first.
    return [...once.values()]
      .slice(0, most)
      .sort((a, b) => a.requestNo - b.requestNo)
      .map((row) => ({ ...row, identities: readIdentities(row.requestNo) }));
  };
}

export function prepareStartedOut(database: DatabaseSync) {
  const select = database.prepare(
    "SELECT whose FROM daily_counts WHERE day = ? AND what = 'starts' AND count >= ?",
  );
  return (startsADay: number, now: number): ControllerId[] =>
    (select.all(dayOf(now), startsADay) as { whose: ControllerId }[]).map(({ whose }) => whose);
}
