import type { onRequestHookHandler } from 'fastify';
import type { GivenReceipt, ReceiptReader } from '../../domain/receipt/receipt.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import type { RequestStore } from '../../domain/request/request-ports.ts';

export interface ReceiptsContext {
  readonly requests: RequestStore;
  readonly requireToken: onRequestHookHandler;
  readonly given: ReceiptReader['given'];
  /** Signs the receipt if the worker has not done so yet, and waits until it is synced. */
  readonly issueNow: (request: RequestKey) => Promise<GivenReceipt[]>;
  readonly render: (document: string) => string;
}
