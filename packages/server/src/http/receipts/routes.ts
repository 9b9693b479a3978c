// Receipts for controllers, at / and at /v2: an extension, so without the headers of the four OpenDSR
// endpoints.
import type { FastifyInstance } from 'fastify';
import type { Authenticate } from '../../auth/authenticate.ts';
import type { AuditProofs } from '../../domain/audit/proof-documents.ts';
import { registerAudit } from '../audit/routes.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { createRequireToken } from '../opendsr/authenticated.ts';
import type { ReceiptsContext } from './context.ts';
import { getReceiptKey, getReceiptKeys, type PublishKeys } from './get-key.ts';
import { getReceipt } from './get-receipt.ts';
import { getReceiptProof } from './get-receipt-proof.ts';

export interface ReceiptsDeps extends Omit<ReceiptsContext, 'requireToken'> {
  readonly authenticate: Authenticate;
  readonly rateLimit: RateLimit;
  readonly keys: PublishKeys;
  readonly proofs: AuditProofs;
}

export function registerReceipts(app: FastifyInstance, deps: ReceiptsDeps): void {
  const context = { ...deps, requireToken: createRequireToken(deps.authenticate, deps.rateLimit) };
  for (const prefix of ['', '/v2']) {
    void app.register(
      async (scope) => {
        getReceiptKey(scope, deps.keys);
        getReceiptKeys(scope, deps.keys);
        getReceipt(scope, context);
        getReceiptProof(scope, context, deps.proofs);
        registerAudit(scope, context);
      },
      { prefix },
    );
  }
}
