// Reads what happened to requests from files outside the store: exports of the audit log, and receipts.
import { isSubjectRequestId } from '@unwrite/protocol';
import type { Happened } from '../../domain/store/restore.ts';
import { isControllerId } from '../../domain/tenant/controller-id.ts';

const WHAT: Readonly<Record<string, Happened['what']>> = {
  'request.cancelled': 'cancelled',
  'request.started': 'started',
  'request.completed': 'completed',
};

/** Reads a receipt or an export. Undefined: it is neither. */
export function readHappened(text: string): Happened[] | undefined {
  const whole = parse(text);
  // Lines of an export have a type: a single one is a part of an export.
  if (whole !== undefined) return 'type' in whole ? readRow(whole) : readReceipt(whole);
  const lines = text.split('\n').filter((line) => line !== '');
  const members = lines.map(parse);
  if (members.length === 0 || members.includes(undefined)) return undefined;
  return members.flatMap((it) => (it === undefined ? [] : readRow(it)));
}

type Members = Readonly<Record<string, unknown>>;

function parse(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}

function readReceipt(receipt: Members): Happened[] | undefined {
  const found = happened('completed', receipt, Date.parse(String(receipt.completed_time)));
  return found.length > 0 ? found : undefined;
}

function readRow(row: Members): Happened[] {
  const what = WHAT[String(row.action)];
  return what === undefined ? [] : happened(what, row, Number(row.time));
}

function happened(what: Happened['what'], members: Members, time: number): Happened[] {
  const controllerId = String(members.controller_id);
  const subjectRequestId = String(members.subject_request_id);
  const isValid = isControllerId(controllerId) && isSubjectRequestId(subjectRequestId) && time >= 0;
  return isValid ? [{ what, time, controllerId, subjectRequestId }] : [];
}
