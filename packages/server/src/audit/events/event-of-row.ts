// Which rows of the audit log are events, and what they say. No identities: the log has none.
import type { EventType, LogEvent } from '../../domain/audit/event-ports.ts';
import type { ChainedRow } from '../../domain/audit/proof-ports.ts';
import { readDetail } from '../../domain/audit/read-detail.ts';

const TYPES: ReadonlyMap<string, EventType> = new Map([
  ['request.started', 'request.started'],
  ['request.completed', 'request.completed'],
  ['request.cancelled', 'request.cancelled'],
  ['task.held', 'request.held'],
]);

export function eventOfRow(row: ChainedRow): LogEvent | undefined {
  const type = TYPES.get(row.action);
  if (type === undefined) return undefined;
  const { target, reason } = readDetail(row);
  const isHeld = type === 'request.held';
  return {
    id: idOf(row),
    type,
    time: new Date(row.time).toISOString(),
    audit_no: row.auditNo,
    controller_id: row.controllerId,
    subject_request_id: row.subjectRequestId,
    target: isHeld && typeof target === 'string' ? target : null,
    reason: isHeld && typeof reason === 'string' ? reason : null,
  };
}

/** With the time, because numbers are given again after a backup of the store was restored. */
function idOf({ auditNo, time }: Pick<ChainedRow, 'auditNo' | 'time'>): string {
  return `event_${auditNo}_${time}`;
}

/** Stands for all events in the rows after `from`, up to the last one that was cut. */
export function lostEvents(from: number, { lastAuditNo, time }: CutRows): LogEvent {
  return {
    id: `lost_${from + 1}_${lastAuditNo}`,
    type: 'events.lost',
    time: new Date(time).toISOString(),
    audit_no: lastAuditNo,
    controller_id: null,
    subject_request_id: null,
    target: null,
    reason: `the rows of the audit log from ${from + 1} to ${lastAuditNo} were cut for their age`,
  };
}

export interface CutRows {
  readonly lastAuditNo: number;
  readonly time: number;
}
