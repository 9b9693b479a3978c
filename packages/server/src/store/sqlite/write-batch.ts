// The one write path of the four endpoints: creates and cancels, in order, in one transaction, each with its
// own outcome.
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../domain/clock.ts';
import type { RowAuthenticator } from '../../domain/keys/row-macs.ts';
import type { SealIdentities, WriteOp, WriteOutcome } from '../write-ops.ts';
import { prepareAppendAudit } from './audit.ts';
import { prepareCancelRequest } from './cancel-request.ts';
import { prepareCreateRequest } from './create-request.ts';
import { inTransactionSoon } from './transaction.ts';

export type WriteBatch = (ops: readonly WriteOp[]) => WriteOutcome[];

export function createWriteBatch(
  database: DatabaseSync,
  seal: SealIdentities,
  clock: Clock,
  macs: Pick<RowAuthenticator, 'macOf'>,
): WriteBatch {
  const appendAudit = prepareAppendAudit(database, macs);
  const create = prepareCreateRequest(database, seal, appendAudit, macs);
  const cancel = prepareCancelRequest(database, appendAudit);

  return (ops) =>
    inTransactionSoon(database, () => {
      // Contract: taken when the transaction that stores the request begins.
      const receivedTime = clock();
      return ops.map((op) =>
        op.op === 'create' ? create(op.request, receivedTime) : cancel(op.command, receivedTime),
      );
    });
}
