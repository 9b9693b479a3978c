// What passes between the server's thread and the writer's. One JSON string a batch: structured
// cloning of the same objects costs three times as much.
import type { IdentityType, Regulation, SubjectRequestId } from '@unwrite/protocol';
import type { ControllerId } from '../../domain/controller-id.ts';
import { Identity } from '../../domain/identity.ts';
import type { WriteOp, WriteOutcome } from './write-batch.ts';

/** `workerData` of the writer's thread. Keys stay in this process's memory. */
export interface WriterOptions {
  readonly databasePath: string;
  /** Current first. */
  readonly masterKeys: readonly Uint8Array[];
}

export type WriterRequest = readonly [batchNo: number, ops: string];

export type WriterAnswer =
  | readonly ['ready']
  /** Every op of the batch was a create and succeeded: by far the most common answer. */
  | readonly ['created', batchNo: number, receivedTime: number]
  | readonly ['done', batchNo: number, outcomes: string]
  | readonly ['failed', batchNo: number, message: string];

type PackedOp =
  | [0, ControllerId, SubjectRequestId, Regulation, string, string, [IdentityType, string][]]
  | [1, ControllerId, SubjectRequestId, string];

export function encodeOps(ops: readonly WriteOp[]): string {
  return JSON.stringify(ops.map(pack));
}

export function decodeOps(text: string): WriteOp[] {
  return (JSON.parse(text) as PackedOp[]).map(unpack);
}

export function encodeOutcomes(batchNo: number, outcomes: readonly WriteOutcome[]): WriterAnswer {
  const [first] = outcomes;
  return first?.outcome === 'created' && outcomes.every((it) => it.outcome === 'created')
    ? ['created', batchNo, first.receivedTime]
    : ['done', batchNo, JSON.stringify(outcomes)];
}

export function decodeOutcomes(
  answer: Extract<WriterAnswer, readonly ['created' | 'done', ...unknown[]]>,
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
  const { controllerId, subjectRequestId, regulation, submittedTime, actor } = op.request;
  const identities = op.request.identities.map((it): [IdentityType, string] => [
    it.type,
    it.reveal(),
  ]);
  return [0, controllerId, subjectRequestId, regulation, submittedTime, actor, identities];
}

function unpack(packed: PackedOp): WriteOp {
  if (packed[0] === 1) {
    const [, controllerId, subjectRequestId, actor] = packed;
    return { op: 'cancel', command: { controllerId, subjectRequestId, actor } };
  }
  const [, controllerId, subjectRequestId, regulation, submittedTime, actor, pairs] = packed;
  const identities = pairs.map(([type, value]) => new Identity(type, value));
  return {
    op: 'create',
    request: { controllerId, subjectRequestId, regulation, submittedTime, actor, identities },
  };
}
