// The write operations of the API, and their outcomes.

import type { Identity } from '../domain/request/identity.ts';
import type {
  CancelCommand,
  CancelOutcome,
  CreateOutcome,
  NewRequest,
  RequestKey,
} from '../domain/request/request.ts';
import type { SealedBytes } from '../domain/task/fulfilment-ports.ts';

export type WriteOp =
  | { readonly op: 'create'; readonly request: NewRequest }
  | { readonly op: 'cancel'; readonly command: CancelCommand };

export function controllerOf(op: WriteOp): string {
  return op.op === 'create' ? op.request.controllerId : op.command.controllerId;
}

export type WriteOutcome = CreateOutcome | CancelOutcome;

/** The part of the vault that a store needs: it can seal, but has no access to keys. */
export type SealIdentities = (
  request: RequestKey & Pick<NewRequest, 'via'>,
  identities: readonly Identity[],
) => SealedBytes;
