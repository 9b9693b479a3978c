// Where the evidence of a request is not what the audit log says, an operator decides.
import type { Command } from 'commander';
import { ReceiptRefused, type ReceiptStore } from '../../domain/receipt/receipt.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import { CommandFailure, usageFailure } from '../shared/failure.ts';
import { actorOf } from '../shared/options.ts';

export async function acceptEvidence(
  command: Command,
  store: ReceiptStore,
  request: RequestKey,
  { reason }: { readonly reason?: string },
  now: number,
): Promise<void> {
  if (reason === undefined) throw usageFailure('--accept-evidence needs --reason "…"');
  const requestNo = await store.dueOf(request);
  if (requestNo === undefined) throw new CommandFailure('its receipts are signed already');
  await store.acceptEvidence(requestNo, reason, { actor: actorOf(command), now });
}

export async function explainRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ReceiptRefused)) throw error;
    throw new CommandFailure(
      `no receipt is signed: ${error.message}. Another program wrote to the store: put back what was changed from a backup, and ask again. Where the evidence as it is now is right: --accept-evidence --reason "…"; the receipt says so`,
    );
  }
}
