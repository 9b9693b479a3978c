// Proofs of the audit log for controllers, at / and at /v2: an extension, like receipts.
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import { type AuditProofs, NoProof } from '../../domain/audit/proof-documents.ts';
import { ApiError } from '../api-error.ts';
import { errorResponses } from '../error-responses.ts';

export interface AuditContext {
  readonly requireToken: onRequestHookHandler;
  readonly proofs: AuditProofs;
}

const DOCUMENT = {
  200: {
    description: 'A JSON document; docs/verifying.md says how it is verified',
    content: { 'application/json': { schema: { type: 'object' } } },
  },
  ...errorResponses(400, 401, 403, 404, 429),
};

const headNo = (description: string) => ({ type: 'integer', minimum: 1, description });

export function registerAudit(
  scope: FastifyInstance,
  { requireToken, proofs }: AuditContext,
): void {
  scope.get(
    '/audit/head',
    {
      onRequest: requireToken,
      schema: {
        operationId: 'getAuditHead',
        summary: 'The newest signed head of the audit log',
        description: 'An extension of Unwrite. Keep it: later heads must be consistent with it.',
        tags: ['Audit'],
        security: [{ bearer: [] }],
        response: DOCUMENT,
      },
    },
    (_, reply) => sendProof(reply, proofs.newestHead()),
  );
  scope.get(
    '/audit/consistency',
    {
      onRequest: requireToken,
      // The schema only documents; headNoOf checks, and explains what is wrong.
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'getAuditConsistency',
        summary: 'The proof that one signed head continues another',
        description: 'An extension of Unwrite. A consistency proof of RFC 9162, with both heads.',
        tags: ['Audit'],
        security: [{ bearer: [] }],
        querystring: {
          type: 'object',
          required: ['from'],
          properties: {
            from: headNo('head_no of the older head'),
            to: headNo('head_no of the newer head; left out: the newest'),
          },
        },
        response: DOCUMENT,
      },
    },
    (request, reply) => {
      const { from, to } = request.query as Record<string, unknown>;
      const until = to === undefined ? undefined : headNoOf('to', to);
      return sendProof(reply, proofs.consistency(headNoOf('from', from), until));
    },
  );
}

/** Sent as bytes, because the framework would only write members that a schema names. */
export async function sendProof(
  reply: FastifyReply,
  proof: Promise<object>,
): Promise<FastifyReply> {
  try {
    const text = `${JSON.stringify(await proof)}\n`;
    return reply.type('application/json; charset=utf-8').send(Buffer.from(text));
  } catch (error) {
    throw error instanceof NoProof ? new ApiError(404, error.message) : error;
  }
}

function headNoOf(name: string, value: unknown): number {
  if (typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw new ApiError(400, `${name} must be the head_no of a head: a number from 1 on`);
}
