// The messages between the server thread and the writer thread. A batch is one JSON string: structured cloning
// of the same objects costs three times as much.
import type { Regulation, SubjectRequestId } from '@unwrite/protocol';
import { type AnyType, Identity } from '../../domain/request/identity.ts';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';
import type { WriteOp, WriteOutcome } from '../write-ops.ts';
import type { CheckpointMode } from './checkpointer.ts';

/** `workerData` of the writer's thread. Keys stay in this process's memory. */
export interface WriterOptions {
  readonly databasePath: string;
  /** Keys, the current one first. */
  readonly masterKeys: readonly Uint8Array[];
}

/** The ops of one event-loop iteration. */
export type WriterRequest = [groupNo: number, ops: string];

/** New keys, the current one first: the thread seals with that one from now on. */
export interface KeysMessage {
  readonly masterKeys: readonly Uint8Array[];
}

/** null ends the thread. */
export type WriterMessage = WriterRequest | CheckpointMode | KeysMessage | null;

export type GroupAnswer =
  /** Every op of the group was a create and succeeded: by far the most common answer. */
  | readonly ['created', groupNo: number, receivedTime: number]
  | readonly ['done', groupNo: number, outcomes: string]
  | readonly ['failed', groupNo: number, message: string];

export type WriterAnswer =
  | 'ready'
  | 'keys taken'
  | readonly GroupAnswer[]
  /** Whether the whole log is in the database file and, for TRUNCATE, the log is truncated. */
  | { readonly mode: CheckpointMode; readonly isDone: boolean };

type PackedOp =
  | [
      0,
      ControllerId,
      SubjectRequestId,
      Regulation,
      submittedTime: string,
      actor: string,
      identities: [AnyType, string][],
      via?: readonly string[],
    ]
  | [1, ControllerId, SubjectRequestId, string];

export function encodeOps(ops: readonly WriteOp[]): string {
  return JSON.stringify(ops.map(pack));
}

function decodeOps(text: string): WriteOp[] {
  return (JSON.parse(text) as PackedOp[]).map(unpack);
}

/**
 * Writes all groups in one transaction. After a failure each group is written alone, so that only the
 * failing one fails.
 */
export function writeGroups(
  groups: readonly WriterRequest[],
  writeBatch: (ops: WriteOp[]) => WriteOutcome[],
): GroupAnswer[] {
  try {
    return writeTogether(groups, writeBatch);
  } catch (error) {
    if (groups.length > 1 && isOfTheData(error)) {
      return groups.flatMap((group) => writeGroups([group], writeBatch));
    }
    return groups.map(([groupNo]) => ['failed', groupNo, describeFailure(error)]);
  }
}

/** SQLITE_CONSTRAINT, _MISMATCH, _TOOBIG, _RANGE: errors that a row can cause, unlike a lock or a full disk. */
const DATA_ERRORS = new Set([19, 20, 18, 25]);

function isOfTheData(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined || DATA_ERRORS.has(errcode & 0xff);
}

/** SQLite's error code, never its message or a parser's, which may quote data. */
function describeFailure(error: unknown): string {
  const { errstr, name } = error as { errstr?: string; name?: string };
  return errstr ?? name ?? 'unknown failure';
}

function writeTogether(
  groups: readonly WriterRequest[],
  writeBatch: (ops: WriteOp[]) => WriteOutcome[],
): GroupAnswer[] {
  const decoded = groups.map(([, ops]) => decodeOps(ops));
  const outcomes = writeBatch(decoded.flat());
  let start = 0;
  return groups.map(([groupNo], index) => {
    const end = start + (decoded[index]?.length ?? 0);
    const answer = encodeOutcomes(groupNo, outcomes.slice(start, end));
    start = end;
    return answer;
  });
}

function encodeOutcomes(groupNo: number, outcomes: readonly WriteOutcome[]): GroupAnswer {
  const [first] = outcomes;
  return first?.outcome === 'created' && outcomes.every((it) => it.outcome === 'created')
    ? ['created', groupNo, first.receivedTime]
    : ['done', groupNo, JSON.stringify(outcomes)];
}

export function decodeOutcomes(
  answer: Exclude<GroupAnswer, readonly ['failed', ...unknown[]]>,
  size: number,
): WriteOutcome[] {
  if (answer[0] === 'done') return JSON.parse(answer[2]) as WriteOutcome[];
  const created: WriteOutcome = { outcome: 'created', receivedTime: answer[2] };
  return Array<WriteOutcome>(size).fill(created);
}

function pack(op: WriteOp): PackedOp {
  if (op.op === 'cancel') {
    const { controllerId, subjectRequestId, actor } = op.command;
    return [1, controllerId, subjectRequestId, actor];
  }
  const { controllerId, subjectRequestId, regulation, submittedTime, actor, via } = op.request;
  const identities = op.request.identities.map((it): [AnyType, string] => [it.type, it.reveal()]);
  const given = [controllerId, subjectRequestId, regulation, submittedTime, actor] as const;
  return via === undefined ? [0, ...given, identities] : [0, ...given, identities, via];
}

function unpack(packed: PackedOp): WriteOp {
  if (packed[0] === 1) {
    const [, controllerId, subjectRequestId, actor] = packed;
    return { op: 'cancel', command: { controllerId, subjectRequestId, actor } };
  }
  const [, controllerId, subjectRequestId, regulation, submittedTime, actor, pairs, via] = packed;
  const identities = pairs.map(([type, value]) => new Identity(type, value));
  const request = { controllerId, subjectRequestId, regulation, submittedTime, actor, identities };
  return { op: 'create', request: via === undefined ? request : { ...request, via } };
}
