// Reads what happened to requests from files outside the store: exports of the audit log, and receipts.
import { isSubjectRequestId } from '@unwrite/protocol';
import { isObject } from '../../domain/is-object.ts';
import type { Happened } from '../../domain/store/restore.ts';
import { isControllerId } from '../../domain/tenant/controller-id.ts';

/** What is wrong with a file, and where. */
export class NotKept extends Error {
  override readonly name = 'NotKept';
}

const WHAT: ReadonlyMap<unknown, Happened['what']> = new Map([
  ['request.cancelled', 'cancelled'],
  ['request.started', 'started'],
  ['request.completed', 'completed'],
]);

/** Types of lines in an export. Only lines of type "row" say what happened. */
const TYPES: readonly unknown[] = ['unwrite audit export', 'row', 'head', 'cut', 'footer'];

/** The largest time that a Date can hold. */
const LAST_TIME = 8_640_000_000_000_000;
const MAX_SHOWN = 40;

/** Reads a receipt, or an export or a part of one, whose first line has the number `firstLine`. Throws NotKept. */
export function readHappened(given: string, firstLine = 1): Happened[] {
  const text = given.replace(/^\uFEFF/, '');
  const whole = parse(text);
  // Lines of an export have a type: a single line is a part of an export.
  if (whole !== undefined && !('type' in whole)) return readReceipt(whole);
  const lines = text
    .split('\n')
    .map((line, index) => ({ line, place: `line ${firstLine + index}` }))
    .filter(({ line }) => line.trim() !== '');
  if (lines.length === 0) throw new NotKept('is empty');
  return lines.flatMap(({ line, place }) => readLine(place, line));
}

type Members = Readonly<Record<string, unknown>>;

function parse(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readReceipt(receipt: Members): Happened[] {
  const { completed_time: time } = receipt;
  const problem = (what: string) =>
    new NotKept(
      `is one JSON object without a type, so it is read as a receipt, and ${what}; as a line of an export it would have "type":"row"`,
    );
  return happened('completed', receipt, typeof time === 'string' ? Date.parse(time) : Number.NaN, {
    time: 'completed_time must be the time of the completion',
    problem,
  });
}

function readLine(place: string, line: string): Happened[] {
  const row = parse(line);
  const expected = `a line of an export of the audit log ("unwrite audit export") is a JSON object whose type is one of ${TYPES.map((type) => `"${type}"`).join(', ')}`;
  if (row === undefined) throw new NotKept(`has no JSON object on ${place}: ${expected}`);
  if (!TYPES.includes(row.type)) {
    const type = row.type === undefined ? 'no type' : `the type ${shown(row.type)}`;
    throw new NotKept(`has ${type} on ${place}: ${expected}`);
  }
  if (row.type !== 'row') return [];
  const problem = (what: string) => new NotKept(`has a row on ${place} whose ${what}`);
  if (typeof row.action !== 'string') {
    throw problem(`action must be a text such as "request.cancelled", not ${shown(row.action)}`);
  }
  const what = WHAT.get(row.action);
  if (what === undefined) return [];
  const time = `time must be whole milliseconds since 1970, not ${shown(row.time)}`;
  return happened(what, row, row.time, { time, problem });
}

interface Problems {
  readonly time: string;
  problem(what: string): NotKept;
}

/** The file may come from anywhere: members with a wrong type are ignored. */
function happened(
  what: Happened['what'],
  members: Members,
  time: unknown,
  { time: wrongTime, problem }: Problems,
): Happened[] {
  const { controller_id: controllerId, subject_request_id: subjectRequestId } = members;
  if (typeof controllerId !== 'string' || !isControllerId(controllerId)) {
    throw problem(`controller_id must be the id of a controller, not ${shown(controllerId)}`);
  }
  if (typeof subjectRequestId !== 'string' || !isSubjectRequestId(subjectRequestId)) {
    throw problem(`subject_request_id must be a UUID, not ${shown(subjectRequestId)}`);
  }
  if (!isTime(time)) throw problem(wrongTime);
  return [{ what, time, controllerId, subjectRequestId }];
}

function isTime(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LAST_TIME;
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
