import type { onRequestHookHandler } from 'fastify';
import type { ReceiptReader } from '../../domain/receipt/receipt.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import type { RequestStore } from '../../domain/request/request-ports.ts';

export interface ReceiptsContext {
  readonly requests: RequestStore;
  readonly requireToken: onRequestHookHandler;
  readonly documents: ReceiptReader['documents'];
  /** Signs where the worker has not, and waits for the disk. */
  readonly issueNow: (request: RequestKey) => Promise<string[]>;
  readonly render: (document: string) => string;
}
