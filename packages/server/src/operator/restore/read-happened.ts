// Reads what happened to requests from files outside the store: exports of the audit log, and receipts.
import { isSubjectRequestId } from '@unwrite/protocol';
import type { Happened } from '../../domain/store/restore.ts';
import { isControllerId } from '../../domain/tenant/controller-id.ts';

const WHAT: ReadonlyMap<unknown, Happened['what']> = new Map([
  ['request.cancelled', 'cancelled'],
  ['request.started', 'started'],
  ['request.completed', 'completed'],
]);

/** What a date can be at most. */
const LAST_TIME = 8_640_000_000_000_000;

/** Reads a receipt or an export. Undefined: it is neither. */
export function readHappened(given: string): Happened[] | undefined {
  const text = given.replace(/^\uFEFF/, '');
  const whole = parse(text);
  // Lines of an export have a type: a single one is a part of an export.
  if (whole !== undefined) return 'type' in whole ? readRow(whole) : readReceipt(whole);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
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
  const { completed_time: time } = receipt;
  const found = happened('completed', receipt, typeof time === 'string' ? Date.parse(time) : time);
  return found.length > 0 ? found : undefined;
}

function readRow(row: Members): Happened[] {
  const what = WHAT.get(row.action);
  return what === undefined ? [] : happened(what, row, row.time);
}

/** Others may have made the file: what is not of the right type is not read. */
function happened(what: Happened['what'], members: Members, time: unknown): Happened[] {
  const { controller_id: controllerId, subject_request_id: subjectRequestId } = members;
  if (typeof controllerId !== 'string' || !isControllerId(controllerId)) return [];
  if (typeof subjectRequestId !== 'string' || !isSubjectRequestId(subjectRequestId)) return [];
  return isTime(time) ? [{ what, time, controllerId, subjectRequestId }] : [];
}

function isTime(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LAST_TIME;
}
