import type { FastifyInstance } from 'fastify';
import type { AuditProofs } from '../../domain/audit/proof-documents.ts';
import { sendProof } from '../audit/routes.ts';
import { errorResponses } from '../error-responses.ts';
import { requestNotFound, subjectRequestIdOf } from '../opendsr/request-path.ts';
import type { ReceiptsContext } from './context.ts';
import { receiptQueryOf, receiptQuerySchema } from './receipt-query.ts';

export function getReceiptProof(
  app: FastifyInstance,
  context: ReceiptsContext,
  proofs: AuditProofs,
): void {
  app.get(
    '/receipts/:subject_request_id/proof',
    {
      onRequest: context.requireToken,
      // The schema only documents; receiptQueryOf checks, and explains what is wrong.
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'getReceiptProof',
        summary: 'The proof that the audit log has a receipt',
        description:
          'An extension of Unwrite. An inclusion proof of RFC 9162 in the newest signed head. 404 until a head covers the receipt, some seconds after it was signed.',
        tags: ['Receipts'],
        security: [{ bearer: [] }],
        querystring: { type: 'object', properties: { no: receiptQuerySchema.properties.no } },
        response: {
          200: {
            description: 'The proof',
            content: { 'application/json': { schema: { type: 'object' } } },
          },
          ...errorResponses(400, 401, 403, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const { controllerId } = request.principal;
      const key = { controllerId, subjectRequestId: subjectRequestIdOf(request) };
      const { no } = receiptQueryOf(request);
      if ((await context.requests.read(key)) === undefined) throw requestNotFound();
      return sendProof(reply, proofs.receipt(key, no));
    },
  );
}
